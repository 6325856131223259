"""Leagues, their seasons, and where everybody stands in one.

Points are counted in hundredths, and worked out anew from the results each time: a table is never wrong for long.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet, Sum

from cardroom.core.errors import NotFound
from cardroom.core.models import User
from tournaments.engine import leagues as league_engine
from tournaments.events.models import League, Season, Tournament, TournamentEntry


@dataclass(frozen=True, slots=True)
class Score:
    """A player's points from one event; `counts`: whether it is among their best."""

    event: Tournament
    place: int
    hundredths: int
    counts: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A player in the table of a season. `rank` is shared by those who are level; `scores`: the best first."""

    rank: int
    player: User
    hundredths: int
    events: int
    wins: int
    best_place: int
    scores: list[Score]


def leagues() -> QuerySet[League]:
    """Leagues in use, by name, with their seasons."""
    return League.objects.filter(is_archived=False).order_by("name").prefetch_related("seasons")


def league(league_id: int) -> League:
    found = League.objects.filter(pk=league_id).first()
    if found is None:
        raise NotFound("There is no such league.", "no-such-league")
    return found


def season(season_id: int) -> Season:
    found = Season.objects.select_related("league").filter(pk=season_id).first()
    if found is None:
        raise NotFound("There is no such season.", "no-such-season")
    return found


def rules_of(league: League) -> league_engine.Rules:
    """The league's rules for the engine. `terms` are the numbers of the formula by name."""
    terms = {name: tuple(value) if isinstance(value, list) else value for name, value in league.terms.items()}
    return league_engine.Rules(league_engine.Formula(league.formula, **terms), league.best_of, league.min_entrants)


def events(season: Season) -> QuerySet[Tournament]:
    """The season's events that anybody may see, in the order in which they are played."""
    return season.tournaments.exclude(state=Tournament.State.DRAFT).order_by("starts_at", "pk")


def standings(season: Season) -> list[Standing]:
    """The table, first rank first, of all events that were played to their end: not of flights, which have no winner.
    House bots take places and score nothing. Three queries."""
    finished = season.tournaments.filter(state=Tournament.State.FINISHED, parent=None)
    played = {event.pk: event for event in finished.annotate(in_flights=Sum("flights__entries_count"))}
    rows = league_engine.season(rules_of(season.league), _results(season.league, played))
    players = User.objects.in_bulk([row.player for row in rows])
    return [
        Standing(
            rank=row.rank,
            player=players[row.player],
            hundredths=row.points,
            events=row.events,
            wins=row.wins,
            best_place=row.best_place,
            scores=[Score(played[each.event], each.place, each.points, each.counts) for each in row.scores],
        )
        for row in rows
    ]


def _results(league: League, played: Mapping[int, Any]) -> list[league_engine.Result]:
    """One result for each player and event. A final is as large as its flights were together."""
    entries = TournamentEntry.objects.filter(tournament__in=played, place__isnull=False, player__is_bot=False)
    fields = ("tournament", "player", "number", "place", "tied", "prize")
    best: dict[tuple[int, int], league_engine.Result] = {}
    for event, player, number, place, tied, prize in entries.order_by(
        "number" if league.first_entry_only else "place"
    ).values_list(*fields):
        row = played[event]
        result = league_engine.Result(
            event=event,
            player=player,
            entry=number,
            place=place,
            entries=max(row.entries_count, row.in_flights or 0),
            tied=tied,
            buy_in=sum(row.price.get("entry", {}).values()),
            prize=prize,
        )
        best.setdefault((event, player), result)
    return list(best.values())
