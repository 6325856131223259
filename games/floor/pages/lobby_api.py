"""The API of the lobby and of the board on the wall."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers

from cardroom.core.web.api.fields import Number, Query, Text, Word
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, reads
from games.floor import board as wall
from games.floor import lobby as lobby_queries
from games.tables.queries import tables as table_queries


class LobbyTable(Shape):
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
        "average_pot": "Over the last hands; null while there are none.",
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
    where = serializers.ChoiceField(choices=wall.WHERE, required=False)
    has_seat = serializers.BooleanField(required=False)
    name = Text(required=False, max_length=60, help_text="Part of a table's name.")
    sort = serializers.ChoiceField(choices=sorted(lobby_queries.SORTS), required=False)


class BoardQuery(Query):
    where = serializers.ChoiceField(choices=wall.WHERE, required=False)


class OfferedTable(LobbyTable):
    """A table of a game on offer."""

    field_names = f"{LobbyTable.field_names} state phase free held is_physical is_private is_paused must_move_to"
    help_texts = LobbyTable.help_texts | {
        "phase": "open, going, paused or breaking.",
        "free": "Seats anybody may take.",
        "held": "Free seats that are held for a player.",
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
    of = wall.BoardRow
    field_names = "offer name stakes game tables free waiting interested is_physical is_wanted"
    help_texts = {"tables": "Going.", "is_wanted": "In the room: enough names wait for another table."}


class BoardName(Shape):
    of = wall.Name
    field_names = "name is_called table"
    help_texts = {"table": 'The table they are called to; "" while they wait.'}


class BoardList(Shape):
    of = wall.NameList
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


def list_tables(
    *,
    game: str | None = None,
    structure: str | None = None,
    least_small_bet: int = 0,
    most_small_bet: int | None = None,
    buy_in: int | None = None,
    has_free_seat: bool | None = None,
    has_people: bool | None = None,
    by: Any,
) -> list[table_queries.TableRow]:
    """The open tables that pass the filters of `TableQuery`; None: any."""
    return [
        row
        for row in table_queries.lobby()
        if game in (None, row.game)
        and structure in (None, row.structure)
        and least_small_bet <= row.small_bet
        and (most_small_bet is None or row.small_bet <= most_small_bet)
        and (buy_in is None or row.min_buy_in <= buy_in <= row.max_buy_in)
        and has_free_seat in (None, not row.is_full)
        and has_people in (None, row.people > 0)
    ]


def games_of_lobby(
    *,
    game: str = "",
    structure: str = "",
    stakes: str = "",
    where: str = "",
    has_seat: bool = False,
    name: str = "",
    sort: str = "",
    by: Any,
) -> dict[str, Any]:
    """The games on offer that pass the filters of `LobbyQuery`, with their tables."""
    wanted = lobby_queries.LobbyFilter(
        game=game, structure=structure, stakes=stakes, where=where, has_seat=has_seat, name=name, sort=sort
    )
    lobby = lobby_queries.room_lobby(viewer=None, wanted=wanted, now=timezone.now())
    sums = {"tables": lobby.tables, "players": lobby.players, "free": lobby.free}
    return {"games": [_game(group) for group in lobby.groups], **sums}


def _game(group: lobby_queries.Group) -> dict[str, Any]:
    first = group.offer or group.tables[0]
    counts = {name: getattr(group, name) for name in ("going", "free", "waiting", "interested", "tables")}
    name = group.offer.name if group.offer else gettext("Other tables")
    return {"offer": group.key or None, "name": name, "game": first.game, "structure": first.structure, **counts}


def board(*, where: str = "", by: Any) -> dict[str, Any]:
    """The board on the wall as it is now."""
    board = wall.board(now=timezone.now(), where=where)
    jackpots = [{"name": name, "chips": chips} for name, chips in board.jackpots]
    return {"lines": board.lines, "lists": board.lists, "jackpots": jackpots}


class TablesResource(Resource):
    path, tags = "tables", ("tables",)
    get = reads(
        list_tables,
        name="tables",
        summary="The lobby",
        description="The tables that are open, cheapest first.",
        query=TableQuery,
        answers=LobbyTable,
        many=True,
        is_public=True,
    )


class LobbyByGames(Resource):
    path, tags = "lobby", ("tables",)
    get = reads(
        games_of_lobby,
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
        board,
        name="board",
        summary="The board on the wall",
        description="Games, names on the lists, jackpots. The socket `/ws/room/?topics=board` tells when to ask again.",
        query=BoardQuery,
        answers=BoardShape,
        is_public=True,
    )


api = addresses([TablesResource, LobbyByGames, WallBoard])
