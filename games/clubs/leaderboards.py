"""Leaderboards: what players won in cash hands, added up from the results that are written with each hand.

The board of a club has its members, at its tables. The board of the room has the players who want to be shown there, at
tables open to everybody. Both rank by big bets, so that stakes can be compared; equal results share a rank. Bots have
no results.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, F, FloatField, Max, Q, Sum
from django.db.models.functions import Cast, NullIf
from django.utils.translation import gettext_lazy

from cardroom.core import room_time, topics
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
from games.clubs.models import Club, ClubMember, Ranked
from games.tables.models.times import HandResult

PERIODS = {"week": gettext_lazy("This week"), "month": gettext_lazy("This month"), "all": gettext_lazy("All time")}
#: Players with fewer hands have no rank.
LEAST_OF_CLUB, LEAST_OF_ROOM = 10, 50
SHOWN = 100


@dataclass(frozen=True)
class LeaderboardStanding:
    """One line of a leaderboard. `rank` None: too few hands for one; `best`: the most that one hand won."""

    rank: int | None
    player: str
    hands: int
    net: int
    big_bets: float
    best: int


def of_club(club: Club, period: str, *, now: datetime) -> list[LeaderboardStanding]:
    """The leaderboard of a club: its present members, at its tables."""
    people = Q(player__clubs__club=club, player__clubs__part__in=ClubMember.IN)
    return _standings(Q(table__club_table__club=club) & people, period, least=LEAST_OF_CLUB, now=now)


def of_room(period: str, *, now: datetime) -> list[LeaderboardStanding]:
    """The leaderboard of the room: players who want to be shown. `NotFound` where the room plays for money."""
    check_on()
    rows = Q(player__ranked__isnull=False, table__is_private=False)
    return _standings(rows, period, least=LEAST_OF_ROOM, now=now)


def is_shown(user: User) -> bool:
    """Whether a player wants to be shown on the leaderboard of the room."""
    return Ranked.objects.filter(player=user).exists()


@verb("leaderboard.show")
def show(*, is_shown: bool, by: User) -> bool:
    """Show the player on the leaderboard of the room from now on, or no longer. Refuses: `NotFound` (the room has
    none). Locks the player's row."""
    check_on()
    _, now = lock(User, by.pk)
    if is_shown:
        Ranked.objects.get_or_create(player=by, defaults={"at": now})
    else:
        Ranked.objects.filter(player=by).delete()
    topics.tell(f"player:{by.pk}")
    return is_shown


def check_on() -> None:
    """`NotFound` where the chips are not play money."""
    if not settings.CARDROOM_WELCOME_CHIPS:
        raise NotFound("no-leaderboard", "This room has no leaderboard.")


def _standings(which: Q, period: str, *, least: int, now: datetime) -> list[LeaderboardStanding]:
    """The standings by the results of this filter; players need `least` hands for a rank."""
    if since := _since(period, now):
        which &= Q(at__gte=since)
    big_bets = Cast(F("net"), FloatField()) / NullIf(F("big_bet"), 0)
    rows = (
        HandResult.objects.filter(which, is_cash=True, player__is_active=True, player__is_bot=False)
        .order_by()
        .values("player__username")
        .annotate(hands=Count("pk"), chips=Sum("net"), big_bets=Sum(big_bets, default=0.0), best=Max("net"))
    )
    values = rows.values_list("player__username", "hands", "chips", "big_bets", "best")
    return list(_ranked_standings(values, least))[:SHOWN]


def _ranked_standings(rows: Iterable[tuple[str, int, int, float, int]], least: int) -> Iterable[LeaderboardStanding]:
    """Rows with their ranks, the best first, and those with too few hands last."""
    rounded = [(name, hands, net, round(big_bets, 1), best) for name, hands, net, big_bets, best in rows]
    rounded.sort(key=lambda row: (row[1] < least, -row[3], row[0].casefold()))
    ranked = [big_bets for _, hands, _, big_bets, _ in rounded if hands >= least]
    for name, hands, net, big_bets, best in rounded:
        rank = 1 + sum(other > big_bets for other in ranked) if hands >= least else None
        yield LeaderboardStanding(rank, name, hands, net, big_bets, best)


def _since(period: str, now: datetime) -> datetime | None:
    if period not in PERIODS:
        raise NotFound("no-such-period", "The periods are: {periods}.", periods=", ".join(PERIODS))
    today = room_time.day_of(now)
    first = {"week": today - timedelta(days=today.weekday()), "month": today.replace(day=1)}
    return room_time.midnight(first[period]) if period in first else None
