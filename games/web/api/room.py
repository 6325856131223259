"""The lobby by games on offer, the board on the wall, and the map of the room."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Query, Text
from games.selectors import offered, room_map, wall
from games.web.api.serializers import TableRow

ROLES = ("floor", "manager")


class LobbyQuery(Query):
    """What of the offer to show."""

    game = Text(required=False, max_length=40, help_text="Such as seven-card-stud.")
    structure = Text(required=False, max_length=20, help_text="Such as fixed-limit.")
    stakes = Text(required=False, max_length=24, help_text='As they are said: "15/30".')
    where = serializers.ChoiceField(choices=wall.WHERE, required=False)
    has_seat = serializers.BooleanField(required=False)
    name = Text(required=False, max_length=60, help_text="Part of a table's name.")


class BoardQuery(Query):
    where = serializers.ChoiceField(choices=wall.WHERE, required=False)


class OfferedTable(TableRow):
    """A table of a game on offer."""

    state = serializers.CharField()
    phase = serializers.CharField(help_text="open, going, paused or breaking.")
    free = serializers.IntegerField(help_text="Seats anybody may take.")
    held = serializers.IntegerField(help_text="Free seats that are held for somebody.")
    is_physical = serializers.BooleanField()
    is_private = serializers.BooleanField()
    is_paused = serializers.BooleanField()
    must_move_to = serializers.IntegerField(allow_null=True, help_text="The main game that this one feeds.")


class OfferedGame(serializers.Serializer[Any]):
    """A game on offer with its tables; `offer` null: tables opened by hand."""

    offer = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    game = serializers.CharField()
    structure = serializers.CharField()
    going = serializers.IntegerField()
    free = serializers.IntegerField()
    waiting = serializers.IntegerField()
    interested = serializers.IntegerField()
    tables = OfferedTable(many=True)


class LobbyShape(serializers.Serializer[Any]):
    games = OfferedGame(many=True)
    tables = serializers.IntegerField()
    players = serializers.IntegerField()
    free = serializers.IntegerField()


class BoardLine(serializers.Serializer[Any]):
    offer = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    stakes = serializers.CharField()
    game = serializers.CharField()
    tables = serializers.IntegerField(help_text="Going.")
    free = serializers.IntegerField()
    waiting = serializers.IntegerField()
    interested = serializers.IntegerField()
    is_physical = serializers.BooleanField()
    is_wanted = serializers.BooleanField(help_text="In the room: enough names wait for another table.")


class BoardName(serializers.Serializer[Any]):
    name = serializers.CharField()
    is_called = serializers.BooleanField()
    table = serializers.CharField(help_text='Where they are called to; "" for who waits.')


class BoardList(serializers.Serializer[Any]):
    game = serializers.CharField()
    stakes = serializers.CharField()
    names = BoardName(many=True)
    more = serializers.IntegerField(help_text="Names the board has no room for.")


class BoardJackpot(serializers.Serializer[Any]):
    name = serializers.CharField()
    chips = serializers.IntegerField()


class BoardShape(serializers.Serializer[Any]):
    lines = BoardLine(many=True)
    lists = BoardList(many=True)
    jackpots = BoardJackpot(many=True)


class MapSeat(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = serializers.CharField(help_text='"free", "held", or that of its player: "playing", "sitting-out" ...')
    player = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    is_bot = serializers.BooleanField()
    stack = serializers.IntegerField()
    sat_at = serializers.DateTimeField(allow_null=True)
    out_since = serializers.DateTimeField(allow_null=True)
    held_until = serializers.DateTimeField(allow_null=True)
    held_why = serializers.CharField()
    owes = serializers.IntegerField(help_text="Time still to be paid.")


class MapTable(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="table.pk")
    name = serializers.CharField(source="table.name")
    offer = serializers.IntegerField(source="table.offer_id", allow_null=True)
    stakes = serializers.CharField(source="table.stakes")
    phase = serializers.CharField(help_text="free, open, going, paused or breaking.")
    is_physical = serializers.BooleanField(source="table.is_physical")
    calls = serializers.IntegerField(help_text="Of its players for the floor.")
    waiting = serializers.IntegerField()
    seats = MapSeat(many=True)


class MapSection(serializers.Serializer[Any]):
    id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    tables = MapTable(many=True)


class WantedTable(serializers.Serializer[Any]):
    offer = serializers.IntegerField(source="offer.pk")
    name = serializers.CharField(source="offer.name")
    opens_with = serializers.IntegerField(source="offer.opens_with")
    waiting = serializers.IntegerField()


class MapShape(serializers.Serializer[Any]):
    sections = MapSection(many=True)
    wanted = WantedTable(many=True, help_text="Games in the room whose lists ask for a table.")


class LobbyView(APIView):
    """Games on offer and their tables."""

    tags = ("tables",)
    is_public = True

    @extend_schema(
        operation_id="lobby",
        summary="The lobby by games on offer",
        description="The socket `/ws/room/?topics=lobby,lists` tells when to ask again.",
        parameters=[LobbyQuery],
        responses=LobbyShape,
    )
    def get(self, request: Request) -> Response:
        wanted = offered.Wanted(**LobbyQuery.read(request))
        lobby = offered.room_lobby(viewer=None, wanted=wanted, now=timezone.now())
        return Response(LobbyShape({"games": [_game(group) for group in lobby.groups], **_sums(lobby)}).data)


class BoardView(APIView):
    """The board on the wall."""

    tags = ("tables",)
    is_public = True

    @extend_schema(
        operation_id="board",
        summary="The board on the wall",
        description="Games, names on the lists, jackpots. The socket `/ws/room/?topics=board` tells when to ask again.",
        parameters=[BoardQuery],
        responses=BoardShape,
    )
    def get(self, request: Request) -> Response:
        board = wall.board(now=timezone.now(), where=BoardQuery.read(request).get("where", ""))
        pots = [{"name": name, "chips": chips} for name, chips in board.jackpots]
        return Response(BoardShape({"lines": board.lines, "lists": board.lists, "jackpots": pots}).data)


class MapView(APIView):
    """The map of the room."""

    tags = ("floor",)

    @extend_schema(
        operation_id="floor_map",
        summary="Sections, tables, and who sits where",
        description="For the floor. The socket `/ws/room/?topics=floor,hands` tells when to ask again.",
        responses=MapShape,
    )
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), *ROLES)
        return Response(MapShape(room_map.room_map(now=timezone.now())).data)


def _game(group: offered.Group) -> dict[str, Any]:
    first = group.offer or group.tables[0]
    return {
        "offer": group.offer.pk if group.offer else None,
        "name": group.offer.name if group.offer else "Other tables",
        "game": first.game,
        "structure": first.structure,
        "going": group.going,
        "free": group.free,
        "waiting": group.waiting,
        "interested": group.interested,
        "tables": group.tables,
    }


def _sums(lobby: offered.Lobby) -> dict[str, int]:
    return {"tables": lobby.tables, "players": lobby.players, "free": lobby.free}
