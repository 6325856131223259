"""The way of an event from a draft to the start, or to its end before it: pages and buttons of its directors.

The form in which its terms are typed is in `event_editor`.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy

from cardroom.core.arguments import RowId
from cardroom.core.errors import Refusal
from cardroom.core.models import User
from cardroom.core.web.forms import PagePost
from cardroom.core.web.pages import Context, Page, went_to
from tournaments.directing import cancelling, starting, tournaments
from tournaments.directing.pages.console_forms import ConsoleForm
from tournaments.events import queries as event_queries
from tournaments.events import staff
from tournaments.events.models import Payment, Tournament
from tournaments.registration.pages.views import EVENT, flyer_page


def _flyer(request: HttpRequest, *, tournament_id: int, refusal: Refusal, typed: Any) -> HttpResponse:
    """A refusal is said beside the director's buttons."""
    return flyer_page(request, event_queries.event(tournament_id, with_drafts=True), staff_refusal=refusal)


def cancel(request: HttpRequest, *, tournament_id: int) -> Context:
    """What cancelling would refund, and the button for it."""
    row = event_queries.event(tournament_id, with_drafts=True)
    paid = Payment.objects.filter(tournament=row, refunded_at=None)
    return {
        "tournament": row,
        "payments": paid.count(),
        "refund": sum(payment.total for payment in paid),
        "tickets": row.tickets.filter(state="issued").count(),
        "reason": request.POST.get("reason", ""),
    }


def delete(request: HttpRequest, *, tournament_id: int) -> Context:
    return {"tournament": event_queries.event(tournament_id, with_drafts=True)}


_DRAWN = "tournaments/events/before/"
CANCEL = Page(f"{EVENT}cancel/", "tournament_cancel", cancel, staff.DIRECTORS, template=f"{_DRAWN}cancel.html")
DELETE = Page(f"{EVENT}delete/", "tournament_delete", delete, staff.DIRECTORS, template=f"{_DRAWN}delete.html")
FLYER = Page(EVENT, "tournament", _flyer, staff.DIRECTORS)


def delete_draft(*, tournament_id: RowId, by: User) -> str:
    """Delete a draft; its name."""
    name = event_queries.event(tournament_id, with_drafts=True).name
    tournaments.delete(tournament_id=tournament_id, by=by)
    return name


class DeleteDraftForm(PagePost):
    page, does = DELETE, delete_draft

    def done(self, request: HttpRequest, result: str) -> HttpResponse:
        return went_to(request, gettext("{name} is deleted.").format(name=result), "tournaments")

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        raise refusal


class CancelEventForm(PagePost):
    page, does = CANCEL, cancelling.cancel

    def done(self, request: HttpRequest, result: Tournament) -> HttpResponse:
        words = gettext_lazy("{0.name} is cancelled and everybody is refunded.")
        return FLYER.say(request, words, result)


class FlyerForm(PagePost):
    """A director's button on the flyer."""

    page = FLYER


class AnnounceEventForm(FlyerForm):
    path, name, does = f"{EVENT}announce/", "tournament_announce", tournaments.announce
    then = gettext_lazy("{0.name} is announced.")


class OpenRegistrationForm(FlyerForm):
    path, name, does = f"{EVENT}open/", "tournament_open", tournaments.open_registration
    then = gettext_lazy("Registration is open.")


class StartEventForm(FlyerForm):
    path, name, does, key_name = f"{EVENT}start/", "tournament_start", starting.start, "command_id"
    then = gettext_lazy("Seats are drawn, and the clock runs.")


class StartButton(ConsoleForm):
    does, button = starting.start, "start"

    def words(self, row: Tournament, result: Tournament) -> str:
        return gettext("Cards in the air: {name} has started.").format(name=result.name)


PAGES = [CANCEL, DELETE]
POSTS = [DeleteDraftForm, CancelEventForm, AnnounceEventForm, OpenRegistrationForm, StartEventForm, StartButton]
