"""What happened in a span of time, added up from hands, visits and the ledger.

Everything here reads along an index by time and is meant for a day, not for years: `reports.add_up` stores the same for
whole gaming days.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import NamedTuple, Self

from django.db.models import CharField, Count, Max, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import StrIndex, Substr, TruncHour

from cardroom.ledger.models import Account, Entry
from games.dealers.models import Down
from games.rake.models.drops import BoxCount, HandDrop
from games.rake.models.times import CompAccrual
from games.reports.gaming_days import Buckets
from games.tables.models.offers import TableUse
from games.tables.models.tables import Hand, SeatMove, Table
from games.tables.models.times import HandResult, Stay


class IncomeSource(NamedTuple):
    """The game, section and dealer that takings belong to, by id; 0: none."""

    table: int = 0
    offer: int = 0
    section: int = 0
    dealer: int = 0


class TableUses:
    """Games, sections and dealers of all tables over a span, looked up by moment. Three queries."""

    def __init__(self, since: datetime, until: datetime) -> None:
        before = TableUse.objects.filter(table=OuterRef("pk"), since__lt=since).order_by("-since", "-pk")
        tables = list(
            Table.objects.filter(event="")
            .annotate(last_use=Subquery(before.values("pk")[:1]))
            .values_list("pk", "offer", "section", "last_use")
        )
        self._now = {pk: (offer or 0, section or 0) for pk, offer, section, _ in tables}
        self._uses: dict[int, list[tuple[datetime, int, int]]] = defaultdict(list)
        lasts = [last for *_, last in tables if last]
        uses = TableUse.objects.filter(Q(pk__in=lasts) | Q(since__gte=since, since__lt=until)).order_by("since", "pk")
        for table, at, offer, section in uses.values_list("table", "since", "offer", "section"):
            self._uses[table].append((at, offer or 0, section or 0))
        self._downs: dict[int, list[tuple[datetime, datetime, int]]] = defaultdict(list)
        touching = Down.objects.filter(Q(until=None) | Q(until__gte=since), since__lt=until, table__isnull=False)
        for table, start, end, dealer in touching.order_by("since", "pk").values_list(
            "table", "since", "until", "dealer"
        ):
            self._downs[table].append((start, end or until, dealer))

    def source_at(self, table: int, at: datetime, *, with_dealer: bool = True) -> IncomeSource:
        """The game, section and dealer of a table at this moment."""
        offer, section = self._use(table, at)
        return IncomeSource(table, offer, section, self._dealer(table, at) if with_dealer else 0)

    def _use(self, table: int, at: datetime) -> tuple[int, int]:
        uses = self._uses.get(table)
        if uses:
            place = bisect_right(uses, at, key=lambda use: use[0])
            return uses[max(0, place - 1)][1:]
        return self._now.get(table, (0, 0))

    def _dealer(self, table: int, at: datetime) -> int:
        downs = self._downs.get(table, [])
        for start, end, dealer in reversed(downs):
            if start <= at < end:
                return dealer
        return 0


#: Parts of the income of tables, each an account of the house.
_PARTS = ("rake", "time", "promo")
_OF_TABLES = Q(unit="cash") & (
    Q(label__startswith="rake:table:") | Q(label__startswith="time:table:") | Q(label__startswith="promo:table:")
)
_COMPS = Q(unit="comp", label="comps")
_TABLE = re.compile(r":table:\d+")
_HAND = "hand:"
#: Points that players spent, and reversals of that: not part of the comps given.
_COMPS_USED = ("comp-used:", "reversal:comp-used:")


class Sums:
    """A dataclass of numbers that can be added to another, field by field."""

    def add(self, other: Self) -> Self:
        for name in vars(other):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self


@dataclass
class Income(Sums):
    """Chips taken, and comps given in points. `players`: dealt in, added up over all raked hands; `seconds`: of players
    in their seats."""

    hands: int = 0
    players: int = 0
    pot: int = 0
    rake: int = 0
    time: int = 0
    promo: int = 0
    jackpot: int = 0
    comps: int = 0
    seconds: int = 0

    @property
    def drop(self) -> int:
        """Everything taken from the players: rake, time, and the drops for promotions and jackpots."""
        return self.rake + self.time + self.promo + self.jackpot

    @property
    def per_hour(self) -> int | None:
        """Drop for an hour of one player in their seat; None where nobody sat."""
        return round(self.drop * 3600 / self.seconds) if self.seconds > 0 else None


FIELDS = tuple(each.name for each in fields(Income))
#: One dictionary for each span.
IncomesBySpan = list[dict[IncomeSource, Income]]


def income(since: datetime, until: datetime) -> dict[IncomeSource, Income]:
    """What each table brought in. Twelve queries."""
    return incomes([(since, until)])[0]


def incomes(of: Sequence[tuple[datetime, datetime]]) -> list[dict[IncomeSource, Income]]:
    """The income of each of several spans, none of which begins before the one before it ends. Twelve queries in
    all."""
    if not of:
        return []
    buckets = Buckets(of)
    incomes_by_span: IncomesBySpan = [defaultdict(Income) for _ in of]
    uses = TableUses(buckets.since, buckets.until)
    _add_drops(incomes_by_span, buckets)
    _add_hands(incomes_by_span, buckets, uses)
    _add_entries(incomes_by_span, buckets, uses)
    for stay, _ in _stays(buckets.since, buckets.until):
        for place, (since, until) in enumerate(buckets.spans):
            if seconds := _seconds(stay, since, until):
                source = uses.source_at(stay.table_id, max(stay.sat_at, since), with_dealer=False)
                incomes_by_span[place][source].seconds += seconds
    return [dict(sums) for sums in incomes_by_span]


def _add_drops(incomes: IncomesBySpan, buckets: Buckets) -> None:
    rows = buckets.of(HandDrop.objects.order_by(), "at")
    sums = {f"sum_{name}": Sum(name) for name in ("rake", "promo", "jackpot")}
    for place, *row in rows.values_list("place", "table", "offer", "section", "dealer").annotate(**sums):
        source = IncomeSource(*(number or 0 for number in row[:4]))
        # A sum of PostgreSQL's is a decimal.
        rake, promo, jackpot = map(int, row[4:])
        incomes[place][source].add(Income(rake=rake, promo=promo, jackpot=jackpot))


def _add_hands(incomes: IncomesBySpan, buckets: Buckets, uses: TableUses) -> None:
    """Hands and pots: those with a drop as it has them, others where their table was then."""
    ended = buckets.of(Hand.objects.filter(table__event="").order_by(), "ended_at")
    of_drops = ended.filter(drop__isnull=False).values_list(
        "place", "drop__table", "drop__offer", "drop__section", "drop__dealer"
    )
    for place, *row in of_drops.annotate(hands=Count("pk"), players=Sum("drop__players"), pots=Sum("pot")):
        incomes[place][IncomeSource(*(number or 0 for number in row[:4]))].add(Income(*map(int, row[4:])))
    others = ended.filter(drop=None).annotate(hour=TruncHour("ended_at"))
    others = others.values_list("place", "table", "started_by", "hour")
    for place, table, dealer, _, many, pots, at in others.annotate(
        hands=Count("pk"), pots=Sum("pot"), last=Max("ended_at")
    ):
        source = uses.source_at(table, at)
        source = source._replace(dealer=source.dealer or dealer or 0)
        incomes[place][source].add(Income(hands=many, pot=int(pots)))


def _add_entries(incomes: IncomesBySpan, buckets: Buckets, uses: TableUses) -> None:
    """Time, drop boxes, comps and refunds: all entries of the house's accounts of tables that are not of hands."""
    accounts = Account.objects.filter(_OF_TABLES | _COMPS, kind=Account.Kind.HOUSE)
    rows, labels = _entries_of(accounts, buckets.since, buckets.until)
    rows = rows.exclude(transfer__reference__startswith=_HAND)
    comps: dict[int, tuple[int, datetime, int]] = {}
    for account, reference, at, amount in rows.values_list(*_COLUMNS):
        place = buckets.place(at)
        part, _, table = labels[account].partition(":table:")
        if place is None or reference.startswith(_COMPS_USED):
            continue
        if part in _PARTS:
            incomes[place][uses.source_at(int(table), at)].add(Income(**{part: amount}))
        elif reference.startswith("comp:play:"):
            comps[int(reference.rpartition(":")[2])] = (place, at, -amount)
        else:
            incomes[place][IncomeSource()].comps -= amount
    _add_boxes(incomes, buckets, uses)
    tables = dict(CompAccrual.objects.filter(pk__in=comps).values_list("pk", "stay__table"))
    for accrual, (place, at, points) in comps.items():
        # Comps are credited when players get up: they do not count for the dealer of that moment.
        source = uses.source_at(tables[accrual], at, with_dealer=False) if accrual in tables else IncomeSource()
        incomes[place][source].comps += points


