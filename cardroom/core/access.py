"""Who may do what, and the gates that say no.

Roles are Django groups and every logged-in person is a player. A superuser holds no role of the room, and gives none:
roles are given by the services of `cardroom.accounts.accounts` and by the operator's command `role`. Seeing sealed
cards is no role's standing right, see `cardroom.accounts.sealed_views`.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from babel.lists import format_list
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, Group
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import get_language, gettext, pgettext_lazy, to_locale

from cardroom.core import names
from cardroom.core.errors import Forbidden, Invalid, NotFound, Verbatim
from cardroom.core.models import AccessGrant, Approval, User

log = structlog.get_logger(__name__)

ROLES = ("dealer", "floor", "cashier", "director", "manager", "auditor")
ROLE_NAMES = {
    "dealer": pgettext_lazy("role", "dealer"),
    "floor": pgettext_lazy("role", "floor"),
    "cashier": pgettext_lazy("role", "cashier"),
    "director": pgettext_lazy("role", "director"),
    "manager": pgettext_lazy("role", "manager"),
    "auditor": pgettext_lazy("role", "auditor"),
}
#: Who works at the cage.
CAGE = ("cashier", "manager")
#: For how long the giver of an access, the person who got it, and others who got one from the same giver, cannot be
#: second persons for each other.
APART = timedelta(days=30)

Viewer = User | AnonymousUser


def ensure_roles(*, using: str = "default") -> None:
    """Make the groups that are roles; runs after every `migrate`."""
    groups = Group.objects.using(using)
    present = set(groups.filter(name__in=ROLES).values_list("name", flat=True))
    for role in ROLES:
        if role not in present:
            groups.get_or_create(name=role)


def role_name(role: str) -> str:
    """The name of a role in the current language; of another group its own."""
    return str(ROLE_NAMES.get(role, role))


def role_list(roles: Sequence[str], *, style: str) -> str:
    """Several roles in the current language: "floor, cashier or manager" (`style`: "or"; "standard": "and")."""
    language = to_locale(get_language() or settings.LANGUAGE_CODE)
    return format_list([role_name(role) for role in roles], style=style, locale=language)


def roles_of(user: Viewer) -> frozenset[str]:
    """The roles a user holds now, read from the database each time: a role taken away is gone at the next request.

    Pages decide by the last answer what to show; it is stored on the user (`roles_on_this_page`).
    """
    if not user.is_authenticated or not user.is_active:
        return frozenset()
    looker: Any = user
    looker.roles_on_this_page = frozenset(user.groups.filter(name__in=ROLES).values_list("name", flat=True))
    return looker.roles_on_this_page


def has_role(user: Viewer, *roles: str) -> bool:
    """Whether the user holds at least one of `roles`."""
    unknown = set(roles) - set(ROLES)
    if unknown:
        raise ValueError(f"no such role: {', '.join(sorted(unknown))}")
    return not roles_of(user).isdisjoint(roles)


def require_any_role(user: Viewer, roles: Sequence[str]) -> User:
    """The user, with one of these roles or, where there are none, logged in. Refuses: `Forbidden`."""
    return require_role(user, *roles) if roles else require_login(user)


def require_login(user: Viewer) -> User:
    """The user, or `Forbidden` where nobody is logged in or the account is closed."""
    if not user.is_authenticated:
        raise Forbidden("login-required", "Log in first.")
    if not user.is_active:
        raise Forbidden("account-closed", "This account is closed. Ask a manager.")
    return user


def require_role(user: Viewer, *roles: str) -> User:
    """The user, or `Forbidden` where they hold none of `roles`."""
    if not has_role(user, *roles):
        message = gettext("This requires the role {holders}. Ask a manager for it.")
        message = message.format(holders=role_list(roles, style="or"))
        raise Forbidden("role-required", Verbatim(message), roles=list(roles))
    return require_login(user)


def grant_role(
    *, user: User, role: str, by: User | None, now: datetime | None = None, approval: Approval | None = None
) -> None:
    """Give a role, and write down who gave it. `by` is None where a command of the operator gives it."""
    group = _group(role)
    if user.groups.filter(pk=group.pk).exists():
        return
    user.groups.add(group)
    note_grant(user=user, what=AccessGrant.Kind.ROLE, role=role, by=by, now=now or timezone.now(), approval=approval)
    log.info("role granted", user=user.pk, role=role, by=by.pk if by else None)


def take_role(*, user: User, role: str, by: User | None) -> None:
    """Take a role away. It counts from the user's next request."""
    user.groups.remove(_group(role))
    log.info("role taken", user=user.pk, role=role, by=by.pk if by else None)


def note_grant(
    *, user: User, what: str, by: User | None, now: datetime, role: str = "", approval: Approval | None = None
) -> AccessGrant:
    """Write down that `by` gave `user` access: an account, a role, a password, an e-mail address."""
    return AccessGrant.objects.create(user=user, what=what, role=role, by=by, approval=approval, at=now)


def has_second_manager(by: User) -> bool:
    """Whether somebody else is, or ever was, a manager: only the first one of a fresh room has nobody to ask."""
    held = User.objects.filter(groups__name="manager").exclude(pk=by.pk).exists()
    return held or AccessGrant.objects.filter(role="manager").exclude(user=by).exists()


def dependents(user: User, *, now: datetime) -> set[int]:
    """The people who are no second person for `user`, nor `user` for them, by what was given within `APART`. One query.

    They are those to whom `user` gave an account, a role, a password or an address; those who gave one to `user`; and
    those who got an account, a password or an address from somebody who gave one to `user` too, as that person may log
    in as both. A role from the same person keeps nobody apart: it lets nobody log in as its holder, two people give it,
    and a room with two managers has to go on. What a command of the operator gave keeps nobody apart either.
    """
    grants = AccessGrant.objects.filter(at__gt=now - APART, by__isnull=False).exclude(by=F("user"))
    is_login = ~Q(what=AccessGrant.Kind.ROLE)
    same_giver = is_login & Q(by__in=grants.filter(is_login, user=user).values("by"))
    pairs = grants.filter(Q(by=user) | Q(user=user) | same_giver).values_list("by", "user").distinct()
    return {pk for pair in pairs for pk in pair} - {user.pk}


def is_independent(user: User, other: User, *, now: datetime) -> bool:
    """Whether one may be the second person for the other, see `dependents`."""
    return other.pk not in dependents(user, now=now)


def _group(role: str) -> Group:
    if role not in ROLES:
        raise Invalid(
            "no-such-role", "There is no role {role!r}. The roles are {names}.", role=role, names=", ".join(ROLES)
        )
    return Group.objects.get_or_create(name=role)[0]


# A person or a bot, found by number or by name.


def get_user(user_id: int) -> User:
    """An account by its number, of a person or a bot; `NotFound` where there is none."""
    user = User.objects.select_related("member").filter(pk=user_id).first()
    if user is None:
        raise NotFound("no-such-player", "There is no such player.")
    return user


def get_user_by_name(name: str) -> User:
    """A person by their screen name, as it is said at a desk; `NotFound` where there is none."""
    user = User.objects.filter(username__iexact=name.strip(), is_bot=False).first()
    if user is None:
        raise NotFound("no-such-player", "There is no player called “{name}”.", name=names.name_for_message(name))
    return user
