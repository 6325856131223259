"""The house's one alarm clock.

An alarm is a row with the task to call (`kind`), its subject (`key`), its time, and a `fence`. The tick claims the rows
that are due and sends each to its Celery task; the service behind the task locks its rows, compares the fence and does
nothing if they have changed since. So an alarm may ring twice or late, but is never lost: the row goes only when its
task says `done`, and a claim without a `done` lapses.

What has its due time in a row of its own that changes often, as tables have, needs no alarm beside it: it registers
what claims those rows (`register_rows`), and the tick sends them to their task in the same way.

Nothing secret belongs into a key: it travels as a task argument.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol

import structlog
from celery import current_app
from django.db import connection

from cardroom.core import outages
from cardroom.core.models import Alarm

log = structlog.get_logger(__name__)

CLAIM_LASTS = timedelta(seconds=10)

handlers: dict[str, str] = {}
"""The Celery task of each kind, by name; it is called with (kind, key, fence)."""


class Due(NamedTuple):
    """What is due since `due_at`: the name of its Celery task, and its arguments."""

    task: str
    arguments: tuple[Any, ...]
    due_at: datetime


class Claim(Protocol):
    """Claims rows that are due by themselves, as `claim_due` does alarms."""

    def __call__(self, *, now: datetime) -> list[Due]: ...


_claims: dict[str, Claim] = {}

#: A condition of a claim: nothing is due while the room is away. Its parameter: `latest_beat`.
ROOM_IS_HERE = "NOT EXISTS (SELECT 1 FROM core_heartbeat WHERE at < %s)"

_SET = """
    INSERT INTO core_alarm (kind, "key", due_at, fence, claimed_until) VALUES (%s, %s, %s, %s, NULL)
    ON CONFLICT (kind, "key") DO UPDATE SET due_at = excluded.due_at, fence = excluded.fence, claimed_until = NULL
"""
_CLAIM = """
    WITH due AS (
        SELECT id AS due_id FROM core_alarm
        WHERE due_at <= %s AND (claimed_until IS NULL OR claimed_until <= %s)
            AND {room_is_here}
        ORDER BY due_at, id LIMIT %s {skip_locked}
    )
    UPDATE core_alarm SET claimed_until = %s WHERE id IN (SELECT due_id FROM due)
    RETURNING id, kind, "key", due_at, fence, claimed_until
"""


def register(kind: str, task_name: str) -> str:
    """Name the task for alarms of this kind, where the kind is named; returns the kind."""
    if handlers.setdefault(kind, task_name) != task_name:
        raise ValueError(f"alarms of kind {kind!r} already go to {handlers[kind]!r}")
    return kind


def register_rows(kind: str, claim: Claim) -> None:
    """Name what claims rows of this kind that are due."""
    _claims[kind] = claim


def set(*, kind: str, key: str, due_at: datetime, fence: int) -> None:
    """Set the alarm, in place of the one of this kind and key if there is one, claimed or not. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_SET, [kind, key, _moment(due_at), fence])


def cancel(*, kind: str, key: str) -> None:
    """Cancel the alarm. One that is ringing at this moment still rings; the fence makes it harmless."""
    Alarm.objects.filter(kind=kind, key=key).delete()


def done(*, kind: str, key: str, fence: int) -> None:
    """Delete an alarm that its task has handled. One that was set again meanwhile, even with the same fence, still
    rings."""
    Alarm.objects.filter(kind=kind, key=key, fence=fence, claimed_until__isnull=False).delete()


def claim_due(*, now: datetime, limit: int = 100) -> list[Alarm]:
    """Claim up to `limit` alarms that are due, the longest due first, each for one claimer only.

    What is not `done` within ten seconds can be claimed again. None while the room is away (`outages`): nobody could
    answer it. One statement; skips rows that others hold.
    """
    skip_locked = "FOR UPDATE SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else ""
    until = now + CLAIM_LASTS
    parameters = [_moment(now), _moment(now), latest_beat(now), limit, _moment(until)]
    statement = _CLAIM.format(skip_locked=skip_locked, room_is_here=ROOM_IS_HERE)
    claimed = list(Alarm.objects.raw(statement, parameters))
    return sorted(claimed, key=lambda alarm: (alarm.due_at, alarm.pk))


def ring(*, now: datetime, limit: int = 100) -> int:
    """Claim what is due and send each to its task; returns how many were sent. For the tick.

    A broker that cannot be reached raises, and the claims lapse: the alarms ring at a later tick.
    """
    due = []
    for alarm in claim_due(now=now, limit=limit):
        name = handlers.get(alarm.kind)
        if name is None:
            log.error("alarm without a handler", kind=alarm.kind, key=alarm.key)
        else:
            due.append(Due(name, (alarm.kind, alarm.key, alarm.fence), alarm.due_at))
    for claim in _claims.values():
        due += claim(now=now)
    for task, arguments, _ in sorted(due, key=lambda row: row.due_at):
        _send(task, arguments)
    return len(due)


def latest_beat(now: datetime) -> datetime | str | None:
    """The parameter of `ROOM_IS_HERE`."""
    return _moment(now - outages.AWAY_AFTER)


def _send(name: str, arguments: tuple[Any, ...]) -> None:
    """By name where this process does not know the task; else through the task, which an eager app runs at once."""
    task = current_app.tasks.get(name)
    if task is None:
        current_app.send_task(name, args=arguments)
    else:
        task.apply_async(args=arguments)


def _moment(moment: datetime) -> datetime | str | None:
    """The moment as this database stores it."""
    return connection.ops.adapt_datetimefield_value(moment)
