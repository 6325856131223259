"""The schema is true: it can be validated, it leaves out nothing, and what the API answers is what it says."""

import os
import re
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest
import schemathesis
import time_machine
from django.core import signals
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.urls import get_resolver
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from cardroom.services import access
from games.engine.facts import KINDS
from games.services import floor, practice, rulebooks
from tests.support.evening import Evening
from tests.support.events import PRICE, START, Event
from tests.support.worlds import laid_out
from tests.web.api.conftest import secret_of
from tournaments.engine.commands import Bust
from tournaments.engine.config import Rebuy
from tournaments.services import leagues, series, templates, tickets

#: Of each operation, each against an address made up and a real one; `make schema` takes more.
EXAMPLES = int(os.environ.get("CARDROOM_EXAMPLES", "4"))
EXAMPLES_OF_EVENTS = max(1, EXAMPLES // 4)  # of which there are many alike
#: Of the cases counted out for an operation (every bound, type, field left out: 22,000 in all) the suite sends the
#: first, and of the others each whose turn it is; `make schema` sends every one.
FIRST, EACH = (4, 40) if EXAMPLES < 10 else (0, 1)
CONFIG = SchemathesisConfig.from_dict(
    {"generation": {"deterministic": True, "database": "none"}, "phases": {"coverage": {"enabled": False}}}
)
RAW = SchemaGenerator().get_schema(public=True)
API = schemathesis.openapi.from_dict(RAW, config=CONFIG)
API.app = get_wsgi_application()
OPERATIONS = [(address, method) for address, methods in RAW["paths"].items() for method in methods]
OF_EVENTS = "/(tournaments|templates|structures|series|leagues|seasons|tickets|notices)"


def test_the_schema_validates_without_a_warning(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yaml"))


def test_the_schema_tells_of_every_resource():
    addresses = {
        pattern.pattern._route
        for prefix in get_resolver().url_patterns
        if str(prefix.pattern) == "api/"
        for part in prefix.url_patterns
        for pattern in getattr(part, "url_patterns", [])
    }
    told = {address.removeprefix("/api/v1/").replace("{", "<").replace("}", ">") for address in RAW["paths"]}
    plain = {re.sub(r"<\w+:", "<", address) for address in addresses if address[-1] != "/"}
    assert told == plain
    assert len(told) > 10


def test_every_operation_has_a_name_and_says_how_it_refuses():
    for address, operations in RAW["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], (method, address)
            assert {"401", "429"} <= operation["responses"].keys(), (method, address)
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    assert list(response["content"]) == ["application/problem+json"]


def test_every_kind_of_fact_is_described():
    described = {
        schema["properties"]["kind"]["const"]
        for name, schema in RAW["components"]["schemas"].items()
        if name.endswith("Fact") and "properties" in schema and "const" in schema["properties"].get("kind", {})
    }
    assert described == KINDS.keys()


@pytest.mark.parametrize("address", ["/api/schema/", "/api/docs/"])
def test_schema_and_docs_are_there_for_everybody(db, client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    assert b"http://" not in answer.content.replace(b"http://json-schema.org", b"")
    assert b"https://" not in answer.content


@pytest.fixture(scope="module")
def _room(django_db_setup, django_db_blocker):
    with laid_out(_lay_out_room, blocker=django_db_blocker) as made:
        yield made


def _lay_out_room():
    """A token of the player to act, and what there is, by the names that addresses give it."""
    with time_machine.travel(0, tick=False) as clock:
        evening = Evening()
        clock.move_to(evening.now)
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
        ids |= {"book": saved.book.slug, "version": saved.version, "what": "too-early", "session_id": drill.pk}
        return Seen(evening.now, secret_of(manager), ids)


@pytest.fixture(scope="module")
def _event_room(django_db_setup, django_db_blocker):
    with laid_out(_lay_out_event, blocker=django_db_blocker) as made:
        yield made


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


@pytest.fixture
def room(_room, db):
    with _being_there(_room) as seen:
        yield seen


@pytest.fixture
def event_room(_event_room, db):
    with _being_there(_event_room) as seen:
        yield seen


@dataclass(frozen=True)
class Seen:
    """What a case is sent with: when, the secret of somebody's token, and what there is, by its name in addresses."""

    now: datetime
    secret: str
    ids: dict[str, Any]


@contextmanager
def _being_there(seen):
    """Between requests the application gives its connection back, and with it the test's own transaction."""
    started, finished = signals.request_started, signals.request_finished
    started.disconnect(close_old_connections), finished.disconnect(close_old_connections)
    with time_machine.travel(seen.now, tick=False):
        yield seen
    started.connect(close_old_connections), finished.connect(close_old_connections)


def _settings(examples):
    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@API.exclude(path_regex=OF_EVENTS).parametrize()
@_settings(EXAMPLES)
@pytest.mark.django_db
def test_answers_are_as_the_schema_says(case, room):
    """No fault whatever is sent; statuses, types and bodies as told; what the schema forbids is refused."""
    _both(case, room)


@API.include(path_regex=OF_EVENTS).parametrize()
@_settings(EXAMPLES_OF_EVENTS)
@pytest.mark.django_db
def test_answers_about_events_are_as_the_schema_says(case, event_room):
    _both(case, event_room)


@pytest.mark.parametrize(("address", "method"), [each for each in OPERATIONS if not re.search(OF_EVENTS, each[0])])
def test_answers_at_every_bound_are_as_the_schema_says(address, method, room):
    _at_every_bound(address, method, room)


@pytest.mark.parametrize(("address", "method"), [each for each in OPERATIONS if re.search(OF_EVENTS, each[0])])
def test_answers_about_events_at_every_bound_are_as_the_schema_says(address, method, event_room):
    _at_every_bound(address, method, event_room)


def _at_every_bound(address, method, room):
    """Of what is counted out for the operation, what is its turn. Counted here, by the one process that sends it: it
    takes as long as much of the sending."""
    operation = API[address][method]
    modes = list(GenerationMode)
    cases = API.iter_coverage_cases(operation, generation_modes=modes, generation_config=API.config.generation)
    turns = (case for number, case in enumerate(cases) if number < FIRST or number % EACH == 0)
    for case in turns:
        with transaction.atomic():
            _both(case, room)
            transaction.set_rollback(True)


def _both(case, room):
    _call(case, room, positive_data_acceptance)
    real = {name: room.ids[name] for name in case.path_parameters or {} if name in room.ids}
    if real:
        case.path_parameters.update(real)
        # The address may have been what was wrong with this case.
        _call(case, room, positive_data_acceptance, negative_data_rejection)


def _call(case, room, *unchecked):
    """Send it. `unchecked` leaves out what cannot be asked: the rules may well refuse what the schema allows."""
    case.call_and_validate(headers={"Authorization": f"Token {room.secret}"}, excluded_checks=list(unchecked))
