"""Tables and seats: what is listed, who sits, and what sitting down, adding chips and leaving come to."""

import pytest

from games.play import opening, seating
from tests.support.evening import in_the_room
from tests.support.models import SeatMove, User
from tests.support.offers import staff
from tests.support.pages import json_of
from tests.web.api.conftest import problem

BIGGER = opening.Stakes(ante=5, bring_in=20, small_bet=60, big_bet=120)


def names(answer):
    assert answer.status_code == 200, answer.content
    return [row["name"] for row in answer.json()]


def test_everybody_may_see_the_tables(api, open_table):
    table = open_table(name="Small")
    table.sit("ann")
    (row,) = api().get("/api/v1/tables").json()
    assert (row["id"], row["name"], row["stakes"], row["seat_count"]) == (table.pk, "Small", "15/30", 8)
    assert (row["people"], row["bots"], row["is_full"], row["is_playing"]) == (1, 0, False, False)


def test_tables_are_chosen_by_what_they_are(api, open_table):
    open_table(name="Small", seat_count=2).sit("ann")
    full = open_table(name="Full", seat_count=2)
    full.sit("bob"), full.sit("cec")
    open_table(name="Big", stakes=BIGGER, min_buy_in=2000, max_buy_in=6000)
    client = api()
    assert names(client.get("/api/v1/tables")) == ["Full", "Small", "Big"]
    assert names(client.get("/api/v1/tables?least_small_bet=16")) == ["Big"]
    assert names(client.get("/api/v1/tables?most_small_bet=15")) == ["Full", "Small"]
    assert names(client.get("/api/v1/tables?buy_in=2000")) == ["Big"]
    assert names(client.get("/api/v1/tables?has_free_seat=true")) == ["Small", "Big"]
    assert names(client.get("/api/v1/tables?has_free_seat=false")) == ["Full"]
    assert names(client.get("/api/v1/tables?has_people=false")) == ["Big"]
    assert names(client.get("/api/v1/tables?game=seven-card-stud&structure=fixed-limit")) == ["Full", "Small", "Big"]
    assert names(client.get("/api/v1/tables?game=razz")) == []


def test_a_table_shows_the_rail_no_wallet_and_a_player_his_seat_and_the_seats_taken_or_free(api, evening):
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


def test_the_picture_that_a_player_chose_is_seen_by_everybody_who_looks_at_the_table(api, evening):
    assert api(evening.ann).patch("/api/v1/me/look", {"avatar": "07"}).json()["avatar"] == "07"
    first, second = api().get(f"/api/v1/tables/{evening.pk}").json()["seats"][:2]
    assert (first["avatar"], second["avatar"]) == ("/static/cardroom/avatars/07.svg", "")
    assert api(evening.ann).patch("/api/v1/me/look", {"avatar": "../07"}).status_code == 400


def test_sitting_out_and_coming_back_with_a_slash_at_the_end_or_without_but_not_with_a_key_that_is_none(api, evening):
    assert api().get("/api/v1/tables/").json() == api().get("/api/v1/tables").json()
    client = api(evening.ann)
    assert client.post(f"/api/v1/tables/{evening.pk}/seats/sit-out/").json()["kind"] == "sat-out"
    assert client.post(f"/api/v1/tables/{evening.pk}/seats/sit-out").status_code == 409
    assert client.post(f"/api/v1/tables/{evening.pk}/seats/come-back").json()["kind"] == "came-back"
    for key in ("a b", "x" * 61, "é", "a\0"):
        answer = client.post(f"/api/v1/tables/{evening.pk}/seats/sit-out", HTTP_IDEMPOTENCY_KEY=key)
        assert problem(answer, 400)["code"] == "bad-key"


@pytest.mark.smoke
def test_sitting_down_moves_the_buy_in_from_wallet_to_stack_and_chips_are_added_up_to_the_tables_most(api, open_table):
    table = open_table()
    cec = table.player("cec")
    client = api(cec)
    move = json_of(client.post(f"/api/v1/tables/{table.pk}/seats", {"seat": 3, "buy_in": 400}), 201)
    assert (move["table"], move["seat"], move["kind"], move["amount"]) == (table.pk, 3, "sat", 400)
    assert (table.stack(cec), table.wallet(cec)) == (400, 9600)
    (mine,) = client.get("/api/v1/me/seats").json()
    of_table = {"table": table.pk, "table_name": table.table.name, "is_physical": False}
    assert mine == of_table | {"number": 3, "state": "playing", "stack": 400}
    added = client.post(f"/api/v1/tables/{table.pk}/seats/top-up", {"amount": 700})
    assert (added.status_code, added.json()["kind"], table.stack(cec)) == (200, "topped-up", 1100)
    more = client.post(f"/api/v1/tables/{table.pk}/seats/top-up", {"amount": 401})
    assert (more.status_code, more.json()["code"], more.json()["most"]) == (400, "top-up-range", 400)


