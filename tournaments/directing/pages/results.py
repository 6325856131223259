"""How an event comes out: places and prizes, knock-outs, the deal, the log of what was done, and its hands."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Sum
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from cardroom.core.models import User
from cardroom.core.web import parts
from cardroom.core.web.pages import Context, Page
from games.tables.queries import history
from tournaments.directing import outcomes
from tournaments.engine.tournament import EventEngine
from tournaments.events import queries as event_queries
from tournaments.events import staff
from tournaments.events.models import Payment, Tournament
from tournaments.events.terms import PARTS
from tournaments.registration.pages.flyer import looking
from tournaments.registration.pages.views import EVENT, event_of

PLACES_A_PAGE = ACTIONS_A_PAGE = 100
HANDS_A_PAGE = 50
MOST_KNOCK_OUTS = 500
DEALS = {
    "icm": gettext_lazy("by ICM"),
    "chip": gettext_lazy("by chips"),
    "even": gettext_lazy("in even parts"),
    "custom": gettext_lazy("as agreed"),
}


def results(request: HttpRequest, *, tournament_id: int) -> Context:
    """The places, so far while it is played; `?page=` further down."""
    row = event_of(request, tournament_id)
    with looking(row, now=timezone.now()) as state:
        deal = _deal(state)
    return {
        "tournament": row,
        "page": Paginator(outcomes.results(row), PLACES_A_PAGE).get_page(request.GET.get("page")),
        "knock_outs": outcomes.knock_outs(row)[:MOST_KNOCK_OUTS],
        "deal": deal,
        "money": _money(row),
    }


def _deal(state: EventEngine) -> dict[str, Any] | None:
    """`amounts`: (name, amount) in the order of entry; `play_for`: what was left to play for."""
    agreed = state.deal
    if agreed is None:
        return None
    amounts = [(state.entrants[number].name, amount) for number, amount in agreed.amounts]
    return {"kind": DEALS.get(agreed.deal, agreed.deal), "play_for": agreed.play_for, "amounts": amounts}


def _money(row: Tournament) -> dict[str, Any]:
    """What was paid in by part, and how often for what; one query."""
    by_what = (
        Payment.objects.filter(tournament=row, refunded_at=None)
        .values("what")
        .order_by("what")
        .annotate(times=Count("pk"), **{f"all_{part}": Sum(part) for part in PARTS})
    )
    sums_by_kind = list(by_what)
    return {part: sum(sums_of_kind[f"all_{part}"] for sums_of_kind in sums_by_kind) for part in PARTS} | {
        "counts": [
            (str(Payment.Kind(sums_of_kind["what"]).label), sums_of_kind["times"]) for sums_of_kind in sums_by_kind
        ]
    }


def log(request: HttpRequest, *, tournament_id: int) -> Context:
    """Everything that was done in an event, by whom, and what was undone; `?page=` goes further back."""
    row = event_of(request, tournament_id)
    page = Paginator(event_queries.log(row), ACTIONS_A_PAGE).get_page(request.GET.get("page"))
    names = dict(User.objects.filter(pk__in={action.by for action in page if action.by}).values_list("pk", "username"))
    actions = [(action, names.get(action.by or 0, gettext("the house"))) for action in page]
    return {"tournament": row, "page": page, "actions": actions}


def hands(request: HttpRequest, *, tournament_id: int) -> Context:
    """The hands of an event that the viewer may see, newest first: all, or `?own=1` their own; `?before=` goes back."""
    row = event_of(request, tournament_id)
    before, own = parts.query_number(request, "before"), bool(parts.query_number(request, "own"))
    rows = history.hands_of_event(row.unit, request.user, limit=HANDS_A_PAGE + 1, before=before, own=own)
    return {"tournament": row, "hands": rows[:HANDS_A_PAGE], "is_full": len(rows) > HANDS_A_PAGE, "own": own}


PAGES = [
    Page(f"{EVENT}results/", "tournament_results", results, is_public=True, template="tournaments/events/results.html"),
    Page(f"{EVENT}hands/", "tournament_hands", hands, is_public=True, template="tournaments/events/hands.html"),
    Page(f"{EVENT}run/log/", "tournament_run_log", log, staff.DIRECTORS, template="tournaments/directing/log.html"),
]
