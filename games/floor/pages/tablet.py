"""The tablet of a table in the room: who sits there, what they owe, the dealer's clock, and a word to the floor. See
`cardroom.core.web.operations`.
"""

import secrets
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie

from cardroom.core import access
from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Order
from cardroom.core.web.operations import Form, Operation, Page, refused
from games.dealers import downs
from games.dealers import queries as dealer_queries
from games.floor import rulings
from games.floor.pages.floor import CallOrder
from games.floor.pages.seating import MONEY, ROLES
from games.play.pages.tables import moved
from games.rake import collection
from games.rake.pages import PlayerOrder
from games.rake.queries import time_at
from games.tables.queries import tables as seat_queries


@ensure_csrf_cookie
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    """All that a dealer does at a table in the room; where cards are dealt here, it is the console."""
    now = timezone.now()
    plan = seat_queries.seat_plan(table_id=table_id, now=now)
    if not plan.table.is_physical:
        return redirect("deal", table_id)
    time = time_at(table_id)
    context = {
        "plan": plan,
        "table": plan.table,
        "time": time if time.schedule else None,
        "owing": [row for row in time.sitters if row.owed or row.standing],
        "desk": dealer_queries.desk_of(table_id),
        "is_dealer": access.has_role(request.user, "dealer"),
        "may_seat": access.has_role(request.user, "floor", "manager"),
        "may_pay": access.has_role(request.user, *MONEY),
        "key": secrets.token_urlsafe(9),
        "now": now,
    }
    return render(request, "games/floor/tablet.html", context)


def _clock_in(*, table_id: int, by: User, key: str) -> str:
    return f"You deal at {downs.clock_in(dealer=by, by=by, table_id=table_id, key=key).where}."


def _clock_out(*, table_id: int, by: User, key: str) -> str:
    downs.clock_out(dealer=by, by=by, key=key)
    return "You have left the table."


def _break(*, table_id: int, by: User, key: str) -> str:
    downs.take_break(dealer=by, by=by, key=key)
    return f"You are on a break of {downs.BREAK_MINUTES} minutes."


def _call(**asked: Any) -> str:
    rulings.call(**asked)
    return "The floor has been called."


def _end_courtesy(*, key: str, player: User, **asked: Any) -> str:
    collection.end_courtesy(player=player, **asked)
    return f"{player} sits out until they pay."


PAGE = Page("tables/<int:table_id>/tablet/", "table_tablet", page, ROLES)


def _verb(verb: str, does: Callable[..., str], summary: str, order: type[Order] | None = None) -> Operation:
    """Programs do the same with `dealers`, `call-floor` and `time`."""
    address = "tables/<int:table_id>/tablet/<slug:verb>/"
    form = Form(address, "table_tablet_do", PAGE, moved("{}", "table_tablet", "table_id"), refused, verbs={verb: {}})
    return Operation(
        name=f"tablet_{verb}", summary=summary, address="", tag="dealers", roles=ROLES, does=does, keyed=True,
        order=order, form=form,
    )  # fmt: skip


DECLARED = [
    _verb("clock-in", _clock_in, "Deal at this table"),
    _verb("clock-out", _clock_out, "Off the table"),
    _verb("break", _break, "Have a break"),
    _verb("call", _call, "Call the floor", CallOrder),
    _verb("end-courtesy", _end_courtesy, "End a courtesy hand", PlayerOrder),
]

urlpatterns = of.pages([PAGE], DECLARED)
