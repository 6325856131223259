"""The act clock and the time banks of a hand, computed from stored moments.

A player has the table's `act_seconds`, then his time bank; at a table without `act_seconds` nobody is hurried.
`Table.clocks` holds, for every seat in the hand, what is left of the bank in milliseconds and how many clocks in a row
it missed; the seats learn it at the hand's end.
"""

from datetime import datetime, timedelta

from games.models import Seat, Table

MILLISECOND = timedelta(milliseconds=1)


def wind_up(table: Table, seats: list[Seat]) -> None:
    """Begin a hand for these seats: each wins back a little of its bank."""
    full = table.time_bank_seconds * 1000
    won_back = table.bank_refill_seconds * 1000
    table.clocks = {
        str(seat.number): [max(seat.time_bank_ms, min(full, seat.time_bank_ms + won_back)), seat.missed_clocks]
        for seat in seats
    }


def start(table: Table, seat: int, *, now: datetime, is_timed: bool = True) -> None:
    """It is this seat's turn from now on; 0: nobody's. `is_timed`: a clock may run out on it."""
    table.to_act = seat
    table.turn_at = now if seat else None
    if not (seat and is_timed and table.act_seconds):
        table.deadline = None
        return
    table.deadline = now + timedelta(seconds=table.act_seconds) + _bank(table, seat) * MILLISECOND


def stop(table: Table, seat: int, *, now: datetime, is_missed: bool) -> None:
    """The turn is over: take what was used off the bank, and count a clock that ran out."""
    if table.deadline is None:
        return
    left = max(0, min(_bank(table, seat), (table.deadline - now) // MILLISECOND))
    missed = table.clocks[str(seat)][1] + 1 if is_missed else 0
    table.clocks[str(seat)] = [left, missed]


def put_away(table: Table) -> None:
    """No hand, no clock."""
    table.seq = table.street = table.to_act = 0
    table.turn_at = table.deadline = None
    table.clocks = {}


def _bank(table: Table, seat: int) -> int:
    return table.clocks[str(seat)][0]