def _add_boxes(incomes: IncomesBySpan, buckets: Buckets, uses: TableUses) -> None:
    """Chips dropped for jackpots at tables in the room."""
    pools = Account.objects.filter(kind=Account.Kind.POOL, label__startswith="jackpot:")
    rows, _ = _entries_of(pools, buckets.since, buckets.until)
    boxes = list(
        rows.filter(transfer__reference__startswith="box:").values_list("transfer__reference", "transfer__at", "amount")
    )
    numbers = {reference: int(reference.split(":")[1]) for reference, _, _ in boxes}
    tables = dict(BoxCount.objects.filter(pk__in=numbers.values()).values_list("pk", "table"))
    for reference, at, amount in boxes:
        if (place := buckets.place(at)) is not None:
            incomes[place][uses.source_at(tables[numbers[reference]], at)].jackpot += amount


@dataclass
class PlayersDay(Sums):
    """A player's results: `net` of hands dealt here, `taken` their part of the drop, `room` chips taken away from
    tables in the room less chips brought, once they have left, `time` they paid."""

    hands: int = 0
    net: int = 0
    taken: int = 0
    room: int = 0
    time: int = 0
    seconds: int = 0

    @property
    def result(self) -> int:
        """Won or lost in all. At a table in the room time was paid with chips that they would have taken away."""
        return self.net + self.room - self.time


