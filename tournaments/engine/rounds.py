"""Shootout and bracket: every table plays to its winner, and the winners sit down anew.

Stacks and stakes begin again with every round (``features.md`` 1a). A bracket is heads-up: where the field is no power
of two, some have a bye in the first round, drawn like the seats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import clock as clocks
from . import commands as c
from . import facts as f
from . import seating
from .chance import Chance
from .errors import IllegalAction
from .seating import counted

if TYPE_CHECKING:
    from .tournament import Tournament


def first_round(event: Tournament, entrants: list[int], seed: int) -> None:
    """The draw of a bracket."""
    _draw_bracket(event, 1, entrants, seed)


def draw_round(event: Tournament, command: c.DrawRound) -> None:
    """The next round, when every table has its winner."""
    event.require("running")
    if event.config.format == "tables":
        raise IllegalAction("no-rounds", "This event is not played in rounds.")
    playing = [table for table in event.in_use() if len(table.seats) > 1]
    if playing:
        raise IllegalAction("round-not-over", f"Table {playing[0].number} still plays: it has no winner yet.")
    winners = [entrant.number for entrant in event.in_play()]
    number = event.round + 1
    if event.config.format == "bracket":
        _draw_bracket(event, number, winners, command.seed)
    else:
        drawn = seating.draw(winners, seats=event.config.seats, seed=command.seed)
        seats = tuple([(winner, *place) for winner, place in drawn.items()])
        _emit(event, number, seats, (), command.seed)
    clock = clocks.begin(event.structure, event.now, is_running=event.config.auto_start)
    event.emit(f.ClockSet(clock, "round", at=event.now))


def _draw_bracket(event: Tournament, number: int, entrants: list[int], seed: int) -> None:
    """Matches for as many as must go so that a power of two is left for the next round; the others have a bye."""
    size = 1 << (len(entrants).bit_length() - 1)
    matches = len(entrants) - size or size // 2
    order = Chance(seed).shuffled(entrants)
    playing = order[: 2 * matches]
    seats = tuple([(entrant, index // 2 + 1, index % 2 + 1) for index, entrant in enumerate(playing)])
    _emit(event, number, seats, tuple(order[2 * matches :]), seed)


def _emit(event: Tournament, number: int, seats: tuple[f.Seat, ...], byes: tuple[int, ...], seed: int) -> None:
    tables = len({table for _, table, _ in seats})
    label = f"Round {number} drawn: {counted(tables, 'table')}"
    stack = event.config.starting_stack
    event.emit(f.RoundDrawn(number, seats, byes, stack, seed, at=event.now, label=label))
