"""Accounts as managers look after them: opened, changed, closed, opened again.

Nothing is lost when an account is closed: its owner cannot log in any more, and their chips stay in their wallet. The
giver of an account, a role, a password or an address is stored (`access.note_grant`): that person cannot be a second
person for its owner.
"""

from datetime import datetime
from typing import Annotated, Any

from allauth.account.models import EmailAddress
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from cardroom.accounts import people, sessions, visits
from cardroom.core import access, audit_log, topics
from cardroom.core.access import (
    get_user,  # noqa: F401
    get_user_by_name,  # noqa: F401
)
from cardroom.core.arguments import Limits, Reason
from cardroom.core.errors import Conflict, Forbidden, Invalid, Verbatim
from cardroom.core.models import AccessGrant, StaffAction, User
from cardroom.core.verb import current_time, lock, verb
from cardroom.ledger.models import Account

STAFF = ("manager",)

#: What can be left out, and is then empty.
Email = Annotated[str, Limits(is_email=True, allow_blank=True, required=False)]
FullName = Annotated[str, Limits(max_length=60, required=False)]
PartOfName = Annotated[str | None, Limits(max_length=150, allow_blank=True)]
Password = Annotated[str, Limits(max_length=128, trim_whitespace=False)]


def find_accounts(*, words: str = "", state: str = "", role: str = "") -> QuerySet[User]:
    """Accounts, the newest first: with a name or e-mail that begins with `words`, of this `state` (open or closed), and
    with this `role`."""
    users = User.objects.select_related("member").prefetch_related("groups").order_by("-pk")
    if words:
        users = users.filter(
            Q(username__istartswith=words) | Q(email__istartswith=words) | Q(member__name__icontains=words)
        )
    if state:
        users = users.filter(is_active=state == "open")
    return users.filter(groups__name=role) if role else users


@verb("accounts.open_one", roles=STAFF)
def open_one(
    *,
    name: Annotated[str, Limits(min_length=2, max_length=20)],
    email: Email = "",
    password: Annotated[
        Password, Limits(required=False, help_text="Without it the person sets a password by e-mail.")
    ] = "",
    full_name: FullName = "",
    by: User,
) -> User:
    """Open an account for a person at the desk; without a password they set one by e-mail.

    Refuses: `Invalid` (name, e-mail, a weak password), `Conflict` (the name or the e-mail is taken).
    """
    name, now = people.good_name(name), current_time()
    first, _, last = " ".join(full_name.split()).partition(" ")
    _check_email(email, None)
    user = User(username=name, email=email, first_name=first[:150], last_name=last[:150], date_joined=now)
    if password:
        _check_password(password, user)
    user.set_password(password or None)
    _save(user)
    if email:
        EmailAddress.objects.create(user=user, email=email, primary=True, verified=False)
    access.note_grant(user=user, what=AccessGrant.Kind.ACCOUNT, by=by, now=now)
    note("account.add", user, by, now)
    return user


@verb("accounts.edit", roles=STAFF)
def edit(
    *,
    user: User,
    username: Annotated[str | None, Limits(called="name", min_length=2, max_length=20)] = None,
    email: Annotated[str | None, Limits(is_email=True, allow_blank=True)] = None,
    first_name: PartOfName = None,
    last_name: PartOfName = None,
    by: User,
) -> User:
    """Change those of these that are given. Refuses as `open_one`. Locks the row."""
    row, now = lock(User, user.pk)
    wanted = {"username": username, "email": email, "first_name": first_name, "last_name": last_name}
    changed = {name: value for name, value in wanted.items() if value is not None and getattr(row, name) != value}
    if "username" in changed:
        works_here = bool(access.roles_of(row)) or row.is_superuser
        changed["username"] = people.good_name(changed["username"], is_staff=works_here)
    if "email" in changed:
        if row.pk != by.pk and (access.has_role(row, "manager", "auditor") or row.is_superuser):
            # A person who reads their mail can set their password.
            raise Forbidden("not-a-managers", "Managers and auditors change their own e-mail address.")
        _check_email(changed["email"], row)
    if not changed:
        return row
    before = {name: getattr(row, name) for name in changed}
    for name, value in changed.items():
        setattr(row, name, value)
    _save(row)
    if "email" in changed:
        EmailAddress.objects.filter(user=row).delete()
        if row.email:
            EmailAddress.objects.create(user=row, email=row.email, primary=True, verified=False)
        access.note_grant(user=row, what=AccessGrant.Kind.EMAIL, by=by, now=now)
    note("account.edit", row, by, now, before=before, after=changed)
    return row


