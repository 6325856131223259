"""A player's own books: the statement, the hands folded into it, the history; and the staff's look at a player's."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardroom.models import User
from cardroom.services import selectors
from cardroom.services.errors import Invalid
from cardroom.web import files
from cardroom.web.parts import part_of
from games.models import Stay, Table
from games.selectors import history, statement
from games.selectors.stays import hands_of
from games.services import comps, statements
from games.web.charts import line_chart

_LINES, _HANDS, _SESSIONS = 50, 50, 30
_SPAN = "90"
SPANS = {"30": "30 days", "90": "90 days", "365": "a year", "all": "all time"}


class SpanForm(forms.Form):
    """What part of a statement is asked for; days are those of the house, both included."""

    since = forms.DateField(required=False, label="From")
    until = forms.DateField(required=False, label="To")
    table = forms.IntegerField(required=False, min_value=1, max_value=10**9)
    hands = forms.BooleanField(required=False)

    def wanted(self, player: User) -> statement.Wanted:
        if not self.is_valid():
            field, complaints = next(iter(self.errors.items()))
            raise Invalid(f"{field.capitalize()}: {complaints[0]}", "bad-span")
        asked = self.cleaned_data
        until = asked["until"] + timedelta(days=1) if asked["until"] else None
        return statement.Wanted(player, _midnight(asked["since"]), _midnight(until), asked["table"], asked["hands"])


@login_required
@never_cache
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """One's statement; `?cursor=` goes back."""
    return _page(request, request.user, "games/statement/page.html", {"is_mine": True})


@login_required
@never_cache
@require_safe
def my_file(request: HttpRequest, form: str) -> HttpResponse:
    """The statement to be taken along."""
    made = statements.file_of(SpanForm(request.GET).wanted(request.user), form=form, now=timezone.now())
    return files.answer(made, is_saved=True)


@part_of("my_statement")
@login_required
@never_cache
@require_safe
def my_hands(request: HttpRequest, stay_id: int) -> HttpResponse:
    """The hands of one stay, for the fold of its line."""
    before = request.GET.get("before", "")
    older = int(before) if before.isascii() and before.isdigit() and len(before) < 19 else None
    rows = hands_of(stay_id, request.user, limit=_HANDS + 1, before=older)
    context = {"hands": rows[:_HANDS], "stay": stay_id, "has_more": len(rows) > _HANDS}
    return render(request, "games/statement/_hands.html", context)


@login_required
@never_cache
@require_safe
def my_history(request: HttpRequest) -> HttpResponse:
    """Sessions, results by game, and how they went."""
    return _history(request, request.user, {"is_mine": True})


@login_required
@never_cache
@require_safe
def my_history_file(request: HttpRequest, form: str) -> HttpResponse:
    """The sessions of the span that is looked at, to be taken along."""
    now = timezone.now()
    return files.answer(
        statements.history_of(request.user, since=_since(request, now), form=form, now=now), is_saved=True
    )


@login_required
@never_cache
@require_safe
def of_player(request: HttpRequest, player_id: int) -> HttpResponse:
    """A player's statement, for the staff: `?reason=` says why, and is kept; without one it is asked for."""
    reason = request.GET.get("reason", "")
    if not reason:
        player = statements.may_look(player_id=player_id, by=request.user)
        return render(request, "games/statement/ask.html", {"player": player})
    player = statements.look(player_id=player_id, by=request.user, reason=reason)
    return _page(request, player, "games/statement/page.html", {"reason": reason})


@login_required
@never_cache
@require_safe
def file_of_player(request: HttpRequest, player_id: int, form: str) -> HttpResponse:
    """The same as a file."""
    reason = request.GET.get("reason", "")
    player = statements.look(player_id=player_id, by=request.user, reason=reason)
    made = statements.file_of(SpanForm(request.GET).wanted(player), form=form, now=timezone.now())
    return files.answer(made, is_saved=True)


def _page(request: HttpRequest, player: User, template: str, more: dict[str, Any]) -> HttpResponse:
    form = SpanForm(request.GET)
    wanted = form.wanted(player)
    cursor = request.GET.get("cursor", "")
    page = statement.page(wanted, limit=_LINES, cursor=cursor)
    asked = request.GET.copy()
    asked.pop("cursor", None)
    context = {
        "player": player,
        "page": page,
        "asked": asked.urlencode(),
        "form": form,
        "is_first": not cursor,
        "seated": [] if cursor else statement.still_seated(player),
        "tables": Table.objects.filter(Exists(_stays_at_table(player))).order_by("name")[:200],
        "balance": selectors.wallet_balance(player),
        "comps": selectors.wallet_balance(player, unit=comps.UNIT),
    }
    is_more = bool(cursor) and request.htmx
    return render(request, "games/statement/_lines.html" if is_more else template, context | more)


def _stays_at_table(player: User) -> QuerySet[Stay]:
    return Stay.objects.filter(player=player, table=OuterRef("pk"))


def _history(request: HttpRequest, player: User, more: dict[str, Any]) -> HttpResponse:
    now = timezone.now()
    span, since = request.GET.get("span", _SPAN), _since(request, now)
    newest = history.between(player, since, None, limit=_SESSIONS)
    games = history.by_game(player, since, None, now=now)
    points = history.over_time(player, since, None, now=now)
    played = sum(game.sessions for game in games)
    context = {
        "player": player,
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
    return render(request, "games/statement/history.html", context | more)


def _since(request: HttpRequest, now: datetime) -> datetime | None:
    span = request.GET.get("span", _SPAN)
    return now - timedelta(days=int(span)) if span in SPANS and span.isdigit() else None


def _midnight(day: date | None) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time.min)) if day else None
