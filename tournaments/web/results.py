"""What came of an event: places and prizes, who knocked out whom, and the deal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.engine.tournament import Tournament as Engine
from tournaments.engine.words import listed
from tournaments.models import Payment, Tournament
from tournaments.moments import moment
from tournaments.selectors import entries
from tournaments.web.flyer import looking
from tournaments.web.views import event_of

PLACES_A_PAGE = 100
MOST_KNOCK_OUTS = 500

DEALS = {"icm": "by ICM", "chip": "by chips", "chips": "by chips", "even": "in even parts", "custom": "as agreed"}


@dataclass(frozen=True)
class KnockOut:
    """One entry that went out. `by`: the names of those who won its chips; `table`: 0 where it is not known."""

    at: datetime
    name: str
    place: int
    tied: int
    table: int
    by: str
    is_disqualified: bool


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
        log, deal = knock_outs(state), _deal(state)
    page = Paginator(entries.standings(row), PLACES_A_PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {
        "tournament": row,
        "page": page,
        "knock_outs": log[:MOST_KNOCK_OUTS],
        "deal": deal,
        "money": _money(row),
    }
    return render(request, "tournaments/results.html", context)


def knock_outs(state: Engine) -> list[KnockOut]:
    """Everybody who is out, the last one first; what was undone is not among them."""
    out = [entrant for entrant in state.entrants.values() if entrant.below >= 0 and entrant.out_at]
    out.sort(key=lambda entrant: (-entrant.out_at, entrant.place, entrant.number))
    return [
        KnockOut(
            at=moment(entrant.out_at),
            name=entrant.name,
            place=entrant.place,
            tied=entrant.tied,
            table=entrant.last[0],
            by=listed(state.entrants[number].name for number in entrant.by) if entrant.by else "",
            is_disqualified=entrant.is_disqualified,
        )
        for entrant in out
    ]


def _deal(state: Engine) -> Deal | None:
    made = state.deal
    if made is None:
        return None
    amounts = [(state.entrants[number].name, amount) for number, amount in made.amounts]
    return Deal(DEALS.get(made.deal, made.deal), made.play_for, amounts)


def _money(row: Tournament) -> dict[str, Any]:
    """What was paid in, by part, and how often for what; one query."""
    paid = list(Payment.objects.filter(tournament=row, refunded_at=None))
    counts = {what: sum(payment.what == what for payment in paid) for what in Payment.What.values}
    return {
        "counts": [(str(Payment.What(what).label), count) for what, count in counts.items() if count],
        "pool": sum(payment.pool for payment in paid),
        "fee": sum(payment.fee for payment in paid),
        "bounty": sum(payment.bounty for payment in paid),
        "staff": sum(payment.staff for payment in paid),
    }
