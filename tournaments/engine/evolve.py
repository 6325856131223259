"""How each fact changes the state: by copying. Nothing here decides anything.

What needed judgement was decided before and stands in the fact. The state is always the replay of the facts that
stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from tournaments.engine import facts as f
from tournaments.engine.state import ActionLog, Entrant, Penalty, TableState, TournamentState


def apply(state: TournamentState, fact: f.Fact) -> None:
    """Take ``fact`` as it is."""
    state.facts.append(fact)
    state.log.take(len(state.facts), fact)
    APPLY[fact.kind](state, fact)


def take_all(state: TournamentState, facts: list[f.Fact]) -> None:
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
            _never_entered(state, fact)


def _refolded(state: TournamentState, fact: f.ActionUndone | f.ActionRedone) -> None:
    """The log stays whole; all else is what the facts that stand come to."""
    before = TournamentState()
    before.facts, before.log = state.facts, state.log
    _fold(before)
    for name in [name for name in vars(state) if hasattr(TournamentState, name)]:
        delattr(state, name)
    vars(state).update(vars(before))


# -- tables and seats --------------------------------------------------------------------------------------------------


def leave_seat(state: TournamentState, entrant: Entrant) -> None:
    """The entrant's seat opens, if there is one."""
    if entrant.table:
        state.tables[entrant.table].leave(entrant.seat)
    entrant.table = entrant.seat = 0
    state.called.pop(entrant.number, None)


def take_seat(state: TournamentState, number: int, table: int, seat: int) -> None:
    """Entrant ``number`` sits there now."""
    entrant = state.entrants[number]
    state.tables[table].sit(number, seat)
    entrant.table, entrant.seat = table, seat


def _open(state: TournamentState, number: int, size: int) -> None:
    state.tables[number] = TableState(number, size, state.totals)
    state.last_table = max(state.last_table, number)


def _clear(state: TournamentState) -> None:
    """Nobody sits anywhere, and there are no tables."""
    for table in state.tables.values():
        for number in table.seats.values():
            state.entrants[number].table = state.entrants[number].seat = 0
    state.tables.clear()
    state.totals.sizes.clear()


def _sit_all(state: TournamentState, seats: tuple[f.Seat, ...], size: int) -> None:
    for table in sorted({table for _, table, _ in seats} - set(state.tables)):
        _open(state, table, size)
    for number, table, seat in seats:
        take_seat(state, number, table, seat)


def _seat_reserved(state: TournamentState, fact: f.SeatReserved) -> None:
    entrant = state.entrants[fact.entrant]
    entrant.reserved = (fact.table, fact.seat) if fact.table else None
    if fact.table:
        state.reserved[fact.entrant] = (fact.table, fact.seat)
    else:
        state.reserved.pop(fact.entrant, None)


def _seats_drawn(state: TournamentState, fact: f.SeatsDrawn) -> None:
    _clear(state)
    state.last_table = 0
    state.round = 1
    _sit_all(state, fact.seats, state.config.seats)


def _seated(state: TournamentState, fact: f.Seated) -> None:
    take_seat(state, fact.entrant, fact.table, fact.seat)


def _table_opened(state: TournamentState, fact: f.TableOpened) -> None:
    _open(state, fact.table, fact.size)


def _table_closed(state: TournamentState, fact: f.TableClosed) -> None:
    del state.tables[fact.table]


def _moved(state: TournamentState, fact: f.Moved) -> None:
    table = state.tables[fact.from_table]
    # The second of two who swap has their seat no more: the first sits there.
    if table.seats.get(fact.from_seat) == fact.entrant:
        table.leave(fact.from_seat)
    take_seat(state, fact.entrant, fact.to_table, fact.to_seat)


def _nothing(state: TournamentState, fact: f.TableBroken | f.PaidOut | f.PrizesPaid) -> None:
    """What it means is in other facts, or in the ledger."""


def _final_table(state: TournamentState, fact: f.FinalTableDrawn) -> None:
    _clear(state)
    _open(state, fact.table, fact.size)
    _sit_all(state, fact.seats, fact.size)


