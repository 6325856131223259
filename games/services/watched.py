"""Whether anybody looks at a table of an event. Those who look say so every few seconds (`note`)."""

from collections.abc import Collection
from datetime import datetime, timedelta

from games.models import Watch

#: Longer than the sockets' heartbeat, twice.
_LASTS = timedelta(seconds=8)


def note(tables: Collection[int], *, now: datetime) -> None:
    """Somebody looks at these tables now. One statement."""
    Watch.objects.bulk_create(
        [Watch(table_id=table, until=now + _LASTS) for table in sorted(tables)],
        update_conflicts=True,
        unique_fields=["table"],
        update_fields=["until"],
    )


def is_watched(table: int, *, now: datetime) -> bool:
    """Whether somebody looks at this table, or did a moment ago. One query."""
    return Watch.objects.filter(table=table, until__gt=now).exists()
