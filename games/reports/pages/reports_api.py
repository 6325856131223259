"""Reports for programs, and the people to whom they are mailed."""

from datetime import datetime, timedelta
from typing import Annotated, Any

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers

from cardroom.core.arguments import Limits
from cardroom.core.documents import PDF, File
from cardroom.core.models import User
from cardroom.core.room_time import check
from cardroom.core.web.api.fields import Number, Query, Word
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.reports import by_mail, reports, sheets
from games.reports.models import ReportWish


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
    field_names = "key title form"
    help_texts = {
        "key": "The name of the value in the rows.",
        "form": "text, unit (cash, money or comp), chips, signed (whole numbers) or hours (seconds).",
    }


class ReportOut(Shape):
    """A report. A row has a value or null for each column, and a `key` that is the same in every language: an id, a
    day (`2026-11-28`), a month (`2026-11`), or a slug; with its `unit`, where there is one, it is the row's own. Rows
    are in the order of their keys; `title`, `note` and the `name` of a row are in the reader's language."""

    of = sheets.Sheet
    field_names = "name title since until note columns rows total"
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


def report_names(by: User) -> list[dict[str, Any]]:
    """All reports, and what each can be grouped by."""
    return [{"name": name, "by": sheets.GROUPINGS.get(name, ())} for name in sheets.REPORTS]


def report(
    by: User,
    name: str,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    order: str = "",
    player: int | None = None,
) -> sheets.Sheet:
    """A report; without a span that of the seven days until now."""
    now = timezone.now()
    check(since, until)
    until = until or now
    return reports.sheet(
        name=name, by=by, since=since or until - _WEEK, until=until, now=now, order=order, player=player
    )


def report_file(
    by: User,
    name: str,
    form: str,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    order: str = "",
    player: int | None = None,
) -> File:
    """The report as a file."""
    sheet = report(by, name, since=since, until=until, order=order, player=player)
    return reports.sheet_file(sheet, form=form, now=timezone.now())


def wish_by_name(
    *, name: WishedUser, every: ReportWish.Every, is_wished: IsWished = True, by: User
) -> QuerySet[ReportWish]:
    """Send somebody a report, or no more. Returns who is sent reports then."""
    by_mail.wish(user=by_mail.user_named(name), every=every, is_wished=is_wished, by=by)
    return by_mail.wishes()


def report_wishes(by: User) -> QuerySet[ReportWish]:
    """The people who are sent reports."""
    return by_mail.wishes()


class ReportNamesResource(Resource):
    path, tags, scope = "reports", ("reports",), "manage"
    get = reads(report_names, name="reports", summary="Reports", roles=reports.ROLES, answers=ReportName, many=True)


class SheetResource(Resource):
    path, tags, scope = "reports/<slug:name>", ("reports",), "manage"
    get = reads(
        report,
        name="report",
        summary="A report",
        description="For managers and auditors; a cashier reads `cage`, of their own drawers.",
        query=ReportQuery,
        answers=ReportOut,
        is_heavy=True,
        refuses=(422,),
    )


class SheetFileResource(Resource):
    path, tags, scope = "reports/<slug:name>/<slug:form>", ("reports",), "manage"
    get = reads(
        report_file,
        name="report_file",
        summary="A report as CSV or PDF",
        query=ReportQuery,
        media={"text/csv": "", PDF: ""},
        is_saved=True,
        refuses=(422,),
    )


class ReportWishesResource(Resource):
    path, tags, scope = "reports/wishes", ("reports",), "manage"
    get = reads(
        report_wishes,
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


# `reports/wishes` first: it would match the address of a report, too.
api = addresses([ReportWishesResource, ReportNamesResource, SheetResource, SheetFileResource])
