"""What the room took in a span: by table, game, section, dealer, shift, day or month."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Sum

from cardroom.models import User
from cardroom.services.errors import Invalid
from games.models import DayIncome, Offer, Section, Shift, Table
from games.selectors.reports import facts, spans
from games.selectors.reports.facts import Income
from games.selectors.reports.uses import Where

BY = ("day", "month", "shift", "table", "game", "section", "dealer")
#: The most shifts of one report.
MOST_SHIFTS = 60
_COLUMN = {"table": "table", "game": "offer", "section": "section", "dealer": "dealer"}
_NOBODY = {
    "table": "No table",
    "game": "No game on offer",
    "section": "No section",
    "dealer": "The automatic dealer",
}


@dataclass(frozen=True)
class Row:
    """A line of the report: `key` is the id, or the day, the month ("2030-01") it is about."""

    key: str
    name: str
    sums: Income


@dataclass(frozen=True)
class IncomeReport:
    by: str
    since: datetime
    until: datetime
    rows: list[Row]
    total: Income


def report(*, by: str, since: datetime, until: datetime, now: datetime) -> IncomeReport:
    """What was taken from `since` on and before `until`. By shift: of the shifts that begin then, to their ends.

    Refuses: `Invalid` (there is no such order).
    """
    if by not in BY:
        raise Invalid(f"Reports are by {', '.join(BY)}.", "no-such-report")
    until = min(until, now)
    if by == "shift":
        rows = _shifts(since, until, now)
    elif by in ("day", "month"):
        rows = _days(since, until, by)
    else:
        rows = _named(by, cells(since, until))
    total = Income()
    for row in rows:
        total.add(row.sums)
    return IncomeReport(by, since, until, rows, total)


def cells(since: datetime, until: datetime) -> dict[Where, Income]:
    """Takings by whom they belong to: days that were added up as they were, the rest added up now."""
    parts = spans.parts(since, until)
    found: dict[Where, Income] = defaultdict(Income)
    if parts.days:
        rows = DayIncome.objects.filter(day__range=parts.days).order_by().values_list(*Where._fields)
        for row in rows.annotate(**{f"sum_{name}": Sum(name) for name in facts.FIELDS}):
            found[Where(*(each or 0 for each in row[:4]))].add(Income(*map(int, row[4:])))
    for start, end in parts.rest:
        for where, sums in facts.income(start, end).items():
            found[where].add(sums)
    return dict(found)


def _days(since: datetime, until: datetime, by: str) -> list[Row]:
    parts = spans.parts(since, until)
    found: dict[date, Income] = defaultdict(Income)
    if parts.days:
        rows = DayIncome.objects.filter(day__range=parts.days).order_by().values_list("day")
        for day, *kept in rows.annotate(**{f"sum_{name}": Sum(name) for name in facts.FIELDS}):
            found[day].add(Income(*map(int, kept)))
    for start, end in parts.rest:
        for sums in facts.income(start, end).values():
            found[spans.day_of(start)].add(sums)
    if by == "day":
        return [Row(day.isoformat(), f"{day:%a} {day.day} {day:%b %Y}", sums) for day, sums in sorted(found.items())]
    months: dict[str, Income] = defaultdict(Income)
    for day in sorted(found):
        months[f"{day:%Y-%m}"].add(found[day])
    return [Row(month, f"{date.fromisoformat(f'{month}-01'):%B %Y}", sums) for month, sums in months.items()]


def _named(by: str, found: dict[Where, Income]) -> list[Row]:
    column = _COLUMN[by]
    grouped: dict[int, Income] = defaultdict(Income)
    for where, sums in found.items():
        grouped[getattr(where, column)].add(sums)
    names = _NAMES[by](list(grouped))
    rows = [
        Row(str(number) if number else "", names.get(number) or _NOBODY[by], sums) for number, sums in grouped.items()
    ]
    return sorted(rows, key=lambda row: (-row.sums.drop, row.name))


_NAMES: dict[str, Callable[[list[int]], dict[int, str]]] = {
    "table": lambda ids: dict(Table.objects.filter(pk__in=ids).values_list("pk", "name")),
    "game": lambda ids: dict(Offer.objects.filter(pk__in=ids).values_list("pk", "name")),
    "section": lambda ids: dict(Section.objects.filter(pk__in=ids).values_list("pk", "name")),
    "dealer": lambda ids: dict(User.objects.filter(pk__in=ids).values_list("pk", "username")),
}


def of_shift(shift: Shift, *, now: datetime) -> Income:
    """All that was taken in a shift, until now where it is open."""
    total = Income()
    for sums in cells(shift.opened_at, shift.closed_at or now).values():
        total.add(sums)
    return total


def _shifts(since: datetime, until: datetime, now: datetime) -> list[Row]:
    """One shift is open at a time, so they are added up together."""
    newest = Shift.objects.filter(opened_at__gte=since, opened_at__lt=until).order_by("-opened_at")[:MOST_SHIFTS]
    shifts = [shift for shift in reversed(newest) if (shift.closed_at or now) > shift.opened_at]
    rows = []
    for shift, found in zip(shifts, facts.incomes([_span(shift, now) for shift in shifts]), strict=True):
        total = Income()
        for sums in found.values():
            total.add(sums)
        rows.append(Row(str(shift.pk), str(shift), total))
    return rows


def _span(shift: Shift, now: datetime) -> tuple[datetime, datetime]:
    return shift.opened_at, shift.closed_at or now
