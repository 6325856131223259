"""The tablet of a table in the room: who sits there, what they owe, the dealer's clock, and a word to the floor."""

import json
import secrets
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import NotFound
from games.selectors import dealers
from games.selectors import seating as chairs
from games.selectors.collection import time_at
from games.services import collection, downs, floor
from games.web.forms import sent
from games.web.seating import MONEY, ROLES


class TabletForm(forms.Form):
    """Whatever is asked for there."""

    note = forms.CharField(max_length=200, required=False)
    kind = forms.CharField(max_length=8, required=False)
    player = forms.IntegerField(min_value=1, max_value=10**9, required=False)
    key = forms.CharField(max_length=40, required=False)


@ensure_csrf_cookie
@never_cache
@login_required
@require_safe
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    """All that a dealer does at a table in the room; where cards are dealt here, it is the console."""
    access.require_role(request.user, *ROLES)
    now = timezone.now()
    plan = chairs.seat_plan(table_id=table_id, now=now)
    if not plan.table.is_physical:
        return redirect("deal", table_id)
    time = time_at(table_id)
    context = {
        "plan": plan,
        "table": plan.table,
        "time": time if time.schedule else None,
        "owing": [row for row in time.sitters if row.owed or row.standing],
        "desk": dealers.desk_of(table_id),
        "is_dealer": access.has_role(request.user, "dealer"),
        "may_seat": access.has_role(request.user, "floor", "manager"),
        "may_pay": access.has_role(request.user, *MONEY),
        "key": secrets.token_urlsafe(9),
        "now": now,
    }
    return render(request, "games/tablet.html", context)


@login_required
@require_POST
def do(request: HttpRequest, table_id: int, verb: str) -> HttpResponse:
    """Clock in, off the table or on a break; call the floor; say that a courtesy hand is over."""
    access.require_role(request.user, *ROLES)
    if verb not in _VERBS:
        raise NotFound("There is no such thing to do on a tablet.", "no-such-verb")
    words = _VERBS[verb](table_id, request.user, sent(TabletForm, request))
    if request.htmx:
        told = {"seats-moved": {}, "toast": {"message": words}}
        return HttpResponse(status=204, headers={"HX-Trigger": json.dumps(told)})
    messages.success(request, words)
    return redirect("table_tablet", table_id)


def _clock_in(table_id: int, by: User, asked: dict[str, Any]) -> str:
    down = downs.clock_in(dealer=by, by=by, table_id=table_id, key=asked["key"])
    return f"You deal at {down.where}."


def _clock_out(table_id: int, by: User, asked: dict[str, Any]) -> str:
    downs.clock_out(dealer=by, by=by, key=asked["key"])
    return "You are off the table."


def _break(table_id: int, by: User, asked: dict[str, Any]) -> str:
    downs.take_break(dealer=by, by=by, key=asked["key"])
    return f"You have a break of {downs.BREAK_MINUTES} minutes."


def _call(table_id: int, by: User, asked: dict[str, Any]) -> str:
    floor.call(table_id=table_id, by=by, note=asked["note"], kind=asked["kind"] or "floor", key=asked["key"])
    return "The floor has been called."


def _end_courtesy(table_id: int, by: User, asked: dict[str, Any]) -> str:
    player = get_object_or_404(User, pk=asked["player"] or 0)
    collection.end_courtesy(table_id=table_id, player=player, by=by)
    return f"{player} sits out until they pay."


_VERBS: dict[str, Callable[[int, User, dict[str, Any]], str]] = {
    "clock-in": _clock_in,
    "clock-out": _clock_out,
    "break": _break,
    "call": _call,
    "end-courtesy": _end_courtesy,
}
