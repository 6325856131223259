"""What events belong to: leagues and their seasons, by which they count and somebody stands somewhere; and series."""

import re
from typing import Any, ClassVar

from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.formats import get_format
from django.utils.translation import gettext, gettext_lazy, ngettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from cardroom.core import access
from cardroom.core.errors import Refusal
from cardroom.core.languages import of_the_house
from cardroom.core.sentences import filled
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Change, Flag, Order, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost
from cardroom.core.web.operations import Context, Page, went_to
from cardroom.core.web.parts import whole_or_none
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments.engine.leagues import FORMULAS
from tournaments.events import leagues, staff
from tournaments.events import series as series_services
from tournaments.events.models import League, Season, Series, Tournament
from tournaments.events.pages.serializers import DIRECTORS, Day
from tournaments.events.queries import points

PLAYERS_A_PAGE = 100
_HUNDREDTHS = 100
_IN_HUNDREDTHS = "In hundredths of a point."

#: How places can count, on the form.
_FORMULAS = {
    "root": gettext_lazy("Points × √(entries ÷ place)"),
    "root-over-place": gettext_lazy("Points × √entries ÷ place"),
    "linear": gettext_lazy("Points for every entry at the place or behind it"),
    "table": gettext_lazy("A table of points by place"),
    "prize": gettext_lazy("Points for every so much of prize money"),
}
#: The same of one league, with its own numbers.
_COUNTING = {
    "root": "{points} × √(entries ÷ place).",
    "root-over-place": gettext_lazy("{points} × √entries ÷ place."),
    "linear": gettext_lazy("{points} for every entry at the place or behind it."),
    "table": gettext_lazy("Points by place: {table}."),
    "prize": gettext_lazy("{points} for every {per:,} of prize money."),
}


# -- what is sent and told ---------------------------------------------------------------------------------------------


class _ZeroIfEmpty(WholeNumber):
    """What is left empty on a page is 0."""

    empty = 0

    def said(self, words: str) -> int | str:
        number = whole_or_none(words)
        return (words or self.empty) if number is None else number


class _Per(_ZeroIfEmpty):
    empty = 100


class _Points(WholeNumber):
    """In hundredths; on a page in points, with one or two decimals after a point or a comma."""

    def said(self, words: str) -> int | str:
        parted = re.fullmatch(r"(.+?)(?:[.,]([0-9]{1,2}))?", words or "0")
        whole = whole_or_none(parted[1]) if parted else None
        return words if whole is None else _HUNDREDTHS * whole + int((parted[2] or "").ljust(2, "0"))


class _Scale(_Points):
    def said(self, words: str) -> int | str:
        return super().said(words or "1")


class _Table(serializers.ListField):
    """Points by place; on a page separated by commas or blanks. Where decimals stand after a comma, only one that a
    blank follows comes between two places."""

    def said(self, words: str) -> list[int | str]:
        is_decimal = get_format("DECIMAL_SEPARATOR") == "," and " " in words
        return [_Points().said(each) for each in re.split(r",?[ \t]+" if is_decimal else r"[, \t]+", words) if each]


class LeagueTerms(serializers.Serializer[Any]):
    """The numbers of a formula; those that are points are in hundredths. `table`: the points of each place."""

    scale = _Scale(required=False, min_value=0, max_value=10**9)
    per = _Per(required=False, min_value=1, max_value=10**9)
    buy_in_of_one = _ZeroIfEmpty(required=False, min_value=0, max_value=10**9)
    places = _ZeroIfEmpty(required=False, min_value=0, max_value=10**9)
    playing = _Points(required=False, min_value=0, max_value=10**9)
    table = _Table(child=WholeNumber(min_value=0, max_value=10**9), required=False, max_length=1000)


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


class _OfLeague(Order):
    name = Text(max_length=80, required=False)
    description = Text(max_length=10_000, required=False, allow_blank=True)
    formula = serializers.ChoiceField(sorted(FORMULAS), required=False)
    terms = LeagueTerms(required=False)
    best_of = _ZeroIfEmpty(required=False, min_value=0, max_value=10_000, help_text="How many results count; 0: all.")
    min_entrants = _ZeroIfEmpty(required=False, min_value=0, max_value=10_000)
    first_entry_only = Flag(required=False, help_text="Whether re-entries score nothing.")


