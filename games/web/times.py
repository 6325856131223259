"""Time at a table: who pays what and when, refused and paid by players, paused and waived by the floor."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.services import access, accounts
from cardroom.services.errors import NotFound
from games.selectors.collection import time_at
from games.services import collection
from games.web.forms import sent

#: Who reads the time of a table without sitting there.
READERS = ("floor", "manager", "dealer", "cashier", "auditor")


class PauseForm(forms.Form):
    player = forms.IntegerField(min_value=1, max_value=10**9)
    reason = forms.CharField(max_length=300, required=False)
    key = forms.CharField(max_length=60, required=False)


class MineForm(forms.Form):
    player = forms.IntegerField(min_value=1, max_value=10**9, required=False)


class ChargeForm(forms.Form):
    reason = forms.CharField(max_length=300, required=False)
    key = forms.CharField(max_length=60, required=False)


@login_required
@never_cache
@require_safe
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    """The time of a table: for those who sit there and for the staff."""
    time = time_at(table_id)
    is_floor = access.has_role(request.user, *collection.ROLES)
    mine = time.of(request.user.pk)
    if mine is None:
        access.require_role(request.user, *READERS)
    deals = time.table.is_physical and access.has_role(request.user, "dealer", *collection.ROLES)
    context = {"time": time, "table": time.table, "mine": mine, "is_floor": is_floor, "deals": deals}
    return render(request, "games/statement/time.html", context)


@login_required
@require_POST
def stand(request: HttpRequest, table_id: int, verb: str) -> HttpResponse:
    """Pause or resume somebody's time; refuse or pay one's own, or have it done by the floor; end a courtesy hand."""
    if verb in ("pause", "resume"):
        asked = sent(PauseForm, request)
        player = accounts.one(asked.pop("player"))
        reason = asked.pop("reason") or "absent with leave"
        more: dict[str, Any] = {"reason": reason} if verb == "pause" else {}
        does = {"pause": collection.pause, "resume": collection.resume}[verb]
        does(table_id=table_id, player=player, by=request.user, key=asked["key"], **more)
    elif verb == "end-courtesy":
        player = accounts.one(sent(MineForm, request)["player"] or 0)
        collection.end_courtesy(table_id=table_id, player=player, by=request.user)
    elif verb in ("refuse", "pay"):
        named = sent(MineForm, request)["player"]
        player = accounts.one(named) if named else request.user
        does = {"refuse": collection.refuse, "pay": collection.pay}[verb]
        does(table_id=table_id, player=player, by=request.user)
    else:
        raise NotFound("There is no such thing to be done with time.", "no-such-verb")
    messages.success(request, _SAID[verb].format(player))
    # Who has left and paid what they had refused has nothing more to read there.
    reads = access.has_role(request.user, *READERS) or time_at(table_id).of(request.user.pk) is not None
    return redirect("table_time" if reads else "table", table_id)


@login_required
@require_POST
def settle(request: HttpRequest, charge_id: int, verb: str) -> HttpResponse:
    """Waive a charge, or collect what is owed of it."""
    asked = sent(ChargeForm, request)
    if verb == "waive":
        charge = collection.waive(charge_id=charge_id, by=request.user, **asked)
    elif verb == "collect":
        charge = collection.collect(charge_id=charge_id, by=request.user, key=asked["key"])
    else:
        raise NotFound("There is no such thing to be done with a charge.", "no-such-verb")
    messages.success(request, f"The time of {charge.player} is {charge.get_state_display()}.")
    return redirect("table_time", charge.table_id)


_SAID = {
    "pause": "The time of {} stands still.",
    "resume": "The time of {} goes on.",
    "refuse": "{} does not pay the next time.",
    "end-courtesy": "The courtesy hand of {} is over: they sit out until they pay.",
    "pay": "{} pays the time again.",
}
