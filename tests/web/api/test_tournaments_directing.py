"""Events run by the API: the clock, the tables, who is out, what is suggested, undone, paid and agreed."""

import pytest
import time_machine

from cardroom.core import notices as house_notices
from tests.support.events import START, Event
from tests.support.offers import staff
from tests.support.pages import json_of
from tests.support.worlds import world
from tests.web.api.conftest import problem, twice
from tests.web.api.test_tournaments import DRAFT, address_of
from tournaments.engine.config import PayoutTerms


@world
@time_machine.travel(START, tick=False)
def _started() -> Event:
    return Event(seats=6, final_seats=6, starting_stack=2000).started(10)


@pytest.fixture
def event(_started, still) -> Event:
    """Ten players at two tables, started."""
    return _started


class Order:
    """A program of a director's: `order("busts", busts=[...])`, and what came back."""

    def __init__(self, api, event, user=None, *scopes):
        self.event, self.client = event, api(user or event.director, *scopes)

    def __call__(self, *steps, once="", **body):
        headers = {"Idempotency-Key": once} if once else {}
        return self.client.post(address_of(self.event, *steps), body, headers=headers)

    def get(self, *steps):
        return self.client.get(address_of(self.event, *steps)).json()


@pytest.fixture
def order(api, event) -> Order:
    return Order(api, event)


def seat_of(event, number) -> tuple[int, int]:
    entrant = event.state.entrants[number]
    return entrant.table, entrant.seat


def test_the_clock_is_paused_resumed_and_moved(order, still):
    stopped = order("pause").json()
    assert [fact["kind"] for fact in stopped["facts"]] == ["clock-set"]
    still.shift(60)
    clock = order.get("clock")
    assert (clock["reading"]["is_paused"], clock["reading"]["remaining_ms"], clock["ends_at"]) == (True, 900_000, None)
    assert order("resume").status_code == 200
    assert order("clock", what="add-time", ms=-60_000).status_code == 200
    assert order.get("clock")["reading"]["remaining_ms"] == 840_000
    assert order("clock", what="go-to", level=2).status_code == 200
    assert (order.get("clock")["name"], order.get("clock")["next"]["small_bet"]) == ("Break 1", 120)
    assert order("clock", what="previous").status_code == 200
    assert order.get("clock")["name"] == "Level 2"
    for body, field in (
        ({"what": "go-to"}, "level"), ({"what": "add-time", "level": 2}, "ms"), ({"what": "pause", "ms": 5}, "ms"),
        ({"what": "stop"}, "what"), ({}, "what"),
    ):  # fmt: skip
        assert field in problem(order("clock", **body), 400)["errors"]


def test_levels_to_come_are_changed_and_those_played_are_not(order, still):
    levels = order.get("levels")
    levels[4]["small_bet"], levels[4]["big_bet"] = 200, 400
    assert order("levels", from_level=4, levels=levels[4:]).status_code == 200
    assert order.get("levels")[4]["small_bet"] == 200
    assert order("clock", what="next").status_code == 200
    assert problem(order("levels", from_level=0, levels=levels), 422)["code"] == "level-played"
    wrong = problem(order("levels", from_level=4, levels=[levels[4] | {"ante": "ten"}]), 400)
    assert list(wrong["errors"]) == ["levels"]


@pytest.mark.smoke
def test_a_bust_is_entered_once_undone_and_redone(order, event):
    table = seat_of(event, 1)[0]
    by = next(number for number in range(2, 11) if seat_of(event, number)[0] == table)
    said = {"busts": [{"entrant": 1}], "eliminators": [by], "table": table}
    assert twice(order.client, f"tournaments/{event.pk}/busts", said)
    assert event.state.left == 9
    [out] = order.get("knock-outs")["results"]
    assert (out["entrant"], out["place"], len(out["by"])) == (1, 10, 1)
    label = order.get("console")["undo_label"]
    assert event.entry(1).name in label
    assert order("undo").status_code == 200
    assert (event.state.left, order.get("knock-outs")["results"]) == (10, [])
    assert order("redo").status_code == 200
    assert event.state.left == 9
    assert label in {line["label"] for line in order.get("log")["results"] if line["stands"]}
    seq = event.row.seq
    assert order("busts", busts=[{"entrant": 2}], expected_seq=seq).status_code == 200
    late = json_of(order("busts", busts=[{"entrant": 3}], expected_seq=seq), 409)
    assert (late["seq"], bool(late["done"])) == (event.row.seq, True)


