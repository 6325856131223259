"""The screen in the room that nobody is logged in at: opened, used, refused, and ended."""

import re

import pytest

from cardroom.accounts import members
from tests.support.lists import ListRoom
from tests.support.models import ListEntry, RoomSession, StaffAction, Visit
from tests.support.pages import assert_hides, assert_shows, get, html_of
from tests.support.worlds import world


@world
def room() -> ListRoom:
    return ListRoom(is_physical=True)


@pytest.fixture
def kiosk(client, room):
    """Opened by the floor."""
    client.force_login(room.floor)
    assert client.post("/kiosk/open/").status_code == 302
    return client


def test_a_kiosk_has_no_rights_of_whoever_opened_it_and_takes_names_once_and_cards(kiosk, room):
    card = members.register(player=room.player("memo"), name="Memo Member", by=room.floor, now=room.now)
    pages = [get(kiosk, "/kiosk/") for _ in "ab"]
    assert_shows(pages[0], "Join a list")
    assert len({re.search(r'name="key" value="([^"]+)"', page)[1] for page in pages}) == 2
    assert kiosk.get("/floor/lists/").status_code == 302, "to the log-in page"
    assert_shows(html_of(kiosk.post("/kiosk/join/", {"who": card.barcode}, follow=True)), "memo: you are checked in.")
    assert Visit.objects.get(where="room").way == "kiosk"
    for _ in range(2):
        kiosk.post("/kiosk/join/", {"offer": room.offer.pk, "who": "Ana Ruiz", "seats": ["2", "5"], "key": "once"})
    kiosk.post("/kiosk/join/", {"offer": room.offer.pk, "who": card.barcode})
    entries = ListEntry.objects.order_by("pk")
    assert [entry.player.username for entry in entries] == ["Ana.Ruiz", "memo"]
    assert (entries[0].wishes, {entry.source for entry in entries}) == ({"seats": [2, 5]}, {"kiosk"})
    kiosk.post("/kiosk/close/")
    assert kiosk.get("/kiosk/").status_code == 403


def test_a_kiosk_has_no_login_and_ends_when_its_opener_loses_the_role(kiosk, room):
    for said, status in (({"who": "12345678", "phone": "1111"}, 404), ({"who": "Ana Ruiz"}, 400), ({"who": ""}, 400)):
        page = html_of(kiosk.post("/kiosk/join/", {"offer": room.offer.pk if "phone" in said else "", **said}), status)
        assert_shows(page, 'id="kiosk-form"', f'value="{said["who"]}"')
        assert_hides(page, "site-head")  # no way into the rest of the room
    for page in ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"):
        assert kiosk.get(page)["Location"] == "/kiosk/", page
    room.floor.groups.clear()
    assert kiosk.get("/kiosk/").status_code == 403
    assert kiosk.get("/accounts/login/").status_code == 200, "it is a screen like any other again"


def test_staff_sees_the_kiosks_among_the_connections_and_ends_one(kiosk, room, browse):
    session = RoomSession.objects.get(kiosk_by=room.floor)
    staff, at = browse(room.floor), f"/staff/connections/{session.handle}/"
    assert_shows(get(staff, "/staff/connections/"), "opened by <a")
    assert staff.post(at, {"what": "message", "text": "Hello"}).status_code == 400
    assert staff.get("/api/v1/connections").json()[0]["kiosk_by"] in (None, room.floor.username)
    assert staff.post(at, {"what": "terminate", "reason": "Left alone"}).status_code == 302
    assert StaffAction.objects.filter(verb="connection.terminate", subject=f"kiosk:{session.handle}").exists()
    assert kiosk.post("/kiosk/join/", {"who": "Ana Ruiz"}).status_code == 403
