"""Tickets: one's own, and those that the house gives and ends."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Number, Query
from cardroom.web.api.schema import refusals
from tournaments.models import Ticket
from tournaments.selectors import entries
from tournaments.services import staff, tickets
from tournaments.web.api import money_serializers as shapes
from tournaments.web.api import order_serializers as orders
from tournaments.web.api.entries import player_called
from tournaments.web.api.orders import DIRECTORS


class TicketsQuery(Query):
    is_good = Number(default=1, max_value=1, help_text="0: those that are used or ended as well.")


class MyTicketsView(APIView):
    """Your tickets."""

    tags = ("me",)

    @extend_schema(
        operation_id="my_tickets",
        summary="Your tickets, the newest first",
        parameters=[TicketsQuery],
        responses=shapes.TicketRow(many=True),
    )
    def get(self, request: Request) -> Response:
        asked = TicketsQuery.read(request)
        rows = entries.tickets(asker(request), all_of_them=not asked["is_good"]).select_related("player")
        return Response(shapes.TicketRow(rows, many=True).data)


class ExchangeView(APIView):
    """A ticket of yours that you would rather use elsewhere."""

    tags = ("me",)

    @extend_schema(
        operation_id="exchange_ticket",
        summary="Change a ticket you won for one that is good for any event of its value",
        request=None,
        parameters=[keys.PARAMETER],
        responses={200: shapes.TicketRow} | refusals(422),
    )
    def post(self, request: Request, ticket_id: int) -> Response:
        keys.key_of(request)
        fresh = tickets.exchange(ticket_id=ticket_id, by=asker(request))
        return Response(shapes.TicketRow(fresh).data)


class TicketsView(APIView):
    """Tickets that the house gives."""

    tags = ("tickets",)
    scope = "direct"

    @extend_schema(
        operation_id="give_ticket",
        summary="Give somebody a ticket for an event",
        description=f"{DIRECTORS} The Idempotency-Key is needed: it keeps a ticket from being given twice.",
        request=orders.GiveTicketOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.TicketRow} | refusals(404, 409, 422),
    )
    def post(self, request: Request) -> Response:
        order, by = orders.GiveTicketOrder.read(request), asker(request)
        access.require_role(by, *staff.DIRECTORS)
        ticket = tickets.give(
            player=player_called(order["player"]),
            tournament_id=order["tournament"],
            reason=order["reason"],
            key=keys.key_of(request),
            by=by,
        )
        return Response(shapes.TicketRow(ticket).data, status=status.HTTP_201_CREATED)


def _ending(name: str, summary: str, verb: Any) -> Any:
    @extend_schema(
        operation_id=name,
        summary=summary,
        description=DIRECTORS,
        request=orders.WhyOrder,
        parameters=[keys.PARAMETER],
        responses={200: shapes.TicketRow} | refusals(409, 422),
    )
    def post(self: APIView, request: Request, ticket_id: int) -> Response:
        order, by = orders.WhyOrder.read(request), asker(request)
        ticket: Ticket = verb(ticket_id=ticket_id, by=by, key=keys.key_of(request), **order)
        return Response(shapes.TicketRow(ticket).data)

    fields = {"__doc__": f"{summary}.", "tags": ("tickets",), "scope": "direct", "post": post}
    return type(f"{name.title().replace('_', '')}View", (APIView,), fields)


TICKET_VERBS = {
    "pay-out": _ending("pay_out_ticket", "Give the player what it is worth instead", tickets.pay_out),
    "take-back": _ending("take_back_ticket", "End a ticket of the house's", tickets.take_back),
}
