"""Tickets: a player's own, and those of an event, which directors give and end."""

from functools import partial
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.cage import queries as cage_queries
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Number, Order, Query, Sentence, Text
from cardroom.core.web.operations import Context, Form, Operation, Page, Read
from tournaments.events import queries as event_queries
from tournaments.events import staff, terms
from tournaments.events.pages.serializers import DIRECTORS, Member, some_id
from tournaments.prizes import queries as prize_queries
from tournaments.prizes import tickets
from tournaments.prizes.models import Ticket

_MOST = 500


# -- what is sent and told ---------------------------------------------------------------------------------------------


class TicketRow(serializers.ModelSerializer[Ticket]):
    """A ticket: an entry won or given."""

    player = serializers.CharField(source="player.username")
    tournament = serializers.IntegerField(
        source="tournament_id", allow_null=True, help_text="The event it is valid for."
    )
    series = serializers.IntegerField(source="series_id", allow_null=True)
    won_in = serializers.IntegerField(source="won_in_id", allow_null=True)
    reason = Sentence(required=False, allow_blank=True, max_length=200)

    class Meta:
        model = Ticket
        fields = (
            *("id", "code", "player", "tournament", "series", "value", "state", "won_in", "reason", "issued_at"),
            *("expires_at", "ended_at"),
        )


class TicketsQuery(Query):
    is_good = Number(default=1, max_value=1, help_text="0: those that are used or ended as well.")


class GiveTicketOrder(Order):
    player = Member(help_text="The player's screen name.")
    tournament = some_id(source="tournament_id", help_text="The event it is valid for.")
    reason = Text(max_length=200)


class WhyOrder(Order):
    reason = Text(max_length=200)


# -- the page ----------------------------------------------------------------------------------------------------------


def ticket_list(request: HttpRequest, *, tournament_id: int) -> Context:
    """The tickets of an event: who holds one, and what a director does about them."""
    row = event_queries.event(tournament_id, with_drafts=True)
    return {
        "tournament": row,
        "tickets": row.tickets.select_related("player", "won_in").order_by("-pk")[:_MOST],
        "worth": terms.of(row, "entry").total,
        "takes_cash": cage_queries.takes_cash(request.user),
    }


# -- what is done ------------------------------------------------------------------------------------------------------


def _end(verb: Any, *, ticket_id: int, tournament_id: int | None = None, **order: Any) -> Ticket:
    """`tournament_id`: the event on whose page it was asked."""
    if tournament_id and not Ticket.objects.filter(pk=ticket_id, tournament_id=tournament_id).exists():
        raise NotFound("no-such-ticket", "There is no such ticket.")
    ended: Ticket = verb(ticket_id=ticket_id, **order)
    return ended


def _mine(by: User, *, is_good: int) -> Any:
    return prize_queries.tickets(by, all_of_them=not is_good).select_related("player")


_EVENT = "tournaments/<id:tournament_id>/tickets/"
TICKETS = Page(_EVENT, "tournament_tickets", ticket_list, staff.DIRECTORS, template="tournaments/prizes/tickets.html")
_ME = Page("me/", "me", of.refused)
_verb = partial(Operation, tag="tickets", scope="direct", roles=staff.DIRECTORS, keyed=True, out=TicketRow)

PAGES = [TICKETS]
DECLARED = [
    Read(
        name="my_tickets", summary="Your tickets, the newest first", address="me/tickets", tag="me", finds=_mine,
        query=TicketsQuery, out=TicketRow, many=True,
    ),
    Operation(
        name="exchange_ticket", summary=gettext_lazy(
"Exchange a ticket you won for one that is valid for any tournament of its value"),
        address="me/tickets/<id:ticket_id>/exchange", tag="me", does=tickets.exchange, out=TicketRow,
        refuses=(422,), form=Form("me/tickets/<id:ticket_id>/exchange/", "ticket_exchange", _ME,
                             gettext_lazy(
"Ticket {0.code} is valid for any tournament, and worth {0.value:,}.")),
    ),
    _verb(
        name="give_ticket", summary="Give a player a ticket for an event", address="tickets", does=tickets.give,
        description=f"{DIRECTORS} The Idempotency-Key is required: it prevents giving a ticket twice.",
        order=GiveTicketOrder, status=201, refuses=(404, 409, 422),
        form=Form(f"{_EVENT}give/", "tournament_ticket_give", TICKETS,
                  gettext_lazy(
"{0.player.username} has the ticket {0.code}.")),
    ),
    *[
        _verb(
            name=name, summary=summary, address=f"tickets/<id:ticket_id>/{word}", description=DIRECTORS,
            does=partial(_end, verb), order=WhyOrder, refuses=(409, 422),
            form=Form(f"{_EVENT}<id:ticket_id>/end/", "tournament_ticket_end", TICKETS,
                      TICKETS.said(lambda ticket: gettext(
"The ticket {code} is {get_state_display}.").format(code=ticket.code, get_state_display=ticket.get_state_display())),
                      verbs={word: {}}, verb_name="verb"),
        )
        for name, word, summary, verb in (
            ("pay_out_ticket", "pay-out", "Pay a ticket out", tickets.pay_out),
            ("cash_ticket", "pay-cash", "Pay a ticket out in cash", partial(tickets.pay_out, in_cash=True)),
            ("take_back_ticket", "take-back", "Revoke a ticket of the house", tickets.take_back),
        )
    ],
]  # fmt: skip
