"""Tables and seats: drawn, moved, evened, broken up, reserved. Draws are made here and the seed is shown to everybody.

Online tables open and close with their players; a table in the middle of a hand keeps them until it is over.
"""

from typing import Unpack

from cardroom.services.errors import Illegal
from tournaments.engine.commands import (
    Balance,
    BreakTable,
    CloseTable,
    DrawFinalTable,
    DrawRound,
    Move,
    OpenTable,
    ReserveSeat,
    SeatAll,
    SeatLate,
)
from tournaments.journal import Receipt
from tournaments.services import staff
from tournaments.services.directing import Directed, Order, in_the_room
from tournaments.services.floor.ordering import give, ordering, seed

BY_CHOICE = "by the floor's decision"


def draw_seats(**order: Unpack[Order]) -> Receipt:
    """Draw everybody's seat, before the start and as often as wanted."""
    return give(SeatAll(seed()), **order)


def seat(*, entrant: int, **order: Unpack[Order]) -> Receipt:
    """Draw a seat for one who has none, where the fewest sit; at a new table where all are full."""
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            in_the_room(held.locked, "seats are drawn by the event")
            held.play(SeatLate(entrant, seed()))
    return held.receipt


def move(
    *, entrant: int, table: int, seat: int = 0, reason: str = "", rule: str = "", **order: Unpack[Order]
) -> Receipt:
    """Move one player, by the director's own choice or, with `rule`, by a rule that is named. `seat` 0: the one that
    opened last at that table, as the rule for stud has it."""
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            number = seat or _seat_that_opened(held, table)
            held.play(Move(entrant, table, number, " ".join(reason.split())[:200] or BY_CHOICE, rule[:40]))
    return held.receipt


def break_table(*, table: int, **order: Unpack[Order]) -> Receipt:
    """Its players draw for seats at the others, and it closes."""
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            held.play(BreakTable(table, seed(), held.busy))
    return held.receipt


def balance(**order: Unpack[Order]) -> Receipt:
    """Every move that the rule for stud wants now, as one action."""
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            held.play(Balance(held.busy))
    return held.receipt


def draw_final_table(*, table: int = 0, **order: Unpack[Order]) -> Receipt:
    """All who are left draw for one table; 0: the one that would break last."""
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            held.play(DrawFinalTable(seed(), table, held.busy))
    return held.receipt


def draw_round(**order: Unpack[Order]) -> Receipt:
    """Shootout and bracket: the winners of the tables sit down for the next round."""
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            in_the_room(held.locked, "the next round is drawn by the event")
            held.play(DrawRound(seed()))
    return held.receipt


def open_table(*, table: int = 0, **order: Unpack[Order]) -> Receipt:
    """One more; 0: the next number."""
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            in_the_room(held.locked, "tables open with their players")
            held.play(OpenTable(table))
    return held.receipt


def close_table(*, table: int, **order: Unpack[Order]) -> Receipt:
    """An empty one; where somebody sits it has to be broken."""
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            in_the_room(held.locked, "tables close when their last player has gone")
            held.play(CloseTable(table))
    return held.receipt


def reserve_seat(*, entrant: int, table: int, seat: int, **order: Unpack[Order]) -> Receipt:
    """The player sits there and is never moved by any rule. Table 0: like everybody again."""
    return give(ReserveSeat(entrant, table, seat), **order)


def _seat_that_opened(held: Directed, table: int) -> int:
    view = next((view for view in held.locked.state.views() if view.number == table), None)
    if view is None:
        raise Illegal(f"There is no table {table} open.", "no-such-table")
    free = view.free()
    if not free:
        raise Illegal(f"Table {table} has no free seat.", "no-room")
    return free[0]
