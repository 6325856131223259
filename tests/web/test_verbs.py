"""A room declares its verbs, with pages and forms: who may look, which verb, fields and numbers a form means, where it
leads; and shapes, which say of what they show what a dataclass or a model says of it."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial

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

from cardroom.core.errors import Conflict, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web import parts
from cardroom.core.web.api.fields import FlagField, RequestBody, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Form, Operation, Page, Read, Told
from tests.support.models import FloorOrder, SeatMove
from tests.support.refusals import refused
from tournaments.directing.pages.levels import numbers

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


class PaintOrder(RequestBody):
    lamp = serializers.IntegerField(source="lamp_id")


class SecretOrder(RequestBody):
    secret = Text(trim_whitespace=False)


def verb(form: Form | tuple[Form, ...] = (), **more) -> Operation:
    """A verb that answers what it was asked."""
    return Operation(
        name="verb", summary="", address="verbs", tag="verbs", **{"does": lambda **asked: asked, "form": form} | more
    )


def shown(request, made) -> HttpResponse:
    made.pop("by", None)
    return HttpResponse(repr(made))


def send(declared, name, data=None, *, user=SOMEBODY, pages=(PAGE,), **address):
    """What the page or form of this name answers; with the `words` that the next page says."""
    view = next(each.callback for each in of.pages(pages, declared) if each.name == name)
    request = RequestFactory().get("/") if data is None else RequestFactory().post("/", data)
    request.user, request.session = user, SessionStore()
    request._messages, request.resolver_match = FallbackStorage(request), ResolverMatch(view, (), address)
    answer = view(request, **address)
    answer.words = [str(each) for each in request._messages]
    return answer


ADDRESS = partial(Form, "games/<slug:verb>/", "game", PAGE, shown, of.refused)


def test_a_page_is_for_who_is_logged_in_and_a_public_one_for_everybody_but_not_its_forms():
    nobody = AnonymousUser()
    public = Page("board/", "board", PAGE.show, is_public=True)
    form = Form("board/", "board", public, shown)
    assert send([], "games", user=nobody).status_code == 302
    for user in (nobody, SOMEBODY):
        assert send([verb(form)], "board", user=user, pages=[public]).content == b"the page"
    assert send([verb(form)], "board", {}, user=nobody, pages=[public]).status_code == 302
    assert send([verb(form)], "board", {}, pages=[public]).content == b"{}"


@pytest.mark.parametrize("where", ["address", "form"])
def test_several_forms_of_one_address_are_told_apart_by_their_verb_which_may_say_a_field_by_itself(where):
    seat = verb(
        (ADDRESS(verbs={"first": {"seat": "1"}, "last": {"seat": "8"}}), ADDRESS(verbs={"any": {}})), order=SeatOrder
    )
    leave = verb(ADDRESS(verbs={"leave": {}}))

    def answer(word, **data):
        said, address = ({"verb": word}, {}) if where == "form" else ({}, {"verb": word})
        return send([seat, leave], "game", data | said, **address).content.decode()

    assert answer("first") == answer("first", seat="5") == "{'seat': 1}"
    assert (answer("last"), answer("any", seat="5")) == ("{'seat': 8}", "{'seat': 5}")
    assert answer("leave", seat="5") == "{}"
    refused(NotFound, answer, "dance")


def test_a_number_hidden_in_a_form_is_one_and_may_be_left_out_only_where_the_service_does_without_it():
    form = Form("close/", "close", PAGE, shown, of.refused, hidden={"table_id": "Say at which table.", "shift_id": ""})
    assert send([verb(form)], "close", {"table_id": "7"}).content == b"{'table_id': 7}"
    assert send([verb(form)], "close", {"table_id": "7", "shift_id": "9"}).content == b"{'table_id': 7, 'shift_id': 9}"
    for wrong in ({}, {"table_id": "x"}, {"table_id": "7", "shift_id": "x"}):
        refused(Invalid, send, [verb(form)], "close", wrong)


def test_after_a_refusal_the_page_comes_again_or_where_a_form_says_so_the_refusal_by_itself():
    def refuse(**asked):
        raise Conflict("closed", "The table is closed.")

    again = send([verb(Form("sit/", "sit", PAGE, shown), does=refuse)], "sit", {})
    assert (again.status_code, again.headers["Refused"]) == (409, "The table is closed.")
    with pytest.raises(Conflict):
        send([verb(Form("sit/", "sit", PAGE, shown, of.refused), does=refuse)], "sit", {})


def test_a_form_says_lists_and_what_lies_within_another_field_by_their_names_and_may_ask_otherwise_than_programs():
    declared = [verb(ADDRESS(verbs={"any": {}}, order=SeatOrder), order=ListOrder)]
    assert send(declared, "game", {"verb": "any", "seat": "3"}).content == b"{'seat': 3}"
    form = verb(Form("join/", "join", PAGE, shown, of.refused), order=ListOrder)
    typed = {"note": "late", "seats": ["2", "3"], "is_quiet": "on"}
    assert send([form], "join", typed).content == b"{'note': 'late', 'wishes': {'seats': [2, 3], 'is_quiet': True}}"
    assert send([form], "join", {"note": "late"}).content == b"{'note': 'late'}"
    refused(Invalid, "Wishes", send, [form], "join", {"seats": ["window"]})


def test_each_kind_of_field_takes_its_words_in_a_way_of_its_own_and_a_number_that_is_none_is_called_so():
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


def test_an_address_asks_for_the_factor_where_one_of_its_verbs_does():
    till = partial(Form, "games/do/", "game", PAGE, lambda request, made: HttpResponse(repr(made)))
    pay = verb(till(verbs={"pay": {}}), order=PayOrder, keyed=True, key_name="command_id", asks_factor=True)
    declared = [verb(till(verbs={"look": {}})), pay]
    (view,) = (each.callback for each in of.pages([PAGE], declared) if each.name == "game")
    assert view.asks_factor
    paid = send(declared, "game", {"verb": "pay", "amount": "2", "command_id": "k"})
    assert "'by': <User: pia>, 'command_id': 'k'" in paid.content.decode()
    assert send(declared, "game", {"verb": "look"}).content == b"{'by': <User: pia>}"
    assert send(declared, "game", {"verb": "rob"}).content == b"the page", "the page comes again"


def test_what_no_serializer_draws_is_told_as_it_says():
    given = {"name": "sum", "summary": "Sum", "address": "till/sum", "tag": "till", "is_public": True}
    (pattern, _) = of.resources([Read(finds=lambda by: [1, 2], out=Told({"type": "integer"}, sum), **given)])
    assert pattern.callback(APIRequestFactory().get("/")).data == 3


def _done(request, made) -> HttpResponse:
    return HttpResponse(f"done {made}")


def _does(what):
    return lambda by, **asked: [what, asked]


LAMPS = Page(
    "rooms/<id:room_id>/", "room", lambda request, refusal=None, typed=None, **at: HttpResponse(f"{at} {refusal}")
)
_ROOM = {"address": "rooms/<id:room_id>/do/", "name": "room_do", "page": LAMPS, "then": _done}
DECLARED = [
    Operation(
        name="light", summary="", address="lamps/<id:lamp_id>", tag="", does=_does("light"), order=LampOrder,
        form=(
            Form(**_ROOM, verbs={"light": {}}, hidden={"lamp_id": "Choose a lamp."}, shown=("room_id",),
                 unsaid={"is_lit": "no"}),
            Form("lamps/", "lamps", LAMPS, of.said("{0[0]}!", "me"), hidden={"lamp_id": ""}),
        ),
    ),
    Operation(
        name="clear", summary="", address="rooms/<id:room_id>/<slug:kind>", tag="", does=_does("clear"),
        method="DELETE", asks_factor=True, form=Form(**_ROOM, verbs={"clear": {}}, hidden={"kind": "Say what."}),
    ),
    Operation(
        name="paint", summary="", address="paint", tag="", does=_does("paint"), order=PaintOrder,
        form=Form("lamps/<id:lamp_id>/paint/", "lamp_paint", LAMPS, _done),
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ({"what": "light", "lamp_id": "3"}, "done ['light', {'is_lit': False, 'lamp_id': 3}]"),
        ({"what": "light", "lamp_id": "3", "is_lit": "on", "words": " "},
         "done ['light', {'is_lit': True, 'words': '', 'lamp_id': 3}]"),
        ({"what": "light", "lamp_id": "0"}, "{'room_id': 7} Choose a lamp."),
        ({"what": "light", "lamp_id": "3", "until": "soon"}, "{'room_id': 7} A moment is written 2030-01-31T20:00."),
        ({"what": "clear", "kind": "old-ones"}, "done ['clear', {'room_id': 7, 'kind': 'old-ones'}]"),
        ({"what": "clear", "kind": "../all"}, "{'room_id': 7} Say what."),
        ({"lamp_id": "3"}, "{'room_id': 7} There is no such action here."),
    ],
)  # fmt: skip
def test_forms_of_one_address_are_told_apart_by_what_and_fields_stand_for_parts_of_the_resources_address(sent, answer):
    given = send(DECLARED, "room_do", sent, pages=[LAMPS], room_id=7)
    assert given.content.decode() == answer
    assert given.status_code == (200 if answer.startswith("done") else 404 if "no such action" in answer else 400)
    assert "no-store" in given["Cache-Control"]


def test_a_verb_has_forms_on_several_pages_whose_address_says_what_it_is_about_and_goes_on_to_one_that_says_so():
    given = send(DECLARED, "lamp_paint", {"lamp": "4"}, pages=[LAMPS], lamp_id=3)
    assert given.content == b"done ['paint', {'lamp_id': 3}]", "whatever a field says"
    given = send(DECLARED, "lamps", {"lamp_id": "3"}, pages=[LAMPS])
    assert (given.status_code, given["Location"], given.words) == (302, "/me/", ["light!"])


def test_an_address_asks_for_the_second_factor_where_one_of_its_verbs_does():
    views = {each.name: each.callback for each in of.pages([LAMPS], DECLARED)}
    assert {name for name, view in views.items() if getattr(view, "asks_factor", False)} == {"room_do"}
    answer = send(DECLARED, "room_do", {"what": "clear"}, user=AnonymousUser(), pages=[LAMPS], room_id=7)
    assert answer.status_code == 302, "to log in"


def test_a_number_is_read_as_people_write_it_and_anything_else_refused():
    for number, written in (
        (0, ["0"]),
        (7, ["7"]),
        (1000, ["1000", "1,000", "1.000", f"1{THIN}000"]),
        (12_500, [" 12 500 "]),
        (1_234_567, [f"1{HARD}234{HARD}567"]),
        (12_345_678, ["12.345.678"]),
    ):
        assert [parts.whole(said) for said in written] == [number] * len(written)

    odd = ("\N{ARABIC-INDIC DIGIT SEVEN}", "\N{SUPERSCRIPT TWO}", "9" * 19, "x", "")
    for said in ("-1", "1.5", "1,50", "1.0000", "1.000,000", "1,", ",100", "1 2", "100,00", *odd):
        assert parts.whole_or_none(said) is None, said
        refused(Invalid, "How many", parts.whole, said, "How many?")


def test_a_field_of_a_form_reads_thousands_and_decimals_and_keeps_its_least_and_most():
    field = parts.WholeNumberField(min_value=10, max_value=20_000)
    assert [field.clean(said) for said in ("10.000", f"10{THIN}000", "10,000", 12)] == [10_000, 10_000, 10_000, 12]
    for wrong in ("1.5", "10.00", "9", "20.001", "ten"):
        refused(ValidationError, field.clean, wrong)
    assert field.widget.attrs == {"inputmode": "numeric"}
    decimals = parts.DecimalsField(decimal_places=2)
    assert decimals.clean("2,5") == decimals.clean("2.5") == Decimal("2.5")


def test_several_numbers_are_told_apart_and_one_that_may_be_two_is_refused():
    assert numbers("25, 100,500 1.000") == [25, 100, 500, 1000]
    assert numbers(f"25 1{HARD}000") == [25, 1000]
    assert numbers("") == []
    assert numbers("100, 1,000") is None


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


def test_a_dataclass_is_shown_with_its_properties_and_what_may_be_none_each_as_declared_where_it_is_named():
    lamp = Lamp("Lamp", None, (1, 2))
    assert LampOut(lamp).data == {"title": "Lamp", "is_lit": False, "lit_at": None, "seats": [1, 2]}
    title, lit_at = LampOut().fields["title"], LampOut().fields["lit_at"]
    assert (title.help_text, title.allow_null, lit_at.allow_null) == ("As it is called.", False, True)
    assert list(RoomOut().fields) == ["number", "lamp_name", "lamp", "more"]
    assert RoomOut(Room(None, 3)).data == {"number": 3, "lamp_name": None, "lamp": None, "more": "more"}
    assert RoomOut(Room(lamp, 3)).data["lamp_name"] == "Lamp"


def test_a_model_says_which_of_its_columns_may_be_null_and_what_it_cannot_show_has_to_be_declared():
    fields = MoveOut().fields
    kinds = {"id": "IntegerField", "table": "IntegerField", "table_name": "CharField", "at": "DateTimeField"}
    assert {name: type(field).__name__ for name, field in fields.items()} == kinds | {"by": "IntegerField"}
    assert [name for name, field in fields.items() if field.allow_null] == ["by"]
    with pytest.raises(KeyError):
        BrokenOut().fields  # noqa: B018  it is looked at, which makes it
