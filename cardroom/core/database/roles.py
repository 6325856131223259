"""Two roles on PostgreSQL: the owner of the tables migrates, the room reads and writes rows and can do nothing else.

The room's role owns nothing. So it can neither empty a table nor alter or drop one, switch a trigger off, or set
`session_replication_role`: the guards hold whatever is done through the room. `manage.py migrate` connects by
`DATABASE_OWNER_URL` where that is set, makes the role of `DATABASE_URL` if there is none, and gives it its rights.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from cardroom.core import audit
from cardroom.core.audit import Note

_RIGHTS = "SELECT, INSERT, UPDATE, DELETE"
#: What the present role may do beyond rows, as one row of yes and no.
_BEYOND = """
    SELECT
        (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
        count(*) FILTER (WHERE pg_has_role(class.relowner, 'MEMBER')) > 0,
        count(*) FILTER (WHERE has_table_privilege(class.oid, 'TRUNCATE')) > 0,
        count(*) FILTER (WHERE has_table_privilege(class.oid, 'TRIGGER')) > 0
    FROM pg_class AS class WHERE class.relkind IN ('r', 'p') AND class.relnamespace = current_schema()::regnamespace
"""
_WORDS = ("is a superuser", "owns tables", "may empty tables", "may put triggers on tables")


@contextmanager
def owning(alias: str) -> Iterator[str]:
    """In here this thread is connected as the owner, if the settings name one; yields the name of the room's role,
    empty where there is none of its own."""
    own = connections[alias]
    owner = settings.DATABASE_OWNER
    if not owner or own.vendor != "postgresql" or alias != "default":
        yield ""
        return
    of_the_room = own.settings_dict
    room = str(of_the_room["USER"])
    own.close()
    without_pool = {name: value for name, value in of_the_room["OPTIONS"].items() if name != "pool"}
    own.settings_dict = {**of_the_room, **owner, "OPTIONS": without_pool}
    try:
        yield room if room != own.settings_dict["USER"] else ""
    finally:
        own.close()
        own.settings_dict = of_the_room


def give_rights(own: BaseDatabaseWrapper, room: str, password: str) -> None:
    """Let the role `room` read and write rows of every table there is and will be, and nothing else; a role that is not
    there is made. For the owner."""
    role, quote = own.ops.quote_name(room), own.ops.quote_name
    with own.cursor() as cursor:
        cursor.execute("SELECT current_database(), current_schema()")
        database, schema = cursor.fetchone()
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [room])
        if cursor.fetchone() is None:
            cursor.execute(f"CREATE ROLE {role} LOGIN PASSWORD %s", [password])
        for statement in (
            f"GRANT CONNECT ON DATABASE {quote(database)} TO {role}",
            f"GRANT USAGE ON SCHEMA {quote(schema)} TO {role}",
            f"REVOKE CREATE ON SCHEMA {quote(schema)} FROM PUBLIC",
            f"REVOKE ALL ON ALL TABLES IN SCHEMA {quote(schema)} FROM {role}",
            f"GRANT {_RIGHTS} ON ALL TABLES IN SCHEMA {quote(schema)} TO {role}",
            f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {quote(schema)} TO {role}",
        ):
            cursor.execute(statement)


def beyond_rows(own: BaseDatabaseWrapper) -> list[str]:
    """What this connection's role may do beside reading and writing rows, in words. One query."""
    if own.vendor != "postgresql":
        return []
    with own.cursor() as cursor:
        cursor.execute(_BEYOND)
        return [words for words, is_so in zip(_WORDS, cursor.fetchone(), strict=True) if is_so]


def _notes() -> Iterator[Note]:
    if rights := beyond_rows(connection):
        yield Note(
            f"the role of the room {', '.join(rights)}: a process with it can switch the guards off; "
            "give it a role of its own (DATABASE_OWNER_URL)"
        )


audit.register("the room's role", _notes)
