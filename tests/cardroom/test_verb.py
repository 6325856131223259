"""A verb: who may, the key of its request, its entry in the audit log, its locks and the time; and what its signature
says to a request."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Literal

import pytest
from django.db import transaction
from django.http import QueryDict

from cardroom.core import access
from cardroom.core.arguments import UNCHANGED, Chips, Limits, Reason, RowId, Unchanged, internal, not_kept
from cardroom.core.models import Notice, Repeat, StaffAction, User
from cardroom.core.verb import at, current_time, digest_of, lock, verb
from cardroom.core.web.api import bodies
from tests.support.offers import staff
from tests.support.parts.cardroom import Conflict, Forbidden, Invalid, NotFound, notices
from tests.support.refusals import refused


@verb("test.pin", roles=("floor",), about="notice:{result.pk}")
def pin(*, player: User, text: str, reason: str = "", by: User | None) -> Notice | None:
    _, now = lock(User, player.pk)
    if text == "nothing":
        raise Invalid("empty", "There is nothing on it.")
    return notices.tell(player=player, kind="pin", text=text, now=now)


@verb("test.pin_within")
def pin_within(*, player: User, inner_key: str = "", by: User) -> Notice | None:
    return pin.once(inner_key, player=player, text="Seat 4 is open", by=by)


@verb("test.pin_twice")
def pin_twice(*, player: User, by: User) -> list[Notice]:
    now = current_time()
    return [Notice.objects.create(player=player, kind="pin", text=text, at=now) for text in ("first", "second")]


@dataclass(frozen=True)
class Pin:
    kind: str


@dataclass(frozen=True)
class Pinned:
    count: int
    pins: tuple[Pin, ...]
    newest: Notice | None = None


@verb("test.count_pins")
def count_pins(*, player: User, by: User) -> Pinned:
    rows = Notice.objects.filter(player=player)
    return Pinned(len(rows), tuple(Pin(row.kind) for row in rows), rows.order_by("pk").last())


@verb("test.draw")
def draw(*, by: User) -> Annotated[list[str], not_kept]:
    Notice.objects.create(player=by, kind="draw", text="drawn", at=current_time())
    return ["a secret"]


@verb("test.seat")
def seat(
    *,
    table_id: RowId,
    amount: Chips,
    kind: Literal["now", "later"] = "now",
    seats: list[RowId] | None = None,
    note: Annotated[str, Limits(called="words", max_length=20)] = "",
    place: Annotated[str, internal] = "",
    email: Annotated[str, Limits(is_email=True, required=False)] = "",
    until: datetime | Unchanged | None = UNCHANGED,
    reason: Reason = "",
    by: User,
) -> None: ...


def test_the_same_key_gets_the_first_result_and_is_free_after_a_refusal(north, south, now):
    floor = staff("floor")
    with at(now):
        refused(Invalid, pin.once, "k", player=north, text="nothing", by=floor)
        refused(Forbidden, pin.once, "k", player=north, text="Seat 4 is open", by=north)
        assert not Repeat.objects.exists()
        first = pin.once("k", player=north, text="Seat 4 is open", by=floor)
        assert pin.once("k", player=north, text=" Seat 4  is open", by=floor) == first
        assert refused(Conflict, pin.once, "k", player=south, text="Seat 4 is open", by=floor).code == "key-used"
        access.grant_role(user=south, role="floor", by=None)
        assert pin.once("k", player=north, text="Seat 4 is open", by=south) != first
        first.delete()
        refused(Conflict, "deleted", pin.once, "k", player=north, text="Seat 4 is open", by=floor)


def test_no_verb_within_another_takes_a_key(north):
    floor = staff("floor")
    first = pin_within.once("k", player=north, by=floor)
    assert pin_within.once("k", player=north, by=floor) == first
    with pytest.raises(AssertionError, match="part of another verb"):
        pin_within(player=north, inner_key="k", by=floor)


def test_what_is_not_kept_is_done_again_under_the_same_key(north):
    assert draw.once("k", by=north) == draw.once("k", by=north) == ["a secret"]
    assert (Notice.objects.filter(kind="draw").count(), Repeat.objects.count()) == (2, 0)
    assert not draw.keeps_result
    assert pin.keeps_result


def test_rows_and_dataclasses_are_kept_under_a_key(north):
    floor = staff("floor")
    first = pin_twice.once("k", player=north, by=floor)
    assert [row.pk for row in pin_twice.once("k", player=north, by=floor)] == [row.pk for row in first]
    assert count_pins.once("k", player=north, by=floor) == Pinned(2, (Pin("pin"), Pin("pin")), first[1])
    pin_twice(player=north, by=floor)
    assert count_pins.once("k", player=north, by=floor) == Pinned(2, (Pin("pin"), Pin("pin")), first[1])


def test_what_is_carried_out_later_is_the_result_of_the_key(north, south):
    floor = staff("floor")
    wanted = {"player": north, "text": "Seat 4 is open", "by": floor}
    asked = digest_of(wanted)
    pin.take_key("k", asked, by=floor)
    for _ in range(2):
        pin.carry_out("k", asked, **wanted)
    assert pin.once("k", **wanted) == Notice.objects.get()
    refused(Conflict, pin.take_key, "k", digest_of(wanted | {"player": south}), by=floor)


def test_an_entry_says_what_was_asked_and_the_house_makes_none(north, now):
    floor = staff("floor")
    notice = pin(player=north, text="Seat 4 is open", reason="as asked", by=floor, now=now)
    entry = StaffAction.objects.get()
    assert (entry.verb, entry.subject, entry.at) == ("test.pin", f"notice:{notice.pk}", now)
    assert (entry.player, entry.reason, entry.details) == (north, "as asked", {"text": "Seat 4 is open"})
    pin(player=north, text="Seat 5 is open", by=None)
    assert StaffAction.objects.count() == 1


def test_the_time_is_read_once_the_lock_is_had_unless_it_is_given(north, now):
    with transaction.atomic():
        with at(now):
            row, moment = lock(User, north.pk)
            assert (row, moment) == (north, now)
            with at(now + timedelta(hours=1)):
                assert lock(User.objects.filter(is_bot=False), north.pk)[1] == now + timedelta(hours=1)
            assert lock(access.get_user, north.pk) == (north, now)
        assert lock(User, north.pk)[1] > now - timedelta(days=36500)
        assert refused(NotFound, lock, User, 0).code == "no-such-player"


def test_the_signature_says_what_a_request_may_say():
    body = bodies.body_of(seat, "Seat")()
    assert list(body.fields) == ["table", "amount", "kind", "seats", "words", "email", "until", "reason"]
    assert [name for name, field in body.fields.items() if field.required] == ["table", "amount"]
    assert (body.fields["words"].source, body.fields["words"].allow_blank) == ("note", True)
    read = type(body)(data={"table": 1, "amount": 5, "email": ""})
    assert read.is_valid()
    assert read.validated_data["email"] == ""
    assert read.validated_data.keys() == {"table_id", "amount", "kind", "note", "email", "reason"}
    assert "table" not in bodies.body_of(seat, "Seat", path="tables/<id:table_id>/seat")().fields
    sent = type(body)(data={"table": 1, "amount": 0})
    assert not sent.is_valid()
    assert set(sent.errors) == {"amount"}
    assert bodies.body_of(draw, "Draw") is None


@dataclass(frozen=True)
class Wishes:
    seats: Annotated[list[Annotated[int, Limits(min_value=1)]], Limits(max_length=2, required=False)] = field(
        default_factory=list
    )
    is_quiet: bool = False


@verb("test.wish")
def wish(*, note: str, wishes: Wishes | None = None, by: User) -> None: ...


def test_a_frozen_dataclass_is_an_object_within_the_body():
    body = bodies.body_of(wish, "Wish")
    sent = body(data={"note": "late", "wishes": {"seats": [2], "is_quiet": True}})
    assert sent.is_valid()
    assert sent.validated_data == {"note": "late", "wishes": Wishes(seats=[2], is_quiet=True)}
    assert body.typed(QueryDict("note=late&seats=3&seats=4")) == {"note": "late", "wishes": Wishes(seats=[3, 4])}
    assert body.typed(QueryDict("note=late")) == {"note": "late"}
    for wrong in ({"seats": [0]}, {"seats": [1, 2, 3]}, {"table": 1}, []):
        assert not body(data={"note": "late", "wishes": wrong}).is_valid()