class LeagueChange(Change, _OfLeague):
    """What is to be different. Scoring stays as it is once one of them was played."""

    is_archived = Flag(required=False)


class LeagueOrder(_OfLeague):
    """A new league."""

    name = Text(max_length=80)
    formula = serializers.ChoiceField(sorted(FORMULAS))


class SeasonOrder(Order):
    """A new season of a league."""

    name = Text(max_length=80)
    starts_on = Day()
    ends_on = Day(required=False, allow_null=True)


class Score(Shape):
    of = leagues.Score
    shows = "tournament=event.pk name=event.name place hundredths counts"
    says = {"hundredths": _IN_HUNDREDTHS, "counts": "Whether it is among their best."}


class LeagueStanding(Shape):
    """A player in the table of a season. `rank` is shared by those who are level."""

    of = leagues.Standing
    shows = "rank player=player.username hundredths events wins best_place"
    says = {"hundredths": _IN_HUNDREDTHS}
    scores = Score(many=True)


class SeasonTable(SeasonRow):
    """A season and its table, first rank first."""

    standings = serializers.SerializerMethodField()

    class Meta(SeasonRow.Meta):
        fields = (*SeasonRow.Meta.fields, "standings")  # type: ignore[assignment]

    @extend_schema_field(LeagueStanding(many=True))
    def get_standings(self, season: Season) -> Any:
        return LeagueStanding(leagues.standings(season), many=True).data


class SeriesRow(serializers.ModelSerializer[Series]):
    """Events that belong together."""

    class Meta:
        model = Series
        fields = ("id", "name", "description", "starts_on", "ends_on", "is_archived")


class _OfSeries(Order):
    name = Text(max_length=80, required=False)
    description = Text(max_length=10_000, required=False, allow_blank=True)
    starts_on = Day(required=False, allow_null=True)
    ends_on = Day(required=False, allow_null=True)


class SeriesChange(Change, _OfSeries):
    """What is to be different."""

    is_archived = Flag(required=False)


class SeriesOrder(_OfSeries):
    """A new series."""

    name = Text(max_length=80)


# -- pages -------------------------------------------------------------------------------------------------------------


def league_list(request: HttpRequest) -> Context:
    return _for(request, leagues=leagues.leagues())


def league(request: HttpRequest, *, league_id: int) -> Context:
    """How its events count, and its seasons."""
    row = leagues.league(league_id)
    return _for(request, league=row, counting=counting(row), seasons=row.seasons.order_by("-starts_on", "-pk"))


def season(request: HttpRequest, *, season_id: int) -> Context:
    """The table of a season, and its events."""
    row = leagues.season(season_id)
    page = Paginator(leagues.standings(row), PLAYERS_A_PAGE).get_page(request.GET.get("page"))
    told = {"season": row, "league": row.league, "counting": counting(row.league)}
    return _for(request, **told, page=page, events=leagues.events(row))


def new_league(request: HttpRequest) -> Context:
    typed = request.POST or said_of(League(formula="root"))
    return _for(request, title=gettext("New league"), typed=typed, formulas=_FORMULAS)


def edit_league(request: HttpRequest, *, league_id: int) -> Context:
    row = leagues.league(league_id)
    typed = request.POST or said_of(row)
    return _for(
        request, title=gettext("Edit {name}").format(name=row.name), league=row, typed=typed, formulas=_FORMULAS
    )


def new_season(request: HttpRequest, *, league_id: int) -> Context:
    row = leagues.league(league_id)
    return _for(request, title=gettext("New season of {name}").format(name=row.name), league=row)


def _for(request: HttpRequest, **told: Any) -> Context:
    return told | {"is_director": access.has_role(request.user, *staff.DIRECTORS)}


def series_list(request: HttpRequest) -> Context:
    return _for(request, series=_all_series())


def series(request: HttpRequest, *, series_id: int) -> Context:
    """A series, and its events in the order in which they are played."""
    row = _one_series(series_id)
    told = _for(request, series=row, events=row.tournaments.order_by("starts_at", "pk"))
    if not told["is_director"]:
        told["events"] = told["events"].exclude(state=Tournament.State.DRAFT)
    return told


