"""Leagues: tables worked out of the results, to the hundredth of a point."""

from datetime import date, timedelta

import pytest

from cardroom.core.errors import Forbidden, Illegal, Invalid
from tests.support.event_tables import new_bot
from tests.support.events import START, Event, bust, order
from tests.support.parts.tournaments import flights, leagues, registration, seats
from tests.support.parts.tournaments import leagues as events_leagues
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.engine.config import PayoutTerms


@world
def director():
    return Event().director


@world
def league(director):
    """A point for everybody left behind and one for oneself, in hundredths."""
    return leagues.create(by=director, name="Monday", formula="linear", terms={"scale": 100}, min_entrants=3, now=START)


@world
def season(league, director):
    spring = {"name": "Spring", "starts_on": date(2030, 1, 1), "now": START}
    return leagues.open_season(league_id=league.pk, by=director, **spring)


@pytest.fixture
def played(make_event):
    """`played(players, **options)`: the first of them wins, and so on down."""

    def made(players, *, ends=True, **options):
        event = make_event(**{"payout": PayoutTerms(kind="winner")} | options).started(players)
        if ends:
            bust(event, *range(len(players), 1, -1))
        return event

    return made


@world
def people():
    source = Event()
    return [source.player(name) for name in ("ana", "bob", "cid", "dan")]


def table(season):
    return [
        (row.rank, row.player.username, row.hundredths, row.events, row.wins)
        for row in events_leagues.standings(season)
    ]


def test_small_events_other_seasons_and_those_not_played_out_bring_nothing(season, played, people, make_event):
    event = played(people, season_id=season.pk)
    assert len(table(season)) == 4
    seats.undo(**order(event))
    played(people[:2], season_id=season.pk)
    played(people)
    played(people, ends=False, season_id=season.pk)
    make_event(season_id=season.pk).open()
    assert table(season) == []


@pytest.mark.parametrize(("first_only", "points"), [(True, 100), (False, 300)])
def test_a_re_entry_scores_only_where_the_league_says_so(season, league, director, played, people, first_only, points):
    leagues.edit(league_id=league.pk, by=director, first_entry_only=first_only)
    ana, bob, cid, _ = people
    event = played([ana, bob, cid], ends=False, season_id=season.pk, re_entries=1, late_level=2)
    bust(event, 3, eliminators=[1])
    registration.re_enter(tournament_id=event.pk, by=cid, now=event.now)
    bust(event, 2, 1)
    season.refresh_from_db()
    assert event.entry(4).place == 1
    rows = {row.player.username: row.hundredths for row in events_leagues.standings(season)}
    assert rows["cid"] == points + (100 if not first_only else 0)


def test_bots_take_places_and_score_nothing(season, make_event, people):
    event = make_event(conduct="room", season_id=season.pk, payout=PayoutTerms(kind="winner")).open()
    registration.register(tournament_id=event.pk, by=None, player=new_bot(event.now), method="house", now=event.now)
    event.started(people[:2])
    bust(event, 3, 2)
    assert table(season) == [(1, "ana", 200, 1, 0), (2, "bob", 100, 1, 0)]


def test_a_final_counts_for_as_many_as_all_its_flights_had(season, played, people, make_event):
    ana, bob, cid, dan = people
    final = make_event(season_id=season.pk, payout=PayoutTerms(kind="winner")).open()
    for name, players in (("1A", [ana, bob, cid]), ("1B", [dan, final.player("eve"), final.player("fay")])):
        flight = played(players, ends=False, parent_id=final.pk, flight=name, season_id=season.pk)
        bust(flight, 3, eliminators=[1])
        seats.close_flight(stacks=[(1, 4000), (2, 2000)], **order(flight))
    flights.carry(final_id=final.pk, by=final.director, now=final.now + timedelta(minutes=1))
    final.start()
    bust(final, 4, 3, 2)
    assert table(season)[:2] == [(1, "ana", 600, 1, 1), (2, "bob", 500, 1, 0)]
    assert len(table(season)) == 4, "flights have no winner, and score nothing themselves"


def test_how_events_count_stays_once_one_has_counted(season, league, director, played, people):
    played(people, season_id=season.pk)
    for changes in ({"best_of": 3}, {"formula": "root"}, {"first_entry_only": False}):
        refused(Illegal, "cannot change", leagues.edit, league_id=league.pk, by=director, **changes)
    leagues.edit(league_id=league.pk, by=director, description="On Mondays.")
    refused(Forbidden, leagues.edit, league_id=league.pk, by=people[0], description="Mine.")
    refused(Invalid, leagues.create, by=director, name="Friday", formula="linear", first_entry_only="no", now=START)
