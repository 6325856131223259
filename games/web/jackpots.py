"""Pages of jackpots: what everybody may know, and what staff asks for and decides."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from cardroom.services import access, approvals
from cardroom.services.errors import CardroomError
from cardroom.web import numbers
from cardroom.web.operations import attempt
from cardroom.web.parts import part_of
from games.models import Jackpot, JackpotHit, Table
from games.selectors import jackpots as selected
from games.services import jackpot_changes, jackpots

_HITS = 30


@never_cache
@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """Jackpots, what hits them, who hit them; for staff also what waits and the forms."""
    return _page(request)


@part_of("lobby")
@never_cache
@require_GET
def fragment(request: HttpRequest) -> HttpResponse:
    """The jackpots as the lobby shows them."""
    return render(request, "games/jackpots/_lobby.html", {"jackpots": selected.rows()})


@login_required
@require_POST
def change(request: HttpRequest) -> HttpResponse:
    """A manager asks for a new jackpot or for a change of one."""
    access.require_role(request.user, *jackpot_changes.ROLES)
    asked = request.POST

    def act() -> HttpResponse:
        number = _number(asked, "jackpot") if asked.get("jackpot") else None
        jackpot_changes.ask(
            jackpot_id=number,
            settings=_settings(asked),
            add=_number(asked, "add") if asked.get("add") else 0,
            is_closed=asked.get("is_closed") == "1",
            reason=asked.get("reason", ""),
            by=request.user,
            key=asked.get("key", "")[:60],
        )
        messages.success(request, "Asked for: it is live once a second person has approved it.")
        return redirect("jackpots")

    return attempt(request, act, _page)


@login_required
@require_POST
def hit(request: HttpRequest) -> HttpResponse:
    """The floor says that a jackpot was hit at a physical table."""
    access.require_role(request.user, *jackpots.ROLES)
    asked = request.POST

    def act() -> HttpResponse:
        jackpots.propose(
            jackpot_id=_number(asked, "jackpot"),
            table_id=_number(asked, "table"),
            loser=_number(asked, "loser"),
            winner=_number(asked, "winner"),
            losing="".join(asked.get("losing", "").split()),
            winning="".join(asked.get("winning", "").split()),
            players=[int(seat) for seat in asked.getlist("players") if seat.isdecimal() and len(seat) < 3],
            by=request.user,
            key=asked.get("key", "")[:60],
        )
        messages.success(request, "Written down: it is paid once a second person has approved it.")
        return redirect("jackpots")

    return attempt(request, act, _page)


@login_required
@require_POST
def decide(request: HttpRequest) -> HttpResponse:
    """A second person approves or refuses a hit or a change."""
    access.require_role(request.user, *jackpot_changes.ROLES)
    asked = request.POST

    def act() -> HttpResponse:
        row = approvals.decide(
            approval_id=_number(asked, "approval"),
            by=request.user,
            approve=asked.get("verdict") == "approve",
            reason=asked.get("reason", ""),
        )
        messages.success(request, f"{row.words}: {row.get_verdict_display()}.")
        return redirect("jackpots")

    return attempt(request, act, _page)


def _page(
    request: HttpRequest, *, refusal: CardroomError | None = None, typed: QueryDict | None = None
) -> HttpResponse:
    if refusal is not None:
        messages.error(request, refusal.message)
    roles = access.roles_of(request.user)
    hits = selected.hits()[:_HITS]
    context: dict[str, Any] = {
        "jackpots": selected.rows(with_closed=bool(roles & {"manager", "auditor"})),
        "hits": hits,
        "waiting": [hit for hit in hits if hit.state == JackpotHit.State.WAITING],
        "is_manager": "manager" in roles,
        "is_floor": bool(roles & set(jackpots.ROLES)),
        "sees_waiting": bool(roles & {"floor", "manager", "auditor"}),
    }
    if context["sees_waiting"]:
        hittable = dict(Jackpot.objects.filter(state__in=jackpots.PAYS).values_list("pk", "name"))
        tables = Table.objects.filter(
            is_physical=True, event="", state=Table.State.OPEN, drop__jackpot_name__in=hittable.values()
        )
        context |= {
            "hittable": hittable,
            "changes": selected.waiting_changes(),
            "tables": tables.order_by("name")[:200],
            "seats": range(1, 9),
            "least_hands": selected.least_hands(),
            "whole": [(name, title, _USUAL[name], (typed or {}).get(name, "")) for name, title in _TITLES.items()],
            "typed_seats": [int(each) for each in typed.getlist("players") if each.isdecimal()] if typed else [],
            "key": uuid4().hex,
            "typed": typed or {},
        }
    return render(request, "games/jackpots/page.html", context)


_WHOLE = tuple(jackpot_changes.WHOLE)
_USUAL = {name: Jackpot._meta.get_field(name).get_default() for name in _WHOLE}
_TITLES = {name: name.replace("_", " ").capitalize() for name in _WHOLE} | {
    "least_downcards": "Own downcards that must play",
    "least_players": "Least players dealt in",
    "backup_percent": "Percent to the backup",
    "loser_percent": "Percent to the losing hand",
    "winner_percent": "Percent to the winning hand",
    "loser_bonus": "Bonus of the losing hand",
    "winner_bonus": "Bonus of the winning hand",
    "table_bonus": "Bonus of each other player",
    "growth": "Growth by the clock, chips",
    "growth_minutes": "Every so many minutes",
}


def _settings(asked: QueryDict) -> dict[str, Any]:
    """What was filled in; a field left empty is left as it is."""
    settings: dict[str, Any] = {name: _number(asked, name) for name in _WHOLE if asked.get(name, "").strip()}
    for name in ("name", "least_hand"):
        if said := " ".join(asked.get(name, "").split()):
            settings[name] = said
    return settings


def _number(asked: QueryDict, name: str) -> int:
    said = f"{name.replace('_', ' ').capitalize()} is a whole number."
    return numbers.whole(asked.get(name, ""), said, field=name)
