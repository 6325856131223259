"""What went over the cage's counter in a span, by kind of slip, by cashier and by drawer; and what is lent out."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, F, QuerySet, Sum, When

from cardroom.cage.models import DrawerSession, Slip
from cardroom.core.models import User
from cardroom.ledger.models import Account

BY = ("kind", "cashier", "drawer")
#: Where a difference was found that is of no drawer.
VAULT = "The vault"


@dataclass
class CageRow:
    """Slips of one kind. `reversed`: what reversals took back of it, below zero."""

    key: str
    name: str
    unit: str
    slips: int = 0
    amount: int = 0
    reversed: int = 0

    @property
    def net(self) -> int:
        return self.amount + self.reversed


def slips(
    *, since: datetime, until: datetime, cashier: User | None = None, blind_for: User | None = None
) -> list[CageRow]:
    """Slips by kind and unit, reversals with what they reverse; with `cashier` those at their own drawers alone, with
    `blind_for` without those of the drawer that this person has open."""
    rows: dict[tuple[str, str], CageRow] = {}
    labels = dict(Slip.Kind.choices)
    for is_reversal, kind, unit, many, amount in _grouped(since, until, cashier, blind_for, "what", "unit"):
        row = rows.setdefault((kind, unit), CageRow(kind, str(labels[kind]).capitalize(), unit))
        _add(row, is_reversal, many, amount)
    return sorted(rows.values(), key=lambda row: (list(labels).index(row.key), row.unit))


def by_person(
    *, since: datetime, until: datetime, by: str, cashier: User | None = None, blind_for: User | None = None
) -> list[CageRow]:
    """Slips by cashier, or by drawer, and kind. Those that moved no money have no drawer; a difference of a count that
    has none is the vault's."""
    columns = ("by__username",) if by == "cashier" else ("session__drawer__name",)
    rows: dict[tuple[str, str, str], CageRow] = {}
    labels = dict(Slip.Kind.choices)
    for is_reversal, kind, unit, who, many, amount in _grouped(
        since, until, cashier, blind_for, "what", "unit", *columns
    ):
        place = VAULT if kind == Slip.Kind.OVER_SHORT else "No drawer"
        name = f"{who or place}: {labels[kind]}"
        row = rows.setdefault((who or "", kind, unit), CageRow(who or "", name, unit))
        _add(row, is_reversal, many, amount)
    return [rows[key] for key in sorted(rows)]


def outstanding(*, at_most: int = 500) -> list[tuple[str, int]]:
    """Who owes the house for chips on credit now, and how much; the most first."""
    debts = Account.objects.filter(kind=Account.Kind.DEBT, balance__gt=0).order_by("-balance", "owner__username")
    return list(debts.values_list("owner__username", "balance")[:at_most])


def differences(*, since: datetime, until: datetime, cashier: User | None = None) -> dict[str, int]:
    """Counts over or short, by cashier, and of the vault."""
    found: dict[str, int] = defaultdict(int)
    rows = _of(since, until, cashier).filter(kind=Slip.Kind.OVER_SHORT).values_list("session__cashier__username")
    for name, amount in rows.annotate(chips=Sum("amount")):
        found[name or VAULT] += int(amount)
    return dict(found)


def open_of(viewer: User | None) -> list[int]:
    """The session of the drawer that they have open and will count; at most one."""
    if viewer is None:
        return []
    rows = DrawerSession.objects.filter(cashier=viewer, state=DrawerSession.State.OPEN)
    return list(rows.values_list("pk", flat=True))


def _grouped(since: datetime, until: datetime, cashier: User | None, blind_for: User | None, *columns: str) -> Any:
    is_reversal = Case(When(kind=Slip.Kind.REVERSAL, then=True), default=False)
    what = Case(When(kind=Slip.Kind.REVERSAL, then=F("reverses__kind")), default=F("kind"))
    rows = (
        _of(since, until, cashier).exclude(session__in=open_of(blind_for)).annotate(is_reversal=is_reversal, what=what)
    )
    return rows.values_list("is_reversal", *columns).annotate(many=Count("pk"), chips=Sum("amount"))


def _of(since: datetime, until: datetime, cashier: User | None) -> QuerySet[Slip]:
    rows = Slip.objects.filter(at__gte=since, at__lt=until).order_by()
    return rows.filter(session__cashier=cashier) if cashier is not None else rows


def _add(row: CageRow, is_reversal: bool, many: int, amount: int) -> None:
    if is_reversal:
        row.reversed += int(amount)
    else:
        row.slips += many
        row.amount += int(amount)
