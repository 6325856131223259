"""Ten years of a cash room, written straight into PostgreSQL: millions of entries that are what the room would have
posted, for what statements and reports cost among them.

Everything follows from the number of an evening at a table (`s`, four a day) and of a seat there (`k`), so each table
is one INSERT ... SELECT. Keys and indexes are lifted for the load and put back, and so are the guards of the ledger, in
the same transaction: it is committed only once the ledger's own audit finds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from django.db import connection, models, transaction

from cardroom.cage.models import Drawer, DrawerSession, Slip
from cardroom.core import access
from cardroom.core import audit as core_audit
from cardroom.core.database import guards
from cardroom.core.errors import Conflict
from cardroom.core.models import User
from cardroom.ledger import ledger
from cardroom.ledger.models import Account, Entry, Transfer
from games.benches import years_sql
from games.rake.models import HandDrop
from games.tables.models.offers import DropSchedule, Offer, Section
from games.tables.models.tables import Hand, SeatMove, Table
from games.tables.models.times import CompAccrual, HandResult, Stay, TimeCharge

#: What is written in bulk; the rest is a few rows each.
_BULK = (Transfer, Entry, Account, Hand, HandDrop, HandResult, SeatMove, Stay, TimeCharge, CompAccrual, Slip)
LEDGER_CHECKS = ("transfers balance", "balances equal entries", "nobody owes", "guards in place")

Tell = Callable[[str], Any]


def write(*, entries: int, tell: Tell = str) -> dict[str, int]:
    """At least so many entries, up to yesterday; how many rows of what there are then.

    Refuses (`Conflict`): a database that is not PostgreSQL, or in which there is anything of a room already; and, with
    nothing written, should the ledger's audit find a fault.
    """
    if connection.vendor != "postgresql":
        raise Conflict("Years of play are written into PostgreSQL alone: set DATABASE_URL.", "not-postgresql")
    if User.objects.exists() or Table.objects.exists() or Transfer.objects.exists():
        raise Conflict("There is a room in this database: years of play go into an empty one.", "not-empty")
    days = max(2, ceil((entries - years_sql.OPENING_ENTRIES) / years_sql.ENTRIES_A_DAY))
    first_day = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days)
    with transaction.atomic():
        names = _few(first_day)
        with _lifted(tell):
            _many(years_sql.statements(days=days, first_day=first_day, **names), tell)
        tell("audit of the ledger")
        if faults := core_audit.run(only=LEDGER_CHECKS).faults:
            raise Conflict(f"The ledger would not be right: {faults[0]}", "off-balance")
    tell("vacuum and analyze")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
    return {model._meta.model_name or "": model.objects.count() for model in (*_BULK, User)} | {"days": days}


def _few(first_day: datetime) -> dict[str, Any]:
    """People, games, tables and the accounts that stay; their numbers for the statements."""
    access.ensure_roles()
    staff = _people([f"staff{number:02}" for number in range(1, years_sql.STAFF + 1)])
    for role, user in zip(("manager", "cashier", "auditor", "floor"), staff, strict=False):
        access.grant_role(user=user, role=role, by=None)
    players = _people([f"player{number:04}" for number in range(years_sql.PLAYERS)])
    tables = _tables(staff[0], first_day)
    drawer = Drawer.objects.create(name="Cage 1", made_at=first_day)
    house, money = Account.Kind.HOUSE, "money"
    named = {
        "chips": ledger.open_account(kind=house, label="chips"),
        "comps": ledger.open_account(kind=house, label="comps", unit="comp"),
        "street": ledger.open_account(kind=house, label="street", unit=money),
        "drawer": ledger.open_account(kind=Account.Kind.DRAWER, label=f"drawer:{drawer.pk}", unit=money),
    }
    per_table = {
        what: _in_a_row([Account(kind=house, label=f"{what}:table:{table.pk}") for table in tables])
        for what in ("rake", "promo", "time")
    }
    wallets = {
        unit: _in_a_row([Account(kind=Account.Kind.WALLET, owner=player, unit=unit) for player in players])
        for unit in ("cash", "comp")
    }
    session = DrawerSession.objects.create(drawer=drawer, cashier=staff[1], opened_at=first_day)
    return {
        "player": players[0].pk,
        "staff": staff[0].pk,
        "table": tables[0].pk,
        "session": session.pk,
        "stack": Account.objects.latest("pk").pk + 1,
        **{name: account.pk for name, account in named.items()},
        **per_table,
        "wallet": wallets["cash"],
        "comp_wallet": wallets["comp"],
    }


def _people(names: list[str]) -> list[User]:
    return User.objects.bulk_create(User(username=name, password="!") for name in names)  # noqa: S106, it is none


def _in_a_row(accounts: list[Account]) -> int:
    """The id of the first of these new accounts, whose ids follow each other."""
    return Account.objects.bulk_create(accounts)[0].pk


def _tables(manager: User, first_day: datetime) -> list[Table]:
    """Two games, one raked and one for time, and their tables in turns."""
    made = {"made_at": first_day, "made_by": manager}
    rake = DropSchedule.objects.create(name="Rake", caps=[[2, 3]], promo=1, **made)
    time = DropSchedule.objects.create(name="Time", kind="time", time_charges=[[2, 6]], **made)
    stakes = {"ante": 2, "bring_in": 5, "small_bet": 15, "big_bet": 30, "min_buy_in": 300, "max_buy_in": 20_000}
    sections = [Section.objects.create(name=f"Section {number}", place=number) for number in range(4)]
    offers = [
        Offer.objects.create(name=name, drop=drop, made_at=first_day, comp_per_hour=10, **stakes)
        for name, drop in (("Stud 15/30", rake), ("Stud 15/30, time", time))
    ]
    tables = [
        Table(
            name=f"Table {number + 1}",
            offer=offers[number % 2],
            drop=offers[number % 2].drop,
            section=sections[number % 4],
            opened_at=first_day,
            **stakes,
        )
        for number in range(years_sql.TABLES)
    ]
    return Table.objects.bulk_create(tables)


def _many(statements: Iterator[tuple[str, str | years_sql.Rows]], tell: Tell) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = '512MB'")
        cursor.execute("SET LOCAL work_mem = '128MB'")
        for what, statement in statements:
            tell(what)
            if isinstance(statement, years_sql.Rows):
                sql, given = _insert(statement)
                cursor.execute(sql, given)
            else:
                cursor.execute(statement)
        for model in _BULK:
            if model is not Slip:  # its numbers are given out by the cage
                name = model._meta.db_table
                cursor.execute(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name}))")  # noqa: S608


def _insert(rows: years_sql.Rows) -> tuple[str, list[Any]]:
    """INSERT ... SELECT, with the model's own default wherever the rows do not say."""
    columns, values, given = [], [], []
    for field in rows.model._meta.concrete_fields:
        said = rows.columns.get(field.column)
        if said is None and (field.null or isinstance(field, models.AutoField)):
            continue
        columns.append(f'"{field.column}"')
        values.append("%s" if said is None else said)
        if said is None:
            given.append(field.get_db_prep_save(field.get_default(), connection))
    head = f'INSERT INTO "{rows.model._meta.db_table}" ({", ".join(columns)})'
    return f"{head} SELECT {', '.join(values)} FROM {rows.source}", given  # noqa: S608, our own numbers


@contextmanager
def _lifted(tell: Tell) -> Iterator[None]:
    """Load without triggers, foreign keys, unique constraints and indexes; afterwards they are what they were."""
    names = [model._meta.db_table for model in _BULK]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE conrelid = ANY(%s::regclass[]) AND contype IN ('f', 'u') ORDER BY contype DESC",
            [names],
        )
        constraints = cursor.fetchall()
        cursor.execute(
            "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index "
            "WHERE indrelid = ANY(%s::regclass[]) "
            "AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))",
            [names],
        )
        indexes = cursor.fetchall()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for name in names:
            cursor.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER")
        for table, name, _ in constraints:
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {name}")
    yield
    with connection.cursor() as cursor:
        tell("indexes and keys")
        for _, definition in indexes:
            cursor.execute(definition)
        for table, name, definition in constraints:
            cursor.execute(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}')
        for name in names:
            cursor.execute(f"ALTER TABLE {name} ENABLE TRIGGER USER")
    if lost := guards.missing(connection):
        raise Conflict(f"The guard {lost[0]} is not back in its place.", "guard-missing")
