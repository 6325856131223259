"""Every report as a sheet: columns, rows, a total, and bars. Pages, files, mails and the API show the same sheet."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, gettext_lazy, pgettext

from cardroom.cage import queries as cage_queries
from cardroom.cage.books import MONEY, UNITS
from cardroom.core.models import User
from cardroom.core.sentences import number, signed
from games.dealers import queries as dealer_queries
from games.reports import books as report_books
from games.reports import cage, one_way, takings
from games.reports.facts import Income

Value = int | str | None
Columns = dict[str, str]


@dataclass(frozen=True)
class SheetColumn:
    """`form`: "text", "unit" ("cash", "money" or "comp"), "chips" (a whole number), "signed" (with its sign) or "hours"
    (seconds, shown as hours)."""

    key: str
    title: str
    form: str = "chips"

    @property
    def is_number(self) -> bool:
        return self.form not in ("text", "unit")


@dataclass(frozen=True)
class Sheet:
    """A report. `rows` have a value for each column, `total` for some. `bars`: (name, chips), what the chart shows;
    `bars_of` says what they count."""

    name: str
    title: str
    since: datetime
    until: datetime
    columns: Sequence[SheetColumn]
    rows: list[dict[str, Value]]
    total: dict[str, Value] = field(default_factory=dict)
    bars: list[tuple[str, int]] = field(default_factory=list)
    bars_of: str = ""
    note: str = ""

    @property
    def data(self) -> list[dict[str, Value]]:
        """The rows for programs: in the order of their keys, the same in every language."""
        return sorted(self.rows, key=lambda row: (_in_order(str(row["key"])), str(row.get("unit", ""))))


def _in_order(key: str) -> list[tuple[bool, int, str]]:
    """Numbers in a key by their size, and before words."""
    parts = key.split("-")
    return [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


@dataclass(frozen=True)
class ReportRequest:
    """A request for a report. `cashier`: only slips at their own drawers. `viewer`: the reader; counts are blind, so
    amounts that the reader may have to count are left out."""

    since: datetime
    until: datetime
    now: datetime
    by: str = ""
    player: int | None = None
    cashier: User | None = None
    viewer: User | None = None


def _columns(titles: Columns) -> tuple[SheetColumn, ...]:
    """Columns from {"key form": title}; without a form chips."""
    columns = []
    for key_and_form, title in titles.items():
        key, _, form = key_and_form.partition(" ")
        columns.append(SheetColumn(key, title, form or "chips"))
    return tuple(columns)


def _sheet(request: ReportRequest, name: str, title: str, columns: Columns, rows: Iterable[Any], **more: Any) -> Sheet:
    """A sheet of the requested span. `rows` are dictionaries, or objects with a `key` and the values of `columns`, some
    in their `sums`."""
    all_of = _columns(columns)
    shown = [
        row if isinstance(row, dict) else {"key": row.key, **{column.key: _value(row, column.key) for column in all_of}}
        for row in rows
    ]
    return Sheet(**{"name": name, "title": title, "since": request.since, "until": request.until, "columns": all_of,
                    "rows": shown} | more)  # fmt: skip


def _value(row: Any, key: str) -> Value:
    return getattr(row if hasattr(row, key) else row.sums, key)


#: The title and the first column of a report, by its grouping.
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


def _income_columns() -> Columns:
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


def drop(request: ReportRequest) -> Sheet:
    """Chips taken from the players, and comps given."""
    by = request.by or "day"
    title, first = _DROP_BY[by]
    income = takings.report(by=by, since=request.since, until=request.until, now=request.now)
    return _sheet(
        request,
        "drop",
        str(title),
        {"name text": str(first)} | _income_columns(),
        income.rows,
        until=income.until,
        total={column.key: getattr(income.total, column.key) for column in _columns(_income_columns())},
        bars=[(row.name, row.sums.drop) for row in income.rows],
        bars_of=gettext("drop in all"),
        note=gettext("Comps are points. Per seat-hour: the drop for an hour of one player in their seat."),
    )


def cage_slips(request: ReportRequest) -> Sheet:
    """Slips of the cage."""
    by = request.by or "kind"
    rows = cage.slips(
        since=request.since, until=request.until, by=by, cashier=request.cashier, blind_for=request.viewer
    )
    return _sheet(
        request,
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
        note=_blind(gettext("what went over the drawer you have open")) if cage.open_of(request.viewer) else "",
    )


def credit(request: ReportRequest) -> Sheet:
    """Chips on credit that were not paid back, as of now."""
    rows = [] if request.cashier is not None else cage.outstanding()
    return _sheet(
        request,
        "credit",
        gettext("Credit outstanding"),
        {"name text": gettext("Player"), "owed": gettext("Owes")},
        [{"key": str(player), "name": name, "owed": chips} for player, name, chips in rows],
        since=request.now,
        until=request.now,
        total={"owed": sum(chips for *_, chips in rows)},
        bars=[(name, chips) for _, name, chips in rows],
        bars_of=gettext("owed to the house"),
    )


def liabilities(request: ReportRequest) -> Sheet:
    """Balances of all funds at `until`: what the house holds for others, and its own."""
    at = min(request.until, request.now)
    is_blind = request.viewer is not None and not cage_queries.sees_money(request.viewer)
    rows = [row for row in report_books.holdings(at=at, now=request.now) if not (is_blind and row.unit == MONEY)]
    chips = [row for row in rows if row.unit == "cash"]
    return _sheet(
        request,
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


def results(request: ReportRequest) -> Sheet:
    """Players' results at cash tables."""
    rows = takings.players(since=request.since, until=min(request.until, request.now), player=request.player)
    return _sheet(
        request,
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


def jackpots(request: ReportRequest) -> Sheet:
    """How jackpots grew and what they paid."""
    rows = report_books.jackpots(since=request.since, until=min(request.until, request.now), now=request.now)
    keys = ("start", "dropped", "added", "paid", "other", "end", "hits")
    return _sheet(
        request,
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


def downs(request: ReportRequest) -> Sheet:
    """How long each dealer dealt, and the drop of their hands."""
    until = min(request.until, request.now)
    taken = {
        row.key: row.sums for row in takings.report(by="dealer", since=request.since, until=until, now=request.now).rows
    }
    rows: list[dict[str, Value]] = []
    for row in dealer_queries.work(since=request.since, until=until):
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
        request,
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


def losses(request: ReportRequest) -> Sheet:
    """Losses between two players at cash tables, and how much came back."""
    until = min(request.until, request.now)
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
        for pair in one_way.pairs(since=request.since, until=until)
        if request.player in (None, pair.loser_id, pair.winner_id)
    ]
    return _sheet(
        request,
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


REPORTS: dict[str, Callable[[ReportRequest], Sheet]] = {
    "drop": drop,
    "cage": cage_slips,
    "credit": credit,
    "liabilities": liabilities,
    "players": results,
    "jackpots": jackpots,
    "dealers": downs,
    "losses": losses,
}
#: What each report can be grouped by; the first is the default.
GROUPINGS: dict[str, tuple[str, ...]] = {"drop": takings.BY, "cage": cage.CAGE_BY}
#: The same with the words shown.
GROUPING_WORDS = {"drop": _DROP_BY, "cage": _CAGE_BY}
#: Reports that a cashier reads, of their own drawers.
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
