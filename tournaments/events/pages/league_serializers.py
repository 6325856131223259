"""Leagues, their seasons and tables of seasons, as forms and programs send and get them."""

import re
from typing import Any

from django.utils.formats import get_format
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from cardroom.core.web.api.fields import Change, FlagField, RequestBody, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.parts import whole_number_or_none
from tournaments.engine.leagues import FORMULAS
from tournaments.events import leagues
from tournaments.events.models import League, Season
from tournaments.events.pages.fields import DayField

HUNDREDTHS = 100
_IN_HUNDREDTHS = "In hundredths of a point."


class _ZeroIfEmpty(WholeNumber):
    """A number; a field left empty on a page is 0."""

    empty = 0

    def said(self, words: str) -> int | str:
        number = whole_number_or_none(words)
        return (words or self.empty) if number is None else number


class _Per(_ZeroIfEmpty):
    empty = 100


class _Points(WholeNumber):
    """In hundredths; on a page in points, with one or two decimals after a point or a comma."""

    def said(self, words: str) -> int | str:
        parted = re.fullmatch(r"(.+?)(?:[.,]([0-9]{1,2}))?", words or "0")
        whole = whole_number_or_none(parted[1]) if parted else None
        return words if whole is None else HUNDREDTHS * whole + int((parted[2] or "").ljust(2, "0"))


class _Scale(_Points):
    def said(self, words: str) -> int | str:
        return super().said(words or "1")


class _PointsByPlace(serializers.ListField):
    """Points by place; on a page separated by commas or blanks. Where a comma comes before decimals, it separates two
    places only if a blank follows it."""

    def said(self, words: str) -> list[int | str]:
        is_decimal = get_format("DECIMAL_SEPARATOR") == "," and " " in words
        return [_Points().said(place) for place in re.split(r",?[ \t]+" if is_decimal else r"[, \t]+", words) if place]


class LeagueTerms(serializers.Serializer[Any]):
    """The numbers of a formula; those that are points are in hundredths. `table`: the points of each place."""

    scale = _Scale(required=False, min_value=0, max_value=10**9)
    per = _Per(required=False, min_value=1, max_value=10**9)
    buy_in_of_one = _ZeroIfEmpty(required=False, min_value=0, max_value=10**9)
    places = _ZeroIfEmpty(required=False, min_value=0, max_value=10**9)
    playing = _Points(required=False, min_value=0, max_value=10**9)
    table = _PointsByPlace(child=WholeNumber(min_value=0, max_value=10**9), required=False, max_length=1000)


class SeasonRow(serializers.ModelSerializer[Season]):
    """A season of a league, with a table of its own."""

    league = serializers.IntegerField(source="league_id")

    class Meta:
        model = Season
        fields = ("id", "league", "name", "starts_on", "ends_on", "closed_at")


class LeagueRow(serializers.ModelSerializer[League]):
    """Scoring."""

    formula = serializers.ChoiceField(sorted(FORMULAS))
    terms = LeagueTerms()
    seasons = SeasonRow(many=True)

    class Meta:
        model = League
        fields = (
            *("id", "name", "description", "formula", "terms", "best_of", "min_entrants", "first_entry_only"),
            *("is_archived", "seasons"),
        )


class _OfLeague(RequestBody):
    name = Text(max_length=80, required=False)
    description = Text(max_length=10_000, required=False, allow_blank=True)
    formula = serializers.ChoiceField(sorted(FORMULAS), required=False)
    terms = LeagueTerms(required=False)
    best_of = _ZeroIfEmpty(required=False, min_value=0, max_value=10_000, help_text="How many results count; 0: all.")
    min_entrants = _ZeroIfEmpty(required=False, min_value=0, max_value=10_000)
    first_entry_only = FlagField(required=False, help_text="Whether re-entries score nothing.")


class LeagueChange(Change, _OfLeague):
    """What is to be different. Scoring stays as it is once one of its events was played."""

    is_archived = FlagField(required=False)


class LeagueOrder(_OfLeague):
    """A new league."""

    name = Text(max_length=80)
    formula = serializers.ChoiceField(sorted(FORMULAS))


class SeasonOrder(RequestBody):
    """A new season of a league."""

    name = Text(max_length=80)
    starts_on = DayField()
    ends_on = DayField(required=False, allow_null=True)


class LeagueScore(Shape):
    of = leagues.SeasonScore
    field_names = "tournament=event.pk name=event.name place hundredths counts"
    help_texts = {"hundredths": _IN_HUNDREDTHS, "counts": "Whether it is among their best."}


class LeagueStanding(Shape):
    """A player in the table of a season. `rank` is shared by those who are level."""

    of = leagues.SeasonStanding
    field_names = "rank player=player.username hundredths events wins best_place"
    help_texts = {"hundredths": _IN_HUNDREDTHS}
    scores = LeagueScore(many=True)


class SeasonTable(SeasonRow):
    """A season and its table, first rank first."""

    standings = serializers.SerializerMethodField()

    class Meta(SeasonRow.Meta):
        fields = (*SeasonRow.Meta.fields, "standings")  # type: ignore[assignment]

    @extend_schema_field(LeagueStanding(many=True))
    def get_standings(self, season: Season) -> Any:
        return LeagueStanding(leagues.standings(season), many=True).data
