"""What the API answers is what the schema says."""

import pytest
import time_machine
from django.core import signals
from django.db import close_old_connections

from cardroom.services import access
from games.services import floor, practice, rulebooks
from tests.support.evening import Evening
from tests.support.events import PRICE, START, Event
from tests.support.worlds import world
from tests.web.api.conftest import secret_of
from tests.web.api.contract import (
    EACH,
    EXAMPLES,
    OPERATIONS,
    Seen,
    send_at_every_bound,
    send_one_of_each,
    send_what_is_made_up,
)
from tournaments.engine.commands import Bust
from tournaments.engine.config import Rebuy
from tournaments.services import leagues, series, templates, tickets

of_each_operation = pytest.mark.parametrize(("address", "method"), OPERATIONS)


def _a_table(clock):
    """When it is, the player to act, a manager too, and what there is, by the names that addresses give it."""
    evening = Evening()
    evening.ann, evening.bob = evening.sit("ann", 1), evening.sit("bob", 2)
    evening.deal()
    evening.act("bring-in")
    evening.act("fold")
    evening.deal()
    clock.move_to(evening.now)
    call = floor.call(table_id=evening.pk, by=evening.ann, now=evening.now)
    manager = evening.to_act
    access.grant_role(user=manager, role="manager", by=None)
    saved = rulebooks.found(name="River Room", base="home", changes={}, by=manager, now=evening.now)
    drill = practice.start(user=manager, rulebook="roberts-v4", seed=1, now=evening.now)
    ids = {"table_id": evening.pk, "hand_id": evening.table.hand_id, "slug": "roberts-v4", "call_id": call.pk}
    return evening.now, manager, ids | {"book": saved.book.slug, "version": saved.version, "session_id": drill.pk}


def _an_event(manager):
    """The same of an event being played: four have entered, one is out."""
    event = Event(price=PRICE | {"rebuy": {"pool": 50}}, rebuy=Rebuy(chips=2000)).started(4)
    event.play(Bust(((4, 2000),)))
    now = event.now
    series_ = series.create(by=manager, name="Spring", now=now)
    league = leagues.create(by=manager, name="House", formula="linear", now=now)
    season = leagues.open_season(league_id=league.pk, by=manager, name="2030", starts_on=now.date(), now=now)
    template = templates.save_as(tournament_id=event.pk, by=manager, name="Nightly", now=now)
    given = {"by": manager, "reason": "Won the quiz", "key": "quiz", "now": now}
    ticket = tickets.give(player=event.player(), tournament_id=event.pk, **given)
    ids = {"tournament_id": event.pk, "entrant": 2, "table": 1, "form": "csv", "series_id": series_.pk}
    ids |= {"league_id": league.pk, "season_id": season.pk}
    return ids | {"template_id": template.pk, "ticket_id": ticket.pk}


@world
def house() -> Seen:
    with time_machine.travel(START, tick=False) as clock:
        now, manager, ids = _a_table(clock)
        return Seen(now, secret_of(manager), ids | _an_event(manager))


@pytest.fixture
def seen(house, address):
    """Between requests the application gives its connection back, and with it the test's own transaction."""
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    house.ids["what"] = "results" if "/exports/" in address else "too-early"
    with time_machine.travel(house.now, tick=False):
        yield house
    for signal in (signals.request_started, signals.request_finished):
        signal.connect(close_old_connections)


@of_each_operation
def test_answers_are_as_the_schema_says(address, method, seen):
    """No fault whatever is sent; statuses, types and bodies as told; what the schema forbids is refused."""
    send_one_of_each(address, method, seen)


@pytest.mark.long("an eighth of 22,000 cases; test_answers_are_as_the_schema_says sends two an operation")
@of_each_operation
def test_answers_at_every_bound_are_as_the_schema_says(address, method, seen):
    send_at_every_bound(address, method, seen, each=EACH)


@pytest.mark.long("draws, eight an operation; test_answers_are_as_the_schema_says sends two cases")
@of_each_operation
def test_answers_to_what_is_made_up_are_as_the_schema_says(address, method, seen):
    send_what_is_made_up(address, method, seen, EXAMPLES)
