"""Pages of waiting lists: joining, answering, the floor's work, the kiosk."""

import pytest

from cardroom.models import Notice
from games.models import ListEntry, Seat
from games.services import lists
from tests.support.lists import ListRoom

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def room(db) -> ListRoom:
    made = ListRoom()
    made.players = made.full()
    return made.ring()


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
    from django.utils import timezone

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
    client.post("/floor/lists/add/", {"offer": room.offer.pk, "player": bob.pk, "seats": ["1"], "accessible": "1"})
    client.post("/floor/lists/add/", {"offer": room.offer.pk, "name": "Ana Ruiz", "phone": "600 102 030"})
    sources = list(ListEntry.objects.order_by("pk").values_list("source", flat=True))
    assert sources == ["desk", "phone"]
    assert client.post("/floor/lists/add/", {"offer": room.offer.pk}).status_code == 400
    assert client.get("/floor/lists/side/").status_code == 200


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
            from django.utils import timezone

            ListEntry.objects.filter(pk=bob.pk).update(call_until=timezone.now() + timezone.timedelta(minutes=4))
        assert client.post(f"/floor/lists/{bob.pk}/{verb}/", data).status_code == 302, verb
    assert room.state(bob) == "passed"
    assert client.post(f"/floor/lists/{bob.pk}/dance/").status_code == 404


def test_a_kiosk_is_opened_by_the_floor_has_no_rights_of_his_and_takes_names(client, room):
    from cardroom.services import cards, people

    member = people.make_player(name="memo", password="river-42-stones", now=room.now)
    cards.register(player=member, name="Memo Member", by=room.floor, now=room.now)
    assert client.get("/kiosk/").status_code == 403
    assert client.post("/kiosk/join/", {"offer": room.offer.pk, "who": "x y"}).status_code == 403
    _as(client, room.floor).post("/kiosk/open/")
    assert b"Put your name on a list" in client.get("/kiosk/").content
    assert client.get("/floor/lists/").status_code == 302  # to the log-in page
    client.post("/kiosk/join/", {"offer": room.offer.pk, "who": "Ana Ruiz"})
    assert client.post("/kiosk/join/", {"offer": room.offer.pk, "who": "memo"}).status_code == 403
    client.post("/kiosk/join/", {"offer": room.offer.pk, "who": cards.number_of(member)})
    names = [entry.player.username for entry in ListEntry.objects.order_by("pk")]
    assert names == ["Ana.Ruiz", "memo"]
    assert set(ListEntry.objects.values_list("source", flat=True)) == {"kiosk"}
    client.post("/kiosk/close/")
    assert client.get("/kiosk/").status_code == 403


def test_the_pages_of_the_floor_take_few_queries_however_many_tables(client, django_assert_max_num_queries, room):
    for _ in range(6):
        other = ListRoom(is_physical=True, count_tables=3)
        for _ in range(3):
            other.join(f"name{ListEntry.objects.count()}")
    client = _as(client, room.floor)
    client.get("/floor/lists/")
    with django_assert_max_num_queries(15):
        page = client.get("/floor/lists/").content.decode()
    assert page.count("data-call-next") == 18


def test_what_the_public_sees_says_nothing_of_who_was_passed_over(client, room):
    ann, bob = room.join("ann", wishes={"seats": [4]}), room.join("bob")
    room.leave(room.players[0])
    room.ring()
    shown = _as(client, bob.player).get(f"/me/lists/{bob.pk}/").content.decode()
    assert "passed over" not in shown
    assert "wants seat 4" in _as(client, room.floor).get(f"/floor/lists/{bob.pk}/").content.decode()
    assert _as(client, bob.player).get(f"/me/lists/{ann.pk}/").status_code == 404
    assert lists.next_for(room.table, now=room.now) is None
