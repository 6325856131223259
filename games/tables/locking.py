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
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import Field
from django.db.models.expressions import Col

from cardroom.core.errors import NotFound
from games.tables import signals
from games.tables.models.tables import Seat, Table, TablePlay

R = TypeVar("R", Table, TablePlay)

#: Of every action. The row of the table itself is read with it, and written where one of its own terms changes.
_PLAY = [field for field in TablePlay._meta.concrete_fields if not field.primary_key]
#: What is done to many tables at once between their hands changes no more than this.
_IDLE = ("version", "wake_at", "claimed_until", "deal_at")
_STORE = f"UPDATE tables_play SET {', '.join(f'{field.column} = %s' for field in _PLAY)} WHERE table_id = %s"  # noqa: S608


def table(table_id: int) -> Table:
    """The table, locked until the transaction ends; `NotFound` where there is none."""
    rows = _lock_tables("play.table_id = %s", [table_id])
    if not rows:
        raise NotFound("no-such-table", "There is no such table.")
    return rows[0]


def tell(table: Table) -> None:
    """Signal after the commit that the table has changed."""
    signals.table_changed.after_commit(table_id=table.pk)
    if table.offer_id is not None:
        signals.game_changed.after_commit(table_id=table.pk)


def table_playing(hand_id: int) -> Table | None:
    """The table at which this hand is being played, locked; None once the hand is over, or never was."""
    return next(iter(_lock_tables("play.hand_id = %s", [hand_id])), None)


def tables(table_ids: Collection[int]) -> dict[int, Table]:
    """Several tables by id, locked in that order until the transaction ends; `NotFound` where one is not there."""
    if not table_ids:
        return {}
    tables_by_id = {row.pk: row for row in _lock_tables(*_among(table_ids))}
    absent = sorted(set(table_ids) - set(tables_by_id))
    if absent:
        raise NotFound("no-such-table", "There is no table {absent}.", absent=absent[0])
    return tables_by_id


def hold(table_ids: Iterable[int]) -> None:
    """Lock these tables in the order of their ids; ids without a table are ignored. The caller reads the rows anew."""
    ids = list(table_ids)
    if ids:
        _lock_tables(*_among(ids))


def of_table(table_id: int) -> None:
    """Lock the one table of an operation before it reads the time."""
    hold([table_id])


def write(table: Table, **fields: Any) -> None:
    """Write these columns of the row of a locked table itself; `store` writes where its play stands."""
    for name, value in fields.items():
        setattr(table, name, value)
    Table.objects.filter(pk=table.pk).update(**fields)


def store(table: Table, *, wake_at: datetime | None) -> None:
    """Write where the play stands, and when the table is due (None: nothing is due by itself). One statement."""
    table.version += 1
    table.play.wake_at, table.play.claimed_until = wake_at, None
    with connection.cursor() as cursor:
        values = [field.get_db_prep_save(getattr(table.play, field.attname), connection) for field in _PLAY]
        cursor.execute(_STORE, [*values, table.pk])
    # Viewers in this process need no query; noted before any signal goes out.
    transaction.on_commit(partial(note, table), robust=True)


def store_idle(tables: Sequence[Table]) -> None:
    """Write when tables are due (`wake_at`) and `deal_at` where no hand is played. One statement for any number of
    tables."""
    if not tables:
        return
    for table in tables:
        table.version += 1
        table.play.claimed_until = None
        transaction.on_commit(partial(note, table), robust=True)
    columns = [TablePlay._meta.get_field(name) for name in _IDLE]
    values = [
        value
        for table in tables
        for value in (
            table.pk,
            *(column.get_db_prep_save(getattr(table.play, column.attname), connection) for column in columns),
        )
    ]
    with connection.cursor() as cursor:
        cursor.execute(_store_idle(len(tables)), values)


def _store_idle(count: int) -> str:
    row = f"({', '.join(['%s'] * (1 + len(_IDLE)))})"
    # A column of nothing but NULL has no type of its own; SQLite has none for moments.
    moment = "CAST(changed.{0} AS timestamptz)" if connection.vendor == "postgresql" else "changed.{0}"
    settings = ", ".join(
        f"{name} = {moment.format(name) if name != 'version' else f'changed.{name}'}" for name in _IDLE
    )
    return (
        f"WITH changed (id, {', '.join(_IDLE)}) AS (VALUES {', '.join([row] * count)}) "  # noqa: S608
        f"UPDATE tables_play SET {settings} FROM changed WHERE tables_play.table_id = changed.id"
    )


