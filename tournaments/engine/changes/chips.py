"""What changes when chips change hands, when players are out, and when they are back."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.engine import facts as f
from tournaments.engine.changes.seats import leave_seat, take_seat
from tournaments.engine.state import Entrant, Penalty, TournamentState


def _out(state: TournamentState, entrant: Entrant, stack: int, below: int, tied: int, at: int) -> None:
    entrant.last = (entrant.table, entrant.seat, stack)
    leave_seat(state, entrant)
    entrant.status = "out"
    entrant.stack = 0
    entrant.below, entrant.tied, entrant.out_at = below, tied, at
    state.left -= 1
    state.held.pop(entrant.number, None)


def busted(state: TournamentState, fact: f.Busted) -> None:
    stacks = dict(fact.busts)
    for number, _, tied, below in fact.outs:
        entrant = state.entrants[number]
        _out(state, entrant, stacks[number], below, tied, fact.at)
        entrant.by = fact.by
    for victim, winner, won, head in fact.bounties:
        state.entrants[victim].bounty = 0
        state.entrants[winner].bounties_won += won
        state.entrants[winner].bounty += head


def busts_held(state: TournamentState, fact: f.BustsHeld) -> None:
    for number, stack in fact.busts:
        state.held[number] = (stack, fact.table, fact.by)


def revived(state: TournamentState, fact: f.Revived) -> None:
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


def counted(state: TournamentState, fact: f.Counted) -> None:
    _set_stacks(state, [(fact.entrant, fact.chips)], fact.at)


def chips_raced(state: TournamentState, fact: f.ChipsRaced) -> None:
    _set_stacks(state, [(number, after) for number, _, after in fact.stacks], fact.at)
    state.chips += fact.added


def chips_corrected(state: TournamentState, fact: f.ChipsCorrected) -> None:
    state.chips += fact.added


def stacks_set(state: TournamentState, fact: f.StacksSet | f.TableCounted) -> None:
    _set_stacks(state, fact.stacks, fact.at)


def _set_stacks(state: TournamentState, stacks: Iterable[tuple[int, int]], at: int) -> None:
    for number, chips in stacks:
        entrant = state.entrants[number]
        entrant.stack, entrant.counted_at = chips, at


def hand_for_hand(state: TournamentState, fact: f.HandForHandSet) -> None:
    state.is_hand_for_hand = fact.is_on
    state.takes_minutes, state.stopped_clock = fact.takes_minutes, fact.stopped_clock
    state.hand_number = 0
    for table in state.tables.values():
        table.hand_done = False


def hand_finished(state: TournamentState, fact: f.HandFinished) -> None:
    table = state.tables[fact.table]
    table.hands += 1
    table.hand_done = state.is_hand_for_hand
    _set_stacks(state, fact.stacks, fact.at)
    for number in table.seats.values():
        state.called.pop(number, None)
        entrant = state.entrants[number]
        if entrant.missing:
            entrant.missing -= 1


def hand_over(state: TournamentState, fact: f.HandOver) -> None:
    state.hand_number = fact.number
    for table in state.tables.values():
        table.hand_done = False


def penalised(state: TournamentState, fact: f.Penalised) -> None:
    entrant = state.entrants[fact.entrant]
    entrant.penalties = (*entrant.penalties, Penalty(fact.penalty, fact.count, fact.reason, fact.at))
    entrant.missing += fact.hands


def disqualified(state: TournamentState, fact: f.Disqualified) -> None:
    entrant = state.entrants[fact.entrant]
    _out(state, entrant, fact.chips, fact.below, 1, fact.at)
    entrant.is_disqualified = True
    state.chips -= fact.chips
