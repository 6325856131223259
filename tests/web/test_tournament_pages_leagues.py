"""The pages of leagues, and the tables they show."""

import re

import pytest

from cardroom.core.errors import Illegal, Invalid
from tests.support.events import Event, order
from tests.support.pages import assert_hides, assert_shows, get, html_of, words
from tests.support.parts.tournaments import cancelling, leagues
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.engine.commands import Bust
from tournaments.events.models import League, Season
from tournaments.events.pages.leagues import counting

LEAGUE = {"name": "House League", "formula": "table", "table": "100, 60, 40", "best_of": "2", "min_entrants": "3"}
LEAGUE |= {"first_entry_only": "on"}


@world
def draft() -> Event:
    return Event()


@pytest.fixture
def director(draft, at, browse):
    """A director at the room's clock: `browser`, and `user`."""
    event = at(draft)
    browser = browse(event.director)
    browser.user = event.director
    return browser


def season_of(director, **changes):
    director.post("/tournaments/leagues/new/", LEAGUE | changes)
    address = f"/tournaments/leagues/{League.objects.get().pk}/seasons/new/"
    director.post(address, {"name": "Spring", "starts_on": "2030-01-01"})
    return Season.objects.get()


def play_event_of_season(season, *players):
    """An event of the season in which `players` went out last to first."""
    event = Event(season_id=season.pk).started(players)
    for number in range(len(players), 1, -1):
        event.play(Bust(((number, 2000),), table=1, hand=9 - number, by=(1,)))


def test_a_league_explains_its_formula_and_counts_the_best_results(director, browse, django_assert_max_num_queries):
    season = season_of(director)
    page = words(get(browse(), f"/tournaments/leagues/{season.league.pk}/"))
    assert_shows(page, "Points by place: 100, 60, 40.", "A player's best 2 results count.")
    assert_shows(page, "Tournaments with fewer than 3 entries do not count.")
    assert_shows(page, "Of several entries of a player in one tournament only the first counts.")
    assert_shows(get(browse(), "/tournaments/leagues/"), "House League")
    ana, ben, cleo = (Event().player(name) for name in ("ana", "ben", "cleo"))
    play_event_of_season(season, ana, ben, cleo)
    play_event_of_season(season, ben, ana, cleo)
    play_event_of_season(season, ben, cleo, ana)
    play_event_of_season(season, cleo, ana)  # too few to count
    browser = browse()
    with django_assert_max_num_queries(6):
        page = words(get(browser, f"/tournaments/seasons/{season.pk}/"))
    assert re.search(r"1 ben .* 200 3 2 1st 2 ana .* 160 3 1 1st 3 cleo .* 100 3 0 2nd", page)
    assert_shows(page, "does not count")


def test_league_points_have_two_decimals_and_a_used_formula_stays(director, browse):
    season = season_of(director, formula="root", scale="10")
    play_event_of_season(season, *(Event().player() for _ in range(3)))
    assert_shows(
        get(browse(), f"/tournaments/seasons/{season.pk}/"), "17.32", "12.24"
    )  # ten times the root of three, and less
    address = f"/tournaments/leagues/{season.league.pk}/edit/"
    terms = LEAGUE | {"formula": "root", "scale": "10", "name": "The League"}
    assert_shows(words(director.post(address, terms | {"scale": "11"}), 422), "create another league")
    assert director.post(address, terms).status_code == 302
    assert League.objects.get().name == "The League"


def test_points_are_read_with_a_decimal_point_or_comma(director):
    said = LEAGUE | {"table": "100,5, 60, 40.25", "playing": "2,5", "best_of": "1.000", "buy_in_of_one": "10.000"}
    assert director.post("/tournaments/leagues/new/", said, headers={"Accept-Language": "de"}).status_code == 302
    league = League.objects.get()
    assert (league.terms["table"], league.terms["playing"]) == ([10_050, 6000, 4025], 250)
    assert (league.terms["buy_in_of_one"], league.best_of) == (10_000, 1000)


def test_what_makes_no_sense_is_refused_and_stays_typed(director):
    page = html_of(director.post("/tournaments/leagues/new/", LEAGUE | {"table": ""}), 422)
    assert_shows(page, "A table needs the points of at least one place", 'value="House League"')
    for wrong in ({"formula": "none"}, {"table": "many"}, {"name": ""}, {"best_of": "-1"}):
        assert director.post("/tournaments/leagues/new/", LEAGUE | wrong).status_code == 400
    season = season_of(director)
    assert director.post("/tournaments/leagues/new/", LEAGUE).status_code == 409
    address = f"/tournaments/leagues/{season.league.pk}/seasons/new/"
    assert director.post(address, {"name": "Spring", "starts_on": "2030-01-01"}).status_code == 409
    backwards = {"name": "Back", "starts_on": "2030-02-01", "ends_on": "2030-01-01"}
    assert director.post(address, backwards).status_code == 400
    given = {"by": director.user, "name": "L", "now": Event().now}
    for terms in ({"scale": 10**30}, {"scale": 1.5}, {"table": [True]}, {"magic": 1}, {"table": "100"}):
        refused(Invalid, leagues.create, formula="root", terms=terms, **given)
    refused(Illegal, leagues.create, formula="magic", **given)


def test_a_season_closes_once_its_events_are_over(director):
    season = season_of(director)
    event = Event(season_id=season.pk).open()
    address = f"/tournaments/seasons/{season.pk}/close/"
    assert director.post(address).status_code == 422
    cancelling.cancel(reason="no chips", **order(event))
    assert director.post(address).status_code == 302
    assert_shows(words(get(director, f"/tournaments/seasons/{season.pk}/")), "closed")
    assert_hides(words(get(director, "/tournaments/new/")), str(season))


def test_a_league_says_how_it_counts_in_the_readers_language(every_word_marked):
    terms = {"table": [10000], "buy_in_of_one": 1000, "places": 1, "playing": 500}
    counts = counting(League(formula="table", terms=terms, best_of=2, min_entrants=3))
    assert all(sentence.startswith("~") for sentence in counts)
    assert counts[1:5] == [
        "~A buy-in of 1.000 counts once, four times as much twice.", "~Only the first place scores.", "~5 for playing.",
        "~A player's best 2 results count.",
    ]  # fmt: skip
