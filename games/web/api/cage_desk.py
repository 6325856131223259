"""From the cashier's window straight to a table, and back: a deposit and a seat, or a seat given up and paid out."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import Approval
from cardroom.services import access, accounts
from cardroom.services.cage import books
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.cage_serializers import ApprovalOut, SlipOut
from cardroom.web.api.fields import Chips, Flag, Order, Text, WholeNumber
from cardroom.web.api.schema import refusals
from games.services import cage_desk


class WindowBuyInOrder(Order):
    """Who gets a seat for how much money."""

    player = Chips(help_text="The player's id.")
    amount = Chips()
    seat = WholeNumber(
        required=False, min_value=1, max_value=8, help_text="Without it: the one held, or the first free."
    )
    reason = Text(max_length=300, default="", allow_blank=True)


class WindowCashOutOrder(Order):
    """Who gives up their seat."""

    player = Chips(help_text="The player's id.")
    count = WholeNumber(required=False, min_value=1, max_value=books.MOST, help_text="At a table in the room.")
    settles = Flag(
        required=False, help_text="Whether what they owe is paid back out of it first: has to be said where they owe."
    )
    reason = Text(max_length=300, default="", allow_blank=True)


class WindowDone(serializers.Serializer[Any]):
    """The seat, and the slip; or the approval that the payment waits for."""

    seat = serializers.IntegerField()
    amount = serializers.IntegerField()
    slip = SlipOut(allow_null=True)
    approval = ApprovalOut(allow_null=True)


class _WindowView(APIView):
    tags = ("cage",)
    scope = "cage"


class WindowBuyInView(_WindowView):
    """A seat for money."""

    @extend_schema(
        operation_id="buy_in_at_the_cage",
        summary="Take money and give a seat",
        request=WindowBuyInOrder,
        parameters=[keys.PARAMETER],
        responses={201: WindowDone} | refusals(409, 422),
    )
    def post(self, request: Request, table_id: int) -> Response:
        by = access.require_role(asker(request), *books.STAFF)
        order = WindowBuyInOrder.read(request)
        order |= {"player": accounts.one(order["player"]), "number": order.pop("seat", None)}
        key = keys.key_of(request)
        slip, move = cage_desk.buy_in(table_id=table_id, by=by, key=key, **order)
        body = {"seat": move.number, "amount": move.amount, "slip": slip, "approval": None}
        return Response(WindowDone(body).data, status=status.HTTP_201_CREATED)


class WindowCashOutView(_WindowView):
    """Money for a seat."""

    @extend_schema(
        operation_id="cash_out_at_the_cage",
        summary="Off the table, and paid out",
        description="202 where the payment waits for a second person; the chips are then in the wallet.",
        request=WindowCashOutOrder,
        parameters=[keys.PARAMETER],
        responses={201: WindowDone, 202: WindowDone} | refusals(409, 422),
    )
    def post(self, request: Request, table_id: int) -> Response:
        by = access.require_role(asker(request), *books.STAFF)
        order = WindowCashOutOrder.read(request)
        order["player"] = accounts.one(order["player"])
        key = keys.key_of(request)
        move, done = cage_desk.cash_out(table_id=table_id, by=by, key=key, **order)
        waits = isinstance(done, Approval)
        body = {"slip": None, "approval": done} if waits else {"slip": done, "approval": None}
        body |= {"seat": move.number, "amount": move.amount}
        return Response(WindowDone(body).data, status=status.HTTP_202_ACCEPTED if waits else status.HTTP_201_CREATED)
