"""Tables, seats and who moved where."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Fact, named

#: (entrant, table, seat)
Seat = tuple[int, int, int]


@named("seat-reserved")
@dataclass(frozen=True, slots=True)
class SeatReserved(Fact):
    """The player sits here and is never drawn or moved elsewhere; table 0: like everybody again."""

    entrant: int
    table: int
    seat: int


@named("seats-drawn")
@dataclass(frozen=True, slots=True)
class SeatsDrawn(Fact):
    """The draw of all who were in. Whoever has ``seed`` can draw again and see that it comes out the same."""

    seats: tuple[Seat, ...]
    seed: int


@named("seated")
@dataclass(frozen=True, slots=True)
class Seated(Fact):
    """One entrant got a seat. ``seed`` 0: it was not drawn, an alternate took the seat that opened."""

    entrant: int
    table: int
    seat: int
    seed: int


@named("table-opened")
@dataclass(frozen=True, slots=True)
class TableOpened(Fact):
    table: int
    size: int


@named("table-closed")
@dataclass(frozen=True, slots=True)
class TableClosed(Fact):
    table: int


@named("moved")
@dataclass(frozen=True, slots=True)
class Moved(Fact):
    """``rule``: its citation; ``why``: in a sentence, with the numbers."""

    entrant: int
    from_table: int
    from_seat: int
    to_table: int
    to_seat: int
    rule: str
    why: str


@named("table-broken")
@dataclass(frozen=True, slots=True)
class TableBroken(Fact):
    """The moves of its players follow, then it is closed."""

    table: int
    seed: int


@named("final-table-drawn")
@dataclass(frozen=True, slots=True)
class FinalTableDrawn(Fact):
    """All who are left sit at one ``table`` of ``size`` seats; every other table is closed."""

    table: int
    size: int
    seats: tuple[Seat, ...]
    seed: int


@named("round-drawn")
@dataclass(frozen=True, slots=True)
class RoundDrawn(Fact):
    """Shootout and bracket: the winners of the tables before sit down anew, with ``stack`` each. ``byes``: entrants
    who are in the next round without playing this one."""

    round: int
    seats: tuple[Seat, ...]
    byes: tuple[int, ...]
    stack: int
    seed: int
