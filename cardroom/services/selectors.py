"""What the house can be asked; nothing here writes."""

from dataclasses import dataclass
from datetime import datetime

from cardroom.models import Account, Entry, User


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
    wallets = Account.objects.filter(kind=Account.Kind.WALLET, owner=user, unit=unit)
    return wallets.values_list("balance", flat=True).first() or 0


def statement(user: User, *, limit: int = 50, unit: str = "cash") -> list[StatementLine]:
    """The last movements of a player's wallet, newest first."""
    entries = (
        Entry.objects.filter(account__kind=Account.Kind.WALLET, account__owner=user, account__unit=unit)
        .select_related("transfer", "account")
        .order_by("-pk")[:limit]
    )
    lines: list[StatementLine] = []
    held: int | None = None
    for entry in entries:
        # Read with the newest entry, in one statement, so it is the balance that entry left.
        held = entry.account.balance if held is None else held
        transfer = entry.transfer
        lines.append(StatementLine(entry.pk, transfer.at, transfer.reference, transfer.reason, entry.amount, held))
        held -= entry.amount
    return lines
