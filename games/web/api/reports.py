"""Reports for programs: each as rows and a sum, or as a file; and who is sent them by mail."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import NotFound
from cardroom.web import files
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Flag, Number, Order, Query, Text, Word
from cardroom.web.api.schema import refusals
from games.models import ReportWish
from games.selectors.reports import sheets
from games.services import reports

_WEEK = timedelta(days=7)


class ReportQuery(Query):
    """What is asked for; without a span the seven days until now."""

    since = serializers.DateTimeField(required=False, help_text="From this moment on.")
    until = serializers.DateTimeField(required=False, help_text="Before this moment; liabilities are as of it.")
    by = Word(required=False, help_text="drop: day, month, shift, table, game, section, dealer; cage: "
              "kind, cashier, drawer.")  # fmt: skip
    player = Number(required=False, help_text="players: this player alone.")


class ReportColumn(serializers.Serializer[Any]):
    key = serializers.CharField(help_text="The name of the value in the rows.")
    title = serializers.CharField()
    form = serializers.CharField(help_text="text, chips, signed (whole numbers) or hours (seconds).")


class ReportOut(serializers.Serializer[Any]):
    """A report. Every row has a `key` (an id, a day, a month), and a value or null for each column."""

    name = serializers.CharField()
    title = serializers.CharField()
    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    note = serializers.CharField()
    columns = ReportColumn(many=True)
    rows = serializers.ListField(child=serializers.DictField())
    total = serializers.DictField()


class ReportName(serializers.Serializer[Any]):
    name = serializers.CharField()
    by = serializers.ListField(child=serializers.CharField(), help_text="What it can be by; the first by itself.")


class WishOut(serializers.Serializer[Any]):
    """Somebody is sent a report."""

    user = serializers.CharField(source="user.username")
    every = serializers.CharField(help_text="day or shift.")


class ReportWishOrder(Order):
    user = Text(max_length=150, help_text="The screen name of a manager or auditor with an e-mail address.")
    every = serializers.ChoiceField(ReportWish.Every.choices)
    is_wished = Flag(required=False, default=True, help_text="false: no more.")


class ReportsView(APIView):
    """The reports there are."""

    tags = ("reports",)
    scope = "manage"

    @extend_schema(operation_id="reports", summary="Reports", responses=ReportName(many=True))
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), *reports.READERS, "cashier")
        known = [{"name": name, "by": sheets.BY.get(name, ())} for name in sheets.REPORTS]
        return Response(ReportName(known, many=True).data)


class ReportView(APIView):
    """One report."""

    tags = ("reports",)
    scope = "manage"

    @extend_schema(
        operation_id="report",
        summary="A report",
        description="For managers and auditors; a cashier reads `cage`, of their own drawers.",
        parameters=[ReportQuery],
        responses={200: ReportOut} | refusals(422),
    )
    def get(self, request: Request, name: str) -> Response:
        return Response(ReportOut(_sheet(request, name)).data)


class ReportFileView(APIView):
    """A report as a file."""

    tags = ("reports",)
    scope = "manage"

    @extend_schema(
        operation_id="report_file",
        summary="A report as CSV or PDF",
        parameters=[ReportQuery],
        responses={(200, "text/csv"): OpenApiTypes.STR, (200, "application/pdf"): OpenApiTypes.BINARY} | refusals(422),
    )
    def get(self, request: Request, name: str, form: str) -> HttpResponse:
        found = reports.file_of(_sheet(request, name), form=form, now=timezone.now())
        return files.answer(found, is_saved=True)


class WishesView(APIView):
    """Who is sent reports by mail."""

    tags = ("reports",)
    scope = "manage"

    @extend_schema(operation_id="report_wishes", summary="Who is sent reports", responses=WishOut(many=True))
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), *reports.READERS)
        rows = ReportWish.objects.select_related("user").order_by("user__username", "every")
        return Response(WishOut(rows, many=True).data)

    @extend_schema(
        operation_id="wish_report",
        summary="Send somebody reports, or no more",
        description="For managers. Asked again nothing changes.",
        request=ReportWishOrder,
        responses={200: WishOut(many=True)} | refusals(404, 422),
    )
    def post(self, request: Request) -> Response:
        by = access.require_role(asker(request), "manager")
        order = ReportWishOrder.read(request)
        user = User.objects.filter(username__iexact=order.pop("user"), is_bot=False).first()
        if user is None:
            raise NotFound("There is nobody of that name.", "no-such-player")
        reports.wish(user=user, by=by, **order)
        rows = ReportWish.objects.select_related("user").order_by("user__username", "every")
        return Response(WishOut(rows, many=True).data, status=status.HTTP_200_OK)


def _sheet(request: Request, name: str) -> sheets.Sheet:
    now = timezone.now()
    asked = ReportQuery.read(request)
    until: datetime = asked.get("until") or now
    since: datetime = asked.get("since") or until - _WEEK
    return reports.sheet(
        name=name,
        by=asker(request),
        since=since,
        until=until,
        now=now,
        order=asked.get("by", ""),
        player=asked.get("player"),
    )
