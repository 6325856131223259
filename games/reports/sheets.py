"""Every report as one kind of table: columns, rows, a sum, and bars. Pages, files, mails and the API each show it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import reduce
from typing import Any

from django.db.models import Model, Sum
from django.utils.translation import gettext, gettext_lazy, pgettext

from cardroom.cage import queries as cage_queries
from cardroom.cage.books import MONEY, UNITS
from cardroom.core import room_time
from cardroom.core.models import User
from cardroom.core.sentences import number, signed
from games.dealers import queries as dealer_queries
from games.dealers.models import Shift
from games.reports import books as report_books
from games.reports import cage, facts, one_way
from games.reports.facts import Income, PlayersDay, Where
from games.reports.models import DayIncome, DayPlayer
from games.tables.models.offers import Offer, Section
from games.tables.models.tables import Table

# What the room took, by table, game, section, dealer, shift, day or month


BY = ("day", "month", "shift", "table", "game", "section", "dealer")
#: The most shifts of one report.
MOST_SHIFTS = 60
#: The column of `Where`, the model and its name; what is said where there is none.
_NAMED: dict[str, tuple[str, type[Model], str, Any]] = {
    "table": ("table", Table, "name", gettext_lazy("(not at a table)")),
    "game": ("offer", Offer, "name", gettext_lazy("No game on offer")),
    "section": ("section", Section, "name", gettext_lazy("No section")),
    "dealer": ("dealer", User, "username", gettext_lazy("The automatic dealer")),
}
#: The key of what is none of them.
NONE = {"table": "none", "game": "none", "section": "none", "dealer": "automatic"}


@dataclass(frozen=True)
class Row:
    """A line of a report: `key` is the id, the day or the month ("2030-01") that it is about, or says what it is; the
    same in every language. `name` is for people."""

    key: str
    name: str
    sums: Any


@dataclass(frozen=True)
class IncomeReport:
    until: datetime
    rows: list[Row]
    total: Income


def report(*, by: str, since: datetime, until: datetime, now: datetime) -> IncomeReport:
    """What was taken from `since` on and before `until`, by one of `BY`. By shift: of the shifts that begin then, to
    their ends."""
    until = min(until, now)
    if by == "shift":
        rows = _shifts(since, until, now)
    elif by in ("day", "month"):
        rows = _days(since, until, by)
    else:
        rows = _named(by, cells(since, until))
    return IncomeReport(until, rows, _total(row.sums for row in rows))


def _total(sums: Iterable[Income]) -> Income:
    return reduce(Income.add, sums, Income())


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
        return [Row(day.isoformat(), room_time.written(day, "D j M Y"), sums) for day, sums in sorted(found.items())]
    months: dict[str, Income] = defaultdict(Income)
    for day in sorted(found):
        months[f"{day:%Y-%m}"].add(found[day])
    return [
        Row(month, room_time.written(date.fromisoformat(f"{month}-01"), "F Y"), sums) for month, sums in months.items()
    ]


def _named(by: str, found: dict[Where, Income]) -> list[Row]:
    column, model, name, nobody = _NAMED[by]
    grouped: dict[int, Income] = defaultdict(Income)
    for where, sums in found.items():
        grouped[getattr(where, column)].add(sums)
    names = dict(model._default_manager.filter(pk__in=grouped).values_list("pk", name))
    rows = [Row(str(number or NONE[by]), names.get(number) or str(nobody), sums) for number, sums in grouped.items()]
    return sorted(rows, key=lambda row: (-row.sums.drop, row.name))


def _shifts(since: datetime, until: datetime, now: datetime) -> list[Row]:
    """Takings by shift; only one shift is open at a time, so all are added up together."""
    newest = Shift.objects.filter(opened_at__gte=since, opened_at__lt=until).order_by("-opened_at")[:MOST_SHIFTS]
    shifts = [shift for shift in reversed(newest) if (shift.closed_at or now) > shift.opened_at]
    found = facts.incomes([(shift.opened_at, shift.closed_at or now) for shift in shifts])
    return [Row(str(shift.pk), str(shift), _total(sums.values())) for shift, sums in zip(shifts, found, strict=True)]


# Players' results, for managers


def players(*, since: datetime, until: datetime, player: int | None = None) -> list[Row]:
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
    found_rows = [Row(str(number), names[number], found[number]) for number in wanted if number in names]
    return sorted(found_rows, key=lambda row: (-row.sums.result, row.name))


Value = int | str | None
Columns = dict[str, str]


@dataclass(frozen=True)
class Column:
    """`form`: "text", "unit" ("cash", "money" or "comp"), "chips" (a whole number), "signed" (with its sign) or "hours"
    (seconds, told as hours)."""

    key: str
    title: str
    form: str = "chips"

    @property
    def is_number(self) -> bool:
        return self.form not in ("text", "unit")


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

    @property
    def data(self) -> list[dict[str, Value]]:
        """The rows for programs: in the order of their keys, whoever reads them."""
        return sorted(self.rows, key=lambda row: (_in_order(str(row["key"])), str(row.get("unit", ""))))


def _in_order(key: str) -> list[tuple[bool, int, str]]:
    """Numbers in a key by their size, and before words."""
    parts = key.split("-")
    return [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


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


def _columns(said: Columns) -> tuple[Column, ...]:
    """Columns from {"key form": title}; without a form chips."""
    found = []
    for told, title in said.items():
        key, _, form = told.partition(" ")
        found.append(Column(key, title, form or "chips"))
    return tuple(found)


def _sheet(asked: Asked, name: str, title: str, columns: Columns, rows: Iterable[Any], **more: Any) -> Sheet:
    """A sheet of the span that is asked for. `rows` are dictionaries, or have a `key` and what `columns` name, some of
    it in their `sums`."""
    all_of = _columns(columns)
    shown = [
        row if isinstance(row, dict) else {"key": row.key, **{one.key: _value(row, one.key) for one in all_of}}
        for row in rows
    ]
    return Sheet(**{"name": name, "title": title, "since": asked.since, "until": asked.until, "columns": all_of,
                    "rows": shown} | more)  # fmt: skip


def _value(row: Any, key: str) -> Value:
    return getattr(row if hasattr(row, key) else row.sums, key)


#: The title and the first column, by what a report is told by.
_DROP_BY = {
    "day": (gettext_lazy("Drop by day"), gettext_lazy("Day")),
    "month": (gettext_lazy("Drop by month"), gettext_lazy("Month")),
    "shift": (gettext_lazy("Drop by shift"), gettext_lazy("Shift")),
    "table": (gettext_lazy("Drop by table"), gettext_lazy("Table")),
    "game": (gettext_lazy("Drop by game on offer"), gettext_lazy("Game on offer")),
    "section": (gettext_lazy("Drop by section"), gettext_lazy("Section")),
    "dealer": (gettext_lazy("Drop by dealer"), gettext_lazy("Dealer")),
}
_CAGE_BY = {
    "kind": (gettext_lazy("Cage by kind of slip"), gettext_lazy("Kind of slip")),
    "cashier": (gettext_lazy("Cage by cashier"), gettext_lazy("Cashier")),
    "drawer": (gettext_lazy("Cage by drawer"), gettext_lazy("Drawer")),
}


def _blind(what: str) -> str:
    return gettext("Counts are blind: {what} is hidden from anybody who may count it.").format(what=what)


def _income() -> Columns:
    return {
        "rake": gettext("Rake"),
        "time": pgettext("time charge", "Time"),
        "promo": gettext("Promotional"),
        "jackpot": gettext("Jackpot"),
        "drop": gettext("Total"),
        "comps": gettext("Comps"),
        "hands": gettext("Hands"),
        "seconds hours": gettext("Player hours"),
        "per_hour": gettext("Per seat-hour"),
    }


def drop(asked: Asked) -> Sheet:
    """What was taken of the players, and comps given."""
    by = asked.by or "day"
    title, first = _DROP_BY[by]
    found = report(by=by, since=asked.since, until=asked.until, now=asked.now)
    return _sheet(
        asked,
        "drop",
        str(title),
        {"name text": str(first)} | _income(),
        found.rows,
        until=found.until,
        total={column.key: getattr(found.total, column.key) for column in _columns(_income())},
        bars=[(row.name, row.sums.drop) for row in found.rows],
        bars_of=gettext("drop in all"),
        note=gettext("Comps are points. Per seat-hour: the drop for an hour of one player in their seat."),
    )


def counter(asked: Asked) -> Sheet:
    """Slips of the cage."""
    by = asked.by or "kind"
    rows = cage.slips(since=asked.since, until=asked.until, by=by, cashier=asked.cashier, blind_for=asked.viewer)
    return _sheet(
        asked,
        "cage",
        str(_CAGE_BY[by][0]),
        {
            "name text": gettext("Slips"),
            "unit unit": gettext("Unit"),
            "slips": gettext("How many"),
            "amount": gettext("Written"),
            "reversed signed": gettext("Reversed"),
            "net": gettext("Total"),
        },
        rows,
        bars=[(f"{row.name} ({shown(row.unit, 'unit')})", row.net) for row in rows],
        bars_of=gettext("slips in all, reversals taken off"),
        note=_blind(gettext("what went over the drawer you have open")) if cage.open_of(asked.viewer) else "",
    )


def credit(asked: Asked) -> Sheet:
    """Chips on credit that were not paid back, as of now."""
    rows = [] if asked.cashier is not None else cage.outstanding()
    return _sheet(
        asked,
        "credit",
        gettext("Credit outstanding"),
        {"name text": gettext("Player"), "owed": gettext("Owes")},
        [{"key": str(player), "name": name, "owed": chips} for player, name, chips in rows],
        since=asked.now,
        until=asked.now,
        total={"owed": sum(chips for *_, chips in rows)},
        bars=[(name, chips) for _, name, chips in rows],
        bars_of=gettext("owed to the house"),
    )


def liabilities(asked: Asked) -> Sheet:
    """What the house holds for others at `until`."""
    at = min(asked.until, asked.now)
    is_blind = asked.viewer is not None and not cage_queries.sees_money(asked.viewer)
    rows = [row for row in report_books.holdings(at=at, now=asked.now) if not (is_blind and row.unit == MONEY)]
    chips = [row for row in rows if row.unit == "cash"]
    return _sheet(
        asked,
        "liabilities",
        gettext("Liabilities"),
        {
            "name text": gettext("What"),
            "unit unit": gettext("Unit"),
            "owed signed": gettext("Liability"),
            "house signed": gettext("Asset"),
        },
        rows,
        since=at,
        until=at,
        total={
            "unit": "cash",
            "owed": sum(row.owed or 0 for row in chips),
            "house": sum(row.house or 0 for row in chips),
        },
        bars=[(row.name, row.amount) for row in chips if row.is_owed],
        bars_of=gettext("owed in chips"),
        note=gettext("In every unit both sides balance.")
        + (" " + _blind(gettext("money in drawers and in the vault")) if is_blind else ""),
    )


def results(asked: Asked) -> Sheet:
    """Players' results at cash tables."""
    rows = players(since=asked.since, until=min(asked.until, asked.now), player=asked.player)
    return _sheet(
        asked,
        "players",
        gettext("Players' results"),
        {
            "name text": gettext("Player"),
            "result signed": gettext("Result"),
            "net signed": gettext("Hands dealt here"),
            "room signed": gettext("Tables in the room"),
            "time": gettext("Time paid"),
            "taken": gettext("Drop given"),
            "hands": gettext("Hands"),
            "seconds hours": gettext("Hours"),
        },
        rows,
        bars=[(row.name, row.sums.result) for row in (rows if len(rows) < 20 else rows[:10] + rows[-10:])],
        bars_of=gettext("won and lost"),
        note=gettext(
            "At a table in the room: what was taken away less what was brought. A stay counts when it is over."
        ),
    )


