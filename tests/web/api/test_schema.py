"""The schema can be validated, leaves out nothing, and answers are what it says."""

import copy
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import jsonschema_rs
import openapi_spec_validator
import pytest
import time_machine
import yaml
from django.core import signals
from django.db import close_old_connections
from django.urls import get_resolver
from django.utils.translation import get_language
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from jsonschema_rs import meta
from openapi_spec_validator.validation.keywords import SchemaValidator
from rest_framework.renderers import JSONRenderer

from cardroom import api
from cardroom.core import access
from cardroom.core.web.api.formats import PlainYAML
from games.engine.facts.base import KINDS
from games.rulebooks import services as rulebook_services
from games.training.problems import making as problem_making
from tests.support import services
from tests.support.evening import Evening
from tests.support.events import START
from tests.support.pages import html_of
from tests.support.parts.games import practice, rulings
from tests.support.worlds import world
from tests.web.api.conftest import secret_of
from tests.web.api.contract import AREAS, Seen, ask_each, schema, send_at_every_bound, send_one_of_each
from tests.web.api.contract import send_what_is_made_up as send_draws
from tests.web.test_event_permissions import lay_out
from tournaments.engine.facts import KINDS as EVENT_KINDS


@pytest.fixture
def raw() -> dict[str, Any]:
    return schema()


def test_the_schema_is_openapi(raw, monkeypatch):
    assert not GENERATOR_STATS, dict(GENERATOR_STATS._warn_cache) | dict(GENERATOR_STATS._error_cache)
    # The same rules by the library that schemathesis brings: the other takes six seconds of work.
    monkeypatch.setattr("jsonschema.validate", lambda instance, schema: jsonschema_rs.validate(schema, instance))
    validate_schema(raw)
    # The same, again: it looks at each schema within by itself.
    monkeypatch.setattr(SchemaValidator, "_validate_schema_meta", lambda self, _, schema: meta.validate(schema))
    openapi_spec_validator.validate(copy.deepcopy(raw))


@pytest.mark.long("five seconds of another language; test_the_schema_is_openapi reads the same document")
@pytest.mark.skipif(
    not services.find_spectral(), reason="needs spectral: see find_spectral in tests/support/services.py"
)
def test_spectral_finds_no_error_in_the_schema(raw, tmp_path):
    (tmp_path / "schema.json").write_text(json.dumps(raw))
    (tmp_path / "rules.yaml").write_text('extends: ["spectral:oas"]')
    command = [services.find_spectral(), "lint", "--ruleset", "rules.yaml", "--fail-severity", "error", "schema.json"]
    linted = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert linted.returncode == 0, linted.stdout
    assert [line for line in linted.stdout.splitlines() if "operation-tag-defined" in line] == []


def test_no_part_of_the_schema_trips_a_generator(raw):
    def faults(part, place):
        if isinstance(part, dict):
            if part.get("default") == "" and part.get("minLength", 0) > 0:
                yield f"{place}: its default is too short"
            if part.get("type") == "array" and "items" not in part:
                yield f"{place}: a list of what?"
            if {} in part.get("oneOf", []):
                yield f"{place}: null matches twice"
            part = part.items()
        elif isinstance(part, list):
            part = enumerate(part)
        else:
            return
        for name, inner in part:
            yield from faults(inner, f"{place}/{name}")

    assert list(faults(raw, "")) == []


@pytest.mark.parametrize("address", ["lobby", "tables", "me", "me/notices", "tournaments", "rulebooks"])
def test_a_parameter_that_nothing_reads_is_a_mistake(api, evening, address):
    client = api(evening.ann)
    assert client.get(f"/api/v1/{address}").status_code == 200
    refused = client.get(f"/api/v1/{address}?nonsense=1&limits=5")
    assert refused.status_code == 400, refused.content
    assert refused.json()["errors"] == {name: ["There is no such parameter."] for name in ("limits", "nonsense")}
    assert client.post("/api/v1/tournaments/1/entries?guest=Gus", {}, format="json").status_code == 400


def test_the_schema_tells_of_every_resource(raw):
    addresses = {
        pattern.pattern._route
        for prefix in get_resolver().url_patterns
        if str(prefix.pattern) == "api/"
        for part in prefix.url_patterns
        for pattern in getattr(part, "url_patterns", [])
    }
    told = {address.removeprefix("/api/v1/").replace("{", "<").replace("}", ">") for address in raw["paths"]}
    assert told == {re.sub(r"<\w+:", "<", address) for address in addresses if address[-1] != "/"}
    assert len(told) > 10


