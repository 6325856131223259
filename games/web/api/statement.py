"""Statements, histories and comps of the one who asks; and a player's statement for the staff, who say why."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import User
from cardroom.services import ledger
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Number, Query
from games.selectors import history, statement
from games.services import comps, statements

_LIMIT, _MOST = 50, 200


class SpanQuery(Query):
    """What part of a statement is asked for."""

    since = serializers.DateTimeField(required=False, help_text="From this moment on.")
    until = serializers.DateTimeField(required=False, help_text="Before this moment.")
    table = Number(required=False, help_text="Of one table: all that was done there, without the wallet.")
    hands = serializers.BooleanField(required=False, default=False, help_text="Hand by hand as well.")
    limit = Number(required=False, min_value=1, max_value=_MOST, default=_LIMIT)
    cursor = serializers.CharField(required=False, default="", help_text="`next` of the page before.")


class StaffQuery(SpanQuery):
    reason = serializers.CharField(min_length=3, max_length=300, help_text="Why you look; kept in the trail.")


class SinceQuery(Query):
    since = serializers.DateTimeField(required=False, help_text="Sessions begun from this moment on.")


class Visit(serializers.Serializer[Any]):
    """A stay in one seat, added up."""

    stay = serializers.IntegerField()
    table = serializers.IntegerField()
    table_name = serializers.CharField()
    game = serializers.CharField()
    stakes = serializers.CharField()
    is_physical = serializers.BooleanField()
    seat = serializers.IntegerField()
    since = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True, help_text="null: still there.")
    brought = serializers.IntegerField(help_text="Chips that came to the seat.")
    took = serializers.IntegerField(help_text="Chips taken away, or in front of the player still.")
    result = serializers.IntegerField()
    hands = serializers.IntegerField()
    put_in = serializers.IntegerField(help_text="Bet and called in all.")
    taken = serializers.IntegerField(help_text="The player's part of what the house took of the pots.")
    time = serializers.IntegerField(help_text="Paid for time.")
    comps = serializers.IntegerField(help_text="Comp points.")


class BookLine(serializers.Serializer[Any]):
    """One line of a statement."""

    at = serializers.DateTimeField()
    kind = serializers.CharField(help_text="buy-in, cash-out, time-charged, sat-out, pause, list, hand, deposit ...")
    text = serializers.CharField()
    why = serializers.CharField()
    wallet = serializers.IntegerField(help_text="Chips into the wallet; negative: out of it.")
    chips = serializers.IntegerField(help_text="Chips onto the table; negative: off it.")
    points = serializers.IntegerField(help_text="Comp points.")
    balance = serializers.IntegerField(allow_null=True, help_text="In the wallet after it, where it is the wallet's.")
    reference = serializers.CharField(help_text="Of the transfer, where there is one.")
    table = serializers.IntegerField(allow_null=True)
    hand = serializers.IntegerField(allow_null=True)
    visit = Visit(allow_null=True, help_text="The stay that this line ends.")


class BookPage(serializers.Serializer[Any]):
    """A page of a statement, newest first."""

    next = serializers.CharField(allow_null=True, help_text="The cursor of the next, older page; null on the last.")
    results = BookLine(many=True)


class GameResult(serializers.Serializer[Any]):
    """All sessions at one game and stakes."""

    game = serializers.CharField()
    stakes = serializers.CharField()
    is_physical = serializers.BooleanField()
    sessions = serializers.IntegerField()
    minutes = serializers.IntegerField()
    hands = serializers.IntegerField()
    result = serializers.IntegerField()
    taken = serializers.IntegerField()
    time = serializers.IntegerField()
    per_hour = serializers.IntegerField(allow_null=True)


class History(serializers.Serializer[Any]):
    """Sessions at cash tables."""

    games = GameResult(many=True)
    sessions = Visit(many=True)


class Accrual(serializers.Serializer[Any]):
    """Comp points for time played."""

    id = serializers.IntegerField()
    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    seconds = serializers.IntegerField(help_text="Of play: neither sat out nor paused.")
    per_hour = serializers.IntegerField()
    points = serializers.IntegerField()


class Comps(serializers.Serializer[Any]):
    """Comp points: what there are, and the newest credits."""

    balance = serializers.IntegerField()
    accruals = Accrual(many=True)


class MyStatementView(APIView):
    """All that moved your chips or your seat, to the minute."""

    tags = ("me",)

    @extend_schema(operation_id="my_statement", summary="Your statement", parameters=[SpanQuery], responses=BookPage)
    def get(self, request: Request) -> Response:
        return _page(asker(request), SpanQuery.read(request))


class PlayerStatementView(APIView):
    """A player's statement."""

    tags = ("players",)

    @extend_schema(
        operation_id="player_statement",
        summary="A player's statement",
        description="For the floor, cashiers, managers and auditors, with a reason; each look is kept in the trail.",
        parameters=[StaffQuery],
        responses=BookPage,
    )
    def get(self, request: Request, player_id: int) -> Response:
        asked = StaffQuery.read(request)
        reason = asked.pop("reason")
        player = statements.look(player_id=player_id, by=asker(request), reason=reason, now=timezone.now())
        return _page(player, asked)


class MyHistoryView(APIView):
    """Your sessions at cash tables."""

    tags = ("me",)

    @extend_schema(operation_id="my_history", summary="Your history", parameters=[SinceQuery], responses=History)
    def get(self, request: Request) -> Response:
        now = timezone.now()
        since: datetime = SinceQuery.read(request).get("since") or now - timedelta(days=90)
        visits = history.between(asker(request), since, None)
        told = {"games": history.by_game(visits, now=now), "sessions": visits[::-1]}
        return Response(History(told).data)


class MyCompsView(APIView):
    """Your comp points."""

    tags = ("me",)

    @extend_schema(operation_id="my_comps", summary="Your comp points", responses=Comps)
    def get(self, request: Request) -> Response:
        user = asker(request)
        balance = ledger.balance(ledger.wallet(user, unit=comps.UNIT))
        return Response(Comps({"balance": balance, "accruals": history.accruals(user)}).data)


def _page(player: User, asked: dict[str, Any]) -> Response:
    wanted = statement.Wanted(
        player, asked.get("since"), asked.get("until"), asked.get("table") or None, asked["hands"]
    )
    page = statement.page(wanted, limit=asked["limit"], cursor=asked["cursor"])
    return Response(BookPage({"next": page.later or None, "results": page.lines}).data)
