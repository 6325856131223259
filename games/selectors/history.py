"""What a player's evenings came to: sessions, results by game, and how they went over time."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from cardroom.models import User
from games.models import CompAccrual, Stay
from games.selectors import stays
from games.selectors.stays import Visit

#: The most sessions that are shown one by one; sums are of all of them.
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
    """Their stays at cash tables, newest first; one that lasts still counts what lies in front of them."""
    rows = stays.stays_of(user).order_by("-pk")
    return stays.added_up((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


def between(user: User, since: datetime | None, until: datetime | None, *, limit: int = MOST) -> list[Visit]:
    """The stays that began in this span, newest first, `limit` of them at most."""
    return stays.added_up(_begun(user, since, until).order_by("-pk")[:limit])


def by_game(user: User, since: datetime | None, until: datetime | None, *, now: datetime) -> list[GameResult]:
    """The results of all stays that began in this span for each game and stakes, the one played longest first."""
    of_game: dict[tuple[str, str, bool], list[stays.AtTable]] = {}
    for each in stays.by_table(_begun(user, since, until), now=now):
        table = each.table
        of_game.setdefault((table.game, table.stakes, table.is_physical), []).append(each)
    results = [
        GameResult(
            *game,
            sessions=sum(row.sessions for row in rows),
            minutes=sum(row.seconds for row in rows) // 60,
            hands=sum(row.hands for row in rows),
            result=sum(row.result for row in rows),
            taken=sum(row.taken for row in rows),
            time=sum(row.time for row in rows),
        )
        for game, rows in of_game.items()
    ]
    return sorted(results, key=lambda row: (-row.minutes, row.game, row.stakes))


def over_time(user: User, since: datetime | None, until: datetime | None, *, now: datetime) -> list[Point]:
    """Where they stood after each of these stays, the newest `MOST` of them, in the order in which they ended."""
    found = stays.results(_begun(user, since, until).order_by("-pk")[:MOST])
    found.reverse()  # of those that ended at once, the one that began first
    total, points = 0, []
    for ended, result in sorted(found, key=lambda row: row[0] or now):
        total += result
        points.append(Point(ended or now, total, result))
    return points


def _begun(user: User, since: datetime | None, until: datetime | None) -> QuerySet[Stay]:
    rows = stays.stays_of(user)
    rows = rows.filter(sat_at__gte=since) if since else rows
    return rows.filter(sat_at__lt=until) if until else rows


def accruals(user: User, *, limit: int = 50) -> list[CompAccrual]:
    """The newest credits of comp points for play."""
    return list(CompAccrual.objects.filter(player=user).order_by("-pk")[:limit])
