"""Waiting lists by pages, by programs and by the link of a call: joining, answering, the floor's work."""

import html
import re
from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from cardroom.accounts import outbox
from cardroom.core import access, notices
from games.tables import holds
from games.waitlists import calling as calls
from games.waitlists import choosing
from tests.support.lists import ListRoom, full_room
from tests.support.models import Invitation, LimitChange, ListEntry, Notice, Seat, Stay, Table, User
from tests.support.pages import assert_hides, assert_shows, get, html_of, json_of
from tests.support.unguarded import unguarded
from tests.support.worlds import world
from tests.web.api.conftest import secret_of
from tests.web.conftest import NOW

HTMX = {"HX-Request": "true"}


room = world(full_room)


@world
def empty_room() -> ListRoom:
    """A table of the room in which nobody sits."""
    return ListRoom(is_physical=True)


def _post(browser, path, data=None, key=None):
    headers = {"Idempotency-Key": key} if key else {}
    return browser.post(f"/api/v1/{path}", data or {}, content_type="application/json", headers=headers)


def _keys(page: str) -> list[str]:
    return re.findall(r'name="key"[^>]* value="([^"]+)"', page)


def _twice(client, path, order, **headers) -> list[int]:
    """How a form that is sent twice is answered."""
    return [client.post(path, order, headers=headers).status_code for _ in range(2)]


def test_a_player_joins_sees_their_place_and_leaves_once_by_repeated_forms(browse, room):
    ann = room.player("ann")
    client = browse(ann)
    room.join("zoe")
    page = f"/lists/{room.offer.pk}/"
    assert_shows(get(browse(), page), "Log in to join the list")
    key = _keys(get(client, page))[0]
    assert _twice(client, f"{page}join/", {"key": key, "seats": ["2", "3"], "note": "by the window"}) == [302, 302]
    entry = ListEntry.objects.get(player=ann)
    assert entry.wishes == {"seats": [2, 3], "note": "by the window"}
    assert_shows(get(client, page), "You are number 2")
    shown = get(client, "/me/lists/")
    assert_shows(shown, "seat 2 or 3")
    get(client, f"/me/lists/{entry.pk}/")
    assert _twice(client, f"/me/lists/{entry.pk}/leave/", {"key": _keys(shown)[0]}) == [302, 302]
    assert room.state(entry) == "left"


def test_a_notice_is_put_away_by_whom_it_is_for_and_a_call_answered_in_the_banner(browse, room):
    ann, bob = room.player("ann"), room.player("bob")
    told = notices.tell(player=ann, kind="test", text="Something happened.", now=room.now)
    assert_shows(get(browse(ann), "/me/calls/"), "Something happened.")
    assert browse(bob).post(f"/me/notices/{told.pk}/read/").status_code == 404
    browse(ann).post(f"/me/notices/{told.pk}/read/")
    assert Notice.objects.get().read_at is not None
    assert get(browse(), "/me/calls/") == ""
    eve = room.join("eve")
    client = browse(eve.player)
    room.leave(room.players[1]).ring()
    assert_shows(get(client, "/me/calls/"), "Your seat is ready", f"/me/lists/{eve.pk}/more-time/")
    ListEntry.objects.filter(pk=eve.pk).update(call_until=timezone.now() + timedelta(minutes=4))
    assert client.post(f"/me/lists/{eve.pk}/coming/", headers=HTMX).status_code == 204
    answer = client.post(f"/me/lists/{eve.pk}/seat/", {"buy_in": 500}, headers=HTMX)
    assert answer["HX-Redirect"] == f"/tables/{room.table.pk}/"
    assert Seat.objects.filter(player=eve.player, table=room.table).exists()