PLAYER_FIELDS = tuple(each.name for each in fields(PlayersDay))


def players(since: datetime, until: datetime) -> dict[int, PlayersDay]:
    """The results of each player at cash tables. Eight queries at most."""
    results_by_player: dict[int, PlayersDay] = defaultdict(PlayersDay)
    results = HandResult.objects.filter(is_cash=True, at__gte=since, at__lt=until).order_by().values_list("player")
    for player, hands, net, taken in results.annotate(hands=Count("pk"), net=Sum("net"), taken=Sum("taken")):
        results_by_player[player].add(PlayersDay(hands=hands, net=int(net), taken=int(taken)))
    moved = Entry.objects.filter(
        account__kind=Account.Kind.WALLET, account__unit="cash", **_in_period(since, until)
    ).order_by()
    at_tables = moved.filter(transfer__reference__startswith="physical-").values_list("account__owner")
    for player, chips in at_tables.annotate(chips=Sum("amount")):
        results_by_player[player].room += int(chips)
    # Chips in front of a player are not lost: they count on the day when the player leaves.
    for sign, moment in ((1, until), (-1, since)):
        for player, chips in _chips_brought(moment).items():
            results_by_player[player].room += sign * chips
    own = [Account.Kind.STACK, Account.Kind.WALLET]
    paid = Entry.objects.filter(account__kind__in=own, account__unit="cash", **_in_period(since, until)).order_by()
    for_time = Q(transfer__reference__startswith="time:") | Q(transfer__reference__startswith="reversal:time:")
    for player, chips in paid.filter(for_time).values_list("account__owner").annotate(chips=Sum("amount")):
        results_by_player[player].time -= int(chips)
    for stay, seconds in _stays(since, until):
        results_by_player[stay.player_id].seconds += seconds
    return dict(results_by_player)


