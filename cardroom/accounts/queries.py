"""What the house can be asked; nothing here writes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum

from cardroom.accounts.models import ApiToken
from cardroom.core.models import User
from cardroom.ledger.models import Account, Entry


@dataclass(frozen=True)
class StatementLine:
    """One movement on an account, with the chips that lay there after it."""

    entry: int
    at: datetime
    reference: str
    reason: str
    amount: int
    balance: int


def wallet_balance(user: User, *, unit: str = "cash") -> int:
    """The chips in a player's wallet; 0 for one who never had a wallet."""
    return wallet_balances([user], unit=unit)[user.pk]


def wallet_balances(users: Iterable[User], *, unit: str = "cash") -> dict[int, int]:
    """The chips in the wallets of these players, by their ids. One query."""
    found = dict.fromkeys((user.pk for user in users), 0)
    wallets = Account.objects.filter(kind=Account.Kind.WALLET, owner__in=found, unit=unit).order_by()
    return found | dict(wallets.values_list("owner", "balance"))


def statement(user: User, *, limit: int = 50, before: int | None = None, unit: str = "cash") -> list[StatementLine]:
    """The last movements of a player's wallet, newest first; with `before` only those older than that entry."""
    entries = (
        Entry.objects.filter(account__kind=Account.Kind.WALLET, account__owner=user, account__unit=unit)
        .select_related("transfer", "account")
        .order_by("-pk")
    )
    lines: list[StatementLine] = []
    held: int | None = None
    for entry in (entries.filter(pk__lt=before) if before is not None else entries)[:limit]:
        if held is None:
            # Read with the newest entry, in one statement, so it is the balance that entry left.
            held = entry.account.balance if before is None else _held_after(entry)
        transfer = entry.transfer
        lines.append(StatementLine(entry.pk, transfer.at, transfer.reference, transfer.reason, entry.amount, held))
        held -= entry.amount
    return lines


def tokens_of(user: User, *, now: datetime) -> list[ApiToken]:
    """A player's API tokens that are still valid, newest first."""
    return list(ApiToken.objects.filter(user=user, expiry__gt=now).order_by("-pk"))


def _held_after(entry: Entry) -> int:
    """What an account held after this entry. Entries are only ever added, so it stays true."""
    entries = Entry.objects.filter(account=entry.account_id, pk__lte=entry.pk)
    return int(entries.aggregate(held=Sum("amount"))["held"])  # PostgreSQL adds up to a decimal
