"""The lobby, by tables and by games on offer, and the board on the wall: games, tables, free seats, names on the lists,
jackpots and what is about to start.
"""

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
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe
from rest_framework import serializers

from cardroom.accounts import welcome
from cardroom.core.sentences import localized_numbers
from cardroom.core.web.api.fields import Number, Query, Text, Word
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.parts import by_room_clock, part_of, whole_number_or_none
from cardroom.core.web.resources import Resource, addresses, reads
from cardroom.office import chat
from games.clubs import queries as club_queries
from games.floor import lobby as lobby_queries
from games.floor import queries
from games.play import home_games
from games.rake import queries as rake_queries
from games.tables.queries import tables as table_queries

#: One reader at a time draws the lobby: those who come meanwhile find nearly all of it drawn.
_drawing = Lock()


#: What a browser keeps of how it shows the lobby, by the field's name, with what may be chosen.
_KEPT = {"sort": ("", *lobby_queries.SORTS), "view": ("list", "grid")}
_KEPT_SECONDS = 365 * 24 * 3600
#: What the sort is called, in the order of the choice.
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
    """To the table with a seat for what was asked (`?game=razz&stakes=5/10`), where the page asks for the buy-in; or
    what else there is to do."""
    small = whole_number_or_none(request.GET.get("stakes", "").partition("/")[0]) or 0
    game = request.GET.get("game", "")[:60]
    table = table_queries.quick_seat(request.user, game=game, small_bet=small, now=timezone.now())
    if table is not None:
        return redirect(f"{reverse('table', args=[table.pk])}#sit")
    return render(request, "games/floor/quick_seat.html", _instead(request, game, small))


def _instead(request: HttpRequest, game: str, small: int) -> dict[str, Any]:
    """The lists to join of what was asked for, the nearest stakes first, and the table with bots to open."""
    wanted = lobby_queries.Wanted(game=game if game in home_games.CHOICES else "", where=lobby_queries.ONLINE)
    found = lobby_queries.room_lobby(viewer=request.user, wanted=wanted, now=timezone.now())

    def apart(small_bet: int) -> float:
        return abs(log(max(1, small_bet) / small)) if small else 0

    groups = sorted((each for each in found.groups if each.offer), key=lambda each: apart(each.offer.small_bet))
    stakes = min(home_games.STAKES, key=lambda each: apart(home_games.STAKES[each].small_bet))
    home = {"game": wanted.game or next(iter(home_games.CHOICES)), "stakes": stakes}
    return {
        "groups": groups[:3], "free": found.free, "asked": wanted,
        "stakes": localized_numbers(request.GET.get("stakes", "")[:24]),
        "wallet": welcome.spendable_by(request.user), "key": token_urlsafe(12), "bots": _BOTS,
        "home": home if _may_open(request) else None,
    }  # fmt: skip


def _may_open(request: HttpRequest) -> bool:
    return home_games.are_on() and home_games.hosted(request.user).count() < home_games.MOST


@part_of("lobby")
@require_safe
def lobby_tables(request: HttpRequest) -> HttpResponse:
    """The list alone, for the lobby to keep itself up to date with."""
    return _remembered(request, HttpResponse(_tables(request, _lobby(request))))


@part_of("table", "table_id")
@require_safe
def preview(request: HttpRequest, table_id: int) -> HttpResponse:
    """Who sits at a table, and what the rail sees of its hand, without sitting down."""
    found = queries.preview(table_id=table_id, viewer=request.user)
    for seat in found["seats"]:
        seat |= found["seen"].get(seat["number"], {}) if seat["in_hand"] else {}
        seat["cards"] = [(card[:-1].replace("T", "10"), card[-1]) for card in seat.get("upcards", []) if card]
    return render(request, "games/floor/_preview.html", {"table": found})


def _tables(request: HttpRequest, context: dict[str, Any]) -> SafeString:
    with _drawing:
        return render_to_string("games/floor/_tables.html", context, request)


def _lobby(request: HttpRequest) -> dict[str, Any]:
    asked = {name: request.GET.get(name, "")[:60] for name in ("game", "structure", "stakes", "where", "name")}
    flags = {name: bool(request.GET.get(name)) for name in ("has_seat", "starred")}
    shown = {name: _kept(request, name) for name in _KEPT}
    wanted = lobby_queries.Wanted(**asked, **flags, sort=shown["sort"])
    games = home_games.games_for(request.user) if request.user.is_authenticated and home_games.are_on() else []
    found = lobby_queries.room_lobby(viewer=request.user, wanted=wanted, now=timezone.now())
    seats = {seat.table_id for seat in found.mine}
    games = [game for game in games if game.table_id not in seats]  # a seat there is in the list already
    mine = club_queries.tables_for(request.user) if request.user.is_authenticated else []
    return {"lobby": found, "view": shown["view"], "home_games": games, "clubs": mine}


