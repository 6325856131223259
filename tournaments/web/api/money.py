"""Payouts and deals."""

from functools import partial
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access
from cardroom.web.api import keys
from cardroom.web.api.access import asker, require_scope
from cardroom.web.api.fields import Number, Query
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals
from cardroom.web.api.typed import object_of, or_null
from tournaments.engine import plain
from tournaments.engine.errors import IllegalAction
from tournaments.engine.payouts import Payouts
from tournaments.models import DealProposal, Payout
from tournaments.selectors import deals as looking
from tournaments.selectors import results
from tournaments.services import deals, payouts, playing, staff
from tournaments.web.api import money_serializers as shapes
from tournaments.web.api import order_serializers as orders
from tournaments.web.api.looking import event_of
from tournaments.web.api.orders import DIRECTORS, order

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

# -- deals -----------------------------------------------------------------------------------------------------------


class DealQuery(Query):
    play_for = Number(default=0, help_text="What would stay for the winner.")


class DealView(APIView):
    """What a deal would give, what is being voted on, and proposing one."""

    tags = ("deals",)

    @extend_schema(
        operation_id="deal",
        summary="Every formula side by side, and the proposal that is voted on",
        description="How anybody votes is told to nobody but themselves.",
        parameters=[DealQuery],
        responses={
            200: {
                "type": "object",
                "required": ["terms", "voting"],
                "properties": {
                    "terms": or_null(object_of(looking.Terms)),
                    "voting": or_null(object_of(looking.Voting)),
                },
            }
        },
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        play_for = DealQuery.read(request)["play_for"]
        row = event_of(request, tournament_id)
        terms = looking.terms(tournament=row, play_for=play_for) if row.seq else None
        voting = looking.voting(tournament=row, viewer=asker(request))
        return Response({"terms": plain.to_plain(terms), "voting": plain.to_plain(voting)})

    @extend_schema(
        operation_id="propose_deal",
        summary="Propose a deal",
        description="A director, online also somebody who is still in.",
        request=orders.DealOrder,
        parameters=[keys.PARAMETER],
        responses={201: object_of(looking.Voting)} | refusals(409, 422),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        order = orders.DealOrder.read(request)
        event_of(request, tournament_id)
        return _voted(request, tournament_id, deals.propose, order, code=status.HTTP_201_CREATED)


class VoteView(APIView):
    """A vote on the deal."""

    tags = ("deals",)

    @extend_schema(
        operation_id="vote_on_deal",
        summary="Accept the deal, or not",
        description="For oneself; in the room the director says it for each player. Nobody learns how anybody voted.",
        request=orders.VoteOrder,
        parameters=[keys.PARAMETER],
        responses={200: object_of(looking.Voting)} | refusals(409, 422),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        order = orders.VoteOrder.read(request)
        if order.get("entrant") is not None:
            require_scope(request, "direct")
        event_of(request, tournament_id)
        return _voted(request, tournament_id, deals.vote, order)


class AcceptAllView(APIView):
    """Everybody at the table has said yes to the director."""

    tags = ("deals",)
    scope = "direct"

    @extend_schema(
        operation_id="accept_deal_for_all",
        summary="In the room: everybody has accepted",
        description=DIRECTORS,
        request=orders.Directed,
        parameters=[keys.PARAMETER],
        responses={200: object_of(looking.Voting)} | refusals(409, 422),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        return _voted(request, tournament_id, deals.accept_all, orders.Directed.read(request))


class WithdrawDealView(APIView):
    """The proposal is taken back."""

    tags = ("deals",)

    @extend_schema(
        operation_id="withdraw_deal",
        summary="Take the proposal back",
        description="Whoever made it, or a director.",
        request=orders.Directed,
        parameters=[keys.PARAMETER],
        responses={200: object_of(looking.Voting)} | refusals(409, 422),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        order = orders.Directed.read(request)
        event_of(request, tournament_id)
        return _voted(request, tournament_id, deals.withdraw, order)


def _voted(request: Request, tournament_id: int, verb: Any, order: dict[str, Any], *, code: int = 200) -> Response:
    by = asker(request)
    given = {"by": by, "command_id": keys.key_of(request)}
    proposal: DealProposal = verb(tournament_id=tournament_id, **given, **order)
    told = looking.voting(tournament=proposal.tournament, viewer=by)
    return Response(plain.to_plain(told), status=code)