def _chips_brought(at: datetime) -> dict[int, int]:
    """Chips that players at tables in the room at this moment had brought since they sat down, less chips taken away,
    by player. After a move to another table the stay goes on. Two queries, and one more for moved players."""
    rows = Stay.objects.filter(table__is_physical=True, table__event="").order_by("-left_at", "-pk")
    sat = rows.filter(Q(left_at=None) | Q(left_at__gte=at), sat_at__lt=at)
    begun: dict[int, datetime] = {}
    moved = []
    for player, since, kind in sat.values_list("player", "sat_at", "sat__kind"):
        begun[player] = since
        moved += [player] if kind != SeatMove.Kind.SAT else []
    if moved:
        earlier = rows.filter(player__in=moved, left_at__lt=at).values_list("player", "sat_at", "left_at")
        for player, since, left in earlier:
            if left == begun[player]:
                begun[player] = since
    if not begun:
        return {}
    entries = Entry.objects.filter(
        account__kind=Account.Kind.WALLET, account__unit="cash", account__owner__in=begun,
        transfer__reference__startswith="physical-", **_in_period(min(begun.values()), at),
    ).order_by()  # fmt: skip
    chips_by_player: dict[int, int] = defaultdict(int)
    for player, moment, chips in entries.values_list("account__owner", "transfer__at", "amount"):
        if moment >= begun[player]:
            chips_by_player[player] -= int(chips)
    return chips_by_player


class MovementKind(NamedTuple):
    """One kind of movement: see `DayBook`."""

    kind: str
    unit: str
    fund: str
    source: str


@dataclass
class MovementSums(Sums):
    amount: int = 0
    entries: int = 0


def movements(since: datetime, until: datetime) -> dict[MovementKind, MovementSums]:
    """All entries of the span, added up. One query."""
    source = Substr("transfer__reference", 1, StrIndex("transfer__reference", Value(":")), output_field=CharField())
    rows = Entry.objects.filter(**_in_period(since, until)).order_by().annotate(source=source)
    owned = Q(account__owner__isnull=False)
    sums_by_kind: dict[MovementKind, MovementSums] = defaultdict(MovementSums)
    columns = ("account__kind", "account__unit", "source")
    sums = {"chips": Sum("amount"), "many": Count("pk")}
    for kind, unit, what, chips, many in rows.filter(owned).values_list(*columns).annotate(**sums):
        sums_by_kind[MovementKind(kind, unit, "", what[:-1])].add(MovementSums(int(chips), many))
    for kind, unit, what, label, chips, many in (
        rows.exclude(owned).values_list(*columns, "account__label").annotate(**sums)
    ):
        sums_by_kind[MovementKind(kind, unit, fund_of(label), what[:-1])].add(MovementSums(int(chips), many))
    return dict(sums_by_kind)


def fund_of(label: str) -> str:
    """The fund that an account of the house belongs to: those of single tables are one."""
    return _TABLE.sub(":table", label)


_COLUMNS = ("account", "transfer__reference", "transfer__at", "amount")


def _entries_of(
    accounts: QuerySet[Account], since: datetime, until: datetime
) -> tuple[QuerySet[Entry], dict[int, str]]:
    """The entries of some of the house's accounts in a span, and the labels of the accounts. One query.

    The accounts are read first: given their ids, the database knows that each has very many entries, and finds the
    few of a day by their time.
    """
    labels = dict(accounts.values_list("pk", "label"))
    return Entry.objects.filter(account__in=labels, **_in_period(since, until)).order_by(), labels


def _in_period(since: datetime, until: datetime) -> dict[str, datetime]:
    return {"transfer__at__gte": since, "transfer__at__lt": until}


def _stays(since: datetime, until: datetime) -> Iterable[tuple[Stay, int]]:
    """Stays that touch this span, with their seconds in it."""
    overlapping = Stay.objects.filter(Q(left_at=None) | Q(left_at__gt=since), sat_at__lt=until, player__is_bot=False)
    for stay in overlapping.filter(table__event="").only("player", "table", "sat_at", "left_at"):
        yield stay, _seconds(stay, since, until)


def _seconds(stay: Stay, since: datetime, until: datetime) -> int:
    end = min(until, stay.left_at or until)
    return max(0, int((end - max(stay.sat_at, since)).total_seconds()))
