"""What the console opens beside its parts: one player, one table, the clock, the payouts.

With htmx each is the inside of a dialog, without it a page of its own.
"""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from cardroom.services import access
from cardroom.services.errors import NotFound
from tournaments.engine.commands import PENALTIES
from tournaments.engine.tournament import Tournament as Engine
from tournaments.models import Tournament
from tournaments.moments import moment, ms
from tournaments.selectors import entries
from tournaments.services import payouts, prices, staff
from tournaments.web.flyer import level_rows, looking, price_rows, prize_rows
from tournaments.web.run_board import clock_face, standing_of
from tournaments.web.run_tables import table_of
from tournaments.web.views import event_of

_PENALTY_WORDS = {"warning": "Warning", "hands": "Miss hands", "rounds": "Miss rounds"}


@login_required
@never_cache
@require_safe
@vary_on_headers("HX-Request")
def player(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    row = _event(request, tournament_id)
    entry = entries.entry(row, number)
    now = timezone.now()
    with looking(row, now=now) as state:
        one = state.entrants[number]
        context: dict[str, Any] = {
            "entry": entry,
            "chips": one.stack,
            "at_table": one.table,
            "at_seat": one.seat,
            "status": one.status,
            "standing": "" if one.table else standing_of(one),
            "is_held": number in state.held,
            "is_called": number in state.called,
            "missing": one.missing,
            "penalties": [(moment(each.at), each) for each in one.penalties],
            "is_reserved": one.reserved is not None or number in state.reserved,
            "had": one.last[2],
            "is_latest": state.players.get(one.player) == number,
            "rooms": [(each.number, len(each.seats), each.size - len(each.seats)) for each in state.in_use()],
            "offered": {price.what: price for price in price_rows(row, state.config)},
            "is_entry_open": state.is_entry_open(ms(now)),
            "is_hand_for_hand": state.is_hand_for_hand,
        }
    context["table"] = table_of(row, context["at_table"], now=now) if context["at_table"] else None
    context["penalty_kinds"] = [(kind, _PENALTY_WORDS[kind]) for kind in PENALTIES if kind in _PENALTY_WORDS]
    context["re_entry_price"] = prices.of(row, "re_entry").total
    return _panel(request, row, "player", f"{entry.name}, entry {number}", context)


@login_required
@never_cache
@require_safe
@vary_on_headers("HX-Request")
def table(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    row = _event(request, tournament_id)
    now = timezone.now()
    found = table_of(row, number, now=now)
    if found is None:
        raise NotFound(f"There is no table {number} open.", "no-such-table")
    with looking(row, now=now) as state:
        context = {
            "table": found,
            "is_hand_for_hand": state.is_hand_for_hand,
            "leaving": state.structure.levels[state.level(ms(now))].colour_up,
            "tables_in_use": len(state.in_use()),
        }
    return _panel(request, row, "table", f"Table {number}", context)


@login_required
@never_cache
@require_safe
@vary_on_headers("HX-Request")
def clock(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Set what is left of the level, or begin another one."""
    row = _event(request, tournament_id)
    now = timezone.now()
    with looking(row, now=now) as state:
        context = {"face": clock_face(state, ms(now)), "levels": level_rows(row, state, now=now)}
    return _panel(request, row, "clock", "Clock", context)


@login_required
@never_cache
@require_safe
@vary_on_headers("HX-Request")
def prizes(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The payouts as they would be now, and who has been paid what."""
    row = _event(request, tournament_id)
    with looking(row, now=timezone.now()) as state:
        context: dict[str, Any] = {
            "prizes": prize_rows(state),
            "pool": state.pool,
            "guarantee": state.config.payout.guarantee,
            "is_locked": state.locked is not None,
            "is_stale": state.is_payout_stale,
            "is_finished": state.phase == "finished",
            "is_flight": state.is_flight,
            "is_live": state.phase == "running",
            "won": _won(state),
        }
    receipts = list(payouts.receipts(row))
    paid = {receipt.entry.number for receipt in receipts if receipt.state == receipt.State.PAID}
    context |= {"receipts": receipts, "paid": paid}
    context["is_all_paid"] = bool(receipts) and all(each[0] in paid for each in context["won"])
    return _panel(request, row, "prizes", "Payouts", context)


def _won(state: Engine) -> list[tuple[int, str, int, int, int]]:
    """(entry, name, place, prize, bounties) of those out who have won something, best first."""
    if state.phase != "finished" and (state.locked is None or state.is_payout_stale):
        return []
    found, last = [], state.places_paid()
    for one in state.entrants.values():
        if one.below < 0 or (one.place > last and not one.bounties_won):
            continue
        prize = state.prize_of(one.number)
        if prize or one.bounties_won:
            found.append((one.number, one.name, one.place, prize, one.bounties_won))
    return sorted(found, key=lambda each: (each[2], each[0]))


def _event(request: HttpRequest, tournament_id: int) -> Tournament:
    access.require_role(request.user, *staff.DIRECTORS)
    return event_of(request, tournament_id)


def _panel(request: HttpRequest, row: Tournament, name: str, title: str, context: dict[str, Any]) -> HttpResponse:
    context |= {
        "tournament": row,
        "seq": row.seq,
        "is_room": row.conduct == Tournament.Conduct.ROOM,
        "key": token_urlsafe(9),
        "title": title,
        "panel": f"tournaments/run/_{name}.html",
    }
    return render(request, "tournaments/run/_panel.html" if request.htmx else "tournaments/run/panel.html", context)