def test_the_floor_sees_whose_turn_it_is_and_calls_once_by_two_clicks(browse, empty_room):
    ann, bob, client = empty_room.join("ann"), empty_room.join("bob"), browse(empty_room.floor)
    assert_shows(get(client, "/floor/lists/"), "on the list since")
    call = f"/floor/lists/tables/{empty_room.table.pk}/call-next/"
    order = {"key": _keys(get(client, "/floor/lists/side/"))[0], "player": ann.player_id, "number": 1}
    assert _twice(client, call, order, **HTMX) == [204, 204]
    assert (empty_room.state(ann), empty_room.state(bob)) == ("called", "waiting")
    assert_shows(get(client, "/floor/lists/side/"), "data-until")
    assert_shows(html_of(client.get(f"/floor/lists/{ann.pk}/", headers=HTMX)), "History")
    get(client, f"/floor/lists/{ann.pk}/")
    panel = HTMX | {"HX-Target": "list-panel"}
    assert client.post(f"/floor/lists/{ann.pk}/seat/", {"buy_in": 400}, headers=panel).status_code == 200
    assert empty_room.seat_of(ann.player) == (empty_room.table.pk, 1)
    dan = empty_room.join("dan")
    assert_shows(html_of(client.post(f"/floor/lists/{dan.pk}/call/", {}, headers=HTMX), 422), "turn of bob")
    for verb, data in (
        ("call", {"reason": "bob is out"}), ("more-time", {}), ("coming", {}),
        ("pass", {"reason": "left the room", "to": "stay"}), ("off", {"reason": "went home"}),
    ):  # fmt: skip
        if verb in ("more-time", "coming"):
            ListEntry.objects.filter(pk=dan.pk).update(call_until=timezone.now() + timedelta(minutes=4))
        assert client.post(f"/floor/lists/{dan.pk}/{verb}/", data).status_code == 302, verb
    assert empty_room.state(dan) == "passed"


def test_the_floor_adds_members_and_telephone_names_each_once_and_takes_them_off(browse):
    room = ListRoom(is_physical=True)
    bob, client = room.player("bob"), browse(room.floor)
    assert_shows(get(client, "/floor/lists/find/?name=bob"), f'value="{bob.pk}"')
    wishes = {"seats": ["1"], "tables": [room.table.pk], "note": "by the door", "accessible": "1"}
    said = {"seats": [1], "tables": [room.table.pk], "note": "by the door", "accessible": True}
    called_in = {"phone": "600 102 030"}
    for more in ({"player": bob.pk}, {"name": "Ana Ruiz"} | called_in, {"player": room.player("cid").pk} | called_in):
        client.post("/floor/lists/add/", {"offer_id": room.offer.pk} | wishes | more)
    entries = ListEntry.objects.order_by("pk")
    assert [entry.source for entry in entries] == ["desk", "phone", "phone"]
    assert [entry.wishes for entry in entries] == [said, *[said | {"phone": "600102030"}] * 2]
    shown = get(client, "/floor/lists/")
    assert_shows(shown, f"seat 1, a seat at {room.table.name}, an accessible seat")
    for strange in ({"name": "Bo Ek", "tables": [ListRoom().table.pk]}, {}):
        assert client.post("/floor/lists/add/", {"offer_id": room.offer.pk} | strange).status_code == 400

    add = {"offer_id": room.offer.pk, "player": room.player("dee").pk, "key": _keys(shown)[0]}
    added = [html_of(client.post("/floor/lists/add/", add, headers=HTMX)) for _ in range(2)]
    assert add["key"] not in _keys(added[0]), "the form that stays has a new one for the next name"
    entry = ListEntry.objects.get(player__username="dee")
    panel = _keys(html_of(client.get(f"/floor/lists/{entry.pk}/", headers=HTMX)))
    assert len(panel) == len(set(panel)) == 5
    assert _twice(client, f"/floor/lists/{entry.pk}/off/", {"reason": "went home", "key": panel[-1]}) == [302, 302]


def test_the_pages_of_the_floor_take_few_queries_however_many_tables(
    browse, django_assert_max_num_queries, room, time_machine
):
    elsewhere, now = ListRoom(seat_count=8), room.now
    time_machine.move_to(now, tick=False)  # far from midnight: minutes of play count by the day
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
    with unguarded():
        Stay.objects.update(sat_at=now - timedelta(hours=1))
    client = browse(room.floor)
    get(client, "/floor/lists/")
    with django_assert_max_num_queries(14):
        page = get(client, "/floor/lists/")
    assert page.count("data-call-next") == 18
    assert_shows(page, private.name, f'name="player" value="{people[1].pk}"')
    assert_hides(page, f'name="player" value="{people[0].pk}"')  # their own limit is reached


def test_public_list_pages_hide_players_who_were_passed_over(browse, room):
    ann, bob = room.join("ann", wishes={"seats": [4]}), room.join("bob")
    room.leave(room.players[0]).ring()
    assert_hides(get(browse(bob.player), f"/me/lists/{bob.pk}/"), "passed over")
    assert_shows(get(browse(room.floor), f"/floor/lists/{bob.pk}/"), "wants seat 4")
    get(browse(bob.player), f"/me/lists/{ann.pk}/", 404)
    assert choosing.next_for(room.table, now=room.now) is None
    for user, address in ((ann.player, f"/me/lists/{ann.pk}/"), (room.floor, f"/floor/lists/{ann.pk}/")):
        assert_shows(get(browse(user), address), f'hx-get="{address}"')
        assert_shows(html_of(browse(user).get(address, headers=HTMX)), "Joined", but=["<html"])


