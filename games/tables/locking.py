"""One lock per table, and the one way to write its row.

Whatever happens at a table happens with its row locked. Only what is done to the tables of an event together locks more
than one, in the order of their ids and within the event's own lock. Accounts are locked after it, by the ledger.

Every action at every table passes here, so these two statements are plain SQL: the ORM would take longer to put them
together than the database to carry them out.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import connection, transaction

from cardroom.core import alarms
from cardroom.core.errors import NotFound
from games.tables import watching
from games.tables.models.tables import Table

ALARM = alarms.register("table", "games.tasks.wake_table")

_LIVE = [
    Table._meta.get_field(name)
    for name in (
        *(
            "state",
            "version",
            "hand",
            "last_hand",
            "hand_count",
            "dealer",
            "is_redeal",
            "people_waiting",
            "players_left",
        ),
        *("wake_at", "deal_at", "seq", "street", "to_act", "turn_at", "extra_ms", "deadline", "clocks"),
    )
]
#: What is done to many tables at once between their hands changes no more than this.
_IDLE = ("state", "version", "wake_at", "deal_at")
_STORE = f"UPDATE tables_table SET {', '.join(f'{field.column} = %s' for field in _LIVE)} WHERE id = %s"  # noqa: S608


def table(table_id: int) -> Table:
    """The table, locked until the transaction ends; `NotFound` where there is none."""
    found = _locked("id", table_id)
    if found is None:
        raise NotFound("There is no such table.", "no-such-table")
    return found


def table_playing(hand_id: int) -> Table | None:
    """The table at which this hand is being played, locked; None once the hand is over, or never was."""
    return _locked("hand_id", hand_id)


def tables(table_ids: Collection[int]) -> dict[int, Table]:
    """Several tables by id, locked in that order until the transaction ends; `NotFound` where one is not there."""
    _check_transaction()
    if not table_ids:
        return {}
    rows = Table.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=table_ids).order_by("pk")
    found = {row.pk: row for row in rows}
    absent = sorted(set(table_ids) - set(found))
    if absent:
        raise NotFound(f"There is no table {absent[0]}.", "no-such-table")
    return found


def hold(table_ids: Iterable[int]) -> None:
    """Lock these tables, in the order of their ids, as far as they are there; what is done to them reads them anew."""
    rows = Table.objects.select_for_update(no_key=True).filter(pk__in=list(table_ids)).order_by("pk")
    list(rows.values_list("pk"))


def of_table(table_id: int, **about: Any) -> None:
    """What an operation `about` one table locks before it reads the time."""
    hold([table_id])


def store(table: Table, *, wake_at: datetime | None) -> None:
    """Write the table's row and set its one alarm to `wake_at` (None: nothing is due by itself). Two statements."""
    table.version += 1
    table.wake_at = wake_at
    with connection.cursor() as cursor:
        values = [field.get_db_prep_save(getattr(table, field.attname), connection) for field in _LIVE]
        cursor.execute(_STORE, [*values, table.pk])
    if wake_at is None:
        alarms.cancel(kind=ALARM, key=str(table.pk))
    else:
        alarms.set(kind=ALARM, key=str(table.pk), due_at=wake_at, fence=table.version)
    # Those who watch in this process need not ask the database; noted before any signal goes out.
    transaction.on_commit(partial(watching.note, table), robust=True)


def store_idle(tables: Sequence[Table]) -> None:
    """Write the state, the alarm (`wake_at`) and `deal_at` of tables where no hand is played. Three statements in all,
    however many they are."""
    if not tables:
        return
    for table in tables:
        table.version += 1
        transaction.on_commit(partial(watching.note, table), robust=True)
    columns = [Table._meta.get_field(name) for name in _IDLE]
    values = [
        value
        for table in tables
        for value in (table.pk, *(one.get_db_prep_save(getattr(table, one.attname), connection) for one in columns))
    ]
    with connection.cursor() as cursor:
        cursor.execute(_store_idle(len(tables)), values)
    due = [(str(table.pk), table.wake_at, table.version) for table in tables if table.wake_at is not None]
    alarms.set_many(kind=ALARM, alarms=due)
    alarms.cancel_many(kind=ALARM, keys=[str(table.pk) for table in tables if table.wake_at is None])


def _store_idle(many: int) -> str:
    row = f"({', '.join(['%s'] * (1 + len(_IDLE)))})"
    # A column of nothing but NULL has no type of its own; SQLite has none for moments.
    moment = "CAST(told.{0} AS timestamptz)" if connection.vendor == "postgresql" else "told.{0}"
    settings = ", ".join(
        f"{name} = {moment.format(name) if name.endswith('_at') else f'told.{name}'}" for name in _IDLE
    )
    return (
        f"WITH told (id, {', '.join(_IDLE)}) AS (VALUES {', '.join([row] * many)}) "  # noqa: S608
        f"UPDATE tables_table SET {settings} FROM told WHERE tables_table.id = told.id"
    )


def _locked(column: str, value: int) -> Table | None:
    # A transaction is what holds a lock; SQLite has taken it for the whole database when the transaction began. On
    # PostgreSQL the row is read anew once the lock is had: that is why all that moves in a hand is in this one row.
    _check_transaction()
    lock = "FOR NO KEY UPDATE" if connection.features.has_select_for_update else ""
    found = Table.objects.raw(f"SELECT * FROM tables_table WHERE {column} = %s {lock}", [value])  # noqa: S608
    return next(iter(found), None)


def _check_transaction() -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("a table is locked within a transaction")