def _among(table_ids: Iterable[int]) -> tuple[str, list[int]]:
    ids = list(table_ids)
    return f"play.table_id IN ({', '.join(['%s'] * len(ids))})", ids


def _lock_tables(condition: str, values: Sequence[int]) -> list[Table]:
    """The tables of which this is so, with their play, in the order of their ids."""
    # The transaction holds the locks; SQLite locks the whole database when the transaction begins. PostgreSQL reads
    # both rows anew once it has them. The table's own row comes first: it is what other statements write before they
    # ask for a lock, and two orders could wait for each other.
    _check_transaction()
    lock = "FOR NO KEY UPDATE OF own, play" if connection.features.has_select_for_update else ""
    statement = (
        f"SELECT {_columns('own', _OWN)}, {_columns('play', _OF_PLAY)} FROM tables_table AS own"  # noqa: S608
        f" JOIN tables_play AS play ON play.table_id = own.id WHERE {condition} ORDER BY own.id {lock}"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [_table_of(row) for row in cursor.fetchall()]


_OWN = list(Table._meta.concrete_fields)
_OF_PLAY = list(TablePlay._meta.concrete_fields)


def _columns(alias: str, fields: Sequence[Field[Any, Any]]) -> str:
    return ", ".join(f"{alias}.{field.column}" for field in fields)


def _table_of(row: Sequence[Any]) -> Table:
    """A table and its play as `_lock_tables` reads them."""
    values = list(row)
    for place, expression, converters in _converters(connection.vendor):
        for converter in converters:
            values[place] = converter(values[place], expression, connection)
    table = Table.from_db(connection.alias, [field.attname for field in _OWN], values[: len(_OWN)])
    play = TablePlay.from_db(connection.alias, [field.attname for field in _OF_PLAY], values[len(_OWN) :])
    play.table = table
    return table


@cache
def _converters(vendor: str) -> list[tuple[int, Col, list[Any]]]:
    """Columns that the database hands over otherwise than Python has them: their place, and what converts them."""
    converted = []
    for place, field in enumerate([*_OWN, *_OF_PLAY]):
        expression = field.get_col(field.model._meta.db_table)
        converters = connection.ops.get_db_converters(expression) + expression.get_db_converters(connection)
        if converters:
            converted.append((place, expression, converters))
    return converted


def _check_transaction() -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("a table is locked within a transaction")


#: The most positions of tables that a process keeps in memory.
MOST_NOTED = 4096


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
    *("id", "play__version", "event", Table.EXTRA_TIME, "has_spectators", "play__hand_id", "play__seq"),
    *("play__to_act", "play__turn_at", "act_seconds", "play__extra_ms", "play__deadline"),
)
_OVER = ("play__last_hand_id", "play__last_hand__seq", "play__last_hand__ended_at")


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


#: By table: its row as it was last committed, and its position then; None where that takes a query.
_noted: OrderedDict[int, tuple[Table, Position | None]] = OrderedDict()
_lock = threading.Lock()


def note(table: Table) -> None:
    """Keeps the row of a table that this process has just committed, and its position."""
    with _lock:
        known, _ = _noted.get(table.pk, (None, None))
        if known is None or known.version < table.version:
            _noted[table.pk] = table, _as_stored(table)
        _noted.move_to_end(table.pk)
        while len(_noted) > MOST_NOTED:
            _noted.popitem(last=False)


def noted(table: int) -> Position | None:
    """The last position this process knows, if any; other processes may have changed the table since."""
    return _noted.get(table, (None, None))[1]


def noted_row(table: int) -> Table | None:
    """The row of a table as this process last committed it, if it did; others may have changed it since. For a caller
    that has taken the hand being played there (`journal.take`)."""
    row = _noted.get(table, (None, None))[0]
    return None if row is None else _copy(row)


def _copy(table: Table) -> Table:
    """A copy to change: others still read the row that was committed."""
    row, play = _shallow(table), _shallow(table.play)
    play.clocks = dict(play.clocks)
    play.table = row
    return row


def _shallow(row: R) -> R:
    """A row with the same values, at a tenth of what `copy.copy` takes: on the way of every action."""
    twin = row.__class__.__new__(row.__class__)
    twin.__dict__.update(row.__dict__)
    twin._state = copy(row._state)
    twin._state.fields_cache = row._state.fields_cache.copy()
    return twin


def drop_row(table: int) -> None:
    """Forget the row that this process keeps of a table: others have moved it on, or may have."""
    with _lock:
        _noted.pop(table, None)


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
