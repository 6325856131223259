"""Rulebooks by the API: those published, and those of the house, which managers write and tables play."""

import pytest

from games.rulebooks.models import RulebookVersion
from tests.support.offers import staff
from tests.support.pages import json_of
from tests.support.parts.games import load, questions, slugs
from tests.web.api.conftest import problem, twice

HOUSE = "/api/v1/rulebooks/house"
FOUR = {"raise_cap": {"value": {"raises": 4}}}


@pytest.fixture
def manager(evening, api):
    return api(staff("manager"))


@pytest.fixture
def river(manager):
    order = {"name": "River Room", "base": "roberts-v4", "changes": FOUR, "note": "Four raises"}
    saved = twice(manager, "rulebooks/house", order, 201)
    assert RulebookVersion.objects.count() == 1
    return saved


def test_a_saved_book_is_told_whole_and_listed_and_its_versions_with_their_changes(api, river, manager):
    assert river["reference"] == "house:river-room@2030-01-05"
    told = api().get(f"{HOUSE}/river-room").json()
    assert told == api().get(f"{HOUSE}/river-room/versions/2030-01-05").json()
    assert (told["title"], told["base"], told["note"]) == (river["title"], "roberts-v4", "Four raises")
    points = {point["key"]: point for point in told["points"]}
    cap, base = points["raise_cap"], load("roberts-v4")
    assert cap["value"] == {"raises": 4, "heads_up": "uncapped"}
    was = {"citation": base.citation("raise_cap"), "text": base.words("raise_cap")}
    assert was.items() <= cap["changed_from"].items()
    assert cap["citation"].startswith("House rules River Room 2030-01-05, raise_cap (changed from")
    assert points["burns"]["changed_from"] is None
    assert not any(point["played"] for point in told["points"])
    books = api().get("/api/v1/rulebooks").json()
    assert [book["reference"] for book in books][-2:] == ["roberts-v4", "house:river-room@2030-01-05"]
    (listed,) = api().get(HOUSE).json()
    assert (listed["book"], listed["versions"], listed["changes"]) == ("river-room", 1, 1)
    order = {"after": river["version"], "changes": {"burns": {"value": [5, 6, 7]}}}
    saved = json_of(manager.post(f"{HOUSE}/river-room/versions", order), 201)
    newest, oldest = api().get(f"{HOUSE}/river-room/versions").json()
    assert newest["version"] == saved["version"] == "2030-01-05-2"
    assert {difference["key"] for difference in newest["differences"]} == {"burns", "raise_cap"}
    assert oldest["differences"][0]["after"]["value"]["raises"] == 4
    assert api().get(f"{HOUSE}/river-room/versions/2030-01-05").json()["number"] == 1
    late = problem(manager.post(f"{HOUSE}/river-room/versions", order), 409)
    assert (late["code"], late["version"]) == ("stale", "2030-01-05-2")


def test_changes_that_make_no_book_are_refused_with_points_and_reasons(manager, api):
    changes = {"raise_cap": {"value": {"raises": 0, "heads_up": "capped"}}, "burns": {"value": []}}
    told = json_of(manager.post(HOUSE, {"name": "River Room", "base": "home", "changes": changes}), 422)
    assert told["code"] == "bad-rulebook"
    assert {tuple(fault["points"]) for fault in told["faults"]} == {("raise_cap",), ("burns", "deck_exhaustion")}
    assert all(fault["reason"] in told["detail"] for fault in told["faults"])
    for order, status in (
        ({}, 400),
        ({"changes": []}, 400),
        *(({"changes": {"burns": burns}}, 400) for burns in ([4], {"worth": [4]}, {"text": 5})),
        *(({"changes": {point: {}}}, 422) for point in ("hoyle", "\x00")),
        ({"changes": {"burns": {"value": {"a": [[[[{}]]]]}}}}, 422),
        ({"base": "hoyle", "changes": {}}, 400),
        ({"changes": {}, "key": "a"}, 400),
    ):
        problem(manager.post(HOUSE, {"name": "River Room", "base": "home"} | order), status)
    body = '{"name": "River Room", "base": "gardens", "changes": {"raise_cap": {"value": {"raises": NUMBER}}}}'
    for number in ("-1", "3.0", "3.5", "1" * 300):
        told = json_of(manager.post(HOUSE, body.replace("NUMBER", number), content_type="application/json"), 422)
        assert "a whole number from 0 to 9" in told["detail"], number
    reader = api(staff("manager"), "read")
    assert reader.post(HOUSE, {"name": "River", "base": "home", "changes": {}}).status_code == 403
    assert not RulebookVersion.objects.exists()


def test_a_table_is_told_which_book_to_play_and_its_hand_keeps_its_own(api, manager, evening, river):
    address = f"/api/v1/tables/{evening.pk}/rulebook"
    assert api().get(address).json()["reference"] == "roberts-v4"
    assert json_of(manager.put(address, {"rulebook": river["reference"]}))["title"] == river["title"]
    table = api().get(f"/api/v1/tables/{evening.pk}").json()
    assert table["rulebook"]["reference"] == "roberts-v4"
    assert table["next_rulebook"]["reference"] == river["reference"]
    assert problem(manager.put(address, {"rulebook": "house:river-room@1999-01-01"}), 400)["code"] == "no-such-rulebook"


def test_every_point_of_a_book_has_its_value_citation_and_choices(api, db):
    assert [book["slug"] for book in api().get("/api/v1/rulebooks").json()] == list(slugs())
    book = load("roberts-v4")
    told = api().get("/api/v1/rulebooks/roberts-v4").json()
    assert (told["title"], told["version"]) == (book.title, book.version)
    points = {point["key"]: point for point in told["points"]}
    assert points.keys() == book.points.keys()
    assert (points["forced_bet"]["value"], points["burns"]["value"]) == ("lowest", [4, 5, 6, 7])
    assert points["raise_cap"]["tournament"] == {"raises": 3, "heads_up": "uncapped-at-two-left"}
    for key, point in points.items():
        assert point["text"] == book.words(key)
        assert point["citation"] == book.citation(key)
    told = {point["key"]: point for point in api().get("/api/v1/rulebooks/choices").json()}
    assert told.keys() == questions().keys()
    assert told["streets"]["parts"] == []
    raises, heads_up = told["raise_cap"]["parts"]
    assert (raises["kind"], raises["least"], raises["most"]) == ("number", 0, 9)
    assert [choice["value"] for choice in heads_up["choices"]] == ["uncapped", "uncapped-at-two-left", "capped"]
