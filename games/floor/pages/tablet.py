"""The tablet of a table in the room: its players and what they owe, the dealer's clock, and calls for the floor."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.csrf import ensure_csrf_cookie

from cardroom.core import access
from cardroom.core.arguments import RowId
from cardroom.core.models import User
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from games.dealers import downs
from games.dealers import queries as dealer_queries
from games.dealers.models import Down, Duty
from games.floor import queries, rulings
from games.floor.pages.seating import ROLES, plan_of
from games.play.pages.tables import answer_with_notice
from games.rake import collection
from games.rake.models.times import TimePause
from games.rake.queries import time_at


@ensure_csrf_cookie
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    """All that a dealer does at a table in the room; at other tables they go to the dealer's console."""
    context = plan_of(request, table_id)
    table = context["plan"].table
    if not table.is_physical:
        return redirect("deal", table_id)
    time = time_at(table_id)
    context |= {
        "table": table,
        "time": time if time.schedule else None,
        "owing": [row for row in time.sitters if row.owed or row.standing],
        "desk": dealer_queries.desk_of(table_id),
        "floor_calls": queries.calls_at(table_id),
        "is_dealer": access.has_role(request.user, "dealer"),
    }
    return render(request, "games/floor/tablet.html", context)


PAGE = Page("tables/<int:table_id>/tablet/", "table_tablet", page, ROLES)


def clock_in(*, table_id: RowId, by: User, key: str = "") -> Down:
    """Deal at this table."""
    return downs.clock_in.once(key, dealer=by, table_id=table_id, by=by)


def clock_out(*, by: User, key: str = "") -> Duty:
    """Leave the table."""
    return downs.clock_out.once(key, dealer=by, by=by)


def take_break(*, by: User, key: str = "") -> Duty:
    """Have a break."""
    return downs.take_break.once(key, dealer=by, by=by)


class OnTablet(PlainPost):
    """A form of the tablet. Programs do the same with `dealers`, `call-floor` and `time`."""

    page, path, name = PAGE, "tables/<int:table_id>/tablet/<slug:verb>/", "table_tablet_do"

    def words(self, result: Any) -> str:
        """What was done."""
        return str(self.then)

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        return answer_with_notice(self.words, "table_tablet", "table_id")(request, result)


class ClockInForm(OnTablet):
    does, button = clock_in, "clock-in"

    def words(self, result: Down) -> str:
        return gettext("You deal at {where}.").format(where=result.where)


class ClockOutForm(OnTablet):
    does, button, then = clock_out, "clock-out", gettext_lazy("You have left the table.")


class TakeBreakForm(OnTablet):
    does, button = take_break, "break"
    then = format_lazy(
        gettext_lazy("You are on a break of {break_minutes} minutes."), break_minutes=downs.BREAK_MINUTES
    )


class CallFloorForm(OnTablet):
    does, button, then = rulings.call, "call", gettext_lazy("The floor has been called.")


class EndCourtesyHandForm(OnTablet):
    does, button = collection.end_courtesy, "end-courtesy"

    def words(self, result: TimePause) -> str:
        return gettext("{player} sits out until they pay.").format(player=result.player)


urlpatterns = page_urls([PAGE], forms=[ClockInForm, ClockOutForm, TakeBreakForm, CallFloorForm, EndCourtesyHandForm])