def test_a_program_joins_and_leaves_lists_and_answers_a_call(browse, empty_room):
    room, ann = empty_room, browse(empty_room.player("ann"))
    order = {"wishes": {"seats": [1, 2], "note": "slow walker"}}
    entry = json_of(_post(ann, f"lists/{room.offer.pk}", order), 201)["row"]["id"]
    assert ann.get(f"/api/v1/lists/{room.offer.pk}").json()["names"][0]["wishes"] == "seat 1 or 2"
    assert [row["place"] for row in ann.get("/api/v1/me/lists").json()] == [1]
    assert _post(ann, f"list-entries/{entry}/leave").json()["row"]["state"] == "left"
    assert ann.get(f"/api/v1/list-entries/{entry}").json()["moves"][-1]["verb"] == "left"
    other, bea = ListRoom(), room.join("bea")
    moved = _post(browse(bea.player), f"list-entries/{bea.pk}/transfer", {"offer": other.offer.pk}).json()["row"]
    assert (moved["offer"], moved["source"]) == (other.offer.pk, "transfer")

    cec = room.join("cec")
    client = browse(cec.player)
    _post(browse(room.floor), f"tables/{room.table.pk}/next", {})
    answer = f"list-entries/{cec.pk}/answer"
    assert _post(client, answer, {"reply": "maybe"}).status_code == 400
    assert json_of(_post(client, answer, {"reply": "coming"}))["row"]["state"] == "coming"
    told, *_ = client.get("/api/v1/me/messages").json()["results"]
    assert told["kind"] == "called"
    assert _post(client, f"me/messages/{told['id']}/read").json()["read_at"]
    of_another = notices.tell(player=room.floor, kind="test", text="Not yours.", now=room.now)
    assert _post(client, f"me/messages/{of_another.pk}/read").status_code == 404
    gone = _post(client, answer, {"reply": "cancel"})
    assert gone.json()["row"]["state"] == room.state(cec) == "left"


def test_a_program_of_the_floors_asks_whose_turn_it_is_and_calls_seats_and_passes(browse, empty_room):
    ann, bob = empty_room.join("ann"), empty_room.join("bob")
    floor, following = browse(empty_room.floor), f"tables/{empty_room.table.pk}/next"
    told = floor.get(f"/api/v1/{following}").json()["next"]
    assert (told["player"], told["rule"], bool(told["cite"])) == (ann.player_id, "list", True)
    assert _post(floor, following, {"player": bob.player_id}).status_code == 409
    assert _post(floor, following, {"player": ann.player_id}, key="c").json()["row"]["state"] == "called"
    assert _post(floor, f"list-entries/{ann.pk}/call").status_code == 409
    seated = _post(floor, f"list-entries/{ann.pk}/seat", {"buy_in": 400})
    assert seated.json()["row"]["state"] == "seated", seated.content
    passed = _post(floor, f"list-entries/{bob.pk}/pass-over", {"reason": "not here", "to": "off"})
    assert passed.json()["row"]["state"] == "passed"
    order, names = {"phone": "600 10 20 30", "wishes": {"seats": [3]}}, f"lists/{empty_room.offer.pk}/names"
    for who in ({"name": "Ana Ruiz"}, {"player": empty_room.player("cid").pk}):
        assert json_of(_post(floor, names, order | who), 201)["row"]["source"] == "phone"
        assert ListEntry.objects.latest("pk").wishes == {"seats": [3], "phone": "600102030"}
    assert _post(floor, names, {}).status_code == 400


def test_a_floors_token_to_play_is_for_its_own_name_alone(client, empty_room):
    ann, own = empty_room.join("ann"), empty_room.join("flo")
    access.grant_role(user=own.player, role="floor", by=None)
    secret = secret_of(own.player, "read", "play")
    to_play = {"content_type": "application/json", "headers": {"Authorization": f"Token {secret}"}}
    refused = client.post(f"/api/v1/list-entries/{ann.pk}/leave", {"reason": "he went home"}, **to_play)
    assert (refused.status_code, ListEntry.objects.get(pk=ann.pk).state) == (403, "waiting")
    assert "'direct'" in refused.json()["detail"]
    assert client.post(f"/api/v1/list-entries/{own.pk}/leave", **to_play).status_code == 200


