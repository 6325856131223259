"""A player's own books: the statement, the hands folded into it, the history and comps; and the staff's look at a
player's. See `cardroom.core.web.operations`.
"""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.accounts import people as account_queries
from cardroom.core import room_time
from cardroom.core.documents import PDF, File
from cardroom.core.errors import Invalid, Verbatim
from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Number, Query
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Page, file_answer
from cardroom.core.web.parts import part_of
from cardroom.core.web.resources import Resource, addresses, reads
from games.rake import comps
from games.rake import queries as rake_queries
from games.rake.models.times import CompAccrual
from games.reports import statements
from games.reports.sheets import line_chart
from games.reports.statements import BookLine
from games.tables.models.tables import Table
from games.tables.models.times import Stay
from games.tables.queries import history as history_queries
from games.tables.queries.history import Visit, hands_of

_LINES, _HANDS, _SESSIONS = 50, 50, 30
_LIMIT, _MOST = 50, 200
_SPAN = "90"
SPANS = {
    "30": gettext_lazy("30 days"),
    "90": gettext_lazy("90 days"),
    "365": gettext_lazy("a year"),
    "all": gettext_lazy("all time"),
}


class ChooseSpanForm(forms.Form):
    """What part of a statement is asked for; days are those of the house, both included."""

    since = forms.DateField(required=False, label=gettext_lazy("From"))
    until = forms.DateField(required=False, label=gettext_lazy("To"))
    table = forms.IntegerField(required=False, min_value=1, max_value=10**9)
    hands = forms.BooleanField(required=False)

    def wanted(self, player: User) -> statements.StatementRequest:
        if not self.is_valid():
            field, complaints = next(iter(self.errors.items()))
            words = gettext("{name}: {words}").format(name=self[field].label, words=complaints[0])
            raise Invalid("bad-span", Verbatim(words))
        values = self.cleaned_data
        room_time.check(values["since"], values["until"])
        until = values["until"] + timedelta(days=1) if values["until"] else None
        return statements.StatementRequest(
            player, _midnight(values["since"]), _midnight(until), values["table"], values["hands"]
        )


def mine(request: HttpRequest) -> HttpResponse:
    """One's statement; `?cursor=` goes back."""
    return _page(request, request.user, {"is_mine": True})


def my_file(request: HttpRequest, form: str) -> HttpResponse:
    """The statement as a file."""
    statement = statements.file_of(ChooseSpanForm(request.GET).wanted(request.user), form=form, now=timezone.now())
    return file_answer(statement, is_saved=True)


@part_of("my_statement")
def my_hands(request: HttpRequest, stay_id: int) -> HttpResponse:
    """The hands of one stay, for the fold of its line."""
    before = request.GET.get("before", "")
    older = int(before) if before.isascii() and before.isdigit() and len(before) < 19 else None
    rows = hands_of(stay_id, request.user, limit=_HANDS + 1, before=older)
    context = {"hands": rows[:_HANDS], "stay": stay_id, "has_more": len(rows) > _HANDS}
    return render(request, "games/reports/_hands.html", context)


def my_history(request: HttpRequest) -> HttpResponse:
    """Sessions, results by game, and how they went."""
    player, now = request.user, timezone.now()
    span, since = request.GET.get("span", _SPAN), _since(request, now)
    newest = history_queries.between(player, since, None, limit=_SESSIONS)
    games = history_queries.by_game(player, since, None, now=now)
    points = history_queries.over_time(player, since, None, now=now)
    played = sum(game.sessions for game in games)
    context = {
        "player": player,
        "is_mine": True,
        "spans": SPANS,
        "span": span if span in SPANS else "all",
        "games": games,
        "played": played,
        "is_part": len(points) < played,
        "sessions": [(visit, visit.minutes(now)) for visit in newest],
        "chart": line_chart([point.total for point in points]),
        "points": points,
        "ends_at": points[-1].total if points else 0,
        "total": sum(game.result for game in games),
        "minutes": sum(game.minutes for game in games),
        "hands": sum(game.hands for game in games),
    }
    return render(request, "games/reports/history.html", context)


def my_history_file(request: HttpRequest, form: str) -> HttpResponse:
    """The sessions of the chosen span as a file."""
    now = timezone.now()
    return file_answer(
        statements.history_of(request.user, since=_since(request, now), form=form, now=now), is_saved=True
    )


