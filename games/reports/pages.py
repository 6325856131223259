"""Reports: a page and a file of each, the same for programs, and who is sent them by mail. See
`cardroom.core.web.operations`.
"""

from datetime import datetime, timedelta
from typing import Annotated, Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST
from rest_framework import serializers

from cardroom.core import access
from cardroom.core.arguments import Limits
from cardroom.core.documents import PDF, File
from cardroom.core.errors import Invalid, NotFound, Refusal, Verbatim
from cardroom.core.models import User
from cardroom.core.room_time import begins, check, day_of
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Number, Query, Word
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Page, file_answer
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.reports import by_mail, reports, sheets
from games.reports.models import ReportWish
from games.reports.sheets import bars

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
    """Gaming days, both included; without them the last seven."""

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
        "wishes": wishes(by=request.user) if is_reader else (),
        "every": ReportWish.Every.choices,
    }
    return render(request, "games/reports/reports.html", context)


def file(request: HttpRequest, name: str, form: str) -> HttpResponse:
    """The same to be taken along."""
    sheet, _, now = _requested_sheet(request, name)
    return file_answer(reports.file_of(sheet, form=form, now=now), is_saved=True)


@login_required
@require_POST
def wish(request: HttpRequest) -> HttpResponse:
    """A manager chooses whom reports are sent to."""
    access.require_role(request.user, "manager")
    form = request.POST
    try:
        user, is_wished = _named(form.get("who", "").strip()), form.get("is_wished") != "0"
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


# -- what programs ask for ---------------------------------------------------------------------------------------------


class ReportQuery(Query):
    """What is asked for; without a span the seven days until now."""

    since = serializers.DateTimeField(required=False, help_text="From this moment on.")
    until = serializers.DateTimeField(required=False, help_text="Before this moment; liabilities are as of it.")
    by = Word(
        required=False, source="order",
        help_text="drop: day, month, shift, table, game, section, dealer; cage: kind, cashier, drawer.",
    )  # fmt: skip
    player = Number(required=False, help_text="players: this player alone.")


class ReportColumn(Shape):
    of = sheets.SheetColumn
    shows = "key title form"
    says = {
        "key": "The name of the value in the rows.",
        "form": "text, unit (cash, money or comp), chips, signed (whole numbers) or hours (seconds).",
    }


class ReportOut(Shape):
    """A report. A row has a value or null for each column, and a `key` that is the same in every language: an id, a
    day (`2026-11-28`), a month (`2026-11`), or a slug; with its `unit`, where there is one, it is the row's own. Rows
    are in the order of their keys; `title`, `note` and the `name` of a row are in the reader's language."""

    of = sheets.Sheet
    shows = "name title since until note columns rows total"
    columns = ReportColumn(many=True)
    rows = serializers.ListField(source="data", child=serializers.DictField())
    total = serializers.DictField()


class ReportName(serializers.Serializer[Any]):
    name = serializers.CharField()
    by = serializers.ListField(
        child=serializers.CharField(), help_text="What it can be grouped by; the first where nothing is said."
    )


class WishOut(serializers.Serializer[Any]):
    """Somebody is sent a report."""

    user = serializers.CharField(source="user.username")
    every = serializers.CharField(help_text="day or shift.")


WishedUser = Annotated[
    str,
    Limits(called="user", max_length=150, help_text="The screen name of a manager or auditor with an e-mail address."),
]
IsWished = Annotated[bool, Limits(help_text="false: no more.")]


_WEEK = timedelta(days=7)


def _reports(by: User) -> list[dict[str, Any]]:
    return [{"name": name, "by": sheets.GROUPINGS.get(name, ())} for name in sheets.REPORTS]


def _report(
    by: User, name: str, *, since: datetime | None = None, until: datetime | None = None, **asked: Any
) -> sheets.Sheet:
    now = timezone.now()
    check(since, until)
    until = until or now
    return reports.sheet(name=name, by=by, since=since or until - _WEEK, until=until, now=now, **asked)


def _file(by: User, name: str, form: str, **asked: Any) -> File:
    return reports.file_of(_report(by, name, **asked), form=form, now=timezone.now())


def wish_by_name(
    *, name: WishedUser, every: ReportWish.Every, is_wished: IsWished = True, by: User
) -> QuerySet[ReportWish]:
    """Send somebody a report, or no more; whose wishes there are then."""
    by_mail.wish(user=_named(name), every=every, is_wished=is_wished, by=by)
    return wishes(by=by)


def _named(name: str) -> User:
    user = User.objects.filter(username__iexact=name, is_bot=False).first()
    if user is None:
        raise NotFound("no-such-player", "There is no user called {value!r}.", value=name[:60])
    return user


def wishes(*, by: Any) -> QuerySet[ReportWish]:
    """The people who are sent reports."""
    return ReportWish.objects.select_related("user").order_by("user__username", "every")


_SEES = (*reports.READERS, "cashier")
PAGES = [
    Page("reports/", "reports", index, _SEES),
    Page("reports/<slug:name>/", "report", page, _SEES, is_heavy=True),
    Page("reports/<slug:name>/<slug:form>/", "report_file", file, _SEES, is_heavy=True),
]


class Reports(Resource):
    path, tags, scope = "reports", ("reports",), "manage"
    get = reads(_reports, name="reports", summary="Reports", roles=_SEES, answers=ReportName, many=True)


class Report(Resource):
    path, tags, scope = "reports/<slug:name>", ("reports",), "manage"
    get = reads(
        _report,
        name="report",
        summary="A report",
        description="For managers and auditors; a cashier reads `cage`, of their own drawers.",
        query=ReportQuery,
        answers=ReportOut,
        is_heavy=True,
        refuses=(422,),
    )


class ReportFile(Resource):
    path, tags, scope = "reports/<slug:name>/<slug:form>", ("reports",), "manage"
    get = reads(
        _file,
        name="report_file",
        summary="A report as CSV or PDF",
        query=ReportQuery,
        media={"text/csv": "", PDF: ""},
        is_saved=True,
        refuses=(422,),
    )


class ReportWishes(Resource):
    path, tags, scope = "reports/wishes", ("reports",), "manage"
    get = reads(
        wishes,
        name="report_wishes",
        summary="List report subscriptions",
        answers=WishOut,
        many=True,
        roles=reports.READERS,
    )
    post = does(
        wish_by_name,
        name="wish_report",
        summary="Change a report subscription",
        description="For managers. A repeat changes nothing.",
        answers=WishOut,
        many=True,
        roles=("manager",),
        refuses=(404, 422),
    )


# Before the report of any name, which `wishes` is not.
api = addresses([ReportWishes, Reports, Report, ReportFile])
urlpatterns = [path("reports/wishes/", wish, name="report_wish"), *of.pages(PAGES, [])]
