"""Statements, histories and comp points for programs."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from cardroom.accounts import people as account_queries
from cardroom.core.documents import PDF, File
from cardroom.core.models import User
from cardroom.core.web.api.fields import Number, Query
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, reads
from games.rake import comps
from games.rake import queries as rake_queries
from games.rake.models.times import CompAccrual
from games.reports import statements
from games.reports.statement_files import history_file, statement_file
from games.reports.statement_lines import BookLine, StatementRequest
from games.tables.queries import history as history_queries
from games.tables.queries.history import StayTotals


class FileQuery(Query):
    """What part of a statement is asked for."""

    since = serializers.DateTimeField(required=False, help_text="From this moment on.")
    until = serializers.DateTimeField(required=False, help_text="Before this moment.")
    table = Number(required=False, help_text="Of one table: all that was done there, without the wallet.")
    hands = serializers.BooleanField(required=False, default=False, help_text="Hand by hand as well.")


class SpanQuery(FileQuery):
    """A span, and the size of a page."""

    limit = Number(source="lines", required=False, min_value=1, max_value=200, default=50)
    cursor = serializers.CharField(
        source="after", required=False, default="", allow_blank=True, help_text="`next` of the page before."
    )


class StaffQuery(SpanQuery):
    reason = serializers.CharField(min_length=3, max_length=300, help_text="Your reason; recorded in the audit log.")


class StaffFileQuery(FileQuery):
    reason = serializers.CharField(min_length=3, max_length=300, help_text="Your reason; recorded in the audit log.")


class SinceQuery(Query):
    since = serializers.DateTimeField(required=False, help_text="Sessions begun from this moment on.")


class VisitSummary(Shape):
    """A stay in one seat, added up."""

    of = StayTotals
    field_names = (
        "stay table table_name game stakes is_physical seat since until brought took result hands put_in taken time"
        " comps"
    )
    help_texts = {
        "until": "null: still there.",
        "brought": "Chips that came to the seat.",
        "took": "Chips taken away, or in front of the player still.",
        "put_in": "Bet and called in all.",
        "taken": "The player's part of what the house took of the pots.",
        "time": "Paid for time.",
        "comps": "Comp points.",
    }


class BookLineSummary(Shape):
    """One line of a statement."""

    of = BookLine
    field_names = "at kind text why wallet chips points balance reference table hand visit"
    help_texts = {
        "kind": "buy-in, cash-out, time-charged, sat-out, pause, list, hand, deposit ...",
        "wallet": "Chips into the wallet; negative: out of it.",
        "chips": "Chips onto the table; negative: off it.",
        "points": "Comp points.",
        "balance": "In the wallet after it, where it is the wallet's.",
        "reference": "Of the transfer, where there is one.",
    }
    visit = VisitSummary(allow_null=True, help_text="The stay that this line ends.")


class BookPage(serializers.Serializer[Any]):
    """A page of a statement, newest first."""

    next = serializers.CharField(allow_null=True, help_text="The cursor of the next, older page; null on the last.")
    results = BookLineSummary(many=True)


class GameResultSummary(Shape):
    """All sessions at one game and stakes."""

    of = history_queries.GameResult
    field_names = "game stakes is_physical sessions minutes hands result taken time per_hour"


class History(serializers.Serializer[Any]):
    """Sessions at cash tables."""

    games = GameResultSummary(many=True, help_text="All sessions, added up.")
    sessions = VisitSummary(many=True, help_text=f"One by one, the newest {history_queries.MOST:,} at most.")


class Accrual(Shape):
    """Comp points for time played."""

    of = CompAccrual
    field_names = "id since until seconds per_hour points"
    help_texts = {"seconds": "Of play: neither sat out nor paused."}


class Comps(serializers.Serializer[Any]):
    """Comp points: what there are, and the newest credits."""

    balance = serializers.IntegerField()
    accruals = Accrual(many=True)


def my_statement(
    by: User,
    *,
    lines: int,
    after: str,
    hands: bool,
    since: datetime | None = None,
    until: datetime | None = None,
    table: int | None = None,
) -> dict[str, Any]:
    """One's own statement."""
    return _page(StatementRequest(by, since, until, table or None, hands), lines=lines, after=after)


def my_statement_file(
    by: User,
    form: str,
    *,
    hands: bool,
    since: datetime | None = None,
    until: datetime | None = None,
    table: int | None = None,
) -> File:
    """The statement as a file."""
    return statement_file(StatementRequest(by, since, until, table or None, hands), form=form, now=timezone.now())


