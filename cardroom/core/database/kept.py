"""One statement that is sent all the time, on a connection that its thread keeps for it.

Borrowing a connection of a pool and giving it back, a transaction around the statement, and its text put together anew
cost more than such a statement itself. So threads that say so (`keep`) have a connection of their own on PostgreSQL,
outside Django's, on which the statement is prepared once and commits by itself. Everywhere else, in tests, tasks, on
SQLite and within a transaction, it goes over Django's connection.
"""

import threading
from collections.abc import Sequence
from typing import Any
from weakref import WeakSet

from django.db import OperationalError, connection

from cardroom.core.database import binding

_thread = threading.local()
#: Of all threads.
_open_connections: WeakSet[Any] = WeakSet()


def keep() -> None:
    """From now on this thread keeps a connection. For threads that carry out actions of people, when they begin."""
    _thread.keeps = True


def execute(statement: str, values: Sequence[Any]) -> int:
    """Execute one statement, its values sent apart from its text, and commit it unless a transaction is open; returns
    how many rows it wrote.

    `OperationalError` where the connection is lost: whether the statement was carried out is not known then.
    """
    if not getattr(_thread, "keeps", False) or connection.vendor != "postgresql" or connection.in_atomic_block:
        with binding.cursor() as cursor:
            cursor.execute(statement, values)
            return int(cursor.rowcount)
    return _execute_on_own(statement, values)


def close() -> None:
    """Close the connection that this thread keeps, if it has one; the next statement opens another."""
    own = getattr(_thread, "connection", None)
    _thread.connection = None
    if own is not None:
        own.close()


def close_all() -> None:
    """Close the connections of all threads, before the database itself goes; the next statement opens another. For
    tests."""
    for own in list(_open_connections):
        own.close()


def _execute_on_own(statement: str, values: Sequence[Any]) -> int:
    import psycopg

    try:
        own = getattr(_thread, "connection", None) or _open_connection()
        return int(own.execute(statement, values, prepare=True).rowcount)
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        close()
        raise OperationalError(*error.args) from error


def _open_connection() -> Any:
    import psycopg

    parameters = connection.get_connection_params()
    parameters |= {"autocommit": True, "cursor_factory": psycopg.Cursor, "prepare_threshold": 0}
    own = psycopg.connect(**parameters)
    try:
        connection._configure_connection(own)  # the role and the time zone that Django's connections have
    except BaseException:
        own.close()
        raise
    _open_connections.add(own)
    _thread.connection = own
    return own
