"""Slips of the cage, by kind, by cashier and by drawer; and chips lent on credit."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Count, F, QuerySet, Sum, Value, When
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy

from cardroom.cage.models import DrawerSession, Slip
from cardroom.core.models import User
from cardroom.ledger.models import Account

CAGE_BY = ("kind", "cashier", "drawer")


#: The place of a difference that belongs to no drawer.
VAULT = gettext_lazy("The vault")


@dataclass
class CageRow:
    """Slips of one kind. `key`: the kind, after the number of the cashier or drawer, if any. `reversed`: the amount of
    their reversals, zero or below."""

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
    *, since: datetime, until: datetime, by: str = "kind", cashier: User | None = None, blind_for: User | None = None
) -> list[CageRow]:
    """Slips by kind and unit, and by cashier or drawer if asked for; a reversal counts with the slip it reverses.

    `cashier`: only slips at their own drawers. `blind_for`: without slips of the drawer that this person has open.
    Slips that moved no money have no drawer; the difference of a count without a drawer is the vault's."""
    is_reversal = Case(When(kind=Slip.Kind.REVERSAL, then=True), default=False)
    what = Case(When(kind=Slip.Kind.REVERSAL, then=F("reverses__kind")), default=F("kind"))
    who, number = {
        "kind": (Value(""), Value(0)),
        "cashier": (F("by__username"), F("by")),
        "drawer": (F("session__drawer__name"), F("session__drawer")),
    }[by]
    counted = _slips(since, until, cashier).exclude(session__in=open_of(blind_for))
    counted = counted.annotate(is_reversal=is_reversal, what=what, who=who, number=number).values_list(
        "is_reversal", "what", "unit", "who", "number"
    )
    labels = dict(Slip.Kind.choices)
    rows: dict[tuple[str, str, str], CageRow] = {}
    for is_back, kind, unit, name, number, many, amount in counted.annotate(many=Count("pk"), chips=Sum("amount")):
        if by == "kind":
            row = CageRow(kind, capfirst(labels[kind]), unit)
        else:
            is_vaults = kind == Slip.Kind.OVER_SHORT
            place = name or (VAULT if is_vaults else gettext("No drawer"))
            words = gettext("{name}: {words}").format(name=place, words=labels[kind])
            row = CageRow(f"{number or ('vault' if is_vaults else 'none')}-{kind}", words, unit)
        row = rows.setdefault((name or "", kind, unit), row)
        if is_back:
            row.reversed += int(amount)
        else:
            row.slips += many
            row.amount += int(amount)
    order = list(labels).index if by == "kind" else str
    return [rows[key] for key in sorted(rows, key=lambda key: (key[0], order(key[1]), key[2]))]


def outstanding(*, at_most: int = 500) -> list[tuple[int, str, int]]:
    """The players who owe the house for chips on credit now: (id, name, chips), the most first."""
    debts = Account.objects.filter(kind=Account.Kind.DEBT, balance__gt=0).order_by("-balance", "owner__username")
    return list(debts.values_list("owner", "owner__username", "balance")[:at_most])


def open_of(viewer: User | None) -> list[int]:
    """The session of the drawer that this person has open and will count; at most one."""
    if viewer is None:
        return []
    rows = DrawerSession.objects.filter(cashier=viewer, state=DrawerSession.State.OPEN)
    return list(rows.values_list("pk", flat=True))


def _slips(since: datetime, until: datetime, cashier: User | None) -> QuerySet[Slip]:
    rows = Slip.objects.filter(at__gte=since, at__lt=until).order_by()
    return rows.filter(session__cashier=cashier) if cashier is not None else rows
