"""One lock per table, and the one way to write its row.

Whatever happens at a table happens with its row locked, and no service locks two tables. Accounts are locked after it,
by the ledger.
"""

from datetime import datetime
from functools import partial

from django.db import transaction

from cardroom.services import alarms
from cardroom.services.errors import NotFound
from games import watching
from games.models import Table

ALARM = "table"

_LIVE = [
    "state",
    "version",
    "hand",
    "last_hand",
    "hand_count",
    "dealer",
    "people_waiting",
    "wake_at",
    "deal_at",
    "seq",
    "street",
    "to_act",
    "turn_at",
    "deadline",
    "clocks",
]


def table(table_id: int) -> Table:
    """The table, locked until the transaction ends; `NotFound` where there is none."""
    found = _locked().filter(pk=table_id).first()
    if found is None:
        raise NotFound("There is no such table.", "no-such-table")
    return found


def table_playing(hand_id: int) -> Table | None:
    """The table at which this hand is being played, locked; None once the hand is over, or never was."""
    return _locked().filter(hand_id=hand_id).first()


def store(table: Table, *, wake_at: datetime | None) -> None:
    """Write the table's row and set its one alarm to `wake_at` (None: nothing is due by itself). Two statements."""
    table.version += 1
    table.wake_at = wake_at
    table.save(update_fields=_LIVE)
    if wake_at is None:
        alarms.cancel(kind=ALARM, key=str(table.pk))
    else:
        alarms.set(kind=ALARM, key=str(table.pk), due_at=wake_at, fence=table.version)
    transaction.on_commit(partial(watching.note, table), robust=True)  # before any signal: see `signals.after_commit`


def _locked():
    # On PostgreSQL the row is read anew once the lock is had; that is why all that moves during a hand is in this row.
    return Table.objects.select_for_update(no_key=True, of=("self",)).order_by()
