"""What came of an event: places and prizes, who knocked out whom, and the deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.engine.tournament import Tournament as Engine
from tournaments.models import Payment, Tournament
from tournaments.selectors import results as selectors
from tournaments.services.prices import PARTS
from tournaments.web.flyer import looking
from tournaments.web.views import event_of

PLACES_A_PAGE = 100
MOST_KNOCK_OUTS = 500

DEALS = {"icm": "by ICM", "chip": "by chips", "even": "in even parts", "custom": "as agreed"}


@dataclass(frozen=True)
class Deal:
    """`amounts`: (name, amount) in the order of entry; `play_for`: what was left to play for."""

    kind: str
    play_for: int
    amounts: list[tuple[str, int]]


@never_cache
@require_safe
def results(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The places, so far while it is played; `?page=` further down."""
    row = event_of(request, tournament_id)
    with looking(row, now=timezone.now()) as state:
        deal = _deal(state)
    context: dict[str, Any] = {
        "tournament": row,
        "page": Paginator(selectors.results(row), PLACES_A_PAGE).get_page(request.GET.get("page")),
        "knock_outs": selectors.knock_outs(row)[:MOST_KNOCK_OUTS],
        "deal": deal,
        "money": _money(row),
    }
    return render(request, "tournaments/results.html", context)


def _deal(state: Engine) -> Deal | None:
    made = state.deal
    if made is None:
        return None
    amounts = [(state.entrants[number].name, amount) for number, amount in made.amounts]
    return Deal(DEALS.get(made.deal, made.deal), made.play_for, amounts)


def _money(row: Tournament) -> dict[str, Any]:
    """What was paid in by part, and how often for what; one query."""
    by_what = (
        Payment.objects.filter(tournament=row, refunded_at=None)
        .values("what")
        .order_by("what")
        .annotate(times=Count("pk"), **{f"all_{part}": Sum(part) for part in PARTS})
    )
    found = list(by_what)
    return {part: sum(each[f"all_{part}"] for each in found) for part in PARTS} | {
        "counts": [(str(Payment.What(each["what"]).label), each["times"]) for each in found]
    }
