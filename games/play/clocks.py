"""The act clock and the time banks of a hand, computed from stored moments.

A player has the table's `act_seconds`, then their time bank; at a table without `act_seconds` nobody has a clock.
A player who lost the connection has extra time between the two, where the table gives it; at an event a player who is
away has a moment to come back.
`Table.clocks` holds a `SeatClock` for every seat in the hand; the seats learn it at the hand's end.
"""

import math
import random
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from games.play.models import Watch
from games.tables.models.tables import Seat, Table

MILLISECOND = timedelta(milliseconds=1)
#: The time that a player who is away has to come back, each time it is their turn.
AWAY = timedelta(seconds=2)
#: At an event the first clock of a new seat begins after this time: the player's page has to open the table first.
OPENING = timedelta(seconds=15)


class SeatClock(NamedTuple):
    """The clock of a seat in a hand. `bank`: the rest of the time bank in milliseconds; `missed`: clocks missed in a
    row; `is_away`: at an event. Where there is extra time: `is_gone`: they lost the connection; `extras`: turns with
    extra time since then; `extra_used`: milliseconds of it used in the event, or in this visit to the table.
    `begins_at`: no clock of theirs begins before, for they got this seat a moment ago; milliseconds since the epoch, 0
    long ago."""

    bank: int
    missed: int
    is_away: bool = False
    is_gone: bool = False
    extras: int = 0
    extra_used: int = 0
    begins_at: int = 0


#: At a cash table only so many fields are stored for a player who never lost the connection.
_PLAIN = 2
_IN_TOUCH = SeatClock(0, 0)[_PLAIN:]


def clock_of(table: Table, seat: int) -> SeatClock:
    """The clock of a seat in the hand."""
    return SeatClock(*table.clocks[str(seat)])


def put_clock(table: Table, seat: int, clock: SeatClock) -> None:
    """Keep the clock of a seat in the hand. The caller stores the table."""
    is_plain = not table.event and clock[_PLAIN:] == _IN_TOUCH
    length = len(clock) if clock.begins_at else len(clock) - 1
    table.clocks[str(seat)] = list(clock[: _PLAIN if is_plain else length])


def wind_up(table: Table, seats: list[Seat], *, now: datetime) -> None:
    """Set the clocks of these seats for a new hand: each wins back a little of its time bank."""
    full = table.time_bank_seconds * 1000
    won_back = table.bank_refill_seconds * 1000
    table.clocks = {}
    for seat in seats:
        clock = SeatClock(max(seat.time_bank_ms, min(full, seat.time_bank_ms + won_back)), seat.missed_clocks)
        if table.minds_presence:
            clock = clock._replace(
                # A player who sits out of a cash game is not dealt in.
                is_away=bool(table.event) and seat.state == Seat.State.SITTING_OUT,
                is_gone=seat.gone_at is not None,
                extras=seat.extras_taken,
                extra_used=seat.extra_used_ms,
            )
        opens_at = seat.sat_at + OPENING
        if table.event and opens_at > now and not seat.player.is_bot:
            clock = clock._replace(begins_at=int(opens_at.timestamp() * 1000))
        put_clock(table, seat.number, clock)


def start(table: Table, seat: int, *, now: datetime, is_timed: bool = True) -> None:
    """Begin the turn of a seat (0: no seat is to act). `is_timed`: its clock can run out."""
    table.to_act = seat
    table.turn_at = now if seat else None
    table.extra_ms = 0
    if not (seat and is_timed and table.act_seconds):
        table.deadline = None
        return
    clock = clock_of(table, seat)
    if clock.is_away:
        table.deadline = now + min(AWAY, timedelta(seconds=table.act_seconds))
        return
    if clock.begins_at:
        table.turn_at = max(now, datetime.fromtimestamp(clock.begins_at / 1000, UTC))
    table.extra_ms = extra_time(table, clock)
    table.deadline = _whole(table, clock)


