"""One command in mid-hand, written in one statement without a lock.

The row of `tables_play` moves from the version that the command was played on to the next one, and the facts are
written where it did. Had anybody else moved the table since, nothing is written. On SQLite a transaction does the same,
which locks the whole database.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection, transaction

from cardroom.core.database import kept
from games.tables import journal
from games.tables.models.tables import Table, TablePlay

_COLUMNS = [TablePlay._meta.get_field(name) for name in (
    "seq", "street", "to_act", "turn_at", "extra_ms", "deadline", "wake_at", "clocks"
)]  # fmt: skip
_MOVE = (
    f"UPDATE tables_play SET version = version + 1, claimed_until = NULL,"  # noqa: S608, names of our own
    f" {', '.join(f'{column.column} = %s' for column in _COLUMNS)}"
    " WHERE table_id = %s AND version = %s AND hand_id = %s"
)


def write(table: Table, rows: Sequence[tuple[Any, ...]]) -> bool:
    """Write where the play at a table has come to, and the `rows` of the facts that led there (`EventStore.rows_of`);
    False, with nothing written, where the table has moved on since `table.version`.

    Committed by itself. After an error it is not known whether it was written.
    """
    values = [column.get_db_prep_save(getattr(table.play, column.attname), connection) for column in _COLUMNS]
    values += [table.pk, table.version, table.hand_id]
    is_written = _in_one(values, rows) if connection.vendor == "postgresql" else _in_two(values, rows)
    if is_written:
        table.version += 1
    return is_written


def _in_one(values: list[Any], rows: Sequence[tuple[Any, ...]]) -> bool:
    by_column = [list(column) for column in zip(*rows, strict=True)]
    return kept.execute(_statement(), [*values, *by_column]) > 0


def _statement() -> str:
    return f"WITH moved AS ({_MOVE} RETURNING 1) {journal.store.insertion_from_arrays}, moved"


def _in_two(values: list[Any], rows: Sequence[tuple[Any, ...]]) -> bool:
    with transaction.atomic():
        if not kept.execute(_MOVE, values):
            return False
        kept.execute(*journal.store.insertion(rows))
    return True