def test_an_entry_is_undone_with_a_reason_and_its_money(order, event):
    assert order("entry", on=True).status_code == 200
    late = event.enter()
    undo = order.get("console")
    assert (undo["undo_label"], undo["undo_refusal"]) == (f"Entry of {late.name}", "")
    ((name, amount, method, is_taken),) = [
        (line["name"], line["amount"], line["method"], line["is_taken"]) for line in undo["undo_money"]
    ]
    assert (name, amount, method, is_taken) == (late.name, 115, "wallet", False)
    assert problem(order("undo"), 400)["code"] == "reason-required"
    made = json_of(order("undo", reason="The wrong event"))
    assert made["facts"][0]["data"]["label"] == f"Undone: Entry of {late.name}"
    assert event.entry(late.number).state == "withdrawn"


def test_several_in_one_hand_need_their_stacks(order, event):
    other = next(number for number in range(2, 11) if seat_of(event, number)[0] == seat_of(event, 1)[0])
    assert problem(order("busts", busts=[{"entrant": 1}, {"entrant": other}]), 400)["code"] == "stacks-required"
    assert order("busts", busts=[{"entrant": 1, "stack": 900}, {"entrant": other, "stack": 400}]).status_code == 200
    assert {out["entrant"]: out["place"] for out in order.get("knock-outs")["results"]} == {1: 9, other: 10}
    assert order("busts", busts=[{"entrant": 1}]).status_code == 422


def test_what_is_suggested_is_done_when_it_is_confirmed(order, event):
    table = seat_of(event, 1)[0]
    there = [number for number in range(1, 11) if seat_of(event, number)[0] == table]
    for number in there[:2]:
        assert order("busts", busts=[{"entrant": number}]).status_code == 200
    move = next(each for each in order.get("suggestions") if each["kind"] == "move")
    assert (move["rule"], bool(move["why"])) != ("", False)
    done = order("suggestions", "confirm", key=move["key"])
    assert [fact["kind"] for fact in done.json()["facts"]] == ["moved"]
    [moved] = order.get("moves")
    assert (moved["entrant"], moved["table"]) == (move["data"]["entrant"], move["data"]["table"])
    assert problem(order("suggestions", "confirm", key=move["key"]), 409)["code"] == "suggestion-gone"


def test_players_are_moved_penalised_counted_and_put_on_the_clock(api, order, event, still):
    to = 3 - seat_of(event, 1)[0]
    assert order("moves", entrant=1, table=to, reason="He cannot see the board").status_code == 200
    assert seat_of(event, 1)[0] == to
    assert order("tables", 9, "break").status_code == 422
    assert order("penalties", entrant=1, kind="hands", count=3, reason="Cursing").status_code == 200
    for reader, reason in ((order.client, "Cursing"), (api(), "")):
        facts = reader.get(address_of(event, "facts")).json()["facts"]
        assert [each["data"]["reason"] for each in facts if each["kind"] == "penalised"] == [reason]
    assert order("counts", entrant=2, chips=2300).status_code == 200
    assert order("entries", 3, "clock-on").status_code == 200
    seats = [seat for table in order.get("tables") for _, seat in table["seats"] if seat]
    by_entry = {seat["entrant"]: seat for seat in seats}
    assert (by_entry[1]["misses_hands"], by_entry[2]["stack"]) == (3, 2300)
    assert by_entry[3]["clock_ends_at"] is not None
    assert order("entries", 4, "arrived", has=True).json()["arrived_at"]
    assert order("penalties", entrant=1, kind="hands", count=3).status_code == 400  # a penalty has a reason
    assert order("entries", 99, "clock-on").status_code == 422
    away = [number for number in range(2, 11) if seat_of(event, number)[0] != to]
    for number in (*away[:3], 1):
        assert order("busts", busts=[{"entrant": number}]).status_code == 200
    assert json_of(order("final-table"))
    assert len(order.get("tables")) == 1


