"""Seats as the director gives them: drawn, moved, balanced, broken up, and drawn anew for a round.

Shootout and bracket: every table plays to its winner, and the winners sit down anew. Stacks and stakes begin again
with every round (``features.md`` 1a). A bracket is heads-up: where the field is no power of two, some have a bye in the
first round, drawn like the seats.
"""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.engine import balancing, breaking, drawing, labels, seating
from tournaments.engine import commands as c
from tournaments.engine import facts as f
from tournaments.engine.config import name_of
from tournaments.engine.errors import IllegalCommand, counted
from tournaments.engine.event import Event, Opened
from tournaments.engine.plain import Chance
from tournaments.engine.rules.rounds import draw_bracket
from tournaments.engine.seating import PlannedMove
from tournaments.engine.state import Entrant, TableState


def reserve(event: Event, command: c.ReserveSeat) -> None:
    """Keep a seat for somebody who must sit there."""
    entrant = event.entrant(command.entrant)
    event.require("registering", "running")
    if entrant.status not in ("in", "alternate"):
        raise IllegalCommand("not-in", "{name} is not in.", name=entrant.name)
    if not command.table:
        if entrant.reserved is None:
            raise IllegalCommand("nothing-to-do", "No seat is reserved for {name}.", name=entrant.name)
        event.emit(f.SeatReserved(entrant.number, 0, 0, at=event.now, label=labels.ANYWHERE(name=entrant.name)))
        return
    place = (command.table, command.seat)
    if command.table < 1 or not 1 <= command.seat <= event.config.seats:
        raise IllegalCommand(
            "no-such-seat", "Tables count from 1 and have seats 1 to {seats}.", seats=event.config.seats
        )
    other = next((event.entrants[number] for number, kept in event.reserved.items() if kept == place), None)
    if other is not None:
        raise IllegalCommand("seat-taken", "That seat is reserved for {name}.", name=other.name)
    table = event.tables.get(command.table)
    sitting = table.seats.get(command.seat, 0) if table else 0
    if event.phase == "running" and sitting not in (0, entrant.number):
        raise IllegalCommand("seat-taken", "{name} sits there.", name=event.entrants[sitting].name)
    label = labels.RESERVED(what=_seat(*place), name=entrant.name)
    event.emit(f.SeatReserved(entrant.number, *place, at=event.now, label=label))


def seat_all(event: Event, command: c.SeatAll) -> None:
    """The draw (TDA 7)."""
    event.require("registering")
    entrants = [entrant.number for entrant in event.in_play()]
    if len(entrants) < 2:
        raise IllegalCommand("too-few", "It takes two entrants to draw seats.")
    if event.config.format == "bracket":
        draw_bracket(event, 1, entrants, command.seed)
        return
    reserved = {number: place for number, place in event.reserved.items() if event.entrants[number].is_in}
    drawn = drawing.draw(entrants, seats=event.config.seats, seed=command.seed, reserved=reserved)
    seats = tuple([(number, *place) for number, place in drawn.items()])
    tables = len({table for _, table, _ in seats})
    label = labels.SEATS_DRAWN(n=len(seats), what=labels.tables(tables))
    event.emit(f.SeatsDrawn(seats, command.seed, at=event.now, label=label))


def seat_late(event: Event, command: c.SeatLate) -> None:
    """A seat for one who came after the draw, where the fewest sit (TDA 8)."""
    event.require("registering", "running")
    entrant = event.entrant(command.entrant)
    if not entrant.is_in or entrant.table:
        if not entrant.table:
            raise IllegalCommand("not-in", "{name} is not in.", name=entrant.name)
        sits_at = _seat(entrant.table, entrant.seat)
        raise IllegalCommand("has-seat", "{name} sits at {place}.", name=entrant.name, place=sits_at)
    if not event.tables and event.phase == "registering":
        raise IllegalCommand("not-drawn", "The seats are not drawn yet: this player is in the draw like everybody.")
    place = _kept_seat(event, entrant) or drawing.late_seat(event.views(), seats=event.config.seats, seed=command.seed)
    if place is not None:
        label = labels.SITS_DOWN(name=entrant.name, what=_seat(*place))
        event.emit(f.Seated(entrant.number, *place, command.seed, at=event.now, label=label))
        return
    table = event.last_table + 1
    seat = Chance(command.seed).below(event.config.seats) + 1
    label = labels.SITS_DOWN_AT_A_NEW_TABLE(name=entrant.name, what=_seat(table, seat))
    event.emit(f.TableOpened(table, event.config.seats, at=event.now, label=label))
    event.emit(f.Seated(entrant.number, table, seat, command.seed, at=event.now))


