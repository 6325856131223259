"""When tables become fewer: which breaks next, where its players go, and the draw for the final table.

A table breaks when the rest can seat everybody, and always before anybody balances. Its players draw twice (TDA 10B):
for the order, then each for a seat. An open table where nobody sits is no table yet: it neither breaks nor offers its
seats while others have room. Knows nothing of hands or clocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .chance import Chance
from .errors import IllegalAction
from .seating import Place, PlannedMove, TableView, counted
from .words import ordinal

TWO_RANDOM_STEPS = "TDA 10B"
#: Its nine cannot be dealt in stud; how many seats the table has is for the event to say, and eight is usual.
FINAL_TABLE = "TDA RP-9"


@dataclass(frozen=True, slots=True)
class Consolidation:
    """Tables that are due to become fewer. ``table``: the one that breaks; 0: all go to the final table."""

    table: int
    rule: str
    why: str


def in_use(tables: Sequence[TableView]) -> list[TableView]:
    return [view for view in tables if view.seats]


def in_break_order(tables: Sequence[TableView], break_order: Sequence[int] = ()) -> list[TableView]:
    """The tables, first to break first: those of the published order, then the others from the highest number down."""
    published = {number: position for position, number in enumerate(break_order)}
    unpublished = len(published)
    return sorted(tables, key=lambda view: (published.get(view.number, unpublished), -view.number))


def to_break(tables: Sequence[TableView], *, break_order: Sequence[int] = (), final_seats: int = 0) -> int | None:
    """The number of the table that breaks now, None if none does; its hand may still be running.

    The first in the order breaks when the rest can seat everybody. A table of somebody who may not be moved is passed
    over. With ``final_seats`` the last two tables wait for the final table's draw.
    """
    found = _first_that_breaks(tables, break_order, final_seats)
    return found.number if found else None


def is_final_table_due(tables: Sequence[TableView], *, final_seats: int) -> bool:
    """Whether all who are left fit at the final table and do not sit at one table yet."""
    used = in_use(tables)
    return len(used) > 1 and sum(view.players for view in used) <= final_seats


def due(tables: Sequence[TableView], *, break_order: Sequence[int] = (), final_seats: int = 0) -> Consolidation | None:
    """The final table or the break that comes before any balancing, with its reason in words."""
    used = in_use(tables)
    if is_final_table_due(used, final_seats=final_seats):
        left = sum(view.players for view in used)
        why = f"{left} players are left at {len(used)} tables, and the final table has {final_seats} seats."
        return Consolidation(0, FINAL_TABLE, why)
    found = _first_that_breaks(used, break_order, final_seats)
    if found is None:
        return None
    room = counted(_room(used) - len(found.free()), "free seat")
    why = (
        f"Table {found.number} is the next to break: the rest ({counted(len(used) - 1, 'table')}) has {room} for its "
        f"{counted(found.players, 'player')}."
    )
    return Consolidation(found.number, TWO_RANDOM_STEPS, why)


def plan(table: TableView, others: Sequence[TableView], *, seed: int) -> list[PlannedMove]:
    """The moves that empty ``table``, in the order of drawing.

    Each player drawn draws a seat among the free ones of the tables that are the emptiest by then, so that the tables
    end as even as they can. Raises ``IllegalAction`` while a hand is running there, when the others have too few
    seats, and when somebody there may not be moved.
    """
    _check_break(table, others)
    if _room(in_use(others)) >= table.players:
        others = in_use(others)
    others = sorted(others, key=lambda view: view.number)
    chance = Chance(seed)
    free = {view.number: sorted(view.free()) for view in others}
    players = {view.number: view.players for view in others}
    moves: list[PlannedMove] = []
    for turn, seat in enumerate(chance.shuffled(sorted(table.seats)), 1):
        least = min(players[number] for number, seats in free.items() if seats)
        choice = [(number, one) for number, seats in free.items() if players[number] == least for one in seats]
        number, chosen = choice[chance.below(len(choice))]
        why = (
            f"Table {table.number} breaks. Drawn {ordinal(turn)} of {table.players}, then seat {chosen} of table "
            f"{number} drawn from {counted(len(choice), 'free seat')} where {counted(least, 'player')} sat, the fewest."
        )
        leaving = table.players - turn + 1
        entrant = table.seats[seat]
        moves.append(PlannedMove(entrant, table.number, seat, number, chosen, TWO_RANDOM_STEPS, why, (leaving, least)))
        free[number].remove(chosen)
        players[number] += 1
    return moves


def final_table(
    tables: Sequence[TableView], *, final_seats: int, seed: int, number: int = 0, break_order: Sequence[int] = ()
) -> dict[int, Place]:
    """entrant -> (table, seat) after the draw of the final table; some may keep the seat they have.

    All draw one of the seats 1 to ``final_seats`` of table ``number``. 0: the table of one who may not be moved, else
    the one that would break last. Who may not be moved and sits at that table keeps their seat, if the final has it.
    Raises ``IllegalAction`` when more are left than the table seats, and while a hand is running anywhere.
    """
    left = sum(view.players for view in tables)
    if left > final_seats:
        message = f"{left} players are left and the final table has {final_seats} seats: play on."
        raise IllegalAction("too-many-left", message, FINAL_TABLE)
    _check_between_hands(tables)
    if not left:
        return {}
    number = number or _table_of_the_final(in_use(tables), break_order)
    staying = {
        entrant: (number, seat)
        for view in tables
        for seat, entrant in view.seats.items()
        if view.number == number and entrant in view.fixed and seat <= final_seats
    }
    kept = {seat for _, seat in staying.values()}
    drawn = iter(Chance(seed).shuffled(seat for seat in range(1, final_seats + 1) if seat not in kept))
    sitting = sorted((view.number, seat, entrant) for view in tables for seat, entrant in view.seats.items())
    return {entrant: staying.get(entrant) or (number, next(drawn)) for _, _, entrant in sitting}


def _table_of_the_final(tables: Sequence[TableView], break_order: Sequence[int]) -> int:
    last_first = in_break_order(tables, break_order)[::-1]
    staying = [view for view in last_first if not _may_break(view)]
    return (staying or last_first)[0].number


def _may_break(view: TableView) -> bool:
    """Whether nobody sits there who may not be moved."""
    return view.fixed.isdisjoint(view.seats.values())


def _first_that_breaks(tables: Sequence[TableView], break_order: Sequence[int], final_seats: int) -> TableView | None:
    used = in_use(tables)
    if len(used) < 2 or (final_seats and len(used) == 2):
        return None
    first = next((view for view in in_break_order(used, break_order) if _may_break(view)), None)
    if first is None or _room(used) - len(first.free()) < first.players:
        return None
    return first


def _room(tables: Sequence[TableView]) -> int:
    return sum(len(view.free()) for view in tables)


def _check_break(table: TableView, others: Sequence[TableView]) -> None:
    _check_between_hands([table])
    held = sorted(seat for seat, entrant in table.seats.items() if entrant in table.fixed)
    if held:
        message = f"Table {table.number} cannot break, for the player in seat {held[0]} may not be moved"
        raise IllegalAction("player-is-fixed", f"{message}: lift the reservation first.", TWO_RANDOM_STEPS)
    room = _room(others)
    if room < table.players:
        message = (
            f"Table {table.number} cannot break: {counted(table.players, 'player')} for {counted(room, 'free seat')}"
        )
        raise IllegalAction("no-room", f"{message} elsewhere.", TWO_RANDOM_STEPS)


def _check_between_hands(tables: Sequence[TableView]) -> None:
    for view in tables:
        if not view.is_between_hands:
            message = f"A hand is running at table {view.number}: its players move when it is over."
            raise IllegalAction("hand-running", message)
