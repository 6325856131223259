"""The roles of accounts, as managers give and take them. Roles that ask for chips or money, decide on them or see
sealed cards take two managers."""

from datetime import datetime
from typing import Annotated

from django.utils.translation import gettext_lazy, gettext_noop

from cardroom.accounts import accounts, people
from cardroom.core import access, approvals
from cardroom.core.arguments import Limits
from cardroom.core.errors import Conflict, Invalid, NotFound
from cardroom.core.models import Approval, User
from cardroom.core.sentences import stored_text
from cardroom.core.verb import lock, verb

Role = Annotated[str, Limits(message=gettext_lazy("Choose a role."))]

GIVE = "account.give-role"
#: Roles that take two managers: a manager who gave one of them alone could make their own second person, or somebody
#: who asks in their place. A dealer never asks the house for chips.
BY_TWO = tuple(role for role in access.ROLES if role != "dealer")

_MAY = {
    "manager": gettext_noop("Give {user} the role of a manager, who decides on approvals"),
    "auditor": gettext_noop("Give {user} the role of an auditor, who can see sealed cards"),
    "cashier": gettext_noop("Give {user} the role of a cashier, who pays in and out"),
    "floor": gettext_noop("Give {user} the role of the floor, who brings and counts chips"),
    "director": gettext_noop("Give {user} the role of a director, who takes entries and pays prizes"),
}


@verb("roles.give", roles=accounts.STAFF)
def give(*, user: User, role: Role, by: User) -> User | Approval:
    """Give a role; one that the user holds already changes nothing. For managers.

    One of `BY_TWO` is given by a second person: the approval that it waits for. Asked again while that waits it is the
    same one. The first manager of a room, as long as there was never another, gives them alone; so does the operator's
    command `role`. Refuses: `NotFound` (no such role), `Invalid` (a bot). Locks the row.
    """
    _check_role(role)
    row, now = lock(User, user.pk)
    if row.is_bot:
        raise Invalid("bad-player", "A bot cannot have roles.")
    if row.groups.filter(name=role).exists():
        return row
    if role in given_by_two(by=by):
        return _ask_second_person(row, role, by, now)
    _grant(row, role, by, now)
    return row


def given_by_two(*, by: User) -> tuple[str, ...]:
    """The roles that `by` cannot give without a second person."""
    return BY_TWO if access.has_second_manager(by) else ()


def _ask_second_person(user: User, role: str, by: User, now: datetime) -> Approval:
    subject, payload = f"user:{user.pk}", {"user": user.pk, "role": role}
    words = stored_text(_MAY[role], user=str(user))
    return approvals.ask(
        what=GIVE,
        words=words,
        payload=payload,
        by=by,
        now=now,
        subject=subject,
        player=user,
        alone=f"role:{user.pk}:{role}",
        details={"role": role, "has_roles": sorted(access.roles_of(user))},
    )


def _give_agreed_role(approval: Approval, by: User, now: datetime) -> dict[str, int | str]:
    """A second person agrees, who is neither the manager that asked nor the one who gets the role."""
    row, role = lock(User, approval.payload["user"])[0], approval.payload["role"]
    _grant(row, role, approval.asked_by, now, approval=approval, second=by)
    return {"user": row.pk, "role": role}


def _grant(
    row: User,
    role: str,
    by: User | None,
    now: datetime,
    *,
    approval: Approval | None = None,
    second: User | None = None,
) -> None:
    """`by` None: an operator's command. After an approval `by` is the manager who asked, and `second` the one who
    approved, whom the audit log names."""
    access.grant_role(user=row, role=role, by=by, now=now, approval=approval)
    people.take_back_welcome(user=row, by=by)
    details = {"approval": approval.pk} if approval is not None else {}
    accounts.note("account.give-role", row, second or by, now, role=role, **details)


@verb("roles.give_as_operator")
def give_as_operator(*, user: User, role: Role) -> None:
    """Give a role by the operator's command: no person of the room counts as its giver."""
    row, now = lock(User, user.pk)
    if row.is_bot:
        raise Invalid("bad-player", "A bot cannot have roles.")
    _grant(row, role, None, now)


@verb("roles.take_as_operator")
def take_as_operator(*, user: User, role: Role) -> None:
    """Take a role by the operator's command; one that is not held changes nothing."""
    row, now = lock(User, user.pk)
    if row.groups.filter(name=role).exists():
        access.take_role(user=row, role=role, by=None)
        accounts.note("account.take-role", row, None, now, role=role)


approvals.register(GIVE, _give_agreed_role)


@verb("roles.take", roles=accounts.STAFF)
def take(*, user: User, role: Role, by: User) -> User:
    """Take a role; one that the user does not hold changes nothing. For managers.

    Refuses: `NotFound` (no such role), `Conflict` (the room would have no manager, or they have a drawer open that
    they could not close without it). Locks the row.
    """
    _check_role(role)
    row, now = lock(User, user.pk)
    if not row.groups.filter(name=role).exists():
        return row
    if role == "manager" and not User.objects.filter(groups__name=role, is_active=True).exclude(pk=row.pk).exists():
        raise Conflict("last-manager", "This is the last manager: give the role to somebody else first.")
    if role in access.CAGE and not access.has_role(row, *{*access.CAGE} - {role}):
        accounts.check_no_drawer(row)
    access.take_role(user=row, role=role, by=by)
    accounts.note("account.take-role", row, by, now, role=role)
    return row


def _check_role(role: str) -> None:
    if role not in access.ROLES:
        names = ", ".join(access.ROLES)
        raise NotFound("no-such-role", "There is no role {role!r}. The roles are {names}.", role=role, names=names)