def _kept_seat(event: Event, entrant: Entrant) -> tuple[int, int] | None:
    if entrant.reserved is None:
        return None
    number, seat = entrant.reserved
    table = event.tables.get(number)
    # The final may have given the table fewer seats than it had.
    is_free = table is not None and seat <= table.size and seat not in table.seats
    return entrant.reserved if is_free else None


def open_table(event: Event, command: c.OpenTable) -> None:
    """One more, for those to come."""
    event.require("registering", "running")
    number = command.table or event.last_table + 1
    if number < 1 or number in event.tables:
        raise IllegalCommand("table-open", "Table {number} is open already.", number=number)
    event.emit(f.TableOpened(number, event.config.seats, at=event.now, label=labels.TABLE_OPENED(n=number)))


def close_table(event: Event, command: c.CloseTable) -> None:
    """Close an empty table; one with players has to be broken."""
    event.require("registering", "running")
    table = _table(event, command.table)
    if table.seats:
        raise IllegalCommand(
            "table-in-use",
            "{players} at table {table}: break it.",
            players=counted(len(table.seats), "{n} player", "{n} players"),
            table=table.number,
        )
    event.emit(f.TableClosed(table.number, at=event.now, label=labels.TABLE_CLOSED(n=table.number)))


def move(event: Event, command: c.Move) -> Opened | None:
    """One player, by the director's own choice."""
    event.require("registering", "running")
    entrant = event.entrant(command.entrant)
    if not entrant.is_in:
        raise IllegalCommand("not-in", "{name} is not in.", name=entrant.name)
    table = _table(event, command.table)
    _check_free(event, entrant, table, command.seat)
    label = labels.MOVES(name=entrant.name, what=_seat(table.number, command.seat))
    if not entrant.table:
        event.emit(f.Seated(entrant.number, table.number, command.seat, 0, at=event.now, label=label))
        return None
    seats = (entrant.table, entrant.seat, table.number, command.seat)
    event.emit(f.Moved(entrant.number, *seats, command.rule, command.why, at=event.now, label=label))
    return []


def _check_free(event: Event, entrant: Entrant, table: TableState, seat: int) -> None:
    if not 1 <= seat <= table.size:
        raise IllegalCommand(
            "no-such-seat", "Table {table} has seats 1 to {size}.", table=table.number, size=table.size
        )
    sitting = table.seats.get(seat)
    if sitting is not None:
        raise IllegalCommand(
            "seat-taken", "{name} has {place}.", name=event.entrants[sitting].name, place=_seat(table.number, seat)
        )
    _check_not_kept(event, entrant, (table.number, seat))
    _check_not_fixed(entrant)


def _check_not_kept(event: Event, entrant: Entrant, place: tuple[int, int]) -> None:
    holder = next((number for number, seat in event.reserved.items() if seat == place), entrant.number)
    if holder != entrant.number and event.entrants[holder].status in ("in", "alternate"):
        raise IllegalCommand("seat-taken", "That seat is reserved for {name}.", name=event.entrants[holder].name)


def _check_not_fixed(entrant: Entrant) -> None:
    if entrant.reserved == (entrant.table, entrant.seat) and entrant.table:
        raise IllegalCommand(
            "player-is-fixed", "{name} has a reserved seat: lift the reservation first.", name=entrant.name
        )