def test_every_operation_has_a_name_and_a_declared_tag_and_says_how_it_refuses(raw):
    for address, operations in raw["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], (method, address)
            assert {"401", "429"} <= operation["responses"].keys(), (method, address)
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    assert list(response["content"]) == ["application/problem+json"]
    used = {tag for operations in raw["paths"].values() for one in operations.values() for tag in one["tags"]}
    assert used == {tag["name"] for tag in raw["tags"]}


def test_every_kind_of_fact_of_a_hand_and_of_an_event_is_described(raw):
    described = {
        schema["properties"]["kind"]["const"]
        for name, schema in raw["components"]["schemas"].items()
        if name.endswith("Fact") and "properties" in schema and "const" in schema["properties"].get("kind", {})
    }
    assert described == KINDS.keys()
    told = {
        schema["properties"]["kind"]["const"]: set(schema["properties"]["data"]["required"])
        for name, schema in raw["components"]["schemas"].items()
        if name.startswith("EventFact") and "kind" in schema.get("properties", {})
    }
    assert told == {kind: {field.name for field in fields(cls)} for kind, cls in EVENT_KINDS.items()}


@pytest.fixture
def written(raw, monkeypatch) -> Iterator[list[str]]:
    """The languages in which the document was written."""
    languages: list[str] = []
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *_, **__: languages.append(get_language()) or raw)
    api._rendered_schema.cache_clear()
    yield languages
    api._rendered_schema.cache_clear()


@pytest.mark.parametrize("address", ["/api/schema/", "/api/docs/"])
def test_schema_and_docs_are_there_for_everybody(client, written, address):
    answer = client.get(address)
    assert answer.status_code == 200
    assert b"http://" not in re.sub(rb"http://(json-schema|www\.w3)\.org", b"", answer.content)
    assert b"https://" not in answer.content


def test_the_document_is_written_in_english_once_in_each_form(client, written):
    for language, accept in (("en", "*/*"), ("de", "*/*"), ("fr", "application/json")) * 2:
        headers = {"accept": accept, "Accept-Language": language}
        answer = client.get("/api/schema/", {"lang": language}, headers=headers)
        assert (answer.status_code, answer.headers["Content-Language"]) == (200, "en")
        assert answer.headers["Content-Disposition"].endswith('.json"' if "json" in accept else '.yaml"')
        assert json.loads(answer.content)["openapi"] if "json" in accept else answer.content.startswith(b"openapi:")
    assert written == ["en", "en"]


def test_the_viewer_of_the_docs_is_served_by_the_room(client, db):
    page = html_of(client.get("/api/docs/"))
    assert 'data-document="/api/schema/?format=json"' in page
    for address in re.findall(r'(?:src|href)="(/static/swagger-ui/[^"]+)"', page):
        assert client.get(address).status_code == 200, address
    assert page.count("/static/swagger-ui/") == 2


def test_a_form_that_there_is_not_is_refused_as_elsewhere(client):
    refused = client.get("/api/schema/", {"format": "xml"})
    assert (refused.status_code, refused.headers["Content-Type"]) == (404, "application/problem+json")
    assert json.loads(refused.content)["code"] == "not-found"


