"""What the house does by itself at the tables of an online event, between hands: the same as is suggested in the room.

Tables are made fewer before they are made even; a table breaks, and a player moves, only where no hand is being played.
While a hand of hand-for-hand is on nobody moves.
"""

import secrets
from datetime import datetime

from tournaments import moments
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
from tournaments.engine.errors import IllegalAction
from tournaments.engine.facts import AlternateAdmitted
from tournaments.engine.seating import Consolidation
from tournaments.engine.tournament import Tournament as Engine
from tournaments.services import playing, suggestions
from tournaments.services.locking import Locked
from tournaments.services.play import placing
from tournaments.services.play.dealing import have_chips
from tournaments.services.play.hall import Hall

_MOST_STEPS = 100


def arrange(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """Do what is due, and have the tables of the room follow all that was played."""
    state, busy = locked.state, hall.busy()
    for _ in range(_MOST_STEPS):
        command = _unseated(state, locked.seen) or due(state, busy, moments.ms(now))
        if command is None:
            break
        playing.play(locked, command, now=now)
    placing.follow(locked, hall, now=now)


def due(state: Engine, busy: tuple[int, ...], now_ms: int) -> Command | None:
    """What the house does next in an event, whose tables `busy` are left alone; None where it waits. One command at a
    time, for after it all looks different."""
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


def _for_money(state: Engine, now_ms: int) -> Command | None:
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


def _unplayable(state: Engine, busy: tuple[int, ...]) -> int:
    """A table that all others wait for and where nobody has chips to play against: it has done its hand."""
    for number, table in state.tables.items():
        if table.deals and not table.hand_done and number not in busy and not have_chips(state, table):
            return number
    return 0


def _has_prizes(state: Engine) -> bool:
    """Amounts that somebody wrote down may not be what there is: that is for a director to mend."""
    try:
        return bool(state.prizes())
    except IllegalAction:
        return False


def _for_tables(state: Engine, busy: tuple[int, ...], now_ms: int) -> Command | None:
    if state.config.format != "tables":
        is_over = not busy and state.left > 1 and all(len(table.seats) < 2 for table in state.in_use())
        return DrawRound(secrets.randbits(64)) if is_over else None
    if not state.is_entry_open(now_ms):
        empty = next((number for number, table in state.tables.items() if not table.seats), 0)
        if empty and empty not in busy:
            return CloseTable(empty)
    if _are_even(state):
        return None
    found = suggestions.step(state, now_ms=now_ms, busy=busy)
    if isinstance(found, Consolidation):
        if not found.table:
            return None if busy else DrawFinalTable(secrets.randbits(64))
        return None if found.table in busy else BreakTable(found.table, secrets.randbits(64), busy)
    return Balance(busy) if found is not None else None


def _are_even(state: Engine) -> bool:
    """What a glance at the sizes of the tables says: none is too short, and the rest has no room for any of them."""
    sizes, terms = state.totals.sizes, state.config
    tables = sum(sizes.values())
    players = sum(size * many for size, many in sizes.items())
    has_room = players <= (tables - 1) * terms.seats or players <= terms.final_seats
    return tables < 2 or (max(sizes) - min(sizes) < terms.balance_at and not has_room)


def _unseated(state: Engine, since: int) -> Command | None:
    """An alternate who came in after the first `since` facts has a seat drawn for them."""
    if state.phase == "running":
        for fact in state.facts[since:]:
            if isinstance(fact, AlternateAdmitted):
                entrant = state.entrants[fact.entrant]
                if entrant.is_in and not entrant.table:
                    return SeatLate(entrant.number, secrets.randbits(64))
    return None
