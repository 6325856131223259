"""Floors full of tables for the tests of seats: made at random by hypothesis, and changed by moves as a room does."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tournaments.engine import balancing, breaking
from tournaments.engine.seating import Consolidation, PlannedMove, TableView


def table(number: int, players: str, *, opened: tuple[int, ...] = (), size: int = 8, **more: object) -> TableView:
    """A table written as its seats: ``"xx.x...."`` has players in 1, 2 and 4; seat 4 of table 7 is entrant 704."""
    seats = {seat: number * 100 + seat for seat, mark in enumerate(players, 1) if mark == "x"}
    return TableView(number, seats, opened, size, **more)  # type: ignore[arg-type]


def tables_of(floor: str, known: dict[int, dict[str, Any]]) -> list[TableView]:
    """The tables of a floor by their seats, ``"xxxx.... xxx....."``, and what else is `known` of them by number."""
    return [table(number, seats, **known.get(number, {})) for number, seats in enumerate(floor.split(), 1)]


@st.composite
def floors(draw: st.DrawFn, *, is_plain: bool = False, most_tables: int = 12) -> list[TableView]:
    """Uneven tables of one size after busts; unless ``is_plain``, with hands running, fixed players, reserved seats."""
    size = draw(st.integers(2, 8))
    tables = []
    for number in range(1, draw(st.integers(1, most_tables)) + 1):
        order = draw(st.permutations(range(1, size + 1)))
        players = draw(st.integers(1, size))
        taken, empty = order[:players], order[players:]
        view = TableView(number, {seat: number * 100 + seat for seat in taken}, tuple(empty), size)
        if not is_plain:
            view = replace(
                view,
                opened=tuple(empty[: draw(st.integers(0, len(empty)))]),
                is_between_hands=draw(st.integers(0, 4)) > 0,
                fixed=frozenset(view.seats[seat] for seat in taken[: draw(st.sampled_from([0, 0, 0, 1, players]))]),
                reserved=frozenset(draw(st.sets(st.integers(1, size), max_size=2))),
            )
        tables.append(view)
    return tables


def tables_after_moves(tables: Iterable[TableView], moves: Sequence[PlannedMove]) -> dict[int, TableView]:
    """The tables by number after ``moves``, one after the other; fails at a move that a room could not make."""
    floor = {view.number: view for view in tables}
    for move in moves:
        giver, taker = floor[move.from_table], floor[move.to_table]
        assert giver.seats[move.from_seat] == move.entrant, move
        assert taker.is_free(move.to_seat), move
        assert move.numbers == (giver.players, taker.players), move
        left = {seat: entrant for seat, entrant in giver.seats.items() if seat != move.from_seat}
        floor[giver.number] = replace(giver, seats=left, opened=(move.from_seat, *giver.opened))
        opened = tuple(seat for seat in taker.opened if seat != move.to_seat)
        floor[taker.number] = replace(taker, seats={**taker.seats, move.to_seat: move.entrant}, opened=opened)
    return floor


def everybody(tables: Iterable[TableView]) -> list[int]:
    return sorted(entrant for view in tables for entrant in view.seats.values())


def next_suggestion(
    tables: Sequence[TableView], *, at: int = 2, break_order: Sequence[int] = (), final_seats: int = 0
) -> Consolidation | PlannedMove | None:
    """What the floor does next: fewer tables before even ones, None where all is well."""
    due = breaking.due(tables, break_order=break_order, final_seats=final_seats)
    return due or balancing.next_move(tables, at=at, break_order=break_order)


def to_break(tables: Sequence[TableView], **terms: Any) -> int | None:
    """The number of the table that breaks now, None if none does."""
    plan = breaking.due(tables, **terms)
    return (plan.table or None) if plan else None


def suggested_in(event: Any, busy: Iterable[int] = ()) -> Consolidation | PlannedMove | None:
    """What the floor of an event does next by its terms."""
    if event.phase != "running" or event.config.format != "tables":
        return None
    terms = event.config
    at, order, final_seats = terms.balance_at, terms.break_order, terms.final_seats
    return next_suggestion(event.views(busy), at=at, break_order=order, final_seats=final_seats)
