"""When tables are due: their own rows say so, and no alarm stands beside them.

A table's `wake_at` changes with every action, so an alarm row would be one more statement of each. The tick claims the
tables that are due here; `claimed_until` keeps the next tick from sending the same one again, and lapses where nobody
made good on the claim. Whatever is done at the table clears it (`locking.store`).
"""

from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import F

from cardroom.core import alarms
from cardroom.core.alarms import Due
from games.tables.models.tables import Seat, TablePlay

#: So many tables that are due are sent out at one tick.
MOST = 400
#: So many bots are waked by one task: a message costs as much as a bot's turn.
BOTS_AT_ONCE = 16

# Without an index: thousands of tables are looked through in less than a millisecond, and an index on `wake_at` would
# have to be kept with every action.
_CLAIM = """
    WITH due AS (
        SELECT table_id AS due_id FROM tables_play
        WHERE wake_at <= %s AND (claimed_until IS NULL OR claimed_until <= %s) AND {room_is_here}
        ORDER BY wake_at, table_id LIMIT %s {skip_locked}
    )
    UPDATE tables_play SET claimed_until = %s WHERE table_id IN (SELECT due_id FROM due)
    RETURNING table_id, version, wake_at
"""


class DueTable(NamedTuple):
    """A table that is due, and the version of it that said so."""

    table: int
    version: int
    due_at: datetime


def claim_due(*, now: datetime, limit: int = MOST) -> list[DueTable]:
    """Claim up to `limit` tables that are due, the longest due first, each for one claimer only. One statement."""
    skip_locked = "FOR NO KEY UPDATE SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else ""
    moment, until = (connection.ops.adapt_datetimefield_value(at) for at in (now, now + alarms.CLAIM_LASTS))
    statement = _CLAIM.format(skip_locked=skip_locked, room_is_here=alarms.ROOM_IS_HERE)
    rows = TablePlay.objects.raw(statement, [moment, moment, alarms.latest_beat(now), limit, until])
    due = [DueTable(play.table_id, play.version, play.wake_at) for play in rows]
    return sorted(due, key=lambda table: (table.due_at, table.table))


def claim_tasks(*, now: datetime) -> list[Due]:
    """The tasks of the tables that are due: one for each where a person's clock has run out or a hand is to be dealt,
    and those where a bot is to act several in one."""
    tables = claim_due(now=now)
    if not tables:
        return []
    to_act = Seat.objects.filter(number=F("table__play__to_act"), player__is_bot=True)
    bots = set(to_act.filter(table__in=[due.table for due in tables]).values_list("table", flat=True))
    tasks = [
        Due("games.tasks.wake_table", (due.table, due.version), due.due_at) for due in tables if due.table not in bots
    ]
    of_bots = [due for due in tables if due.table in bots]
    for start in range(0, len(of_bots), BOTS_AT_ONCE):
        some = of_bots[start : start + BOTS_AT_ONCE]
        arguments = ([[due.table, due.version] for due in some],)
        tasks.append(Due("games.tasks.wake_bots", arguments, some[0].due_at))
    return tasks
