"""The lobby: the tables by games on offer, as players see them."""

from math import log
from secrets import token_urlsafe
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from cardroom.accounts import welcome
from cardroom.accounts.pages import navigation
from cardroom.core import topics
from cardroom.core.sentences import localized_numbers
from cardroom.core.web import shared
from cardroom.core.web.parts import part_of, whole_number_or_none
from cardroom.office import chat
from games.clubs import queries as club_queries
from games.floor import lobby as lobby_queries
from games.floor import queries
from games.play import home_games
from games.rake import queries as rake_queries
from games.tables.queries import tables as table_queries

#: What changes the lobby, and what else stands beside it on its page.
_OF_TABLES = ("lists", "lobby", "tournaments")
_OF_THE_PAGE = (*_OF_TABLES, "chat", "jackpots")

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
    """The page; those of whom nothing is known share it whole."""
    kept = [_lobby_choice(request, name) for name in _KEPT]
    page = shared.page(request, *kept, topics=_OF_THE_PAGE, render=lambda: _page(request))
    return _remember_choices(request, shared.answer(request, page))


def _page(request: HttpRequest) -> shared.PagePart:
    context = _lobby(request)
    tables = _tables(request, context)
    beside = {"chat": chat.panel(request), "jackpots": rake_queries.rows(), "sorts": _SORTS}
    beside |= {"tables": tables.mark, "csrf_token": shared.TOKEN}
    return shared.PagePart(render_to_string("games/floor/lobby.html", context | beside, request), [tables])


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
    return home_games.are_on() and home_games.games_hosted_by(request.user).count() < home_games.MOST


@part_of("lobby")
@require_safe
def lobby_tables(request: HttpRequest) -> HttpResponse:
    """The tables only, which the lobby loads again when something changes."""
    context = _lobby(request)
    return _remember_choices(request, shared.answer(request, _tables(request, context), is_alike=True))


@part_of("table", "table_id")
@require_safe
def preview(request: HttpRequest, table_id: int) -> HttpResponse:
    """A table in the lobby: its players, and what spectators see of its hand."""
    table = queries.preview(table_id=table_id, viewer=request.user)
    for seat in table["seats"]:
        seat |= table["seen"].get(seat["number"], {}) if seat["in_hand"] else {}
        seat["cards"] = [(card[:-1].replace("T", "10"), card[-1]) for card in seat.get("upcards", []) if card]
    return render(request, "games/floor/_preview.html", {"table": table})


def _tables(request: HttpRequest, context: dict[str, Any]) -> shared.PagePart:
    """What is the reader's own, and all that is offered, which those share who have nothing of their own there."""
    offered = _games_of(context)
    if not context["is_in"]:
        return offered
    mine = render_to_string("games/floor/_mine.html", context | {"user": request.user})
    return shared.PagePart(mine + offered.mark, [offered])


def _games_of(context: dict[str, Any]) -> shared.PagePart:
    games, view, is_in, deals = (context[name] for name in ("lobby", "view", "is_in", "deals"))
    is_kept = bool(games.version) and not games.wanted.name

    def drawn(group: lobby_queries.Group) -> shared.PagePart:
        is_only = len(games.groups) == 1
        whose = {"stars": games.stars["table"], "seats": games.my_tables}

        def render() -> shared.PagePart:
            shown = whose | {"group": group, "is_only": is_only, "is_in": is_in, "deals": deals}
            return shared.PagePart(render_to_string("games/floor/_tables_group.html", shown))

        # All that it shows is in the key: it is good as long as that is wanted.
        key = group.content if is_kept else "", group.whose, is_only, is_in, deals
        return shared.once("lobby-group", *key, version="" if is_kept else None, render=render)

    def render() -> shared.PagePart:
        groups = [drawn(group) for group in games.groups]
        shown = {"lobby": games, "view": view, "groups": [group.mark for group in groups]}
        return shared.PagePart(render_to_string("games/floor/_offered.html", shown), groups)

    if not is_kept or games.wanted.starred or any(group.is_own for group in games.groups):
        return render()
    version = topics.version(*_OF_TABLES)
    return shared.once("lobby-tables", games.wanted, view, is_in, deals, version=version, render=render)


def _lobby(request: HttpRequest) -> dict[str, Any]:
    texts = {name: request.GET.get(name, "")[:60] for name in ("game", "structure", "stakes", "where", "name")}
    flags = {name: bool(request.GET.get(name)) for name in ("has_seat", "starred")}
    shown = {name: _lobby_choice(request, name) for name in _KEPT}
    wanted = lobby_queries.LobbyFilter(**texts, **flags, sort=shown["sort"])
    games = home_games.games_for(request.user) if request.user.is_authenticated and home_games.are_on() else []
    lobby = lobby_queries.room_lobby(viewer=request.user, wanted=wanted, now=timezone.now())
    seats = {seat.table_id for seat in lobby.mine}
    games = [game for game in games if game.table_id not in seats]  # a seat there is in the list already
    mine = club_queries.tables_for(request.user) if request.user.is_authenticated else []
    is_in = request.user.is_authenticated
    deals = is_in and not navigation.roles_of(request.user).isdisjoint(("dealer", "floor"))
    own = {"home_games": games, "clubs": mine, "is_in": is_in, "deals": deals}
    return {"lobby": lobby, "view": shown["view"], **own}


def _lobby_choice(request: HttpRequest, name: str) -> str:
    """What the address asks for, else what this browser asked for before."""
    choice = request.GET.get(name, request.COOKIES.get(f"lobby-{name}", ""))
    return choice if choice in _KEPT[name] else _KEPT[name][0]


def _remember_choices(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    for name in _KEPT:
        if name in request.GET:
            choice = _lobby_choice(request, name)
            answer.set_cookie(f"lobby-{name}", choice, max_age=_KEPT_SECONDS, samesite="Lax", httponly=True)
    return answer


urlpatterns = [
    path("", lobby, name="lobby"),
    path("quick-seat/", quick_seat, name="quick_seat"),
    path("lobby/", lobby_tables, name="lobby_tables"),
    path("lobby/tables/<int:table_id>/", preview, name="table_preview"),
]