def stop(table: Table, seat: int, *, now: datetime, is_missed: bool) -> None:
    """End the turn: charge the time bank, and count a clock that ran out."""
    if table.deadline is None or table.turn_at is None:
        return
    clock = clock_of(table, seat)
    act_until = table.turn_at + timedelta(seconds=table.act_seconds)
    left = clock.bank
    if table.deadline >= act_until:
        left = max(0, min(clock.bank, (table.deadline - now) // MILLISECOND))
    used_ms = max(0, min(table.extra_ms, (now - act_until) // MILLISECOND))
    clock = clock._replace(
        bank=left,
        missed=clock.missed + 1 if is_missed else 0,
        # A player without a connection stays in as long as they have extra time; nobody is away in a cash game.
        is_away=bool(table.event) and is_missed and (clock.is_away or not table.extra_ms),
        # In a cash game a player who is back in time has used up none of their turns.
        extras=clock.extras + (table.extra_ms > 0 and bool(table.event or used_ms or clock.is_gone)),
        extra_used=clock.extra_used + used_ms,
    )
    put_clock(table, seat, clock)


def extra_time(table: Table, clock: SeatClock) -> int:
    """The extra time, in milliseconds, of the turn of this clock's player."""
    return table.extra_ms_of(clock.extras, clock.extra_used) if clock.is_gone and not clock.is_away else 0


def lengthen(table: Table, *, extra_ms: int) -> None:
    """Give the seat to act its whole clock from the beginning of the turn, with so much extra time."""
    table.extra_ms = extra_ms
    table.deadline = _whole(table, clock_of(table, table.to_act))


def put_away(table: Table) -> None:
    """Clear the clock when the hand is over."""
    table.seq = table.street = table.to_act = table.extra_ms = 0
    table.turn_at = table.deadline = None
    table.clocks = {}


def _whole(table: Table, clock: SeatClock) -> datetime:
    seconds = timedelta(seconds=table.act_seconds)
    return table.turn_at + seconds + (table.extra_ms + clock.bank) * MILLISECOND


#: How long a note that a table is watched counts: longer than two heartbeats of the sockets.
_LASTS = timedelta(seconds=8)


def note(tables: Collection[int], *, now: datetime) -> None:
    """Note that these tables of events are watched now; sockets do so every few seconds. One statement."""
    Watch.objects.bulk_create(
        [Watch(table_id=table, until=now + _LASTS) for table in sorted(tables)],
        update_conflicts=True,
        unique_fields=["table"],
        update_fields=["until"],
    )


def is_watched(table: int, *, now: datetime) -> bool:
    """Whether somebody watches this table, or did a moment ago. One query."""
    return Watch.objects.filter(table=table, until__gt=now).exists()


_HURRIED = 0.1  # seconds
#: An alarm is late after this long: the tick alone takes most of it.
_LATE = timedelta(seconds=0.3)
#: A late alarm makes the time to think this many times longer; the next one not within `_PATIENCE`, for all alarms that
#: wait in one queue count once.
_STEP = 1.3
_PATIENCE = timedelta(seconds=0.5)
#: Seconds in which the slowness falls by two thirds: long, so that one alarm in a hundred is late and not one in ten.
_FORGOTTEN = 60.0

_slowness = 1.0
_noted: datetime | None = None
_slowed: datetime | None = None


def note_alarm(due: datetime, *, now: datetime) -> None:
    """Note that an alarm of an event, due at `due`, rang now: late ones slow the bots down."""
    global _slowness, _noted, _slowed
    if _noted is not None and now > _noted:
        _slowness = 1.0 + (_slowness - 1.0) * math.exp(-(now - _noted).total_seconds() / _FORGOTTEN)
    _noted = now
    if now - due > _LATE and (_slowed is None or abs(now - _slowed) >= _PATIENCE):
        _slowed = now
        _slowness = min(_slowness * _STEP, settings.CARDROOM_BOT_SLOWEST)


def slowness() -> float:
    """The factor by which bots of events think longer now: 1 where the house is not busy."""
    return _slowness


def forget() -> None:
    """Clears the memory of late alarms. For tests."""
    global _slowness, _noted, _slowed
    _slowness, _noted, _slowed = 1.0, None, None


def thinks(table: Table) -> timedelta:
    """How long a bot at this table thinks: a random time around the setting."""
    if table.people_waiting:
        return timedelta(seconds=_HURRIED)  # a newcomer waits for the end, and nobody minds a quick hand
    thinks = settings.CARDROOM_BOT_THINKS
    return timedelta(seconds=random.uniform(0.5 * thinks, 1.5 * thinks)) * (slowness() if table.event else 1)
