"""The rounds of a shootout or a bracket."""

from __future__ import annotations

from tournaments.engine import clock as clocks
from tournaments.engine import commands as c
from tournaments.engine import drawing, labels
from tournaments.engine import facts as f
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.event import Event
from tournaments.engine.plain import Chance


def draw_round(event: Event, command: c.DrawRound) -> None:
    """The next round, when every table has its winner."""
    event.require("running")
    if event.config.format == "tables":
        raise IllegalCommand("no-rounds", "This tournament is not played in rounds.")
    playing = [table for table in event.in_use() if len(table.seats) > 1]
    if playing:
        raise IllegalCommand(
            "round-not-over", "Table {table} still plays: it has no winner yet.", table=playing[0].number
        )
    winners = [entrant.number for entrant in event.in_play()]
    number = event.round + 1
    if event.config.format == "bracket":
        draw_bracket(event, number, winners, command.seed)
    else:
        drawn = drawing.draw(winners, seats=event.config.seats, seed=command.seed)
        seats = tuple([(winner, *place) for winner, place in drawn.items()])
        _emit(event, number, seats, (), command.seed)
    clock = clocks.begin(event.structure, event.now, is_running=event.config.auto_start)
    event.emit(f.ClockSet(clock, "round", at=event.now))


def draw_bracket(event: Event, number: int, entrants: list[int], seed: int) -> None:
    """Matches for as many as must go so that a power of two is left for the next round; the others have a bye."""
    size = 1 << (len(entrants).bit_length() - 1)
    matches = len(entrants) - size or size // 2
    order = Chance(seed).shuffled(entrants)
    playing = order[: 2 * matches]
    seats = tuple([(entrant, index // 2 + 1, index % 2 + 1) for index, entrant in enumerate(playing)])
    _emit(event, number, seats, tuple(order[2 * matches :]), seed)


def _emit(event: Event, number: int, seats: tuple[f.Seat, ...], byes: tuple[int, ...], seed: int) -> None:
    tables = len({table for _, table, _ in seats})
    label = labels.ROUND(n=number, what=labels.tables(tables))
    stack = event.config.starting_stack
    event.emit(f.RoundDrawn(number, seats, byes, stack, seed, at=event.now, label=label))
