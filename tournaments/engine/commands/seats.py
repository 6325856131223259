"""Tables and seats."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Command


@dataclass(frozen=True, slots=True)
class ReserveSeat(Command):
    """Table 0: no reservation any more."""

    entrant: int
    table: int
    seat: int


@dataclass(frozen=True, slots=True)
class SeatAll(Command):
    """Draw everybody's seat; until the start as often as wanted."""

    seed: int


@dataclass(frozen=True, slots=True)
class SeatLate(Command):
    """Draw a seat for one who has none, at a new table where all are full."""

    entrant: int
    seed: int


@dataclass(frozen=True, slots=True)
class OpenTable(Command):
    """0: the next number."""

    table: int = 0


@dataclass(frozen=True, slots=True)
class CloseTable(Command):
    table: int


@dataclass(frozen=True, slots=True)
class Move(Command):
    entrant: int
    table: int
    seat: int
    why: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class BreakTable(Command):
    """``busy``: tables in the middle of a hand."""

    table: int
    seed: int
    busy: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Balance(Command):
    """Everything that evens the tables now; nobody leaves a table that is ``busy`` with a hand."""

    busy: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawFinalTable(Command):
    """``table`` 0: the one that would break last."""

    seed: int
    table: int = 0
    busy: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawRound(Command):
    """Shootout and bracket: the winners sit down for the next round."""

    seed: int
