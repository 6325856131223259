"""When time is collected: the ends of the periods of a table's drop schedule.

A period that divides the hour ends with it, so the half hours are those of the clock on the wall; any other counts from
the moment the clock of the table was started.
"""

from datetime import datetime, timedelta

from django.db.models import F, QuerySet
from django.db.models.functions import Greatest

from cardroom.models import User
from cardroom.services import alarms, room_time
from games.models import DropSchedule, Table, TimeClock, TimePause
from games.models.times import fence_of

ALARM = "time-collection"


def schedule_of(table: Table) -> DropSchedule | None:
    """The schedule by which time is collected at this table; None where there is none."""
    if table.event or table.drop_id is None or table.drop.kind != DropSchedule.Kind.TIME:
        return None
    return table.drop


def keep(table: Table, *, now: datetime) -> None:
    """Have the table's clock run where time is collected there, and stand still where none is. Call with the table
    locked, when somebody sits down or the table takes up another schedule."""
    schedule = schedule_of(table)
    if schedule is None or table.state in (Table.State.CLOSED, Table.State.FREE):
        stop(table, now=now)
    elif not TimeClock.objects.filter(pk=table.pk).exists():
        set_to(table, next_end(schedule, after=now))


def set_to(table: Table, due_at: datetime) -> None:
    """The table's next collection."""
    TimeClock.objects.update_or_create(pk=table.pk, defaults={"due_at": due_at})
    alarms.set(kind=ALARM, key=str(table.pk), due_at=due_at, fence=fence_of(due_at))


def stop(table: Table, *, now: datetime) -> None:
    """No more collections at this table, and nobody who would not pay them."""
    if TimeClock.objects.filter(pk=table.pk).delete()[0]:
        alarms.cancel(kind=ALARM, key=str(table.pk))
        end(TimePause.objects.filter(table=table, kind=TimePause.Kind.REFUSAL, until=None), now=now)


def end(pauses: QuerySet[TimePause], *, now: datetime, ended_by: User | None = None) -> None:
    """These pauses are over: now, or where another machine's clock was ahead of this one's when they began, then."""
    pauses.update(until=Greatest(F("since"), now), ended_by=ended_by)


def follow(table: Table, *, now: datetime, by: User | None) -> None:
    """Whatever the staff did to a table: its clock runs or stands still with it, and its pauses are written down. Call
    with the table locked."""
    keep(table, now=now)
    if table.paused_at is None:
        end(TimePause.objects.filter(table=table, player=None, until=None), now=now, ended_by=by)
        return
    TimePause.objects.get_or_create(
        table=table, player=None, until=None, defaults={"since": now, "by": by, "reason": table.pause_reason}
    )


def is_table_paused(table: Table, moment: datetime) -> bool:
    """Whether the whole table was paused then. Time costs nothing then."""
    spans = TimePause.objects.filter(table=table, player=None, since__lte=moment).exclude(until__lte=moment)
    return (table.paused_at is not None and table.paused_at <= moment) or spans.exists()


def next_end(schedule: DropSchedule, *, after: datetime) -> datetime:
    """The first end of a period after this moment, counted from it where the period is no part of an hour."""
    minutes = schedule.period_minutes
    if 60 % minutes:
        return after + timedelta(minutes=minutes)
    local = room_time.local(after)
    hour = local.replace(minute=0, second=0, microsecond=0)
    whole = local.minute // minutes + 1
    return (hour + timedelta(minutes=minutes * whole)).astimezone(after.tzinfo)


def ends_between(schedule: DropSchedule, first: datetime, upto: datetime) -> list[datetime]:
    """The ends of periods from `first`, which is one, to the last that is not after `upto`."""
    step = timedelta(minutes=schedule.period_minutes)
    return [first + step * number for number in range((upto - first) // step + 1)]
