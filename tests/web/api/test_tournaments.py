"""Events by the API: made, opened, entered, started and looked at, each by a person who may."""

import pytest
import time_machine

from tests.support.events import PRICE, START, Event, config
from tests.support.offers import staff
from tests.support.pages import json_of
from tests.support.worlds import world
from tests.web.api.conftest import problem, twice
from tournaments.engine import config as terms
from tournaments.engine.facts import KINDS

DRAFT = {"name": "Sunday stud", "conduct": "room", "price": PRICE, "starts_at": "2030-01-06T20:00:00Z"}
DRAFT |= {"config": terms.to_json(config(conduct="room"))}


@world
@time_machine.travel(START, tick=False)
def _open() -> Event:
    return Event(name="Sunday stud").open()


@pytest.fixture
def event(_open, still) -> Event:
    return _open


@pytest.fixture
def director(event, api):
    return api(event.director)


def address_of(event, *steps) -> str:
    return "/".join(["/api/v1/tournaments", str(event.pk), *map(str, steps)])


def test_a_director_makes_a_draft_that_nobody_else_sees(still, api):
    director = api(staff("director", "dora"))
    told = twice(director, "tournaments", DRAFT, 201)
    assert (told["state"], told["name"], told["price"]["entry"]["pool"]) == ("draft", "Sunday stud", 100)
    assert told["config"]["structure"]["levels"][0]["bring_in"] == 10
    address = f"/api/v1/tournaments/{told['id']}"
    assert (director.get(address).status_code, api().get(address).status_code) == (200, 404)
    assert api().get("/api/v1/tournaments").json()["results"] == []
    assert (director.delete(address).status_code, director.get(address).status_code) == (204, 404)


def test_a_malformed_draft_names_the_field_and_one_that_cannot_be_played_the_level(director):
    for wrong, field, words in (
        ({"config": {"starting_stack": 5}}, "config", "structure"),
        ({"config": DRAFT["config"] | {"starting_stack": "many"}}, "config", "starting_stack: a whole number"),
        ({"config": DRAFT["config"] | {"starting_stack": 10**20}}, "config", "starting_stack: a whole number"),
        ({"price": {"entry": {"pool": -5}}}, "price", "whole number from 0"),
        ({"starts_at": "tomorrow"}, "starts_at", "2030-01-05T20:00:00Z"),
        ({"bots": "five"}, "bots", "integer"),
        ({"colour": "green"}, "colour", "no such field"),
    ):
        errors = json_of(director.post("/api/v1/tournaments", DRAFT | wrong), 400)["errors"]
        assert (list(errors), words in errors[field][0]) == ([field], True), errors
    levels = [dict(level) for level in DRAFT["config"]["structure"]["levels"]]
    levels[1]["small_bet"] = 1
    wrong = {"config": DRAFT["config"] | {"structure": {"levels": levels}}}
    assert "Level 2" in json_of(director.post("/api/v1/tournaments", DRAFT | wrong), 422)["detail"]


def test_a_malformed_draft_is_refused_in_the_readers_language(director, every_word_marked):
    bounds = f"~config.starting_stack: a whole number from 0 to 1.000.000.000.000 is wanted, not {10**20}"
    for config_of, words in (
        ({"starting_stack": "many"}, "~config.starting_stack: a whole number is wanted, not 'many'"),
        ({"starting_stack": 10**20}, bounds),
        ({"colour": "green"}, "~config: there is no field 'colour' here"),
        ({"structure": []}, "~config.structure: an object is wanted, not []"),
    ):
        sent = DRAFT | {"config": DRAFT["config"] | config_of}
        answer = director.post("/api/v1/tournaments", sent, headers={"Accept-Language": "de"})
        assert json_of(answer, 400)["errors"]["config"] == [words]


