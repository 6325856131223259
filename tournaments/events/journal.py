"""The journal of tournaments: events replayed from their facts; the lock of each, and the one way to write its row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection

from cardroom.core import alarms, step_up
from cardroom.core.errors import NotFound
from cardroom.core.event_store import EventStore, Receipt, Replayed
from tournaments.engine.commands import Command
from tournaments.engine.config import EventConfig
from tournaments.engine.facts import (
    ActionRedone,
    ActionUndone,
    DealMade,
    EventAnnounced,
    EventFact,
    PaidOut,
    PayoutChanged,
    PayoutsLocked,
    TermsChanged,
    from_json,
)
from tournaments.engine.tournament import EventEngine
from tournaments.events import signals as event_signals
from tournaments.events.models import Tournament, TournamentFact

OpenEvent = Replayed[EventEngine]


#: Facts that decide what the ledger pays later: staff show their second factor before one is written down.
MONEY = frozenset(fact.kind for fact in (EventAnnounced, TermsChanged, PayoutChanged, PayoutsLocked, DealMade, PaidOut))


class _EventStore(EventStore[OpenEvent]):
    model, subject, further, most_kept = TournamentFact, "tournament", ("upto", "by_id"), 64

    from_json = staticmethod(from_json)

    def replay(self, pk: int, facts: list[EventFact]) -> OpenEvent:
        if not facts:
            raise NotFound("no-such-event", "There is no such tournament, or its registration has not opened.")
        return OpenEvent(pk, EventEngine.replay(facts))

    def marks(self, facts: Sequence[EventFact], command_id: str, *, last: int, by: int | None) -> list[tuple[Any, ...]]:
        return [(command_id, last, by), *[("", 0, None)] * (len(facts) - 1)]

    def add(
        self, state: OpenEvent, facts: Sequence[Any], *, at: datetime, command_id: str = "", by: int | None = None
    ) -> Receipt:
        if by is not None and any(_decides(state, fact) for fact in facts):
            step_up.require()
        return super().add(state, facts, at=at, command_id=command_id, by=by)


def _decides(state: OpenEvent, fact: EventFact) -> bool:
    """Whether this fact decides what the ledger pays later, or undoes or redoes one that does."""
    if isinstance(fact, ActionUndone | ActionRedone):
        return any(other.kind in MONEY for other in state.engine.facts[fact.first - 1 : fact.last])
    return fact.kind in MONEY


store = _EventStore()
load, receipt, facts, looking, forget = store.load, store.receipt, store.facts, store.looking, store.forget


def begin(tournament_id: int, config: EventConfig, *, at: datetime, now_ms: int, by: int | None = None) -> OpenEvent:
    """Start an event and write down its first facts."""
    event = OpenEvent(tournament_id, EventEngine.start(config, now_ms))
    store.add(event, event.engine.facts, at=at, by=by)
    return event


def play(
    event: OpenEvent,
    command: Command,
    *,
    at: datetime,
    now_ms: int,
    command_id: str = "",
    by: int | None = None,
    follows: bool = False,
) -> Receipt:
    """Play a command and write down what follows from it. `follows`: it belongs to the order of the one before.

    Raises the engine's `IllegalCommand` with nothing changed. After any other failure the copy in memory is left alone.
    """
    facts = event.engine.play(command, now_ms, follows=follows)
    return store.add(event, facts, at=at, command_id=command_id, by=by)


def read(tournament_id: int) -> EventEngine:
    """An event replayed from its facts: a copy of the caller's own."""
    return store.read(tournament_id).engine


def authors(tournament_id: int, *, after: int = 0) -> dict[int, int | None]:
    """The givers of the commands: ids of people (None: the house itself) by the number of the command's first fact."""
    return dict(store.of(tournament_id).filter(seq__gt=after, upto__gt=0).values_list("seq", "by"))


# Between the house's moments, which have a time zone, and the engine's: whole milliseconds since the epoch.


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def ms(moment: datetime) -> int:
    return (moment - _EPOCH) // _MILLISECOND


def moment(ms: int) -> datetime:
    return _EPOCH + ms * _MILLISECOND


# One lock per event, and the one way to write its row.


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

    `now`: when the lock was had. `has_order`: whether something was played since: what is played next belongs to the
    same order, and is undone with it. `touched`: the entrants whose rows no longer say what the facts say; None: any of
    them. `seen`: how many facts there were when the lock was had; `followed`: how many the tables of the room have
    followed since.
    """

    row: Tournament
    event: OpenEvent | None
    touched: set[int] | None = field(default_factory=set)
    now: datetime | None = None
    has_order: bool = False
    seen: int = field(init=False)
    followed: int = field(init=False)

    def __post_init__(self) -> None:
        self.seen = self.followed = len(self.event.engine.facts) if self.event is not None else 0

    @property
    def pk(self) -> int:
        return self.row.pk

    @property
    def state(self) -> EventEngine:
        """The engine's tournament: look at it, and change it by `playing.play` alone."""
        if self.event is None:
            raise RuntimeError("an event has no state before its registration opens")
        return self.event.engine


def lock(tournament_id: int) -> Locked:
    """The event, locked until the transaction ends; `NotFound` where there is none. One query, as a rule."""
    # SQLite has taken its lock for the whole database when the transaction began. On PostgreSQL the row is read anew
    # once the lock is had: that is why all that moves in an event is in this one row.
    if not connection.in_atomic_block:
        raise RuntimeError("an event is locked within a transaction")
    row_lock = "FOR NO KEY UPDATE" if connection.features.has_select_for_update else ""
    query = f"SELECT * FROM events_tournament WHERE id = %s {row_lock}"  # noqa: S608
    row = next(iter(Tournament.objects.raw(query, [tournament_id])), None)
    if row is None:
        raise NotFound("no-such-event", "There is no such tournament.")
    return Locked(row, load(row.pk, seq=row.seq) if row.seq else None)


def of_event(tournament_id: int, **about: Any) -> None:
    """What an operation `about` one event locks before it reads the time."""
    list(Tournament.objects.select_for_update(no_key=True).filter(pk=tournament_id).values_list("pk"))


def save(locked: Locked, *, wake_at: datetime | None) -> None:
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
