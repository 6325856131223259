"""What an operation declares: who may, by their roles; that a request is done once by its key; and its entry in the
audit log."""

from functools import partial

import pytest
from django.contrib.auth.models import AnonymousUser, Group
from django.db import transaction

from cardroom.core import access
from cardroom.core.errors import Refusal
from cardroom.core.models import Notice, Repeat, StaffAction, User
from cardroom.core.operation import UNKEPT, after_refusal, answer_once, command_name, operation
from tests.support.offers import staff
from tests.support.parts.cardroom import Conflict, Forbidden, Invalid, notices
from tests.support.racing import race
from tests.support.refusals import refused


@operation(verb="test.pin:{board}", roles=("floor",), about="board:{board}")
def pin(*, player: User, text: str, by: User | None, now, board: int = 1, reason: str = "") -> Notice | None:
    if text == "nothing":
        raise Invalid("empty", "There is nothing on it.")
    return notices.tell(player=player, kind="pin", text=text, now=now)


@operation(verb="test.count")
def count(*, player: User, numbers: dict[int, int], now, by: User | None = None) -> dict[str, int]:
    Notice.objects.create(player=player, kind="count", text="counted", at=now)
    return {"sum": sum(numbers.values())}


@pytest.mark.smoke
def test_a_request_is_done_once_by_the_key_of_its_author_and_verb(north, south, now):
    floor, said = staff("floor"), {"player": north, "now": now, "key": "k"}
    made = pin(**said, by=floor, text="Seat 4 is open")
    assert pin(**said, by=floor, text=" Seat 4  is open") == made
    assert refused(Conflict, pin, **said, by=floor, text="Seat 5 is open").code == "key-used"
    access.grant_role(user=south, role="floor", by=None)
    elsewhere = pin(**said, by=floor, text="Seat 4 is open", board=2)
    theirs = pin(**said, by=south, text="Seat 4 is open")
    without = [pin(**said | {"key": ""}, by=floor, text="Seat 4 is open") for _ in range(2)]
    assert len({made, elsewhere, theirs, *without}) == 5
    made.delete()
    refused(Conflict, "deleted", pin, **said, by=floor, text="Seat 4 is open")


def test_a_refused_request_leaves_its_key_free_and_no_entry(north, now):
    floor, said = staff("floor"), {"player": north, "now": now, "key": "k"}
    refused(Invalid, pin, **said, by=floor, text="nothing")
    refused(Forbidden, pin, **said, by=north, text="Seat 4 is open")
    assert not Repeat.objects.exists()
    assert not StaffAction.objects.exists()
    assert pin(**said, by=floor, text="Seat 4 is open").text == "Seat 4 is open"
    access.take_role(user=floor, role="floor", by=None)
    refused(Forbidden, pin, **said, by=floor, text="Seat 4 is open")


def test_an_entry_says_what_was_asked_and_the_house_makes_none(north, now):
    floor = staff("floor")
    for _ in range(2):
        pin(player=north, by=floor, now=now, text="Seat 4 is open", board=3, reason="asked for", key="k")
    pin(player=north, by=None, now=now, text="Seat 5 is open")
    entry = StaffAction.objects.get()
    assert (entry.verb, entry.subject, entry.by, entry.player) == ("test.pin", "board:3", floor, north)
    assert (entry.reason, entry.details) == ("asked for", {"text": "Seat 4 is open", "board": 3})


def test_what_a_player_asks_by_themselves_is_done_once_by_their_own_key(north, south, now):
    said = {"numbers": {4: 100, 5: 20}, "now": now, "key": "k"}
    assert count(player=north, **said) == count(player=north, **said) == {"sum": 120}
    count(player=south, **said)
    assert Notice.objects.filter(kind="count").count() == 2


