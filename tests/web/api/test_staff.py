"""Dealers and the floor by the API: the same services, the same refusals, and no card that is not public."""

import pytest
import time_machine

from tests.support.dealing import DealerEvening
from tests.support.models import FloorCall, FloorOrder, SealedLook
from tests.support.pages import json_of
from tests.support.sealed import open_view
from tests.support.worlds import world
from tests.web.api.conftest import problem


@world
def _begun() -> DealerEvening:
    with time_machine.travel(0, tick=False) as clock:
        evening = DealerEvening(name="The Felt")
        clock.move_to(evening.now)
        evening.ann, evening.bob, evening.cat = (evening.sit(name, seat) for seat, name in enumerate("abc", 1))
        evening.start()
        return evening


@pytest.fixture
def table(_begun, api):
    """A table that a person deals, three players seated, a hand begun; `dealer` and `floor` are programs of theirs."""
    with time_machine.travel(_begun.now, tick=False):
        _begun.dealer, _begun.floor, _begun.player = api(_begun.dee), api(_begun.flo), api(_begun.ann)
        yield _begun


def enter(table, what, client=None, command_id="c1", **fields):
    body = {"what": what, "fields": fields, "expected_seq": table.table.seq, "command_id": command_id}
    return (client or table.dealer).post(f"/api/v1/hands/{table.hand}/dealer", body)


def order(table, what, client=None, **more):
    body = {"what": what, "reason": "seen by the floor", "command_id": "o1"} | more
    return (client or table.floor).post(f"/api/v1/hands/{table.hand}/floor", body)


def test_a_dealer_starts_a_hand_once(table):
    table.order("void")
    address = f"/api/v1/tables/{table.pk}/start-hand"
    told = json_of(table.dealer.post(address, {"absent": [2], "command_id": "next"}), 201)
    assert told == {"hand": table.hand + 1, "number": 2, "seq": 4}
    assert table.dealer.post(address, {"absent": [2], "command_id": "next"}).json() == told
    assert table.dealer.post(address, {}, headers={"Idempotency-Key": "other"}).json()["code"] == "hand-in-play"
    assert table.dealer.post(address, {}).json()["code"] == "no-command-id"


def test_a_mistake_is_answered_with_its_ruling_and_without_a_downcard(table):
    answer = enter(table, "deal", street=3, cards=[{"seat": 2, "exposed": True}])
    told = json_of(answer)
    (ruling,) = [fact["data"] for fact in told["facts"] if fact["kind"] == "ruled"]
    assert (ruling["key"], ruling["verdict"], ruling["rule"]) == ("exposed_downcard", "third-card-down", "5")
    downs = [card for player in table.played.players for card in player.downcards]
    assert all(card not in answer.content.decode() for card in downs)
    assert enter(table, "deal", street=3).json() | {"facts": []} == told | {"facts": []}


def test_the_next_step_is_asked_for(table):
    table.enter("deal", street=3)
    told = json_of(table.dealer.get(f"/api/v1/hands/{table.hand}/dealer"))
    assert (told["next"]["what"], told["choices"]["seat"]) == ("act", table.table.to_act)
    assert {choice["action"] for choice in told["choices"]["choices"]} == {"bring-in", "complete"}
    assert (told["premature_street"], set(told["seats"]), told["undo"]) == (4, {"1", "2", "3"}, None)
    table.check_or_call()
    assert table.dealer.get(f"/api/v1/hands/{table.hand}/dealer").json()["undo"]["upto"] > 3
    assert table.dealer.get("/api/v1/hands/999999/dealer").status_code == 404


