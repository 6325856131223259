"""Statistics of a player's own hands: how often they enter, raise, fold by street, show down and win, and what they win
in big bets; by starting hand, by game and stakes, and over time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import sqrt
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import room_time
from cardroom.core.models import User
from cardroom.core.sentences import filled, number
from games.play import own_hands
from games.play.past import figures
from games.reports.charts import Chart, line_chart
from games.tables.models.times import HandResult
from games.tables.queries.offers import game_name
from games.tables.words import STREETS

#: With fewer chances than this there is no percentage, with fewer hands no win rate.
FEW = 30
#: The newest hands that are counted.
MOST = 20_000
#: With few months, periods have at least so many hands each; there are at most so many periods.
_HANDS_A_PERIOD, _PERIODS = 50, 12
WHERE = {"cash": gettext_lazy("Cash games"), "events": gettext_lazy("Tournaments")}
#: The name of each measure, its short name, and an explanation.
MEASURES = {
    "entered": (
        gettext_lazy("Entered the pot"),
        gettext_lazy("Entered"),
        gettext_lazy("Called, completed or raised on third street, of all hands."),
    ),
    "raised": (gettext_lazy("Completed or raised third"), gettext_lazy("Raised"), gettext_lazy("Of all hands.")),
    "quiet": (gettext_lazy("Won without a showdown"), gettext_lazy("Won unshown"), gettext_lazy("Of all hands.")),
    "showdown": (
        gettext_lazy("Went to the showdown"),
        gettext_lazy("Showdown"),
        gettext_lazy("Of the hands in which you saw fourth street."),
    ),
    "shown": (
        gettext_lazy("Won at the showdown"),
        gettext_lazy("Won shown"),
        gettext_lazy("Of your showdowns; a part of the pot counts."),
    ),
}


class PlayedHandRow(NamedTuple):
    """One hand of the player: the columns `_COLUMNS`."""

    at: datetime
    game: str
    small_bet: int
    big_bet: int
    is_cash: bool
    is_showdown: bool
    put_in: int
    net: int
    start: str
    saw: int
    has_folded: bool
    is_voluntary: bool
    is_raised: bool
    hand: int


_COLUMNS = (
    *("at", "game", "small_bet", "big_bet", "is_cash", "is_showdown", "put_in", "net", "start"),
    *("saw", "has_folded", "is_voluntary", "is_raised", "hand"),
)


@dataclass(frozen=True)
class Rate:
    """How often something happened: `part` times in `of` chances. `percent`: None with less than `FEW`."""

    part: int
    of: int

    @property
    def percent(self) -> float | None:
        return 100 * self.part / self.of if self.of >= FEW else None


@dataclass(frozen=True)
class HandNumbers:
    """The numbers of some hands. `big_bets`: won in all; `per_100`: per hundred hands; `spread`: its standard error,
    both None with fewer than `FEW` hands. The rates are those of `MEASURES`."""

    hands: int
    big_bets: float
    per_100: float | None
    spread: float | None
    entered: Rate
    raised: Rate
    quiet: Rate
    showdown: Rate
    shown: Rate

    def rates(self) -> list[Rate]:
        """In the order of `MEASURES`."""
        return [getattr(self, name) for name in MEASURES]


@dataclass(frozen=True)
class HandGroup:
    """A part of the hands and its numbers: of one start, of a game at its stakes, of a month. `key` is the same in
    every language, `name` is in the reader's."""

    key: str
    name: str
    numbers: HandNumbers


@dataclass(frozen=True)
class Starts:
    """The starting hands of a game, the strongest class first."""

    game: str
    starts: list[HandGroup]


@dataclass(frozen=True)
class StreetNumbers:
    """`still_in`: hands in which the player got the card of this street, of all; `folded`: of these, folded here."""

    number: int
    still_in: Rate
    folded: Rate

    @property
    def name(self) -> str:
        return str(STREETS[self.number])


@dataclass(frozen=True)
class Trend:
    """A measure over time: a line in a box of 100 by 40, and its first and last percentage."""

    words: str
    line: str
    first: float
    last: float


@dataclass(frozen=True)
class Statistics:
    """`month`: this month; `before`: all before it. `totals`: big bets won up to each hand, oldest first."""

    all: HandNumbers
    month: HandNumbers
    before: HandNumbers
    streets: list[StreetNumbers]
    by_start: list[Starts]
    by_game: list[HandGroup]
    periods: list[HandGroup]
    totals: list[float]
    is_part: bool

    @property
    def chart(self) -> Chart | None:
        return line_chart([round(total) for total in self.totals])

    @property
    def three(self) -> tuple[HandNumbers, HandNumbers, HandNumbers]:
        """The numbers compared: all hands, this month, before."""
        return self.all, self.month, self.before

    def compared(self) -> list[tuple[str, str, list[Rate]]]:
        """Each measure, its explanation, and its rates: of all hands, of this month, of the hands before."""
        of_three = zip(*(numbers.rates() for numbers in self.three), strict=True)
        return [
            (words, explanation, list(rates))
            for (words, _, explanation), rates in zip(MEASURES.values(), of_three, strict=True)
        ]

    def trends(self) -> list[Trend]:
        """The trend of each measure that has a percentage in at least two periods."""
        return [trend for name in MEASURES if (trend := _trend(name, self.periods))]


