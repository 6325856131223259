"""The lobby: the tables by games on offer, as players see them."""

from math import log
from secrets import token_urlsafe
from threading import Lock
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from cardroom.accounts import welcome
from cardroom.core.sentences import localized_numbers
from cardroom.core.web.parts import part_of, whole_number_or_none
from cardroom.office import chat
from games.clubs import queries as club_queries
from games.floor import lobby as lobby_queries
from games.floor import queries
from games.play import home_games
from games.rake import queries as rake_queries
from games.tables.queries import tables as table_queries

#: One request at a time draws the lobby; those that wait find nearly all of it in the cache.
_drawing = Lock()


#: The settings of the lobby that a browser keeps in cookies, with their choices.
_KEPT = {"sort": ("", *lobby_queries.SORTS), "view": ("list", "grid")}
_KEPT_SECONDS = 365 * 24 * 3600
#: The titles of the sorts, in the order in which they are offered.
_SORTS = [
    ("", gettext_lazy("As offered")), ("stakes", gettext_lazy("By stakes")), ("players",
    gettext_lazy("Most players")), ("seats", gettext_lazy("Most free seats")),
    ("pace", gettext_lazy("Most hands an hour")), ("pot", gettext_lazy("Largest average pot")), ("name",
    gettext_lazy("By name")),
]  # fmt: skip
#: Bots at a table that a player opens because no other has a seat.
_BOTS = 4


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    beside = {"chat": chat.panel(request), "jackpots": rake_queries.rows(), "sorts": _SORTS}
    context = _lobby(request)
    page = render(request, "games/floor/lobby.html", context | beside | {"tables": _tables(request, context)})
    return _remembered(request, page)


@login_required
@require_safe
def quick_seat(request: HttpRequest) -> HttpResponse:
    """Go to a table with a free seat for this game (`?game=razz&stakes=5/10`), where the page asks for the buy-in; or
    show the alternatives."""
    small = whole_number_or_none(request.GET.get("stakes", "").partition("/")[0]) or 0
    game = request.GET.get("game", "")[:60]
    table = table_queries.quick_seat(request.user, game=game, small_bet=small, now=timezone.now())
    if table is not None:
        return redirect(f"{reverse('table', args=[table.pk])}#sit")
    return render(request, "games/floor/quick_seat.html", _alternatives(request, game, small))


def _alternatives(request: HttpRequest, game: str, small: int) -> dict[str, Any]:
    """Where no seat is free: the lists to join, those of the nearest stakes first, and the table with bots to open."""
    wanted = lobby_queries.LobbyFilter(game=game if game in home_games.CHOICES else "", where=lobby_queries.ONLINE)
    lobby = lobby_queries.room_lobby(viewer=request.user, wanted=wanted, now=timezone.now())

    def distance(small_bet: int) -> float:
        return abs(log(max(1, small_bet) / small)) if small else 0

    with_offer = (group for group in lobby.groups if group.offer)
    groups = sorted(with_offer, key=lambda group: distance(group.offer.small_bet))
    stakes = min(home_games.STAKES, key=lambda name: distance(home_games.STAKES[name].small_bet))
    home = {"game": wanted.game or next(iter(home_games.CHOICES)), "stakes": stakes}
    return {
        "groups": groups[:3], "free": lobby.free, "wanted": wanted,
        "stakes": localized_numbers(request.GET.get("stakes", "")[:24]),
        "wallet": welcome.spendable_by(request.user), "key": token_urlsafe(12), "bots": _BOTS,
        "home": home if _may_open(request) else None,
    }  # fmt: skip


def _may_open(request: HttpRequest) -> bool:
    return home_games.are_on() and home_games.hosted(request.user).count() < home_games.MOST


@part_of("lobby")
@require_safe
def lobby_tables(request: HttpRequest) -> HttpResponse:
    """The tables only, which the lobby loads again when something changes."""
    return _remembered(request, HttpResponse(_tables(request, _lobby(request))))


@part_of("table", "table_id")
@require_safe
def preview(request: HttpRequest, table_id: int) -> HttpResponse:
    """A table in the lobby: its players, and what spectators see of its hand."""
    table = queries.preview(table_id=table_id, viewer=request.user)
    for seat in table["seats"]:
        seat |= table["seen"].get(seat["number"], {}) if seat["in_hand"] else {}
        seat["cards"] = [(card[:-1].replace("T", "10"), card[-1]) for card in seat.get("upcards", []) if card]
    return render(request, "games/floor/_preview.html", {"table": table})


def _tables(request: HttpRequest, context: dict[str, Any]) -> SafeString:
    with _drawing:
        return render_to_string("games/floor/_tables.html", context, request)


def _lobby(request: HttpRequest) -> dict[str, Any]:
    texts = {name: request.GET.get(name, "")[:60] for name in ("game", "structure", "stakes", "where", "name")}
    flags = {name: bool(request.GET.get(name)) for name in ("has_seat", "starred")}
    shown = {name: _kept(request, name) for name in _KEPT}
    wanted = lobby_queries.LobbyFilter(**texts, **flags, sort=shown["sort"])
    games = home_games.games_for(request.user) if request.user.is_authenticated and home_games.are_on() else []
    lobby = lobby_queries.room_lobby(viewer=request.user, wanted=wanted, now=timezone.now())
    seats = {seat.table_id for seat in lobby.mine}
    games = [game for game in games if game.table_id not in seats]  # a seat there is in the list already
    mine = club_queries.tables_for(request.user) if request.user.is_authenticated else []
    return {"lobby": lobby, "view": shown["view"], "home_games": games, "clubs": mine}


def _kept(request: HttpRequest, name: str) -> str:
    """What the address asks for, else what this browser asked for before."""
    choice = request.GET.get(name, request.COOKIES.get(f"lobby-{name}", ""))
    return choice if choice in _KEPT[name] else _KEPT[name][0]


def _remembered(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    for name in _KEPT:
        if name in request.GET:
            kept = _kept(request, name)
            answer.set_cookie(f"lobby-{name}", kept, max_age=_KEPT_SECONDS, samesite="Lax", httponly=True)
    return answer


urlpatterns = [
    path("", lobby, name="lobby"),
    path("quick-seat/", quick_seat, name="quick_seat"),
    path("lobby/", lobby_tables, name="lobby_tables"),
    path("lobby/tables/<int:table_id>/", preview, name="table_preview"),
]