def test_a_bad_or_a_stale_entry_is_refused_and_nothing_changes(table):
    seq = table.table.seq
    for what, fields, status, code in (
        ("deal", {"street": 4}, 422, "wrong-street"), ("deal", {"street": "third"}, 400, "bad-fields"),
        ("deal", {"street": 3, "cards": [{"seat": 1, "card": "As"}]}, 422, "system-deck"),
        ("deal", {"street": 3, "colour": 1}, 400, "bad-fields"), ("notice", {}, 422, "nothing-wrong"),
        ("undo", {}, 422, "nothing-to-undo"), ("look", {"seat": 9}, 422, "unknown-seat"),
    ):  # fmt: skip
        assert json_of(enter(table, what, **fields), status)["code"] == code
        assert table.table.seq == seq
    words = "A card is rank then suit, like Ts or 7h: look at `cards[0].card` again."
    for card in ("10s", "sT", "T", "", "Ax", "ts", "T♠", "TsTs"):
        told = json_of(enter(table, "deal", street=3, cards=[{"seat": 2, "card": card}]), 400)
        assert (told["code"], told["detail"]) == ("bad-fields", words), card
    table.enter("deal", street=3)
    body = {"what": "deal", "fields": {"street": 3}, "expected_seq": seq, "command_id": "late"}
    assert table.dealer.post(f"/api/v1/hands/{table.hand}/dealer", body).status_code == 409


def test_a_player_declares_all_in(table, api):
    table.to_street(7)
    seat = table.played.order[0]
    table.enter("deal", street=7, cards=[{"seat": seat, "exposed": True}])
    owner = table.seat(seat).player
    turn = api(owner).get(f"/api/v1/hands/{table.hand}").json()["turn"]
    if turn["seat"] == seat:
        assert "declare-all-in" in [choice["action"] for choice in turn["choices"]]
    body = {"action": "declare-all-in", "expected_seq": table.table.seq, "command_id": "d"}
    assert api(owner).post(f"/api/v1/hands/{table.hand}/act", body).status_code == 200


def test_a_call_waits_until_the_floor_answers(table, api):
    asked = {"note": "string bet", "kind": "decision"}
    made = json_of(table.player.post(f"/api/v1/tables/{table.pk}/call-floor", asked), 201)
    assert (made["seat"], made["kind"], made["answered_at"]) == (1, "decision", None)
    (call,) = table.floor.get("/api/v1/floor/calls").json()
    assert (asked | {"id": made["id"], "who": "a", "table_name": "The Felt"}).items() <= call.items()
    assert table.player.post(f"/api/v1/floor/calls/{made['id']}/answer").status_code == 403
    assert table.floor.post(f"/api/v1/floor/calls/{made['id']}/answer").json()["answered_at"]
    assert table.floor.get("/api/v1/floor/calls").json() == []
    assert FloorCall.objects.get().answered_by == table.flo


def test_orders_of_the_floor_need_the_role_and_a_reason_and_are_logged(table):
    table.enter("deal", street=3)
    (glance,) = [row for row in table.floor.get("/api/v1/floor").json()["tables"] if row["name"] == "The Felt"]
    assert (glance["hand"]["id"], glance["hand"]["pot"], glance["dealt_by"]) == (table.hand, 3, "person")
    assert order(table, "void", client=table.dealer).status_code == 403
    for reason in ("", "  x  "):
        assert order(table, "void", reason=reason).status_code == 400
    assert json_of(order(table, "rules-live", seat=1), 422)["rule"]
    address = f"/api/v1/hands/{table.hand}/floor"
    told = table.floor.get(address).json()
    assert {"what": "void", "seats": []} in told["orders"]
    assert told["log"] == []
    assert [fact["kind"] for fact in json_of(order(table, "void"))["facts"]] == ["ordered", "ruled", "hand-voided"]
    (row,) = table.floor.get(address).json()["log"]
    assert (row["what"], row["by"], row["reason"], row["number"]) == ("void", "flo", "seen by the floor", 1)
    page = table.floor.get("/api/v1/floor/log?limit=1").json()
    assert [row["what"] for row in page["results"]] == ["void"]
    assert table.floor.get(f"/api/v1/floor/log?table={table.pk + 1}").json()["results"] == []