def jackpots(asked: Asked) -> Sheet:
    """How jackpots grew and what they paid."""
    rows = report_books.jackpots(since=asked.since, until=min(asked.until, asked.now), now=asked.now)
    keys = ("start", "dropped", "added", "paid", "other", "end", "hits")
    return _sheet(
        asked,
        "jackpots",
        gettext("Jackpots"),
        {
            "name text": gettext("Jackpot"),
            "start": gettext("At the start"),
            "dropped": gettext("Dropped"),
            "added signed": gettext("By the house"),
            "paid signed": gettext("Paid"),
            "other signed": gettext("Other"),
            "end": gettext("At the end"),
            "hits": gettext("Hits"),
        },
        rows,
        total={key: sum(getattr(row, key) for row in rows) for key in keys},
        bars=[(row.name, row.end) for row in rows],
        bars_of=gettext("at the end"),
    )


def downs(asked: Asked) -> Sheet:
    """How long each dealer dealt, and what was dropped with them."""
    until = min(asked.until, asked.now)
    taken = {row.key: row.sums for row in report(by="dealer", since=asked.since, until=until, now=asked.now).rows}
    rows: list[dict[str, Value]] = []
    for row in dealer_queries.work(since=asked.since, until=until):
        sums = taken.get(str(row.dealer), Income())
        hourly = round(sums.drop * 3600 / row.seconds) if row.seconds else None
        rows.append(
            {
                "key": str(row.dealer),
                "name": row.name,
                "downs": row.downs,
                "seconds": row.seconds,
                "longest": row.longest,
                "hands": sums.hands,
                "drop": sums.drop,
                "per_hour": hourly,
            }
        )
    return _sheet(
        asked,
        "dealers",
        gettext("Dealers"),
        {
            "name text": gettext("Dealer"),
            "downs": gettext("Downs"),
            "seconds hours": gettext("Hours dealt"),
            "longest hours": gettext("Longest down"),
            "hands": gettext("Hands"),
            "drop": gettext("Drop"),
            "per_hour": gettext("Per seat-hour"),
        },
        rows,
        until=until,
        bars=[(str(row["name"]), int(row["seconds"] or 0) // 60) for row in rows],
        bars_of=gettext("minutes dealt"),
    )


def losses(asked: Asked) -> Sheet:
    """Who lost to whom at cash tables, and how much of it came back."""
    until = min(asked.until, asked.now)
    rows: list[dict[str, Value]] = [
        {
            "key": f"{pair.loser_id}-{pair.winner_id}",
            "name": pair.loser,
            "winner": pair.winner,
            "lost": pair.lost,
            "back": pair.back,
            "net": pair.net,
            "percent": pair.percent,
            "hands": pair.hands,
            "hands_back": pair.hands_back,
            "name_id": pair.loser_id,
            "winner_id": pair.winner_id,
        }
        for pair in one_way.pairs(since=asked.since, until=until)
        if asked.player in (None, pair.loser_id, pair.winner_id)
    ]
    return _sheet(
        asked,
        "losses",
        gettext("Losses between two players"),
        {
            "name text": gettext("Loser"),
            "winner text": gettext("Winner"),
            "lost": gettext("Lost"),
            "back": gettext("Won back"),
            "net": gettext("Net loss"),
            "percent": gettext("One way, in %"),
            "hands": gettext("Hands lost"),
            "hands_back": gettext("Hands won"),
        },
        rows,
        until=until,
        note=gettext("What a player lost in a hand is shared among its winners, in proportion."),
        bars=[(f"{row['name']} – {row['winner']}", int(row["net"] or 0)) for row in rows],
        bars_of=gettext("net loss"),
    )


REPORTS: dict[str, Callable[[Asked], Sheet]] = {
    "drop": drop,
    "cage": counter,
    "credit": credit,
    "liabilities": liabilities,
    "players": results,
    "jackpots": jackpots,
    "dealers": downs,
    "losses": losses,
}
#: What each report can be by; the first where nothing is said.
GROUPINGS: dict[str, tuple[str, ...]] = {"drop": BY, "cage": cage.CAGE_BY}
#: What a reader chooses from there: in words.
GROUPING_WORDS = {"drop": _DROP_BY, "cage": _CAGE_BY}
#: Of these a cashier sees their own drawers.
OF_THE_CAGE = ("cage",)


_UNITS = {**UNITS, report_books.EVENT_CHIPS: gettext_lazy("tournament chips")}


def shown(value: Any, form: str) -> str:
    """A value as text."""
    if value is None:
        return "–"
    if form == "hours":
        return f"{value // 3600}:{value % 3600 // 60:02}"
    if form == "signed":
        return signed(value) or "0"
    if form == "unit":
        return str(_UNITS.get(value, value))
    return number(value) if form == "chips" else str(value)


# Lines and bars drawn on the server: names and numbers into the points and rectangles of an SVG.


_WIDTH, _HEIGHT, _EDGE = 720, 200, 8
#: More points than this are thinned out, the last one kept.
_MOST = 240


@dataclass(frozen=True)
class Chart:
    """`line`: the points of a polyline in a box of `width` by `height`; `zero`: where nothing won and nothing lost is;
    `least` and `most`: what the lower and the upper edge stand for."""

    width: int
    height: int
    line: str
    zero: float
    least: int
    most: int
    end_x: float
    end_y: float


def line_chart(values: Sequence[int]) -> Chart | None:
    """A line from nothing through these values; None where there are none."""
    if not values:
        return None
    step = -(-len(values) // _MOST)
    kept = [0, *values[step - 1 :: step]]
    if kept[-1] != values[-1] or len(values) % step:
        kept.append(values[-1])
    least, most = min(kept), max(kept)
    scale = (_HEIGHT - 2 * _EDGE) / ((most - least) or 1)
    across = (_WIDTH - 2 * _EDGE) / max(1, len(kept) - 1)

    def y(value: int) -> float:
        return round(_HEIGHT - _EDGE - (value - least) * scale, 1)

    points = [(round(_EDGE + place * across, 1), y(value)) for place, value in enumerate(kept)]
    line = " ".join(f"{x},{high}" for x, high in points)
    return Chart(_WIDTH, _HEIGHT, line, y(0), least, most, *points[-1])


_ROW, _NAME, _VALUE, _MOST_BARS = 26, 210, 90, 40


@dataclass(frozen=True)
class Bar:
    """`x`, `y`, `width`: of the bar; `text_y`: the line its name and its number stand on."""

    name: str
    value: int
    x: float
    y: float
    width: float
    text_y: float


@dataclass(frozen=True)
class Bars:
    width: int
    height: int
    zero: float
    bars: list[Bar]
    left_out: int


def bars(values: Sequence[tuple[str, int]]) -> Bars | None:
    """Bars of these values from nothing on, those below it to the left; None where all are nothing. The last forty."""
    kept = list(values)[-_MOST_BARS:]
    if not any(value for _, value in kept):
        return None
    least, most = min(0, *(value for _, value in kept)), max(0, *(value for _, value in kept))
    scale = (_WIDTH - _NAME - _VALUE) / ((most - least) or 1)
    zero = _NAME - least * scale
    drawn = [
        Bar(
            name=name if len(name) <= 30 else f"{name[:29]}…",
            value=value,
            x=round(zero + min(0, value) * scale, 1),
            y=place * _ROW + 4,
            width=max(1.0, round(abs(value) * scale, 1)),
            text_y=place * _ROW + 18,
        )
        for place, (name, value) in enumerate(kept)
    ]
    return Bars(_WIDTH, len(kept) * _ROW + 4, round(zero, 1), drawn, len(values) - len(kept))
