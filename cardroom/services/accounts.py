"""Accounts as managers see to them: opened, changed, closed and opened again. For roles see `roles`.

Nothing is lost when an account is closed: whoever it belongs to logs in no more, and their chips lie in their wallet.
"""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from cardroom.models import Account, User
from cardroom.services import access, news, people, sessions, trail, visits
from cardroom.services.errors import Conflict, Forbidden, Invalid
from cardroom.services.operations import operation, row_of
from cardroom.services.users import by_name, one  # noqa: F401

STAFF = ("manager",)
_EDITABLE = ("username", "email", "first_name", "last_name")


def listed(*, words: str = "", state: str = "", role: str = "") -> QuerySet[User]:
    """Accounts, the newest first: whose name or e-mail begins so, `state` open or closed, who hold `role`."""
    users = User.objects.select_related("member").prefetch_related("groups").order_by("-pk")
    if words:
        users = users.filter(
            Q(username__istartswith=words) | Q(email__istartswith=words) | Q(member__name__icontains=words)
        )
    if state:
        users = users.filter(is_active=state == "open")
    return users.filter(groups__name=role) if role else users


@operation()
def open_one(*, name: str, by: User, now: datetime, email: str = "", password: str = "", full_name: str = "") -> User:
    """An account for somebody who stands at the desk; without a password they set one by e-mail.

    Refuses: `Forbidden`, `Invalid` (name, e-mail, a weak password), `Conflict` (the name or the e-mail is taken).
    """
    access.require_role(by, *STAFF)
    name = people.good_name(name)
    first, _, last = " ".join(full_name.split()).partition(" ")
    _check_email(email, None)
    made = User(username=name, email=email, first_name=first[:150], last_name=last[:150], date_joined=now)
    if password:
        _check_password(password, made)
    made.set_password(password or None)
    _saved(made)
    if email:
        EmailAddress.objects.create(user=made, email=email, primary=True, verified=False)
    people.sign_up_bonus(user=made, now=now)
    note("account.add", made, by, now)
    return made


@operation(row_of(User, "user"))
def edit(*, user: User, by: User, now: datetime, **said: str) -> User:
    """Change `username`, `email`, `first_name` or `last_name`. Refuses as `open_one`. Locks the row."""
    access.require_role(by, *STAFF)
    row = locked(user)
    changed = {name: value for name, value in said.items() if name in _EDITABLE and getattr(row, name) != value}
    if "username" in changed:
        works_here = bool(access.roles_of(row)) or row.is_superuser
        changed["username"] = people.good_name(changed["username"], is_staff=works_here)
    if "email" in changed:
        if row.pk != by.pk and (access.has_role(row, "manager", "auditor") or row.is_superuser):
            # Whoever reads their mail sets their password.
            raise Forbidden("Managers and auditors change their e-mail addresses themselves.", "not-a-managers")
        _check_email(changed["email"], row)
    if not changed:
        return row
    before = {name: getattr(row, name) for name in changed}
    for name, value in changed.items():
        setattr(row, name, value)
    _saved(row)
    if "email" in changed:
        EmailAddress.objects.filter(user=row).delete()
        if row.email:
            EmailAddress.objects.create(user=row, email=row.email, primary=True, verified=False)
    note("account.edit", row, by, now, before=before, after=changed)
    return row


@operation(row_of(User, "user"))
def close(*, user: User, by: User, reason: str, now: datetime) -> User:
    """Close an account: its owner is logged out everywhere and logs in no more; chips and history stay. Once more does
    nothing.

    Refuses: `Forbidden`, `Invalid` (oneself, no reason), `Conflict` (chips on a table, an open drawer).
    Locks the row.
    """
    access.require_role(by, *STAFF)
    why = trail.reason_given(reason, what="an account that is closed")
    row = locked(user)
    if row.pk == by.pk:
        raise Invalid("Have another manager close your own account.", "not-oneself")
    if not row.is_active:
        return row
    has_stack = Account.objects.filter(owner=row, kind=Account.Kind.STACK, balance__gt=0).exists()
    if has_stack or visits.seat_of(row):  # in the room their chips are among those of the table
        raise Conflict("The player has chips on a table: pick the player up first.", "still-seated")
    check_no_drawer(row)
    row.is_active = False
    row.save(update_fields=["is_active"])
    sessions.end_all(user=row)
    note("account.delete", row, by, now, reason=why)
    return row


@operation(row_of(User, "user"))
def reopen(*, user: User, by: User, reason: str, now: datetime) -> User:
    """Open a closed account again. Once more does nothing."""
    access.require_role(by, *STAFF)
    why = trail.reason_given(reason, what="an account that is opened again")
    row = locked(user)
    if not row.is_active:
        row.is_active = True
        row.save(update_fields=["is_active"])
        note("account.reopen", row, by, now, reason=why)
    return row


@operation(row_of(User, "user"))
def set_password(*, user: User, password: str, by: User, now: datetime) -> None:
    """Give a new password to somebody who lost theirs, and end their sessions and keys. Not to one's own account, nor
    to a bot; of a manager only by an operator's command.

    Refuses: `Forbidden`, `Invalid` (weak). Locks the row.
    """
    access.require_role(by, *STAFF)
    row = locked(user)
    if row.pk == by.pk or row.is_bot:
        raise Invalid("Change your own password on your account's page.", "bad-player")
    if access.has_role(row, "manager", "auditor") or row.is_superuser:
        raise Forbidden("Managers and auditors change their passwords themselves.", "not-a-managers")
    _check_password(password, row)
    row.set_password(password)
    row.save(update_fields=["password"])
    note("account.password", row, by, now)


def note(verb: str, user: User, by: User, now: datetime, *, reason: str = "", **details: Any) -> None:
    """Put what was done to an account on the trail, and tell who looks at it."""
    trail.note(verb=verb, subject=f"user:{user.pk}", player=user, by=by, now=now, reason=reason, **details)
    news.tell("players", f"player:{user.pk}")


def check_no_drawer(user: User) -> None:
    """`Conflict` where the user has a drawer open."""
    open_now = user.drawer_sessions.exclude(state="closed").select_related("drawer")
    if (session := open_now.first()) is not None:
        raise Conflict(f"{user} has {session.drawer} open: it is closed first.", "drawer-open", session=session.pk)


def locked(user: User) -> User:
    """The account, locked until the transaction ends."""
    return User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _saved(user: User) -> None:
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise people.name_taken(user.username) from error


def _check_email(email: str, user: User | None) -> None:
    if not email:
        return
    try:
        validate_email(email)
    except ValidationError as error:
        raise Invalid("This is no e-mail address.", "bad-email") from error
    taken = User.objects.filter(email__iexact=email)
    if (taken.exclude(pk=user.pk) if user else taken).exists():
        raise Conflict("Somebody has an account with this e-mail address.", "email-taken")


def _check_password(password: str, user: User) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid(" ".join(error.messages), "weak-password") from error