def test_entry_is_closed_and_opened_by_the_director(api, still):
    event = Event(late_level=2).started(3)
    order = Order(api, event)
    newcomer = api(event.player())
    assert order("offline").status_code == 200
    assert newcomer.post(address_of(event, "entries"), {}).status_code == 422
    assert order("online").status_code == 200
    assert newcomer.post(address_of(event, "entries"), {}).status_code == 201


def test_a_dealer_enters_busts_and_directs_nothing_else(api, event):
    dealer = Order(api, event, event.staff("dealer"))
    assert dealer("busts", busts=[{"entrant": 1}]).status_code == 200
    for steps in (("undo",), ("pause",), ("balance",), ("start",), ("cancel",), ("payouts", "pay"), ("messages",)):
        body = {"cancel": {"reason": "no reason"}, "messages": {"text": "Hello"}}.get(steps[0], {})
        assert dealer(*steps, **body).status_code == 403, steps
    narrow = Order(api, event, event.director, "read", "play")
    assert narrow("busts", busts=[{"entrant": 2}]).json()["code"] == "scope"


def test_a_chip_race_is_previewed_and_then_made_with_the_same_cards(order, event):
    seats = {str(seat): 2000 for seat in event.state.tables[1].seats}
    first, *_ = seats
    race = {"table": 1, "leaving": 25, "stacks": seats | {first: 2025}, "next_denomination": 100}
    tried = json_of(order("chip-race", is_trial=True, **race))
    assert list(problem(order("chip-race", **race), 400)["errors"]) == ["cards"]
    wrong = order("chip-race", cards=["10s"], **race)
    assert "A card is rank then suit, like Ts or 7h." in str(wrong.json()["errors"])
    cards = [card for one in tried["raced"] for card in one["cards"]]
    assert json_of(order("chip-race", cards=cards, **race))["raced"] == tried["raced"]
    assert order("hand-for-hand", on=True).status_code == 200
    assert order("tables", 1, "hand-done").status_code == 200
    assert order.get("console")["waiting"] == [2]
    assert "hand-over" in [fact["kind"] for fact in order("tables", 2, "hand-done").json()["facts"]]


def test_players_are_told_what_a_director_says_once(order, event, api):
    told = [order("messages", once="dinner", text="Dinner is at eight.").json()["told"] for _ in range(2)]
    assert told[0] == 10
    player = event.entry(1).player
    mine = api(player)
    notice, *older = mine.get("/api/v1/me/notices").json()["results"]
    assert [row["text"] for row in (notice, *older)].count("Dinner is at eight.") == 1
    assert mine.post(f"/api/v1/me/notices/{notice['id']}/read").status_code == 204
    assert api(event.entry(2).player).post(f"/api/v1/me/notices/{notice['id']}/read").status_code == 404
    assert notice["tournament"] == event.pk
    rooms = house_notices.tell(player=player, kind="called", text="Your seat is ready.", now=event.now)
    of_room = {"tournament": None, "text": "Your seat is ready."}
    for address in ("me/notices?about=room", "me/messages"):
        (row,) = mine.get(f"/api/v1/{address}").json()["results"]
        assert (of_room | {"id": rooms.pk}).items() <= row.items()
    all_of_them = mine.get("/api/v1/me/notices").json()["results"]
    assert [row["id"] for row in all_of_them[:2]] == [rooms.pk, notice["id"]]
    assert mine.get("/api/v1/me/notices?about=events").json()["results"] == all_of_them[1:]
    assert mine.get("/api/v1/me/notices?about=me").status_code == 400


@world
@time_machine.travel(START, tick=False)
def _small() -> Event:
    return Event(payout=PayoutTerms(kind="percent", percents=(70, 30))).started(3)


@pytest.fixture
def small(_small, api, still) -> Order:
    """Three at one table, second place paid."""
    return Order(api, _small)