def of_player(request: HttpRequest, player_id: int) -> HttpResponse:
    """A player's statement, for the staff: `?reason=` says why, and is kept; without one it is asked for."""
    reason = request.GET.get("reason", "")
    if not reason:
        player = statements.may_look(player_id=player_id, by=request.user)
        return render(request, "games/reports/ask.html", {"player": player})
    player = statements.look(player_id=player_id, by=request.user, reason=reason)
    return _page(request, player, {"reason": reason})


def file_of_player(request: HttpRequest, player_id: int, form: str) -> HttpResponse:
    """The same as a file."""
    reason = request.GET.get("reason", "")
    player = statements.look(player_id=player_id, by=request.user, reason=reason)
    statement = statements.file_of(ChooseSpanForm(request.GET).wanted(player), form=form, now=timezone.now())
    return file_answer(statement, is_saved=True)


def _page(request: HttpRequest, player: User, more: dict[str, Any]) -> HttpResponse:
    form = ChooseSpanForm(request.GET)
    wanted = form.wanted(player)
    cursor = request.GET.get("cursor", "")
    page = statements.page(wanted, limit=_LINES, cursor=cursor)
    sits = history_queries.stays_of(player).filter(left_at=None)
    query = request.GET.copy()
    query.pop("cursor", None)
    context = {
        "player": player,
        "page": page,
        "asked": query.urlencode(),
        "form": form,
        "is_first": not cursor,
        "seated": [] if cursor else history_queries.added_up(sits.order_by("pk")),
        "tables": Table.objects.filter(Exists(Stay.objects.filter(player=player, table=OuterRef("pk")))).order_by(
            "name"
        )[:200],
        "balance": account_queries.wallet_balance(player),
        "comps": account_queries.wallet_balance(player, unit=comps.UNIT),
    }
    is_more = bool(cursor) and request.htmx
    template = "games/reports/_lines.html" if is_more else "games/reports/statement.html"
    return render(request, template, context | more)


def _since(request: HttpRequest, now: datetime) -> datetime | None:
    span = request.GET.get("span", _SPAN)
    return now - timedelta(days=int(span)) if span in SPANS and span.isdigit() else None


def _midnight(day: date | None) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time.min)) if day else None


# -- what programs ask for ---------------------------------------------------------------------------------------------


class FileQuery(Query):
    """What part of a statement is asked for."""

    since = serializers.DateTimeField(required=False, help_text="From this moment on.")
    until = serializers.DateTimeField(required=False, help_text="Before this moment.")
    table = Number(required=False, help_text="Of one table: all that was done there, without the wallet.")
    hands = serializers.BooleanField(required=False, default=False, help_text="Hand by hand as well.")


