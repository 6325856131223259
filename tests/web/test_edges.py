"""The edges of a room: to whom a page is shown, which form of an address is meant, what its fields say, where it leads;
what an address of the API answers; and shapes, which are read off a dataclass or a model."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.forms import ValidationError
from django.http import HttpResponse, QueryDict
from django.test import RequestFactory
from django.urls import ResolverMatch
from rest_framework import serializers
from rest_framework.test import APIRequestFactory

from cardroom.core.arguments import Limits
from cardroom.core.errors import Conflict, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.web import parts
from cardroom.core.web.api.answers import PlainAnswer
from cardroom.core.web.api.fields import FlagField, RequestBody, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost, PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.resources import Resource, addresses, reads
from tests.support.models import FloorOrder, SeatMove
from tests.support.refusals import refused
from tournaments.directing.pages.levels import whole_numbers

#: The blanks that languages put between thousands.
THIN, HARD = "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"
PAGE = Page(
    "games/", "games", lambda request, **more: HttpResponse("the page", headers={"Refused": str(more.get("refusal"))})
)
SOMEBODY = User(pk=1, username="pia")


class SeatOrder(RequestBody):
    seat = WholeNumber(min_value=1, max_value=8)


class WishOrder(RequestBody):
    seats = serializers.ListField(child=WholeNumber(), required=False)
    is_quiet = FlagField(required=False)


class ListOrder(RequestBody):
    note = Text(required=False)
    wishes = WishOrder(required=False)


class Hundreds(WholeNumber):
    """On a page people write hundreds."""

    def said(self, words: str) -> int:
        return 100 * int(words or 1)


class PayOrder(RequestBody):
    amount = Hundreds()
    reason = Text(required=False, allow_blank=True)


class SplitOrder(RequestBody):
    to = serializers.ListField(child=WholeNumber())
    what = PayOrder()


class LampOrder(RequestBody):
    is_lit = FlagField(required=False)
    words = Text(required=False, allow_blank=True)
    until = serializers.DateTimeField(required=False, allow_null=True)


class SecretOrder(RequestBody):
    secret = Text(trim_whitespace=False)


def arguments_of(**arguments: Any) -> dict[str, Any]:
    """A service that answers with its arguments."""
    return {name: value for name, value in arguments.items() if name != "by"}


def seat(*, seat: Annotated[int, Limits(min_value=1, max_value=8)] = 1, by: User) -> dict[str, Any]:
    return {"seat": seat}


def leave(*, by: User) -> dict[str, Any]:
    return {}


def close(*, table_id: int, shift_id: int | None = None, by: User) -> dict[str, Any]:
    return {"table_id": table_id, "shift_id": shift_id}


def refuse(*, by: User) -> None:
    raise Conflict("closed", "The table is closed.")


def pay(*, amount: int, by: User, key: str = "") -> dict[str, Any]:
    return {"amount": amount, "key": key}


def light(*, lamp_id: int, is_lit: bool = False, until: datetime | None = None, by: User) -> str:
    return f"lamp {lamp_id}: {is_lit}"


class AnswerForm(PlainPost):
    """A form that answers with the result of its verb."""

    page = PAGE

    def done(self, request, result) -> HttpResponse:
        return HttpResponse(repr(result))


class SeatForm(AnswerForm):
    does, button, path, name = seat, "seat", "games/<slug:verb>/", "game"


class LastSeatForm(SeatForm):
    button = "last"

    def typed(self, form: QueryDict) -> QueryDict:
        form["seat"] = "8"
        return form


class LeaveForm(SeatForm):
    does, button = leave, "leave"


class CloseForm(AnswerForm):
    does, path, name = close, "close/", "close"


class RefusedForm(PagePost):
    page, does, path, name = PAGE, refuse, "sit/", "sit"


class PlainRefusedForm(PlainPost):
    page, does, path, name = PAGE, refuse, "sit/", "sit"


class JoinForm(AnswerForm):
    does, body, path, name = arguments_of, ListOrder, "join/", "join"


class LookForm(AnswerForm):
    does, button, path, name = leave, "look", "games/do/", "game"


class PayForm(LookForm):
    does, button, body, key_name, asks_factor = pay, "pay", PayOrder, "command_id", True


LAMPS = Page("rooms/<id:room_id>/", "room", lambda request, **address: HttpResponse(str(address)))
ME = Page("me/", "me", lambda request: HttpResponse("me"))


class LightForm(AnswerForm):
    page, does, path, name = LAMPS, light, "rooms/<id:room_id>/lamps/<id:lamp_id>/", "lamp"


class SayForm(PagePost):
    page, does, path, name, then = ME, light, "lamps/<id:lamp_id>/", "say_lamp", "{0} shines!"


def send(forms, name, data=None, *, user=SOMEBODY, pages=(PAGE,), **address):
    """What the page or form of this name answers; with the `words` that the next page says."""
    view = next(pattern.callback for pattern in page_urls(pages, forms) if pattern.name == name)
    request = RequestFactory().get("/") if data is None else RequestFactory().post("/", data)
    request.user, request.session = user, SessionStore()
    request._messages, request.resolver_match = FallbackStorage(request), ResolverMatch(view, (), address)
    answer = view(request, **address)
    answer.words = [str(message) for message in request._messages]
    return answer


def test_a_public_page_is_for_everybody_but_not_its_forms():
    nobody = AnonymousUser()
    public = Page("board/", "board", PAGE.show, is_public=True)

    class BoardForm(AnswerForm):
        page, does = public, leave

    assert send([], "games", user=nobody).status_code == 302
    for user in (nobody, SOMEBODY):
        assert send([BoardForm], "board", user=user, pages=[public]).content == b"the page"
    assert send([BoardForm], "board", {}, user=nobody, pages=[public]).status_code == 302
    assert send([BoardForm], "board", {}, pages=[public]).content == b"{}"


@pytest.mark.parametrize("where", ["address", "form"])
def test_several_forms_of_one_address_are_told_apart_by_their_button(where):
    def answer(word, **data):
        button, address = ({"verb": word}, {}) if where == "form" else ({}, {"verb": word})
        forms = [SeatForm, LastSeatForm, LeaveForm]
        return send(forms, "game", data | button, **address).content.decode()

    assert (answer("seat", seat="5"), answer("last", seat="5")) == ("{'seat': 5}", "{'seat': 8}")
    assert answer("leave", seat="5") == "{}"
    refused(NotFound, answer, "dance")


def test_a_field_stands_for_a_row_that_the_address_does_not_name():
    assert send([CloseForm], "close", {"table_id": "7"}).content == b"{'table_id': 7, 'shift_id': None}"
    assert send([CloseForm], "close", {"table": "7", "shift_id": "9"}).content == b"{'table_id': 7, 'shift_id': 9}"
    for wrong in ({}, {"table_id": "x"}, {"table_id": "7", "shift_id": "x"}):
        refused(Invalid, send, [CloseForm], "close", wrong)


def test_after_a_refusal_the_page_comes_again_or_a_plain_form_refuses():
    again = send([RefusedForm], "sit", {})
    assert (again.status_code, again.headers["Refused"]) == (409, "The table is closed.")
    with pytest.raises(Conflict):
        send([PlainRefusedForm], "sit", {})


def test_lists_and_fields_within_another_field_are_read_by_their_names():
    typed = {"note": "late", "seats": ["2", "3"], "is_quiet": "on"}
    assert send([JoinForm], "join", typed).content == b"{'note': 'late', 'wishes': {'seats': [2, 3], 'is_quiet': True}}"
    assert send([JoinForm], "join", {"note": "late"}).content == b"{'note': 'late'}"
    refused(Invalid, "Wishes", send, [JoinForm], "join", {"seats": ["window"]})


def test_each_kind_of_field_reads_its_text_and_refuses_a_wrong_number():
    for order, typed, taken in (
        (WishOrder, {"is_quiet": "no"}, {"is_quiet": False}),
        (WishOrder, {}, {}),
        (PayOrder, {"amount": "2", "reason": ""}, {"amount": 200, "reason": ""}),
        (PayOrder, {"amount": ""}, {"amount": 100}),
        (SplitOrder, QueryDict("to=1&to=2&amount=3"), {"to": [1, 2], "what": {"amount": 300}}),
        (SecretOrder, {"secret": " a "}, {"secret": " a "}),
        (LampOrder, {"until": ""}, {"until": None}),
    ):
        assert order.typed(typed) == taken, (order, typed)
    refused(Invalid, "Seat is a whole number", SeatOrder.typed, {"seat": "window"})


def test_an_address_asks_for_the_factor_where_one_of_its_forms_does():
    forms = [LookForm, PayForm]
    (view,) = (pattern.callback for pattern in page_urls([PAGE], forms) if pattern.name == "game")
    assert view.asks_factor
    paid = send(forms, "game", {"verb": "pay", "amount": "2", "command_id": "k"})
    assert paid.content == b"{'amount': 200, 'key': 'k'}"
    assert send(forms, "game", {"what": "look"}).content == b"{}"
    refused(NotFound, send, forms, "game", {"verb": "rob"})
    assert send(forms, "game", {"verb": "look"}, user=AnonymousUser()).status_code == 302, "to log in"


def test_an_unknown_button_shows_the_page_again():
    class RestForm(RefusedForm):
        button = "rest"

    again = send([RestForm], "sit", {"verb": "dance"})
    assert (again.status_code, again.headers["Refused"]) == (404, "There is no such action here.")
    assert "no-store" in again["Cache-Control"]


def test_an_answer_that_no_serializer_draws_is_drawn_as_it_says():
    class Sum(Resource):
        path, tags = "till/sum", ("till",)
        get = reads(lambda *, by: [1, 2], name="sum", summary="Sum", answers=PlainAnswer({}, sum), is_public=True)

    (pattern, _) = addresses([Sum])
    assert pattern.callback(APIRequestFactory().get("/")).data == 3


def test_a_form_takes_its_row_from_the_address_and_leads_to_a_page_that_says_so():
    answer = send([LightForm], "lamp", {"lamp": "4", "is_lit": "on"}, pages=[LAMPS], room_id=7, lamp_id=3)
    assert answer.content == b"'lamp 3: True'", "the field is not asked"
    answer = send([SayForm], "say_lamp", {}, pages=[ME], lamp_id=3)
    assert (answer.status_code, answer["Location"], answer.words) == (302, "/me/", ["lamp 3: False shines!"])
    at_lamp = {"pages": [LAMPS], "room_id": 7, "lamp_id": 3}
    refused(Invalid, "A moment is written", send, [LightForm], "lamp", {"until": "soon"}, **at_lamp)


def test_a_number_is_read_as_people_write_it_and_anything_else_refused():
    for number, written in (
        (0, ["0"]),
        (7, ["7"]),
        (1000, ["1000", "1,000", "1.000", f"1{THIN}000"]),
        (12_500, [" 12 500 "]),
        (1_234_567, [f"1{HARD}234{HARD}567"]),
        (12_345_678, ["12.345.678"]),
    ):
        assert [parts.whole_number(said) for said in written] == [number] * len(written)

    odd = ("\N{ARABIC-INDIC DIGIT SEVEN}", "\N{SUPERSCRIPT TWO}", "9" * 19, "x", "")
    for said in ("-1", "1.5", "1,50", "1.0000", "1.000,000", "1,", ",100", "1 2", "100,00", *odd):
        assert parts.whole_number_or_none(said) is None, said
        refused(Invalid, "How many", parts.whole_number, said, "How many?")


def test_a_field_of_a_form_reads_thousands_and_decimals_and_keeps_its_least_and_most():
    field = parts.WholeNumberField(min_value=10, max_value=20_000)
    assert [field.clean(said) for said in ("10.000", f"10{THIN}000", "10,000", 12)] == [10_000, 10_000, 10_000, 12]
    for wrong in ("1.5", "10.00", "9", "20.001", "ten"):
        refused(ValidationError, field.clean, wrong)
    assert field.widget.attrs == {"inputmode": "numeric"}
    decimals = parts.DecimalsField(decimal_places=2)
    assert decimals.clean("2,5") == decimals.clean("2.5") == Decimal("2.5")


def test_several_numbers_are_told_apart_and_one_that_may_be_two_is_refused():
    assert whole_numbers("25, 100,500 1.000") == [25, 100, 500, 1000]
    assert whole_numbers(f"25 1{HARD}000") == [25, 1000]
    assert whole_numbers("") == []
    assert whole_numbers("100, 1,000") is None


@dataclass(frozen=True)
class Lamp:
    name: str
    lit_at: datetime | None
    seats: tuple[int, ...]

    @property
    def is_lit(self) -> bool:
        return self.lit_at is not None


@dataclass(frozen=True)
class Room:
    lamp: Lamp | None
    number: int


class LampOut(Shape):
    of = Lamp
    field_names = "title=name is_lit lit_at seats"
    help_texts = {"title": "As it is called."}


class RoomOut(Shape):
    of = Room
    field_names = "number lamp_name=lamp.name lamp"
    lamp = LampOut(allow_null=True)
    more = serializers.SerializerMethodField()

    def get_more(self, room: Room) -> str:
        return "more"


class MoveOut(Shape):
    of = SeatMove
    field_names = "id table=table_id table_name=table.name at by=by_id"


class BrokenOut(Shape):
    of = FloorOrder
    field_names = "hand"


def test_a_dataclass_is_shown_with_its_properties_and_nullable_fields():
    lamp = Lamp("Lamp", None, (1, 2))
    assert LampOut(lamp).data == {"title": "Lamp", "is_lit": False, "lit_at": None, "seats": [1, 2]}
    title, lit_at = LampOut().fields["title"], LampOut().fields["lit_at"]
    assert (title.help_text, title.allow_null, lit_at.allow_null) == ("As it is called.", False, True)
    assert list(RoomOut().fields) == ["number", "lamp_name", "lamp", "more"]
    assert RoomOut(Room(None, 3)).data == {"number": 3, "lamp_name": None, "lamp": None, "more": "more"}
    assert RoomOut(Room(lamp, 3)).data["lamp_name"] == "Lamp"


def test_a_model_shows_nullable_columns_and_other_types_must_be_declared():
    fields = MoveOut().fields
    kinds = {"id": "IntegerField", "table": "IntegerField", "table_name": "CharField", "at": "DateTimeField"}
    assert {name: type(field).__name__ for name, field in fields.items()} == kinds | {"by": "IntegerField"}
    assert [name for name, field in fields.items() if field.allow_null] == ["by"]
    with pytest.raises(KeyError):
        BrokenOut().fields  # noqa: B018  it is looked at, which makes it