def test_a_token_without_the_scope_or_the_role_makes_directs_and_enters_nothing(event, api):
    member, cashier, guest = event.player(), event.desk(), {"guest": "Cy Low"}
    for user, scopes, address, body, status, code in (
        (member, (), "/api/v1/tournaments", DRAFT, 403, "scope"),
        (cashier, (), "/api/v1/tournaments", DRAFT, 403, "role-required"),
        (event.director, ("read", "play"), address_of(event, "start"), {}, 403, "scope"),
        (event.director, ("read", "play"), address_of(event, "entries"), {}, 422, "not-enough-chips"),
        (member, ("read",), address_of(event, "entries"), {}, 403, "scope"),
        (cashier, ("direct",), address_of(event, "entries"), {}, 403, "scope"),
        (cashier, ("play",), address_of(event, "entries"), guest, 403, "scope"),
    ):
        assert problem(api(user, *scopes).post(address, body), status)["code"] == code, (scopes, address)
    assert api(member, "read").get(address_of(event)).status_code == 200
    assert api(cashier, "direct").post(address_of(event, "entries"), guest).status_code == 201


def test_an_event_goes_from_the_draft_to_the_start(still, api):
    event = Event()
    director = api(event.director)
    assert director.post(address_of(event, "announce")).json()["state"] == "announced"
    assert director.post(address_of(event, "open")).json()["state"] == "open"
    for _ in range(3):
        event.enter()
    seq, key = event.row.seq, {"Idempotency-Key": "go"}
    assert problem(director.post(address_of(event, "start"), {"expected_seq": seq - 1}), 409)["code"] == "stale"
    started, again = (
        json_of(director.post(address_of(event, "start"), {"expected_seq": seq}, headers=key)) for _ in range(2)
    )
    assert (started["state"], again["seq"]) == ("running", started["seq"])


def test_a_change_made_on_an_old_view_is_refused_and_what_is_cancelled_is_refunded(event, director, api):
    version = director.get(address_of(event)).json()["version"]
    changed = json_of(director.patch(address_of(event), {"description": "Bring a chair.", "version": version}))
    assert changed["description"] == "Bring a chair."
    stale = problem(director.patch(address_of(event), {"description": "Bring two.", "version": version}), 409)
    assert stale["version"] == changed["version"]
    player = event.enter(event.player(chips=200)).player
    answer = director.post(address_of(event, "cancel"), {"reason": "The roof leaks"})
    assert (answer.json()["state"], answer.json()["end_reason"]) == ("cancelled", "The roof leaks")
    assert api(player).get("/api/v1/me").json()["wallet"]["balance"] == 200
    assert [row["kind"] for row in api(player).get("/api/v1/me/notices").json()["results"]] == ["cancelled"]


def test_events_are_listed_in_pages_by_filters(event, api):
    other = Event(name="Monday razz", conduct="online").open()

    def names(query, by=None):
        return [row["name"] for row in api(by).get(f"/api/v1/tournaments?{query}").json()["results"]]

    assert names("") == ["Monday razz", "Sunday stud"]
    assert names("conduct=online") == names("name=razz") == ["Monday razz"]
    assert names("state=running") == names("is_over=true") == []
    player = other.enter().player
    assert names("entered=true", player) == ["Monday razz"]
    assert [row["name"] for row in api(player).get("/api/v1/me/tournaments").json()] == ["Monday razz"]
    first = api().get("/api/v1/tournaments?limit=1").json()
    assert [row["name"] for row in api().get(first["next"]).json()["results"]] == ["Sunday stud"]
    for query in ("state=lost", "series=x", "cursor=0", "is_over=maybe"):
        assert api().get(f"/api/v1/tournaments?{query}").status_code == 400, query


def test_a_player_enters_once_and_pays_once_and_is_refunded_once(event, api):
    player = api(event.player(chips=200))
    entered = twice(player, f"tournaments/{event.pk}/entries", {}, 201)
    assert (entered["number"], entered["how"]) == (1, "api")
    assert player.get("/api/v1/me").json()["wallet"]["balance"] == 85
    assert problem(player.post(address_of(event, "entries"), {}), 422)["code"] == "entered-already"
    [receipt] = player.get(address_of(event, "receipts")).json()["results"]
    assert (receipt["total"], receipt["what"]) == (115, "entry")
    for _ in range(2):
        assert player.post(address_of(event, "entries", 1, "unregister"), {}).json()["state"] == "withdrawn"
    assert player.get("/api/v1/me").json()["wallet"]["balance"] == 200