def test_the_buy_in_asked_for_is_what_sitting_down_takes_also_from_who_comes_back(api, open_table):
    table = open_table(min_buy_in=300, max_buy_in=1500)
    cec = table.player("cec")
    client, place = api(cec), f"/api/v1/tables/{table.pk}"
    assert client.get(f"{place}/buy-in").json() == {"least": 300, "most": 1500, "rule": ""}
    client.post(f"{place}/seats", {"buy_in": 700})
    client.post(f"{place}/seats/leave")
    asked = client.get(f"{place}/buy-in").json()
    assert (asked["least"], asked["most"]) == (700, 1500)
    assert "House Policies" in asked["rule"]
    assert client.post(f"{place}/seats", {"buy_in": asked["least"] - 1}).json()["code"] == "came-back-short"
    assert client.post(f"{place}/seats", {"buy_in": asked["least"]}).status_code == 201
    assert api().get(f"{place}/buy-in").status_code == 401
    assert client.get("/api/v1/tables/999/buy-in").status_code == 404


def test_in_the_room_a_stack_is_what_was_counted_wherever_it_is_shown(api, db):
    table = in_the_room()
    ann, floor = table.player("ann"), staff("floor")
    seating.seat(table_id=table.pk, player=ann, number=2, buy_in=450, by=floor, now=table.now)
    client = api(ann)
    view = client.get(f"/api/v1/tables/{table.pk}").json()
    taken = client.get(f"/api/v1/tables/{table.pk}/seats").json()["taken"]
    (mine,) = client.get("/api/v1/me/seats").json()
    assert (view["is_physical"], view["seats"][0]["stack"], taken[0]["stack"]) == (True, 450, 450)
    assert (mine["stack"], mine["is_physical"]) == (450, True)


def test_without_a_seat_it_is_the_first_free_one_and_the_same_key_sits_down_once(api, open_table):
    table = open_table()
    table.sit("ann", 1), table.sit("bob", 3)
    moves, cec = SeatMove.objects.count(), table.player("cec")
    client = api(cec)
    answers = [
        client.post(f"/api/v1/tables/{table.pk}/seats", {"buy_in": 400}, HTTP_IDEMPOTENCY_KEY="k-1") for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert (answers[0].json()["seat"], table.wallet(cec)) == (2, 9600)
    assert SeatMove.objects.count() == moves + 1


def test_leaving_between_hands_is_at_once_and_during_one_after_it(api, open_table):
    table = open_table()
    ann, bob = table.sit("ann"), table.sit("bob")
    cec = table.sit("cec")
    left = api(cec).delete(f"/api/v1/tables/{table.pk}/seats")
    assert (left.status_code, left.json()["kind"], left.json()["amount"]) == (200, "left", 500)
    assert table.wallet(cec) == 10_000
    table.deal()
    table.clock.move_to(table.now)
    client = api(ann)
    answers = [client.post(f"/api/v1/tables/{table.pk}/seats/leave", {}, HTTP_IDEMPOTENCY_KEY="bye") for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["kind"] == "leaving"
    assert problem(client.post(f"/api/v1/tables/{table.pk}/seats/leave", {}), 409)["code"] == "already-leaving"
    assert client.post(f"/api/v1/tables/{table.pk}/seats/come-back", {}).json()["kind"] == "came-back"
    assert table.seat_of(bob).state == "playing"


def test_a_table_costs_the_same_however_many_sit_there(api, open_table, django_assert_num_queries):
    table = open_table()
    client = api(table.sit("ann"))
    for number in range(2):
        with django_assert_num_queries(4):  # the token, the table, its seats, the wallet
            client.get(f"/api/v1/tables/{table.pk}")
        if not number:
            for name in ("bob", "cec", "dee"):
                table.sit(name)
    with django_assert_num_queries(2):
        client.get("/api/v1/me/seats")
    assert User.objects.count() == 4
