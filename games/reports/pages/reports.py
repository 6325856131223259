"""Pages of reports, their files, and the people to whom they are mailed."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST

from cardroom.core import access
from cardroom.core.errors import Invalid, Refusal, Verbatim
from cardroom.core.room_time import begins, check, day_of
from cardroom.core.web.file_answers import file_answer
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from games.reports import by_mail, reports, sheets
from games.reports.charts import bars
from games.reports.models import ReportWish

TITLES = {
    "drop": gettext_lazy("Drop"),
    "cage": gettext_lazy("Cage"),
    "credit": gettext_lazy("Credit"),
    "liabilities": gettext_lazy("Liabilities"),
    "players": gettext_lazy("Players"),
    "jackpots": gettext_lazy("Jackpots"),
    "dealers": gettext_lazy("Dealers"),
    "losses": gettext_lazy("One-way losses"),
}
_DAYS = 7
_DAY = timedelta(days=1)


class ChooseDaysForm(forms.Form):
    """The gaming days of a report, both included; by default the last seven."""

    since = forms.DateField(required=False, label=gettext_lazy("From"))
    until = forms.DateField(required=False, label=gettext_lazy("To"))
    by = forms.CharField(required=False, max_length=20)

    def span(self, now: datetime) -> tuple[datetime, datetime]:
        if not self.is_valid():
            field, complaints = next(iter(self.errors.items()))
            words = gettext("{name}: {words}").format(name=self[field].label, words=complaints[0])
            raise Invalid("bad-span", Verbatim(words))
        until = self.cleaned_data["until"] or day_of(now)
        check(until)
        since = self.cleaned_data["since"] or until - _DAY * (_DAYS - 1)
        if not 2000 <= since.year <= until.year:
            raise Invalid("bad-span", "Days of a report are in order, from the year 2000 on.")
        return begins(since), begins(until + _DAY)


def index(request: HttpRequest) -> HttpResponse:
    """The first report that this person may read."""
    return page(request, "drop" if access.has_role(request.user, *reports.READERS) else "cage")


def page(request: HttpRequest, name: str) -> HttpResponse:
    """A report: bars and a table of the same. `?since=`, `?until=` days, `?by=`."""
    sheet, form, now = _requested_sheet(request, name)
    is_reader = access.has_role(request.user, *reports.READERS)
    since, until = form.span(now)
    context = {
        "sheet": sheet,
        "bars": bars(sheet.bars),
        "tabs": TITLES if is_reader else {name: TITLES[name] for name in sheets.OF_THE_CAGE},
        "orders": [(order, words) for order, (_, words) in sheets.GROUPING_WORDS.get(name, {}).items()],
        "by": form.cleaned_data["by"] or next(iter(sheets.GROUPINGS.get(name, ("",)))),
        "since": day_of(since),
        "until": day_of(until) - _DAY,
        "asked": urlencode({key: request.GET[key] for key in ("since", "until", "by") if request.GET.get(key)}),
        "rows": [_cells(sheet, row) for row in sheet.rows],
        "total": _cells(sheet, sheet.total, is_total=True) if sheet.total else None,
        "is_now": sheet.since == sheet.until,
        "is_running": until > now,
        "is_reader": is_reader,
        "is_manager": access.has_role(request.user, "manager"),
        "wishes": by_mail.wishes() if is_reader else (),
        "every": ReportWish.Every.choices,
    }
    return render(request, "games/reports/reports.html", context)


def file(request: HttpRequest, name: str, form: str) -> HttpResponse:
    """The report as a file."""
    sheet, _, now = _requested_sheet(request, name)
    return file_answer(reports.sheet_file(sheet, form=form, now=now), is_saved=True)


@login_required
@require_POST
def wish(request: HttpRequest) -> HttpResponse:
    """A manager has a report sent to somebody, or no more."""
    access.require_role(request.user, "manager")
    form = request.POST
    try:
        user, is_wished = by_mail.user_named(form.get("who", "").strip()), form.get("is_wished") != "0"
        by_mail.wish(user=user, every=form.get("every", ""), by=request.user, is_wished=is_wished)
    except Refusal as refusal:
        messages.error(request, refusal.message)
    else:
        pattern = gettext("{user} gets this report.") if is_wished else gettext("{user} no longer gets this report.")
        messages.success(request, pattern.format(user=user))
    return redirect("report", "drop")


def _requested_sheet(request: HttpRequest, name: str) -> tuple[sheets.Sheet, ChooseDaysForm, datetime]:
    now = timezone.now()
    form = ChooseDaysForm(request.GET)
    since, until = form.span(now)
    order = form.cleaned_data["by"]
    sheet = reports.sheet(name=name, by=request.user, since=since, until=until, now=now, order=order)
    return sheet, form, now


def _cells(
    sheet: sheets.Sheet, row: dict[str, Any], *, is_total: bool = False
) -> list[tuple[str, sheets.SheetColumn, str]]:
    """The cells of a row, each with its column and, of a player, the address of their page."""
    cells = []
    for place, column in enumerate(sheet.columns):
        if is_total and column.key not in row:
            cells.append((gettext("Total") if not place else "", column, ""))
        else:
            player = row.get(f"{column.key}_id")
            address = reverse("player", args=[player]) if player else ""
            cells.append((sheets.shown(row.get(column.key), column.form), column, address))
    return cells


PAGES = [
    Page("reports/", "reports", index, reports.ROLES),
    Page("reports/<slug:name>/", "report", page, reports.ROLES, is_heavy=True),
    Page("reports/<slug:name>/<slug:form>/", "report_file", file, reports.ROLES, is_heavy=True),
]
urlpatterns = [path("reports/wishes/", wish, name="report_wish"), *page_urls(PAGES, [])]
