"""The ledger's rules as the database keeps them, whoever writes to it and by whatever means.

1. A transfer balances: at commit its entries add up to zero in every unit.
2. A balance is the sum of its entries: it moves when an entry is written and is refused any other change.
3. No account but the house's goes below zero (a CHECK of the model; repeated for SQLite, see below).
4. What is written stays: transfers, entries and looks at sealed cards are neither changed nor deleted, and an account
   keeps its kind, owner, label and unit.

PostgreSQL checks (1) in a deferred constraint trigger. SQLite has none, and has deferred foreign keys: a trigger keeps
a row per transfer and unit that is off balance and removes it when the sum comes to zero; the row points at a table
that is always empty, so no commit succeeds while one is left.

They are created after every `migrate` and not by one migration, because SQLite drops a table's triggers whenever
a migration rebuilds that table. `manage.py audit` reports one that is missing. Not covered: whoever may drop triggers,
TRUNCATE on PostgreSQL, and on SQLite a connection that turned foreign keys off.
"""

from collections.abc import Callable
from typing import TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel, Migration
from django.db.migrations.state import ProjectState
from django.db.models import Model

from cardroom.core.database import guards_postgresql, guards_sqlite
from cardroom.core.database.guards_postgresql import FUNCTIONS
from cardroom.core.database.guards_postgresql import TRIGGERS as POSTGRESQL_TRIGGERS
from cardroom.core.database.guards_sqlite import TABLES
from cardroom.core.database.guards_sqlite import TRIGGERS as SQLITE_TRIGGERS

M = TypeVar("M", bound=Model)

GUARDED = {"ledger_account", "ledger_transfer", "ledger_entry", "accounts_sealedview", "accounts_sealedlook"}


def append_only(message: str) -> Callable[[type[M]], type[M]]:
    """A model whose table refuses every change of what is written; `message` says what to do instead."""

    def guarded(model: type[M]) -> type[M]:
        table = model._meta.db_table
        GUARDED.add(table)
        POSTGRESQL_TRIGGERS.update(guards_postgresql.append_only(table, message))
        SQLITE_TRIGGERS.update(guards_sqlite.append_only(table, message))
        return model

    return guarded


def are_possible(connection: BaseDatabaseWrapper) -> bool:
    """Whether the tables exist: `migrate` can stop short of them."""
    return GUARDED.issubset(connection.introspection.table_names())


def install(connection: BaseDatabaseWrapper) -> None:
    """Put every guard in place, replacing what is there."""
    drop, preparation = _dialect(connection)
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        for statement in preparation:
            cursor.execute(statement)
        for name, (table, create) in _triggers(connection).items():
            cursor.execute(drop.format(name=name, table=table))
            cursor.execute(create)


def lift(connection: BaseDatabaseWrapper) -> None:
    """Take away every trigger: only for emptying the whole database, which `install` has to follow."""
    drop, _ = _dialect(connection)
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        for name, (table, _create) in _triggers(connection).items():
            cursor.execute(drop.format(name=name, table=table))


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the guards that are not in place, or switched off."""
    query = (
        "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'"
        if connection.vendor == "postgresql"
        else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        present = {row[0] for row in cursor.fetchall()}
    return sorted(_triggers(connection).keys() - present)


def _dialect(connection: BaseDatabaseWrapper) -> tuple[str, list[str]]:
    if connection.vendor == "postgresql":
        return "DROP TRIGGER IF EXISTS {name} ON {table}", FUNCTIONS
    if connection.vendor == "sqlite":
        return "DROP TRIGGER IF EXISTS {name}", TABLES
    raise ImproperlyConfigured(
        f"Cardroom keeps its ledger on PostgreSQL or SQLite, not on {connection.display_name}: change DATABASE_URL."
    )


def _triggers(connection: BaseDatabaseWrapper) -> dict[str, tuple[str, str]]:
    return POSTGRESQL_TRIGGERS if connection.vendor == "postgresql" else SQLITE_TRIGGERS


# The first migration of an app: all its tables in one step


class FirstMigration(Migration):
    """Every table of the app, made in one step.

    Django renders the models that are related to a new one again after each of them, and through the user all of ours
    are related: eighty tables took five seconds. Here they are rendered once, with the last. For the same reason
    tables may point at each other in a circle.
    """

    def apply(
        self, project_state: ProjectState, schema_editor: BaseDatabaseSchemaEditor, collect_sql: bool = False
    ) -> ProjectState:
        before = project_state.clone()
        project_state.__dict__.pop("apps", None)  # a cached property: the rendered models
        for operation in self.operations:
            operation.state_forwards(self.app_label, project_state)
        for operation in self.operations:
            if isinstance(operation, CreateModel):  # with every column, index and constraint that the others add to it
                operation.database_forwards(self.app_label, schema_editor, before, project_state)
        return project_state
