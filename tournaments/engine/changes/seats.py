"""What facts about tables and seats change."""

from __future__ import annotations

from tournaments.engine import facts as f
from tournaments.engine.state import Entrant, TableState, TournamentState


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


def _open_table(state: TournamentState, number: int, size: int) -> None:
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
        _open_table(state, table, size)
    for number, table, seat in seats:
        take_seat(state, number, table, seat)


def seat_reserved(state: TournamentState, fact: f.SeatReserved) -> None:
    entrant = state.entrants[fact.entrant]
    entrant.reserved = (fact.table, fact.seat) if fact.table else None
    if fact.table:
        state.reserved[fact.entrant] = (fact.table, fact.seat)
    else:
        state.reserved.pop(fact.entrant, None)


def seats_drawn(state: TournamentState, fact: f.SeatsDrawn) -> None:
    _clear(state)
    state.last_table = 0
    state.round = 1
    _sit_all(state, fact.seats, state.config.seats)


def seated(state: TournamentState, fact: f.Seated) -> None:
    take_seat(state, fact.entrant, fact.table, fact.seat)


def table_opened(state: TournamentState, fact: f.TableOpened) -> None:
    _open_table(state, fact.table, fact.size)


def table_closed(state: TournamentState, fact: f.TableClosed) -> None:
    del state.tables[fact.table]


def moved(state: TournamentState, fact: f.Moved) -> None:
    table = state.tables[fact.from_table]
    # The second of two who swap has their seat no more: the first sits there.
    if table.seats.get(fact.from_seat) == fact.entrant:
        table.leave(fact.from_seat)
    take_seat(state, fact.entrant, fact.to_table, fact.to_seat)


def nothing(state: TournamentState, fact: f.TableBroken | f.PaidOut | f.PrizesPaid) -> None:
    """What it means is in other facts, or in the ledger."""


def final_table(state: TournamentState, fact: f.FinalTableDrawn) -> None:
    _clear(state)
    _open_table(state, fact.table, fact.size)
    _sit_all(state, fact.seats, fact.size)


def round_drawn(state: TournamentState, fact: f.RoundDrawn) -> None:
    _clear(state)
    state.last_table = 0
    state.round = fact.round
    state.byes = fact.byes
    _sit_all(state, fact.seats, state.config.seats)
    for entrant in state.in_play():
        entrant.stack = fact.stack
    state.chips = fact.stack * state.left
