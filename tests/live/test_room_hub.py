"""How the room's news is kept from flooding, and that the last word of it is never lost; no server, one loop."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

import msgspec
import pytest

from cardroom.core import malformed
from cardroom.realtime import layer, room
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.room import Asker, Listener, RoomHub, TopicChanged

RAIL = Asker(None)


class Line:
    """What a socket was sent; `is_open` unset: it takes nothing."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.is_open = asyncio.Event()
        self.is_open.set()

    async def send(self, message: dict[str, Any]) -> None:
        await self.is_open.wait()
        self.sent.append(message)

    @property
    def told(self) -> list[list[str]]:
        return [json.loads(message["text"])["topics"] for message in self.sent if "text" in message]


async def settled() -> None:
    for _ in range(8):
        await asyncio.sleep(0)


def in_a_hub(work: Callable[[RoomHub], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        hub = RoomHub(asyncio.get_running_loop())
        try:
            await work(hub)
        finally:
            for listener in list(hub.listeners):
                hub.leave(listener)
            await hub.close()

    asyncio.run(run())


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layer, "leaves_this_process", lambda: False)


def test_a_thousand_changes_are_told_once_and_once_more_when_the_topic_has_rested(monkeypatch):
    monkeypatch.setattr(room, "pause", lambda topic, listeners=0: 3600)

    async def flood(hub: RoomHub) -> None:
        line = Line()
        hub.join(Listener(RAIL, ["lobby"], line.send))
        for _ in range(1000):
            hub.hear(TopicChanged("lobby"), is_from_here=True)
        await settled()
        assert line.told == [["lobby"]]
        hub._rested("lobby")
        await settled()
        assert line.told == [["lobby"], ["lobby"]]
        hub._rested("lobby")
        await settled()
        assert not hub._resting
        assert line.told == [["lobby"], ["lobby"]]

    in_a_hub(flood)


def test_a_socket_that_takes_nothing_holds_nobody_up_and_catches_up_later():
    async def slow(hub: RoomHub) -> None:
        slow, quick = Line(), Line()
        slow.is_open.clear()
        topics = [f"list:{number}" for number in range(realtime_messages.MOST_QUEUED + 5)]
        for line in (slow, quick):
            hub.join(Listener(RAIL, topics, line.send))
        for topic in topics:
            hub.hear(TopicChanged(topic), is_from_here=True)
            await settled()
        assert len(quick.told) == len(topics)
        slow.is_open.set()
        await settled()
        assert slow.told[-1] == sorted(topics)

    in_a_hub(slow)


def test_a_page_gets_the_topics_that_changed_since_it_was_rendered():
    async def late(hub: RoomHub) -> None:
        assert hub.missed({"player:4", "lists"}, 5) == {"player:4", "lists"}, "there was no hub yet"
        hub.subscription.since -= 100
        hub.hear(TopicChanged("player:4"), is_from_here=True)
        assert hub.missed({"player:4", "lists"}, 5) == {"player:4"}
        assert hub.missed({"player:4", "lists"}, 0) == set()
        hub.hear(TopicChanged("lobby"), is_from_here=True)
        assert hub.missed({"lobby"}, 5) == set(), "there is news of it again soon"
        assert hub.missed({"player:4", "lists"}, room.MOST_AGE_SECONDS + 1) == {"player:4", "lists"}
        hub._news = {topic: at - room.MOST_AGE_SECONDS for topic, at in hub._news.items()}
        await hub.heartbeat()
        assert (hub._news, hub.missed({"player:4"}, 5)) == ({}, set())

    in_a_hub(late)


def test_after_the_layer_was_away_every_page_looks_again(monkeypatch):
    async def away(hub: RoomHub) -> None:
        line, answers = Line(), iter([True, False, False, True, True])

        async def is_up() -> bool:
            return next(answers)

        monkeypatch.setattr(layer, "is_up", is_up)
        hub.join(Listener(RAIL, ["lists", "lobby"], line.send))
        for _ in range(5):
            await hub.heartbeat()
        await settled()
        assert line.told == [["lists", "lobby"]]

    in_a_hub(away)


@pytest.mark.parametrize(("role", "hears", "does_not"), [
    ("", "lobby list:3 board chat player:4", "floor cage approvals shifts"),
    ("dealer", "floor", "approvals"),
    ("cashier", "cage floor", "shifts"),
    ("floor", "approvals", "cage"),
    ("manager", "lobby", "list:x player:5"),
])  # fmt: skip
def test_who_hears_of_what(role, hears, does_not):
    asker = Asker(4, frozenset({role} - {""}))
    assert [topic for topic in hears.split() if room.refusal(topic, asker)] == []
    assert [topic for topic in does_not.split() if not room.refusal(topic, asker)] == []
    assert room.refusal("chat", RAIL).code == "login-required"
    staffs = ("floor", "cage", "approvals", "shifts")
    assert {room.refusal(topic, RAIL).code for topic in staffs} == {"role-required"}
    assert room.refusal("lobby", RAIL) is None


def test_refusals_are_in_the_readers_language(every_word_marked):
    for topic in ("chat", "player:5", "club:3", "floor", "nothing"):
        assert room.refusal(topic, RAIL).message.startswith("~"), topic
    assert room.refusal("floor", RAIL).message.count("~") == 6, "roles have names of their own"
    read = realtime_messages.Reader(realtime_messages.Ping | realtime_messages.CatchUp)
    no_json = ("{", '{"a" 1}', "[" * 4000, '["\\ud800"]', '{"type": "ping", "hidden": 1e999}')
    for said in (None, "x" * 200_000, *no_json, "[]", "{}", '{"type": "fold"}'):
        with pytest.raises(realtime_messages.Malformed, match=r"^~"):
            read(said)
    with pytest.raises(realtime_messages.Malformed, match=r": ~~Expected `bool \| null`, got `int`, at `hidden`\.$"):
        read('{"type": "ping", "hidden": 7}')


class Few(msgspec.Struct, forbid_unknown_fields=True):
    seat: Annotated[int, msgspec.Meta(ge=1, le=9)]
    card: Annotated[str, msgspec.Meta(pattern="^[2-9]c$", max_length=3)] = "2c"


def test_faults_in_a_message_are_told_in_the_readers_language(every_word_marked):
    for said, words in (
        ("{}", "~Object missing required field `seat`"),
        ('{"seat": 0}', "~~Expected `int` >= 1, at `seat`"),
        ('{"seat": 10}', "~~Expected `int` <= 9, at `seat`"),
        ('{"seat": 1, "card": "four"}', "~~Expected `str` of length <= 3, at `card`"),
        ('{"seat": 1, "card": "Ts"}', "~~Expected `str` matching regex '^[2-9]c$', at `card`"),
        ('{"seat": "one"}', "~~Expected `int`, got `str`, at `seat`"),
        ("[]", "~Expected `object`, got `array`"),
        ('{"seat": 1, "a - at b": 2}', "~Object contains unknown field `a - at b`"),
    ):
        with pytest.raises(msgspec.ValidationError) as found:
            msgspec.json.decode(said, type=Few)
        assert malformed.fault_of(found.value) == words


def test_the_news_of_a_club_are_for_its_members():
    member = room.Asker(user=4, places=frozenset({"club:3"}))
    assert room.refusal("club:3", member) is None
    assert {room.refusal("club:4", member).code, room.refusal("club:3", RAIL).code} == {"members-only"}
