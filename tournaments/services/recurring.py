"""The event after this one, made once: at its distance in time, or when this one has filled up."""

from datetime import datetime, timedelta

from cardroom.services import room_time
from tournaments.models import Tournament
from tournaments.services import due, playing, tournaments
from tournaments.services.locking import Locked

State = Tournament.State


def make_next(locked: Locked, *, now: datetime) -> Tournament | None:
    """Make it, with this one's terms as they are, and open it where this one was opened at once. Call with the event
    held; None where it is not due."""
    row = locked.row
    if not due.is_next_event_due(row):
        return None
    later = timedelta(minutes=row.recurs_minutes)
    # It leads to no final: each flight of one is made by a director.
    config = row.config | {"flight_levels": 0}
    fields = tournaments.copied(row) | {"config": config, "recurs_times": row.recurs_times - 1}
    made, is_new = Tournament.objects.get_or_create(
        previous=row,
        defaults={
            **fields,
            "starts_at": _later(row.starts_at, later, now=now),
            "registration_opens_at": _later(row.registration_opens_at, later, now=now, may_be_past=True),
            "series": row.series,
            "season": row.season,
            "template": row.template,
            "satellite_to": row.satellite_to,
            "created_by": row.created_by,
            "created_at": now,
            "state": State.ANNOUNCED,
            "announced_at": now,
        },
    )
    # Those still to follow, follow the new one.
    row.recurs_times = 0
    row.save(update_fields=["recurs_times"])
    if is_new:
        # Nobody can be waiting for the new one's lock with this one's held: it is seen when all is committed.
        with playing.holding(made.pk, now=now) as other:
            if row.recurs_when_full or made.registration_opens_at is None:
                tournaments.open_held(other, by=None, now=now)
    return made


def _later(moment: datetime | None, by: timedelta, *, now: datetime, may_be_past: bool = False) -> datetime | None:
    """The moment of the next event: as far on as it takes to be in the future, in whole steps; days go by the clock on
    the wall."""
    if moment is None or not by:
        return None
    return room_time.later(moment, by) if may_be_past else room_time.next_after(moment, by, now=now)[0]