@world
@time_machine.travel(NOW, tick=False)
def calling() -> ListRoom:
    room = ListRoom(seat_count=2, call_minutes=10, more_time_minutes=5, hold_minutes=20)
    room.cora = room.join("cora")
    calls.call_next(table_id=room.table.pk, by=room.floor, now=room.now)
    return room


@pytest.fixture
def cora(calling):
    """Called to the free seat."""
    with time_machine.travel(calling.now, tick=False) as calling.clock:
        yield calling.entry(calling.cora)


def link_of(entry):
    """By which the call is answered from a text message or a mail, without logging in."""
    return f"/calls/{calls.token_of(entry)}/"


def test_a_message_of_a_call_has_the_link_where_the_room_has_an_address(calling, cora, settings):
    player = cora.player
    player.email, player.wants_mail = "cora@example.org", True
    player.save()
    notice = Notice.objects.get(player=player, kind="called")
    settings.CARDROOM_ADDRESS = "https://room.example/"
    assert outbox.send(key=str(notice.pk), now=calling.now) == ["mail"]
    assert mail.outbox[0].body == f"{notice.text} Answer here: https://room.example{link_of(cora)}"
    settings.CARDROOM_ADDRESS = ""
    Notice.objects.update(mailed_at=None)
    outbox.send(key=str(notice.pk), now=calling.now)
    assert mail.outbox[1].body == notice.text


def test_opening_the_link_of_a_call_changes_nothing(calling, cora, browse):
    browser, before = browse(enforce_csrf_checks=True), cora.version
    assert_shows(get(browser, link_of(cora)), "cora", "seat 1", "20:10 UTC")
    assert calling.entry(cora).version == before
    for key in ("a", "a", "b"):
        answer = browser.post(link_of(cora), {"reply": "more-time", "key": key})
        assert answer.status_code == (422 if key == "b" else 302)
    assert "once per call" in answer.content.decode()
    assert browser.post(link_of(cora), {"reply": "coming"}, follow=True).status_code == 200
    assert calling.state(cora) == "coming"
    gone = browser.post(link_of(cora), {"reply": "cancel"}, follow=True)
    assert (gone.status_code, b"You have left the list" in gone.content) == (410, True)
    assert {move.by for move in cora.moves.filter(verb__in=["more-time", "coming", "left"])} == {cora.player}


def test_the_link_of_a_call_does_not_answer_a_later_call(calling, cora, browse):
    browser, earlier = browse(), link_of(cora)
    ListEntry.objects.filter(pk=cora.pk).update(called_at=calling.now + timedelta(seconds=5))
    assert browser.post(earlier, {"reply": "cancel"}).status_code == 410
    assert calling.state(cora) == "called"
    link = link_of(calling.entry(cora))
    assert browser.get(link).status_code == 200
    assert browser.get(link.replace("~", "~x")).status_code == 404
    assert browser.get(f"/calls/{cora.pk}-1/").status_code == 404
    calling.clock.shift(timedelta(minutes=10))
    late = browser.get(link)
    assert (late.status_code, b"This call is over" in late.content) == (410, True)
    assert browser.post(link, {"reply": "coming"}).status_code == 410
    calls.pass_over(entry_id=cora.pk, by=calling.floor, reason="Not here", to="stay", now=calling.now)
    calling.clock.move_to(calling.now + timedelta(hours=1), tick=False)
    assert browser.post(link, {"reply": "coming"}).status_code == 410
    assert calling.state(cora) == "waiting"


@pytest.mark.parametrize("typed", ["Sean O'Brien", "Seán O’Brien", "Анна Smith", "Ana 🌵", "Zoë 👩‍🚀 Lee"])
def test_a_guests_name_stands_on_board_list_and_map_as_it_was_typed(browse, empty_room, typed):
    flo = browse(empty_room.floor)
    flo.post("/floor/lists/add/", {"offer_id": empty_room.offer.pk, "name": typed, "key": "a"})
    entry = ListEntry.objects.get()
    assert (entry.player.shown_name, entry.player.get_full_name()) == (typed, typed)
    shown = html.escape(typed)
    for page, reader in (("/board/?screens=lists", browse()), ("/floor/lists/", flo), ("/floor/lists/side/", flo)):
        assert_shows(get(reader, page), shown)
    holds.hold(
        table_id=empty_room.table.pk, player=entry.player, number=3, why="reserved", until=None, by=None, now=NOW
    )
    assert_shows(get(flo, "/floor/"), shown)
    member = empty_room.player("ann")
    User.objects.filter(pk=member.pk).update(first_name="Ann", last_name="Other", password="pbkdf2$x")
    member.refresh_from_db()
    assert member.shown_name == "ann"
