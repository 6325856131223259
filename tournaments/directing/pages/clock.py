"""The clock: one page for any number of screens on the wall, and what a director does with it."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from cardroom.core.arguments import RowId
from cardroom.core.models import User
from cardroom.core.web.pages import Context, Page
from tournaments.directing.pages import order_serializers as orders
from tournaments.directing.pages.console_forms import ConsoleForm
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.playing import OrderReceipt
from tournaments.prizes import board
from tournaments.registration.pages.views import EVENT

#: By name in the address: what it is called.
LOOKS = {
    "plain": gettext_lazy("Plain"),
    "felt": gettext_lazy("Dark felt"),
    "time": gettext_lazy("Big time"),
    "payouts": gettext_lazy("Payouts"),
    "score": gettext_lazy("Scoreboard"),
}


def clock(request: HttpRequest, *, tournament_id: int) -> Context:
    """`?look=` one of LOOKS, the first for any other; what it shows comes over the event's socket."""
    event = board.heading(tournament_id)
    look = request.GET.get("look", "")
    return {"tournament": event, "looks": LOOKS.items(), "look": look if look in LOOKS else next(iter(LOOKS))}


def worker(request: HttpRequest, *, tournament_id: int) -> HttpResponse:
    """The script that keeps the page for when the room is away. It lies below the page: that is all it may serve."""
    context = {"static_url": settings.STATIC_URL}
    return render(request, "tournaments/directing/clock_worker.js", context, content_type="text/javascript")


def set_clock(
    *,
    tournament_id: RowId,
    what: str,
    ms: int | None = None,
    level: int | None = None,
    expected_seq: ExpectedSeq = None,
    key: str,
    by: User,
) -> OrderReceipt:
    """Stop, resume, set or move the clock: `what` is one of `orders.CLOCK`."""
    verb, needed = orders.CLOCK[what]
    values = {name: value for name, value in (("ms", ms), ("level", level)) if name == needed}
    order: OrderReceipt = verb.once(key, tournament_id=tournament_id, expected_seq=expected_seq, by=by, **values)
    return order


class ClockButton(ConsoleForm):
    """A button of the console for the clock; its name says what is done."""

    does, body = set_clock, orders.ClockOrder

    def typed(self, form: QueryDict) -> QueryDict:
        form["what"] = self.button
        return form


class NextLevelButton(ClockButton):
    button = "next"


class PreviousLevelButton(ClockButton):
    button = "previous"


class AddTimeButton(ClockButton):
    button = "add-time"


class SetRemainingButton(ClockButton):
    button = "set-remaining"


class GoToButton(ClockButton):
    button = "go-to"


PAGES = [
    Page(f"{EVENT}clock/", "tournament_clock", clock, is_public=True, template="tournaments/directing/clock.html"),
    Page(f"{EVENT}clock/worker.js", "tournament_clock_worker", worker, is_public=True),
]
POSTS = [NextLevelButton, PreviousLevelButton, AddTimeButton, SetRemainingButton, GoToButton]
