"""The board on the wall: games, tables, free seats, names on the lists, jackpots and what is about to start."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from cardroom.web.parts import part_of
from games.selectors import wall


@never_cache
@xframe_options_sameorigin
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The whole board; anybody may look. `?screens=games,lists`: which of its screens, in turn; `?seconds=`: how long
    each of them; `?where=room` or `online`: which games."""
    return render(request, "games/board.html", _context(request))


@part_of("board")
@never_cache
@require_safe
def screens(request: HttpRequest) -> HttpResponse:
    """What is on the screens, for the board to keep itself up to date with."""
    return render(request, "games/_board.html", _context(request))


def _context(request: HttpRequest) -> dict[str, object]:
    where = request.GET.get("where", "")
    asked = [name for name in request.GET.get("screens", "").split(",") if name in wall.SCREENS]
    seconds = request.GET.get("seconds", "")
    return {
        "board": wall.board(now=timezone.now(), where=where if where in wall.WHERE else ""),
        "screens": asked or list(wall.SCREENS),
        "seconds": min(120, max(4, int(seconds))) if seconds.isascii() and seconds.isdigit() and seconds else 12,
    }
