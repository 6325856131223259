"""The house runs the tables of an event online: they ask what is next, and follow what happens to the event elsewhere.

Imported when the room starts. An event in the room is left alone: people run its tables.
"""

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from games.tables import signals as table_signals
from games.tables.models.tables import Table
from tournaments.events import signals as event_signals
from tournaments.events.locking import Locked
from tournaments.events.models import Tournament
from tournaments.online import outcomes


@receiver(table_signals.event_table_waits)
def between_hands(*, table: Table, now: datetime, **_: Any) -> bool | None:
    if not table.event.startswith("tournament:"):
        return None
    return outcomes.between_hands(table_id=table.pk, version=table.version, now=now)


@receiver(event_signals.entrant_came)
def entrant_came(*, locked: Locked, entrant: int, now: datetime, **_: Any) -> None:
    if _is_online(locked):
        outcomes.entered(locked, entrant, now=now)


@receiver(event_signals.entrants_went)
def entrants_went(*, locked: Locked, entrants: list[int], now: datetime, **_: Any) -> None:
    if _is_online(locked):
        outcomes.left(locked, entrants, now=now)


@receiver(event_signals.chips_bought)
def chips_bought(*, locked: Locked, entrant: int, chips: int, reference: str, now: datetime, **_: Any) -> bool | None:
    if not _is_online(locked):
        return None
    return outcomes.add_chips(locked, entrant, chips, reference=reference, now=now)


@receiver(event_signals.level_began)
def level_began(*, locked: Locked, now: datetime, **_: Any) -> None:
    if _is_online(locked):
        outcomes.new_level(locked, now=now)


@receiver(event_signals.clock_moved)
def clock_moved(*, locked: Locked, now: datetime, **_: Any) -> None:
    if _is_online(locked):
        outcomes.moved_on(locked, now=now)


@receiver(event_signals.tables_behind)
def tables_behind(*, locked: Locked, now: datetime, **_: Any) -> None:
    if _is_online(locked):
        outcomes.played(locked, now=now)


@receiver(event_signals.play_ended)
def play_ended(*, locked: Locked, now: datetime, **_: Any) -> None:
    if _is_online(locked):
        outcomes.cancelled(locked, now=now)


def _is_online(locked: Locked) -> bool:
    return locked.row.conduct == Tournament.Conduct.ONLINE
