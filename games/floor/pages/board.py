"""The board on the wall: games, free seats, names on the lists, jackpots and events that start soon."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from cardroom.core.web.parts import by_room_clock, part_of
from games.floor import board as wall


@never_cache
@xframe_options_sameorigin
@require_safe
@by_room_clock
def board(request: HttpRequest) -> HttpResponse:
    """The whole board, for everybody. `?screens=games,lists`: which of its screens, in turn; `?seconds=`: how long each
    of them is shown; `?where=room` or `online`: which games."""
    return render(request, "games/floor/board.html", _board(request))


@part_of("board")
@never_cache
@require_safe
@by_room_clock
def screens(request: HttpRequest) -> HttpResponse:
    """The screens only, which the board loads again when something changes."""
    return render(request, "games/floor/_board.html", _board(request))


def _board(request: HttpRequest) -> dict[str, object]:
    where = request.GET.get("where", "")
    screens = [name for name in request.GET.get("screens", "").split(",") if name in wall.SCREENS]
    seconds = request.GET.get("seconds", "")
    return {
        "board": wall.board(now=timezone.now(), where=where if where in wall.WHERE else ""),
        "screens": screens or list(wall.SCREENS),
        "seconds": min(120, max(4, int(seconds))) if seconds.isascii() and seconds.isdigit() and seconds else 12,
    }


urlpatterns = [path("board/", board, name="board"), path("board/screens/", screens, name="board_screens")]
