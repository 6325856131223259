"""Tickets: a player's own, and those of an event, which directors give and end."""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.cage import queries as cage_queries
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Invalid
from cardroom.core.models import Approval, User
from cardroom.core.operation import LONGEST_KEY
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Order, Sentence, Text
from cardroom.core.web.forms import PagePost
from cardroom.core.web.operations import Context, Page
from cardroom.core.web.resources import Resource, addresses, does, reads
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


class GiveTicketOrder(Order):
    player = Member(help_text="The player's screen name.")
    tournament = some_id(source="tournament_id", help_text="The event it is valid for.")
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


_EVENT = "tournaments/<id:tournament_id>/tickets/"
TICKETS = Page(_EVENT, "tournament_tickets", ticket_list, staff.DIRECTORS, template="tournaments/prizes/tickets.html")
_ME = Page("me/", "me", of.refused)


# -- forms -------------------------------------------------------------------------------------------------------------


class ExchangeForm(PagePost):
    page, path, name, does = _ME, "me/tickets/<id:ticket_id>/exchange/", "ticket_exchange", tickets.exchange
    then = gettext_lazy("Ticket {0.code} is valid for any tournament, and worth {0.value:,}.")


class GiveForm(PagePost):
    page, path, name, does = TICKETS, f"{_EVENT}give/", "tournament_ticket_give", tickets.give
    body, then = GiveTicketOrder, gettext_lazy("{0.player.username} has the ticket {0.code}.")

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        arguments = super().arguments(form, address)
        _check_has_key(form.get("key", ""))
        return arguments


class EndForm(PagePost):
    """What is done about a ticket of the event whose page it is."""

    page, path, name = TICKETS, f"{_EVENT}<id:ticket_id>/end/", "tournament_ticket_end"
    button_fields = ("verb",)

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        if not Ticket.objects.filter(pk=address["ticket_id"], tournament_id=address["tournament_id"]).exists():
            raise Ticket.not_found()
        return super().arguments(form, address)

    def done(self, request: HttpRequest, result: Ticket) -> HttpResponse:
        words = gettext("The ticket {code} is {get_state_display}.")
        state = result.get_state_display()
        return self.page.said(words.format(code=result.code, get_state_display=state))(request, result)


class PayOutForm(EndForm):
    does, button = tickets.pay_out, "pay-out"


class PayInCashForm(EndForm):
    does, button = tickets.pay_out, "pay-cash"

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        return super().arguments(form, address) | {"in_cash": True}


class TakeBackForm(EndForm):
    does, button = tickets.take_back, "take-back"


# -- what programs ask -------------------------------------------------------------------------------------------------


def my_tickets(
    *,
    is_good: Annotated[int, Limits(default=1, max_value=1, help_text="0: those that are used or ended as well.")] = 1,
    by: User,
) -> Any:
    """A player's own tickets, the newest first."""
    return prize_queries.tickets(by, all_of_them=not is_good).select_related("player")


def give(*, player: User, tournament_id: RowId, reason: str, key: str, by: User) -> Ticket | Approval:
    """A ticket from the house, which is not given without a key."""
    _check_has_key(key)
    return tickets.give.once(key, player=player, tournament_id=tournament_id, reason=reason, by=by)


def pay_in_cash(*, ticket_id: RowId, reason: tickets.WhyTicket, key: str, by: User) -> Ticket:
    """A ticket's value out of the open drawer."""
    return tickets.pay_out.once(key, ticket_id=ticket_id, reason=reason, in_cash=True, by=by)


def _check_has_key(key: str) -> None:
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


class OfDirectors(Resource):
    """What directors do about tickets."""

    tags, scope = ("tickets",), "direct"


class TicketsResource(OfDirectors):
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


class PayOutResource(OfDirectors):
    path = "tickets/<id:ticket_id>/pay-out"
    post = does(
        tickets.pay_out,
        name="pay_out_ticket",
        summary="Pay a ticket out",
        description=DIRECTORS,
        answers=TicketRow,
        refuses=(409, 422),
    )


class PayInCashResource(OfDirectors):
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


class TakeBackResource(OfDirectors):
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
urlpatterns = of.pages([TICKETS], posts=[ExchangeForm, GiveForm, PayOutForm, PayInCashForm, TakeBackForm])