def player_statement(
    by: User,
    *,
    player_id: int,
    reason: str,
    lines: int,
    after: str,
    hands: bool,
    since: datetime | None = None,
    until: datetime | None = None,
    table: int | None = None,
) -> dict[str, Any]:
    """A player's statement, for the staff, who give a reason."""
    player = statements.look(player_id=player_id, by=by, reason=reason)
    return _page(StatementRequest(player, since, until, table or None, hands), lines=lines, after=after)


def player_statement_file(
    by: User,
    *,
    player_id: int,
    reason: str,
    form: str,
    hands: bool,
    since: datetime | None = None,
    until: datetime | None = None,
    table: int | None = None,
) -> File:
    """The statement as a file."""
    player = statements.look(player_id=player_id, by=by, reason=reason)
    return statement_file(StatementRequest(player, since, until, table or None, hands), form=form, now=timezone.now())


def _page(request: StatementRequest, *, lines: int, after: str) -> dict[str, Any]:
    page = statements.page(request, limit=lines, cursor=after)
    return {"next": page.later or None, "results": page.lines}


def my_history(by: User, since: datetime | None = None) -> dict[str, Any]:
    """Sessions at cash tables and results by game; of the last 90 days where no span is asked for."""
    now = timezone.now()
    since = since or now - timedelta(days=90)
    return {
        "games": history_queries.by_game(by, since, None, now=now),
        "sessions": history_queries.stays_between(by, since, None),
    }


def my_history_file(by: User, form: str, since: datetime | None = None) -> File:
    """The sessions as a file."""
    now = timezone.now()
    return history_file(by, since=since or now - timedelta(days=90), form=form, now=now)


def my_comps(by: User) -> dict[str, Any]:
    """Comp points, and the newest credits."""
    return {"balance": account_queries.wallet_balance(by, unit=comps.UNIT), "accruals": rake_queries.accruals(by)}


_STAFF = "For the floor, cashiers, managers and auditors, with a reason; each look is recorded in the audit log."
_FILES = {"text/csv": "", PDF: ""}


class MyStatementResource(Resource):
    path, tags = "me/statement", ("me",)
    get = reads(
        my_statement,
        name="my_statement",
        summary="Your statement",
        description="Every movement of your chips and seat, to the minute.",
        query=SpanQuery,
        answers=BookPage,
    )


class MyStatementFileResource(Resource):
    path, tags = "me/statement/<slug:form>", ("me",)
    get = reads(
        my_statement_file,
        name="my_statement_file",
        summary="Your statement as CSV or PDF",
        query=FileQuery,
        media=_FILES,
        is_saved=True,
    )


class MyHistoryResource(Resource):
    path, tags = "me/history", ("me",)
    get = reads(
        my_history,
        name="my_history",
        summary="Your history",
        description="Your sessions at cash tables.",
        query=SinceQuery,
        answers=History,
        is_heavy=True,
    )


class MyHistoryFileResource(Resource):
    path, tags = "me/history/<slug:form>", ("me",)
    get = reads(
        my_history_file,
        name="my_history_file",
        summary="Your history as CSV or PDF",
        query=SinceQuery,
        media=_FILES,
        is_saved=True,
    )


class MyCompsResource(Resource):
    path, tags = "me/comps", ("me",)
    get = reads(my_comps, name="my_comps", summary="Your comp points", answers=Comps)


class PlayerStatementResource(Resource):
    path, tags = "players/<id:player_id>/statement", ("players",)
    get = reads(
        player_statement,
        name="player_statement",
        summary="A player's statement",
        description=_STAFF,
        query=StaffQuery,
        answers=BookPage,
    )


class PlayerStatementFileResource(Resource):
    path, tags = "players/<id:player_id>/statement/<slug:form>", ("players",)
    get = reads(
        player_statement_file,
        name="player_statement_file",
        summary="A player's statement as CSV or PDF",
        description=_STAFF,
        query=StaffFileQuery,
        media=_FILES,
        is_saved=True,
    )


api = addresses(
    [
        MyStatementResource,
        MyStatementFileResource,
        MyHistoryResource,
        MyHistoryFileResource,
        MyCompsResource,
        PlayerStatementResource,
        PlayerStatementFileResource,
    ]
)
