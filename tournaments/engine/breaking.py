"""Which table breaks, where its players go, and the final table."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine import labels
from tournaments.engine.errors import EventSentence, IllegalCommand, Phrase, counted
from tournaments.engine.plain import Chance, ordinal
from tournaments.engine.seating import FINAL_TABLE, TWO_RANDOM_STEPS, Consolidation, Place, PlannedMove, TableView

DRAWN = Phrase(
    "drawn-from-a-table-that-breaks",
    "Table {table} breaks. Drawn {turn} of {players}, then seat {seat} of table {to} drawn from {seats} where "
    "{least} sat, the fewest.",
)


def in_use(tables: Sequence[TableView]) -> list[TableView]:
    return [view for view in tables if view.seats]


def in_break_order(tables: Sequence[TableView], break_order: Sequence[int] = ()) -> list[TableView]:
    """The tables, first to break first: those of the published order, then the others from the highest number down."""
    published = {number: position for position, number in enumerate(break_order)}
    unpublished = len(published)
    return sorted(tables, key=lambda view: (published.get(view.number, unpublished), -view.number))


def is_final_table_due(tables: Sequence[TableView], *, final_seats: int) -> bool:
    """Whether all who are left fit at the final table and do not sit at one table yet."""
    tables_in_use = in_use(tables)
    return len(tables_in_use) > 1 and sum(view.players for view in tables_in_use) <= final_seats


def due(tables: Sequence[TableView], *, break_order: Sequence[int] = (), final_seats: int = 0) -> Consolidation | None:
    """The final table or the break that comes before any balancing, with its reason in words."""
    tables_in_use = in_use(tables)
    if is_final_table_due(tables_in_use, final_seats=final_seats):
        left = sum(view.players for view in tables_in_use)
        why = EventSentence(
            "{left} players are left at {tables} tables, and the final table has {seats} seats.",
            left=left,
            tables=len(tables_in_use),
            seats=final_seats,
        )
        return Consolidation(0, FINAL_TABLE, why)
    breaking = _first_that_breaks(tables_in_use, break_order, final_seats)
    if breaking is None:
        return None
    why = EventSentence(
        "Table {table} is the next to break: the rest ({tables}) has {room} for its {players}.",
        table=breaking.number,
        tables=counted(len(tables_in_use) - 1, "{n} table", "{n} tables"),
        room=counted(_room(tables_in_use) - len(breaking.free()), "{n} free seat", "{n} free seats"),
        players=counted(breaking.players, "{n} player", "{n} players"),
    )
    return Consolidation(breaking.number, TWO_RANDOM_STEPS, why)


def plan_break(table: TableView, others: Sequence[TableView], *, seed: int) -> list[PlannedMove]:
    """The moves that empty ``table``, in the order of drawing.

    Each player drawn draws a seat among the free ones of the tables that are the emptiest by then, so that the tables
    end as even as they can. Raises ``IllegalCommand`` while a hand is running there, when the others have too few
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
        choice = [
            (number, free_seat) for number, seats in free.items() if players[number] == least for free_seat in seats
        ]
        number, chosen = choice[chance.below(len(choice))]
        why = DRAWN(
            table=table.number,
            turn=ordinal(turn),
            players=table.players,
            seat=chosen,
            to=number,
            seats=labels.free_seats(len(choice)),
            least=labels.players(least),
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
    the one that would break last. A player who may not be moved and sits at that table keeps their seat, if the final
    has it. Raises ``IllegalCommand`` when more are left than the table seats, and while a hand is running anywhere.
    """
    left = sum(view.players for view in tables)
    if left > final_seats:
        raise IllegalCommand(
            "too-many-left",
            "{left} players are left and the final table has {seats} seats: play on.",
            FINAL_TABLE,
            left=left,
            seats=final_seats,
        )
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
    kept_seats = {seat for _, seat in staying.values()}
    drawn = iter(Chance(seed).shuffled(seat for seat in range(1, final_seats + 1) if seat not in kept_seats))
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
    tables_in_use = in_use(tables)
    if len(tables_in_use) < 2 or (final_seats and len(tables_in_use) == 2):
        return None
    first = next((view for view in in_break_order(tables_in_use, break_order) if _may_break(view)), None)
    if first is None or _room(tables_in_use) - len(first.free()) < first.players:
        return None
    return first


def _room(tables: Sequence[TableView]) -> int:
    return sum(len(view.free()) for view in tables)


def _check_break(table: TableView, others: Sequence[TableView]) -> None:
    _check_between_hands([table])
    held = sorted(seat for seat, entrant in table.seats.items() if entrant in table.fixed)
    if held:
        raise IllegalCommand(
            "player-is-fixed",
            "Table {table} cannot break, for the player in seat {seat} may not be moved: lift the reservation first.",
            TWO_RANDOM_STEPS,
            table=table.number,
            seat=held[0],
        )
    room = _room(others)
    if room < table.players:
        raise IllegalCommand(
            "no-room",
            "Table {table} cannot break: {players} for {seats} elsewhere.",
            TWO_RANDOM_STEPS,
            table=table.number,
            players=counted(table.players, "{n} player", "{n} players"),
            seats=counted(room, "{n} free seat", "{n} free seats"),
        )


def _check_between_hands(tables: Sequence[TableView]) -> None:
    for view in tables:
        if not view.is_between_hands:
            raise IllegalCommand(
                "hand-running",
                "A hand is running at table {table}: its players move when it is over.",
                table=view.number,
            )
