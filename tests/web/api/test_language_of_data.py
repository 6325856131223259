"""Data do not speak the reader's language: what programs go by is the same for readers of every language, and labels
stand apart."""

import csv
import io
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from rest_framework.test import APIClient

from games.reports import sheets
from tests.support.offers import staff
from tests.support.pages import json_of
from tests.web.api.conftest import secret_of
from tests.web.api.contract import schema
from tests.web.api.test_schema import house  # noqa: F401
from tests.web.test_report_pages import played, table  # noqa: F401

LANGUAGES = ("en", "de", "fr")
#: What is said to people: names of what has no name of its own, sentences, questions and answers.
LABELS = {
    *("asks", "deed", "group", "label", "name", "next", "note", "reason", "refund_reason", "remedy", "text", "title"),
    *("told", "undo_label", "why"),
}  # fmt: skip
#: Of the room's own words there is nothing else in these: what the ruling desk asks and answers.
_WORDS_ALONE = ("/api/v1/desk",)


def _data(value: Any) -> Any:
    """Without the labels."""
    if isinstance(value, dict):
        return {name: _data(inner) for name, inner in value.items() if name not in LABELS}
    return [_data(each) for each in value] if isinstance(value, list) else value


def _differences(one: Any, other: Any, at: str = "") -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one.keys() | other.keys():
            yield from _differences(one.get(name), other.get(name), f"{at}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from _differences(*pair, f"{at}[{place}]")
    elif one != other:
        yield f"{at}: {one!r} {other!r}"


def _answers(secret: str, address: str, languages: tuple[str, ...] = LANGUAGES) -> list[Any]:
    """What the address answers in each language; a file as its rows."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    cache.clear()
    answers = [client.get(address, headers={"Accept-Language": language}) for language in languages]
    assert len({answer.status_code for answer in answers}) == 1, address
    if answers[0].status_code != 200:
        return []
    if answers[0]["Content-Type"].startswith("text/csv"):
        return [rows_of(answer) for answer in answers]
    return [answer.json() for answer in answers] if "json" in answers[0]["Content-Type"] else []


def rows_of(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig"))))


def test_what_programs_read_is_the_same_in_every_language(house, db):  # noqa: F811
    read, wrong = 0, []
    with time_machine.travel(house.now, tick=False):
        for address, methods in schema()["paths"].items():
            if "get" not in methods or address in _WORDS_ALONE:
                continue
            ids = house.ids | {"what": "results" if "/exports/" in address else "too-early", "name": "drop"}
            answers = []
            if set(re.findall(r"{(\w+)}", address)) <= ids.keys():
                answers = [_data(each) for each in _answers(house.secret, address.format_map(ids), LANGUAGES[:2])]
            if address == "/api/v1/me/statement/{form}":
                [row.pop("what") for rows in answers for row in rows]  # in words what `kind` and `reference` say
            read += len(answers) == 2
            wrong += [f"{address} {each}" for other in answers[1:] for each in _differences(answers[0], other)]
    assert not wrong, "\n".join(wrong)
    assert read > 100, "of the others there is none in this house"


ALL = [(name, by) for name in sheets.REPORTS for by in sheets.GROUPINGS.get(name, ("",))]
_KEY = re.compile(r"[0-9a-z]+(-[0-9a-z]+)*")


@pytest.fixture
def manager(table) -> str:  # noqa: F811
    return secret_of(staff("manager", "mia"))


@pytest.mark.parametrize(("name", "by"), ALL)
def test_a_report_is_the_same_in_every_language_but_for_its_labels(manager, table, name, by):  # noqa: F811
    span = f"since={(table.now - timedelta(hours=20)).strftime('%Y-%m-%dT%H:%M:%SZ')}"
    asked = f"{span}&by={by}" if by else span
    told = _answers(manager, f"/api/v1/reports/{name}?{asked}")
    assert all(_data(each) == _data(told[0]) for each in told)
    files = _answers(manager, f"/api/v1/reports/{name}/csv?{asked}")
    assert all(_data(each) == _data(files[0]) for each in files)
    rows = told[0]["rows"]
    assert [row["key"] for row in files[0]] == [row["key"] for row in rows]
    named = [(row["key"], row.get("unit")) for row in rows]
    assert len(set(named)) == len(named), "a row has a key of its own"
    assert [key for key, _ in named if not _KEY.fullmatch(key)] == []


def test_rows_come_in_the_order_of_their_keys_and_the_key_is_the_first_column(manager, table):  # noqa: F811
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {manager}")
    rows = json_of(client.get("/api/v1/reports/liabilities", headers={"Accept-Language": "fr"}))["rows"]
    assert [row["key"] for row in rows] == sorted(row["key"] for row in rows)
    assert {"stacks", "wallets", "house-play-money"} <= {row["key"] for row in rows}
    file = client.get("/api/v1/reports/drop/csv?by=day").getvalue().decode("utf-8-sig")
    assert file.splitlines()[0].startswith("key,name,rake")
    assert file.splitlines()[1].startswith(f"{table.now:%Y-%m-%d},")
    made = sheets.Sheet("x", "x", table.now, table.now, (), [{"key": key} for key in ("10", "b", "9", "2-z", "2-a")])
    assert [row["key"] for row in made.data] == ["2-a", "2-z", "9", "10", "b"]


def test_ones_own_numbers_have_keys_beside_their_names(table):  # noqa: F811
    first, *others = _answers(secret_of(table.ann), "/api/v1/me/statistics")
    assert all(_data(each) == _data(first) for each in others)
    assert first["by_game"][0]["key"] == "seven-card-stud:15/30"
    assert [period["key"] for period in first["periods"]] == ["1-1"]
    assert all(re.fullmatch("[a-z-]+", start["key"]) for game in first["by_start"] for start in game["starts"])
