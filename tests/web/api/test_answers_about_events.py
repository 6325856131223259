"""What the API answers about events is what the schema says."""

import pytest
import time_machine

from tests.support.events import PRICE, START, Event
from tests.support.worlds import world
from tests.web.api.conftest import secret_of
from tests.web.api.contract import (
    EACH,
    EXAMPLES,
    OF_EVENTS,
    Seen,
    being_there,
    send_at_every_bound,
    send_one_of_each,
    send_what_is_made_up,
)
from tournaments.engine.commands import Bust
from tournaments.engine.config import Rebuy
from tournaments.services import leagues, series, templates, tickets


def _lay_out_event():
    """The same of an event being played, for the manager who runs it: four have entered, one is out."""
    with time_machine.travel(START, tick=False):
        event = Event(price=PRICE | {"rebuy": {"pool": 50}}, rebuy=Rebuy(chips=2000)).started(4)
        event.play(Bust(((4, 2000),)))
        manager, now = event.staff("manager"), event.now
        series_ = series.create(by=manager, name="Spring", now=now)
        league = leagues.create(by=manager, name="House", formula="linear", now=now)
        season = leagues.open_season(league_id=league.pk, by=manager, name="2030", starts_on=now.date(), now=now)
        template = templates.save_as(tournament_id=event.pk, by=manager, name="Nightly", now=now)
        given = {"by": manager, "reason": "Won the quiz", "key": "quiz", "now": now}
        ticket = tickets.give(player=event.player(), tournament_id=event.pk, **given)
        ids = {"tournament_id": event.pk, "entrant": 2, "table": 1, "what": "results", "form": "csv"}
        ids |= {"series_id": series_.pk, "league_id": league.pk, "season_id": season.pk}
        return Seen(START, secret_of(manager), ids | {"template_id": template.pk, "ticket_id": ticket.pk})


_event_room = world(_lay_out_event)


@pytest.fixture
def room(_event_room):
    with being_there(_event_room) as seen:
        yield seen


@pytest.mark.parametrize(("address", "method"), OF_EVENTS)
def test_answers_about_events_are_as_the_schema_says(address, method, room):
    """No fault whatever is sent; statuses, types and bodies as told; what the schema forbids is refused."""
    send_one_of_each(address, method, room)


@pytest.mark.long("an eighth of 22,000 cases; test_answers_about_events_are_as_the_schema_says sends two an operation")
@pytest.mark.parametrize(("address", "method"), OF_EVENTS)
def test_answers_about_events_at_every_bound_are_as_the_schema_says(address, method, room):
    send_at_every_bound(address, method, room, each=EACH)


@pytest.mark.long("draws, eight an operation; test_answers_about_events_are_as_the_schema_says sends two")
@pytest.mark.parametrize(("address", "method"), OF_EVENTS)
def test_answers_about_events_to_what_is_made_up_are_as_the_schema_says(address, method, room):
    send_what_is_made_up(address, method, room, EXAMPLES)
