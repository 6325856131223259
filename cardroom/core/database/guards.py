"""Rules about which rows may change, enforced by the database against every writer.

1. A transfer balances: at commit its entries add up to zero in every unit.
2. A balance is the sum of its entries: it moves when an entry is written and is refused any other change.
3. No account but the house's goes below zero (a CHECK of the model; repeated for SQLite, see below).
4. What is written stays. Every model declares which rows of its table may change, by one of three decorators:
   `append_only` (none, ever), `life_cycle` (some columns, until the row has come to its end), `free` (whatever the room
   does; with the reason why its past needs no keeping). A guarded table is not emptied either.

PostgreSQL checks (1) in a deferred constraint trigger. SQLite has none, and has deferred foreign keys: a trigger keeps
a row per transfer and unit that is off balance and removes it when the sum comes to zero; the row points at a table
that is always empty, so no commit succeeds while one is left.

They are created after every `migrate` and not by one migration, because SQLite drops a table's triggers whenever a
migration rebuilds that table. `manage.py audit` reports one that is missing, switched off or changed. The owner of the
tables can still remove them: the room's own role should not (`cardroom.core.database.roles`), and what was done
meanwhile shows by the seals of `cardroom.core.history`. Not covered: on SQLite a connection that turned foreign keys
off.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.db import models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel, Migration
from django.db.migrations.state import ProjectState
from django.db.models import Model

from cardroom.core.database import guards_postgresql, guards_sqlite

M = TypeVar("M", bound=Model)

#: By vendor the module that knows how the guards are put there.
_DIALECTS: dict[str, Any] = {"postgresql": guards_postgresql, "sqlite": guards_sqlite}


@dataclass(frozen=True)
class Guard:
    """What a model declares of its rows. `fixed`: columns that never change. `ends`: by which column, and by which of
    its values (none: by any), a row is seen to have come to its end; it stays as it is from then on, but for what is
    `loose`. `is_sealed`: whether its rows are sealed (`cardroom.core.history`)."""

    model: type[Model]
    fixed: tuple[str, ...]
    ends: tuple[str, tuple[str, ...]] | None = None
    loose: tuple[str, ...] = ()
    is_sealed: bool = True


#: By table.
GUARDED: dict[str, Guard] = {}
#: Tables whose rows change freely, and why that is right.
FREE: dict[str, str] = {}


def append_only(message: str, *, is_sealed: bool = True) -> Callable[[type[M]], type[M]]:
    """A model whose table refuses every change of what is written; `message` says what to do instead. `is_sealed`
    False: what is sealed of it is sealed with other rows."""

    def guarded(model: type[M]) -> type[M]:
        table = model._meta.db_table
        GUARDED[table] = Guard(model, _columns(model), is_sealed=is_sealed)
        for dialect in _DIALECTS.values():
            dialect.TRIGGERS.update(dialect.append_only(table, message, _key(model)))
        return model

    return guarded


def life_cycle(
    message: str,
    *,
    changes: Collection[str] = (),
    once: Collection[str] = (),
    ends: str | Mapping[str, Collection[str]] = "",
    steps: Mapping[str, Mapping[str, Collection[str]]] | None = None,
    stays: bool = True,
) -> Callable[[type[M]], type[M]]:
    """A model whose rows change as their life goes on and no further; `message` says what is refused.

    `changes`: fields that may change until the row has come to its end; `once`: fields that are filled in one time,
    from empty, also after that. All others stay as they were written. `ends`: the field that is set at the end, or a
    field with the values that are an end. `steps`: by field, from which value it goes to which, after the end as well.
    `stays` False: rows may be deleted.
    """

    def guarded(model: type[M]) -> type[M]:
        table, own = model._meta.db_table, model._meta.local_concrete_fields
        columns = {field.name: field.column for field in own}
        end = _end(columns, ends)
        goes_on = steps or {}
        fixed = [field.column for field in own if field.name not in {*changes, *once, *goes_on}]
        changed = [_differs(name) for name in fixed]
        for name in once:
            field = model._meta.get_field(name)
            changed.append(f"({_differs(columns[name])} AND NOT {_is_empty(field)})")
        if end is not None:
            any_of_them = " OR ".join(_differs(columns[name]) for name in changes)
            changed.append(f"({_is_over(*end)} AND ({any_of_them}))")
        for name, goes in goes_on.items():
            column = columns[name]
            legal = [
                f"(OLD.{column} = '{before}' AND NEW.{column} = '{after}')"
                for before, afters in goes.items()
                for after in afters
            ]
            changed.append(f"({_differs(column)} AND NOT ({' OR '.join(legal)}))")
        loose = [name for name, goes in goes_on.items() if end is None or any(goes.get(value) for value in end[1])]
        GUARDED[table] = Guard(
            model, tuple(fixed), end, tuple(columns[name] for name in (*once, *loose)), is_sealed=stays
        )
        condition = " OR ".join(changed)
        for dialect in _DIALECTS.values():
            dialect.TRIGGERS.update(dialect.life_cycle(table, message, _key(model), changed=condition, stays=stays))
        return model

    return guarded


def free(reason: str) -> Callable[[type[M]], type[M]]:
    """A model whose rows are changed and deleted as the room needs; `reason`: why its past needs no keeping."""

    def declared(model: type[M]) -> type[M]:
        FREE[model._meta.db_table] = reason
        return model

    return declared


def _columns(model: type[Model]) -> tuple[str, ...]:
    return tuple(field.column for field in model._meta.local_concrete_fields)


def _key(model: type[Model]) -> str:
    key = model._meta.pk
    assert key is not None
    return key.column


def _differs(column: str) -> str:
    return f'OLD."{column}" IS DISTINCT FROM NEW."{column}"'


def _is_empty(field: Any) -> str:
    """Whether an old row has nothing in a field yet."""
    column = f'OLD."{field.column}"'
    if field.null:
        return f"{column} IS NULL"
    if isinstance(field, models.BooleanField):
        return f"(NOT {column})"
    if isinstance(field, models.JSONField):
        return f"({column} = '\"\"')"  # an empty string as JSON
    return f"({column} = {0 if isinstance(field, models.IntegerField) else repr('')})"


def _end(columns: Mapping[str, str], ends: str | Mapping[str, Collection[str]]) -> tuple[str, tuple[str, ...]] | None:
    if not ends:
        return None
    if isinstance(ends, str):
        return columns[ends], ()
    [(name, values)] = ends.items()
    return columns[name], tuple(values)


def _is_over(column: str, values: tuple[str, ...]) -> str:
    known = ", ".join(f"'{value}'" for value in values)
    return f'OLD."{column}" IN ({known})' if values else f'OLD."{column}" IS NOT NULL'


def are_possible(connection: BaseDatabaseWrapper) -> bool:
    """Whether the tables exist: `migrate` can stop short of them."""
    return GUARDED.keys() <= set(connection.introspection.table_names())


def install(connection: BaseDatabaseWrapper) -> None:
    """Put every guard in place, instead of what is there."""
    dialect = _dialect(connection)
    with transaction.atomic(using=connection.alias):
        lift(connection)
        with connection.cursor() as cursor:
            for statement in dialect.PREPARATION:
                cursor.execute(statement)
            for _table, create in dialect.TRIGGERS.values():
                cursor.execute(create)


def lift(connection: BaseDatabaseWrapper) -> None:
    """Take away every trigger, those of earlier versions too: only for migrations and for emptying the whole database,
    which `install` has to follow."""
    dialect = _dialect(connection)
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(dialect.IN_PLACE)
        for name, table, *_ in cursor.fetchall():
            cursor.execute(dialect.drop(name, table))


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the guards that are not in place, are switched off, or are not what they were made as."""
    dialect = _dialect(connection)
    with connection.cursor() as cursor:
        cursor.execute(dialect.IN_PLACE)
        return sorted(dialect.TRIGGERS.keys() - set(dialect.unchanged(cursor.fetchall())))


def are_switched_off(connection: BaseDatabaseWrapper) -> bool:
    """Whether triggers are off for what this connection does, as an owner can set for a role or a database."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('session_replication_role')")
        return bool(cursor.fetchone()[0] == "replica")


def _dialect(connection: BaseDatabaseWrapper) -> Any:
    if connection.vendor not in _DIALECTS:
        raise ImproperlyConfigured(
            f"Cardroom keeps its ledger on PostgreSQL or SQLite, not on {connection.display_name}: change DATABASE_URL."
        )
    return _DIALECTS[connection.vendor]


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
