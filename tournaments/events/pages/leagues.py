"""Pages of leagues and of their seasons: how events score, and who stands where."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy, ngettext

from cardroom.core import access
from cardroom.core.errors import Refusal
from cardroom.core.languages import of_the_house
from cardroom.core.sentences import filled
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page, went_to
from tournaments.events import leagues, staff
from tournaments.events.models import League
from tournaments.events.pages.league_serializers import HUNDREDTHS, LeagueChange, LeagueOrder, SeasonOrder
from tournaments.events.queries import points

PLAYERS_A_PAGE = 100

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


def league_list(request: HttpRequest) -> Context:
    return {"leagues": leagues.leagues(), "is_director": is_director(request)}


def league(request: HttpRequest, *, league_id: int) -> Context:
    """How its events count, and its seasons."""
    row = leagues.league(league_id)
    return {
        "league": row,
        "counting": counting(row),
        "seasons": row.seasons.order_by("-starts_on", "-pk"),
        "is_director": is_director(request),
    }


def season(request: HttpRequest, *, season_id: int) -> Context:
    """The table of a season, and its events."""
    row = leagues.season(season_id)
    page = Paginator(leagues.standings(row), PLAYERS_A_PAGE).get_page(request.GET.get("page"))
    return {
        "season": row,
        "league": row.league,
        "counting": counting(row.league),
        "page": page,
        "events": leagues.events(row),
        "is_director": is_director(request),
    }


def new_league(request: HttpRequest) -> Context:
    typed = request.POST or form_values(League(formula="root"))
    return _form(request, gettext("New league"), typed)


def edit_league(request: HttpRequest, *, league_id: int) -> Context:
    row = leagues.league(league_id)
    typed = request.POST or form_values(row)
    return _form(request, gettext("Edit {name}").format(name=row.name), typed) | {"league": row}


def new_season(request: HttpRequest, *, league_id: int) -> Context:
    row = leagues.league(league_id)
    title = gettext("New season of {name}").format(name=row.name)
    return {"title": title, "league": row, "is_director": is_director(request)}


def _form(request: HttpRequest, title: str, typed: Mapping[str, Any]) -> Context:
    return {"title": title, "typed": typed, "formulas": _FORMULAS, "is_director": is_director(request)}


def is_director(request: HttpRequest) -> bool:
    """Whether the page shows the buttons of directors."""
    return access.has_role(request.user, *staff.DIRECTORS)


def form_values(league: League) -> dict[str, str]:
    """The form of a league as it is filled in, each field by its name."""
    terms = league.terms
    # In the house's own language a comma is never part of a number, so it can separate the numbers of the table.
    with of_the_house():
        in_points = {
            "scale": points(terms.get("scale", HUNDREDTHS)),
            "table": ", ".join(points(place) for place in terms.get("table", [])),
            "playing": points(terms["playing"]) if terms.get("playing") else "",
        }
    numbers = in_points | {
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
    sentences = [
        filled(
            _COUNTING[league.formula],
            points=points(terms.get("scale", HUNDREDTHS)),
            table=", ".join(points(place) for place in terms.get("table", [])),
            per=terms.get("per", 100),
        )
    ]
    if terms.get("buy_in_of_one"):
        sentence = gettext("A buy-in of {amount} counts once, four times as much twice.")
        sentences.append(sentence.format(amount=intcomma(terms["buy_in_of_one"])))
    if terms.get("places"):
        n = terms["places"]
        sentences.append(ngettext("Only the first place scores.", "Only the first {n} places score.", n).format(n=n))
    if terms.get("playing"):
        sentences.append(gettext("{points} for playing.").format(points=points(terms["playing"])))
    if n := league.best_of:
        sentences.append(
            ngettext("A player's best result counts.", "A player's best {n} results count.", n).format(n=n)
        )
    if n := league.min_entrants:
        sentence = ngettext(
            "Tournaments with fewer than {n} entry do not count.",
            "Tournaments with fewer than {n} entries do not count.",
            n,
        )
        sentences.append(sentence.format(n=n))
    if league.first_entry_only:
        return [*sentences, gettext("Of several entries of a player in one tournament only the first counts.")]
    return [*sentences, gettext("Of several entries of a player in one tournament only the best counts.")]


_AT, _TEMPLATES = "tournaments/leagues/", "tournaments/events/leagues/"
LEAGUES = Page(_AT, "leagues", league_list, is_public=True, template=f"{_TEMPLATES}list.html")
LEAGUE = Page(f"{_AT}<id:league_id>/", "league", league, is_public=True, template=f"{_TEMPLATES}league.html")
NEW_LEAGUE = Page(f"{_AT}new/", "league_new", new_league, staff.DIRECTORS, template=f"{_TEMPLATES}league_form.html")
EDIT_LEAGUE = Page(
    f"{_AT}<id:league_id>/edit/", "league_edit", edit_league, staff.DIRECTORS, template=f"{_TEMPLATES}league_form.html"
)
NEW_SEASON = Page(
    f"{_AT}<id:league_id>/seasons/new/", "season_new", new_season, staff.DIRECTORS, template=f"{_TEMPLATES}form.html"
)
SEASON = Page(
    "tournaments/seasons/<id:season_id>/", "season", season, is_public=True, template=f"{_TEMPLATES}season.html"
)


class SaveRowForm(PagePost):
    """The form of a page, which goes on to the page of the row that it created or changed (`shown`)."""

    shown: ClassVar[Page]

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        return went_to(request, str(self.then).format(result), self.shown.name, result.pk)


class CreateLeagueForm(SaveRowForm):
    page, does, body, shown = NEW_LEAGUE, leagues.create, LeagueOrder, LEAGUE
    then = gettext_lazy("{0.name} is saved.")


class EditLeagueForm(SaveRowForm):
    page, does, body, shown = EDIT_LEAGUE, leagues.edit, LeagueChange, LEAGUE
    then = gettext_lazy("{0.name} is saved.")


class OpenSeasonForm(SaveRowForm):
    page, does, body, shown = NEW_SEASON, leagues.open_season, SeasonOrder, SEASON
    then = gettext_lazy("{0.name} is open: choose it in a tournament.")


class CloseSeasonForm(PagePost):
    page, does = SEASON, leagues.close_season
    path, name = "tournaments/seasons/<id:season_id>/close/", "season_close"
    then = gettext_lazy("{0.name} is closed. Its table stays.")

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        raise refusal


urlpatterns = page_urls(
    [LEAGUES, LEAGUE, NEW_LEAGUE, EDIT_LEAGUE, NEW_SEASON, SEASON],
    forms=[CreateLeagueForm, EditLeagueForm, OpenSeasonForm, CloseSeasonForm],
)
