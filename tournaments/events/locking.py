"""One lock per event, and the one way to write its row.

Whatever happens in an event happens with its row locked. Locks are taken in one order: the event, then tables of
`games` (ascending), then accounts (by the ledger). Who holds a table never takes an event.

Between two hands of every table of an event somebody passes here, so these statements are plain SQL.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection

from cardroom.core import alarms
from cardroom.core.errors import NotFound
from tournaments.engine.tournament import Tournament as Engine
from tournaments.events import journal as event_journal
from tournaments.events import signals as event_signals
from tournaments.events.journal import OpenEvent
from tournaments.events.models import Tournament

ALARM = alarms.register("tournament", "tournaments.tasks.wake_tournament")

_LIVE = [
    Tournament._meta.get_field(name)
    for name in (
        *("state", "seq", "version", "wake_at", "announced_at", "opened_at", "started_at", "ended_at", "end_reason"),
        *("entries_count", "alternates_count", "players_left", "tables_count", "pool", "places_paid", "level", "clock"),
        *("is_entry_open", "is_hand_for_hand", "paid_at"),
    )
]
_STORE = f"UPDATE events_tournament SET {', '.join(f'{each.column} = %s' for each in _LIVE)} WHERE id = %s"  # noqa: S608


@dataclass(slots=True, eq=False)
class Locked:
    """An event whose lock is held until the transaction ends. `event`: folded from its facts; None while it has none.

    `now`: when the lock was had. `touched`: the entrants whose rows no longer say what the facts say; None: any of
    them. `seen`: how many facts there were when the lock was had; `followed`: how many the tables of the room have
    followed since.
    """

    row: Tournament
    event: OpenEvent | None
    touched: set[int] | None = field(default_factory=set)
    now: datetime | None = None
    seen: int = field(init=False)
    followed: int = field(init=False)

    def __post_init__(self) -> None:
        self.seen = self.followed = len(self.event.engine.facts) if self.event is not None else 0

    @property
    def pk(self) -> int:
        return self.row.pk

    @property
    def state(self) -> Engine:
        """The engine's tournament: look at it, and change it by `playing.play` alone."""
        if self.event is None:
            raise RuntimeError("an event has no state before its registration opens")
        return self.event.engine


def tournament(tournament_id: int) -> Locked:
    """The event, locked until the transaction ends; `NotFound` where there is none. One query, as a rule."""
    # SQLite has taken its lock for the whole database when the transaction began. On PostgreSQL the row is read anew
    # once the lock is had: that is why all that moves in an event is in this one row.
    if not connection.in_atomic_block:
        raise RuntimeError("an event is locked within a transaction")
    lock = "FOR NO KEY UPDATE" if connection.features.has_select_for_update else ""
    query = f"SELECT * FROM events_tournament WHERE id = %s {lock}"  # noqa: S608
    row = next(iter(Tournament.objects.raw(query, [tournament_id])), None)
    if row is None:
        raise NotFound("There is no such event.", "no-such-event")
    return Locked(row, event_journal.load(row.pk, seq=row.seq) if row.seq else None)


def of_event(tournament_id: int, **about: Any) -> None:
    """What an operation `about` one event locks before it reads the time."""
    list(Tournament.objects.select_for_update(no_key=True).filter(pk=tournament_id).values_list("pk"))


def store(locked: Locked, *, wake_at: datetime | None) -> None:
    """Write the event's row and set its one alarm to `wake_at` (None: nothing is due by itself); tells after commit.

    One statement, and another where the alarm has to be set anew.
    """
    row = locked.row
    row.version += 1
    had = row.wake_at
    row.wake_at = wake_at
    with connection.cursor() as cursor:
        values = [column.get_db_prep_save(getattr(row, column.attname), connection) for column in _LIVE]
        cursor.execute(_STORE, [*values, row.pk])
    if wake_at is None and had is not None:
        alarms.cancel(kind=ALARM, key=str(row.pk))
    elif wake_at is not None and wake_at != had:
        alarms.set(kind=ALARM, key=str(row.pk), due_at=wake_at, fence=row.version)
    event_signals.tournament_moved.after_commit(tournament_id=row.pk, seq=row.seq)
