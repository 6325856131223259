"""Waiting lists through the API."""

import pytest

from cardroom.services import access, notices
from games.models import ListEntry
from tests.support.lists import ListRoom
from tests.support.worlds import world

pytestmark = pytest.mark.django_db


def _an_empty_table() -> ListRoom:
    return ListRoom(is_physical=True)


room = world(_an_empty_table)


def _post(client, user, path, data=None, key=None):
    client.force_login(user)
    headers = {"HTTP_IDEMPOTENCY_KEY": key} if key else {}
    return client.post(f"/api/v1/{path}", data or {}, content_type="application/json", **headers)


def _get(client, user, path):
    client.force_login(user)
    return client.get(f"/api/v1/{path}")


def test_a_program_joins_looks_and_leaves_and_repeats_change_nothing(client, room):
    ann = room.player("ann")
    order = {"wishes": {"seats": [1, 2], "note": "slow walker"}}
    joined = _post(client, ann, f"lists/{room.offer.pk}", order, key="j")
    assert joined.status_code == 201, joined.content
    again = _post(client, ann, f"lists/{room.offer.pk}", order, key="j")
    assert again.json() == joined.json()
    assert _post(client, ann, f"lists/{room.offer.pk}", {}, key="j").status_code == 409
    assert _get(client, ann, f"lists/{room.offer.pk}").json()["names"][0]["wishes"] == "seat 1 or 2"
    assert [row["place"] for row in _get(client, ann, "me/lists").json()] == [1]
    entry = joined.json()["row"]["id"]
    assert _post(client, ann, f"list-entries/{entry}/leave").json()["row"]["state"] == "left"
    assert _get(client, ann, f"list-entries/{entry}").json()["moves"][-1]["verb"] == "left"
    client.logout()
    assert client.get("/api/v1/lists").status_code == 200


def test_the_floor_asks_whose_turn_it_is_and_calls_seats_and_passes(client, room):
    ann, bob = room.join("ann"), room.join("bob")
    told = _get(client, room.floor, f"tables/{room.table.pk}/next").json()["next"]
    assert (told["player"], told["rule"]) == (ann.player_id, "list")
    assert told["cite"]
    stale = _post(client, room.floor, f"tables/{room.table.pk}/next", {"player": bob.player_id})
    assert stale.status_code == 409
    called = _post(client, room.floor, f"tables/{room.table.pk}/next", {"player": ann.player_id}, key="c")
    assert called.json()["row"]["state"] == "called"
    refused = _post(client, room.floor, f"list-entries/{ann.pk}/call")
    assert refused.status_code == 409
    seated = _post(client, room.floor, f"list-entries/{ann.pk}/seat", {"buy_in": 400})
    assert seated.json()["row"]["state"] == "seated", seated.content
    passed = _post(client, room.floor, f"list-entries/{bob.pk}/pass-over", {"reason": "not here", "to": "off"})
    assert passed.json()["row"]["state"] == "passed"
    order = {"phone": "600 10 20 30", "wishes": {"seats": [3]}}
    for who in ({"name": "Ana Ruiz"}, {"player": room.player("cid").pk}):
        names = _post(client, room.floor, f"lists/{room.offer.pk}/names", order | who)
        assert (names.status_code, names.json()["row"]["source"]) == (201, "phone")
        assert ListEntry.objects.latest("pk").wishes == {"seats": [3], "phone": "600102030"}
    assert _post(client, room.floor, f"lists/{room.offer.pk}/names", {}).status_code == 400
    assert _post(client, bob.player, f"lists/{room.offer.pk}/names", {"name": "x y"}).status_code == 403
    assert _get(client, bob.player, f"tables/{room.table.pk}/next").status_code == 403


def test_a_called_player_answers_and_reads_what_he_was_told(client, room):
    ann = room.join("ann")
    _post(client, room.floor, f"tables/{room.table.pk}/next", {})
    bad = _post(client, ann.player, f"list-entries/{ann.pk}/answer", {"reply": "maybe"})
    assert bad.status_code == 400
    coming = _post(client, ann.player, f"list-entries/{ann.pk}/answer", {"reply": "coming"})
    assert coming.json()["row"]["state"] == "coming", coming.content
    told = _get(client, ann.player, "me/messages").json()["results"]
    assert told[0]["kind"] == "called"
    read = _post(client, ann.player, f"me/messages/{told[0]['id']}/read")
    assert read.json()["read_at"]
    other = notices.tell(player=room.floor, kind="test", text="Not yours.", now=room.now)
    assert _post(client, ann.player, f"me/messages/{other.pk}/read").status_code == 404
    gone = _post(client, ann.player, f"list-entries/{ann.pk}/answer", {"reply": "cancel"})
    assert gone.json()["row"]["state"] == "left"
    assert ListEntry.objects.get().state == "left"


def test_a_name_goes_to_another_list(client, room):
    other, ann = ListRoom(), room.join("ann")
    moved = _post(client, ann.player, f"list-entries/{ann.pk}/transfer", {"offer": other.offer.pk})
    assert (moved.json()["row"]["offer"], moved.json()["row"]["source"]) == (other.offer.pk, "transfer")


def test_a_floors_token_to_play_is_for_his_own_name_alone(api, room):
    ann, own = room.join("ann"), room.join("flo")
    access.grant_role(user=own.player, role="floor", by=None)
    to_play = api(own.player, "read", "play")
    refused = to_play.post(f"/api/v1/list-entries/{ann.pk}/leave", {"reason": "he went home"})
    assert (refused.status_code, ListEntry.objects.get(pk=ann.pk).state) == (403, "waiting")
    assert "'direct'" in refused.json()["detail"]
    assert to_play.post(f"/api/v1/list-entries/{own.pk}/leave", {}).status_code == 200
