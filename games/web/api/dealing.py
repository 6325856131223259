"""Dealers: starting hands, entering what was done, and what is to be done next."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.schema import refusals
from games import selectors
from games.services import dealer
from games.web.api import hand_serializers, hands
from games.web.api import staff_serializers as shapes
from games.web.api.hand_view import turn_of


class StartHandView(APIView):
    """The next hand of a table that a person deals."""

    tags = ("dealers",)
    scope = "direct"

    @extend_schema(
        operation_id="start_hand",
        summary="Start a hand",
        request=shapes.StartOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.Started} | refusals(409, 422),
    )
    def post(self, request: Request, table_id: int) -> Response:
        order = shapes.StartOrder.read(request)
        command_id = hands.named(order.get("command_id", ""), keys.key_of(request))
        started = dealer.start_hand(
            table_id=table_id,
            by=asker(request),
            absent=order.get("absent", ()),
            command_id=command_id,
        )
        return Response(shapes.Started(started).data, status=status.HTTP_201_CREATED)


class DealerView(APIView):
    """A hand as its dealer needs it. They see of the cards what the rail sees."""

    tags = ("dealers",)
    scope = "direct"

    @extend_schema(
        operation_id="procedure",
        summary="What correct procedure wants now",
        description="For dealers and the floor.",
        responses=shapes.Procedure,
    )
    def get(self, request: Request, hand_id: int) -> Response:
        access.require_role(asker(request), *dealer.ROLES)
        return Response(shapes.Procedure(_told(selectors.procedure(hand_id=hand_id))).data)

    @extend_schema(
        operation_id="enter",
        summary="Enter what was done at the table",
        description="For dealers and the floor. A mistake is entered as it happened; the ruling is among the facts.",
        request=shapes.DealerOrder,
        parameters=[keys.PARAMETER],
        responses={200: hand_serializers.Receipt} | refusals(409, 422),
    )
    def post(self, request: Request, hand_id: int) -> Response:
        order = shapes.DealerOrder.read(request)
        receipt = dealer.command(
            hand_id=hand_id,
            by=asker(request),
            what=order["what"],
            fields=order.get("fields", {}),
            expected_seq=order.get("expected_seq"),
            command_id=hands.named(order.get("command_id", ""), keys.key_of(request)),
        )
        return Response(hands.receipt_told(hand_id, receipt, viewer=request.user))


def _told(procedure: selectors.Procedure) -> dict[str, Any]:
    """In the shape of `staff_serializers.Procedure`."""
    low = procedure.lowcard
    return {
        **{name: getattr(procedure, name) for name in ("hand", "seq", "awaits", "next", "receivers", "cards_each")},
        **{name: getattr(procedure, name) for name in ("burns", "stub", "is_typed", "premature_street", "mistake")},
        "cards_to_name": procedure.cards_to_name,
        "common_due": procedure.is_common_due,
        "lowcard": {"named": low[0], "true": low[1]} if low is not None else None,
        "whats": procedure.whats,
        "seats": {str(seat): what for seat, what in procedure.seats.items()},
        "choices": turn_of(procedure.turn) if procedure.turn is not None else None,
        "undo": procedure.undo,
    }
