"""What a player's evenings came to: sessions, results by game, and how they went over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cardroom.models import User
from games.models import CompAccrual
from games.selectors import stays
from games.selectors.stays import Visit

#: The most sessions that are added up at once.
MOST = 2_000


@dataclass(frozen=True)
class GameResult:
    """All sessions at one game and stakes."""

    game: str
    stakes: str
    is_physical: bool
    sessions: int
    minutes: int
    hands: int
    result: int
    taken: int
    time: int

    @property
    def per_hour(self) -> int | None:
        """Chips an hour; None where it was less than one."""
        return round(self.result * 60 / self.minutes) if self.minutes >= 60 else None


@dataclass(frozen=True)
class Point:
    """Where somebody stood after a session."""

    at: datetime
    total: int
    result: int


def sessions(user: User, *, limit: int, before: int | None = None) -> list[Visit]:
    """His stays at cash tables, newest first; one that lasts still counts what lies in front of him."""
    rows = stays.stays_of(user).order_by("-pk")
    return stays.added_up((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


def between(user: User, since: datetime | None, until: datetime | None) -> list[Visit]:
    """The stays that began in this span, oldest first: the newest `MOST` of them."""
    rows = stays.stays_of(user)
    rows = rows.filter(sat_at__gte=since) if since else rows
    rows = rows.filter(sat_at__lt=until) if until else rows
    return stays.added_up(rows.order_by("-pk")[:MOST])[::-1]


def by_game(visits: Sequence[Visit], *, now: datetime) -> list[GameResult]:
    """The results of these stays for each game and stakes, the one played longest first."""
    of_game: dict[tuple[str, str, bool], list[Visit]] = {}
    for visit in visits:
        of_game.setdefault((visit.game, visit.stakes, visit.is_physical), []).append(visit)
    results = [
        GameResult(
            *game,
            sessions=len(rows),
            minutes=sum(row.minutes(now) for row in rows),
            hands=sum(row.hands for row in rows),
            result=sum(row.result for row in rows),
            taken=sum(row.taken for row in rows),
            time=sum(row.time for row in rows),
        )
        for game, rows in of_game.items()
    ]
    return sorted(results, key=lambda row: (-row.minutes, row.game, row.stakes))


def over_time(visits: Sequence[Visit], *, now: datetime) -> list[Point]:
    """Where he stood after each of these stays, in the order in which they ended."""
    total, points = 0, []
    for visit in sorted(visits, key=lambda visit: (visit.until or now, visit.stay)):
        total += visit.result
        points.append(Point(visit.until or now, total, visit.result))
    return points


def accruals(user: User, *, limit: int = 50) -> list[CompAccrual]:
    """The newest credits of comp points for play."""
    return list(CompAccrual.objects.filter(player=user).order_by("-pk")[:limit])