def test_a_key_that_was_used_is_refused_and_roles_are_called_in_the_readers_language(north, now, every_word_marked):
    assert [access.role_name(role) for role in access.ROLES] == [f"~{role}" for role in access.ROLES]
    assert access.role_name("guild") == "guild"
    asks = partial(count, player=north, now=now)
    asks(numbers={4: 100}, key="k")
    told = [
        refused(Conflict, asks, numbers={4: 20}, key="k").message,
        refused(Invalid, asks, numbers={4: 100}, key="k" * 61).message,
        refused(Invalid, command_name, north, "x" * 65).message,
    ]
    assert told == [
        "~This key belongs to another request: use a new one.",
        "~A key has at most 60 printable characters.",
        "~A command id has at most 64 characters.",
    ]


def asked_of(user, do, now):
    with transaction.atomic():
        return answer_once(by=user, verb="thing.make", key="k", asked={}, do=do, now=now)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_at_once_do_it_once(north, now):
    done = []
    ask = partial(asked_of, north, lambda: done.append("a") or len(done), now)
    assert (race(ask, ask), done) == ([1, 1], ["a"])


def test_where_no_answer_is_kept_the_same_key_does_it_again(north, now):
    done = []
    for _ in range(2):
        asked_of(north, lambda: done.append("a") or UNKEPT, now)
    assert (done, Repeat.objects.count()) == (["a", "a"], 0)


class TooWarm(Invalid):
    """A refusal of a kind that was made since, or of a kind of a kind."""


@operation(verb="test.measure")
def measure(*, player: User, degrees: int, now, by: User | None = None) -> None:
    kind = TooWarm if degrees > 30 else Conflict
    leave = partial(Notice.objects.create, player=player, kind="count", text="refused", at=now)
    raise after_refusal(kind("no", "No.", rule="Rule 1", degrees=degrees), leave, is_answer=degrees != 20)


@pytest.mark.parametrize(("degrees", "left"), [(40, 1), (10, 1), (20, 2)])
def test_a_refusal_that_is_an_answer_is_given_again_and_leaves_nothing_more(north, now, degrees, left):
    asked = {"player": north, "degrees": degrees, "now": now, "key": "k"}
    first, second = (refused(Refusal, measure, **asked) for _ in range(2))
    told = [(each.status, each.message, each.code, each.rule, each.values) for each in (first, second)]
    assert told[0] == told[1]
    assert isinstance(second, Conflict if degrees < 30 else Invalid)
    assert Notice.objects.count() == left


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_at_once_are_refused_once(north, now):
    asked = {"player": north, "degrees": 40, "now": now, "key": "k"}
    race(*[lambda: refused(Invalid, measure, **asked).code] * 2)
    assert Notice.objects.count() == 1


def test_a_command_name_has_its_owner(north):
    assert [command_name(whose, "x") for whose in (north, 3, None)] == [f"by{north.pk}:x", "3:x", "house:x"]
    assert command_name(north, "") == ""
    for wrong in ({"command_id": "x" * 65}, {"command_id": "", "is_required": True}):
        assert refused(Invalid, command_name, north, **wrong).code == "bad-command-id"


def test_a_role_is_held_from_its_grant_until_it_is_taken(north, south):
    assert set(Group.objects.values_list("name", flat=True)) >= set(access.ROLES)
    refused(Forbidden, "floor or manager", access.require_role, north, "floor", "manager")
    access.grant_role(user=north, role="floor", by=south)
    assert access.has_role(north, "manager", "floor")
    assert access.require_role(north, "floor", "manager") == north
    access.take_role(user=north, role="floor", by=south)
    assert not access.has_role(north, "floor")
    refused(ValueError, "shift-boss", access.has_role, north, "shift-boss")
    refused(Invalid, "shift-boss", access.grant_role, user=north, role="shift-boss", by=None)
    assert access.roles_of(User.objects.create_superuser("operator")) == set()
    access.grant_role(user=north, role="floor", by=None)
    north.is_active = False
    for who, why in ((north, "closed"), (AnonymousUser(), "Log in")):
        assert not access.has_role(who, "floor")
        refused(Forbidden, why, access.require_login, who)
