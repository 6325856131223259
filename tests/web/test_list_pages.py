"""Pages of waiting lists: joining, answering, the floor's work."""

import re

import pytest
from django.utils import timezone

from cardroom.models import LimitChange, Notice
from games.models import Invitation, ListEntry, Seat, Stay, Table
from games.services import lists
from tests.support.lists import ListRoom
from tests.support.worlds import world

pytestmark = pytest.mark.django_db


def _full_table() -> ListRoom:
    made = ListRoom()
    made.players = made.full()
    return made.ring()


room = world(_full_table)


def _as(client, user):
    client.force_login(user)
    return client


def test_a_player_joins_sees_his_place_and_leaves(client, room):
    ann = room.player("ann")
    room.join("zoe")
    page = f"/lists/{room.offer.pk}/"
    assert b"Log in to put your name" in client.get(page).content
    _as(client, ann).post(f"{page}join/", {"seats": ["2", "3"], "note": "by the window"})
    entry = ListEntry.objects.get(player=ann)
    assert entry.wishes == {"seats": [2, 3], "note": "by the window"}
    assert b"You are number 2" in client.get(page).content
    assert b"seat 2 or 3" in client.get("/me/lists/").content
    assert client.get(f"/me/lists/{entry.pk}/").status_code == 200
    assert client.post(f"/me/lists/{entry.pk}/leave/").status_code == 302
    assert room.state(entry) == "left"


def test_the_banner_has_the_call_with_its_answers_and_takes_him_to_the_seat(client, room):
    ann = room.join("ann")
    room.leave(room.players[1])
    room.ring()
    shown = _as(client, ann.player).get("/me/calls/").content.decode()
    assert "Your seat is ready" in shown
    assert f"/me/lists/{ann.pk}/more-time/" in shown
    htmx = {"HTTP_HX_REQUEST": "true"}
    ListEntry.objects.filter(pk=ann.pk).update(call_until=timezone.now() + timezone.timedelta(minutes=4))
    assert client.post(f"/me/lists/{ann.pk}/coming/", **htmx).status_code == 204
    answer = client.post(f"/me/lists/{ann.pk}/seat/", {"buy_in": 500}, **htmx)
    assert answer["HX-Redirect"] == f"/tables/{room.table.pk}/"
    assert Seat.objects.filter(player=ann.player, table=room.table).exists()


def test_a_notice_is_put_away_by_him_and_nobody_else(client, room):
    from cardroom.services import notices

    ann, bob = room.player("ann"), room.player("bob")
    told = notices.tell(player=ann, kind="test", text="Something happened.", now=room.now)
    assert b"Something happened." in _as(client, ann).get("/me/calls/").content
    assert _as(client, bob).post(f"/me/notices/{told.pk}/read/").status_code == 404
    _as(client, ann).post(f"/me/notices/{told.pk}/read/")
    assert Notice.objects.get().read_at is not None
    client.logout()
    assert client.get("/me/calls/").content == b""


def test_the_floor_sees_whose_turn_it_is_and_why_and_calls_him(client, db):
    room = ListRoom(is_physical=True)
    ann = room.join("ann")
    page = _as(client, room.floor).get("/floor/lists/").content.decode()
    assert "on the list since" in page
    call = f"/floor/lists/tables/{room.table.pk}/call-next/"
    assert client.post(call, {"player": ann.player_id, "number": 1}, HTTP_HX_REQUEST="true").status_code == 204
    assert room.state(ann) == "called"
    panel = client.get(f"/floor/lists/{ann.pk}/", HTTP_HX_REQUEST="true").content.decode()
    assert "What happened" in panel
    assert client.get(f"/floor/lists/{ann.pk}/").status_code == 200
    seat = {"buy_in": 400}
    answer = client.post(f"/floor/lists/{ann.pk}/seat/", seat, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="list-panel")
    assert answer.status_code == 200
    assert room.seat_of(ann.player) == (room.table.pk, 1)


def test_the_floor_adds_members_and_telephone_names(client, room):
    bob = room.player("bob")
    client = _as(client, room.floor)
    found = client.get("/floor/lists/find/?name=bob").content.decode()
    assert f'value="{bob.pk}"' in found
    wishes = {"seats": ["1"], "tables": [room.table.pk], "note": "by the door", "accessible": "1"}
    said = {"seats": [1], "tables": [room.table.pk], "note": "by the door", "accessible": True}
    called_in = {"phone": "600 102 030"}
    for more in ({"player": bob.pk}, {"name": "Ana Ruiz"} | called_in, {"player": room.player("cid").pk} | called_in):
        client.post("/floor/lists/add/", {"offer": room.offer.pk} | wishes | more)
    entries = ListEntry.objects.order_by("pk")
    assert [entry.source for entry in entries] == ["desk", "phone", "phone"]
    assert [entry.wishes for entry in entries] == [said, *[said | {"phone": "600102030"}] * 2]
    assert f"seat 1, a seat at {room.table.name}, an accessible seat" in client.get("/floor/lists/").content.decode()
    other = ListRoom().table.pk
    strange = {"offer": room.offer.pk, "name": "Bo Ek", "tables": [other]}
    assert client.post("/floor/lists/add/", strange).status_code == 400
    assert client.post("/floor/lists/add/", {"offer": room.offer.pk}).status_code == 400
    assert client.get("/floor/lists/side/").status_code == 200


def _keys(page: str) -> list[str]:
    return re.findall(r'name="key"[^>]* value="([^"]+)"', page)


