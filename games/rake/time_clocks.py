"""The clocks of time collection: when a period ends at a table, and pauses of the whole table.

A period that divides the hour ends on the hour; any other is counted from when the table's clock was started.
"""

from datetime import datetime, timedelta

from django.db.models import F, QuerySet
from django.db.models.functions import Greatest

from cardroom.core import alarms, room_time
from cardroom.core.models import User
from games.rake.models.times import TimeClock, TimePause, fence_of
from games.tables.models.offers import DropSchedule
from games.tables.models.tables import Table

ALARM = alarms.register("time-collection", "games.tasks.collect_time")


def schedule_of(table: Table) -> DropSchedule | None:
    """The schedule by which time is collected at this table; None where there is none."""
    if table.event or table.drop_id is None or table.drop.kind != DropSchedule.Kind.TIME:
        return None
    return table.drop


def start_or_stop(table: Table, *, now: datetime) -> None:
    """Start the table's clock where time is collected there, and stop it where none is. Call with the table locked,
    when a player sits down or the table gets another schedule."""
    schedule = schedule_of(table)
    if schedule is None or table.state in (Table.State.CLOSED, Table.State.FREE):
        stop(table, now=now)
    elif not TimeClock.objects.filter(pk=table.pk).exists():
        set_to(table, next_end(schedule, after=now))


def set_to(table: Table, due_at: datetime) -> None:
    """Set the time of the table's next collection, and its alarm."""
    TimeClock.objects.update_or_create(pk=table.pk, defaults={"due_at": due_at})
    alarms.set(kind=ALARM, key=str(table.pk), due_at=due_at, fence=fence_of(due_at))


def stop(table: Table, *, now: datetime) -> None:
    """Stop collections at this table, and end the refusals to pay them."""
    if TimeClock.objects.filter(pk=table.pk).delete()[0]:
        alarms.cancel(kind=ALARM, key=str(table.pk))
        end_pauses(TimePause.objects.filter(table=table, kind=TimePause.Kind.REFUSAL, until=None), now=now)


def end_pauses(pauses: QuerySet[TimePause], *, now: datetime, ended_by: User | None = None) -> None:
    """End these pauses now; a pause that began later by the clock of another machine, at its beginning."""
    pauses.update(until=Greatest(F("since"), now), ended_by=ended_by)


def follow_table(table: Table, *, now: datetime, by: User | None) -> None:
    """After a change of the table by staff: start or stop its clock, and write down the beginning or the end of its
    pause. Call with the table locked."""
    start_or_stop(table, now=now)
    if table.paused_at is None:
        end_pauses(TimePause.objects.filter(table=table, player=None, until=None), now=now, ended_by=by)
        return
    TimePause.objects.get_or_create(
        table=table, player=None, until=None, defaults={"since": now, "by": by, "reason": table.pause_reason}
    )


def is_table_paused(table: Table, moment: datetime) -> bool:
    """Whether the whole table was paused at this moment; time costs nothing then."""
    spans = TimePause.objects.filter(table=table, player=None, since__lte=moment).exclude(until__lte=moment)
    return (table.paused_at is not None and table.paused_at <= moment) or spans.exists()


def next_end(schedule: DropSchedule, *, after: datetime) -> datetime:
    """The first end of a period after this moment; a period that does not divide the hour begins at this moment."""
    minutes = schedule.period_minutes
    if 60 % minutes:
        return after + timedelta(minutes=minutes)
    # When clocks are set back a local time occurs twice, so the minutes left are added to the moment itself.
    begun = room_time.local(after).minute % minutes
    return after.replace(second=0, microsecond=0) + timedelta(minutes=minutes - begun)


def ends_between(schedule: DropSchedule, first: datetime, upto: datetime) -> list[datetime]:
    """The ends of periods from `first`, which is one, to the last that is not after `upto`."""
    step = timedelta(minutes=schedule.period_minutes)
    return [first + step * number for number in range((upto - first) // step + 1)]
