"""Proof that the ledger is right: transfers balance, balances equal their entries, nobody owes."""

from collections.abc import Callable, Iterator

from django.db import connection
from django.db.models import F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from cardroom.core import audit as core_audit
from cardroom.core.database import guards
from cardroom.ledger import passages
from cardroom.ledger.models import Account, Entry, Transfer


def _transfers_balance() -> Iterator[str]:
    off = (
        Entry.objects.values("transfer__reference", "account__unit")
        .annotate(total=Sum("amount"))
        .exclude(total=0)
        .order_by("transfer__reference")
    )
    for row in off:
        yield f"{row['transfer__reference']} is off by {row['total']:+,} {row['account__unit']}"


def _balances_equal_entries() -> Iterator[str]:
    total = (
        Entry.objects.filter(account=OuterRef("pk")).order_by().values("account").annotate(s=Sum("amount")).values("s")
    )
    accounts = Account.objects.select_related("owner").annotate(total=Coalesce(Subquery(total), 0))
    for account in accounts.exclude(balance=F("total")).order_by("pk"):
        yield f"account {account.pk}, {account}, says {account.balance:,}; its entries add up to {account.total:,}"


def _nobody_owes() -> Iterator[str]:
    for account in Account.objects.select_related("owner").filter(~Q(kind="house"), balance__lt=0).order_by("pk"):
        yield f"account {account.pk}, {account}, is overdrawn by {-account.balance:,}"


def _no_orphan_stacks() -> Iterator[str]:
    """A seat is free for the next player once its stack is empty: of one seat's stacks only the newest holds chips."""
    newer = Account.objects.filter(kind="stack", label=OuterRef("label"), unit=OuterRef("unit"), pk__gt=OuterRef("pk"))
    left = Account.objects.select_related("owner").filter(kind="stack").exclude(balance=0)
    for account in left.annotate(newer=Subquery(newer.values("pk")[:1])).filter(newer__isnull=False).order_by("pk"):
        yield f"account {account.pk}, {account}, still holds {account.balance:,} though the seat was taken again"


def _house_pays_by_leave() -> Iterator[str]:
    """Every transfer that took an account of the house down, since passages exist, has one that can be proved."""
    first = Transfer.objects.exclude(passage=None).order_by("pk").values_list("pk", flat=True).first()
    if first is None:
        return
    falls = Entry.objects.filter(account__kind=Account.Kind.HOUSE, amount__lt=0, transfer__gte=first)
    for row in falls.filter(transfer__passage=None).select_related("transfer", "account").order_by("pk"):
        yield f"{row.transfer.reference} took {-row.amount:,} out of {row.account} and nobody answers for it"
    yield from passages.passage_faults(Transfer.objects.exclude(passage=None).order_by("pk"))


def _guards_in_place() -> Iterator[str]:
    for name in guards.missing(connection):
        yield f"the database's own guard {name} is missing or changed; `manage.py migrate` puts it back"
    if guards.are_switched_off(connection):
        yield "the database's guards are switched off for the room (session_replication_role)"


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "transfers balance": _transfers_balance,
    "balances equal entries": _balances_equal_entries,
    "nobody owes": _nobody_owes,
    "no orphan stacks": _no_orphan_stacks,
    "the house pays by leave": _house_pays_by_leave,
    "guards in place": _guards_in_place,
}
core_audit.register_all(CHECKS)
