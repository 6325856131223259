"""The database as somebody finds it who may switch its guards off: what the room itself could not do is done."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from tests.support.parts.cardroom import guards


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
