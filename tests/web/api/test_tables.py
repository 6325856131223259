"""Tables and seats: what is listed, who sits, and what sitting down, adding chips and leaving come to."""

import pytest

from games.play import opening, seating
from tests.support.evening import in_the_room
from tests.support.models import SeatMove
from tests.support.offers import staff
from tests.support.pages import json_of
from tests.web.api.conftest import problem, twice

BIGGER = opening.TableStakes(ante=5, bring_in=20, small_bet=60, big_bet=120)


def test_everybody_may_see_the_tables_and_choose_them_by_what_they_are(api, open_table):
    small = open_table(name="Small", seat_count=2)
    small.sit("ann")
    full = open_table(name="Full", seat_count=2)
    full.sit("bob"), full.sit("cec")
    open_table(name="Big", stakes=BIGGER, min_buy_in=2000, max_buy_in=6000)
    for query, names in (
        ("", ["Full", "Small", "Big"]), ("game=seven-card-stud&structure=fixed-limit", ["Full", "Small", "Big"]),
        ("game=razz", []), ("least_small_bet=16", ["Big"]), ("most_small_bet=15", ["Full", "Small"]),
        ("buy_in=2000", ["Big"]), ("has_free_seat=true", ["Small", "Big"]), ("has_free_seat=false", ["Full"]),
        ("has_people=false", ["Big"]),
    ):  # fmt: skip
        assert [row["name"] for row in json_of(api().get(f"/api/v1/tables?{query}"))] == names, query
    row = api().get("/api/v1/tables").json()[1]
    assert (row["id"], row["stakes"], row["seat_count"]) == (small.pk, "15/30", 2)
    assert (row["people"], row["bots"], row["is_full"], row["is_playing"]) == (1, 0, False, False)


def test_a_table_shows_the_rail_no_wallet_and_a_player_their_own_seat(api, evening):
    rail = api().get(f"/api/v1/tables/{evening.pk}").json()
    assert (rail["you"]["seat"], rail["wallet"]) == (None, None)
    assert rail["hand"] == {"id": evening.table.hand_id, "number": 1, "seq": evening.table.seq}
    assert rail["clock"]["seat"] == evening.table.to_act
    mine = api(evening.ann).get(f"/api/v1/tables/{evening.pk}").json()
    assert (mine["you"]["seat"], mine["you"]["name"], mine["wallet"]) == (1, "ann", 9500)
    assert [seat["you"] for seat in mine["seats"]] == [True, False]
    seats = api().get(f"/api/v1/tables/{evening.pk}/seats").json()
    assert [tuple(seat[of] for of in ("number", "name", "stack")) for seat in seats["taken"]] == [
        (1, "ann", 500), (2, "bob", 500)
    ]  # fmt: skip
    assert seats["free"] == [3, 4, 5, 6, 7, 8]
    assert api(evening.ann).patch("/api/v1/me/look", {"avatar": "07"}).json()["avatar"] == "07"
    first, second = api().get(f"/api/v1/tables/{evening.pk}").json()["seats"][:2]
    assert (first["avatar"], second["avatar"]) == ("/static/cardroom/avatars/07.svg", "")
    assert api(evening.ann).patch("/api/v1/me/look", {"avatar": "../07"}).status_code == 400


def test_sitting_out_works_with_and_without_a_slash_at_the_end(api, evening):
    assert api().get("/api/v1/tables/").json() == api().get("/api/v1/tables").json()
    client = api(evening.ann)
    assert client.post(f"/api/v1/tables/{evening.pk}/seats/sit-out/").json()["kind"] == "sat-out"
    assert client.post(f"/api/v1/tables/{evening.pk}/seats/sit-out").status_code == 409
    assert client.post(f"/api/v1/tables/{evening.pk}/seats/come-back").json()["kind"] == "came-back"
    for key in ("a b", "x" * 61, "é", "a\0"):
        answer = client.post(f"/api/v1/tables/{evening.pk}/seats/sit-out", HTTP_IDEMPOTENCY_KEY=key)
        assert problem(answer, 400)["code"] == "bad-key"


