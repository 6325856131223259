"""A call is answered from the text message or the mail that told of it, by a link and without logging in."""

from datetime import timedelta

import pytest
import time_machine
from django.core import mail

from cardroom.accounts import outbox
from games.waitlists import calling as lists
from tests.support.lists import ListRoom
from tests.support.models import ListEntry, Notice
from tests.support.pages import get, says
from tests.support.worlds import world
from tests.web.conftest import NOW


@world
@time_machine.travel(NOW, tick=False)
def calling() -> ListRoom:
    room = ListRoom(seat_count=2, call_minutes=10, more_time_minutes=5, hold_minutes=20)
    room.cora = room.join("cora")
    lists.call_next(table_id=room.table.pk, by=room.floor, now=room.now)
    return room


@pytest.fixture
def room(calling):
    with time_machine.travel(calling.now, tick=False) as calling.clock:
        yield calling


@pytest.fixture
def cora(room):
    """Called to the free seat."""
    return room.entry(room.cora)


def path(entry):
    return f"/calls/{lists.token_of(entry)}/"


def test_a_message_of_a_call_has_the_link_where_the_room_has_an_address(room, cora, settings):
    player = cora.player
    player.email, player.wants_mail = "cora@example.org", True
    player.save()
    notice = Notice.objects.get(player=player, kind="called")
    settings.CARDROOM_ADDRESS = "https://room.example/"
    assert outbox.send(key=str(notice.pk), now=room.now) == ["mail"]
    assert mail.outbox[0].body == f"{notice.text} Answer here: https://room.example{path(cora)}"
    settings.CARDROOM_ADDRESS = ""
    Notice.objects.update(mailed_at=None)
    outbox.send(key=str(notice.pk), now=room.now)
    assert mail.outbox[1].body == notice.text


def test_looking_changes_nothing_and_each_answer_is_the_players(room, cora, browse):
    browser, before = browse(enforce_csrf_checks=True), cora.version
    says(get(browser, path(cora)), "cora", "seat 1", "20:10 UTC")
    assert room.entry(cora).version == before
    for key in ("a", "a", "b"):
        answer = browser.post(path(cora), {"reply": "more-time", "key": key})
        assert answer.status_code == (422 if key == "b" else 302)
    assert "once per call" in answer.content.decode()
    assert browser.post(path(cora), {"reply": "coming"}, follow=True).status_code == 200
    assert room.state(cora) == "coming"
    gone = browser.post(path(cora), {"reply": "cancel"}, follow=True)
    assert (gone.status_code, b"You have left the list" in gone.content) == (410, True)
    assert {move.by for move in cora.moves.filter(verb__in=["more-time", "coming", "left"])} == {cora.player}


def test_a_link_is_dead_when_its_call_is_over_and_does_not_answer_the_next_one(room, cora, browse):
    browser, earlier = browse(), path(cora)
    ListEntry.objects.filter(pk=cora.pk).update(called_at=room.now + timedelta(seconds=5))
    assert browser.post(earlier, {"reply": "cancel"}).status_code == 410
    assert room.state(cora) == "called"
    link = path(room.entry(cora))
    assert browser.get(link).status_code == 200
    assert browser.get(link.replace("~", "~x")).status_code == 404
    assert browser.get(f"/calls/{cora.pk}-1/").status_code == 404
    room.clock.shift(timedelta(minutes=10))
    late = browser.get(link)
    assert (late.status_code, b"This call is over" in late.content) == (410, True)
    assert browser.post(link, {"reply": "coming"}).status_code == 410
    lists.pass_over(entry_id=cora.pk, by=room.floor, reason="Not here", to="stay", now=room.now)
    room.clock.move_to(room.now + timedelta(hours=1), tick=False)
    assert browser.post(link, {"reply": "coming"}).status_code == 410
    assert room.state(cora) == "waiting"
