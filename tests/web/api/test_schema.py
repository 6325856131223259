"""The schema can be validated, and leaves out nothing; that answers are what it says is in test_answers.py."""

import copy
import json
import re
import subprocess
from dataclasses import fields

import jsonschema_rs
import openapi_spec_validator
import pytest
from django.core.management import call_command
from django.urls import get_resolver

from games.engine.facts import KINDS
from tests.support import services
from tests.web.api.contract import RAW
from tournaments.engine.facts import KINDS as EVENT_KINDS


def test_the_schema_validates_without_a_warning(tmp_path, monkeypatch):
    # The same rules by the library that schemathesis brings: the other takes six seconds of work.
    monkeypatch.setattr("jsonschema.validate", lambda instance, schema: jsonschema_rs.validate(schema, instance))
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yaml"))


def test_the_schema_is_openapi():
    openapi_spec_validator.validate(copy.deepcopy(RAW))


@pytest.mark.skipif(
    not services.find_spectral(), reason="needs spectral: see find_spectral in tests/support/services.py"
)
def test_spectral_finds_no_error_in_the_schema(tmp_path):
    (tmp_path / "schema.json").write_text(json.dumps(RAW))
    (tmp_path / "rules.yaml").write_text('extends: ["spectral:oas"]')
    command = [services.find_spectral(), "lint", "--ruleset", "rules.yaml", "--fail-severity", "error", "schema.json"]
    linted = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert linted.returncode == 0, linted.stdout
    undeclared = [line for line in linted.stdout.splitlines() if "operation-tag-defined" in line]
    assert undeclared == []


def test_no_part_of_the_schema_trips_a_generator():
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

    assert list(faults(RAW, "")) == []


@pytest.mark.parametrize("address", ["lobby", "tables", "me", "me/notices", "tournaments", "rulebooks"])
def test_a_parameter_that_nothing_reads_is_a_mistake(api, evening, address):
    client = api(evening.ann)
    assert client.get(f"/api/v1/{address}").status_code == 200
    refused = client.get(f"/api/v1/{address}?nonsense=1&limits=5")
    assert refused.status_code == 400, refused.content
    assert refused.json()["errors"] == {name: ["There is no such parameter."] for name in ("limits", "nonsense")}
    assert client.post("/api/v1/tournaments/1/entries?guest=Gus", {}, format="json").status_code == 400


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


def test_every_kind_of_fact_of_an_event_is_described():
    told = {
        schema["properties"]["kind"]["const"]: set(schema["properties"]["data"]["required"])
        for name, schema in RAW["components"]["schemas"].items()
        if name.startswith("EventFact") and "kind" in schema.get("properties", {})
    }
    assert told == {kind: {field.name for field in fields(cls)} for kind, cls in EVENT_KINDS.items()}


@pytest.mark.parametrize("address", ["/api/schema/", "/api/docs/"])
def test_schema_and_docs_are_there_for_everybody(db, client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    assert b"http://" not in answer.content.replace(b"http://json-schema.org", b"")
    assert b"https://" not in answer.content
