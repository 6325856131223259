"""What the house does around a `migrate`: the database's own guards, and the groups that roles are."""

from typing import Any

from django.db import connections
from django.db.migrations import Migration
from django.db.models.signals import post_migrate, pre_migrate

from cardroom.models import guards
from cardroom.services import access

Plan = list[tuple[Migration, bool]]


def lift_guards(*, using: str, plan: Plan, **_: Any) -> None:
    """Neither database lets a migration change what a trigger names: a column's type, a table that is rebuilt."""
    if plan:
        guards.lift(connections[using])


def furnish(*, using: str, plan: Plan | None = None, **_: Any) -> None:
    """Guards are made anew after migrations have run; otherwise, and after a `flush`, only what is missing is."""
    connection = connections[using]
    if not guards.are_possible(connection):
        return
    if plan or guards.missing(connection):
        guards.install(connection)
    access.ensure_roles(using=using)


def connect(sender: Any) -> None:
    pre_migrate.connect(lift_guards, sender=sender, dispatch_uid="cardroom.lift_guards")
    post_migrate.connect(furnish, sender=sender, dispatch_uid="cardroom.furnish")
