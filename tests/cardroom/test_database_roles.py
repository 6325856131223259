"""The room's role on PostgreSQL reads and writes rows, and can do nothing to the tables."""

import secrets
from contextlib import closing

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from psycopg import errors

from cardroom.core.database import roles
from tests.support.parts.cardroom import core_audit, ledger
from tests.support.refusals import refused
from tests.support.unguarded import need_superuser

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

FORBIDDEN = [
    "TRUNCATE ledger_entry",
    "TRUNCATE core_alarm",
    "ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_stays",
    "DROP TRIGGER ledger_entry_stays ON ledger_entry",
    "CREATE TRIGGER mine BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION cardroom_refuse('')",
    "CREATE OR REPLACE FUNCTION cardroom_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
    "ALTER TABLE ledger_entry ADD COLUMN more integer",
    "DROP TABLE ledger_entry CASCADE",
    "CREATE TABLE mine (id integer)",
    "SET session_replication_role = replica",
    "ALTER TABLE ledger_entry OWNER TO CURRENT_USER",
]


@pytest.fixture
def role():
    """The name of a role that does not exist; gone afterwards."""
    need_superuser()
    name = f"room_{secrets.token_hex(6)}"
    yield name
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
        if cursor.fetchone():
            cursor.execute(f"DROP OWNED BY {name}")
            cursor.execute(f"DROP ROLE {name}")


def connected_as(role: str) -> psycopg.Connection:
    known = connection.get_connection_params()
    keep = {name: known[name] for name in ("host", "port", "dbname") if known.get(name)}
    return psycopg.connect(**keep, user=role, password="seven-cards", autocommit=True)


def test_the_role_of_the_room_can_do_nothing_to_tables_and_triggers(role, wallets, now):
    roles.give_rights(connection, role, "seven-cards")
    with closing(connected_as(role)) as room:
        room.execute("GRANT TRUNCATE ON ledger_entry TO PUBLIC")  # a warning, and nothing is granted
        for statement in FORBIDDEN:
            refused(errors.InsufficientPrivilege, room.execute, statement)
        refused(errors.IntegrityError, "stays as it is", room.execute, "DELETE FROM ledger_entry")


def test_the_room_works_under_its_role_and_the_audit_notes_another(role, wallets, now):
    assert any("is a superuser, owns tables" in note for note in core_audit.run().notes)
    roles.give_rights(connection, role, "seven-cards")
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {role}")
    try:
        assert roles.beyond_rows(connection) == []
        legs = [(wallets[0], -5), (wallets[1], 5)]
        ledger.post(reference="gift:1", reason="gift", legs=legs, at=now)
        report = core_audit.run()
        assert (report.faults, [note for note in report.notes if "role" in note]) == ([], [])
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")


def test_migrate_works_as_the_owner_and_makes_the_role_of_the_room(role, settings):
    of_the_owner = connection.settings_dict
    settings.DATABASE_OWNER = {name: of_the_owner[name] for name in ("USER", "PASSWORD", "HOST", "PORT")}
    connection.close()
    connection.settings_dict = {**of_the_owner, "USER": role, "PASSWORD": "seven-cards"}
    try:
        call_command("migrate", verbosity=0)
        assert connection.settings_dict["USER"] == role
    finally:
        connection.close()
        connection.settings_dict = of_the_owner
    with closing(connected_as(role)) as room:
        assert room.execute("SELECT count(*) FROM django_migrations").fetchone()[0] > 0
        refused(errors.InsufficientPrivilege, room.execute, "TRUNCATE core_alarm")
