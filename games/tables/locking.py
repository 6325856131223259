"""One lock per table, the one way to write its row, and where each table stands.

Whatever happens at a table happens with its row locked. Only what is done to the tables of an event together locks more
than one, in the order of their ids and within the event's own lock. Accounts are locked after it, by the ledger.

Every action at every table passes here, so these two statements are plain SQL: the ORM would take longer to put them
together than the database to carry them out.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import connection, transaction

from cardroom.core import alarms
from cardroom.core.errors import NotFound
from games.tables import signals
from games.tables.models.tables import Seat, Table

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
#: The columns that may change at many tables at once, between their hands.
_IDLE = ("state", "version", "wake_at", "deal_at")
_STORE = f"UPDATE tables_table SET {', '.join(f'{field.column} = %s' for field in _LIVE)} WHERE id = %s"  # noqa: S608


def table(table_id: int) -> Table:
    """The table, locked until the transaction ends; `NotFound` where there is none."""
    row = _locked("id", table_id)
    if row is None:
        raise NotFound("no-such-table", "There is no such table.")
    return row


def tell(table: Table) -> None:
    """Signal after the commit that the table has changed."""
    signals.table_changed.after_commit(table_id=table.pk)
    if table.offer_id is not None:
        signals.game_changed.after_commit(table_id=table.pk)


def table_playing(hand_id: int) -> Table | None:
    """The table at which this hand is being played, locked; None once the hand is over, or never was."""
    return _locked("hand_id", hand_id)


def tables(table_ids: Collection[int]) -> dict[int, Table]:
    """Several tables by id, locked in that order until the transaction ends; `NotFound` where one is not there."""
    _check_transaction()
    if not table_ids:
        return {}
    rows = Table.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=table_ids).order_by("pk")
    tables_by_id = {row.pk: row for row in rows}
    absent = sorted(set(table_ids) - set(tables_by_id))
    if absent:
        raise NotFound("no-such-table", "There is no table {absent}.", absent=absent[0])
    return tables_by_id


def hold(table_ids: Iterable[int]) -> None:
    """Lock these tables in the order of their ids; ids without a table are ignored. The caller reads the rows anew."""
    rows = Table.objects.select_for_update(no_key=True).filter(pk__in=list(table_ids)).order_by("pk")
    list(rows.values_list("pk"))


def of_table(table_id: int, **about: Any) -> None:
    """Lock the one table of an operation before it reads the time."""
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
    # Viewers in this process need no query; noted before any signal goes out.
    transaction.on_commit(partial(note, table), robust=True)


def store_idle(tables: Sequence[Table]) -> None:
    """Write the state, the alarm (`wake_at`) and `deal_at` of tables where no hand is played. Three statements for any
    number of tables."""
    if not tables:
        return
    for table in tables:
        table.version += 1
        transaction.on_commit(partial(note, table), robust=True)
    columns = [Table._meta.get_field(name) for name in _IDLE]
    values = [
        value
        for table in tables
        for value in (
            table.pk,
            *(column.get_db_prep_save(getattr(table, column.attname), connection) for column in columns),
        )
    ]
    with connection.cursor() as cursor:
        cursor.execute(_store_idle(len(tables)), values)
    due = [(str(table.pk), table.wake_at, table.version) for table in tables if table.wake_at is not None]
    alarms.set_many(kind=ALARM, alarms=due)
    alarms.cancel_many(kind=ALARM, keys=[str(table.pk) for table in tables if table.wake_at is None])


def _store_idle(count: int) -> str:
    row = f"({', '.join(['%s'] * (1 + len(_IDLE)))})"
    # A column of nothing but NULL has no type of its own; SQLite has none for moments.
    moment = "CAST(changed.{0} AS timestamptz)" if connection.vendor == "postgresql" else "changed.{0}"
    settings = ", ".join(
        f"{name} = {moment.format(name) if name.endswith('_at') else f'changed.{name}'}" for name in _IDLE
    )
    return (
        f"WITH changed (id, {', '.join(_IDLE)}) AS (VALUES {', '.join([row] * count)}) "  # noqa: S608
        f"UPDATE tables_table SET {settings} FROM changed WHERE tables_table.id = changed.id"
    )


def _locked(column: str, value: int) -> Table | None:
    # The transaction holds the lock; SQLite locks the whole database when the transaction begins. PostgreSQL reads the
    # row anew once it has the lock: that is why all that changes during a hand is in this one row.
    _check_transaction()
    lock = "FOR NO KEY UPDATE" if connection.features.has_select_for_update else ""
    rows = Table.objects.raw(f"SELECT * FROM tables_table WHERE {column} = %s {lock}", [value])  # noqa: S608
    return next(iter(rows), None)


def _check_transaction() -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("a table is locked within a transaction")


#: The most positions of tables that a process keeps in memory.
MOST_NOTED = 1024


@dataclass(frozen=True, slots=True)
class Clock:
    """``seat`` is to act until ``deadline``, from ``bank_from`` on out of their time bank; ``extra_ms`` before that are
    extra time for a player who lost the connection."""

    seat: int
    bank_from: datetime
    deadline: datetime
    extra_ms: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """How far a table has got. ``version`` grows with every change, so of two positions the greater is the newer.

    ``hand`` is the hand being played, else the last one (0: none yet), and ``seq`` its last fact so far.
    ``is_of_event``: its seats are drawn for an event; ``minds_presence``: it needs to know which players lost the
    connection; ``has_no_rail``: it has no spectators.
    """

    table: int
    version: int
    hand: int
    seq: int
    ended_at: datetime | None
    clock: Clock | None
    is_of_event: bool = False
    minds_presence: bool = False
    has_no_rail: bool = False


_PLAYED = (
    *("id", "version", "event", Table.EXTRA_TIME, "has_spectators", "hand_id", "seq"),
    *("to_act", "turn_at", "act_seconds", "extra_ms", "deadline"),
)
_OVER = ("last_hand_id", "last_hand__seq", "last_hand__ended_at")


def positions(tables: Collection[int]) -> dict[int, Position]:
    """The positions of these tables by id; tables that do not exist are left out. One query."""
    rows = Table.objects.filter(pk__in=tables).order_by().values_list(*_PLAYED, *_OVER)
    return {row[0]: _position(*row) for row in rows}


def position(table: int) -> Position | None:
    """The position of a table, None if there is no such table. One query."""
    return positions([table]).get(table)


def lost(tables: Collection[int]) -> list[tuple[int, int]]:
    """(table, player) of the seats at these tables whose players lost the connection. One query."""
    return list(Seat.objects.filter(table__in=tables, gone_at__isnull=False).order_by().values_list("table", "player"))


def _position(
    table: int, version: int, event: str, extra: list[int], has_spectators: bool, hand: int | None, seq: int, *rest: Any
) -> Position:
    *turn, last_hand, last_seq, ended_at = rest
    kind = (bool(event), bool(event or extra), not has_spectators)
    if hand is None:
        return Position(table, version, last_hand or 0, last_seq or 0, ended_at, None, *kind)
    return Position(table, version, hand, seq, None, _clock(*turn), *kind)


def _clock(
    seat: int, turn_at: datetime | None, act_seconds: int, extra_ms: int, deadline: datetime | None
) -> Clock | None:
    if not seat or turn_at is None or deadline is None:
        return None
    bank_from = turn_at + timedelta(seconds=act_seconds, milliseconds=extra_ms)
    return Clock(seat, min(bank_from, deadline), deadline, extra_ms)


#: By table: its version, and its position then; None where that takes a query.
_noted: OrderedDict[int, tuple[int, Position | None]] = OrderedDict()
_lock = threading.Lock()


def note(table: Table) -> None:
    """Keeps the position of a table that this process has just committed."""
    with _lock:
        known, _ = _noted.get(table.pk, (-1, None))
        if known < table.version:
            _noted[table.pk] = table.version, _as_stored(table)
        _noted.move_to_end(table.pk)
        while len(_noted) > MOST_NOTED:
            _noted.popitem(last=False)


def noted(table: int) -> Position | None:
    """The last position this process knows, if any; other processes may have changed the table since."""
    return _noted.get(table, (0, None))[1]


def forget() -> None:
    """Clears the cache of table positions. For tests."""
    with _lock:
        _noted.clear()


def _as_stored(table: Table) -> Position | None:
    if table.hand_id is None:
        return None
    clock = _clock(table.to_act, table.turn_at, table.act_seconds, table.extra_ms, table.deadline)
    kind = (bool(table.event), table.minds_presence, not table.has_spectators)
    return Position(table.pk, table.version, table.hand_id, table.seq, None, clock, *kind)
