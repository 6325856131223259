"""The schema can be validated, and leaves out nothing; that answers are what it says is in test_answers.py."""

import re
from dataclasses import fields

import jsonschema_rs
import pytest
from django.core.management import call_command
from django.urls import get_resolver

from games.engine.facts import KINDS
from tests.web.api.contract import RAW
from tournaments.engine.facts import KINDS as EVENT_KINDS


def test_the_schema_validates_without_a_warning(tmp_path, monkeypatch):
    # The same rules by the library that schemathesis brings: the other takes six seconds of work.
    monkeypatch.setattr("jsonschema.validate", lambda instance, schema: jsonschema_rs.validate(schema, instance))
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
