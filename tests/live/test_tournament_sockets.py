"""What a tournament's socket tells whom: the board to everybody, a player their own, and notices once."""

import time
from collections.abc import Callable

import pytest
from django.utils import timezone

from cardroom.core.models import Notice
from tests.live.conftest import APART
from tests.live.socket import EventSocket
from tests.support import room_event
from tournaments.engine import commands as c
from tournaments.events import journal as event_journal

# What these tests commit is news to the room by Redis; how it hears without is in test_tournament_feed.
pytestmark = APART
MINUTE = 60_000


@pytest.fixture
def follow(connected) -> Callable[..., EventSocket]:
    """`follow(event, user)`: a socket that has had its snapshot."""
    return lambda event, user=None: connected(EventSocket, event.pk, user).until_it_is(lambda: True)


def test_a_screen_gets_a_snapshot_and_every_change_after_it(follow):
    event = room_event.open_event(entrants=9)
    room_event.start(event)
    before = event_journal.ms(timezone.now())
    screen = follow(event)
    assert (screen.you, screen.parts["deal"]) == (None, None)
    assert (screen.parts["event"]["name"], screen.parts["event"]["state"]) == (event.name, "running")
    assert [level["name"] for level in screen.parts["levels"]] == ["Level 1", "Level 2", "Break 1", "Level 3"]
    assert {"ante": 4, "bring_in": 10, "small_bet": 20, "big_bet": 40}.items() <= screen.parts["levels"][1].items()
    clock = screen.parts["clock"]
    assert (clock["level"], clock["remaining_ms"]) == (0, None)
    assert 19 * MINUTE < clock["ends_at"] - before <= 20 * MINUTE
    counts = screen.parts["counts"]
    assert (counts["entries"], counts["left"], counts["tables"], counts["average"]) == (9, 9, 2, 1000)
    room_event.play(event, c.Pause())
    message = screen.until_type("moved")
    assert (set(message["changed"]), message["changed"]["event"]["state"]) == ({"clock", "event"}, "paused")
    assert screen.parts["clock"]["ends_at"] is None
    assert 19 * MINUTE < screen.parts["clock"]["remaining_ms"] <= 20 * MINUTE
    room_event.play(event, c.Undo())
    screen.until_it_is(lambda: screen.parts["clock"]["ends_at"])
    assert message["seq"] < screen.seq
    for command in (c.AddTime(MINUTE), c.NextLevel(), c.HandForHand(True), c.GoTo(0), c.HandForHand(False)):
        room_event.play(event, command)
    event.refresh_from_db()
    late = follow(event)
    screen.until_it_is(lambda: screen.seq == event.seq)
    assert screen.parts == late.parts


def test_a_player_is_told_their_own_news_and_a_stranger_nothing_of_it(follow, somebody):
    event, ann = room_event.open_event(entrants=8), somebody()
    room_event.enter(event, ann)
    mine = follow(event, ann)
    assert (mine.you["status"], mine.you["table"]) == ("in", None)
    room_event.start(event)
    mine.until_it_is(lambda: mine.you["table"])
    room_event.play(event, c.Count(mine.you["entry"], 4000))
    mine.until_it_is(lambda: mine.you["stack"] == 4000)
    room_event.play(event, c.Bust(((1, 1000),), by=(mine.you["entry"],)))
    mine.until_it_is(lambda: mine.you["left"] == 8)
    stranger = follow(event, somebody())
    assert stranger.you is None
    assert all("stack" not in part for part in stranger.parts.values() if isinstance(part, dict))


def test_a_notice_is_told_once_and_not_again_when_its_player_has_seen_it(follow, somebody):
    event, ann = room_event.open_event(), somebody()
    room_event.enter(event, ann)
    mine = follow(event, ann)
    given = {"player": ann, "kind": "table-broken", "at": timezone.now(), "data": {"table": 2}}
    text = "Your table was broken: table 2 seat 4, by TDA 10."
    Notice.objects.create(**given, text=text, key=f"event:{event.pk}:broken")
    room_event.play(event, c.KeepEntryOpen(True))
    told = mine.until_type("notice")
    assert (told["text"], told["data"]) == (text, {"table": 2})
    for stranger, status in ((follow(event, somebody()), 404), (follow(event), 401)):
        stranger.say({"type": "seen", "notice": told["id"]})
        assert stranger.until_type("refused")["status"] == status
    assert Notice.objects.get(pk=told["id"]).read_at is None, "nobody marks another's notice as seen"
    mine.say({"type": "seen", "notice": told["id"], "command_id": "k1"})
    assert mine.until_type("done")["command_id"] == "k1"
    again = follow(event, ann)
    Notice.objects.create(**given, text="The break is over.", key=f"event:{event.pk}:over")
    room_event.play(event, c.KeepEntryOpen(None))
    again.until_type("notice")
    assert [message["text"] for message in again.said("notice")] == ["The break is over."]


def test_a_ping_a_question_for_everything_and_nonsense_are_answered(follow):
    screen = follow(room_event.open_event())
    before = time.time() * 1000
    screen.say({"type": "ping", "sent": 12.25})
    pong = screen.until_type("pong")
    assert pong["sent"] == 12.25
    assert before - 1 <= pong["now"] <= time.time() * 1000 + 1
    screen.say({"type": "catch_up"})
    assert screen.until_type("snapshot")["event"] == screen.heard[0]["event"]
    screen.say({"type": "seen", "notice": "all"})
    refused = screen.until_type("refused")
    assert (refused["status"], "notice" in refused["message"]) == (400, True)
    screen.say({"type": "act"})
    assert "ping, catch_up, seen" in screen.until_type("refused")["message"]


def test_an_event_is_shown_only_from_its_announcement_on(connected, follow):
    for number in (room_event.draft().pk, 10**9):
        socket = connected(EventSocket, number)
        assert (socket.closing_code(), socket.heard[-1]["status"]) == (4404, 404)
    german = connected(EventSocket, 10**9, headers={"Accept-Language": "de"})
    assert german.closing_code() == 4404
    assert german.heard[-1]["message"] == "Dieses Turnier gibt es nicht.", "as the pages of this browser are"
    parts = follow(room_event.announced_event()).parts
    assert (parts["event"]["state"], parts["counts"]["entries"]) == ("announced", 0)
    assert parts["clock"]["remaining_ms"] == 20 * MINUTE
