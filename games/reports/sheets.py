"""Every report as one kind of table: columns, rows, a sum, and bars. Pages, files, mails and the API each show it."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db.models import Sum

from cardroom.cage import queries as cage_queries
from cardroom.cage.books import MONEY
from cardroom.core import room_time
from cardroom.core.errors import Invalid
from cardroom.core.models import User
from games.dealers import queries as dealer_queries
from games.dealers.models import Shift
from games.reports import books as report_books
from games.reports import cage, facts
from games.reports.facts import Income, PlayersDay, Where
from games.reports.models import DayIncome, DayPlayer
from games.tables.models.offers import Offer, Section
from games.tables.models.tables import Table

# What the room took, by table, game, section, dealer, shift, day or month


BY = ("day", "month", "shift", "table", "game", "section", "dealer")
#: The most shifts of one report.
MOST_SHIFTS = 60
_COLUMN = {"table": "table", "game": "offer", "section": "section", "dealer": "dealer"}
_NOBODY = {"table": "No table", "game": "No game on offer", "section": "No section", "dealer": "The automatic dealer"}


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
    parts = facts.parts(since, until)
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
    parts = facts.parts(since, until)
    found: dict[date, Income] = defaultdict(Income)
    if parts.days:
        rows = DayIncome.objects.filter(day__range=parts.days).order_by().values_list("day")
        for day, *kept in rows.annotate(**{f"sum_{name}": Sum(name) for name in facts.FIELDS}):
            found[day].add(Income(*map(int, kept)))
    for start, end in parts.rest:
        for sums in facts.income(start, end).values():
            found[room_time.day_of(start)].add(sums)
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
    """Takings by shift; only one shift is open at a time, so all are added up together."""
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


# Players' results, for managers


@dataclass(frozen=True)
class PlayerRow:
    player: int
    name: str
    sums: PlayersDay


def players(*, since: datetime, until: datetime, player: int | None = None) -> list[PlayerRow]:
    """Everybody who played at cash tables in this span, the greatest results first; with `player` them alone."""
    parts = facts.parts(since, until)
    found: dict[int, PlayersDay] = defaultdict(PlayersDay)
    if parts.days:
        rows = DayPlayer.objects.filter(day__range=parts.days).order_by().values_list("player")
        rows = rows.filter(player=player) if player is not None else rows
        for number, *sums in rows.annotate(**{f"sum_{name}": Sum(name) for name in facts.PLAYER_FIELDS}):
            found[number].add(PlayersDay(*map(int, sums)))
    for start, end in parts.rest:
        for number, each in facts.players(start, end).items():
            found[number].add(each)
    wanted = [number for number in found if player is None or number == player]
    names = dict(User.objects.filter(pk__in=wanted, is_bot=False).values_list("pk", "username"))
    rows_ = [PlayerRow(number, names[number], found[number]) for number in wanted if number in names]
    return sorted(rows_, key=lambda row: (-row.sums.result, row.name))


Value = int | str | None


@dataclass(frozen=True)
class Column:
    """`form`: "text", "chips" (a whole number), "signed" (with its sign) or "hours" (seconds, told as hours)."""

    key: str
    title: str
    form: str = "chips"


@dataclass(frozen=True)
class Sheet:
    """`rows` have a value for each column, `total` for some; `bars`: (name, chips), what the report is about at a
    glance, of what `bars_of` says."""

    name: str
    title: str
    since: datetime
    until: datetime
    columns: Sequence[Column]
    rows: list[dict[str, Value]]
    total: dict[str, Value] = field(default_factory=dict)
    bars: list[tuple[str, int]] = field(default_factory=list)
    bars_of: str = ""
    note: str = ""


@dataclass(frozen=True)
class Asked:
    """What a report is asked for. `cashier`: only what went over their own drawers. `viewer`: who reads it; counts are
    blind, so what adds up to what they may come to count is left out."""

    since: datetime
    until: datetime
    now: datetime
    by: str = ""
    player: int | None = None
    cashier: User | None = None
    viewer: User | None = None


_BLIND = "Counts are blind: {} is hidden from anybody who may count it."
_INCOME = (
    Column("rake", "Rake"),
    Column("time", "Time"),
    Column("promo", "Promotional"),
    Column("jackpot", "Jackpot"),
    Column("drop", "All"),
    Column("comps", "Comps"),
    Column("hands", "Hands"),
    Column("seconds", "Player hours", "hours"),
    Column("per_hour", "An hour"),
)
_BY = {
    "day": "day",
    "month": "month",
    "shift": "shift",
    "table": "table",
    "game": "game on offer",
    "section": "section",
    "dealer": "dealer",
}


def drop(asked: Asked) -> Sheet:
    """What was taken of the players, and comps given."""
    by = asked.by or "day"
    found = report(by=by, since=asked.since, until=asked.until, now=asked.now)
    return Sheet(
        name="drop",
        title=f"Drop by {_BY[by]}",
        since=found.since,
        until=found.until,
        columns=(Column("name", _BY[by].capitalize(), "text"), *_INCOME),
        rows=[{"key": row.key, "name": row.name, **_income(row.sums)} for row in found.rows],
        total=_income(found.total),
        bars=[(row.name, row.sums.drop) for row in found.rows],
        bars_of="drop in all",
        note="Comps are points. An hour: the drop for an hour of one player in their seat.",
    )


def _income(sums: Income) -> dict[str, Value]:
    return {column.key: getattr(sums, column.key) for column in _INCOME}


def counter(asked: Asked) -> Sheet:
    """Slips of the cage."""
    by = asked.by or "kind"
    span = {"since": asked.since, "until": asked.until, "cashier": asked.cashier, "blind_for": asked.viewer}
    rows = cage.slips(**span) if by == "kind" else cage.by_person(**span, by=by)  # type: ignore[arg-type]
    return Sheet(
        name="cage",
        title="Cage by kind of slip" if by == "kind" else f"Cage by {by}",
        since=asked.since,
        until=asked.until,
        columns=(
            Column("name", "Slips", "text"),
            Column("unit", "Unit", "text"),
            Column("slips", "How many"),
            Column("amount", "Written"),
            Column("reversed", "Reversed", "signed"),
            Column("net", "In all"),
        ),
        rows=[
            {"key": row.key, "name": row.name, "unit": row.unit, "slips": row.slips, "amount": row.amount,
             "reversed": row.reversed, "net": row.net}
            for row in rows
        ],
        bars=[(f"{row.name} ({row.unit})", row.net) for row in rows],
        bars_of="slips in all, reversals taken off",
        note=_BLIND.format("what went over the drawer you have open") if cage.open_of(asked.viewer) else "",
    )  # fmt: skip


def credit(asked: Asked) -> Sheet:
    """Chips on credit that were not paid back, as of now."""
    rows = [] if asked.cashier is not None else cage.outstanding()
    return Sheet(
        name="credit",
        title="Credit outstanding",
        since=asked.now,
        until=asked.now,
        columns=(Column("name", "Player", "text"), Column("owed", "Owes")),
        rows=[{"key": name, "name": name, "owed": chips} for name, chips in rows],
        total={"owed": sum(chips for _, chips in rows)},
        bars=rows,
        bars_of="owed to the house",
    )


def liabilities(asked: Asked) -> Sheet:
    """What the house holds for others at `until`."""
    at = min(asked.until, asked.now)
    is_blind = asked.viewer is not None and not cage_queries.sees_money(asked.viewer)
    rows = [row for row in report_books.holdings(at=at, now=asked.now) if not (is_blind and row.unit == MONEY)]
    owed = [row for row in rows if row.is_owed and row.unit == "cash"]
    return Sheet(
        name="liabilities",
        title="Liabilities",
        since=at,
        until=at,
        columns=(
            Column("name", "What", "text"),
            Column("unit", "Unit", "text"),
            Column("owed", "Owed", "signed"),
            Column("house", "The house's side", "signed"),
        ),
        rows=[
            {"key": row.name, "name": row.name, "unit": row.unit, "owed": row.amount if row.is_owed else None,
             "house": None if row.is_owed else row.amount}
            for row in rows
        ],
        total={"unit": "cash", "owed": sum(row.amount for row in owed),
               "house": sum(row.amount for row in rows if row.unit == "cash" and not row.is_owed)},
        bars=[(row.name, row.amount) for row in owed],
        bars_of="owed in chips",
        note="In every unit both sides balance."
        + (" " + _BLIND.format("money in drawers and in the vault") if is_blind else ""),
    )  # fmt: skip


def results(asked: Asked) -> Sheet:
    """Players' results at cash tables."""
    rows = players(since=asked.since, until=min(asked.until, asked.now), player=asked.player)
    return Sheet(
        name="players",
        title="Players' results",
        since=asked.since,
        until=asked.until,
        columns=(
            Column("name", "Player", "text"),
            Column("result", "Result", "signed"),
            Column("net", "Hands dealt here", "signed"),
            Column("room", "Tables in the room", "signed"),
            Column("time", "Time paid"),
            Column("taken", "Drop given"),
            Column("hands", "Hands"),
            Column("seconds", "Hours", "hours"),
        ),
        rows=[
            {"key": str(row.player), "name": row.name, "result": row.sums.result, "net": row.sums.net,
             "room": row.sums.room, "time": row.sums.time, "taken": row.sums.taken, "hands": row.sums.hands,
             "seconds": row.sums.seconds}
            for row in rows
        ],
        bars=[(row.name, row.sums.result) for row in (rows if len(rows) < 20 else rows[:10] + rows[-10:])],
        bars_of="won and lost",
        note="At a table in the room: what was taken away less what was brought, so a stay still going is lost so far.",
    )  # fmt: skip


