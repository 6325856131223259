"""The dealer's tablet: one table of an event in the room. Who went out, that the hand is done, what was counted.

It tells what happened at its own table, so it does not ask whether something happened at another one meanwhile; what
cannot be any more is refused. Only a director can take something back, as long as nothing else was done since.
"""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import CardroomError, Conflict, Invalid, NotFound
from tournaments.journal import Receipt
from tournaments.models import Tournament
from tournaments.moments import ms
from tournaments.services import floor, staff
from tournaments.web import run_forms as forms
from tournaments.web.directing import done, order_of, words_of
from tournaments.web.flyer import looking
from tournaments.web.run_board import clock_face
from tournaments.web.run_tables import Table, table_of
from tournaments.web.views import event_of

_MOST_SEATS = 12


@login_required
@never_cache
@require_safe
def tablets(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The tables, each with the way to its tablet."""
    row = _event(request, tournament_id)
    with looking(row, now=timezone.now()) as state:
        tables = [(table.number, len(table.seats)) for table in state.in_use()]
    return render(request, "tournaments/run/tablets.html", {"tournament": row, "tables": tables})


@ensure_csrf_cookie
@login_required
@never_cache
@require_safe
@vary_on_headers("HX-Request")
def tablet(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    return _page(request, _event(request, tournament_id), number)


@login_required
@require_POST
def do(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    """`verb`: one of VERBS."""
    row = _event(request, tournament_id)
    try:
        words = _ordered(row, number, request.user, request.POST)
    except CardroomError as refusal:
        if request.htmx:
            raise
        return _page(request, row, number, refusal=refusal)
    row = event_of(request, tournament_id)
    if not request.htmx:
        messages.success(request, words)
        return redirect("tournament_tablet", tournament_id, number)
    answer = _page(request, row, number, told=words)
    answer["HX-Trigger"] = done(words)
    return answer


def _bust(data: QueryDict, order: dict[str, Any]) -> Receipt:
    return floor.bust(**_hand(data, order))


def _hand_done(data: QueryDict, order: dict[str, Any]) -> Receipt:
    return floor.hand_done(**_hand(data, order))


def _counts(data: QueryDict, order: dict[str, Any]) -> Receipt:
    return floor.count_table(stacks=forms.stacks(data), **order)


def _all_here(data: QueryDict, order: dict[str, Any]) -> str:
    floor.all_here(**order)
    return f"Everybody at table {order['table']} is in their seat."


def _of_one(verb: Callable[..., Any]) -> Callable[[QueryDict, dict[str, Any]], Any]:
    def act(data: QueryDict, order: dict[str, Any]) -> Any:
        order.pop("table")
        outcome = verb(entrant=forms.sent(forms.EntrantForm, data)["entrant"], **order)
        return outcome if isinstance(outcome, Receipt) else f"{outcome.name} is in their seat."

    return act


def _undo(data: QueryDict, order: dict[str, Any]) -> Receipt:
    order.pop("table")
    seq = forms.sent(forms.OrderForm, data)["expected_seq"]
    if seq is None:
        raise Invalid("Say on what view of the event it is taken back.", "bad-form")
    return floor.undo(**order | {"expected_seq": seq})


VERBS: dict[str, Callable[[QueryDict, dict[str, Any]], Receipt | str]] = {
    "bust": _bust,
    "hand-done": _hand_done,
    "counts": _counts,
    "all-here": _all_here,
    "arrived": _of_one(floor.arrived),
    "clock-on": _of_one(floor.clock_on),
    "clock-off": _of_one(floor.clock_off),
    "undo": _undo,
}


def _hand(data: QueryDict, order: dict[str, Any]) -> dict[str, Any]:
    said = forms.hand(data)
    return order | {"busts": said["busts"], "eliminators": said["eliminators"]}


def _ordered(row: Tournament, number: int, by: User, data: QueryDict) -> str:
    verb = VERBS.get(data.get("verb", ""))
    if verb is None:
        raise NotFound("The tablet has no such button.", "no-such-order")
    sent = forms.sent(forms.OrderForm, data)
    order = order_of(row, by, {"expected_seq": None, "command_id": sent["command_id"]}) | {"table": number}
    return words_of(row, verb(data, order))


def _event(request: HttpRequest, tournament_id: int) -> Tournament:
    access.require_role(request.user, *staff.TABLES)
    row = event_of(request, tournament_id)
    if row.conduct == Tournament.Conduct.ONLINE:
        raise Conflict("This event is played online: its tables tell what happens themselves.", "online-tables")
    return row


def _page(
    request: HttpRequest, row: Tournament, number: int, *, told: str = "", refusal: CardroomError | None = None
) -> HttpResponse:
    """`told`: what the last order came to; it stays (`?after=`) as long as nothing else is done in the event."""
    now = timezone.now()
    with looking(row, now=now) as state:
        # A table that was broken leaves its page behind, which says so.
        is_known = 1 <= number <= state.last_table
        face = clock_face(state, ms(now))
        is_hfh, waiting = state.is_hand_for_hand, [one.number for one in state.in_use() if not one.hand_done]
        leaving = state.structure.levels[face.reading.level].colour_up
        left, entries, phase = state.left, state.entries, state.phase
        undo_label = state.undo_label
        if not told and request.GET.get("after") == str(state.seq):
            told = f"{state.actions[-1].label}."
    if not is_known:
        raise NotFound(f"There is no table {number} in this event.", "no-such-table")
    table: Table | None = table_of(row, number, now=now)
    is_director = access.has_role(request.user, *staff.DIRECTORS)
    context = {
        "tournament": row,
        "number": number,
        "table": table,
        "clock": face,
        "phase": phase,
        "left": left,
        "entries": entries,
        "is_hand_for_hand": is_hfh,
        "waiting": [other for other in waiting if other != number] if is_hfh else [],
        "leaving": leaving,
        "told": told,
        "undo_label": undo_label if told and is_director else "",
        "is_director": is_director,
        "seq": row.seq,
        "key": token_urlsafe(9),
        "refusal": refusal,
    }
    name = "_tablet" if request.htmx else "tablet"
    return render(request, f"tournaments/run/{name}.html", context, status=refusal.status if refusal else 200)
