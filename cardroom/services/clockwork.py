"""Whether the clockwork runs, by which alarms ring: beat, the broker, a worker and the database, all of them.

A tick goes the way of every alarm, so whoever carries one out notes in one row that the way is open. Without it people
play on, and bots and clocks wait: it is no reason to send nobody to a web process any more, or to end one.
"""

import time
from datetime import datetime, timedelta

from cardroom.models import Clockwork

#: Nothing was noted for so long: alarms ring late, or not at all.
LATE_AFTER = timedelta(seconds=10)
_NOTED_EVERY = 1.0  # seconds, in each worker
_ROW = 1
_noted = -_NOTED_EVERY


def note(*, now: datetime) -> None:
    """A tick was carried out. One statement, once a second."""
    global _noted
    if time.monotonic() - _noted < _NOTED_EVERY:
        return
    if not Clockwork.objects.filter(pk=_ROW).update(at=now):
        Clockwork.objects.bulk_create([Clockwork(pk=_ROW, at=now)], ignore_conflicts=True)
    _noted = time.monotonic()


def stands_since(*, now: datetime) -> timedelta | None:
    """How long ago it last ran; None where it never did. One query."""
    at = Clockwork.objects.filter(pk=_ROW).values_list("at", flat=True).first()
    return None if at is None else max(now - at, timedelta(0))