def test_prizes_are_locked_and_paid_once_and_results_are_published(small, api):
    event = small.event
    house = {"name": "House", "formula": "linear", "min_entrants": 3}
    address = f"/api/v1/leagues/{small.client.post('/api/v1/leagues', house).json()['id']}/seasons"
    season = small.client.post(address, {"name": "2030", "starts_on": "2030-01-01"}).json()
    small.client.patch(address_of(event), {"season": season["id"]})
    assert small.get("payouts")["prizes"] == [210, 90]
    assert small("payouts", "lock").status_code == 200
    while event.state.left > 1:
        json_of(small("busts", busts=[{"entrant": event.state.left}]))
    places = [(row["entrant"], row["place"], row["prize"]) for row in small.get("results")["results"]]
    assert places == [(1, 1, 210), (2, 2, 90), (3, 3, 0)]
    paid = twice(small.client, f"tournaments/{event.pk}/payouts/pay", {})
    assert sorted(row["amount"] for row in paid) == [90, 210]
    assert small.get("payouts/receipts")["results"][0]["state"] == "paid"
    winner = api(event.entry(1).player)
    assert winner.get("/api/v1/me").json()["wallet"]["balance"] == 1000 - 115 + 210
    assert [row["amount"] for row in winner.get(address_of(event, "payouts/receipts")).json()["results"]] == [210]
    undo = small.get("console")
    assert ([line["amount"] for line in undo["undo_money"]], undo["undo_refusal"]) == ([210, 90], "")
    assert problem(small("undo"), 400)["code"] == "reason-required"
    table = api().get(f"/api/v1/seasons/{season['id']}").json()["standings"]
    assert ([row["rank"] for row in table], table[0]["scores"][0]["tournament"]) == ([1, 2, 3], event.pk)
    csv = api().get(address_of(event, "exports/results/csv"), headers={"Accept": "text/csv"})
    assert (csv.status_code, csv["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert csv.content.decode().count("\r\n") == 4
    assert api().get(address_of(event, "exports/knock-outs/json")).json()["event"]["name"] == event.row.name
    for client, what, status in ((api(), "payouts", 403), (small.client, "payouts", 200), (api(), "nothing", 404)):
        assert client.get(address_of(event, "exports", what, "csv")).status_code == status


def test_a_deal_is_voted_on_in_secret(small, api):
    event = small.event
    small("busts", busts=[{"entrant": 3}])
    offers = {offer["kind"]: offer for offer in small.get("deal")["terms"]["offers"]}
    assert offers["even"]["amounts"] == {"1": 150, "2": 150}
    proposed = json_of(small("deal", kind="even", once="deal"), 201)
    assert (proposed["voted"], proposed["of"]) == (0, 2)
    first, second = (Order(api, event, event.entry(number).player) for number in (1, 2))
    assert first("deal", "vote", is_yes=True).json()["mine"] is True
    seen = second.get("deal")["voting"]
    assert (seen["voted"], seen["mine"]) == (1, None)
    narrow = Order(api, event, event.director, "play")
    assert narrow("deal", "vote", is_yes=True, entrant=2).json()["code"] == "scope"
    assert json_of(second("deal", "vote", is_yes=True))["state"] == "agreed"
    assert small("finish").status_code == 200
    assert [row["prize"] for row in small.get("results")["results"]] == [150, 150, 0]


def test_amounts_of_a_deal_have_to_sum(small):
    small("busts", busts=[{"entrant": 3}])
    assert "100 too little" in json_of(small("deal", kind="custom", amounts={"1": 100, "2": 100}), 422)["detail"]
    assert list(problem(small("deal", kind="custom", amounts={"one": 100}), 400)["errors"]) == ["amounts"]


@pytest.fixture
def dora(still, api):
    return api(staff("director", "dora"))


def test_templates_are_made_changed_used_and_put_away(dora):
    terms = {name: DRAFT[name] for name in ("conduct", "config", "price")}
    made = json_of(dora.post("/api/v1/templates", {"name": "Nightly"} | terms), 201)
    address = f"/api/v1/templates/{made['id']}"
    assert dora.patch(address, {"description": "Every night."}).json()["description"] == "Every night."
    event = dora.post("/api/v1/tournaments", {"template": made["id"], "name": "Tonight"}).json()
    assert (event["name"], event["description"], event["price"]) == ("Tonight", "Every night.", made["price"])
    copied = dora.post("/api/v1/templates", {"name": "Late night", "tournament": event["id"]})
    assert copied.json()["config"] == event["config"]
    assert dora.post("/api/v1/templates", {"name": "x", "tournament": event["id"], "bots": 1}).status_code == 400
    assert dora.delete(address).status_code == 204
    assert [row["name"] for row in dora.get("/api/v1/templates").json()] == ["Late night"]


def test_structures_series_and_leagues_are_made_for_events(dora, api):
    assert {"stud-regular"} <= {row["slug"] for row in api().get("/api/v1/structures").json()}
    wishes = {"players": 40, "stack": 5000, "half_hours": 10, "chips": [25, 100, 500, 1000, 5000], "minutes": 20}
    made = json_of(dora.post("/api/v1/structures", wishes | {"games": ["seven-card-stud"]}))
    assert 240 <= made["lasts"] <= 360
    assert made["preview"][0]["left"] == 40
    assert made["ends"] == {"late_level": 6, "rebuy_until_level": 6, "add_on_break": 1}
    config = {"structure": made["structure"], "starting_stack": 5000, "late_level": 6}
    assert json_of(dora.post("/api/v1/structures/check", {"config": config})) == []
    made["structure"]["levels"][1] |= {"small_bet": 175, "big_bet": 350}
    found = json_of(dora.post("/api/v1/structures/check", {"config": config | {"late_level": 4}}))
    assert [(each["code"], each["indexes"], each["values"]) for each in found] == [
        ("number", [1], {"what": "small_bet", "amount": 175}),
        ("entry-end", [3], {"level": 4, "nearest": 6}),
    ]
    assert found[1]["sentence"] == "Level 4: registration closes after it, but no break follows; one follows level 6."
    bad = dora.post("/api/v1/structures/check", {"config": config | {"starting_stack": 5010}})
    assert problem(bad, 422)["code"] == "structure-chips"
    odd = dora.post("/api/v1/structures", wishes | {"stack": 5010, "games": ["seven-card-stud"]})
    assert problem(odd, 422)["code"] == "wizard-chips"
    series = dora.post("/api/v1/series", {"name": "Spring", "starts_on": "2030-03-01"}).json()
    league = dora.post("/api/v1/leagues", {"name": "House", "formula": "linear"}).json()
    opened = dora.post(f"/api/v1/leagues/{league['id']}/seasons", {"name": "2030", "starts_on": "2030-01-01"})
    season = opened.json()
    assert season["starts_on"] == "2030-01-01"
    order = DRAFT | {"series": series["id"], "season": season["id"]}
    event = dora.post("/api/v1/tournaments", order).json()
    assert (event["series"], event["season"]) == (series["id"], season["id"])
    of_series = dora.get(f"/api/v1/tournaments?series={series['id']}").json()["results"]
    assert [row["id"] for row in of_series] == [event["id"]]
    assert api().get(f"/api/v1/seasons/{season['id']}").json()["standings"] == []
    assert api().get("/api/v1/leagues").json()[0]["seasons"] == [season]
    assert problem(dora.post("/api/v1/series", {"name": "Spring"}), 409)["code"] == "name-taken"
    assert dora.patch(f"/api/v1/series/{series['id']}", {"ends_on": "2030-02-01"}).status_code == 400
    assert dora.post(f"/api/v1/seasons/{season['id']}/close").status_code == 422  # an event still counts for it


def test_a_ticket_is_given_used_and_paid_out(still, api):
    event = Event().open()
    player = event.player("mara", chips=0)
    director = api(event.director)
    given = {"player": "mara", "tournament": event.pk, "reason": "Won the quiz"}
    ticket = twice(director, "tickets", given, 201)["id"]
    assert [row["id"] for row in api(player).get("/api/v1/me/tickets").json()] == [ticket]
    assert json_of(api(player).post(address_of(event, "entries"), {"ticket": ticket}), 201)["how"] == "ticket"
    assert api(player).get("/api/v1/me/tickets").json() == []
    used = director.post(f"/api/v1/tickets/{ticket}/pay-out", {"reason": "He is ill"})
    assert problem(used, 422)["code"] == "ticket-used"
    assert director.post("/api/v1/tickets", given).status_code == 400  # without a key
