"""What events are made from and what they belong to: templates, structures, series."""

from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access
from cardroom.services.errors import NotFound
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.schema import refusals
from cardroom.web.api.typed import object_of
from tournaments import structures
from tournaments.engine import plain, wizard
from tournaments.engine.errors import IllegalAction
from tournaments.models import Series, Template
from tournaments.services import playing, series, staff, templates
from tournaments.structures import Preset
from tournaments.web.api import plan_serializers as shapes
from tournaments.web.api.orders import DIRECTORS

# -- templates -------------------------------------------------------------------------------------------------------


class TemplatesView(APIView):
    """Events to be made again and again."""

    tags = ("templates",)
    scope = "direct"

    @extend_schema(
        operation_id="templates", summary="Templates", description=DIRECTORS, responses=shapes.TemplateRow(many=True)
    )
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), *staff.DIRECTORS)
        rows = Template.objects.filter(is_archived=False).order_by("name")
        return Response(shapes.TemplateRow(rows, many=True).data)

    @extend_schema(
        operation_id="make_template",
        summary="Make a template, of an event's terms or of your own",
        description=f"{DIRECTORS} The same name once more, under another key, is refused.",
        request=shapes.TemplateOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.TemplateRow} | refusals(404, 409, 422),
    )
    def post(self, request: Request) -> Response:
        order, by = shapes.TemplateOrder.read(request), asker(request)
        given = {"by": by, "key": keys.key_of(request)}
        event = order.pop("tournament", None)
        if event is not None:
            row = templates.save_as(tournament_id=event, name=order["name"], **given)
        else:
            row = templates.create(**given, **order)
        return Response(shapes.TemplateRow(row).data, status=status.HTTP_201_CREATED)


class TemplateView(APIView):
    """A template."""

    tags = ("templates",)
    scope = "direct"

    @extend_schema(operation_id="template", summary="A template", description=DIRECTORS, responses=shapes.TemplateRow)
    def get(self, request: Request, template_id: int) -> Response:
        access.require_role(asker(request), *staff.DIRECTORS)
        return Response(shapes.TemplateRow(templates.find(template_id)).data)

    @extend_schema(
        operation_id="edit_template",
        summary="Change a template",
        description=f"{DIRECTORS} Events made from it stay as they are.",
        request=shapes.TemplateChange,
        responses={200: shapes.TemplateRow} | refusals(409, 422),
    )
    def patch(self, request: Request, template_id: int) -> Response:
        order = shapes.TemplateChange.read(request)
        row = templates.edit(template_id=template_id, by=asker(request), **order)
        return Response(shapes.TemplateRow(row).data)

    @extend_schema(
        operation_id="archive_template", summary="Put a template away", description=DIRECTORS, responses={204: None}
    )
    def delete(self, request: Request, template_id: int) -> Response:
        templates.archive(template_id=template_id, by=asker(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


# -- structures ------------------------------------------------------------------------------------------------------


class StructuresView(APIView):
    """Structures ready for use, and such as are made to measure."""

    tags = ("templates",)
    is_public = True

    @extend_schema(
        operation_id="structures",
        summary="Structures ready for use",
        responses={200: {"type": "array", "items": object_of(Preset)}},
    )
    def get(self, request: Request) -> Response:
        return Response(plain.to_plain([structures.load(slug) for slug in structures.slugs()]))

    @extend_schema(
        operation_id="suggest_structure",
        summary="A structure made to measure",
        description="Levels for so many players, chips and hours, and how it is likely to go. Nothing is kept.",
        request=shapes.StructureOrder,
        parameters=[keys.PARAMETER],
        responses={200: object_of(shapes.Suggested)} | refusals(422),
    )
    def post(self, request: Request) -> Response:
        order = shapes.StructureOrder.read(request)
        players, stack = order["players"], order["stack"]
        try:
            made = wizard.suggest(
                players, stack, Fraction(order["half_hours"], 2), order["chips"], order["minutes"], order["games"]
            )
            lasts, preview = wizard.lasts(made, players, stack), wizard.preview(made, players, stack)
        except IllegalAction as error:
            raise playing.refusal(error) from None
        return Response(plain.to_plain(shapes.Suggested(made, lasts, preview)))


# -- series ----------------------------------------------------------------------------------------------------------


class AllSeriesView(APIView):
    """Events that belong together."""

    tags = ("series",)
    is_public = True
    scope = "direct"

    @extend_schema(operation_id="all_series", summary="Series", responses=shapes.SeriesRow(many=True))
    def get(self, request: Request) -> Response:
        rows = Series.objects.filter(is_archived=False).order_by("-starts_on", "name")
        return Response(shapes.SeriesRow(rows, many=True).data)

    @extend_schema(
        operation_id="make_series",
        summary="Make a series",
        description=f"{DIRECTORS} The same name once more, under another key, is refused.",
        request=shapes.SeriesOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.SeriesRow} | refusals(409, 422),
    )
    def post(self, request: Request) -> Response:
        order = shapes.SeriesOrder.read(request)
        row = series.create(by=asker(request), key=keys.key_of(request), **order)
        return Response(shapes.SeriesRow(row).data, status=status.HTTP_201_CREATED)


class SeriesView(APIView):
    """A series. Its events: `tournaments?series=`."""

    tags = ("series",)
    is_public = True
    scope = "direct"

    @extend_schema(operation_id="series", summary="A series", responses=shapes.SeriesRow)
    def get(self, request: Request, series_id: int) -> Response:
        row = Series.objects.filter(pk=series_id).first()
        if row is None:
            raise NotFound("There is no such series.", "no-such-series")
        return Response(shapes.SeriesRow(row).data)

    @extend_schema(
        operation_id="edit_series",
        summary="Change a series",
        description=DIRECTORS,
        request=shapes.SeriesChange,
        responses={200: shapes.SeriesRow} | refusals(409, 422),
    )
    def patch(self, request: Request, series_id: int) -> Response:
        order: dict[str, Any] = shapes.SeriesChange.read(request)
        return Response(shapes.SeriesRow(series.edit(series_id=series_id, by=asker(request), **order)).data)
