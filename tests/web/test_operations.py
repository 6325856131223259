"""A verb that is declared once: what its forms on pages send, and where they lead."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import ResolverMatch
from rest_framework import serializers

from cardroom.core.errors import Invalid
from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Flag, Order, Text
from cardroom.core.web.operations import Form, Operation, Page


class LampOrder(Order):
    is_lit = Flag(required=False)
    words = Text(required=False, allow_blank=True)
    until = serializers.DateTimeField(required=False, allow_null=True)


class PaintOrder(Order):
    lamp = serializers.IntegerField(source="lamp_id")


class SecretOrder(Order):
    secret = Text(trim_whitespace=False)


def _page(request: Any, *, refusal: Any = None, typed: Any = None, **address: Any) -> HttpResponse:
    return HttpResponse(f"{address} {refusal}")


def _done(request: Any, made: Any) -> HttpResponse:
    return HttpResponse(f"done {made}")


LAMPS = Page("rooms/<id:room_id>/", "room", _page)
_ROOM = {"address": "rooms/<id:room_id>/do/", "name": "room_do", "page": LAMPS, "then": _done}


def _does(what: str) -> Any:
    return lambda by, **asked: [what, asked]


DECLARED = [
    Operation(
        name="light", summary="", address="lamps/<id:lamp_id>", tag="", does=_does("light"), order=LampOrder,
        form=(
            Form(**_ROOM, verbs={"light": {}}, hidden={"lamp_id": "Choose one."}, shown=("room_id",),
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
VIEWS = {pattern.name: pattern.callback for pattern in of.pages([LAMPS], DECLARED)}


def send(view: str, sent: dict[str, str], user: Any = None, **address: Any) -> HttpResponse:
    """What the form's address answers; with the `words` that the next page says."""
    request = RequestFactory().post("/", sent)
    request.user = user or User(pk=1)
    request.session = SessionStore()
    request._messages = FallbackStorage(request)
    request.resolver_match = ResolverMatch(VIEWS[view], (), address)
    answer = VIEWS[view](request, **address)
    answer.words = [str(each) for each in request._messages]
    return answer


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ({"what": "light", "lamp_id": "3"}, "done ['light', {'is_lit': False, 'lamp_id': 3}]"),
        ({"what": "light", "lamp_id": "3", "is_lit": "on", "words": " "},
         "done ['light', {'is_lit': True, 'words': '', 'lamp_id': 3}]"),
        ({"what": "light", "lamp_id": "0"}, "{'room_id': 7} Say which."),
        ({"what": "light", "lamp_id": "3", "until": "soon"}, "{'room_id': 7} A moment is written 2030-01-31T20:00."),
        ({"what": "clear", "kind": "old-ones"}, "done ['clear', {'room_id': 7, 'kind': 'old-ones'}]"),
        ({"what": "clear", "kind": "../all"}, "{'room_id': 7} Say what."),
        ({"lamp_id": "3"}, "{'room_id': 7} There is no such action here."),
    ],
)  # fmt: skip
def test_forms_of_one_address_are_told_apart_by_what_and_fields_stand_for_parts_of_the_resources_address(sent, answer):
    given = send("room_do", sent, room_id=7)
    assert given.content.decode() == answer
    assert given.status_code == (200 if answer.startswith("done") else 404 if "no such action" in answer else 400)
    assert "no-store" in given["Cache-Control"]


def test_the_address_says_what_it_is_about_whatever_a_field_says():
    assert send("lamp_paint", {"lamp": "4"}, lamp_id=3).content.decode() == "done ['paint', {'lamp_id': 3}]"


def test_a_verb_has_forms_on_several_pages_and_goes_on_to_a_page_that_says_what_was_done():
    given = send("lamps", {"lamp_id": "3"})
    assert (given.status_code, given["Location"], given.words) == (302, "/me/", ["light!"])


def test_an_address_asks_for_the_second_factor_where_one_of_its_verbs_does():
    assert {name for name, view in VIEWS.items() if getattr(view, "asks_factor", False)} == {"room_do"}
    assert send("room_do", {"what": "clear"}, AnonymousUser(), room_id=7).status_code == 302, "to log in"


def test_a_form_may_keep_spaces_and_says_a_moment_in_words():
    assert SecretOrder.typed({"secret": " a "}) == {"secret": " a "}
    assert LampOrder.typed({"until": ""}) == {"until": None}
    with pytest.raises(Invalid, match="A moment is written"):
        LampOrder.typed({"until": "soon"})
