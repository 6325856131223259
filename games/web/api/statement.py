"""Statements, histories and comps of the one who asks; and a player's statement for the staff, who say why."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import User
from cardroom.services import ledger
from cardroom.web import files
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Number, Query
from games.selectors import history, statement
from games.services import comps, statements

_LIMIT, _MOST = 50, 200
_FILES = {(200, "text/csv"): OpenApiTypes.STR, (200, "application/pdf"): OpenApiTypes.BINARY}


class FileQuery(Query):
    """What part of a statement is asked for."""

    since = serializers.DateTimeField(required=False, help_text="From this moment on.")
    until = serializers.DateTimeField(required=False, help_text="Before this moment.")
    table = Number(required=False, help_text="Of one table: all that was done there, without the wallet.")
    hands = serializers.BooleanField(required=False, default=False, help_text="Hand by hand as well.")


class SpanQuery(FileQuery):
    """And how much of it at once."""

    limit = Number(required=False, min_value=1, max_value=_MOST, default=_LIMIT)
    cursor = serializers.CharField(required=False, default="", allow_blank=True, help_text="`next` of the page before.")


class StaffQuery(SpanQuery):
    reason = serializers.CharField(min_length=3, max_length=300, help_text="Why you look; kept in the trail.")


class StaffFileQuery(FileQuery):
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

    games = GameResult(many=True, help_text="All sessions, added up.")
    sessions = Visit(many=True, help_text=f"One by one, the newest {history.MOST:,} at most.")


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


class MyStatementFileView(APIView):
    """Your statement as a file."""

    tags = ("me",)

    @extend_schema(
        operation_id="my_statement_file",
        summary="Your statement as CSV or PDF",
        parameters=[FileQuery],
        responses=_FILES,
    )
    def get(self, request: Request, form: str) -> HttpResponse:
        return _file(asker(request), FileQuery.read(request), form)


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
        player = statements.look(player_id=player_id, by=asker(request), reason=reason)
        return _page(player, asked)


class PlayerStatementFileView(APIView):
    """A player's statement as a file."""

    tags = ("players",)

    @extend_schema(
        operation_id="player_statement_file",
        summary="A player's statement as CSV or PDF",
        description="For the floor, cashiers, managers and auditors, with a reason; each look is kept in the trail.",
        parameters=[StaffFileQuery],
        responses=_FILES,
    )
    def get(self, request: Request, player_id: int, form: str) -> HttpResponse:
        asked = StaffFileQuery.read(request)
        reason = asked.pop("reason")
        player = statements.look(player_id=player_id, by=asker(request), reason=reason)
        return _file(player, asked, form)


class MyHistoryFileView(APIView):
    """Your sessions as a file."""

    tags = ("me",)

    @extend_schema(
        operation_id="my_history_file",
        summary="Your history as CSV or PDF",
        parameters=[SinceQuery],
        responses=_FILES,
    )
    def get(self, request: Request, form: str) -> HttpResponse:
        now = timezone.now()
        since = _since(request, now)
        return files.answer(statements.history_of(asker(request), since=since, form=form, now=now), is_saved=True)


class MyHistoryView(APIView):
    """Your sessions at cash tables."""

    tags = ("me",)

    @extend_schema(operation_id="my_history", summary="Your history", parameters=[SinceQuery], responses=History)
    def get(self, request: Request) -> Response:
        now = timezone.now()
        since = _since(request, now)
        told = {
            "games": history.by_game(asker(request), since, None, now=now),
            "sessions": history.between(asker(request), since, None),
        }
        return Response(History(told).data)


class MyCompsView(APIView):
    """Your comp points."""

    tags = ("me",)

    @extend_schema(operation_id="my_comps", summary="Your comp points", responses=Comps)
    def get(self, request: Request) -> Response:
        user = asker(request)
        balance = ledger.balance(ledger.wallet(user, unit=comps.UNIT))
        return Response(Comps({"balance": balance, "accruals": history.accruals(user)}).data)


def _since(request: Request, now: datetime) -> datetime:
    since: datetime = SinceQuery.read(request).get("since") or now - timedelta(days=90)
    return since


def _file(player: User, asked: dict[str, Any], form: str) -> HttpResponse:
    return files.answer(statements.file_of(_wanted(player, asked), form=form, now=timezone.now()), is_saved=True)


def _wanted(player: User, asked: dict[str, Any]) -> statement.Wanted:
    return statement.Wanted(player, asked.get("since"), asked.get("until"), asked.get("table") or None, asked["hands"])


def _page(player: User, asked: dict[str, Any]) -> Response:
    page = statement.page(_wanted(player, asked), limit=asked["limit"], cursor=asked["cursor"])
    return Response(BookPage({"next": page.later or None, "results": page.lines}).data)