def test_a_form_sent_twice_is_done_once_and_answered_the_same(client, room):
    ann = room.player("ann")
    page = f"/lists/{room.offer.pk}/"
    order = {"key": _keys(_as(client, ann).get(page).content.decode())[0], "seats": ["2"]}
    assert [client.post(f"{page}join/", order).status_code for _ in range(2)] == [302, 302]
    entry = ListEntry.objects.get()
    order = {"key": _keys(client.get("/me/lists/").content.decode())[0]}
    assert [client.post(f"/me/lists/{entry.pk}/leave/", order).status_code for _ in range(2)] == [302, 302]

    client, htmx = _as(client, room.floor), {"HTTP_HX_REQUEST": "true"}
    key = _keys(client.get("/floor/lists/").content.decode())[0]
    add = {"offer": room.offer.pk, "player": ann.pk, "key": key}
    added = [client.post("/floor/lists/add/", add, **htmx) for _ in range(2)]
    assert [each.status_code for each in added] == [200, 200]
    assert key not in _keys(added[0].content.decode())  # the form that stays has a new one for the next name
    entry = ListEntry.objects.get(state="waiting")
    panel = _keys(client.get(f"/floor/lists/{entry.pk}/", **htmx).content.decode())
    assert len(panel) == len(set(panel)) == 5
    off = {"reason": "went home", "key": panel[-1]}
    assert [client.post(f"/floor/lists/{entry.pk}/off/", off).status_code for _ in range(2)] == [302, 302]


def test_a_suggestion_clicked_twice_calls_once(client, db):
    room = ListRoom(is_physical=True)
    ann, bob = room.join("ann"), room.join("bob")
    client = _as(client, room.floor)
    order = {"key": _keys(client.get("/floor/lists/side/").content.decode())[0], "player": ann.player_id, "number": 1}
    path = f"/floor/lists/tables/{room.table.pk}/call-next/"
    assert [client.post(path, order, HTTP_HX_REQUEST="true").status_code for _ in range(2)] == [204, 204]
    assert (room.state(ann), room.state(bob)) == ("called", "waiting")
    assert "data-until" in client.get("/floor/lists/side/").content.decode()


def test_the_pages_of_one_name_are_drawn_anew_when_something_moves(client, room):
    ann = room.join("ann")
    for user, address in ((ann.player, f"/me/lists/{ann.pk}/"), (room.floor, f"/floor/lists/{ann.pk}/")):
        assert f'hx-get="{address}"' in _as(client, user).get(address).content.decode()
        part = client.get(address, HTTP_HX_REQUEST="true").content.decode()
        assert "Joined" in part
        assert "<html" not in part


def test_a_call_out_of_turn_without_a_reason_is_refused_with_the_rule(client, db):
    room = ListRoom(is_physical=True)
    room.join("ann")
    bob = room.join("bob")
    client = _as(client, room.floor)
    refused = client.post(f"/floor/lists/{bob.pk}/call/", {}, HTTP_HX_REQUEST="true")
    assert refused.status_code == 422
    assert "turn of ann" in refused.content.decode()
    for verb, data in (
        ("call", {"reason": "ann is out"}), ("more-time", {}), ("coming", {}),
        ("pass", {"reason": "left the room", "to": "stay"}), ("off", {"reason": "went home"}),
    ):  # fmt: skip
        if verb in ("more-time", "coming"):
            ListEntry.objects.filter(pk=bob.pk).update(call_until=timezone.now() + timezone.timedelta(minutes=4))
        assert client.post(f"/floor/lists/{bob.pk}/{verb}/", data).status_code == 302, verb
    assert room.state(bob) == "passed"
    assert client.post(f"/floor/lists/{bob.pk}/dance/").status_code == 404


def test_the_pages_of_the_floor_take_few_queries_however_many_tables(client, django_assert_max_num_queries, room):
    elsewhere, now = ListRoom(seat_count=8), timezone.now()
    limit = {"kind": "time-day", "asked_at": now, "counts_from": now}
    for _ in range(6):
        other = ListRoom(is_physical=True, count_tables=3)
        wishes, private = {"tables": [table.pk for table in other.tables]}, other.tables[2]
        people = [other.join(f"name{ListEntry.objects.count()}", wishes=wishes).player for _ in range(3)]
        elsewhere.sit(people[0])
        for player, minutes in zip(people, (30, 600, 700), strict=True):
            LimitChange.objects.create(player=player, amount=minutes, **limit)
            Invitation.objects.create(table=private, player=player, at=now)
        Table.objects.filter(pk=private.pk).update(is_private=True)
    Stay.objects.update(sat_at=now - timezone.timedelta(hours=1))
    client = _as(client, room.floor)
    client.get("/floor/lists/")
    with django_assert_max_num_queries(14):
        page = client.get("/floor/lists/").content.decode()
    assert page.count("data-call-next") == 18
    assert private.name in page
    assert not re.search(rf'name="player" value="{people[0].pk}"', page)  # his own limit is reached
    assert re.search(rf'name="player" value="{people[1].pk}"', page)


def test_what_the_public_sees_says_nothing_of_who_was_passed_over(client, room):
    ann, bob = room.join("ann", wishes={"seats": [4]}), room.join("bob")
    room.leave(room.players[0])
    room.ring()
    shown = _as(client, bob.player).get(f"/me/lists/{bob.pk}/").content.decode()
    assert "passed over" not in shown
    assert "wants seat 4" in _as(client, room.floor).get(f"/floor/lists/{bob.pk}/").content.decode()
    assert _as(client, bob.player).get(f"/me/lists/{ann.pk}/").status_code == 404
    assert lists.next_for(room.table, now=room.now) is None
