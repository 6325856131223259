"""What the house holds for others at any moment, and how its funds got there. In every unit liabilities and assets add
up to zero.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Max, Min, Q, Sum
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import room_time
from cardroom.ledger.models import Account, Transfer
from games.rake.models.drops import Jackpot, JackpotHit
from games.reports import facts
from games.reports.facts import MovementKind, MovementSums, fund_of
from games.reports.gaming_days import added_up, split_span
from games.reports.models import DayBook

_DAY = timedelta(days=1)


class Fund(NamedTuple):
    """Accounts of one kind and unit, as one line of the balance."""

    kind: str
    unit: str
    fund: str


@dataclass(frozen=True)
class Holding:
    """The balance of one fund. `is_owed`: the house owes it to somebody; otherwise it is its own, or owed to it. `key`
    is the same in every language, `name` is in the reader's."""

    key: str
    name: str
    unit: str
    amount: int
    is_owed: bool

    @property
    def owed(self) -> int | None:
        return self.amount if self.is_owed else None

    @property
    def house(self) -> int | None:
        return None if self.is_owed else self.amount


def balances(*, at: datetime, now: datetime) -> dict[Fund, int]:
    """The balance of each fund at this moment. At most four queries."""
    if at >= now:
        return _balances_now()
    last = added_up().aggregate(last=Max("day"))["last"]
    amounts: dict[Fund, int] = defaultdict(int)
    start: datetime | None
    if last is None:
        start = Transfer.objects.aggregate(first=Min("at"))["first"]
    else:
        until = min(room_time.day_of(at), last + _DAY)
        rows = DayBook.objects.filter(day__lt=until).order_by().values_list("kind", "unit", "fund")
        for *fund, amount in rows.annotate(chips=Sum("amount")):
            amounts[Fund(*fund)] += int(amount)
        start = room_time.begins(until)
    if start is not None and start < at:
        for line, movements in facts.movements(start, at).items():
            amounts[Fund(*line[:3])] += movements.amount
    return dict(amounts)


def _balances_now() -> dict[Fund, int]:
    amounts: dict[Fund, int] = defaultdict(int)
    held = Account.objects.exclude(balance=0).order_by()
    owned = held.filter(owner__isnull=False).values_list("kind", "unit").annotate(chips=Sum("balance"))
    for kind, unit, chips in owned:
        amounts[Fund(kind, unit, "")] += int(chips)
    for kind, unit, label, chips in held.filter(owner=None).values_list("kind", "unit", "label", "balance"):
        amounts[Fund(kind, unit, fund_of(label))] += chips
    return dict(amounts)


def holdings(*, at: datetime, now: datetime) -> list[Holding]:
    """The balances with their names; what the house owes first."""
    names = dict(Jackpot.objects.values_list("pk", "name"))
    sums: dict[tuple[str, str, str, bool], int] = defaultdict(int)
    for fund, amount in balances(at=at, now=now).items():
        key, name, is_owed = _describe(fund, names)
        sums[key, name, _unit(fund.unit), is_owed] += amount
    rows = [
        # Below zero, promotions paid out more than was dropped for them: the house owes that to nobody.
        Holding(key, name, unit, amount, is_owed and not (key == _PROMOTIONS and amount < 0))
        for (key, name, unit, is_owed), amount in sums.items()
        if amount
    ]
    return sorted(rows, key=lambda row: (_UNITS.get(row.unit, 9), row.unit, not row.is_owed, row.key))


_PROMOTIONS = "promotions"


_UNITS = {"cash": 0, "money": 1, "comp": 2}


#: Chips of all events count as one unit, as they have no value outside.
EVENT_CHIPS = "event-chips"


_HELD = {
    "wallets": gettext_lazy("Players' wallets"),
    "stacks": gettext_lazy("Chips of players at tables"),
    "debts": gettext_lazy("Debts of players to the house"),
    "drawers": gettext_lazy("Drawers of the cage"),
    _PROMOTIONS: gettext_lazy("Promotions payable"),
    "chips-on-tables": gettext_lazy("Chips on tables in the room"),
    "tickets": gettext_lazy("Tickets of tournaments"),
    "prize-pools": gettext_lazy("Prize pools of tournaments"),
}


_KINDS = {
    Account.Kind.WALLET: ("wallets", True),
    Account.Kind.STACK: ("stacks", True),
    Account.Kind.DEBT: ("debts", False),
    Account.Kind.DRAWER: ("drawers", False),
}


def _unit(unit: str) -> str:
    """The unit as reported."""
    return EVENT_CHIPS if unit.startswith("tournament:") else unit


def _describe(fund: Fund, jackpots: dict[int, str]) -> tuple[str, str, bool]:
    """The key and name of a fund, and whether the house owes it."""
    label = fund.fund
    if fund.kind in _KINDS:
        key, is_owed = _KINDS[fund.kind]
        return key, str(_HELD[key]), is_owed
    if fund.kind == Account.Kind.POOL:
        return *_pool_fund(label, jackpots), True
    if label == "promotions" or label.startswith("promo:"):
        return _PROMOTIONS, str(_HELD[_PROMOTIONS]), True
    return *_house_fund(label), False