def _kept(request: HttpRequest, name: str) -> str:
    """What is asked for, else what this browser asked for before."""
    asked = request.GET.get(name, request.COOKIES.get(f"lobby-{name}", ""))
    return asked if asked in _KEPT[name] else _KEPT[name][0]


def _remembered(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    for name in _KEPT:
        if name in request.GET:
            kept = _kept(request, name)
            answer.set_cookie(f"lobby-{name}", kept, max_age=_KEPT_SECONDS, samesite="Lax", httponly=True)
    return answer


@never_cache
@xframe_options_sameorigin
@require_safe
@by_room_clock
def board(request: HttpRequest) -> HttpResponse:
    """The whole board; anybody may look. `?screens=games,lists`: which of its screens, in turn; `?seconds=`: how long
    each of them; `?where=room` or `online`: which games."""
    return render(request, "games/floor/board.html", _board(request))


@part_of("board")
@never_cache
@require_safe
@by_room_clock
def screens(request: HttpRequest) -> HttpResponse:
    """What is on the screens, for the board to keep itself up to date with."""
    return render(request, "games/floor/_board.html", _board(request))


def _board(request: HttpRequest) -> dict[str, object]:
    where = request.GET.get("where", "")
    asked = [name for name in request.GET.get("screens", "").split(",") if name in queries.SCREENS]
    seconds = request.GET.get("seconds", "")
    return {
        "board": queries.board(now=timezone.now(), where=where if where in queries.WHERE else ""),
        "screens": asked or list(queries.SCREENS),
        "seconds": min(120, max(4, int(seconds))) if seconds.isascii() and seconds.isdigit() and seconds else 12,
    }


# -- what programs look at ---------------------------------------------------------------------------------------------


class TableRow(Shape):
    """A table in the lobby."""

    of = table_queries.TableRow
    field_names = (
        "id name game structure stakes ante bring_in small_bet big_bet min_buy_in max_buy_in seat_count people bots"
        " is_full is_playing hand_count average_pot hands_per_hour"
    )
    help_texts = {
        "stakes": "As players say them: small and big bet.",
        "people": "Seats taken by people.",
        "bots": "Seats taken by bots of the house.",
        "is_playing": "Whether a hand is being played.",
        "average_pot": "Of the last hands; null while there are none.",
    }


class TableQuery(Query):
    """Which tables to list."""

    game = Word(required=False, help_text="Such as seven-card-stud.")
    structure = Word(required=False, help_text="Such as fixed-limit.")
    least_small_bet = Number(required=False)
    most_small_bet = Number(required=False)
    buy_in = Number(required=False, help_text="Only where you can sit down with so many chips.")
    has_free_seat = serializers.BooleanField(required=False)
    has_people = serializers.BooleanField(required=False, help_text="Whether a person sits there, and not bots alone.")


class LobbyQuery(Query):
    """What of the offer to show."""

    game = Text(required=False, max_length=40, help_text="Such as seven-card-stud.")
    structure = Text(required=False, max_length=20, help_text="Such as fixed-limit.")
    stakes = Text(required=False, max_length=24, help_text='As they are said: "15/30".')
    where = serializers.ChoiceField(choices=queries.WHERE, required=False)
    has_seat = serializers.BooleanField(required=False)
    name = Text(required=False, max_length=60, help_text="Part of a table's name.")
    sort = serializers.ChoiceField(choices=sorted(lobby_queries.SORTS), required=False)


class BoardQuery(Query):
    where = serializers.ChoiceField(choices=queries.WHERE, required=False)


class OfferedTable(TableRow):
    """A table of a game on offer."""

    field_names = f"{TableRow.field_names} state phase free held is_physical is_private is_paused must_move_to"
    help_texts = TableRow.help_texts | {
        "phase": "open, going, paused or breaking.",
        "free": "Seats anybody may take.",
        "held": "Free seats that are held for somebody.",
        "must_move_to": "The main game that this one feeds.",
    }


class OfferedGame(Shape):
    """A game on offer with its tables; `offer` null: tables opened by hand."""

    of = lobby_queries.Group
    field_names = "offer name game structure going free waiting interested tables"
    offer = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    tables = OfferedTable(many=True)


class LobbyShape(Shape):
    of = lobby_queries.Lobby
    field_names = "games tables players free"
    games = OfferedGame(many=True)


class BoardLine(Shape):
    of = queries.Line
    field_names = "offer name stakes game tables free waiting interested is_physical is_wanted"
    help_texts = {"tables": "Going.", "is_wanted": "In the room: enough names wait for another table."}


class BoardName(Shape):
    of = queries.Name
    field_names = "name is_called table"
    help_texts = {"table": 'Where they are called to; "" for who waits.'}


class BoardList(Shape):
    of = queries.NameList
    field_names = "game stakes names more"
    help_texts = {"more": "Names the board has no room for."}
    names = BoardName(many=True)


class BoardJackpot(serializers.Serializer[Any]):
    name = serializers.CharField()
    chips = serializers.IntegerField()


class BoardShape(serializers.Serializer[Any]):
    lines = BoardLine(many=True)
    lists = BoardList(many=True)
    jackpots = BoardJackpot(many=True)


def _listed(by: Any, **wanted: Any) -> list[table_queries.TableRow]:
    return [row for row in table_queries.lobby() if _is_wanted(row, wanted)]


def _is_wanted(row: table_queries.TableRow, wanted: dict[str, Any]) -> bool:
    return (
        row.game == wanted.get("game", row.game)
        and row.structure == wanted.get("structure", row.structure)
        and wanted.get("least_small_bet", 0) <= row.small_bet <= wanted.get("most_small_bet", row.small_bet)
        and row.min_buy_in <= wanted.get("buy_in", row.min_buy_in) <= row.max_buy_in
        and wanted.get("has_free_seat", not row.is_full) is not row.is_full
        and wanted.get("has_people", row.people > 0) is (row.people > 0)
    )


def _offered(by: Any, **wanted: Any) -> dict[str, Any]:
    found = lobby_queries.room_lobby(viewer=None, wanted=lobby_queries.Wanted(**wanted), now=timezone.now())
    sums = {"tables": found.tables, "players": found.players, "free": found.free}
    return {"games": [_game(group) for group in found.groups], **sums}


def _game(group: lobby_queries.Group) -> dict[str, Any]:
    first = group.offer or group.tables[0]
    told = {name: getattr(group, name) for name in ("going", "free", "waiting", "interested", "tables")}
    name = group.offer.name if group.offer else gettext("Other tables")
    return {"offer": group.key or None, "name": name, "game": first.game, "structure": first.structure, **told}


def _on_the_wall(by: Any, where: str = "") -> dict[str, Any]:
    found = queries.board(now=timezone.now(), where=where)
    pots = [{"name": name, "chips": chips} for name, chips in found.jackpots]
    return {"lines": found.lines, "lists": found.lists, "jackpots": pots}


class Tables(Resource):
    path, tags = "tables", ("tables",)
    get = reads(
        _listed,
        name="tables",
        summary="The lobby",
        description="The tables that are open, cheapest first.",
        query=TableQuery,
        answers=TableRow,
        many=True,
        is_public=True,
    )


class LobbyByGames(Resource):
    path, tags = "lobby", ("tables",)
    get = reads(
        _offered,
        name="lobby",
        summary="The lobby by games on offer",
        description="The socket `/ws/room/?topics=lobby,lists` tells when to ask again.",
        query=LobbyQuery,
        answers=LobbyShape,
        is_public=True,
    )


class WallBoard(Resource):
    path, tags = "board", ("tables",)
    get = reads(
        _on_the_wall,
        name="board",
        summary="The board on the wall",
        description="Games, names on the lists, jackpots. The socket `/ws/room/?topics=board` tells when to ask again.",
        query=BoardQuery,
        answers=BoardShape,
        is_public=True,
    )


api = addresses([Tables, LobbyByGames, WallBoard])
urlpatterns = [
    path("", lobby, name="lobby"),
    path("quick-seat/", quick_seat, name="quick_seat"),
    path("lobby/", lobby_tables, name="lobby_tables"),
    path("lobby/tables/<int:table_id>/", preview, name="table_preview"),
    path("board/", board, name="board"),
    path("board/screens/", screens, name="board_screens"),
]
