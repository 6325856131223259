"""The page of an event's tickets, which directors give and end; and the exchange of a player's own ticket."""

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts.pages.account import ME
from cardroom.cage import queries as cage_queries
from cardroom.core.web.forms import PagePost, PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from tournaments.events import queries as event_queries
from tournaments.events import staff, terms
from tournaments.prizes import tickets
from tournaments.prizes.models import Ticket
from tournaments.prizes.pages.serializers import GiveTicketOrder
from tournaments.prizes.pages.tickets_api import check_has_key

_MOST = 500


def ticket_list(request: HttpRequest, *, tournament_id: int) -> Context:
    """The tickets of an event: who holds one, and what a director does about them."""
    row = event_queries.event(tournament_id, with_drafts=True)
    return {
        "tournament": row,
        "tickets": row.tickets.select_related("player", "won_in").order_by("-pk")[:_MOST],
        "worth": terms.price_of(row, "entry").total,
        "takes_cash": cage_queries.takes_cash(request.user),
    }


_EVENT = "tournaments/<id:tournament_id>/tickets/"
TICKETS = Page(_EVENT, "tournament_tickets", ticket_list, staff.DIRECTORS, template="tournaments/prizes/tickets.html")


class ExchangeTicketForm(PlainPost):
    page, path, name, does = ME, "me/tickets/<id:ticket_id>/exchange/", "ticket_exchange", tickets.exchange
    then = gettext_lazy("Ticket {0.code} is valid for any tournament, and worth {0.value:,}.")


class GiveTicketForm(PagePost):
    page, path, name, does = TICKETS, f"{_EVENT}give/", "tournament_ticket_give", tickets.give
    body, then = GiveTicketOrder, gettext_lazy("{0.player.username} has the ticket {0.code}.")

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        arguments = super().arguments(form, address)
        check_has_key(form.get("key", ""))
        return arguments


class EndTicketForm(PagePost):
    """A form that ends a ticket; refused where the ticket is not one of the event whose page it is."""

    page, path, name = TICKETS, f"{_EVENT}<id:ticket_id>/end/", "tournament_ticket_end"
    button_fields = ("verb",)

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        if not Ticket.objects.filter(pk=address["ticket_id"], tournament_id=address["tournament_id"]).exists():
            raise Ticket.not_found()
        return super().arguments(form, address)

    def done(self, request: HttpRequest, result: Ticket) -> HttpResponse:
        words = gettext("The ticket {code} is {get_state_display}.")
        state = result.get_state_display()
        return self.page.say(request, words.format(code=result.code, get_state_display=state), result)


class PayTicketForm(EndTicketForm):
    does, button = tickets.pay_out, "pay-out"


class PayTicketInCashForm(EndTicketForm):
    does, button = tickets.pay_out, "pay-cash"

    def arguments(self, form: QueryDict, address: dict[str, Any]) -> dict[str, Any]:
        return super().arguments(form, address) | {"in_cash": True}


class TakeTicketBackForm(EndTicketForm):
    does, button = tickets.take_back, "take-back"


urlpatterns = page_urls(
    [TICKETS], forms=[ExchangeTicketForm, GiveTicketForm, PayTicketForm, PayTicketInCashForm, TakeTicketBackForm]
)
