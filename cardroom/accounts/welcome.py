"""Welcome chips: play money that a player begins with. They come with the first seat, and not with the account.

Where a drawer pays out, play money would be paid out like any other chips: there they are off, unless the operator
says expressly that they are to be paid out (`CARDROOM_WELCOME_CHIPS_PAID_OUT`). Nobody gets them without a verified
mail address where the room asks everybody for one, or sends mail and pays the chips out.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import checks
from django.db import connections

from cardroom.accounts import people
from cardroom.core import access
from cardroom.core.models import User
from cardroom.ledger.models import Account, Entry


def chips_to_come(user: User) -> int:
    """The welcome chips that come with this player's first seat: 0 for staff, for guests without an account, for a
    player without a verified address where one is asked for, and for everybody whose wallet ever held chips."""
    is_staff = bool(getattr(user, "roles_on_this_page", ()))  # as it was read for this page, if it was
    if not settings.CARDROOM_WELCOME_CHIPS or is_staff or user.is_bot or not people.can_log_in(user):
        return 0
    if Entry.objects.filter(account__kind=Account.Kind.WALLET, account__owner=user).exists() or access.roles_of(user):
        return 0
    return people.welcome_chips() if is_verified(user) else 0


def is_verified(user: User) -> bool:
    """Whether their mail address is verified, where that counts."""
    return not _asks_for_mail() or EmailAddress.objects.filter(user=user, verified=True).exists()


def _asks_for_mail() -> bool:
    """Whether welcome chips wait for a verified address: where nobody plays without one, and where mail can be sent and
    a drawer pays chips out."""
    if settings.ACCOUNT_EMAIL_VERIFICATION == "optional":
        return settings.EMAIL_BACKEND.endswith("smtp.EmailBackend") and people.pays_out()
    return settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory"


def at_first_seat(user: User, *, now: datetime) -> None:
    """Pay the welcome chips to a player who sits down, or enters an event, for the first time. Call with the player
    locked."""
    if chips_to_come(user):
        people.sign_up_bonus(user=user, now=now)


def spendable(users: Collection[User]) -> dict[int, int]:
    """The chips that these players can sit down with, by their ids: the wallet and, where it is empty, what the first
    seat brings."""
    held = people.wallet_balances(users)
    return {user.pk: held[user.pk] or chips_to_come(user) for user in users}


def spendable_by(user: User) -> int:
    """The chips that this player can sit down with, see `spendable`."""
    return spendable([user])[user.pk]


@checks.register(checks.Tags.database)
def are_not_paid_out(*, databases: list[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """Welcome chips in a room that pays out money."""
    if not settings.CARDROOM_WELCOME_CHIPS or settings.CARDROOM_WELCOME_CHIPS_PAID_OUT:
        return []
    if "default" not in (databases or ()):
        return []
    if Account._meta.db_table not in connections["default"].introspection.table_names():
        return []
    if people.welcome_chips():
        return []
    return [
        checks.Warning(
            "Welcome chips are set, and this room has a drawer that would pay them out: nobody is given any.",
            hint="Set CARDROOM_WELCOME_CHIPS=0 or, if they are to be paid out like any other chips, "
            "CARDROOM_WELCOME_CHIPS_PAID_OUT=true.",
            id="cardroom.W004",
        )
    ]
