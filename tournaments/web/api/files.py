"""An event as files."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.views import APIView

from cardroom.web import files
from tournaments.services import exports
from tournaments.web.api.looking import event_of


class _ByAddress(DefaultContentNegotiation):
    """The address says the form: whatever a program accepts, a refusal is a problem in JSON."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


class ExportView(APIView):
    """One table of an event as a file."""

    tags = ("results",)
    is_public = True
    content_negotiation_class = _ByAddress

    @extend_schema(
        operation_id="export",
        summary="An event as a file",
        description=f"`what`: {', '.join(exports.TABLES)}; `form`: csv or json, for the results also pdf. Entries and "
        "payouts are for the staff of the desk.",
        responses={
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "application/pdf"): OpenApiTypes.BINARY,
        },
    )
    def get(self, request: Request, tournament_id: int, what: str, form: str) -> HttpResponse:
        row = event_of(request, tournament_id)
        file = exports.export(tournament=row, what=what, form=form, viewer=request.user, now=timezone.now())
        return files.answer(file, is_saved=True)