@verb("accounts.close", roles=STAFF)
def close(*, user: User, reason: Reason, by: User) -> User:
    """Close an account: its owner is logged out everywhere and can no longer log in; chips and history stay. A second
    call does nothing.

    Refuses: `Invalid` (oneself, no reason), `Conflict` (chips on a table, an open drawer). Locks the row.
    """
    why = audit_log.reason_given(reason, what=gettext("closing an account"))
    row, now = lock(User, user.pk)
    if row.pk == by.pk:
        raise Invalid("not-oneself", "Ask another manager to close your own account.")
    if not row.is_active:
        return row
    has_stack = Account.objects.filter(owner=row, kind=Account.Kind.STACK, balance__gt=0).exists()
    if has_stack or visits.seat_of(row):  # in the room their chips are among those of the table
        raise Conflict("still-seated", "The player has chips at a table: remove the player from it first.")
    check_no_drawer(row)
    row.is_active = False
    row.save(update_fields=["is_active"])
    sessions.end_all(user=row)
    note("account.delete", row, by, now, reason=why)
    return row


@verb("accounts.reopen", roles=STAFF)
def reopen(*, user: User, reason: Reason, by: User) -> User:
    """Reopen an account. A second call does nothing. Locks the row."""
    why = audit_log.reason_given(reason, what=gettext("reopening an account"))
    row, now = lock(User, user.pk)
    if not row.is_active:
        row.is_active = True
        row.save(update_fields=["is_active"])
        access.note_grant(user=row, what=AccessGrant.Kind.REOPENED, by=by, now=now)
        note("account.reopen", row, by, now, reason=why)
    return row


@verb("accounts.set_password", roles=STAFF)
def set_password(*, user: User, password: Password, by: User) -> User:
    """Give a new password to a person who lost theirs, and end their sessions and keys. Not to one's own account, nor
    to a bot; of a manager only by an operator's command.

    Refuses: `Invalid` (weak). Locks the row.
    """
    row, now = lock(User, user.pk)
    if row.pk == by.pk or row.is_bot:
        raise Invalid("bad-player", "Change your own password on your account's page.")
    if access.has_role(row, "manager", "auditor") or row.is_superuser:
        raise Forbidden("not-a-managers", "Managers and auditors change their own password.")
    _check_password(password, row)
    row.set_password(password)
    row.save(update_fields=["password"])
    access.note_grant(user=row, what=AccessGrant.Kind.PASSWORD, by=by, now=now)
    note("account.password", row, by, now)
    return row


def note(verb: str, user: User, by: User | None, now: datetime, *, reason: str = "", **details: Any) -> StaffAction:
    """Note what was done to an account in the audit log, and tell the pages that show accounts."""
    entry = audit_log.note(verb=verb, subject=f"user:{user.pk}", player=user, by=by, now=now, reason=reason, **details)
    topics.tell("players", f"player:{user.pk}")
    return entry


def check_no_drawer(user: User) -> None:
    """`Conflict` where the user has a drawer open."""
    open_now = user.drawer_sessions.exclude(state="closed").select_related("drawer")
    if (session := open_now.first()) is not None:
        raise Conflict(
            "drawer-open",
            "{user} has {drawer} open: close it first.",
            user=user,
            drawer=session.drawer,
            session=session.pk,
        )


def lock_account(user: User) -> User:
    """The account, locked until the transaction ends."""
    return User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _save(user: User) -> None:
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise people.name_taken_refusal(user.username) from error


def _check_email(email: str, user: User | None) -> None:
    if not email:
        return
    try:
        validate_email(email)
    except ValidationError as error:
        raise Invalid("bad-email", "This is not an e-mail address.") from error
    taken = User.objects.filter(email__iexact=email)
    if (taken.exclude(pk=user.pk) if user else taken).exists():
        raise Conflict("email-taken", "Another account has this e-mail address.")


def _check_password(password: str, user: User) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid("weak-password", Verbatim(" ".join(error.messages))) from error
