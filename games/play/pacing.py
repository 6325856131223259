"""How fast the bots play: at a pace people like, slower when the house is busy, and quickly where nobody watches.

When an alarm of an event rings late in this process, the bots of events think longer, up to `CARDROOM_BOT_SLOWEST`
times as long; while no alarm is late they come back to their own pace. Kept in memory, for each process by itself.
"""

import math
import random
from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings

from games.tables.models.tables import Table, Watch

# Whether anybody watches a table of an event: sockets say so every few seconds (`note`)


#: Longer than the sockets' heartbeat, twice.
_LASTS = timedelta(seconds=8)


def note(tables: Collection[int], *, now: datetime) -> None:
    """Somebody looks at these tables now. One statement."""
    Watch.objects.bulk_create(
        [Watch(table_id=table, until=now + _LASTS) for table in sorted(tables)],
        update_conflicts=True,
        unique_fields=["table"],
        update_fields=["until"],
    )


def is_watched(table: int, *, now: datetime) -> bool:
    """Whether somebody looks at this table, or did a moment ago. One query."""
    return Watch.objects.filter(table=table, until__gt=now).exists()


_HURRIED = 0.1  # seconds
#: An alarm is late after this long: the tick alone takes most of it.
_LATE = timedelta(seconds=0.3)
#: What one late alarm makes of the time to think, and how soon the next one may: those that wait in one queue are one.
_STEP = 1.3
_PATIENCE = timedelta(seconds=0.5)
#: Seconds in which two thirds of it are forgotten: long, so that one alarm in a hundred is late and not one in ten.
_FORGOTTEN = 60.0

_slowness = 1.0
_noted: datetime | None = None
_slowed: datetime | None = None


def note_alarm(due: datetime, *, now: datetime) -> None:
    """An alarm of an event that was due then rang now."""
    global _slowness, _noted, _slowed
    if _noted is not None and now > _noted:
        _slowness = 1.0 + (_slowness - 1.0) * math.exp(-(now - _noted).total_seconds() / _FORGOTTEN)
    _noted = now
    if now - due > _LATE and (_slowed is None or abs(now - _slowed) >= _PATIENCE):
        _slowed = now
        _slowness = min(_slowness * _STEP, settings.CARDROOM_BOT_SLOWEST)


def slowness() -> float:
    """How many times longer bots of events think now than they would: 1 where the house is not busy."""
    return _slowness


def forget() -> None:
    """Clears what is known of late alarms. For tests."""
    global _slowness, _noted, _slowed
    _slowness, _noted, _slowed = 1.0, None, None


def thinks(table: Table) -> timedelta:
    """How long a bot at this table thinks, as chance will have it."""
    if table.people_waiting:
        return timedelta(seconds=_HURRIED)  # a newcomer waits for the end, and nobody minds a quick hand
    thinks = settings.CARDROOM_BOT_THINKS
    return timedelta(seconds=random.uniform(0.5 * thinks, 1.5 * thinks)) * (slowness() if table.event else 1)
