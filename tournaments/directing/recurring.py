"""The next event of its kind, made once: after a time, or when this one is full."""

from datetime import datetime, timedelta

from cardroom.core import room_time
from tournaments.directing.tournaments import open_held, terms_to_copy
from tournaments.events import answering, due, playing
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament

State = Tournament.State


def make_next(locked: Locked, *, now: datetime) -> Tournament | None:
    """Make the next event with this one's terms, and open it where this one was opened at once. Call with the event
    held; None where it is not due."""
    row = locked.row
    if not due.is_next_event_due(row):
        return None
    # It leads to no final: each flight of one is made by a director.
    config = row.config | {"flight_levels": 0}
    own, handed_on = answering.split_answered(row)
    fields = terms_to_copy(row) | {"config": config, "recurs_times": row.recurs_times - 1}
    next_event, is_new = Tournament.objects.get_or_create(
        previous=row,
        defaults={
            **fields,
            **_next_times(row, now=now),
            "series": row.series,
            "season": row.season,
            "template": row.template,
            "satellite_to": row.satellite_to,
            "created_by": row.created_by,
            "answered": handed_on,
            "created_at": now,
            "state": State.ANNOUNCED,
            "announced_at": now,
        },
    )
    # Those still to follow, follow the new one.
    row.recurs_times = 0
    if is_new:
        row.answered = own
    row.save(update_fields=["recurs_times", "answered"])
    if is_new:
        # Nobody can be waiting for the new one's lock with this one's held: it is seen when all is committed.
        with playing.holding(next_event.pk, now=now) as other:
            if row.recurs_when_full or next_event.registration_opens_at is None:
                open_held(other, by=None, now=now)
    return next_event


def _next_times(row: Tournament, *, now: datetime) -> dict[str, datetime | None]:
    """When the next event starts and opens: as far on as it takes to start in the future, in whole steps, which days
    and hours go by the clock on the wall. They are counted from the first start that somebody chose: neither an hour
    that the clocks left out nor an outage moves those that follow."""
    every = timedelta(minutes=row.recurs_minutes)
    starts_at, opens_at = row.starts_at, row.registration_opens_at
    if row.recurs_from or row.opens_from:
        starts_at, opens_at = row.recurs_from, row.opens_from
    last, first = row.starts_at or row.registration_opens_at, starts_at or opens_at
    if first is None or last is None or not every:
        return {"starts_at": None, "registration_opens_at": None}
    steps = room_time.next_after(first, every, now=max(now, last))[1]
    return {
        "starts_at": starts_at and room_time.step(starts_at, every, steps),
        "registration_opens_at": opens_at and room_time.step(opens_at, every, steps),
        "recurs_from": starts_at,
        "opens_from": opens_at,
    }