def test_the_desk_takes_in_members_and_guests_and_players_do_not(event, api):
    player, desk = api(event.player("mara")), api(event.desk())
    taken = desk.post(address_of(event, "entries"), {"player": "mara"}).json()
    guest = desk.post(address_of(event, "entries"), {"guest": "Ana Ruiz"}).json()
    assert [(row["name"], row["how"]) for row in (taken, guest)] == [("mara", "desk"), ("Ana Ruiz", "desk")]
    assert player.post(address_of(event, "entries", guest["number"], "unregister"), {}).status_code == 403
    gone = desk.post(address_of(event, "no-shows"), {"entrants": [guest["number"]]})
    assert [row["state"] for row in gone.json()] == ["withdrawn"]
    assert len(desk.get(address_of(event, "receipts")).json()["results"]) == 2
    assert len(player.get(address_of(event, "receipts")).json()["results"]) == 1


def test_who_finds_no_room_waits(still, api):
    event = Event(max_entrants=2, min_entrants=2).open()
    event.enter(), event.enter()
    assert api(event.player("zoe")).post(address_of(event, "entries"), {}).json()["state"] == "alternate"
    assert [row["name"] for row in api().get(address_of(event, "alternates")).json()] == ["zoe"]
    assert [row["name"] for row in api().get(address_of(event, "entries?state=alternate")).json()["results"]] == ["zoe"]


def test_rebuys_and_add_ons_are_bought_by_their_player(still, api):
    rebuy = terms.RebuyTerms(chips=2000, until_level=2, at_most_stack=2000)
    event = Event(price=PRICE | {"rebuy": {"pool": 50}}, rebuy=rebuy).started(2)
    player = api(event.entry(1).player)
    bought = twice(player, f"tournaments/{event.pk}/entries/1/rebuy", {})
    assert (bought["chips"], bought["total"]) == (2000, 50)
    assert player.post(address_of(event, "entries", 1, "add-on"), {}).status_code == 422
    assert api().get(address_of(event, "stats")).json()["rebuys"] == 1


def test_anybody_follows_an_event(still, api):
    event, rail = Event().started(5), api()
    board = rail.get(address_of(event, "board")).json()
    assert (board["counts"]["entries"], board["event"]["state"], board["you"]) == (5, "running", None)
    mine = api(event.entry(2).player).get(address_of(event, "board")).json()["you"]
    assert (mine["entry"], mine["stack"]) == (2, 2000)
    clock = rail.get(address_of(event, "clock")).json()
    assert (clock["name"], clock["level"]["small_bet"], clock["reading"]["remaining_ms"]) == ("Level 1", 40, 900_000)
    assert clock["ends_at"] - clock["now"] == 900_000
    [table] = rail.get(address_of(event, "tables")).json()
    assert (table["players"], rail.get(address_of(event, "tables", 1)).json()) == (5, table)
    assert rail.get(address_of(event, "tables", 9)).status_code == 404
    assert len(rail.get(address_of(event, "levels")).json()) == 5
    assert sum(rail.get(address_of(event, "payouts")).json()["prizes"]) == 500
    stats = rail.get(address_of(event, "stats")).json()
    assert (stats["players"], stats["chips"], stats["median"]) == (5, 10_000, None), "no stack was counted"
    told = rail.get(address_of(event, "facts")).json()
    assert [fact["seq"] for fact in told["facts"]] == list(range(1, event.row.seq + 1))
    assert {fact["kind"] for fact in told["facts"]} <= KINDS.keys()
    assert rail.get(address_of(event, "facts?after=3")).json()["facts"] == told["facts"][3:]
    assert rail.get(address_of(event, f"facts?after={told['last']}")).json()["facts"] == []


def test_an_event_that_is_not_open_yet_says_the_same_of_itself(still, api):
    event = Event()
    api(event.director).post(address_of(event, "announce"))
    for what in ("board", "clock", "tables", "levels", "payouts", "stats", "results", "knock-outs", "log", "moves"):
        assert api().get(address_of(event, what)).status_code == 200, what
    assert api(event.director).get(address_of(event, "console")).status_code == 404
