"""What the house does around a `migrate`: the database's own guards, and the groups that roles are; when somebody logs
in or the last of their sessions is over: their visit begins or ends; and when a password changes: what was open by it
ends.
"""

from typing import Any

from allauth.account.signals import password_changed, password_set
from django.apps import apps
from django.contrib.auth.signals import user_logged_in
from django.core import checks
from django.db import connections
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.models.signals import post_delete, post_migrate, post_save, pre_migrate
from django.dispatch import receiver
from django.utils import timezone

from cardroom.accounts import sessions, visits
from cardroom.accounts.models import RoomSession
from cardroom.accounts.pages.login import address_of
from cardroom.core import access
from cardroom.core.database import guards
from cardroom.core.database.guards import FirstMigration
from cardroom.core.models import User

#: Once for all apps: before the first of them is migrated, and after the last.
_FIRST = apps.get_app_config("core")
Plan = list[tuple[Migration, bool]]


@checks.register(checks.Tags.database)
def refuse_other_migrations(*, databases: list[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """A database made by migrations that are no longer there, or not yet: `migrate` would fail halfway."""
    return [error for name in databases or () for error in _other_migrations(name)]


def _other_migrations(database: str) -> list[checks.CheckMessage]:
    loader = MigrationLoader(connections[database])
    own_apps = {app for (app, _), migration in loader.disk_migrations.items() if isinstance(migration, FirstMigration)}
    own_apps |= {"cardroom", "games", "tournaments"}  # as they were called before every room was an app
    others = sorted(
        key for key in loader.applied_migrations if key[0] in own_apps and key not in loader.disk_migrations
    )
    if not others:
        return []
    return [
        checks.Error(
            f"This database was made by another version of Cardroom: {'.'.join(others[0])} is unknown here.",
            hint="Run that version, or restore a backup of this one. To start from scratch, "
            "remove the folder .run or, where DATABASE_URL is set, make a new database.",
            id="cardroom.E001",
        )
    ]


@receiver(pre_migrate, sender=_FIRST)
def lift_guards(*, using: str, plan: Plan, **_: Any) -> None:
    """Neither database lets a migration change what a trigger names: a column's type, a table that is rebuilt."""
    if plan:
        guards.lift(connections[using])


@receiver(post_migrate, sender=_FIRST)
def furnish(*, using: str, plan: Plan | None = None, **_: Any) -> None:
    """Guards are made anew after migrations have run; otherwise, and after a `flush`, only what is missing is."""
    connection = connections[using]
    if not guards.are_possible(connection):
        return
    if plan or guards.missing(connection):
        guards.install(connection)
    access.ensure_roles(using=using)


@receiver(user_logged_in)
def welcome(*, request: Any, user: User, **_: Any) -> None:
    """Store the address of the user in their session, and begin their visit."""
    now, meta = timezone.now(), getattr(request, "META", {})
    sessions.remember(
        session=request.session, address=address_of(request), agent=meta.get("HTTP_USER_AGENT", ""), now=now
    )
    visits.logged_in(player=user)


@receiver(post_delete, sender=RoomSession)
def see_off(*, instance: RoomSession, **_: Any) -> None:
    """A session was logged out, ended or has expired: a player without another session is no longer here."""
    now = timezone.now()
    if instance.user is not None and not sessions.open_now(now=now, user=instance.user).exists():
        visits.logged_out(player=instance.user, expired_at=instance.expire_date)


@receiver(post_save, sender=User)
def end_what_the_old_password_opened(*, instance: User, created: bool, **_: Any) -> None:
    """A password was changed, reset by mail, or set by a manager or the operator: sessions, API tokens and sockets that
    the old one opened end. The browser in which a person changes their own goes on under a new session."""
    # Django keeps the new password here until the row is saved, and not when it only hashes the same one anew.
    if not created and getattr(instance, "_password", None) is not None:
        sessions.end_all(user=instance)


@receiver([password_changed, password_set])
def go_on(*, user: User, **_: Any) -> None:
    """A player who changes their own password is still here."""
    visits.logged_in(player=user)