def test_a_browser_is_answered_in_json(client, db):
    answer = client.get("/api/v1/", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert answer["Content-Type"] == "application/json"


#: What an event has, that addresses name by its number.
IDS = ("event", "series", "league", "season", "template", "ticket")
of_each_operation = pytest.mark.parametrize("area", AREAS)


def _a_table(clock):
    """When it is, the player to act, a manager too, and what there is, by the names that addresses give it."""
    evening = Evening()
    evening.ann, evening.bob = evening.sit("ann", 1), evening.sit("bob", 2)
    evening.deal()
    evening.act("bring-in")
    evening.act("fold")
    evening.deal()
    clock.move_to(evening.now)
    call = rulings.call(table_id=evening.pk, by=evening.ann, now=evening.now)
    manager = evening.to_act
    access.grant_role(user=manager, role="manager", by=None)
    saved = rulebook_services.create_book(name="River Room", base="home", changes={}, by=manager, now=evening.now)
    drill = practice.start(by=manager, rulebook="roberts-v4", seed=1, now=evening.now)
    problem_making.make_due(now=evening.now)
    return evening.now, manager, {
        "day": "today", "table_id": evening.pk, "hand_id": evening.table.hand_id, "slug": "roberts-v4",
        "call_id": call.pk, "book": saved.book.slug, "version": saved.version, "session_id": drill.pk,
    }  # fmt: skip


@world
def house() -> Seen:
    with time_machine.travel(START, tick=False) as clock:
        now, manager, ids = _a_table(clock)
        of_event = {f"{name}_id": number for name, number in lay_out().ids.items() if name in IDS}
        ids |= of_event | {"tournament_id": of_event.pop("event_id"), "entrant": 2, "table": 1, "form": "csv"}
        return Seen(now, secret_of(manager), ids)


@pytest.fixture
def seen(house):
    """Between requests the application gives its connection back, and with it the test's own transaction."""
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    with time_machine.travel(house.now, tick=False):
        yield house
    for signal in (signals.request_started, signals.request_finished):
        signal.connect(close_old_connections)


@of_each_operation
def test_answers_are_as_the_schema_says(area, seen):
    """No fault whatever is sent; statuses, types and bodies as told; what the schema forbids is refused."""
    ask_each(area, seen, send_one_of_each)


@pytest.mark.long("an eighth of 22,000 cases, and draws; test_answers_are_as_the_schema_says sends two an operation")
@pytest.mark.parametrize("send", [send_at_every_bound, send_draws], ids=["bounds", "draws"])
@of_each_operation
def test_answers_at_every_bound_and_to_what_is_made_up_are_as_the_schema_says(area, send, seen):
    ask_each(area, seen, send)


class _NewerYaml(yaml.SafeLoader):
    """Reads as YAML 1.2 does, where 08 is a number."""


_NewerYaml.yaml_implicit_resolvers = {
    first: [(tag, rule) for tag, rule in rules if not tag.endswith((":int", ":float", ":timestamp"))]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_NewerYaml.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"[-+]?[0-9]+$"), list("-+0123456789"))
_NewerYaml.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))


def test_the_document_as_yaml_says_the_same_to_readers_of_either_version(raw):
    written = PlainYAML().render(raw)
    told = json.loads(JSONRenderer().render(raw))
    assert '"08"' in json.dumps(told), "a text that looks like a number"
    for loader in (yaml.SafeLoader, _NewerYaml):
        assert yaml.load(written, loader) == told


def test_the_document_says_where_the_room_is_whose_it_is_and_how_one_may_use_it(raw):
    assert raw["servers"][0]["url"] == "/"
    assert raw["info"]["contact"]["name"]
    assert raw["info"]["license"] == {"name": "MIT", "identifier": "MIT"}
    assert raw["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert raw["paths"]["/api/v1/tokens"]["post"]["security"] == [{"session": []}, {"password": []}]


def test_every_list_that_comes_in_pages_says_how_a_page_is_asked_for(raw):
    paged = set()
    for address, operations in raw["paths"].items():
        answer = operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        shape = answer.get("application/json", {}).get("schema", {})
        shape = raw["components"]["schemas"][shape["$ref"].rpartition("/")[2]] if "$ref" in shape else shape
        if {"next", "results"} <= shape.get("properties", {}).keys():
            paged.add(address)
            asked = {parameter["name"] for parameter in operations["get"].get("parameters", [])}
            assert {"cursor", "limit"} <= asked, address
    assert {"/api/v1/chat", "/api/v1/tournaments/{tournament_id}/log"} <= paged


def test_a_deprecated_operation_says_since_when_in_every_answer(raw, api, evening):
    marked = [
        (method, address) for address, operations in raw["paths"].items()
        for method, operation in operations.items() if operation.get("deprecated")
    ]  # fmt: skip
    assert marked
    for method, address in marked:
        told = raw["paths"][address][method]["responses"]
        assert all("Deprecation" in response["headers"] for response in told.values())
        for caller in (api(evening.ann), api()):
            answer = getattr(caller, method)(address.format(notice_id=1))
            assert re.fullmatch("@[0-9]{10}", answer["Deprecation"]), (answer.status_code, address)
    assert "Deprecation" not in api(evening.ann).get("/api/v1/me")


#: What is no object of fields: a file by its columns, and a proof that is passed on as it is.
UNNAMED = {"/api/v1/tournaments/{tournament_id}/exports/{what}/{form}", "/api/v1/hands/{hand_id}/sealed/proof"}


def test_every_answer_has_a_name(raw):
    unnamed = set()
    for address, operations in raw["paths"].items():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                shape = response.get("content", {}).get("application/json", {}).get("schema", {"$ref": ""})
                if status < "300" and "$ref" not in shape.get("items", shape):
                    unnamed.add(address)
    assert unnamed == UNNAMED
    assert "x-named" not in json.dumps(raw, default=str)