def _round_drawn(state: TournamentState, fact: f.RoundDrawn) -> None:
    _clear(state)
    state.last_table = 0
    state.round = fact.round
    state.byes = fact.byes
    _sit_all(state, fact.seats, state.config.seats)
    for entrant in state.in_play():
        entrant.stack = fact.stack
    state.chips = fact.stack * state.left


# -- entries come in, wait, grow and go --------------------------------------------------------------------------------


def _terms(state: TournamentState, fact: f.Announced | f.TermsChanged) -> None:
    state.config = fact.config
    # Where every table plays to its winner, none is too short.
    state.totals.halt_short = fact.config.halt_short if fact.config.format == "tables" else 0


def _entered(state: TournamentState, fact: f.Entered) -> None:
    count_in(state, _made(state, fact))


def _entered_as_alternate(state: TournamentState, fact: f.EnteredAsAlternate) -> None:
    entrant = _made(state, fact)
    entrant.status = "alternate"
    state.alternates[entrant.number] = None


def _made(state: TournamentState, fact: f.Entered | f.EnteredAsAlternate) -> Entrant:
    entrant = _listed(state, fact)
    state.players[fact.player] = fact.entrant
    return entrant


def _never_entered(state: TournamentState, fact: f.Entered | f.EnteredAsAlternate) -> None:
    """An entry that was undone keeps its number, as one that withdrew: its receipt is known by it."""
    entrant = _listed(state, fact)
    entrant.status = "withdrawn"
    entrant.stack = entrant.bounty = 0


def _listed(state: TournamentState, fact: f.Entered | f.EnteredAsAlternate) -> Entrant:
    entrant = Entrant(
        fact.entrant,
        fact.player,
        fact.name,
        fact.paid,
        fact.stack,
        fact.how,
        fact.at,
        fact.bounty,
        fact.re_entry_of,
        state.totals,
    )
    state.entrants[fact.entrant] = entrant
    return entrant


def count_in(state: TournamentState, entrant: Entrant) -> None:
    """The entrant is in: one entry more, with its money and its chips."""
    entrant.status = "in"
    state.left += 1
    state.totals.entries += 1
    state.chips += entrant.stack
    state.received += entrant.paid


def _admitted(state: TournamentState, fact: f.AlternateAdmitted) -> None:
    del state.alternates[fact.entrant]
    count_in(state, state.entrants[fact.entrant])


def _withdrew(state: TournamentState, fact: f.Withdrew) -> None:
    entrant = state.entrants[fact.entrant]
    if entrant.status == "alternate":
        del state.alternates[entrant.number]
    else:
        leave_seat(state, entrant)
        state.left -= 1
        state.totals.entries -= 1
        state.chips -= fact.chips
        state.received -= entrant.paid
    entrant.status = "withdrawn"
    entrant.stack = entrant.bounty = 0
    entrant.reserved = None
    state.reserved.pop(entrant.number, None)
    if entrant.re_entry_of:
        state.players[entrant.player] = entrant.re_entry_of
    else:
        del state.players[entrant.player]


def _identified(state: TournamentState, fact: f.Identified) -> None:
    for entrant in state.entrants.values():
        if entrant.player == fact.was:
            entrant.player = fact.player
    if fact.was in state.players:
        state.players[fact.player] = state.players.pop(fact.was)


def _rebought(state: TournamentState, fact: f.Rebought) -> None:
    entrant = state.entrants[fact.entrant]
    entrant.stack = fact.before + fact.chips
    entrant.rebuys += 1
    _paid_more(state, entrant, fact)


def _added_on(state: TournamentState, fact: f.AddedOn) -> None:
    entrant = state.entrants[fact.entrant]
    entrant.stack += fact.chips
    entrant.add_ons += 1
    _paid_more(state, entrant, fact)


def _paid_more(state: TournamentState, entrant: Entrant, fact: f.Rebought | f.AddedOn) -> None:
    entrant.paid += fact.paid
    entrant.bounty += fact.bounty
    state.received += fact.paid
    state.chips += fact.chips


