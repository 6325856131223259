"""The trail: what staff did, for managers and auditors; and what staff writes down itself."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import StaffAction
from cardroom.services import access, trail
from cardroom.services.prints import trail_files
from cardroom.web import files
from cardroom.web.api import keys
from cardroom.web.api import player_serializers as shapes
from cardroom.web.api.access import asker
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals


def _asked(request: Request) -> dict[str, Any]:
    return shapes.ActQuery.read(request)


class TrailView(APIView):
    """What staff did."""

    tags = ("trail",)
    scope = "direct"
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="trail", summary="The trail", parameters=[shapes.ActQuery], responses=shapes.Act(many=True)
    )
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), *trail.READERS)
        found = trail.acts(**_asked(request)).order_by("-pk")

        def rows(before: int | None, limit: int) -> list[StaffAction]:
            return list((found.filter(pk__lt=before) if before is not None else found)[:limit])

        acts, later = NewestFirst().page(request, rows, number=lambda act: act.pk)
        return Response({"next": later, "results": shapes.Act(acts, many=True).data})

    @extend_schema(
        operation_id="add_event",
        summary="Write down something that happened",
        description="For staff, in words of their own.",
        request=shapes.EventOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.Act} | refusals(409),
    )
    def post(self, request: Request) -> Response:
        order = shapes.EventOrder.read(request)
        act = trail.add_event(by=asker(request), key=keys.key_of(request), **order)
        return Response(shapes.Act(act).data, status=status.HTTP_201_CREATED)


class TrailFileView(APIView):
    """The trail as a file."""

    tags = ("trail",)

    @extend_schema(
        operation_id="trail_file",
        summary="The trail as CSV or PDF",
        parameters=[shapes.ActQuery],
        responses={(200, "text/csv"): OpenApiTypes.STR, (200, "application/pdf"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, form: str) -> HttpResponse:
        access.require_role(asker(request), *trail.READERS)
        made = trail_files.file_of(trail.acts(**_asked(request)), form=form, now=timezone.now())
        return files.answer(made, is_saved=True)
