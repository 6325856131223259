"""Proof that the books are right, found out by adding up again and not by trusting what wrote them.

Each check is a function that yields its faults in words. The house brings those of the ledger; an app registers its
own in `AppConfig.ready`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import structlog
from django.db import connection, transaction
from django.db.models import F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from cardroom.models import Account, Entry, guards

log = structlog.get_logger(__name__)

Check = Callable[[], Iterable[str]]


@dataclass(frozen=True)
class Report:
    checks: list[str]
    faults: list[str]


_checks: dict[str, Check] = {}


def register(name: str, check: Check) -> None:
    """Add a check under a name of its own, such as "stacks equal replayed hands"."""
    if _checks.setdefault(name, check) is not check:
        raise ValueError(f"there is already a check named {name!r}")


def check() -> list[str]:
    """Run every check; the faults in words, none if all is well."""
    return run().faults


def run(*, only: Collection[str] = ()) -> Report:
    """Run every check (`only`: those of these names), and say which were run. A check that cannot be carried out is
    itself a fault.

    All of them look at one moment, and nobody waits for them: the room may be in play meanwhile.
    """
    checks = {name: _checks[name] for name in only or _checks}
    with one_moment():
        faults = [
            f"{name}: {fault}" for name, find_faults in checks.items() for fault in _carried_out(name, find_faults)
        ]
    return Report(checks=list(checks), faults=faults)


def _carried_out(name: str, find_faults: Check) -> list[str]:
    try:
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            return list(find_faults())
    except Exception:
        log.exception("audit check failed", check=name)
        return ["the check itself failed; the log says why"]


@contextmanager
def one_moment() -> Iterator[None]:
    """A transaction that sees the database as it is when it begins, and writes nothing; the caller's own, if any."""
    connection.ensure_connection()
    is_begun = connection.vendor == "sqlite" and connection.connection.in_transaction
    if connection.in_atomic_block or is_begun:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")  # Django's own would shut out whoever writes
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")


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


def _guards_in_place() -> Iterator[str]:
    for name in guards.missing(connection):
        yield f"the database's own guard {name} is missing; `manage.py migrate` puts it back"


register("transfers balance", _transfers_balance)
register("balances equal entries", _balances_equal_entries)
register("nobody owes", _nobody_owes)
register("no orphan stacks", _no_orphan_stacks)
register("guards in place", _guards_in_place)
