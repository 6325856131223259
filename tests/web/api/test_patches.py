"""A patch changes what it names: whatever is left out of it stays as it is."""

from collections.abc import Callable
from typing import Any

import pytest

from cardroom.accounts.hot_keys import HOT_KEYS
from cardroom.accounts.look import LOOK_SETTINGS
from games.tables.offers import TERMS
from tests.support.evening import Evening
from tests.support.events import Event
from tests.support.models import User
from tests.support.offers import offer_tables, staff
from tests.support.pages import json_of
from tests.web.api.conftest import Api, problem
from tests.web.api.contract import schema

#: What tells when something was written, or how often: any change changes it.
_MARKS = {"version", "seq", "updated_at", "at"}
#: What is said beside a patch and is no part of the thing.
_ASIDE = {"version"}
LATER = "2031-02-03T20:00:00Z"


def _account(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    guest = User.objects.create_user("gus")
    body = {"name": "gustav", "email": "gus@example.org", "first_name": "Gus", "last_name": "Vandal"}
    return api(staff("manager")), f"accounts/{guest.pk}", body


def _blacklist_line(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    manager = api(staff("manager"))
    line = {"kind": "name", "value": "spam*", "reason": "They sell watches"}
    made = json_of(manager.post("/api/v1/blacklist", line), 201)
    return manager, f"blacklist/{made['id']}", {"reason": "They sell tickets", "until": LATER}


def _club(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    made = json_of(api(user).post("/api/v1/clubs", {"name": "River Rats"}), 201)
    body = {"name": "Rail Birds", "description": "On Thursdays.", "welcome": "Be kind.", "joins": "link"}
    return api(user), f"clubs/{made['id']}", body


def _table(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    main, feeder = Evening(name="Main"), Evening(name="Feeder")
    offer_tables(main, feeder)
    body = {"name": "Oak", "has_spectators": False, "bots": 1, "must_move_to": main.pk}
    return api(staff("manager")), f"floor/tables/{feeder.pk}", body


def _league(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    director = api(staff("director"))
    made = json_of(director.post("/api/v1/leagues", {"name": "House", "formula": "linear"}), 201)
    body = {
        "name": "Our house", "description": "All year.", "formula": "table", "terms": {"table": [1000, 500]},
        "best_of": 3, "min_entrants": 5, "first_entry_only": False, "is_archived": True,
    }  # fmt: skip
    return director, f"leagues/{made['id']}", body


def _series(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    director = api(staff("director"))
    made = json_of(director.post("/api/v1/series", {"name": "Spring"}), 201)
    days = {"starts_on": "2030-03-01", "ends_on": "2030-03-09"}
    return director, f"series/{made['id']}", {"name": "May", "description": "All of it.", "is_archived": True} | days


def _me(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    return api(user), "me", {"wants_mail": not user.wants_mail, "time_zone": "Asia/Tokyo", "language": "fr"}


def _look(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    usual = json_of(api(user).get("/api/v1/me/look"))
    body = {
        name: next(choice for choice in wish.choices if choice != usual[name]) for name, wish in LOOK_SETTINGS.items()
    }
    return api(user), "me/look", body


def _keys(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    return api(user), "me/keys", dict(zip(HOT_KEYS, "DGHIJOPQVWZ;,.-='", strict=True))


def _mark(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    evening = Evening()
    evening.sit(user, 1)
    evening.sit("bob", 2)
    hand = evening.deal().table.hand_id
    evening.play_out()
    return api(user), f"me/hands/{hand}/mark", {"tags": "bluff", "note": "Twice."}


def _offer(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    manager = api(staff("manager"))
    made = json_of(manager.post("/api/v1/offers", {"name": "Stud 5/10"}), 201)
    drop = {"name": "Late", "kind": "rake", "rake_permille": 50, "caps": [[2, 4]], "rounding_unit": 1}
    drop = json_of(manager.post("/api/v1/drop-schedules", drop), 201)
    body = {name: _another(made[name]) for name in TERMS}
    body |= {"game": "razz", "structure": "spread-limit", "rulebook": "home", "drop_id": drop["id"]}
    body |= {"dealt_by": "person", "deck": "typed", "is_physical": True, "seat_count": 7, "opens_with": 3}
    return manager, f"offers/{made['id']}", body


def _another(value: Any) -> Any:
    if type(value) is bool or value is None:
        return not value
    return value + 1 if type(value) is int else [*value, 5] if type(value) is list else f"{value}!"


def _section(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    manager = api(staff("manager"))
    made = json_of(manager.post("/api/v1/sections", {"name": "High"}), 201)
    return manager, f"sections/{made['id']}", {"name": "Higher"}


def _terms(event: Event) -> dict[str, Any]:
    return {
        "name": "Deepstack", "conduct": "online", "description": "Bring a chair.",
        "config": {**event.row.config, "max_entrants": 40, "conduct": "online", "act_seconds": 25},
        "price": {"entry": {"pool": 50, "fee": 5, "bounty": 0, "staff": 0}},
        "options": {"pause_seconds": 20, "bots_rebuy": 1}, "starts_when_full": True, "when_short": "cancel",
        "entry_code": "river", "bots": 3, "recurs_minutes": 60, "recurs_times": 2, "recurs_when_full": True,
    }  # fmt: skip


def _template(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    event = Event()
    director = api(event.director)
    made = json_of(director.post("/api/v1/templates", {"name": "Nightly", "tournament": event.pk}), 201)
    return director, f"templates/{made['id']}", _terms(event)


def _tournament(api: Api, user: User) -> tuple[Any, str, dict[str, Any]]:
    event, final, prize = Event(), Event(), Event()
    director = api(event.director)
    series = json_of(director.post("/api/v1/series", {"name": "Spring"}), 201)["id"]
    league = json_of(director.post("/api/v1/leagues", {"name": "House", "formula": "linear"}), 201)["id"]
    season = {"name": "2030", "starts_on": "2030-01-01"}
    season = json_of(director.post(f"/api/v1/leagues/{league}/seasons", season), 201)["id"]
    place = {"series": series, "season": season, "final": final.pk, "flight": "1A", "satellite_to": prize.pk}
    times = {"starts_at": LATER, "registration_opens_at": "2031-02-01T20:00:00Z"}
    return director, f"tournaments/{event.pk}", _terms(event) | place | times


#: A thing for each address that is patched: whose program asks, where it is, and all that can be changed of it.
PATCHED: dict[str, Callable[[Api, User], tuple[Any, str, dict[str, Any]]]] = {
    "accounts/{user_id}": _account,
    "blacklist/{line_id}": _blacklist_line,
    "clubs/{club_id}": _club,
    "floor/tables/{table_id}": _table,
    "leagues/{league_id}": _league,
    "me": _me,
    "me/hands/{hand_id}/mark": _mark,
    "me/keys": _keys,
    "me/look": _look,
    "offers/{offer_id}": _offer,
    "sections/{section_id}": _section,
    "series/{series_id}": _series,
    "templates/{template_id}": _template,
    "tournaments/{tournament_id}": _tournament,
}


def _sent(address: str) -> dict[str, Any]:
    """The schema of what is sent to change a thing."""
    document = schema()
    body = document["paths"][f"/api/v1/{address}"]["patch"]["requestBody"]["content"]["application/json"]["schema"]
    return document["components"]["schemas"][body["$ref"].rpartition("/")[2]]


def _told(thing: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in thing.items() if name not in _MARKS}


def test_every_patch_is_walked():
    patched = {address for address, methods in schema()["paths"].items() if "patch" in methods}
    assert patched == {f"/api/v1/{address}" for address in PATCHED}


@pytest.fixture
def thing(request, api, ann, still):
    """The address of one, all that can be changed of it, and how it is changed."""
    client, at, body = PATCHED[request.param](api, ann)

    def change(said: dict[str, Any], status: int = 200) -> Any:
        answer = client.patch(f"/api/v1/{at}", said)
        return _told(json_of(answer)) if status == 200 else problem(answer, status)

    return request.param, body, change


each_thing = pytest.mark.parametrize("thing", PATCHED, indirect=True)


@each_thing
def test_what_is_left_out_of_a_patch_stays(thing):
    address, body, change = thing
    assert body.keys() == _sent(address)["properties"].keys() - _ASIDE
    first, *others = body
    before = change({first: body[first]})
    whole = change(body)
    assert {name for name in others if name in whole and before.get(name) == whole[name]} == set()
    for name, value in body.items():
        assert change({name: value}) == whole, name


@each_thing
def test_a_patch_says_something_and_nothing_by_itself(thing):
    address, body, change = thing
    sent = _sent(address)
    assert (sent["minProperties"], sent.get("required")) == (1, None)
    assert [name for name, said in sent["properties"].items() if "default" in said] == []
    whole = change(body)
    assert change({}, 400)["errors"].keys() >= body.keys()
    assert change(body) == whole


@pytest.mark.parametrize("thing", ["tournaments/{tournament_id}", "templates/{template_id}"], indirect=True)
def test_of_terms_prices_and_options_a_part_is_changed(thing):
    _, body, change = thing
    whole = change(body)
    rebuy = {"pool": 30, "fee": 0, "bounty": 0, "staff": 0}
    changed = change({"price": {"rebuy": rebuy}, "config": {"act_seconds": 30, "rebuy": {"chips": 2000}}})
    assert changed["price"] == whole["price"] | {"rebuy": rebuy}
    assert changed["config"] | {"act_seconds": 25, "rebuy": None} == whole["config"]
    assert change({"options": {"bots_rebuy": None, "auto_arrange": True}})["options"] == {
        "pause_seconds": 20,
        "auto_arrange": True,
    }
    assert change({"price": {"rebuy": None}, "config": {"rebuy": None}})["price"] == whole["price"]
    assert change({"config": {"structure": None}}, 400)["code"] == "bad-config"
    assert change({"config": {"seats": -1}}, 400)["errors"].keys() == {"config"}


@pytest.mark.parametrize("thing", ["leagues/{league_id}"], indirect=True)
def test_of_the_numbers_of_a_formula_a_part_is_changed_unless_it_is_another_formula(thing):
    _, body, change = thing
    change(body)
    assert change({"terms": {"playing": 50}})["terms"] == {"table": [1000, 500], "playing": 50}
    assert change({"formula": "linear", "terms": {"scale": 200}})["terms"] == {"scale": 200}


@pytest.mark.parametrize("thing", ["series/{series_id}"], indirect=True)
def test_null_takes_a_day_away(thing):
    _, body, change = thing
    change(body)
    assert change({"ends_on": None})["ends_on"] is None