def jackpots(asked: Asked) -> Sheet:
    """How jackpots grew and what they paid."""
    rows = report_books.jackpots(since=asked.since, until=min(asked.until, asked.now), now=asked.now)
    keys = ("start", "dropped", "added", "paid", "other", "end", "hits")
    return Sheet(
        name="jackpots",
        title="Jackpots",
        since=asked.since,
        until=asked.until,
        columns=(
            Column("name", "Jackpot", "text"),
            Column("start", "At the start"),
            Column("dropped", "Dropped"),
            Column("added", "By the house", "signed"),
            Column("paid", "Paid", "signed"),
            Column("other", "Else", "signed"),
            Column("end", "At the end"),
            Column("hits", "Hits"),
        ),
        rows=[{"key": str(row.id), "name": row.name, **{key: getattr(row, key) for key in keys}} for row in rows],
        total={key: sum(getattr(row, key) for row in rows) for key in keys},
        bars=[(row.name, row.end) for row in rows],
        bars_of="at the end",
    )


def downs(asked: Asked) -> Sheet:
    """How long each dealer dealt, and what was dropped with them."""
    until = min(asked.until, asked.now)
    found = report(by="dealer", since=asked.since, until=until, now=asked.now)
    taken = {row.key: row.sums for row in found.rows}
    rows: list[dict[str, Value]] = []
    for row in dealer_queries.work(since=asked.since, until=until):
        sums = taken.get(str(row.dealer), Income())
        hourly = round(sums.drop * 3600 / row.seconds) if row.seconds else None
        rows.append(
            {"key": str(row.dealer), "name": row.name, "downs": row.downs, "seconds": row.seconds,
             "longest": row.longest, "hands": sums.hands, "drop": sums.drop, "per_hour": hourly}
        )  # fmt: skip
    return Sheet(
        name="dealers",
        title="Dealers",
        since=asked.since,
        until=until,
        columns=(
            Column("name", "Dealer", "text"),
            Column("downs", "Downs"),
            Column("seconds", "Hours dealt", "hours"),
            Column("longest", "Longest down", "hours"),
            Column("hands", "Hands"),
            Column("drop", "Drop"),
            Column("per_hour", "An hour"),
        ),
        rows=rows,
        bars=[(str(row["name"]), int(row["seconds"] or 0) // 60) for row in rows],
        bars_of="minutes dealt",
    )


REPORTS: dict[str, Callable[[Asked], Sheet]] = {
    "drop": drop,
    "cage": counter,
    "credit": credit,
    "liabilities": liabilities,
    "players": results,
    "jackpots": jackpots,
    "dealers": downs,
}
#: What each report can be by; the first where nothing is said.
GROUPINGS: dict[str, tuple[str, ...]] = {"drop": BY, "cage": cage.BY}
#: Of these a cashier sees their own drawers.
OF_THE_CAGE = ("cage",)


def shown(value: Any, form: str) -> str:
    """A value as text."""
    if value is None:
        return "–"
    if form == "hours":
        return f"{value // 3600}:{value % 3600 // 60:02}"
    if form == "signed":
        return f"{value:+,}" if value else "0"
    return f"{value:,}" if form == "chips" else str(value)