def statistics_of(
    player: User,
    *,
    game: str = "",
    stakes: str = "",
    where: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    now: datetime,
) -> Statistics:
    """The statistics of a player's finished hands, at most the newest `MOST`, without void hands. One query.

    `where`: a key of `WHERE`; the rest as in `own_hands.look_for`.
    """
    wanted = own_hands.results_filter(game=game, stakes=stakes, since=since, until=until)
    results = HandResult.objects.filter(wanted, player=player, saw__gt=0)
    if where:
        results = results.filter(is_cash=where == "cash")
    rows = [PlayedHandRow(*row) for row in results.order_by("-pk").values_list(*_COLUMNS)[: MOST + 1]]
    rows = [row._replace(start=figures.opened_start(row.start, hand=row.hand, player=player.pk)) for row in rows]
    is_part, rows = len(rows) > MOST, rows[:MOST]
    this_month = timezone.localtime(now).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    month = sum(row.at >= this_month for row in rows)
    totals, total = [], 0.0
    for row in reversed(rows):
        total += _big_bets_won(row)
        totals.append(round(total, 2))
    return Statistics(
        all=count_hands(rows),
        month=count_hands(rows[:month]),
        before=count_hands(rows[month:]),
        streets=[_street(number, rows) for number in range(3, 8)],
        by_start=[_starts(game, of_game) for game, of_game in _group_by(rows, lambda row: row.game).items()],
        by_game=[
            HandGroup(_game_key(part[0]), name, count_hands(part))
            for name, part in sorted(_group_by(rows, _game_of).items(), key=lambda item: -len(item[1]))
        ],
        periods=_periods(rows),
        totals=totals,
        is_part=is_part,
    )


def count_hands(rows: Sequence[PlayedHandRow]) -> HandNumbers:
    """The numbers of these hands."""
    hands, won = len(rows), [_big_bets_won(row) for row in rows]
    total = sum(won)
    is_told = hands >= FEW
    mean = total / hands if hands else 0.0
    spread = sqrt(sum((amount - mean) ** 2 for amount in won) / (hands - 1) / hands) if is_told else 0.0
    wins = [row for row in rows if row.net + row.put_in > 0]
    shown = sum(row.is_showdown for row in wins)
    showdowns = sum(row.is_showdown for row in rows)
    return HandNumbers(
        hands,
        round(total, 2),
        round(100 * mean, 1) if is_told else None,
        round(100 * spread, 1) if is_told else None,
        Rate(sum(row.is_voluntary for row in rows), hands),
        Rate(sum(row.is_raised for row in rows), hands),
        Rate(len(wins) - shown, hands),
        Rate(showdowns, sum(row.saw > 3 for row in rows)),
        Rate(shown, showdowns),
    )


def _big_bets_won(row: PlayedHandRow) -> float:
    return row.net / row.big_bet if row.big_bet else 0.0


def _street(number: int, rows: Sequence[PlayedHandRow]) -> StreetNumbers:
    reached = sum(row.saw >= number for row in rows)
    return StreetNumbers(
        number, Rate(reached, len(rows)), Rate(sum(row.has_folded and row.saw == number for row in rows), reached)
    )


def _group_by(rows: Iterable[PlayedHandRow], key: Callable[[PlayedHandRow], Any]) -> dict[Any, list[PlayedHandRow]]:
    parts: dict[Hashable, list[PlayedHandRow]] = {}
    for row in rows:
        parts.setdefault(key(row), []).append(row)
    return parts


def _starts(game: str, rows: Sequence[PlayedHandRow]) -> Starts:
    of_start = _group_by(rows, lambda row: row.start)
    words = figures.starts_of(game)
    return Starts(
        game, [HandGroup(start, words[start], count_hands(of_start[start])) for start in words if start in of_start]
    )


def _game_of(row: PlayedHandRow) -> str:
    return f"{game_name(row.game)}, " + (
        f"{number(row.small_bet)}/{number(row.big_bet)}" if row.is_cash else gettext("tournaments")
    )


def _game_key(row: PlayedHandRow) -> str:
    return f"{row.game}:{f'{row.small_bet}/{row.big_bet}' if row.is_cash else 'events'}"


def _periods(rows: Sequence[PlayedHandRow]) -> list[HandGroup]:
    """Periods, oldest first: months, or with fewer than three months equal numbers of hands."""
    months = _group_by(reversed(rows), lambda row: f"{timezone.localtime(row.at):%Y-%m}")
    if len(months) > 2:
        return [
            HandGroup(month, room_time.format_day(timezone.localtime(part[0].at), "M Y"), count_hands(part))
            for month, part in list(months.items())[-_PERIODS:]
        ]
    size = max(_HANDS_A_PERIOD, -(-len(rows) // _PERIODS))
    oldest = rows[::-1]
    parts = [(at, oldest[at : at + size]) for at in range(0, len(rows), size)]
    return [
        HandGroup(
            f"{at + 1}-{at + len(part)}",
            filled(gettext("{first:,} to {last:,}"), first=at + 1, last=at + len(part)),
            count_hands(part),
        )
        for at, part in parts
    ]


def _trend(name: str, periods: Sequence[HandGroup]) -> Trend | None:
    percents = [(place, getattr(period.numbers, name).percent) for place, period in enumerate(periods)]
    points = [(place, percent) for place, percent in percents if percent is not None]
    if len(points) < 2:
        return None
    most = max(percent for _, percent in points) or 1
    across = 96 / (len(periods) - 1)
    line = " ".join(f"{2 + place * across:.1f},{38 - 34 * percent / most:.1f}" for place, percent in points)
    return Trend(MEASURES[name][0], line, points[0][1], points[-1][1])
