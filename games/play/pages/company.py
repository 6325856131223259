"""The notes, colours and friends that players keep about others: page and API."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from rest_framework import serializers

from cardroom.accounts import player_marks
from cardroom.accounts.models import PlayerMark
from cardroom.core.errors import Refusal
from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page, went_to
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.tables.queries import tables as table_queries


def marks_for_page(user: Any) -> dict[str, dict[str, Any]]:
    """The user's marks of other players, by screen name, for the scripts of a table."""
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
    field_names = "player=about.username note colour is_friend is_muted at"
    help_texts = {"is_muted": "Whether their lines in a chat are hidden from you."}
    colour = serializers.ChoiceField(PlayerMark.Colour.choices)


class Whereabouts(serializers.Serializer[Any]):
    table = serializers.IntegerField(source="table_id")
    name = serializers.CharField(source="table.name")


class KeptPlayer(PlayerMarkOut):
    """The same, and where they sit now: at tables that everybody may look at, or where you sit too."""

    field_names = f"{PlayerMarkOut.field_names} tables"
    tables = Whereabouts(many=True)


def marks_with_seats(*, by: User) -> list[PlayerMark]:
    """The user's marks of other players, each with their seats now (`tables`)."""
    marks = player_marks.marks_of(by)
    seats = table_queries.seats_in_sight([mark.about_id for mark in marks], by)
    for mark in marks:
        mark.tables = seats.get(mark.about_id, [])  # type: ignore[attr-defined]
    return marks


def page(request: HttpRequest) -> Context:
    """The players that the user has marked; friends come first, then those who play now."""
    marks = marks_with_seats(by=request.user)
    marks.sort(key=lambda mark: (not mark.is_friend, not mark.tables))  # type: ignore[attr-defined]
    return {"marks": marks, "colours": PlayerMark.Colour.choices, "longest": player_marks.LONGEST_NOTE}


PLAYERS = Page("me/players/", "my_players", page, template="games/play/players.html", says_refusals=True)


class MarkPlayerForm(PagePost):
    page, does = PLAYERS, player_marks.mark

    def done(self, request: HttpRequest, result: PlayerMark) -> HttpResponse:
        words = gettext("Nothing is kept about {about}.").format(about=result.about)
        if result.pk:
            words = gettext("Kept: {about}.").format(about=result.about)
        if not request.htmx:
            return went_to(request, words, PLAYERS.name)
        answer = HttpResponse(status=204)
        mark = {
            "player": result.about.username,
            "note": result.note,
            "colour": result.colour,
            "is_friend": result.is_friend,
            "is_muted": result.is_muted,
        }
        answer["HX-Trigger"] = json.dumps({"player-marked": mark, "toast": {"message": words}})
        return answer

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        """With htmx the form is a dialog, which shows the refusal itself."""
        if request.htmx:
            raise refusal
        return super().refused(request, refusal, **address)


class MarkedPlayersResource(Resource):
    path, tags = "me/players", ("me",)
    get = reads(
        marks_with_seats, name="my_players", summary="Players you keep something about", answers=KeptPlayer, many=True
    )
    put = does(
        player_marks.mark,
        name="mark_player",
        summary="Keep a note, a colour or a friend",
        answers=PlayerMarkOut,
        refuses=(404,),
    )


api = addresses([MarkedPlayersResource])
urlpatterns = page_urls([PLAYERS], forms=[MarkPlayerForm])