def _entry_kept(state: TournamentState, fact: f.EntryKept) -> None:
    state.entry_override = fact.is_open


# -- the start, the clock and the levels -------------------------------------------------------------------------------


def _began(state: TournamentState, fact: f.Began) -> None:
    state.phase = "running"
    state.began_at = fact.at
    state.clock = fact.clock


def _clock_set(state: TournamentState, fact: f.ClockSet) -> None:
    state.clock = fact.clock


def _levels_edited(state: TournamentState, fact: f.LevelsEdited) -> None:
    levels = (*state.structure.levels[: fact.from_level], *fact.levels)
    state.config = replace(state.config, structure=replace(state.structure, levels=levels))
    state.clock = fact.clock


def _clock_called(state: TournamentState, fact: f.ClockCalled) -> None:
    state.called[fact.entrant] = fact.ends_at


def _clock_lifted(state: TournamentState, fact: f.ClockLifted) -> None:
    state.called.pop(fact.entrant, None)


# -- chips change hands, people are out, and some are back -------------------------------------------------------------


def _out(state: TournamentState, entrant: Entrant, stack: int, below: int, tied: int, at: int) -> None:
    entrant.last = (entrant.table, entrant.seat, stack)
    leave_seat(state, entrant)
    entrant.status = "out"
    entrant.stack = 0
    entrant.below, entrant.tied, entrant.out_at = below, tied, at
    state.left -= 1
    state.held.pop(entrant.number, None)


def _busted(state: TournamentState, fact: f.Busted) -> None:
    stacks = dict(fact.busts)
    for number, _, tied, below in fact.outs:
        entrant = state.entrants[number]
        _out(state, entrant, stacks[number], below, tied, fact.at)
        entrant.by = fact.by
    for victim, winner, won, head in fact.bounties:
        state.entrants[victim].bounty = 0
        state.entrants[winner].bounties_won += won
        state.entrants[winner].bounty += head


def _busts_held(state: TournamentState, fact: f.BustsHeld) -> None:
    for number, stack in fact.busts:
        state.held[number] = (stack, fact.table, fact.by)


def _revived(state: TournamentState, fact: f.Revived) -> None:
    entrant = state.entrants[fact.entrant]
    for other in state.entrants.values():
        if other.below > entrant.below:
            other.below -= 1
        elif other.below == entrant.below and other is not entrant:
            other.tied -= 1
    entrant.status = "in"
    entrant.stack, entrant.bounty = fact.stack, fact.bounty
    entrant.below, entrant.tied, entrant.out_at, entrant.by = -1, 0, 0, ()
    state.left += 1
    take_seat(state, fact.entrant, fact.table, fact.seat)
    for _, winner, won, head in fact.bounties:
        state.entrants[winner].bounties_won -= won
        state.entrants[winner].bounty -= head


def _counted(state: TournamentState, fact: f.Counted) -> None:
    _set_stacks(state, [(fact.entrant, fact.chips)], fact.at)


def _chips_raced(state: TournamentState, fact: f.ChipsRaced) -> None:
    _set_stacks(state, [(number, after) for number, _, after in fact.stacks], fact.at)
    state.chips += fact.added


def _chips_corrected(state: TournamentState, fact: f.ChipsCorrected) -> None:
    state.chips += fact.added


def _stacks_set(state: TournamentState, fact: f.StacksSet | f.TableCounted) -> None:
    _set_stacks(state, fact.stacks, fact.at)


def _set_stacks(state: TournamentState, stacks: Iterable[tuple[int, int]], at: int) -> None:
    for number, chips in stacks:
        entrant = state.entrants[number]
        entrant.stack, entrant.counted_at = chips, at


def _hand_for_hand(state: TournamentState, fact: f.HandForHandSet) -> None:
    state.is_hand_for_hand = fact.is_on
    state.takes_minutes, state.stopped_clock = fact.takes_minutes, fact.stopped_clock
    state.hand_number = 0
    for table in state.tables.values():
        table.hand_done = False


