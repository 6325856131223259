"""The board on the wall: games, free seats, names on the lists, jackpots and events that start soon."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import path
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from cardroom.core import topics
from cardroom.core.web import shared
from cardroom.core.web.parts import by_room_clock, part_of
from games.floor import board as wall

#: What changes it.
_TOPICS = ("board", "jackpots", "lists", "lobby", "tournaments")


@xframe_options_sameorigin
@require_safe
@by_room_clock
def board(request: HttpRequest) -> HttpResponse:
    """The whole board, for everybody. `?screens=games,lists`: which of its screens, in turn; `?seconds=`: how long each
    of them is shown; `?where=room` or `online`: which games."""

    def render() -> shared.PagePart:
        shown = _board(request)
        drawn = _screens(shown)
        page = {"csrf_token": shared.TOKEN, "drawn": drawn.mark, "seconds": shown["seconds"]}
        return shared.PagePart(render_to_string("games/floor/board.html", page, request), [drawn])

    return shared.answer(request, shared.page(request, topics=_TOPICS, render=render))


@part_of("board")
@require_safe
@by_room_clock
def screens(request: HttpRequest) -> HttpResponse:
    """The screens only, which the board loads again when something changes."""
    return shared.answer(request, _screens(_board(request)), is_alike=True)


def _screens(shown: dict[str, Any]) -> shared.PagePart:
    """What all boards of the same screens and games share."""

    def render() -> shared.PagePart:
        board = wall.board(now=timezone.now(), where=shown["where"])
        return shared.PagePart(render_to_string("games/floor/_board.html", shown | {"board": board}))

    return shared.once("board", shown["where"], *shown["screens"], version=topics.version(*_TOPICS), render=render)


def _board(request: HttpRequest) -> dict[str, Any]:
    where = request.GET.get("where", "")
    screens = [name for name in request.GET.get("screens", "").split(",") if name in wall.SCREENS]
    seconds = request.GET.get("seconds", "")
    return {
        "where": where if where in wall.WHERE else "",
        "screens": list(dict.fromkeys(screens)) or list(wall.SCREENS),
        "seconds": min(120, max(4, int(seconds))) if seconds.isascii() and seconds.isdigit() and seconds else 12,
    }


urlpatterns = [path("board/", board, name="board"), path("board/screens/", screens, name="board_screens")]
