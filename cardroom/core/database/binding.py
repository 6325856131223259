"""Statements whose values go to PostgreSQL apart from their text.

Django writes values into the text of a statement before it is sent, where `pg_stat_activity` and the server's log show
them to people who may read no table. SQLite takes them apart always, and shows its statements to nobody.
"""

from contextlib import AbstractContextManager

from django.db import connection
from django.db.backends.utils import CursorWrapper


def cursor() -> AbstractContextManager[CursorWrapper]:
    """A cursor as `connection.cursor()` gives it, whose statements are sent with placeholders."""
    if connection.vendor != "postgresql":
        return connection.cursor()
    from django.db.backends.postgresql.base import ServerBindingCursor

    connection.ensure_connection()
    return connection._prepare_cursor(ServerBindingCursor(connection.connection))
