"""The tablet of a table in the room: who sits there, what they owe, the dealer's clock, and a word to the floor. See
`cardroom.core.web.operations`.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.csrf import ensure_csrf_cookie

from cardroom.core import access
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Order
from cardroom.core.web.operations import Form, Operation, Page, refused
from games.dealers import downs
from games.dealers import queries as dealer_queries
from games.floor import queries, rulings
from games.floor.pages.floor import CallOrder
from games.floor.pages.seating import ROLES, plan_of
from games.play.pages.tables import moved
from games.rake import collection
from games.rake.pages import PlayerOrder
from games.rake.queries import time_at


@ensure_csrf_cookie
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    """All that a dealer does at a table in the room; where cards are dealt here, it is the console."""
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


def _verb(
    verb: str, does: Callable[..., Any], summary: str, words: str | Callable[[Any], str],
    order: type[Order] | None = None,
) -> Operation:  # fmt: skip
    """Programs do the same with `dealers`, `call-floor` and `time`."""
    address = "tables/<int:table_id>/tablet/<slug:verb>/"
    form = Form(address, "table_tablet_do", PAGE, moved(words, "table_tablet", "table_id"), refused, verbs={verb: {}})
    return Operation(
        name=f"tablet_{verb}", summary=summary, address="", tag="dealers", roles=ROLES, does=does, keyed=True,
        order=order, form=form,
    )  # fmt: skip


DECLARED = [
    _verb(
        "clock-in", lambda by, **asked: downs.clock_in(dealer=by, by=by, **asked), "Deal at this table",
        lambda down: gettext("You deal at {where}.").format(where=down.where),
    ),
    _verb(
        "clock-out", lambda table_id, by, key: downs.clock_out(dealer=by, by=by, key=key), "Off the table",
        gettext_lazy("You have left the table."),
    ),
    _verb(
        "break", lambda table_id, by, key: downs.take_break(dealer=by, by=by, key=key), "Have a break",
        format_lazy(gettext_lazy("You are on a break of {break_minutes} minutes."), break_minutes=downs.BREAK_MINUTES),
    ),
    _verb("call", rulings.call, "Call the floor", gettext_lazy("The floor has been called."), CallOrder),
    _verb(
        "end-courtesy", lambda key, **asked: collection.end_courtesy(**asked), "End a courtesy hand",
        lambda pause: gettext("{player} sits out until they pay.").format(player=pause.player), PlayerOrder,
    ),
]  # fmt: skip

urlpatterns = of.pages([PAGE], DECLARED)
