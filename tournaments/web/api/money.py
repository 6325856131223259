"""Payouts and deals."""

from functools import partial
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access
from cardroom.web.api.access import asker
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals
from cardroom.web.api.typed import object_of
from tournaments.engine import plain
from tournaments.engine.errors import IllegalAction
from tournaments.engine.payouts import Payouts
from tournaments.models import Payout
from tournaments.selectors import results
from tournaments.services import payouts, playing, staff
from tournaments.web.api import money_serializers as shapes
from tournaments.web.api import order_serializers as orders
from tournaments.web.api.looking import event_of
from tournaments.web.api.orders import order

# -- payouts ---------------------------------------------------------------------------------------------------------


class PayoutsView(APIView):
    """What is to be won."""

    tags = ("payouts",)
    is_public = True

    @extend_schema(
        operation_id="payouts",
        summary="The prizes as they are now",
        description="By place, first prize first; `notes` say what came out otherwise than the terms have it.",
        responses={200: object_of(Payouts)} | refusals(422),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        row = event_of(request, tournament_id)
        if not row.seq:
            return Response(plain.to_plain(Payouts(())))
        try:
            return Response(plain.to_plain(results.prizes(row)))
        except IllegalAction as error:
            raise playing.refusal(error) from None


class PaidView(APIView):
    """Receipts of what was won: your own, and for the staff of the desk everybody's."""

    tags = ("payouts",)
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="payout_receipts",
        summary="What is due and paid",
        description="Your own; for the staff of the desk everybody's.",
        responses=shapes.PayoutRow(many=True),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        by = asker(request)
        rows = payouts.receipts(event_of(request, tournament_id)).order_by("-number")
        if not access.has_role(by, *staff.DESK):
            rows = rows.filter(entry__player=by)

        def page(before: int | None, limit: int) -> list[Payout]:
            return list((rows.filter(number__lt=before) if before is not None else rows)[:limit])

        found, later = NewestFirst().page(request, page, number=lambda row: row.number)
        return Response({"next": later, "results": shapes.PayoutRow(found, many=True).data})


def _payouts_told(rows: list[Payout], tournament_id: int) -> Any:
    return shapes.PayoutRow(rows, many=True).data


_pays = partial(order, tells=shapes.PayoutRow(many=True), telling=_payouts_told)
PAYOUT_VERBS = {
    "lock": order("lock-payouts", payouts.lock, "Announce the prizes as they are now"),
    "terms": order("change-payout", payouts.change, "Pay by other terms", orders.PayoutOrder),
    "pay": _pays("pay", payouts.pay, "Pay everybody what is due, once", orders.PayOrder),
}
PAY_ONE = _pays("pay-one", payouts.pay_one, "Pay one player", orders.PayOneOrder, who="For the staff of the desk.")
