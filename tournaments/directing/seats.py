"""Tables and seats in an event: drawn, moved, balanced, broken, reserved.

Draws are made here and the seed is shown to everybody. Online tables open and close with their players; a table in the
middle of a hand keeps them until it is over.
"""

from typing import Annotated

from django.utils.translation import gettext

from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Illegal
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.directing.carrying_out import event_and_tables, seed
from tournaments.engine import labels
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
    Swap,
)
from tournaments.events import staff
from tournaments.events.arguments import MOST_TABLES, EntrantNumber, ExpectedSeq, SeatNumber, TableNumber
from tournaments.events.checks import check_in_the_room
from tournaments.events.playing import HeldEvent, OrderReceipt

_CHOSEN = Limits(required=False, min_value=0, max_value=MOST_TABLES, help_text="0: the event's choice.")


@verb("events.draw_seats", roles=staff.DIRECTORS)
def draw_seats(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Draw everybody's seat, before the start and as often as wanted."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(SeatAll(seed()))
    return event.receipt


@verb("events.seat", roles=staff.DIRECTORS)
def seat(
    *, tournament_id: RowId, entrant: EntrantNumber, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Draw a seat for a player without one, at the shortest table; at a new table where all are full."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        check_in_the_room(event.locked, gettext("seats are drawn by the tournament"))
        event.play(SeatLate(entrant, seed()))
    return event.receipt


@verb("events.move", roles=staff.DIRECTORS)
def move(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    table: TableNumber,
    seat: Annotated[
        SeatNumber, Limits(required=False, help_text="0: the one that opened last, as the rule for stud has it.")
    ] = 0,
    reason: Annotated[str, Limits(required=False, max_length=200)] = "",
    rule: Annotated[str, Limits(required=False, max_length=40, help_text="The rule that it is done by.")] = "",
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """Move one player, by the director's own choice or, with `rule`, by a rule that is named. `seat` 0: the one that
    opened last at that table, as the rule for stud has it."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        number = seat or _seat_that_opened(event, table)
        event.play(Move(entrant, table, number, " ".join(reason.split())[:200] or labels.BY_CHOICE(), rule[:40]))
    return event.receipt


@verb("events.swap", roles=staff.DIRECTORS)
def swap(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    other: EntrantNumber = 0,
    table: int = 0,
    seat: int = 0,
    reason: str = "",
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """Two players change seats, with their stacks, also where every table is full; one order, undone as one. `other` 0:
    the player at `table` in `seat`.

    Refuses: `Illegal` (one of them has no seat, a reserved one, or is out; nobody sits there); online `Conflict` while
    one is in a hand.
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(
            Swap(
                entrant,
                other or _entrant_in_seat(event, table, seat),
                " ".join(reason.split())[:200] or labels.BY_CHOICE(),
            )
        )
    return event.receipt


@verb("events.break_table", roles=staff.DIRECTORS)
def break_table(*, tournament_id: RowId, table: int, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Break a table: its players draw for seats at the others, and it closes."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(BreakTable(table, seed(), event.busy))
    return event.receipt


@verb("events.balance", roles=staff.DIRECTORS)
def balance(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Every move that the rule for stud wants now, as one action."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(Balance(event.busy))
    return event.receipt


@verb("events.draw_final_table", roles=staff.DIRECTORS)
def draw_final_table(
    *, tournament_id: RowId, table: Annotated[int, _CHOSEN] = 0, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """All remaining players draw for one table; 0: the one that would break last."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(DrawFinalTable(seed(), table, event.busy))
    return event.receipt


@verb("events.draw_round", roles=staff.DIRECTORS)
def draw_round(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Shootout and bracket: the winners of the tables sit down for the next round."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        check_in_the_room(event.locked, gettext("the next round is drawn by the tournament"))
        event.play(DrawRound(seed()))
    return event.receipt


@verb("events.open_table", roles=staff.DIRECTORS)
def open_table(
    *, tournament_id: RowId, table: Annotated[int, _CHOSEN] = 0, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Open one more table; 0: the next number."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        check_in_the_room(event.locked, gettext("tables open with their players"))
        event.play(OpenTable(table))
    return event.receipt


@verb("events.close_table", roles=staff.DIRECTORS)
def close_table(*, tournament_id: RowId, table: int, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Close an empty table; one with players has to be broken."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        check_in_the_room(event.locked, gettext("tables close when their last player has gone"))
        event.play(CloseTable(table))
    return event.receipt


@verb("events.reserve_seat", roles=staff.DIRECTORS)
def reserve_seat(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    table: Annotated[int, Limits(min_value=0, max_value=MOST_TABLES, help_text="0: the seat is like any other again.")],
    seat: SeatNumber,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """Reserve a seat for a player, who is then moved by no rule. Table 0: end the reservation."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(ReserveSeat(entrant, table, seat))
    return event.receipt


def _entrant_in_seat(event: HeldEvent, table: int, seat: int) -> int:
    tables = event.state.tables
    entrant = tables[table].seats.get(seat) if table in tables else None
    if entrant is None:
        raise Illegal(
            "seat-free",
            "Nobody sits at table {table}, seat {seat}: move the player there instead.",
            table=table,
            seat=seat,
        )
    return entrant


def _seat_that_opened(event: HeldEvent, table: int) -> int:
    view = next((view for view in event.state.views() if view.number == table), None)
    if view is None:
        raise Illegal("no-such-table", "There is no table {table} open.", table=table)
    free = view.free()
    if not free:
        raise Illegal("no-room", "Table {table} has no free seat.", table=table)
    return free[0]
