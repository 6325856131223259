"""Leagues, whose tables are worked out of the results to the hundredth of a point; templates and series of events."""

from datetime import date, timedelta

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound
from tests.support.event_tables import new_bot
from tests.support.events import PRICE, START, Event, bust, config, order
from tests.support.offers import staff
from tests.support.parts.tournaments import (
    closing,
    event_terms,
    flights,
    leagues,
    registration,
    series,
    tournaments,
    undoing,
)
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.engine import config as terms


@world
def people():
    source = Event()
    return [source.player(name) for name in ("ana", "bob", "cid", "dan")]


@world
def league():
    """A point for everybody left behind and one for oneself, in hundredths."""
    counts = {"formula": "linear", "terms": {"scale": 100}, "min_entrants": 3}
    return leagues.create(by=staff("director"), name="Monday", now=START, **counts)


@world
def season(league):
    spring = {"name": "Spring", "starts_on": date(2030, 1, 1), "now": START}
    return leagues.open_season(league_id=league.pk, by=staff("director"), **spring)


def play_event(players, *, ends=True, **options):
    """The first of them wins, and so on down."""
    event = Event(**{"payout": terms.PayoutTerms(kind="winner")} | options).started(players)
    if ends:
        bust(event, *range(len(players), 1, -1))
    return event


def table(season):
    found = leagues.standings(season)
    return [(row.rank, row.player.username, row.hundredths, row.events, row.wins) for row in found]


def test_small_events_other_seasons_and_those_not_played_out_bring_nothing(season, people):
    event = play_event(people, season_id=season.pk)
    assert len(table(season)) == 4
    undoing.undo(**order(event))
    play_event(people[:2], season_id=season.pk)
    play_event(people)
    play_event(people, ends=False, season_id=season.pk)
    Event(season_id=season.pk).open()
    assert table(season) == []


@pytest.mark.parametrize(("first_only", "points"), [(True, 100), (False, 400)])
def test_a_re_entry_scores_only_where_the_league_says_so(season, league, people, first_only, points):
    leagues.edit(league_id=league.pk, by=staff("director"), first_entry_only=first_only)
    event = play_event(people[:3], ends=False, season_id=season.pk, re_entries=1, late_level=2)
    bust(event, 3, eliminators=[1])
    registration.re_enter(tournament_id=event.pk, by=people[2], now=event.now)
    bust(event, 2, 1)
    season.refresh_from_db()
    assert event.entry(4).place == 1
    assert {row.player.username: row.hundredths for row in leagues.standings(season)}["cid"] == points


def test_bots_take_places_and_score_nothing(season, people):
    event = Event(season_id=season.pk, payout=terms.PayoutTerms(kind="winner")).open()
    registration.register(tournament_id=event.pk, by=None, player=new_bot(event.now), method="house", now=event.now)
    event.started(people[:2])
    bust(event, 3, 2)
    assert table(season) == [(1, "ana", 200, 1, 0), (2, "bob", 100, 1, 0)]


def test_a_final_counts_for_as_many_as_all_its_flights_had(season, people):
    ana, bob, cid, dan = people
    final = Event(season_id=season.pk, payout=terms.PayoutTerms(kind="winner")).open()
    for name, players in (("1A", [ana, bob, cid]), ("1B", [dan, final.player("eve"), final.player("fay")])):
        flight = play_event(players, ends=False, parent_id=final.pk, flight=name, season_id=season.pk)
        bust(flight, 3, eliminators=[1])
        closing.close_flight(stacks=[(1, 4000), (2, 2000)], **order(flight))
    flights.carry(final_id=final.pk, by=final.director, now=final.now + timedelta(minutes=1))
    final.start()
    bust(final, 4, 3, 2)
    assert table(season)[:2] == [(1, "ana", 600, 1, 1), (2, "bob", 500, 1, 0)]
    assert len(table(season)) == 4, "flights have no winner, and score nothing themselves"


def test_how_events_count_stays_once_one_has_counted(season, league, people):
    play_event(people, season_id=season.pk)
    edit = {"league_id": league.pk, "by": staff("director")}
    for changes in ({"best_of": 3}, {"formula": "root"}, {"first_entry_only": False}):
        refused(Illegal, "cannot change", leagues.edit, **edit, **changes)
    leagues.edit(**edit, description="On Mondays.")
    refused(Forbidden, leagues.edit, **edit | {"by": people[0]}, description="Mine.")
    friday = {"name": "Friday", "formula": "linear", "first_entry_only": "no", "now": START}
    refused(Invalid, leagues.create, by=edit["by"], **friday)


@world
def event():
    return Event(conduct="online", entry_code="aces", when_short="cancel")


def template(event, **fields):
    given = {"name": "Nightly", "config": terms.to_json(config(late_level=2)), "price": PRICE, **fields}
    return event_terms.create(**{"by": event.director, "now": event.now, **given})


def test_an_event_takes_from_its_template_what_it_is_not_given(event):
    nightly = template(event, when_short="cancel")
    made = tournaments.create(by=event.director, now=event.now, template_id=nightly.pk, name="Nightly, Friday")
    event_terms.edit(template_id=nightly.pk, by=event.director, now=event.now, config=terms.to_json(config()))
    for row, late_level in ((made, 2), (nightly, 0)):
        row.refresh_from_db()
        assert terms.from_json(row.config).late_level == late_level
    assert (made.name, made.when_short, made.template) == ("Nightly, Friday", "cancel", nightly)
    assert made.price == nightly.price


def test_a_template_is_checked_as_an_event_and_frees_its_name_when_archived(event):
    kept = event_terms.save_as(tournament_id=event.pk, by=event.director, name="Nightly", now=event.now)
    assert (kept.name, kept.entry_code, kept.when_short) == ("Nightly", "aces", "cancel")
    assert kept.config == event.row.config
    refused(Conflict, "called Nightly already", template, event)
    event_terms.archive(template_id=kept.pk, by=event.director, now=event.now)
    assert template(event).pk != kept.pk
    refused(NotFound, tournaments.create, by=event.director, now=event.now, template_id=kept.pk)
    refused(Illegal, "2 to 8 seats", template, event, config=terms.to_json(config()) | {"seats": 1})
    refused(Forbidden, template, event, by=event.player())


def test_a_series_has_a_name_of_its_own_and_days_in_order(event):
    spring = series.create(by=event.director, name=" Spring  Festival ", now=event.now, starts_on=date(2030, 3, 1))
    assert spring.name == "Spring Festival"
    refused(Conflict, series.create, by=event.director, name="Spring Festival", now=event.now)
    edit = {"series_id": spring.pk, "by": event.director}
    refused(Invalid, "or later", series.edit, ends_on=date(2030, 2, 1), **edit)
    assert series.edit(ends_on=date(2030, 3, 9), is_archived=True, **edit).is_archived
    refused(NotFound, series.edit, series_id=0, by=event.director)
    made = {"by": event.director, "now": event.now, "name": "Late", "config": terms.to_json(config()), "price": PRICE}
    hour = timedelta(hours=1)
    refused(Invalid, "past", tournaments.create, **made, starts_at=event.now - hour)
    row = tournaments.create(**made, starts_at=event.now + hour)
    edit = {"tournament_id": row.pk, "by": event.director}
    refused(Invalid, "past", tournaments.edit, **edit, now=event.now, starts_at=event.now - hour)
    edited = tournaments.edit(**edit, now=event.now + 2 * hour, starts_at=row.starts_at, description="As it was")
    assert edited.starts_at == row.starts_at
