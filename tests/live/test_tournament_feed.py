"""Feed and hub of tournaments in this process, with sockets that do as they are told."""

from functools import partial

import pytest
from django.utils.translation import override

from cardroom.realtime import layer
from cardroom.realtime import messages as realtime_messages
from tests.live import hubs
from tests.support import room_event
from tests.support.parts.tournaments import board, event_journal
from tournaments.engine import commands as c
from tournaments.engine import labels
from tournaments.live import hub
from tournaments.live.feed import EventViewer
from tournaments.live.news import EventMoved


@pytest.fixture
def event(transactional_db, settings):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    event_journal.forget()
    made = room_event.open_event(entrants=4)
    room_event.start(made)
    yield made
    event_journal.forget()


class Line(hubs.End):
    """At an event."""

    def __init__(self, event, user=None):
        super().__init__(hub, EventViewer, event.pk, user)

    async def until(self, holds):
        await super().until(lambda line: line.heard and holds())

    def part(self, name):
        """As the last message that had it says."""
        told = (message.get("changed", message) for message in reversed(self.heard))
        return next(part[name] for part in told if name in part)

    def level(self):
        return self.part("clock")["level"]


in_a_loop = partial(hubs.in_a_loop, hub)


async def play(event, command):
    await layer.run(room_event.play, event, command)


@in_a_loop
async def test_what_this_process_commits_reaches_its_sockets_without_any_layer_and_is_encoded_once_for_all(event):
    lines = [Line(event), Line(event)]
    for line in lines:
        await line.until(lambda: True)
    before = lines[0].viewer.sent_parts["levels"]
    await play(event, c.NextLevel())
    for line in lines:
        await line.until(lambda line=line: line.level() == 1)
        assert [message["type"] for message in line.heard] == ["snapshot", "moved"]
    assert all(line.viewer.sent_parts["levels"] is before for line in lines), "it did not change"
    assert lines[0].viewer.sent_parts["clock"] is lines[1].viewer.sent_parts["clock"]


@in_a_loop
async def test_a_level_and_why_somebody_moved_are_told_in_each_ones_language_and_encoded_once_in_each(event):
    english = Line(event)
    with override("de"):
        german = [Line(event), Line(event)]
    await play(event, c.Move(1, 1, 7, rule="TDA 11", why=labels.BY_CHOICE()))
    for line in (english, *german):
        await line.until(lambda line=line: line.part("moves"))
    said = [(line.part("levels")[2]["name"], line.part("moves")[0]["why"]) for line in (english, german[0])]
    assert said == [("Break 1", "By the floor's decision"), ("Pause 1", "Auf Entscheidung des Floors")]
    one, other = (line.viewer.sent_parts for line in german)
    assert all(one[name] is other[name] for name in one)


@in_a_loop
async def test_a_database_that_was_away_is_asked_again_and_a_lost_nudge_made_good_by_the_heartbeat(event, monkeypatch):
    monkeypatch.setattr("cardroom.realtime.hubs.HEARTBEAT_SECONDS", 0.05)
    real, failures = board.read, [OSError("the database is away")] * 2

    def away(*given, **more):
        if failures:
            raise failures.pop()
        return real(*given, **more)

    monkeypatch.setattr(board, "read", away)
    line = Line(event)
    await line.until(lambda: line.level() == 0)
    assert not failures
    monkeypatch.setattr(hub.EventHub, "pass_on", lambda *given, **more: None)
    await play(event, c.NextLevel())
    await line.until(lambda: line.level() == 1)


@in_a_loop
async def test_a_slow_socket_loses_what_was_queued_and_then_gets_everything_anew(event, monkeypatch):
    monkeypatch.setattr(realtime_messages, "MOST_QUEUED", 3)
    monkeypatch.setattr("tournaments.live.feed.PAUSE_SECONDS", 0)
    slow, quick = Line(event), Line(event)
    for line in (slow, quick):
        await line.until(lambda: True)
    slow.gate.clear()
    for number in range(8):
        await play(event, c.GoTo(number % 4))
        await quick.until(lambda number=number: quick.level() == number % 4)
    slow.gate.set()
    await slow.until(lambda: slow.heard[-1]["type"] == "snapshot" and slow.level() == 3)
    assert len(slow.heard) < len(quick.heard)


@in_a_loop
async def test_news_of_an_event_that_nobody_follows_is_nobody_s(event):
    line = Line(event)
    await line.until(lambda: True)
    hub.here().hear(EventMoved(event.pk + 1, 7), is_from_here=False)
    hub.here().leave(line.viewer)
    assert hub.here().feeds == {}