def swap(event: Event, command: c.Swap) -> None:
    """Two players change seats, also where every table is full."""
    event.require("registering", "running")
    pair = event.entrant(command.entrant), event.entrant(command.other)
    if pair[0] is pair[1]:
        raise IllegalCommand("nothing-to-do", "Choose two players: {name} cannot swap alone.", name=pair[0].name)
    for entrant in pair:
        if not entrant.is_in:
            raise IllegalCommand("not-in", "{name} is not in.", name=entrant.name)
        if not entrant.table:
            raise IllegalCommand("not-seated", "{name} has no seat yet: seat them first.", name=entrant.name)
        if entrant.number in event.held:
            raise IllegalCommand("is-out", "{name} is out when this hand is over.", name=entrant.name)
        _check_not_fixed(entrant)
    places = [(entrant.table, entrant.seat) for entrant in pair]
    for entrant, place in zip(pair, reversed(places), strict=True):
        _check_not_kept(event, entrant, place)
    label: str = labels.SWAP(name=pair[0].name, other=pair[1].name)
    for entrant, start, end in zip(pair, places, reversed(places), strict=True):
        event.emit(f.Moved(entrant.number, *start, *end, "", command.why, at=event.now, label=label))
        label = ""


def break_table(event: Event, command: c.BreakTable) -> Opened:
    """Its players go to the others, by two draws (TDA 10B)."""
    _require_tables(event)
    table = _table(event, command.table)
    if not table.seats:
        raise IllegalCommand("table-empty", "Nobody sits at table {table}: close it.", table=table.number)
    seen = event.views(command.busy)
    own_view = next(view for view in seen if view.number == table.number)
    moves = breaking.plan_break(own_view, [view for view in seen if view is not own_view], seed=command.seed)
    event.emit(f.TableBroken(table.number, command.seed, at=event.now, label=labels.TABLE_BREAKS(n=table.number)))
    _carry_out(event, moves)
    event.emit(f.TableClosed(table.number, at=event.now))
    return []


def balance(event: Event, command: c.Balance) -> Opened:
    """Even the tables by the rule for stud (TDA 11)."""
    _require_tables(event)
    moves = balancing.plan_balance(
        event.views(command.busy), at=event.config.balance_at, break_order=event.config.break_order
    )
    if not moves:
        raise IllegalCommand("balanced", "The tables are as even as they can be now.", "TDA 11")
    names = event.entrants[moves[0].entrant].name
    label = labels.BALANCE_OF_ONE(name=names) if len(moves) == 1 else labels.BALANCE(n=len(moves))
    _carry_out(event, moves, label)
    return []


def final_table(event: Event, command: c.DrawFinalTable) -> Opened:
    """All who are left draw for one table."""
    _require_tables(event)
    if event.held:
        raise IllegalCommand("hand-running", "A hand of hand-for-hand is not over yet.")
    seen = event.views(command.busy)
    seats = event.config.final_seats
    if len(breaking.in_use(seen)) < 2:
        raise IllegalCommand("one-table", "All who are left sit at one table already.", seating.FINAL_TABLE)
    unseated = next((entrant for entrant in event.in_play() if not entrant.table), None)
    if unseated is not None:
        raise IllegalCommand(
            "not-seated", "{name} has no seat yet: seat them first.", seating.FINAL_TABLE, name=unseated.name
        )
    places = breaking.final_table(
        seen, final_seats=seats, seed=command.seed, number=command.table, break_order=event.config.break_order
    )
    drawn = tuple([(entrant, *place) for entrant, place in sorted(places.items(), key=lambda item: item[1])])
    number = drawn[0][1]
    label = labels.FINAL_TABLE(n=len(drawn), table=number)
    event.emit(f.FinalTableDrawn(number, seats, drawn, command.seed, at=event.now, label=label))
    return []


def _carry_out(event: Event, moves: Iterable[PlannedMove], label: str = "") -> None:
    for planned in moves:
        seats = (planned.from_table, planned.from_seat, planned.to_table, planned.to_seat)
        event.emit(f.Moved(planned.entrant, *seats, planned.rule, planned.why, at=event.now, label=label))
        label = ""


def _require_tables(event: Event) -> None:
    event.require("running")
    if event.config.format != "tables":
        raise IllegalCommand(
            "no-balance", "A {format} plays every table to its winner: nobody moves.", format=name_of(event.config)
        )


def _table(event: Event, number: int) -> TableState:
    table = event.tables.get(number)
    if table is None:
        raise IllegalCommand("no-such-table", "There is no table {number} open.", number=number)
    return table


def _seat(table: int, seat: int) -> str:
    return labels.SEAT(table=table, seat=seat)