def test_a_penalty_says_how_many_hands(table):
    table.enter("deal", street=3)
    assert order(table, "penalises", seat=2, hands=3).status_code == 200
    assert (FloorOrder.objects.get().hands, table.seat(2).misses_hands) == (3, 3)


def test_sealed_cards_need_an_open_view_and_each_look_is_recorded(table, api):
    table.enter("deal", street=3)
    hand = table.hand
    address = f"/api/v1/hands/{hand}/sealed"
    auditor, manager = api(table.staff("aud", "auditor")), api(table.staff("mia", "manager"))
    assert auditor.get("/api/v1/me/sealed-view").status_code == 404
    said = {"reason": "a complaint at the table"}
    asked = json_of(auditor.post("/api/v1/me/sealed-view", said | {"minutes": 60}), 202)
    assert (asked["verdict"], auditor.post(address).status_code) == ("", 403)
    decide = f"/api/v1/approvals/{asked['id']}/decision"
    assert auditor.post(decide, {"approve": True}).status_code == 403
    assert manager.post(decide, {"approve": True}).status_code == 200
    assert problem(auditor.post(address), 409)["code"] == "hand-in-play"
    table.order("misdeal")
    assert auditor.get("/api/v1/me/sealed-view").json()["reason"] == "a complaint at the table"
    dealt = [fact["data"] for fact in json_of(auditor.post(address))["facts"] if fact["kind"] == "cards-dealt"]
    assert all(card for fact in dealt for _, card, _ in fact["cards"])
    assert SealedLook.objects.get().subject == f"hand:{hand}"
    assert (auditor.delete("/api/v1/me/sealed-view").status_code, auditor.post(address).status_code) == (204, 403)
    assert table.player.post(address).json()["code"] == "scope"
    open_view(table.ann, now=table.now)
    assert api(table.ann).post(address).json()["code"] == "sat-in-the-game"
    assert table.floor.post("/api/v1/hands/999999/sealed").status_code == 404
    player = api(table.staff("eva", "auditor"), "read", "play")
    for answer in (player.post("/api/v1/me/sealed-view", said), player.post(address)):
        assert "lacks the scope 'direct'" in json_of(answer, 403)["detail"]


def test_rulings_are_public_and_filtered(table, api):
    table.enter("deal", street=3, cards=[{"seat": 2, "exposed": True}])
    table.order("misdeal")
    both, pages = ["misdeal", "exposed_downcard"], {}
    for query, keys in (
        ("", both), ("key=misdeal", ["misdeal"]), (f"table={table.pk + 1}", []), ("limit=1", ["misdeal"]),
        ("from=2030-01-05&to=2030-01-05", both), ("to=2030-01-04", []), ("from=2030-01-05T20:00:01Z", []),
    ):  # fmt: skip
        pages[query] = json_of(api().get(f"/api/v1/rulings?{query}"))
        assert [row["key"] for row in pages[query]["results"]] == keys, query
    assert pages[""]["results"][1]["citation"] == "Robert's Rules of Poker v4, 5"
    second = api().get(pages["limit=1"]["next"]).json()
    assert ([row["key"] for row in second["results"]], second["next"]) == (["exposed_downcard"], None)


def test_no_answer_to_the_rail_holds_a_downcard(table, api):
    table.to_street(6)
    downs = {card for player in table.played.players for card in player.downcards}
    seen = {card for player in table.played.players for card in player.upcards}
    for client in (table.dealer, table.floor, api()):
        for address in (f"hands/{table.hand}/facts", f"hands/{table.hand}", "rulings"):
            text = client.get(f"/api/v1/{address}").content.decode()
            assert not [card for card in downs - seen if f'"{card}"' in text]
    text = table.dealer.get(f"/api/v1/hands/{table.hand}/dealer").content.decode()
    assert not [card for card in downs if card in text]