def new_series(request: HttpRequest) -> Context:
    return {"title": gettext("New series")}


def edit_series(request: HttpRequest, *, series_id: int) -> Context:
    row = _one_series(series_id)
    return {"title": gettext("Edit {name}").format(name=row.name), "typed": request.POST or SeriesRow(row).data}


def _all_series() -> Any:
    return Series.objects.filter(is_archived=False).order_by("-starts_on", "name")


def _one_series(series_id: int) -> Series:
    row = Series.objects.filter(pk=series_id).first()
    if row is None:
        raise Series.not_found()
    return row


def said_of(league: League) -> dict[str, str]:
    """The form as it is filled in for a league."""
    terms = league.terms
    with of_the_house():  # where a comma stands between two numbers alone
        said = {
            "scale": points(terms.get("scale", _HUNDREDTHS)),
            "table": ", ".join(points(each) for each in terms.get("table", [])),
            "playing": points(terms["playing"]) if terms.get("playing") else "",
        }
    numbers = said | {
        "per": terms.get("per") or "",
        "buy_in_of_one": terms.get("buy_in_of_one") or "",
        "places": terms.get("places") or "",
        "best_of": league.best_of or "",
        "min_entrants": league.min_entrants or "",
    }
    texts = {"name": league.name, "description": league.description, "formula": league.formula}
    ticked = {"first_entry_only": "on"} if league.first_entry_only else {}
    return texts | ticked | {name: str(value) for name, value in numbers.items()}


def counting(league: League) -> list[str]:
    """How a league counts, in sentences."""
    terms = league.terms
    told = [
        filled(
            _COUNTING[league.formula],
            points=points(terms.get("scale", _HUNDREDTHS)),
            table=", ".join(points(each) for each in terms.get("table", [])),
            per=terms.get("per", 100),
        )
    ]
    if terms.get("buy_in_of_one"):
        counts = gettext("A buy-in of {amount} counts once, four times as much twice.")
        told.append(counts.format(amount=intcomma(terms["buy_in_of_one"])))
    if terms.get("places"):
        n = terms["places"]
        told.append(ngettext("Only the first place scores.", "Only the first {n} places score.", n).format(n=n))
    if terms.get("playing"):
        told.append(gettext("{points} for playing.").format(points=points(terms["playing"])))
    if n := league.best_of:
        told.append(ngettext("A player's best result counts.", "A player's best {n} results count.", n).format(n=n))
    if n := league.min_entrants:
        few = ngettext(
            "Tournaments with fewer than {n} entry do not count.",
            "Tournaments with fewer than {n} entries do not count.",
            n,
        )
        told.append(few.format(n=n))
    if league.first_entry_only:
        return [*told, gettext("Of several entries of a player in one tournament only the first counts.")]
    return [*told, gettext("Of several entries of a player in one tournament only the best counts.")]


_AT, _DRAWN = "tournaments/leagues/", "tournaments/events/leagues/"
LEAGUES = Page(_AT, "leagues", league_list, is_public=True, template=f"{_DRAWN}list.html")
LEAGUE = Page(f"{_AT}<id:league_id>/", "league", league, is_public=True, template=f"{_DRAWN}league.html")
NEW_LEAGUE = Page(f"{_AT}new/", "league_new", new_league, staff.DIRECTORS, template=f"{_DRAWN}league_form.html")
EDIT_LEAGUE = Page(
    f"{_AT}<id:league_id>/edit/", "league_edit", edit_league, staff.DIRECTORS, template=f"{_DRAWN}league_form.html"
)
NEW_SEASON = Page(
    f"{_AT}<id:league_id>/seasons/new/", "season_new", new_season, staff.DIRECTORS, template=f"{_DRAWN}form.html"
)
SEASON = Page("tournaments/seasons/<id:season_id>/", "season", season, is_public=True, template=f"{_DRAWN}season.html")

