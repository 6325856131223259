"""What a player keeps about others. See `cardroom.core.web.operations`."""

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from rest_framework import serializers

from cardroom.accounts import player_marks
from cardroom.accounts.models import PlayerMark
from cardroom.core.errors import Refusal
from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Flag, Order, Text
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Context, Form, Operation, Page, Read
from games.tables.queries import tables as table_queries


def marks_for_page(user: Any) -> dict[str, dict[str, Any]]:
    """What they keep about others, by screen name, for the scripts of a table."""
    if not user.is_authenticated:
        return {}
    return {
        mark.about.username: {
            "note": mark.note, "colour": mark.colour, "is_friend": mark.is_friend, "is_muted": mark.is_muted
        }
        for mark in player_marks.marks_of(user)
    }  # fmt: skip


class PlayerMarkOut(Shape):
    """What you keep about a player; nobody else sees it."""

    of = PlayerMark
    shows = "player=about.username note colour is_friend is_muted at"
    says = {"is_muted": "Whether their lines in a chat are hidden from you."}
    colour = serializers.ChoiceField(PlayerMark.Colour.choices)


class Whereabouts(serializers.Serializer[Any]):
    table = serializers.IntegerField(source="table_id")
    name = serializers.CharField(source="table.name")


class KeptPlayer(PlayerMarkOut):
    """The same, and where they sit now: at tables that everybody may look at, or where you sit too."""

    shows = f"{PlayerMarkOut.shows} tables"
    tables = Whereabouts(many=True)


class PlayerMarkOrder(Order):
    """In place of what you kept before; nothing of it takes it away."""

    player = Text(max_length=150, help_text="A screen name.")
    note = Text(required=False, default="", allow_blank=True, max_length=player_marks.LONGEST_NOTE)
    colour = serializers.ChoiceField(PlayerMark.Colour.choices, required=False, default="", allow_blank=True)
    is_friend = Flag(required=False, default=False)
    is_muted = Flag(required=False, default=False, help_text="Hides their lines in the chat.")


def _kept(by: User) -> list[PlayerMark]:
    """Each with the seats, in `tables`, that they have now."""
    marks = player_marks.marks_of(by)
    seats = table_queries.seats_in_sight([mark.about_id for mark in marks], by)
    for mark in marks:
        mark.tables = seats.get(mark.about_id, [])  # type: ignore[attr-defined]
    return marks


def page(request: HttpRequest) -> Context:
    """The players one keeps something about, friends and who plays now first."""
    marks = _kept(request.user)
    marks.sort(key=lambda mark: (not mark.is_friend, not mark.tables))  # type: ignore[attr-defined]
    return {"marks": marks, "colours": PlayerMark.Colour.choices, "longest": player_marks.LONGEST_NOTE}


def _marked(request: HttpRequest, made: PlayerMark) -> HttpResponse:
    said = (
        gettext("Kept: {about}.").format(about=made.about)
        if made.pk
        else gettext("Nothing is kept about {about}.").format(about=made.about)
    )
    if not request.htmx:
        messages.success(request, said)
        return redirect("my_players")
    answer = HttpResponse(status=204)
    mark = {"player": made.about.username, "note": made.note, "colour": made.colour}
    mark |= {"is_friend": made.is_friend, "is_muted": made.is_muted}
    answer["HX-Trigger"] = json.dumps({"player-marked": mark, "toast": {"message": said}})
    return answer


def _page_again(request: HttpRequest, *, refusal: Refusal, typed: Any) -> HttpResponse:
    """A dialog asks for its own part: there a refusal is an answer."""
    if request.htmx:
        raise refusal
    return PLAYERS.drawn(request, refusal=refusal, typed=typed)


PLAYERS = Page("me/players/", "my_players", page, template="games/play/players.html", says_refusals=True)

DECLARED = [
    Read(name="my_players", summary="Players you keep something about", tag="me", address="me/players", out=KeptPlayer,
         many=True, finds=_kept),
    Operation(
        name="mark_player", summary="Keep a note, a colour or a friend", method="PUT", tag="me", address="me/players",
        does=player_marks.mark, order=PlayerMarkOrder, out=PlayerMarkOut, refuses=(404,),
        form=Form(PLAYERS.address, PLAYERS.name, PLAYERS, _marked, _page_again),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([PLAYERS], DECLARED)
