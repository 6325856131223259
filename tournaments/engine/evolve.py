"""How each fact changes the state: by copying. Nothing here decides anything.

What needed judgement was decided before and stands in the fact. The state is always the replay of the facts that
stand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tournaments.engine import facts as f
from tournaments.engine.changes import chips, clock, entries, prizes, seats
from tournaments.engine.state import ActionLog, TournamentState


def apply(state: TournamentState, fact: f.EventFact) -> None:
    """Take ``fact`` as it is."""
    state.facts.append(fact)
    state.log.take(len(state.facts), fact)
    APPLY[fact.kind](state, fact)


def take_all(state: TournamentState, facts: list[f.EventFact]) -> None:
    """Take the whole log at once: what was undone is never worked out."""
    state.facts, state.log = facts, ActionLog()
    for seq, fact in enumerate(facts, 1):
        state.log.take(seq, fact)
    _fold(state)


def _fold(state: TournamentState) -> None:
    """All but the log is what the facts that stand come to."""
    for fact, stands in state.log.marked(state.facts):
        if stands and not isinstance(fact, f.ActionUndone | f.ActionRedone):
            APPLY[fact.kind](state, fact)
        elif isinstance(fact, f.Entered | f.EnteredAsAlternate) and not stands:
            entries.never_entered(state, fact)


def _refold(state: TournamentState, fact: f.ActionUndone | f.ActionRedone) -> None:
    """The log stays whole; all else is what the facts that stand come to."""
    before = TournamentState()
    before.facts, before.log = state.facts, state.log
    _fold(before)
    for name in [name for name in vars(state) if hasattr(TournamentState, name)]:
        delattr(state, name)
    vars(state).update(vars(before))


APPLY: dict[str, Callable[[TournamentState, Any], None]] = {
    "announced": entries.terms,
    "terms-changed": entries.terms,
    "entered": entries.entered,
    "entered-as-alternate": entries.entered_as_alternate,
    "alternate-admitted": entries.admitted,
    "withdrew": entries.withdrew,
    "identified": entries.identified,
    "rebought": entries.rebought,
    "added-on": entries.added_on,
    "entry-kept": entries.entry_kept,
    "seat-reserved": seats.seat_reserved,
    "seats-drawn": seats.seats_drawn,
    "seated": seats.seated,
    "table-opened": seats.table_opened,
    "table-closed": seats.table_closed,
    "moved": seats.moved,
    "table-broken": seats.nothing,
    "final-table-drawn": seats.final_table,
    "round-drawn": seats.round_drawn,
    "began": clock.began,
    "clock-set": clock.clock_set,
    "levels-edited": clock.levels_edited,
    "clock-called": clock.clock_called,
    "clock-lifted": clock.clock_lifted,
    "busted": chips.busted,
    "busts-held": chips.busts_held,
    "revived": chips.revived,
    "counted": chips.counted,
    "chips-raced": chips.chips_raced,
    "chips-corrected": chips.chips_corrected,
    "stacks-set": chips.stacks_set,
    "table-counted": chips.stacks_set,
    "hand-for-hand-set": chips.hand_for_hand,
    "hand-finished": chips.hand_finished,
    "hand-over": chips.hand_over,
    "penalised": chips.penalised,
    "disqualified": chips.disqualified,
    "payout-changed": prizes.payout_changed,
    "payouts-locked": prizes.payouts_locked,
    "deal-made": prizes.deal_made,
    "ended": prizes.ended,
    "flight-closed": prizes.flight_closed,
    "cancelled": prizes.cancelled,
    "prizes-paid": seats.nothing,
    "paid-out": seats.nothing,
    "action-undone": _refold,
    "action-redone": _refold,
}
