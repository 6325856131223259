"""The director's console: the page from which an event is run.

The page is its frame, and its parts, which are drawn anew after every order and whenever the event moves. No part holds
anything that is typed into: that is done in panels beside them, of one player, one table, the clock or the payouts.
What the parts show is read from the folded event and three small queries, however many play; a large event shows some
of its tables and is searched for the rest.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import nlargest
from secrets import token_urlsafe
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.vary import vary_on_headers

from cardroom.cage import queries as cage_queries
from cardroom.core.errors import NotFound, Refusal
from cardroom.core.sentences import spoken
from tournaments.directing import queries as directing_queries
from tournaments.directing.undoing import next_undo, slips
from tournaments.engine.commands import PENALTIES
from tournaments.engine.errors import IllegalAction
from tournaments.engine.plain import listed
from tournaments.engine.state import Entrant
from tournaments.engine.tournament import Tournament as Engine
from tournaments.events import journal as event_journal
from tournaments.events import terms
from tournaments.events.journal import Receipt, moment, ms
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.online import suggestions
from tournaments.online.suggestions import Suggestion
from tournaments.prizes import payouts
from tournaments.prizes.models import DealProposal, Payout
from tournaments.registration import queries as registration_queries
from tournaments.registration.pages.flyer import (
    ClockFace,
    PrizeRow,
    counted_at,
    in_numbers,
    level_rows,
    looking,
    price_rows,
    prize_rows,
    seated_at,
    table_of,
)
from tournaments.registration.pages.views import event_of, looked_for

_PENALTY_WORDS = {
    "warning": gettext_lazy("Warning"),
    "hands": gettext_lazy("Miss hands"),
    "rounds": gettext_lazy("Miss rounds"),
}
_GIVEN = _PENALTY_WORDS | {"disqualified": gettext_lazy("Disqualified")}
#: Panels of one entry, or one table.
_OF_ONE = ("player", "table")
#: A panel's title, and what it shows.
Shown = tuple[str, dict[str, Any]]
MOST_TABLES = 60
_MOST_FOUND = 20
_MOST_ACTIONS = 12
_MOST_OUTS = 12
_LONGEST = 60
_MOST_TOLD = 4


@ensure_csrf_cookie
@vary_on_headers("HX-Request")
def console(request: HttpRequest, *, tournament_id: int) -> HttpResponse:
    """`?q=` a part of a name, the number of an entry, or `t4` for a table."""
    row = event_of(request, tournament_id)
    is_part = request.htmx and not request.htmx.history_restore_request
    return parts_page(request, row) if is_part else console_page(request, row)


def console_page(request: HttpRequest, row: Tournament, *, refusal: Refusal | None = None) -> HttpResponse:
    """The whole page. `refusal`: why an order was not carried out."""
    context = _context(request, row) | {"refusal": refusal}
    return render(request, "tournaments/directing/console.html", context, status=refusal.status if refusal else 200)


def parts_page(request: HttpRequest, row: Tournament) -> HttpResponse:
    """What changes as an event goes on."""
    return render(request, "tournaments/directing/_parts.html", _context(request, row) | {"is_part": True})


def _context(request: HttpRequest, row: Tournament) -> dict[str, Any]:
    asked = looked_for(request.POST if request.method == "POST" else request.GET, most=_LONGEST)
    return {
        "tournament": row,
        "seq": row.seq,
        "board": _board(row, now=timezone.now(), asked=asked),
        "is_room": row.conduct == Tournament.Conduct.ROOM,
        "asked": asked,
        "key": token_urlsafe(9),
    }


def words_of(row: Tournament, outcome: Receipt | str) -> str:
    """What was done, by the labels of its facts."""
    if isinstance(outcome, str):
        return outcome
    facts = event_journal.facts(row.pk, after=outcome.facts_from - 1, upto=outcome.seq)
    labels = [spoken(fact.label) for fact in facts if fact.label]
    told = "; ".join(labels[:_MOST_TOLD])
    if len(labels) > _MOST_TOLD:
        return gettext("{what}, and {n} more.").format(what=told, n=len(labels) - _MOST_TOLD)
    return f"{told}." if labels else gettext("Recorded.")


def done(words: str) -> str:
    """The events a page is told of when its order was carried out."""
    return json.dumps({"toast": {"message": str(words)}, "order-done": True})


# -- what it shows -----------------------------------------------------------------------------------------------------


def _board(row: Tournament, *, now: datetime, asked: str) -> dict[str, Any]:
    """The event at one moment, by the names of its parts. `asked`: a part of a name, an entry's number, or `t4` for a
    table."""
    here = TournamentEntry.objects.filter(tournament=row, state=TournamentEntry.State.IN, arrived_at=None)
    unseen = frozenset(here.values_list("number", flat=True))
    proposal = DealProposal.objects.filter(tournament=row, state=DealProposal.State.OPEN).first()
    votes, now_ms = (proposal.votes.count(), len(proposal.amounts)) if proposal else None, ms(now)
    with looking(row, now=now) as state:
        hits = frozenset(_hits(state, asked)) if asked else frozenset()
        is_hfh = state.is_hand_for_hand
        prizes, note = _prizes_or_why(state)
        suggested = _suggested(row, state, now_ms)
        return in_numbers(state, now_ms) | {
            "seq": row.seq,
            "format": state.config.format,
            "is_flight": row.parent_id is not None,
            "clock": ClockFace.of(state, now_ms),
            "alternates": [(number, state.entrants[number].name) for number in state.alternates],
            "places_paid": state.places_paid(),
            "entry_kept": state.entry_override,
            "hand_number": state.hand_number + 1,
            "waiting": [each.number for each in state.in_use() if is_hfh and each.deals and not each.hand_done],
            "held": [state.entrants[number].name for number in state.held],
            "unseated": [(one.number, one.name) for one in state.in_play() if not one.table],
            "tables": [
                seated_at(state, number, unseen=unseen, found=hits, now_ms=now_ms)
                for number in _tables_wanted(state, asked, hits)
            ],
            "tables_in_all": len(state.tables),
            "found": _elsewhere(state, hits),
            "prizes": prizes,
            "prizes_note": note,
            "is_locked": state.locked is not None,
            "is_stale": state.is_payout_stale,
            "has_deal": state.deal is not None,
            "to_play_for": state.deal.play_for if state.deal is not None else 0,
            "deal_shares": directing_queries.deal_shares(state),
            "deal_votes": votes,
            "undo": next_undo(row, state),
            "slips": slips(row, state),
            "redo_label": spoken(state.redo_label),
            "has_moves": any({"moved", "final-table-drawn"} & action.kinds for action in state.log.actions),
            # The last actions that stand, the latest first.
            "done": [
                {"label": spoken(label), "at": moment(each.at)}
                for each in reversed(state.log.actions[-_MOST_ACTIONS:])
                for label in reversed(each.labels)
            ][:_MOST_ACTIONS],
            "outs": _outs(state),
            "suggestions": suggested,
            "urgent": sum(each.is_confirmable for each in suggested),
            "is_arranged": bool(row.options.get(suggestions.AUTO_ARRANGE)),
        }


def _suggested(row: Tournament, state: Engine, now_ms: int) -> list[Suggestion]:
    dismissed, owed = suggestions.dismissed(row), suggestions.owed(row, state)
    found = suggestions.of(state, now_ms=now_ms, dismissed=dismissed, owed=owed)
    return [suggestions.spoken_of(each) for each in found]


def _hits(state: Engine, asked: str) -> list[int]:
    asked = asked.casefold()
    return [
        number
        for number, one in state.entrants.items()
        if one.status != "withdrawn" and (asked in one.name.casefold() or asked == str(number))
    ]


def _tables_wanted(state: Engine, asked: str, hits: frozenset[int]) -> list[int]:
    numbers = sorted(state.tables)
    if asked:
        of_hits = {state.entrants[number].table for number in hits}
        numbers = [number for number in numbers if number in of_hits or asked.casefold() == f"t{number}"]
    return numbers[:MOST_TABLES]


def _elsewhere(state: Engine, hits: frozenset[int]) -> list[tuple[int, str, str]]:
    """Who was found and sits nowhere: (entry, name, how they stand)."""
    away = [state.entrants[number] for number in sorted(hits) if not state.entrants[number].table]
    return [(one.number, one.name, standing_of(one)) for one in away[:_MOST_FOUND]]


def standing_of(one: Entrant) -> str:
    """In a word or two where somebody without a seat is."""
    if one.status == "out":
        return gettext("out, place {place}").format(place=one.place)
    return gettext("waits for a seat") if one.status == "alternate" else gettext("without a seat")


def _prizes_or_why(state: Engine) -> tuple[list[PrizeRow], str]:
    try:
        state.prizes()
    except IllegalAction as error:
        return [], spoken(error.message)
    return _open_rows(state), ""


def _open_rows(state: Engine) -> list[PrizeRow]:
    """What each place gets that no deal has shared."""
    shared = len(state.deal.amounts) if state.deal is not None else 0
    return [replace(row, first=max(row.first, shared + 1)) for row in prize_rows(state) if row.last > shared]


def _outs(state: Engine) -> list[dict[str, Any]]:
    """Who went out last, the latest first; `by`: the names of who won their chips, `table` 0 where it is not known."""
    gone = (one for one in state.entrants.values() if one.out_at and one.below >= 0)
    return [
        {
            "name": one.name,
            "at": moment(one.out_at),
            "place": one.place,
            "tied": one.tied,
            "by": spoken(listed(state.entrants[number].name for number in one.by)) if one.by else "",
            "table": one.last[0],
            "is_disqualified": one.is_disqualified,
        }
        for one in nlargest(_MOST_OUTS, gone, key=lambda one: (one.out_at, -one.place))
    ]


# -- panels: with htmx the inside of a dialog, else a page of its own, whose forms come back to it ---------------------


@dataclass(frozen=True)
class Won:
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
        """Nothing of it has been paid yet, and all of it can be."""
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


def asked_from(row: Tournament, data: QueryDict) -> tuple[str, int] | None:
    """The panel on whose page this form was: its name and number; None where it was on none, or of a table that is
    there no more."""
    name, _, said = data.get("panel", "").partition(":")
    if name not in PANELS or not (said.isascii() and said.isdigit() and len(said) < 10):
        return None
    number = int(said)
    is_gone = name == "table" and table_of(row, number, now=timezone.now()) is None
    return None if is_gone else (name, number)


def address_of(row: Tournament, name: str, number: int) -> str:
    """Where the panel is a page of its own."""
    return reverse(f"tournament_run_{name}", args=[row.pk, number] if name in _OF_ONE else [row.pk])


def _player(row: Tournament, number: int, now: datetime) -> Shown:
    entry = registration_queries.entry(row, number)
    with looking(row, now=now) as state:
        one = state.entrants[number]
        context: dict[str, Any] = {
            "entry": entry,
            "stack": {"chips": one.stack, "is_counted": state.is_counted(one), "counted_at": counted_at(state, one)},
            "at_table": one.table,
            "at_seat": one.seat,
            "status": one.status,
            "standing": "" if one.table else standing_of(one),
            "is_held": number in state.held,
            "is_called": number in state.called,
            "missing": one.missing,
            "penalties": [(moment(each.at), _GIVEN.get(each.kind, each.kind), each) for each in one.penalties],
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
    context["re_entry_price"] = terms.of(row, "re_entry").total
    return gettext("{name}, entry {number}").format(name=entry.name, number=number), context


def _table(row: Tournament, number: int, now: datetime) -> Shown:
    found = table_of(row, number, now=now)
    if found is None:
        raise NotFound("no-such-table", "There is no table {number} open.", number=number)
    with looking(row, now=now) as state:
        context = {
            "table": found,
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
    """The payouts as they would be now, and who has still to be paid what."""
    with looking(row, now=now) as state:
        context: dict[str, Any] = {
            "prizes": _open_rows(state),
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
        context["won"] = won = _won(row, state)
    return gettext("Payouts"), context | {
        "owed": sum(each.owed for each in won),
        "receipts": payouts.receipts(row).count(),
    }


def _won(row: Tournament, state: Engine) -> list[Won]:
    """Those out who have won something, best first. Three queries."""
    if state.phase != "finished" and (state.locked is None or state.is_payout_stale):
        return []
    owed, paid = Counter[int](), Counter[int]()
    in_cash = payouts.paid_in_cash(row)
    for due in () if state.is_flight else payouts.due(row, state):
        owed[due.entrant] += due.amount
    for receipt in payouts.receipts(row):
        if receipt.state == Payout.State.PAID:
            paid[receipt.entry.number] += receipt.amount
    found, last = [], state.places_paid()
    for one in state.entrants.values():
        if one.below < 0 or (one.place > last and not one.bounties_won):
            continue
        prize, bounties, number = state.prize_of(one.number), one.bounties_won, one.number
        if prize or bounties:
            is_paid = paid[number] >= prize + bounties
            found.append(Won(number, one.name, one.place, prize, bounties, owed[number], number in in_cash, is_paid))
    return sorted(found, key=lambda each: (each.place, each.number))


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
