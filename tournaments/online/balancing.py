"""What an online event does about its tables and its money by itself, one command at a time.

The rules are those that are suggested in the room. Tables are made fewer before they are balanced; a table breaks, and
a player moves, only where no hand is in progress; while a hand of hand-for-hand is on, nobody moves.
"""

import secrets
from datetime import datetime

from tournaments.engine.commands import (
    Balance,
    BreakTable,
    CloseFlight,
    CloseTable,
    Command,
    DrawFinalTable,
    DrawRound,
    Finish,
    HandDone,
    HandForHand,
    LockPayouts,
    SeatLate,
)
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.facts import AlternateAdmitted
from tournaments.engine.seating import Consolidation
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events import playing
from tournaments.events.hall import Hall
from tournaments.events.journal import Locked
from tournaments.online.next_hands import have_chips
from tournaments.online.seating import follow_facts

_MOST_STEPS = 100


def arrange_tables(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """Do what is due, and have the tables of the room follow all that was played."""
    state, busy = locked.state, hall.busy()
    for _ in range(_MOST_STEPS):
        command = _seat_alternate(state, locked.seen) or next_command(state, busy, event_journal.ms(now))
        if command is None:
            break
        playing.play(locked, command, now=now)
    follow_facts(locked, hall, now=now)


def next_command(state: EventEngine, busy: tuple[int, ...], now_ms: int) -> Command | None:
    """What the house does next in an event; None where it waits. Nothing is done to the tables `busy`. One command at a
    time, since each may change what is due after it."""
    if state.phase != "running":
        return None
    if state.is_hand_for_hand and (number := _unplayable(state, busy)):
        return HandDone(number)
    if state.is_hand_on:
        return None
    if state.deal is not None and not state.deal.play_for:
        return None if busy else Finish()
    if state.is_flight_over(now_ms):
        return None if busy else CloseFlight()
    return _for_money(state, now_ms) or _for_tables(state, busy, now_ms)


def _for_money(state: EventEngine, now_ms: int) -> Command | None:
    if state.config.flight_levels:
        return None
    is_to_lock = state.deal is None and (state.locked is None or state.is_payout_stale)
    if is_to_lock and not state.is_field_open(now_ms) and _has_prizes(state):
        return LockPayouts()
    if not state.is_hand_for_hand and not state.is_paused and state.is_hand_for_hand_due(now_ms):
        return HandForHand(True)
    if state.is_hand_for_hand and (state.left <= state.places_paid() or state.is_final_table_due(now_ms)):
        return HandForHand(False)
    return None


def _unplayable(state: EventEngine, busy: tuple[int, ...]) -> int:
    """The number of a table that all others wait for in hand-for-hand, and where fewer than two have chips: its hand
    counts as done. 0 where there is none."""
    for number, table in state.tables.items():
        if table.deals and not table.hand_done and number not in busy and not have_chips(state, table):
            return number
    return 0


def _has_prizes(state: EventEngine) -> bool:
    """False where amounts that a director wrote down do not add up to the pool: a director has to mend them."""
    try:
        return bool(state.prizes())
    except IllegalCommand:
        return False


def _for_tables(state: EventEngine, busy: tuple[int, ...], now_ms: int) -> Command | None:
    if state.config.format != "tables":
        is_over = not busy and state.left > 1 and all(len(table.seats) < 2 for table in state.in_use())
        return DrawRound(secrets.randbits(64)) if is_over else None
    if not state.is_entry_open(now_ms):
        empty = next((number for number, table in state.tables.items() if not table.seats), 0)
        if empty and empty not in busy:
            return CloseTable(empty)
    if _are_even(state):
        return None
    step = state.next_step(now_ms, busy)
    if isinstance(step, Consolidation):
        if not step.table:
            return None if busy else DrawFinalTable(secrets.randbits(64))
        return None if step.table in busy else BreakTable(step.table, secrets.randbits(64), busy)
    return Balance(busy) if step is not None else None


def _are_even(state: EventEngine) -> bool:
    """Whether no table is too short, and the others have no room for the players of one. Cheap: it reads sizes only."""
    sizes, terms = state.totals.sizes, state.config
    tables = sum(sizes.values())
    players = sum(size * many for size, many in sizes.items())
    has_room = players <= (tables - 1) * terms.seats or players <= terms.final_seats
    return tables < 2 or (max(sizes) - min(sizes) < terms.balance_at and not has_room)


def _seat_alternate(state: EventEngine, since: int) -> Command | None:
    """Draw a seat for an alternate who came in after the first `since` facts; None where there is none without."""
    if state.phase == "running":
        for fact in state.facts[since:]:
            if isinstance(fact, AlternateAdmitted):
                entrant = state.entrants[fact.entrant]
                if entrant.is_in and not entrant.table:
                    return SeatLate(entrant.number, secrets.randbits(64))
    return None
