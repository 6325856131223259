"""What the house holds for others at any moment, and how its funds got there. Every unit comes to nothing: what is owed
is what the house is out of.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Max, Min, Q, Sum

from cardroom.core import room_time
from cardroom.ledger.models import Account, Transfer
from games.rake.models import Jackpot, JackpotHit
from games.reports import facts
from games.reports.facts import Line, Moved, fund_of
from games.reports.models import DayBook

_DAY = timedelta(days=1)


class Fund(NamedTuple):
    """Accounts of one kind and unit, as one line of the balance."""

    kind: str
    unit: str
    fund: str


@dataclass(frozen=True)
class Holding:
    """`owed`: the house owes it to somebody; else it is the house's own side of the books, or owed to the house."""

    name: str
    unit: str
    amount: int
    is_owed: bool


def balances(*, at: datetime, now: datetime) -> dict[Fund, int]:
    """The balance of each fund at this moment. At most four queries."""
    if at >= now:
        return _balances_now()
    last = facts.added_up().aggregate(last=Max("day"))["last"]
    found: dict[Fund, int] = defaultdict(int)
    start: datetime | None
    if last is None:
        start = Transfer.objects.aggregate(first=Min("at"))["first"]
    else:
        until = min(room_time.day_of(at), last + _DAY)
        rows = DayBook.objects.filter(day__lt=until).order_by().values_list("kind", "unit", "fund")
        for *fund, amount in rows.annotate(chips=Sum("amount")):
            found[Fund(*fund)] += int(amount)
        start = room_time.begins(until)
    if start is not None and start < at:
        for line, moved in facts.book(start, at).items():
            found[Fund(*line[:3])] += moved.amount
    return dict(found)


def _balances_now() -> dict[Fund, int]:
    found: dict[Fund, int] = defaultdict(int)
    held = Account.objects.exclude(balance=0).order_by()
    owned = held.filter(owner__isnull=False).values_list("kind", "unit").annotate(chips=Sum("balance"))
    for kind, unit, chips in owned:
        found[Fund(kind, unit, "")] += int(chips)
    for kind, unit, label, chips in held.filter(owner=None).values_list("kind", "unit", "label", "balance"):
        found[Fund(kind, unit, fund_of(label))] += chips
    return dict(found)


def holdings(*, at: datetime, now: datetime) -> list[Holding]:
    """The balances with their names; what the house owes first."""
    names = dict(Jackpot.objects.values_list("pk", "name"))
    sums: dict[tuple[str, str, bool], int] = defaultdict(int)
    for fund, amount in balances(at=at, now=now).items():
        name, is_owed = _called(fund, names)
        sums[_unit(fund.unit), name, is_owed] += amount
    rows = [
        # More paid for promotions than was dropped for them: nobody is owed that.
        Holding(name, unit, amount, is_owed and not (name == _PROMOTIONS and amount < 0))
        for (unit, name, is_owed), amount in sums.items()
        if amount
    ]
    return sorted(rows, key=lambda row: (_UNITS.get(row.unit, 9), row.unit, not row.is_owed, row.name))


_PROMOTIONS = "Promotions: dropped less paid"
_UNITS = {"cash": 0, "money": 1, "comp": 2}
_OWNED = {"wallet": "Players' wallets", "stack": "Chips of players at tables"}


def _unit(unit: str) -> str:
    """The unit as reported: chips of all events count as one unit, as they have no value outside."""
    return "event chips" if unit.startswith("tournament:") else unit


def _called(fund: Fund, jackpots: dict[int, str]) -> tuple[str, bool]:
    kind, label = fund.kind, fund.fund
    if kind in _OWNED:
        return _OWNED[kind], True
    if kind == Account.Kind.DEBT:
        return "Debts of players to the house", False
    if kind == Account.Kind.DRAWER:
        return "Drawers of the cage", False
    if kind == Account.Kind.POOL:
        return _pool(label, jackpots), True
    if label == "promotions" or label.startswith("promo:"):
        return _PROMOTIONS, True
    return f"The house: {_house(label)}", False


def _pool(label: str, jackpots: dict[int, str]) -> str:
    if label == "chips:table":
        return "Chips on tables in the room"
    what, _, rest = label.partition(":")
    if what == "jackpot":
        number, _, spare = rest.partition(":")
        name = jackpots.get(int(number), f"Jackpot {number}") if number.isdigit() else label
        return f"Jackpot: {name}{', backup' if spare else ''}"
    if "ticket" in label:
        return "Tickets of events"
    return "Prize pools of events" if what == "tournament" else label


def _house(label: str) -> str:
    what = label.partition(":")[0]
    return {"rake": "rake taken", "time": "time collected", "difference": "counts over or short"}.get(
        what, what or "own"
    )


# -- movements -------------------------------------------------------------------------------------------------------


def moved(*, since: datetime, until: datetime) -> dict[Line, Moved]:
    """Movements in this span: whole days from their stored sums, the rest added up now."""
    parts = facts.parts(since, until)
    found: dict[Line, Moved] = defaultdict(Moved)
    if parts.days:
        rows = DayBook.objects.filter(day__range=parts.days).order_by().values_list(*Line._fields)
        for *line, amount, entries in rows.annotate(chips=Sum("amount"), many=Sum("entries")):
            _add(found, Line(*line), Moved(int(amount), entries))
    for start, end in parts.rest:
        for each, sums in facts.book(start, end).items():
            _add(found, each, sums)
    return dict(found)


def _add(found: dict[Line, Moved], line: Line, sums: Moved) -> None:
    found[line].amount += sums.amount
    found[line].entries += sums.entries


@dataclass
class JackpotRow:
    """A jackpot in a span, backup included: what was in it, came by drops, by the house and else, was paid."""

    id: int
    name: str
    start: int = 0
    dropped: int = 0
    added: int = 0
    paid: int = 0
    other: int = 0
    hits: int = 0

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


def jackpots(*, since: datetime, until: datetime, now: datetime) -> list[JackpotRow]:
    """How each jackpot grew and what it paid."""
    rows = {row.pk: JackpotRow(row.pk, row.name) for row in Jackpot.objects.order_by("name")}
    for fund, amount in balances(at=since, now=now).items():
        if row := rows.get(_jackpot(fund.kind, fund.fund)):
            row.start += amount
    for line, sums in moved(since=since, until=until).items():
        if row := rows.get(_jackpot(line.kind, line.fund)):
            name = _SOURCES.get(line.source, "added" if line.source.startswith("jackpot") else "other")
            setattr(row, name, getattr(row, name) + sums.amount)
    paid = Q(state=JackpotHit.State.PAID, decided_at__gte=since, decided_at__lt=until)
    for hit in JackpotHit.objects.filter(paid).values_list("jackpot", flat=True):
        rows[hit].hits += 1
    return list(rows.values())


def _jackpot(kind: str, fund: str) -> int:
    what, _, rest = fund.partition(":")
    number = rest.partition(":")[0]
    return int(number) if kind == Account.Kind.POOL and what == "jackpot" and number.isdigit() else 0
