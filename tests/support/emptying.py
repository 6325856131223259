"""How the database is emptied after a test that committed: what it wrote is deleted, and what `migrate` made stays.

Django truncates a hundred tables and makes roles and permissions again, which takes longer than most of these tests.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.test import TransactionTestCase

from tests.support.parts.cardroom import access, guards

_STAYS = {
    "django_migrations", "django_content_type", "auth_permission", "auth_group", "auth_group_permissions",
}  # fmt: skip


def only_what_was_written(case: TransactionTestCase) -> None:
    """In place of `TransactionTestCase._fixture_teardown`."""
    with connection.cursor() as cursor:
        written = _tables_with_rows(cursor)
        with _unguarded(cursor, written):
            for name in written:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(name)}")
    if guards.missing(connection):  # a test may lift them
        guards.install(connection)
    access.ensure_roles()


def _tables_with_rows(cursor: Any) -> list[str]:
    """The tables that have rows. One statement."""
    names = set(connection.introspection.django_table_names(only_existing=True, include_views=False)) - _STAYS
    quote = connection.ops.quote_name
    rows = (f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {quote(name)})" for name in sorted(names))
    cursor.execute(" UNION ALL ".join(rows))
    return [name for (name,) in cursor.fetchall()]


@contextmanager
def _unguarded(cursor: Any, tables: list[str]) -> Iterator[None]:
    """In here, and in one transaction, what may never be deleted can be."""
    if connection.vendor == "sqlite":
        guards.lift(connection)
        with transaction.atomic():
            yield
        return
    with transaction.atomic():
        cursor.execute("SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal")
        guarded = [name for (name,) in cursor.fetchall() if name in tables]
        for name in guarded:
            cursor.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER")
        yield
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # with checks to come a table cannot be altered
        for name in guarded:
            cursor.execute(f"ALTER TABLE {name} ENABLE TRIGGER USER")
