"""Leagues, their seasons, and who stands where in one."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Flag, Order, Text, WholeNumber
from cardroom.web.api.schema import refusals
from tournaments.engine.leagues import FORMULAS
from tournaments.models import League, Season
from tournaments.selectors import leagues as looking
from tournaments.services import leagues
from tournaments.web.api.orders import DIRECTORS
from tournaments.web.api.terms_fields import Day

_HUNDREDTHS = "In hundredths of a point."


class LeagueTerms(serializers.Serializer[Any]):
    """The numbers of a formula; those that are points are in hundredths. `table`: the points of each place."""

    scale = WholeNumber(required=False, min_value=0, max_value=10**9)
    per = WholeNumber(required=False, min_value=1, max_value=10**9)
    buy_in_of_one = WholeNumber(required=False, min_value=0, max_value=10**9)
    places = WholeNumber(required=False, min_value=0, max_value=10**9)
    playing = WholeNumber(required=False, min_value=0, max_value=10**9)
    table = serializers.ListField(child=WholeNumber(min_value=0, max_value=10**9), required=False, max_length=1000)


class SeasonRow(serializers.ModelSerializer[Season]):
    """A stretch of a league that has a table of its own."""

    league = serializers.IntegerField(source="league_id")

    class Meta:
        model = Season
        fields = ("id", "league", "name", "starts_on", "ends_on", "closed_at")


class LeagueRow(serializers.ModelSerializer[League]):
    """How events count."""

    formula = serializers.ChoiceField(sorted(FORMULAS))
    terms = LeagueTerms()
    seasons = SeasonRow(many=True)

    class Meta:
        model = League
        fields = (
            *(
                "id",
                "name",
                "description",
                "formula",
                "terms",
                "best_of",
                "min_entrants",
                "first_entry_only",
                "is_archived",
                "seasons",
            ),
        )


class LeagueChange(Order):
    """What is to be different. How events count stays as it is once one of them was played."""

    name = Text(max_length=80, required=False)
    description = Text(max_length=10_000, required=False, allow_blank=True)
    formula = serializers.ChoiceField(sorted(FORMULAS), required=False)
    terms = LeagueTerms(required=False)
    best_of = WholeNumber(required=False, min_value=0, max_value=10_000, help_text="How many results count; 0: all.")
    min_entrants = WholeNumber(required=False, min_value=0, max_value=10_000)
    first_entry_only = Flag(required=False, help_text="Whether re-entries score nothing.")
    is_archived = Flag(required=False)


class LeagueOrder(LeagueChange):
    """A new league."""

    name = Text(max_length=80)
    formula = serializers.ChoiceField(sorted(FORMULAS))
    is_archived = None  # type: ignore[assignment]


class SeasonOrder(Order):
    """A new season of a league."""

    name = Text(max_length=80)
    starts_on = Day()
    ends_on = Day(required=False, allow_null=True)


class Score(serializers.Serializer[Any]):
    tournament = serializers.IntegerField(source="event.pk")
    name = serializers.CharField(source="event.name")
    place = serializers.IntegerField()
    hundredths = serializers.IntegerField(help_text=_HUNDREDTHS)
    counts = serializers.BooleanField(help_text="Whether it is among their best.")


class LeagueStanding(serializers.Serializer[Any]):
    """A player in the table of a season. `rank` is shared by those who are level."""

    rank = serializers.IntegerField()
    player = serializers.CharField(source="player.username")
    hundredths = serializers.IntegerField(help_text=_HUNDREDTHS)
    events = serializers.IntegerField()
    wins = serializers.IntegerField()
    best_place = serializers.IntegerField()
    scores = Score(many=True)


class SeasonTable(SeasonRow):
    """A season and its table, first rank first."""

    standings = serializers.SerializerMethodField()

    class Meta(SeasonRow.Meta):
        fields = (*SeasonRow.Meta.fields, "standings")  # type: ignore[assignment]

    @extend_schema_field(LeagueStanding(many=True))
    def get_standings(self, season: Season) -> Any:
        return LeagueStanding(looking.standings(season), many=True).data


class LeaguesView(APIView):
    """Leagues that are played."""

    tags = ("leagues",)
    is_public = True
    scope = "direct"

    @extend_schema(operation_id="leagues", summary="Leagues and their seasons", responses=LeagueRow(many=True))
    def get(self, request: Request) -> Response:
        return Response(LeagueRow(looking.leagues(), many=True).data)

    @extend_schema(
        operation_id="make_league",
        summary="Make a league",
        description=f"{DIRECTORS} The same name once more, under another key, is refused.",
        request=LeagueOrder,
        parameters=[keys.PARAMETER],
        responses={201: LeagueRow} | refusals(409, 422),
    )
    def post(self, request: Request) -> Response:
        order = LeagueOrder.read(request)
        league = leagues.create(by=asker(request), key=keys.key_of(request), **order)
        return Response(LeagueRow(league).data, status=status.HTTP_201_CREATED)


class LeagueView(APIView):
    """A league."""

    tags = ("leagues",)
    is_public = True
    scope = "direct"

    @extend_schema(operation_id="league", summary="A league and its seasons", responses=LeagueRow)
    def get(self, request: Request, league_id: int) -> Response:
        return Response(LeagueRow(looking.league(league_id)).data)

    @extend_schema(
        operation_id="edit_league",
        summary="Change a league",
        description=DIRECTORS,
        request=LeagueChange,
        responses={200: LeagueRow} | refusals(409, 422),
    )
    def patch(self, request: Request, league_id: int) -> Response:
        order = LeagueChange.read(request)
        return Response(LeagueRow(leagues.edit(league_id=league_id, by=asker(request), **order)).data)


class SeasonsView(APIView):
    """The seasons of a league."""

    tags = ("leagues",)
    is_public = True
    scope = "direct"

    @extend_schema(operation_id="seasons", summary="The seasons of a league", responses=SeasonRow(many=True))
    def get(self, request: Request, league_id: int) -> Response:
        rows = looking.league(league_id).seasons.order_by("-starts_on", "-pk")
        return Response(SeasonRow(rows, many=True).data)

    @extend_schema(
        operation_id="open_season",
        summary="Open a season",
        description=f"{DIRECTORS} A name that is taken is refused, under another key. Events join by their `season`.",
        request=SeasonOrder,
        parameters=[keys.PARAMETER],
        responses={201: SeasonRow} | refusals(409, 422),
    )
    def post(self, request: Request, league_id: int) -> Response:
        order = SeasonOrder.read(request)
        given = {"by": asker(request), "key": keys.key_of(request)}
        season = leagues.open_season(league_id=league_id, **given, **order)
        return Response(SeasonRow(season).data, status=status.HTTP_201_CREATED)


class SeasonView(APIView):
    """A season and its table."""

    tags = ("leagues",)
    is_public = True

    @extend_schema(operation_id="season", summary="A season and its table", responses=SeasonTable)
    def get(self, request: Request, season_id: int) -> Response:
        return Response(SeasonTable(looking.season(season_id)).data)


class CloseSeasonView(APIView):
    """A season that is over."""

    tags = ("leagues",)
    scope = "direct"

    @extend_schema(
        operation_id="close_season",
        summary="Close a season: no more events join it",
        description=DIRECTORS,
        request=None,
        parameters=[keys.PARAMETER],
        responses={200: SeasonRow} | refusals(409, 422),
    )
    def post(self, request: Request, season_id: int) -> Response:
        keys.key_of(request)
        season = leagues.close_season(season_id=season_id, by=asker(request))
        return Response(SeasonRow(season).data)
