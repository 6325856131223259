"""Jackpots for programs. What is asked for here is decided at `approvals`."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services.errors import NotFound
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals
from games.models import Jackpot, JackpotHit
from games.selectors import jackpots as selected
from games.services import jackpot_changes, jackpots
from games.web.api import jackpot_serializers as shapes


class JackpotsView(APIView):
    """The jackpots that are on."""

    tags = ("jackpots",)
    is_public = True
    scope = "manage"

    @extend_schema(operation_id="jackpots", summary="Jackpots", responses=shapes.JackpotOut(many=True))
    def get(self, request: Request) -> Response:
        return Response(shapes.JackpotOut(selected.rows(), many=True).data)

    @extend_schema(
        operation_id="ask_for_jackpot",
        summary="Ask for a new jackpot",
        description="It is live, with its seed, once a second person has approved it.",
        request=shapes.ChangeOrder,
        parameters=[keys.PARAMETER],
        responses={202: shapes.Asked} | refusals(409, 422),
    )
    def post(self, request: Request) -> Response:
        return _asked(request, None)


class JackpotView(APIView):
    """One jackpot."""

    tags = ("jackpots",)
    is_public = True
    scope = "manage"

    @extend_schema(operation_id="jackpot", summary="A jackpot", responses=shapes.JackpotOut)
    def get(self, request: Request, jackpot_id: int) -> Response:
        row = next((row for row in selected.rows(with_closed=True) if row.jackpot.pk == jackpot_id), None)
        if row is None:
            raise NotFound("There is no such jackpot.", "no-such-jackpot")
        return Response(shapes.JackpotOut(row).data)

    @extend_schema(
        operation_id="ask_to_change_jackpot",
        summary="Ask for a change of a jackpot",
        description="Other terms, chips added by the house, or its end; so once a second person has approved it.",
        request=shapes.ChangeOrder,
        parameters=[keys.PARAMETER],
        responses={202: shapes.Asked} | refusals(409, 422),
    )
    def post(self, request: Request, jackpot_id: int) -> Response:
        return _asked(request, jackpot_id)


class HitsView(APIView):
    """Hits of a jackpot, newest first."""

    tags = ("jackpots",)
    is_public = True
    scope = "direct"
    pagination_class = NewestFirst

    @extend_schema(operation_id="jackpot_hits", summary="Hits of a jackpot", responses=shapes.Hit(many=True))
    def get(self, request: Request, jackpot_id: int) -> Response:
        if not Jackpot.objects.filter(pk=jackpot_id).exists():
            raise NotFound("There is no such jackpot.", "no-such-jackpot")

        def page(before: int | None, limit: int) -> list[JackpotHit]:
            rows = selected.hits(jackpot_id=jackpot_id)
            return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])

        rows, later = NewestFirst().page(request, page, number=lambda row: row.pk)
        return Response({"next": later, "results": shapes.Hit(rows, many=True).data})

    @extend_schema(
        operation_id="report_jackpot_hit",
        summary="Report a hit at a table in the room",
        description="Hits at tables that are dealt here are found by themselves.",
        request=shapes.HitOrder,
        parameters=[keys.PARAMETER],
        responses={202: shapes.Hit} | refusals(409, 422),
    )
    def post(self, request: Request, jackpot_id: int) -> Response:
        order = shapes.HitOrder.read(request)
        hit = jackpots.propose(
            jackpot_id=jackpot_id,
            table_id=order.pop("table"),
            by=asker(request),
            key=keys.key_of(request),
            **order,
        )
        return Response(shapes.Hit(hit).data, status=status.HTTP_202_ACCEPTED)


def _asked(request: Request, jackpot_id: int | None) -> Response:
    order = shapes.ChangeOrder.read(request)
    row = jackpot_changes.ask(
        jackpot_id=jackpot_id,
        reason=order.pop("reason"),
        add=order.pop("add"),
        is_closed=order.pop("is_closed"),
        settings=order,
        by=asker(request),
        key=keys.key_of(request),
    )
    return Response(shapes.Asked(row).data, status=status.HTTP_202_ACCEPTED)
