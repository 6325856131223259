"""Roles given and taken by managers; those that second persons have, and that open sealed cards, take two of them."""

from datetime import datetime

from cardroom.models import Approval, User
from cardroom.services import access, accounts, approvals, people, users
from cardroom.services.errors import Conflict, Invalid
from cardroom.services.operations import operation, row_of

GIVE = "account.give-role"
#: Roles that one manager alone gives nobody: who could make a manager could be their own second person.
BY_TWO = ("manager", "auditor")

_MAY = {
    "manager": "that decides what one person alone may not do",
    "auditor": "that sealed cards are opened to",
}


@operation(row_of(User, "user"))
def give(*, user: User, role: str, by: User, now: datetime) -> Approval | None:
    """Give a role; one that the user holds already changes nothing. For managers. `Invalid`: no such role, a bot.

    One of `BY_TWO` is given by a second person: the approval that it waits for. Asked again while that waits it is the
    same one.
    """
    access.require_role(by, *accounts.STAFF)
    row = accounts.locked(user)
    if row.is_bot:
        raise Invalid("Bots hold no roles.", "bad-player")
    if row.groups.filter(name=role).exists():
        return None
    if role in BY_TWO:
        return _asked_for(row, role, by, now)
    _grant(row, role, by, now)
    return None


def _asked_for(user: User, role: str, by: User, now: datetime) -> Approval:
    subject, payload = f"user:{user.pk}", {"user": user.pk, "role": role}
    waits = approvals.waiting(now=now).filter(what=GIVE, asked_by=by, subject=subject, payload=payload).first()
    if waits is not None:
        return waits
    words = f"Make {user} {role}: the role {_MAY[role]}"
    return approvals.ask(what=GIVE, words=words, payload=payload, by=by, now=now, subject=subject, player=user)


def _given(approval: Approval, by: User, now: datetime) -> dict[str, int | str]:
    """A second person agrees, who is neither the manager that asked nor the one who gets the role."""
    row, role = accounts.locked(users.one(approval.payload["user"])), approval.payload["role"]
    _grant(row, role, by, now, approval=approval.pk)
    return {"user": row.pk, "role": role}


def _grant(row: User, role: str, by: User, now: datetime, **details: int) -> None:
    access.grant_role(user=row, role=role, by=by)
    people.take_back_welcome(user=row, now=now, by=by)
    accounts.note("account.give-role", row, by, now, role=role, **details)


approvals.register(GIVE, _given)


@operation(row_of(User, "user"))
def take(*, user: User, role: str, by: User, now: datetime) -> None:
    """Take a role; one that the user does not hold changes nothing. For managers.

    `Conflict`: the room would have no manager, or they have a drawer open that they could not close without it."""
    access.require_role(by, *accounts.STAFF)
    row = accounts.locked(user)
    if not row.groups.filter(name=role).exists():
        return
    if role == "manager" and not User.objects.filter(groups__name=role, is_active=True).exclude(pk=row.pk).exists():
        raise Conflict("The room would have no manager: make another one first.", "last-manager")
    if role in access.CAGE and not access.has_role(row, *{*access.CAGE} - {role}):
        accounts.check_no_drawer(row)
    access.take_role(user=row, role=role, by=by)
    accounts.note("account.take-role", row, by, now, role=role)
