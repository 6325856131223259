"""Pages of reports: one for each, its file, and who is sent them by mail."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import CardroomError, Invalid, NotFound
from cardroom.web import files
from games.models import ReportWish
from games.selectors.reports import sheets
from games.selectors.reports.spans import begins, day_of
from games.services import reports
from games.web.bars import bars

TITLES = {
    "drop": "Drop",
    "cage": "Cage",
    "credit": "Credit",
    "liabilities": "Liabilities",
    "players": "Players",
    "jackpots": "Jackpots",
    "dealers": "Dealers",
}
_DAYS = 7
_DAY = timedelta(days=1)


class SpanForm(forms.Form):
    """Gaming days, both included; without them the last seven."""

    since = forms.DateField(required=False, label="From")
    until = forms.DateField(required=False, label="To")
    by = forms.CharField(required=False, max_length=20)

    def span(self, now: datetime) -> tuple[datetime, datetime]:
        if not self.is_valid():
            field, complaints = next(iter(self.errors.items()))
            raise Invalid(f"{field.capitalize()}: {complaints[0]}", "bad-span")
        until = self.cleaned_data["until"] or day_of(now)
        since = self.cleaned_data["since"] or until - _DAY * (_DAYS - 1)
        if not 2000 <= since.year <= until.year <= 9000:
            raise Invalid("Days of a report are in order, from the year 2000 on.", "bad-span")
        return begins(since), begins(until + _DAY)


@never_cache
@login_required
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The first report that this person may read."""
    return _page(request, "drop" if access.has_role(request.user, *reports.READERS) else "cage")


@never_cache
@login_required
@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """A report: bars and a table of the same. `?since=`, `?until=` days, `?by=`."""
    return _page(request, name)


def _page(request: HttpRequest, name: str) -> HttpResponse:
    made, form, now = _sheet(request, name)
    is_reader = access.has_role(request.user, *reports.READERS)
    since, until = form.span(now)
    context = {
        "sheet": made,
        "bars": bars(made.bars),
        "tabs": TITLES if is_reader else {name: TITLES[name] for name in sheets.OF_THE_CAGE},
        "orders": sheets.BY.get(name, ()),
        "by": form.cleaned_data["by"] or next(iter(sheets.BY.get(name, ("",)))),
        "since": day_of(since),
        "until": day_of(until) - _DAY,
        "asked": urlencode({key: request.GET[key] for key in ("since", "until", "by") if request.GET.get(key)}),
        "rows": [_cells(made, row) for row in made.rows],
        "total": _cells(made, made.total, is_total=True) if made.total else None,
        "is_now": made.since == made.until,
        "is_running": until > now,
        "is_reader": is_reader,
        "is_manager": access.has_role(request.user, "manager"),
        "wishes": ReportWish.objects.select_related("user").order_by("user__username", "every") if is_reader else (),
        "every": ReportWish.Every.choices,
    }
    return render(request, "games/reports/page.html", context)


@never_cache
@login_required
@require_safe
def file(request: HttpRequest, name: str, form: str) -> HttpResponse:
    """The same to be taken along."""
    made, _, now = _sheet(request, name)
    return files.answer(reports.file_of(made, form=form, now=now), is_saved=True)


@login_required
@require_POST
def wish(request: HttpRequest) -> HttpResponse:
    """A manager chooses whom reports are sent to."""
    access.require_role(request.user, "manager")
    asked = request.POST
    try:
        user = User.objects.filter(username__iexact=asked.get("who", "").strip(), is_bot=False).first()
        if user is None:
            raise NotFound(f"There is nobody called {asked.get('who', '')[:60]!r}.", "no-such-player")
        is_wished = asked.get("is_wished") != "0"
        every = asked.get("every", "")
        reports.wish(user=user, every=every, by=request.user, is_wished=is_wished)
    except CardroomError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, f"{user} is sent it." if is_wished else f"{user} is sent it no more.")
    return redirect("report", "drop")


def _sheet(request: HttpRequest, name: str) -> tuple[sheets.Sheet, SpanForm, datetime]:
    access.require_role(request.user, *reports.READERS, "cashier")
    now = timezone.now()
    form = SpanForm(request.GET)
    since, until = form.span(now)
    order = form.cleaned_data["by"]
    made = reports.sheet(name=name, by=request.user, since=since, until=until, now=now, order=order)
    return made, form, now


def _cells(made: sheets.Sheet, row: dict[str, Any], *, is_total: bool = False) -> list[tuple[str, sheets.Column]]:
    cells = []
    for place, column in enumerate(made.columns):
        if is_total and column.key not in row:
            cells.append(("In all" if not place else "", column))
        else:
            cells.append((sheets.shown(row.get(column.key), column.form), column))
    return cells