_SERIES, _DRAWN_SERIES = "tournaments/series/", "tournaments/events/before/series"
ALL_SERIES = Page(_SERIES, "tournament_series", series_list, is_public=True, template=f"{_DRAWN_SERIES}_list.html")
ONE_SERIES = Page(
    f"{_SERIES}<id:series_id>/", "tournament_one_series", series, is_public=True, template=f"{_DRAWN_SERIES}.html"
)
NEW_SERIES = Page(
    f"{_SERIES}new/", "tournament_series_new", new_series, staff.DIRECTORS, template=f"{_DRAWN_SERIES}_form.html"
)
EDIT_SERIES = Page(
    f"{_SERIES}<id:series_id>/edit/", "tournament_series_edit", edit_series, staff.DIRECTORS,
    template=f"{_DRAWN_SERIES}_form.html",
)  # fmt: skip


# -- forms -------------------------------------------------------------------------------------------------------------


class MakingForm(PagePost):
    """The form of a page, which goes on to the page of what was made or changed (`shown`)."""

    shown: ClassVar[Page]

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        return went_to(request, str(self.then).format(result), self.shown.name, result.pk)


class MakeLeagueForm(MakingForm):
    page, does, body, shown = NEW_LEAGUE, leagues.create, LeagueOrder, LEAGUE
    then = gettext_lazy("{0.name} is saved.")


class EditLeagueForm(MakingForm):
    page, does, body, shown = EDIT_LEAGUE, leagues.edit, LeagueChange, LEAGUE
    then = gettext_lazy("{0.name} is saved.")


class OpenSeasonForm(MakingForm):
    page, does, body, shown = NEW_SEASON, leagues.open_season, SeasonOrder, SEASON
    then = gettext_lazy("{0.name} is open: choose it in a tournament.")


class CloseSeasonForm(PagePost):
    page, does = SEASON, leagues.close_season
    path, name = "tournaments/seasons/<id:season_id>/close/", "season_close"
    then = gettext_lazy("{0.name} is closed. Its table stays.")

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        raise refusal


class MakeSeriesForm(MakingForm):
    page, does, body, shown = NEW_SERIES, series_services.create, SeriesOrder, ONE_SERIES
    then = gettext_lazy("{0.name} is saved.")


class EditSeriesForm(MakingForm):
    page, does, body, shown = EDIT_SERIES, series_services.edit, SeriesChange, ONE_SERIES
    then = gettext_lazy("{0.name} is saved.")


# -- what programs ask -------------------------------------------------------------------------------------------------


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


def all_series(*, by: Any) -> Any:
    """The series that are not put away."""
    return _all_series()


def one_series(*, series_id: int, by: Any) -> Series:
    """A series."""
    return _one_series(series_id)


class OfLeagues(Resource):
    """What there is of leagues, and what directors do with them."""

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


class OfSeries(Resource):
    """What there is of series, and what directors do with them."""

    tags, scope = ("series",), "direct"


class AllSeriesResource(OfSeries):
    path = "series"
    get = reads(all_series, name="all_series", summary="Series", is_public=True, answers=SeriesRow, many=True)
    post = does(
        series_services.create,
        name="make_series",
        summary="Create a series",
        description=f"{DIRECTORS} A name that exists is refused, under another key.",
        body=SeriesOrder,
        answers=SeriesRow,
        status=201,
        refuses=(409, 422),
    )


class OneSeriesResource(OfSeries):
    path = "series/<id:series_id>"
    get = reads(
        one_series,
        name="series",
        summary="A series",
        description="Its events: `tournaments?series=`.",
        is_public=True,
        answers=SeriesRow,
    )
    patch = does(
        series_services.edit,
        name="edit_series",
        summary="Change a series",
        description=DIRECTORS,
        body=SeriesChange,
        answers=SeriesRow,
        refuses=(409, 422),
    )


api = addresses(
    [
        LeaguesResource,
        LeagueResource,
        SeasonsResource,
        SeasonResource,
        CloseSeasonResource,
        AllSeriesResource,
        OneSeriesResource,
    ]
)
urlpatterns = of.pages(
    [LEAGUES, LEAGUE, NEW_LEAGUE, EDIT_LEAGUE, NEW_SEASON, SEASON, ALL_SERIES, NEW_SERIES, ONE_SERIES, EDIT_SERIES],
    posts=[MakeLeagueForm, EditLeagueForm, OpenSeasonForm, CloseSeasonForm, MakeSeriesForm, EditSeriesForm],
)
