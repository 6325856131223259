"""Tickets for programs: a player's own, and those that directors give and end."""

from typing import Annotated, Any

from django.utils.translation import gettext_lazy

from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Invalid
from cardroom.core.models import Approval, User
from cardroom.core.once import LONGEST_KEY
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments.events import staff
from tournaments.events.pages.fields import DIRECTORS
from tournaments.prizes import queries as prize_queries
from tournaments.prizes import tickets
from tournaments.prizes.models import Ticket
from tournaments.prizes.pages.serializers import GiveTicketOrder, TicketRow


def my_tickets(
    *,
    is_good: Annotated[int, Limits(default=1, max_value=1, help_text="0: those that are used or ended as well.")] = 1,
    by: User,
) -> Any:
    """A player's own tickets, the newest first."""
    return prize_queries.tickets(by, all_of_them=not is_good).select_related("player")


def give(*, player: User, tournament_id: RowId, reason: str, key: str, by: User) -> Ticket | Approval:
    """A ticket from the house, which is not given without a key."""
    check_has_key(key)
    return tickets.give.once(key, player=player, tournament_id=tournament_id, reason=reason, by=by)


def pay_in_cash(*, ticket_id: RowId, reason: tickets.WhyTicket, key: str, by: User) -> Ticket:
    """A ticket's value out of the open drawer."""
    return tickets.pay_out.once(key, ticket_id=ticket_id, reason=reason, in_cash=True, by=by)


def check_has_key(key: str) -> None:
    if not key:
        raise Invalid("bad-key", "The {name} is text of 1 to {most} characters.", name="key", most=LONGEST_KEY)


class MyTicketsResource(Resource):
    path, tags = "me/tickets", ("me",)
    get = reads(my_tickets, name="my_tickets", summary="Your tickets, the newest first", answers=TicketRow, many=True)


class ExchangeResource(Resource):
    path, tags = "me/tickets/<id:ticket_id>/exchange", ("me",)
    post = does(
        tickets.exchange,
        name="exchange_ticket",
        summary=gettext_lazy("Exchange a ticket you won for one that is valid for any tournament of its value"),
        answers=TicketRow,
        refuses=(422,),
    )


class TicketResource(Resource):
    """What directors do about tickets."""

    tags, scope = ("tickets",), "direct"


class TicketsResource(TicketResource):
    path = "tickets"
    post = does(
        give,
        name="give_ticket",
        summary="Give a player a ticket for an event",
        description=f"{DIRECTORS} The Idempotency-Key is required: it prevents giving a ticket twice.",
        roles=staff.DIRECTORS,
        body=GiveTicketOrder,
        answers=TicketRow,
        status=201,
        refuses=(404, 409, 422),
    )


class PayOutResource(TicketResource):
    path = "tickets/<id:ticket_id>/pay-out"
    post = does(
        tickets.pay_out,
        name="pay_out_ticket",
        summary="Pay a ticket out",
        description=DIRECTORS,
        answers=TicketRow,
        refuses=(409, 422),
    )


class PayInCashResource(TicketResource):
    path = "tickets/<id:ticket_id>/pay-cash"
    post = does(
        pay_in_cash,
        name="cash_ticket",
        summary="Pay a ticket out in cash",
        description=DIRECTORS,
        roles=staff.DIRECTORS,
        answers=TicketRow,
        refuses=(409, 422),
    )


class TakeBackResource(TicketResource):
    path = "tickets/<id:ticket_id>/take-back"
    post = does(
        tickets.take_back,
        name="take_back_ticket",
        summary="Revoke a ticket of the house",
        description=DIRECTORS,
        answers=TicketRow,
        refuses=(409, 422),
    )


api = addresses(
    [MyTicketsResource, ExchangeResource, TicketsResource, PayOutResource, PayInCashResource, TakeBackResource]
)
