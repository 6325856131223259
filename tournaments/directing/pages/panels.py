"""Panels of the director's console: of one player, one table, the clock, the chips, the payouts, or the undo.

With htmx a panel is the inside of a dialog, else a page of its own, whose forms come back to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from secrets import token_urlsafe
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.vary import vary_on_headers

from cardroom.cage import queries as cage_queries
from cardroom.core.errors import NotFound, Refusal
from cardroom.core.web.pages import Page
from tournaments.directing import queries as directing_queries
from tournaments.directing.pages.console_board import open_prize_rows, standing_of
from tournaments.directing.undoing import next_undo
from tournaments.engine.commands import PENALTIES
from tournaments.engine.tournament import EventEngine
from tournaments.events import staff, terms
from tournaments.events.journal import moment, ms
from tournaments.events.models import Tournament
from tournaments.prizes import payouts
from tournaments.prizes.models import Payout
from tournaments.registration import queries as registration_queries
from tournaments.registration.pages.flyer import ClockFace, counted_at, level_rows, looking, price_rows, table_of
from tournaments.registration.pages.views import EVENT, event_of

_PENALTY_WORDS = {
    "warning": gettext_lazy("Warning"),
    "hands": gettext_lazy("Miss hands"),
    "rounds": gettext_lazy("Miss rounds"),
}
_PENALTY_NAMES = _PENALTY_WORDS | {"disqualified": gettext_lazy("Disqualified")}
#: Panels of one entry, or one table.
_OF_ONE = ("player", "table")
#: A panel's title, and what it shows.
Shown = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Winnings:
    """What one entry has won. `owed`: what can be paid of it now and has not been; while the event is played bounties
    wait for its end. `is_in_cash`: it is paid at the desk, for the entry was paid there."""

    number: int
    name: str
    place: int
    prize: int
    bounties: int
    owed: int
    is_in_cash: bool
    is_paid: bool

    @property
    def is_whole(self) -> bool:
        """Whether nothing of it has been paid yet, and all of it can be."""
        return self.owed == self.prize + self.bounties


@vary_on_headers("HX-Request")
def panel(request: HttpRequest, *, tournament_id: int, name: str, number: int = 0) -> HttpResponse:
    """`name`: one of PANELS; `number`: of the entry or the table that it is about."""
    return panel_page(request, event_of(request, tournament_id), name, number)


def panel_page(
    request: HttpRequest, row: Tournament, name: str, number: int = 0, *, refusal: Refusal | None = None
) -> HttpResponse:
    """The panel as it is asked for. `refusal`: why an order that was given on its page was not carried out."""
    is_part = request.htmx and not request.htmx.history_restore_request
    title, context = PANELS[name](row, number, timezone.now())
    context |= {
        "tournament": row,
        "seq": row.seq,
        "takes_cash": cage_queries.takes_cash(request.user),
        "is_room": row.conduct == Tournament.Conduct.ROOM,
        "key": token_urlsafe(9),
        "title": title,
        "panel": f"tournaments/directing/_{name}.html",
        "panel_of": "" if is_part else f"{name}:{number}",
        "refusal": refusal,
    }
    template = "tournaments/directing/_panel.html" if is_part else "tournaments/directing/panel.html"
    return render(request, template, context, status=refusal.status if refusal else 200)


def panel_of_form(row: Tournament, data: QueryDict) -> tuple[str, int] | None:
    """The panel on whose page this form was: its name and number. None for a form that was on no panel, or on the panel
    of a table that is gone."""
    name, _, number_text = data.get("panel", "").partition(":")
    if name not in PANELS or not (number_text.isascii() and number_text.isdigit() and len(number_text) < 10):
        return None
    number = int(number_text)
    is_gone = name == "table" and table_of(row, number, now=timezone.now()) is None
    return None if is_gone else (name, number)


def address_of(row: Tournament, name: str, number: int) -> str:
    """Where the panel is a page of its own."""
    return reverse(f"tournament_run_{name}", args=[row.pk, number] if name in _OF_ONE else [row.pk])


def _player(row: Tournament, number: int, now: datetime) -> Shown:
    entry = registration_queries.entry(row, number)
    with looking(row, now=now) as state:
        entrant = state.entrants[number]
        context: dict[str, Any] = {
            "entry": entry,
            "stack": {
                "chips": entrant.stack,
                "is_counted": state.is_counted(entrant),
                "counted_at": counted_at(state, entrant),
            },
            "at_table": entrant.table,
            "at_seat": entrant.seat,
            "status": entrant.status,
            "standing": "" if entrant.table else standing_of(entrant),
            "is_held": number in state.held,
            "is_called": number in state.called,
            "missing": entrant.missing,
            "penalties": [
                (moment(penalty.at), _PENALTY_NAMES.get(penalty.kind, penalty.kind), penalty)
                for penalty in entrant.penalties
            ],
            "is_reserved": entrant.reserved is not None or number in state.reserved,
            "had": entrant.last[2],
            "is_latest": state.players.get(entrant.player) == number,
            "rooms": [(table.number, len(table.seats), table.size - len(table.seats)) for table in state.in_use()],
            "offered": {price.what: price for price in price_rows(row, state.config)},
            "is_entry_open": state.is_entry_open(ms(now)),
            "is_hand_for_hand": state.is_hand_for_hand,
        }
    context["table"] = table_of(row, context["at_table"], now=now) if context["at_table"] else None
    context["penalty_kinds"] = [(kind, _PENALTY_WORDS[kind]) for kind in PENALTIES if kind in _PENALTY_WORDS]
    context["re_entry_price"] = terms.price_of(row, "re_entry").total
    return gettext("{name}, entry {number}").format(name=entry.name, number=number), context


def _table(row: Tournament, number: int, now: datetime) -> Shown:
    table = table_of(row, number, now=now)
    if table is None:
        raise NotFound("no-such-table", "There is no table {number} open.", number=number)
    with looking(row, now=now) as state:
        context = {
            "table": table,
            "is_hand_for_hand": state.is_hand_for_hand,
            "leaving": state.structure.levels[state.level(ms(now))].colour_up,
            "tables_in_use": len(state.in_use()),
        }
    return gettext("Table {number}").format(number=number), context


def _clock(row: Tournament, number: int, now: datetime) -> Shown:
    """Set what is left of the level, or begin another one."""
    with looking(row, now=now) as state:
        context = {"face": ClockFace.of(state, ms(now)), "levels": level_rows(row, state, now=now)}
    return gettext("Clock"), context


def _chips(row: Tournament, number: int, now: datetime) -> Shown:
    """What is in play, what was counted, and a correction of the one by the other."""
    with looking(row, now=now) as state:
        counts = state.counts()
        context = {
            "chips": state.chips,
            "counted": sum(counts.values()),
            "stacks": len(counts),
            "left": state.left,
            "difference": state.count_difference(),
        }
    return gettext("Chips in play"), context


def _prizes(row: Tournament, number: int, now: datetime) -> Shown:
    """The payouts as they would be now, and what is still owed to each winner."""
    with looking(row, now=now) as state:
        context: dict[str, Any] = {
            "prizes": open_prize_rows(state),
            "deal_shares": directing_queries.deal_shares(state),
            "to_play_for": state.deal.play_for if state.deal is not None else 0,
            "pool": state.pool,
            "guarantee": state.config.payout.guarantee,
            "is_locked": state.locked is not None,
            "is_stale": state.is_payout_stale,
            "is_finished": state.phase == "finished",
            "is_flight": state.is_flight,
            "is_live": state.phase == "running",
        }
        context["won"] = won = _winnings(row, state)
    return gettext("Payouts"), context | {
        "owed": sum(entry.owed for entry in won),
        "receipts": payouts.receipts(row).count(),
    }


def _winnings(row: Tournament, state: EventEngine) -> list[Winnings]:
    """The players out who have won something, best first. Three queries."""
    if state.phase != "finished" and (state.locked is None or state.is_payout_stale):
        return []
    owed, paid = Counter[int](), Counter[int]()
    in_cash = payouts.paid_in_cash(row)
    for due in () if state.is_flight else payouts.due(row, state):
        owed[due.entrant] += due.amount
    for receipt in payouts.receipts(row):
        if receipt.state == Payout.State.PAID:
            paid[receipt.entry.number] += receipt.amount
    winners, last = [], state.places_paid()
    for player in state.entrants.values():
        if not player.is_placed or (player.place > last and not player.bounties_won):
            continue
        prize, bounties, number = state.prize_of(player.number), player.bounties_won, player.number
        if prize or bounties:
            is_paid = paid[number] >= prize + bounties
            winners.append(
                Winnings(number, player.name, player.place, prize, bounties, owed[number], number in in_cash, is_paid)
            )
    return sorted(winners, key=lambda winner: (winner.place, winner.number))


def _undo(row: Tournament, number: int, now: datetime) -> Shown:
    """The last order, and what money moves back when it is undone."""
    with looking(row, now=now) as state:
        undo = next_undo(row, state)
    return gettext("Undo"), {"undo": undo}


#: By the word in their addresses and templates.
PANELS: dict[str, Callable[[Tournament, int, datetime], Shown]] = {
    "player": _player,
    "table": _table,
    "clock": _clock,
    "chips": _chips,
    "prizes": _prizes,
    "undo": _undo,
}

PAGES = [
    Page(f"{EVENT}run/players/<id:number>/", "tournament_run_player", partial(panel, name="player"), staff.DIRECTORS),
    Page(f"{EVENT}run/tables/<id:number>/", "tournament_run_table", partial(panel, name="table"), staff.DIRECTORS),
    Page(f"{EVENT}run/undo/", "tournament_run_undo", partial(panel, name="undo"), staff.DIRECTORS),
    Page(f"{EVENT}run/clock/", "tournament_run_clock", partial(panel, name="clock"), staff.DIRECTORS),
    Page(f"{EVENT}run/chips/", "tournament_run_chips", partial(panel, name="chips"), staff.DIRECTORS),
    Page(f"{EVENT}run/prizes/", "tournament_run_prizes", partial(panel, name="prizes"), staff.DIRECTORS),
]
