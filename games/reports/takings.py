"""What tables took and what players won in a span: days that were added up as they are, the rest added up now."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from typing import Any

from django.db.models import Model, Sum
from django.utils.translation import gettext_lazy

from cardroom.core import room_time
from cardroom.core.models import User
from games.dealers.models import Shift
from games.reports import facts
from games.reports.facts import Income, IncomeSource, PlayersDay
from games.reports.gaming_days import split_span
from games.reports.models import DayIncome, DayPlayer
from games.tables.models.offers import Offer, Section
from games.tables.models.tables import Table

BY = ("day", "month", "shift", "table", "game", "section", "dealer")
#: The most shifts of one report.
MOST_SHIFTS = 60
#: The field of `IncomeSource`, the model and the field of its name, and the name where there is none.
_NAMED: dict[str, tuple[str, type[Model], str, Any]] = {
    "table": ("table", Table, "name", gettext_lazy("(not at a table)")),
    "game": ("offer", Offer, "name", gettext_lazy("No game on offer")),
    "section": ("section", Section, "name", gettext_lazy("No section")),
    "dealer": ("dealer", User, "username", gettext_lazy("The automatic dealer")),
}
#: The key of the row without one.
NONE = {"table": "none", "game": "none", "section": "none", "dealer": "automatic"}


@dataclass(frozen=True)
class ReportRow:
    """A row of a report. `key`: its id, day, month ("2030-01") or a word, the same in every language; `name` is in the
    reader's language."""

    key: str
    name: str
    sums: Any


@dataclass(frozen=True)
class IncomeReport:
    until: datetime
    rows: list[ReportRow]
    total: Income


def report(*, by: str, since: datetime, until: datetime, now: datetime) -> IncomeReport:
    """Takings from `since` on and before `until`, grouped by one of `BY`. By shift: shifts that begin in the span, each
    to its end."""
    until = min(until, now)
    if by == "shift":
        rows = _shifts(since, until, now)
    elif by in ("day", "month"):
        rows = _days(since, until, by)
    else:
        rows = _rows_by(by, income_by_source(since, until))
    return IncomeReport(until, rows, _total(row.sums for row in rows))


def _total(sums: Iterable[Income]) -> Income:
    return reduce(Income.add, sums, Income())


def income_by_source(since: datetime, until: datetime) -> dict[IncomeSource, Income]:
    """Takings by table, game, section and dealer."""
    parts = split_span(since, until)
    incomes: dict[IncomeSource, Income] = defaultdict(Income)
    if parts.days:
        rows = DayIncome.objects.filter(day__range=parts.days).order_by().values_list(*IncomeSource._fields)
        for row in rows.annotate(**{f"sum_{name}": Sum(name) for name in facts.FIELDS}):
            incomes[IncomeSource(*(number or 0 for number in row[:4]))].add(Income(*map(int, row[4:])))
    for start, end in parts.rest:
        for source, sums in facts.income(start, end).items():
            incomes[source].add(sums)
    return dict(incomes)


def _days(since: datetime, until: datetime, by: str) -> list[ReportRow]:
    parts = split_span(since, until)
    income_by_day: dict[date, Income] = defaultdict(Income)
    if parts.days:
        rows = DayIncome.objects.filter(day__range=parts.days).order_by().values_list("day")
        for day, *day_sums in rows.annotate(**{f"sum_{name}": Sum(name) for name in facts.FIELDS}):
            income_by_day[day].add(Income(*map(int, day_sums)))
    for start, end in parts.rest:
        for sums in facts.income(start, end).values():
            income_by_day[room_time.day_of(start)].add(sums)
    if by == "day":
        return [
            ReportRow(day.isoformat(), room_time.format_day(day, "D j M Y"), sums)
            for day, sums in sorted(income_by_day.items())
        ]
    months: dict[str, Income] = defaultdict(Income)
    for day in sorted(income_by_day):
        months[f"{day:%Y-%m}"].add(income_by_day[day])
    return [
        ReportRow(month, room_time.format_day(date.fromisoformat(f"{month}-01"), "F Y"), sums)
        for month, sums in months.items()
    ]


def _rows_by(by: str, incomes: dict[IncomeSource, Income]) -> list[ReportRow]:
    column, model, name, nobody = _NAMED[by]
    grouped: dict[int, Income] = defaultdict(Income)
    for source, sums in incomes.items():
        grouped[getattr(source, column)].add(sums)
    names = dict(model._default_manager.filter(pk__in=grouped).values_list("pk", name))
    rows = [
        ReportRow(str(number or NONE[by]), names.get(number) or str(nobody), sums) for number, sums in grouped.items()
    ]
    return sorted(rows, key=lambda row: (-row.sums.drop, row.name))


def _shifts(since: datetime, until: datetime, now: datetime) -> list[ReportRow]:
    """Takings by shift; only one shift is open at a time, so all are added up together."""
    newest = Shift.objects.filter(opened_at__gte=since, opened_at__lt=until).order_by("-opened_at")[:MOST_SHIFTS]
    shifts = [shift for shift in reversed(newest) if (shift.closed_at or now) > shift.opened_at]
    incomes_by_shift = facts.incomes([(shift.opened_at, shift.closed_at or now) for shift in shifts])
    return [
        ReportRow(str(shift.pk), str(shift), _total(sums.values()))
        for shift, sums in zip(shifts, incomes_by_shift, strict=True)
    ]


def players(*, since: datetime, until: datetime, player: int | None = None) -> list[ReportRow]:
    """Results of players at cash tables in this span, the greatest first; with `player` only theirs."""
    parts = split_span(since, until)
    results_by_player: dict[int, PlayersDay] = defaultdict(PlayersDay)
    if parts.days:
        rows = DayPlayer.objects.filter(day__range=parts.days).order_by().values_list("player")
        rows = rows.filter(player=player) if player is not None else rows
        for number, *sums in rows.annotate(**{f"sum_{name}": Sum(name) for name in facts.PLAYER_FIELDS}):
            results_by_player[number].add(PlayersDay(*map(int, sums)))
    for start, end in parts.rest:
        for number, results in facts.players(start, end).items():
            results_by_player[number].add(results)
    wanted = [number for number in results_by_player if player is None or number == player]
    names = dict(User.objects.filter(pk__in=wanted, is_bot=False).values_list("pk", "username"))
    player_rows = [
        ReportRow(str(number), names[number], results_by_player[number]) for number in wanted if number in names
    ]
    return sorted(player_rows, key=lambda row: (-row.sums.result, row.name))
