"""How fast the bots play: as people like it, no faster than the house can, and quickly where nobody looks.

Bots yield. When the alarms of events ring late in this process, the bots of events think longer, up to
`CARDROOM_BOT_SLOWEST` times as long, and the house catches up. Kept in memory and forgotten with the process: it is
what this one has seen of late.
"""

import random
from datetime import timedelta

from django.conf import settings

from games.models import Table

_THINK = (0.5, 1.5)  # seconds
_HURRIED = 0.1
#: The tick alone makes an alarm so late, in seconds; each `_STEP` more is one time longer to think.
_USUAL = 0.25
_STEP = 0.05
#: How much the last alarm says, against all those before it.
_WEIGHT = 0.05
_LATEST = 5.0

_late = 0.0


def note(late: timedelta) -> None:
    """An alarm of an event rang so late."""
    global _late
    _late += (min(max(late.total_seconds(), 0.0), _LATEST) - _late) * _WEIGHT


def slowness() -> float:
    """How many times longer bots of events think now than they would: 1 where the house is not busy."""
    return min(max(1.0, 1.0 + (_late - _USUAL) / _STEP), settings.CARDROOM_BOT_SLOWEST)


def forget() -> None:
    """As if no alarm had ever been late."""
    global _late
    _late = 0.0


def thinks(table: Table) -> timedelta:
    """How long a bot at this table thinks, as chance will have it."""
    if table.people_waiting:
        return timedelta(seconds=_HURRIED)  # a newcomer waits for the end, and nobody minds a quick hand
    return timedelta(seconds=random.uniform(*_THINK)) * (slowness() if table.event else 1)