@pytest.mark.smoke
def test_the_first_free_seat_is_taken_once_and_chips_stop_at_the_maximum(api, open_table):
    table = open_table()
    table.sit("ann", 1), table.sit("bob", 3)
    moves, cec = SeatMove.objects.count(), table.player("cec")
    client = api(cec)
    move = twice(client, f"tables/{table.pk}/seats", {"buy_in": 400}, 201)
    assert SeatMove.objects.count() == moves + 1
    assert (move["table"], move["seat"], move["kind"], move["amount"]) == (table.pk, 2, "sat", 400)
    assert (table.stack(cec), table.wallet(cec)) == (400, 9600)
    (mine,) = client.get("/api/v1/me/seats").json()
    of_table = {"table": table.pk, "table_name": table.table.name, "is_physical": False}
    assert mine == of_table | {"number": 2, "state": "playing", "stack": 400}
    added = client.post(f"/api/v1/tables/{table.pk}/seats/top-up", {"amount": 700})
    assert (added.status_code, added.json()["kind"], table.stack(cec)) == (200, "topped-up", 1100)
    more = problem(client.post(f"/api/v1/tables/{table.pk}/seats/top-up", {"amount": 401}), 400)
    assert (more["code"], more["most"]) == ("top-up-range", 400)


def test_the_buy_in_asked_for_is_what_sitting_down_takes_also_from_who_comes_back(api, open_table):
    table = open_table()
    client, place = api(table.player("cec")), f"/api/v1/tables/{table.pk}"
    assert client.get(f"{place}/buy-in").json() == {"least": 300, "most": 1500, "rule": "", "last": None}
    client.post(f"{place}/seats", {"buy_in": 700})
    client.post(f"{place}/seats/leave")
    asked = client.get(f"{place}/buy-in").json()
    assert (asked["least"], asked["most"], "House Policies" in asked["rule"], asked["last"]) == (700, 1500, True, 700)
    assert client.post(f"{place}/seats", {"buy_in": asked["least"] - 1}).json()["code"] == "came-back-short"
    assert client.post(f"{place}/seats", {"buy_in": asked["least"]}).status_code == 201
    assert api().get(f"{place}/buy-in").status_code == 401
    assert client.get("/api/v1/tables/999/buy-in").status_code == 404


def test_in_the_room_a_stack_is_what_was_counted_wherever_it_is_shown(api, db):
    table = in_the_room()
    ann = table.player("ann")
    seating.seat(table_id=table.pk, player=ann, number=2, buy_in=450, by=staff("floor"), now=table.now)
    client = api(ann)
    view = client.get(f"/api/v1/tables/{table.pk}").json()
    taken = client.get(f"/api/v1/tables/{table.pk}/seats").json()["taken"]
    (mine,) = client.get("/api/v1/me/seats").json()
    assert (view["is_physical"], view["seats"][0]["stack"], taken[0]["stack"]) == (True, 450, 450)
    assert (mine["stack"], mine["is_physical"]) == (450, True)


def test_leaving_between_hands_is_at_once_and_during_one_after_it(api, open_table):
    table = open_table()
    ann, bob, cec = (table.sit(name) for name in ("ann", "bob", "cec"))
    left = json_of(api(cec).delete(f"/api/v1/tables/{table.pk}/seats"))
    assert (left["kind"], left["amount"], table.wallet(cec)) == ("left", 500, 10_000)
    table.deal()
    table.clock.move_to(table.now)
    client = api(ann)
    assert twice(client, f"tables/{table.pk}/seats/leave", {})["kind"] == "leaving"
    assert problem(client.post(f"/api/v1/tables/{table.pk}/seats/leave", {}), 409)["code"] == "already-leaving"
    assert client.post(f"/api/v1/tables/{table.pk}/seats/come-back", {}).json()["kind"] == "came-back"
    assert table.seat_of(bob).state == "playing"


def test_a_table_costs_the_same_however_many_sit_there(api, open_table, django_assert_num_queries):
    table = open_table()
    client = api(table.sit("ann"))
    for newcomers in ((), ("bob", "cec", "dee")):
        for name in newcomers:
            table.sit(name)
        with django_assert_num_queries(4):  # the token, the table, its seats, the wallet
            client.get(f"/api/v1/tables/{table.pk}")
    with django_assert_num_queries(2):
        client.get("/api/v1/me/seats")
