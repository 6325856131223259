"""The database as somebody finds it who may switch its guards off: what the room itself could not do is done."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from tests.support import services
from tests.support.parts.cardroom import guards


def need_superuser() -> None:
    """For what only a superuser of PostgreSQL does: switch guards off, make roles. Without one the test skips, with
    `CI=true` it fails."""
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone()[0]:
            return
    wanting = "the role of DATABASE_URL is no superuser of PostgreSQL, who alone switches guards off and makes roles"
    (pytest.fail if services.is_ci() else pytest.skip)(wanting)


@contextmanager
def unguarded() -> Iterator[None]:
    """In here rows are changed, deleted and forged as the database's owner can; its guards stand again afterwards."""
    if connection.vendor == "sqlite":
        guards.lift(connection)
        try:
            yield
        finally:
            guards.install(connection)
        return
    need_superuser()
    connection.check_constraints()  # those that are still to come are not forgotten
    _set("replica")
    try:
        yield
    finally:
        if not connection.needs_rollback:  # which takes the setting back as well
            _set("origin")


def _set(role: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET session_replication_role = {role}")
