"""Leagues and their seasons for programs."""

from typing import Any

from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments.events import leagues
from tournaments.events.models import League, Season
from tournaments.events.pages.fields import DIRECTORS
from tournaments.events.pages.league_serializers import (
    LeagueChange,
    LeagueOrder,
    LeagueRow,
    SeasonOrder,
    SeasonRow,
    SeasonTable,
)


def all_leagues(*, by: Any) -> Any:
    """Leagues and their seasons."""
    return leagues.leagues()


def one_league(*, league_id: int, by: Any) -> League:
    """A league and its seasons."""
    return leagues.league(league_id)


def seasons_of(*, league_id: int, by: Any) -> Any:
    """The seasons of a league, the newest first."""
    return leagues.league(league_id).seasons.order_by("-starts_on", "-pk")


def one_season(*, season_id: int, by: Any) -> Season:
    """A season and its table."""
    return leagues.season(season_id)


class OfLeagues(Resource):
    """Leagues and seasons: read by everybody, changed by directors."""

    tags, scope = ("leagues",), "direct"


class LeaguesResource(OfLeagues):
    path = "leagues"
    get = reads(
        all_leagues, name="leagues", summary="Leagues and their seasons", is_public=True, answers=LeagueRow, many=True
    )
    post = does(
        leagues.create,
        name="make_league",
        summary="Create a league",
        description=f"{DIRECTORS} A name that exists is refused, under another key.",
        body=LeagueOrder,
        answers=LeagueRow,
        status=201,
        refuses=(409, 422),
    )


class LeagueResource(OfLeagues):
    path = "leagues/<id:league_id>"
    get = reads(one_league, name="league", summary="A league and its seasons", is_public=True, answers=LeagueRow)
    patch = does(
        leagues.edit,
        name="edit_league",
        summary="Change a league",
        description=DIRECTORS,
        body=LeagueChange,
        answers=LeagueRow,
        refuses=(409, 422),
    )


class SeasonsResource(OfLeagues):
    path = "leagues/<id:league_id>/seasons"
    get = reads(
        seasons_of, name="seasons", summary="The seasons of a league", is_public=True, answers=SeasonRow, many=True
    )
    post = does(
        leagues.open_season,
        name="open_season",
        summary="Open a season",
        description=f"{DIRECTORS} A name that is taken is refused, under another key. Events join by their `season`.",
        body=SeasonOrder,
        answers=SeasonRow,
        status=201,
        refuses=(409, 422),
    )


class SeasonResource(OfLeagues):
    path = "seasons/<id:season_id>"
    get = reads(one_season, name="season", summary="A season and its table", is_public=True, answers=SeasonTable)


class CloseSeasonResource(OfLeagues):
    path = "seasons/<id:season_id>/close"
    post = does(
        leagues.close_season,
        name="close_season",
        summary="Close a season: no more events join it",
        description=DIRECTORS,
        answers=SeasonRow,
        refuses=(409, 422),
    )


api = addresses([LeaguesResource, LeagueResource, SeasonsResource, SeasonResource, CloseSeasonResource])
