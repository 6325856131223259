"""Pages of shifts and dealers: the desk of both, the panel on the floor, and each verb."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.services import access, accounts
from cardroom.services.errors import CardroomError, NotFound
from cardroom.web import numbers
from cardroom.web.parts import part_of
from games.selectors import dealers as selected
from games.services import downs, shifts

READERS = ("dealer", "floor", "manager", "auditor")
_SHIFTS, _DOWNS = 12, 30


@never_cache
@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Shifts, who deals where, who is next, and the newest downs."""
    return _page(request)


@part_of("floor")
@never_cache
@login_required
@require_safe
def panel(request: HttpRequest) -> HttpResponse:
    """Who deals where now, for the floor's page."""
    access.require_role(request.user, "floor", "manager")
    return render(request, "games/shifts/_panel.html", {"rotation": selected.rotation(now=timezone.now())})


@login_required
@require_POST
def shift(request: HttpRequest, verb: str) -> HttpResponse:
    """Open a shift, or close the one that is open."""
    access.require_role(request.user, *shifts.ROLES)
    asked = request.POST
    common: dict[str, Any] = {"by": request.user, "key": asked.get("key", "")[:60]}
    try:
        if verb == "open":
            shifts.open_(name=asked.get("name", ""), **common)
        elif verb == "close":
            heir = accounts.one(_number(asked, "handed_to")) if asked.get("handed_to") else None
            said = {"remark": asked.get("remark", ""), "handed_to": heir}
            shifts.close(shift_id=_number(asked, "shift"), **said, **common)
        else:
            raise NotFound("A shift is opened or closed.", "no-such-verb")
    except CardroomError as refusal:
        return _refused(request, refusal)
    messages.success(request, "The shift is open." if verb == "open" else "The shift is closed.")
    return redirect("shifts")


@login_required
@require_POST
def dealer(request: HttpRequest, verb: str) -> HttpResponse:
    """What a dealer does with their clock, or the floor for them (`dealer`)."""
    access.require_role(request.user, "dealer", *downs.STAFF)
    asked = request.POST
    try:
        if verb not in VERBS:
            raise NotFound("There is no such thing to do with a dealer's clock.", "no-such-verb")
        who = downs.dealer(_number(asked, "dealer")) if asked.get("dealer") else request.user
        told = VERBS[verb](asked, {"dealer": who, "by": request.user, "key": asked.get("key", "")[:60]})
    except CardroomError as refusal:
        return _refused(request, refusal)
    messages.success(request, f"{who}: {told}.")
    return redirect("shifts")


def _clock_in(asked: QueryDict, common: dict[str, Any]) -> str:
    table = _number(asked, "table") if asked.get("table") else None
    place = "" if table else asked.get("place", "")
    minutes = _number(asked, "minutes") if asked.get("minutes") else downs.DOWN_MINUTES
    down = downs.clock_in(table_id=table, place=place, minutes=minutes, **common)
    return f"deals at {down.where}"


def _break(asked: QueryDict, common: dict[str, Any]) -> str:
    minutes = _number(asked, "minutes") if asked.get("minutes") else downs.BREAK_MINUTES
    downs.take_break(minutes=minutes, **common)
    return f"has a break of {minutes} minutes"


def _plain(verb: Callable[..., Any], words: str) -> Callable[[QueryDict, dict[str, Any]], str]:
    def do(asked: QueryDict, common: dict[str, Any]) -> str:
        verb(**common)
        return words

    return do


VERBS: dict[str, Callable[[QueryDict, dict[str, Any]], str]] = {
    "clock-in": _clock_in,
    "break": _break,
    "start": _plain(downs.start, "is on duty"),
    "back": _plain(downs.back, "waits to deal"),
    "clock-out": _plain(downs.clock_out, "waits to deal"),
    "home": _plain(downs.home, "goes home"),
}


def _refused(request: HttpRequest, refusal: CardroomError) -> HttpResponse:
    messages.error(request, refusal.message)
    return _page(request, typed=request.POST, status=refusal.status)


def _page(request: HttpRequest, *, typed: QueryDict | None = None, status: int = 200) -> HttpResponse:
    access.require_role(request.user, *READERS)
    now = timezone.now()
    is_floor = access.has_role(request.user, *downs.STAFF)
    current = shifts.current()
    rotation = selected.rotation(now=now)
    found = shifts.found_open() if current and is_floor else {}
    context = {
        "now": now,
        "current": current,
        "found": found,
        "left": shifts.still_open(found),
        "heirs": shifts.heirs(request.user) if found else [],
        "shifts": selected.shifts()[:_SHIFTS],
        "rotation": rotation,
        "downs": selected.downs()[:_DOWNS],
        "is_floor": is_floor,
        "is_dealer": access.has_role(request.user, "dealer"),
        "dealers": selected.dealers() if is_floor else (),
        "tables": selected.tables() if is_floor or access.has_role(request.user, "dealer") else (),
        "typed": typed or {},
        "key": uuid4().hex,
    }
    return render(request, "games/shifts/page.html", context, status=status)


def _number(asked: QueryDict, name: str) -> int:
    return numbers.whole(asked.get(name, ""), f"{name.capitalize()} is a whole number.")
