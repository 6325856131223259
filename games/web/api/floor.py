"""The floor: every table at a glance, calls, and orders with their reasons."""

from functools import partial

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals
from games import selectors
from games.services import floor, sealed
from games.web.api import hand_serializers, hands
from games.web.api import staff_serializers as shapes


class CallFloorView(APIView):
    """Floor, please."""

    tags = ("floor",)

    @extend_schema(
        operation_id="call_floor",
        summary="Call the floor to your table",
        description="For those who sit there, or deal. While your call of this kind is open it stays the same one.",
        request=shapes.CallOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.CallMade} | refusals(409),
    )
    def post(self, request: Request, table_id: int) -> Response:
        order = shapes.CallOrder.read(request)
        made = floor.call(
            table_id=table_id,
            by=asker(request),
            note=order.get("note", ""),
            kind=order["kind"],
            key=keys.key_of(request),
        )
        return Response(shapes.CallMade(made).data, status=status.HTTP_201_CREATED)


class FloorView(APIView):
    """The room as the floor sees it."""

    tags = ("floor",)

    @extend_schema(
        operation_id="floor",
        summary="Every table at a glance",
        description="For the floor. The socket `/ws/floor/` tells the same at every change.",
        responses=shapes.FloorView,
    )
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), floor.ROLE)
        return Response(shapes.FloorView(selectors.floor_view()).data)


class CallsView(APIView):
    """The calls that nobody has answered yet."""

    tags = ("floor",)

    @extend_schema(
        operation_id="floor_calls",
        summary="The calls that wait, oldest first",
        description="For the floor.",
        responses=shapes.Call(many=True),
    )
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), floor.ROLE)
        return Response(shapes.Call(selectors.open_calls(), many=True).data)


class AnswerView(APIView):
    """The floor comes."""

    tags = ("floor",)
    scope = "direct"

    @extend_schema(
        operation_id="answer_call",
        summary="Answer a call",
        description="For the floor. A call that was answered stays as it is.",
        request=None,
        responses=shapes.CallMade,
    )
    def post(self, request: Request, call_id: int) -> Response:
        answered = floor.answer(call_id=call_id, by=asker(request))
        return Response(shapes.CallMade(answered).data)


class FloorLogView(APIView):
    """What was ordered and taken back, newest first."""

    tags = ("floor",)
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="floor_log",
        summary="What the floor ordered",
        description="For the floor.",
        parameters=[shapes.LogQuery],
        responses=shapes.Ordered(many=True),
    )
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), floor.ROLE)
        table = shapes.LogQuery.read(request).get("table")
        rows = partial(_log, table)
        found, later = NewestFirst().page(request, rows, number=lambda row: row.pk)
        return Response({"next": later, "results": shapes.Ordered(found, many=True).data})


class FloorHandView(APIView):
    """A hand for the floor."""

    tags = ("floor",)
    scope = "direct"

    @extend_schema(
        operation_id="floor_hand",
        summary="What can be ordered in a hand, and what was",
        description="For the floor.",
        responses=shapes.FloorHand,
    )
    def get(self, request: Request, hand_id: int) -> Response:
        access.require_role(asker(request), floor.ROLE)
        told = {"orders": selectors.open_orders(hand_id=hand_id), "log": selectors.floor_log(hand=hand_id)}
        return Response(shapes.FloorHand(told).data)

    @extend_schema(
        operation_id="order",
        summary="Order what the rules leave to the floor",
        description="For the floor, with a reason, which is kept.",
        request=shapes.FloorOrder,
        parameters=[keys.PARAMETER],
        responses={200: hand_serializers.Receipt} | refusals(409, 422),
    )
    def post(self, request: Request, hand_id: int) -> Response:
        order = shapes.FloorOrder.read(request)
        order["command_id"] = hands.named(order.get("command_id", ""), keys.key_of(request))
        receipt = floor.order(hand_id=hand_id, by=asker(request), **order)
        return Response(hands.receipt_told(hand_id, receipt, viewer=request.user))


class SealedView(APIView):
    """A hand with every card."""

    tags = ("floor",)
    scope = "direct"
    answer_is_secret = True

    @extend_schema(
        operation_id="look_at_sealed",
        summary="Look at the sealed cards of a hand",
        description="For an auditor with an open view, and of hands that are over; each look is recorded. Nobody "
        "looks into a game they sat in, or sits down in one they have looked into in the last twelve hours.",
        request=None,
        responses={200: hand_serializers.Facts} | refusals(409),
    )
    def post(self, request: Request, hand_id: int) -> Response:
        facts = sealed.look(hand_id=hand_id, by=asker(request))
        return Response(hands.told(hand_id, facts, 0))


def _log(table: int | None, before: int | None, limit: int) -> list[selectors.FloorOrder]:
    return selectors.floor_log(table=table, before=before, limit=limit)