def _hand_finished(state: TournamentState, fact: f.HandFinished) -> None:
    table = state.tables[fact.table]
    table.hands += 1
    table.hand_done = state.is_hand_for_hand
    _set_stacks(state, fact.stacks, fact.at)
    for number in table.seats.values():
        state.called.pop(number, None)
        entrant = state.entrants[number]
        if entrant.missing:
            entrant.missing -= 1


def _hand_over(state: TournamentState, fact: f.HandOver) -> None:
    state.hand_number = fact.number
    for table in state.tables.values():
        table.hand_done = False


def _penalised(state: TournamentState, fact: f.Penalised) -> None:
    entrant = state.entrants[fact.entrant]
    entrant.penalties = (*entrant.penalties, Penalty(fact.penalty, fact.count, fact.reason, fact.at))
    entrant.missing += fact.hands


def _disqualified(state: TournamentState, fact: f.Disqualified) -> None:
    entrant = state.entrants[fact.entrant]
    _out(state, entrant, fact.chips, fact.below, 1, fact.at)
    entrant.is_disqualified = True
    state.chips -= fact.chips


# -- prizes, deals and the end -----------------------------------------------------------------------------------------


def _payout_changed(state: TournamentState, fact: f.PayoutChanged) -> None:
    state.config = replace(state.config, payout=fact.payout)
    state.locked = None


def _payouts_locked(state: TournamentState, fact: f.PayoutsLocked) -> None:
    state.locked = fact


def _deal_made(state: TournamentState, fact: f.DealMade) -> None:
    state.deal = fact


def _ended(state: TournamentState, fact: f.Ended) -> None:
    state.phase, state.ended_at = "finished", fact.at
    for number, _, tied, below in fact.left:
        state.entrants[number].below, state.entrants[number].tied = below, tied
    for number, prize in fact.prizes:
        state.entrants[number].prize = prize
    for number, money in fact.bounties:
        state.entrants[number].bounties_won += money
        state.entrants[number].bounty = 0


def _flight_closed(state: TournamentState, fact: f.FlightClosed) -> None:
    state.phase, state.ended_at, state.is_flight = "finished", fact.at, True


def _cancelled(state: TournamentState, fact: f.Cancelled) -> None:
    state.phase, state.ended_at, state.reason = "cancelled", fact.at, fact.reason


APPLY: dict[str, Callable[[TournamentState, Any], None]] = {
    "announced": _terms,
    "terms-changed": _terms,
    "entered": _entered,
    "entered-as-alternate": _entered_as_alternate,
    "alternate-admitted": _admitted,
    "withdrew": _withdrew,
    "identified": _identified,
    "rebought": _rebought,
    "added-on": _added_on,
    "entry-kept": _entry_kept,
    "seat-reserved": _seat_reserved,
    "seats-drawn": _seats_drawn,
    "seated": _seated,
    "table-opened": _table_opened,
    "table-closed": _table_closed,
    "moved": _moved,
    "table-broken": _nothing,
    "final-table-drawn": _final_table,
    "round-drawn": _round_drawn,
    "began": _began,
    "clock-set": _clock_set,
    "levels-edited": _levels_edited,
    "clock-called": _clock_called,
    "clock-lifted": _clock_lifted,
    "busted": _busted,
    "busts-held": _busts_held,
    "revived": _revived,
    "counted": _counted,
    "chips-raced": _chips_raced,
    "chips-corrected": _chips_corrected,
    "stacks-set": _stacks_set,
    "table-counted": _stacks_set,
    "hand-for-hand-set": _hand_for_hand,
    "hand-finished": _hand_finished,
    "hand-over": _hand_over,
    "penalised": _penalised,
    "disqualified": _disqualified,
    "payout-changed": _payout_changed,
    "payouts-locked": _payouts_locked,
    "deal-made": _deal_made,
    "ended": _ended,
    "flight-closed": _flight_closed,
    "cancelled": _cancelled,
    "prizes-paid": _nothing,
    "paid-out": _nothing,
    "action-undone": _refolded,
    "action-redone": _refolded,
}
