"""Pages of a player's statement, for the player and the staff, and of their history."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts import people as account_queries
from cardroom.core import room_time
from cardroom.core.errors import Invalid, Verbatim
from cardroom.core.models import User
from cardroom.core.web.file_answers import file_answer
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.parts import part_of
from games.rake import comps
from games.reports import statements
from games.reports.charts import line_chart
from games.reports.statement_files import history_file, statement_file
from games.reports.statement_lines import StatementRequest
from games.tables.models.tables import Table
from games.tables.models.times import Stay
from games.tables.queries import history as history_queries
from games.tables.queries.history import hands_of

_LINES, _HANDS, _SESSIONS = 50, 50, 30
_SPAN = "90"
SPANS = {
    "30": gettext_lazy("30 days"),
    "90": gettext_lazy("90 days"),
    "365": gettext_lazy("a year"),
    "all": gettext_lazy("all time"),
}


class ChooseSpanForm(forms.Form):
    """The part of a statement to show; days are in the reader's zone, both included."""

    since = forms.DateField(required=False, label=gettext_lazy("From"))
    until = forms.DateField(required=False, label=gettext_lazy("To"))
    table = forms.IntegerField(required=False, min_value=1, max_value=10**9)
    hands = forms.BooleanField(required=False)

    def wanted(self, player: User) -> StatementRequest:
        if not self.is_valid():
            field, complaints = next(iter(self.errors.items()))
            words = gettext("{name}: {words}").format(name=self[field].label, words=complaints[0])
            raise Invalid("bad-span", Verbatim(words))
        values = self.cleaned_data
        room_time.check(values["since"], values["until"])
        until = values["until"] + timedelta(days=1) if values["until"] else None
        return StatementRequest(player, _midnight(values["since"]), _midnight(until), values["table"], values["hands"])


def mine(request: HttpRequest) -> HttpResponse:
    """The player's own statement; `?cursor=` shows older lines."""
    return _page(request, request.user, {"is_mine": True})


def my_file(request: HttpRequest, form: str) -> HttpResponse:
    """The statement as a file."""
    statement = statement_file(ChooseSpanForm(request.GET).wanted(request.user), form=form, now=timezone.now())
    return file_answer(statement, is_saved=True)


@part_of("my_statement")
def my_hands(request: HttpRequest, stay_id: int) -> HttpResponse:
    """The hands of one stay, shown under its line."""
    before = request.GET.get("before", "")
    older = int(before) if before.isascii() and before.isdigit() and len(before) < 19 else None
    rows = hands_of(stay_id, request.user, limit=_HANDS + 1, before=older)
    context = {"hands": rows[:_HANDS], "stay": stay_id, "has_more": len(rows) > _HANDS}
    return render(request, "games/reports/_hands.html", context)


def my_history(request: HttpRequest) -> HttpResponse:
    """The player's sessions, results by game, and a chart."""
    player, now = request.user, timezone.now()
    span, since = request.GET.get("span", _SPAN), _since(request, now)
    newest = history_queries.stays_between(player, since, None, limit=_SESSIONS)
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
    return file_answer(history_file(request.user, since=_since(request, now), form=form, now=now), is_saved=True)


def of_player(request: HttpRequest, player_id: int) -> HttpResponse:
    """A player's statement, for the staff, with the reason in `?reason=`; without one a form asks for it."""
    reason = request.GET.get("reason", "")
    if not reason:
        player = statements.may_look(player_id=player_id, by=request.user)
        return render(request, "games/reports/ask.html", {"player": player})
    player = statements.look(player_id=player_id, by=request.user, reason=reason)
    return _page(request, player, {"reason": reason})


def file_of_player(request: HttpRequest, player_id: int, form: str) -> HttpResponse:
    """A player's statement as a file."""
    reason = request.GET.get("reason", "")
    player = statements.look(player_id=player_id, by=request.user, reason=reason)
    statement = statement_file(ChooseSpanForm(request.GET).wanted(player), form=form, now=timezone.now())
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


PAGES = [
    Page("me/statement/", "my_statement", mine),
    Page("me/statement/stays/<int:stay_id>/", "my_statement_hands", my_hands),
    Page("me/statement/<slug:form>/", "my_statement_file", my_file),
    Page("me/history/", "my_history", my_history, is_heavy=True),
    Page("me/history/<slug:form>/", "my_history_file", my_history_file),
    Page("players/<int:player_id>/statement/", "player_statement", of_player),
    Page("players/<int:player_id>/statement/<slug:form>/", "player_statement_file", file_of_player),
]
urlpatterns = page_urls(PAGES)
