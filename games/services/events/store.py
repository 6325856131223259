"""Several tables of one event: locked together, and written back with those who watch told."""

from collections.abc import Collection, Iterable

from cardroom.services.errors import Conflict, Invalid
from games import signals
from games.models import Table
from games.services import locking


def locked(table_ids: Collection[int]) -> dict[int, Table]:
    """The tables by id, locked in that order; `NotFound`, or `Invalid` where they are not of one event, `Conflict`
    where one is closed."""
    tables = locking.tables(set(table_ids))
    events = {table.event for table in tables.values()}
    if len(events) > 1 or "" in events:
        raise Invalid("These are not tables of one event.", "not-of-one-event")
    for table in tables.values():
        if table.state != Table.State.OPEN:
            raise Conflict(f"{table.name} is closed.", "table-closed")
    return tables


def store_all(tables: Iterable[Table]) -> None:
    """Write the tables' rows and alarms, as their `wake_at` says. Three statements for all that are between hands, and
    two for each of the others."""
    changed = list(tables)
    locking.store_idle([table for table in changed if table.hand_id is None])
    for table in changed:
        if table.hand_id is not None:
            locking.store(table, wake_at=table.wake_at)
        signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version)