def _pool_fund(label: str, jackpots: dict[int, str]) -> tuple[str, str]:
    what, _, rest = label.partition(":")
    if what == "jackpot":
        number, _, spare = rest.partition(":")
        called = gettext("Jackpot: {name}, backup") if spare else gettext("Jackpot: {name}")
        name = gettext("Jackpot {number}").format(number=number)
        return slugify(label.replace(":", "-")), called.format(
            name=jackpots.get(int(number), name) if number.isdigit() else label
        )
    key = "chips-on-tables" if label == "chips:table" else "tickets" if "ticket" in label else "prize-pools"
    if key == "prize-pools" and what != "tournament":
        return slugify(label.replace(":", "-")), label
    return key, str(_HELD[key])


_HOUSE = {
    "rake": gettext_lazy("The house: rake taken"),
    "time": gettext_lazy("The house: time collected"),
    "difference": gettext_lazy("The house: counts over or short"),
    "over-short": gettext_lazy("The house: drawers over or short"),
    "adjustments": gettext_lazy("The house: adjustments"),
    "bank": gettext_lazy("The house: bank"),
    "cash desk": gettext_lazy("The house: cash desk"),
    "chips": gettext_lazy("The house: chips"),
    "comps": gettext_lazy("The house: comps"),
    "credit": gettext_lazy("The house: credit"),
    "fees": gettext_lazy("The house: fees"),
    "guarantees": gettext_lazy("The house: guarantees"),
    "play money": gettext_lazy("The house: play money"),
    "staff": gettext_lazy("The house: staff"),
    "street": gettext_lazy("The house: money from players"),
    "vault": gettext_lazy("The house: vault"),
    "": gettext_lazy("The house: own"),
}


def _house_fund(label: str) -> tuple[str, str]:
    what = label.partition(":")[0]
    name = str(_HOUSE[what]) if what in _HOUSE else gettext("The house: {what}").format(what=what)
    return f"house-{slugify(what) or 'own'}", name


def movements(*, since: datetime, until: datetime) -> dict[MovementKind, MovementSums]:
    """Movements in this span: whole days from their stored sums, the rest added up now."""
    parts = split_span(since, until)
    sums_by_kind: dict[MovementKind, MovementSums] = defaultdict(MovementSums)
    if parts.days:
        rows = DayBook.objects.filter(day__range=parts.days).order_by().values_list(*MovementKind._fields)
        for *line, amount, entries in rows.annotate(chips=Sum("amount"), many=Sum("entries")):
            sums_by_kind[MovementKind(*line)].add(MovementSums(int(amount), entries))
    for start, end in parts.rest:
        for kind, sums in facts.movements(start, end).items():
            sums_by_kind[kind].add(sums)
    return dict(sums_by_kind)


@dataclass
class JackpotReportRow:
    """A jackpot in a span, its backup included: chips at the start, dropped, added by the house, paid, and other."""

    id: int
    name: str
    start: int = 0
    dropped: int = 0
    added: int = 0
    paid: int = 0
    other: int = 0
    hits: int = 0

    @property
    def key(self) -> str:
        return str(self.id)

    @property
    def end(self) -> int:
        return self.start + self.dropped + self.added + self.paid + self.other


_SOURCES = {
    "hand": "dropped",
    "box": "dropped",
    "jackpot-hit": "paid",
    "jackpot-seed": "added",
    "jackpot-growth": "added",
}


def jackpots(*, since: datetime, until: datetime, now: datetime) -> list[JackpotReportRow]:
    """How each jackpot grew and what it paid."""
    rows = {row.pk: JackpotReportRow(row.pk, row.name) for row in Jackpot.objects.order_by("name")}
    for fund, amount in balances(at=since, now=now).items():
        if row := rows.get(_jackpot_id(fund.kind, fund.fund)):
            row.start += amount
    for line, sums in movements(since=since, until=until).items():
        if row := rows.get(_jackpot_id(line.kind, line.fund)):
            name = _SOURCES.get(line.source, "added" if line.source.startswith("jackpot") else "other")
            setattr(row, name, getattr(row, name) + sums.amount)
    paid = Q(state=JackpotHit.State.PAID, decided_at__gte=since, decided_at__lt=until)
    for hit in JackpotHit.objects.filter(paid).values_list("jackpot", flat=True):
        rows[hit].hits += 1
    return list(rows.values())


def _jackpot_id(kind: str, fund: str) -> int:
    what, _, rest = fund.partition(":")
    number = rest.partition(":")[0]
    return int(number) if kind == Account.Kind.POOL and what == "jackpot" and number.isdigit() else 0