class SpanQuery(FileQuery):
    """A span, and the size of a page."""

    limit = Number(source="lines", required=False, min_value=1, max_value=_MOST, default=_LIMIT)
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

    of = Visit
    shows = (
        "stay table table_name game stakes is_physical seat since until brought took result hands put_in taken time"
        " comps"
    )
    says = {
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
    shows = "at kind text why wallet chips points balance reference table hand visit"
    says = {
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
    shows = "game stakes is_physical sessions minutes hands result taken time per_hour"


class History(serializers.Serializer[Any]):
    """Sessions at cash tables."""

    games = GameResultSummary(many=True, help_text="All sessions, added up.")
    sessions = VisitSummary(many=True, help_text=f"One by one, the newest {history_queries.MOST:,} at most.")


class Accrual(Shape):
    """Comp points for time played."""

    of = CompAccrual
    shows = "id since until seconds per_hour points"
    says = {"seconds": "Of play: neither sat out nor paused."}


class Comps(serializers.Serializer[Any]):
    """Comp points: what there are, and the newest credits."""

    balance = serializers.IntegerField()
    accruals = Accrual(many=True)


def _book(player: User, *, lines: int, after: str, **asked: Any) -> dict[str, Any]:
    page = statements.page(_wanted(player, **asked), limit=lines, cursor=after)
    return {"next": page.later or None, "results": page.lines}


def _file(player: User, form: str, **asked: Any) -> File:
    return statements.file_of(_wanted(player, **asked), form=form, now=timezone.now())


def _wanted(
    player: User, *, hands: bool, since: datetime | None = None, until: datetime | None = None, table: int | None = None
) -> statements.StatementRequest:
    return statements.StatementRequest(player, since, until, table or None, hands)


def my_book(by: User, **span: Any) -> dict[str, Any]:
    """One's own statement."""
    return _book(by, **span)


def my_book_file(by: User, form: str, **span: Any) -> File:
    """The same as a file."""
    return _file(by, form, **span)


def book_of(by: User, *, player_id: int, reason: str, **span: Any) -> dict[str, Any]:
    """A player's statement, for the staff, who say why they look."""
    return _book(statements.look(player_id=player_id, by=by, reason=reason), **span)


def book_file_of(by: User, *, player_id: int, reason: str, form: str, **span: Any) -> File:
    """The same as a file."""
    return _file(statements.look(player_id=player_id, by=by, reason=reason), form, **span)


def _sessions(by: User, since: datetime | None = None) -> dict[str, Any]:
    now = timezone.now()
    since = since or now - timedelta(days=90)
    return {
        "games": history_queries.by_game(by, since, None, now=now),
        "sessions": history_queries.between(by, since, None),
    }


def _sessions_file(by: User, form: str, since: datetime | None = None) -> File:
    now = timezone.now()
    return statements.history_of(by, since=since or now - timedelta(days=90), form=form, now=now)


def _comps(by: User) -> dict[str, Any]:
    return {"balance": account_queries.wallet_balance(by, unit=comps.UNIT), "accruals": rake_queries.accruals(by)}


PAGES = [
    Page("me/statement/", "my_statement", mine),
    Page("me/statement/stays/<int:stay_id>/", "my_statement_hands", my_hands),
    Page("me/statement/<slug:form>/", "my_statement_file", my_file),
    Page("me/history/", "my_history", my_history, is_heavy=True),
    Page("me/history/<slug:form>/", "my_history_file", my_history_file),
    Page("players/<int:player_id>/statement/", "player_statement", of_player),
    Page("players/<int:player_id>/statement/<slug:form>/", "player_statement_file", file_of_player),
]
_STAFF = "For the floor, cashiers, managers and auditors, with a reason; each look is recorded in the audit log."
_FILES = {"text/csv": "", PDF: ""}


class MyStatement(Resource):
    path, tags = "me/statement", ("me",)
    get = reads(
        my_book,
        name="my_statement",
        summary="Your statement",
        description="Every movement of your chips and seat, to the minute.",
        query=SpanQuery,
        answers=BookPage,
    )


class MyStatementFile(Resource):
    path, tags = "me/statement/<slug:form>", ("me",)
    get = reads(
        my_book_file,
        name="my_statement_file",
        summary="Your statement as CSV or PDF",
        query=FileQuery,
        media=_FILES,
        is_saved=True,
    )


class MyHistory(Resource):
    path, tags = "me/history", ("me",)
    get = reads(
        _sessions,
        name="my_history",
        summary="Your history",
        description="Your sessions at cash tables.",
        query=SinceQuery,
        answers=History,
        is_heavy=True,
    )


class MyHistoryFile(Resource):
    path, tags = "me/history/<slug:form>", ("me",)
    get = reads(
        _sessions_file,
        name="my_history_file",
        summary="Your history as CSV or PDF",
        query=SinceQuery,
        media=_FILES,
        is_saved=True,
    )


class MyComps(Resource):
    path, tags = "me/comps", ("me",)
    get = reads(_comps, name="my_comps", summary="Your comp points", answers=Comps)


class PlayerStatement(Resource):
    path, tags = "players/<id:player_id>/statement", ("players",)
    get = reads(
        book_of,
        name="player_statement",
        summary="A player's statement",
        description=_STAFF,
        query=StaffQuery,
        answers=BookPage,
    )


class PlayerStatementFile(Resource):
    path, tags = "players/<id:player_id>/statement/<slug:form>", ("players",)
    get = reads(
        book_file_of,
        name="player_statement_file",
        summary="A player's statement as CSV or PDF",
        description=_STAFF,
        query=StaffFileQuery,
        media=_FILES,
        is_saved=True,
    )


api = addresses([MyStatement, MyStatementFile, MyHistory, MyHistoryFile, MyComps, PlayerStatement, PlayerStatementFile])
urlpatterns = of.pages(PAGES)
