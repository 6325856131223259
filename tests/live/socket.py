"""Somebody's end of a socket: a table's, where what it was told is folded by the same code for snapshots and
increments; a tournament's; the room's."""

from __future__ import annotations

import json
import time
import urllib.request
import uuid
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any, Self

from django.test import Client
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cardroom.core.models import User
from tests.support.parts.stud import Fact, Hand, from_json
from tests.support.room import Room
from tests.support.serving import Served

PATIENCE = 30.0  # nothing waits it out: it only ends a test that has failed

Message = dict[str, Any]


def session_of(user: User) -> Client:
    """Somebody logged in, as a browser would be."""
    browser = Client()
    browser.force_login(user)
    return browser


class Line:
    """A connection to the room, opened with a session or a token, and `heard`: every message that came by it."""

    path: str

    def __init__(
        self,
        room: Room | Served,
        user: User | None = None,
        *,
        token: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.room, self.user, self.token, self.headers = room, user, token, headers or {}
        self.browser = session_of(user) if user is not None else None
        self.origin = room.url if token is None else None
        self.heard: list[Message] = []
        self.raw: list[str | bytes] = []
        self.seq = 0
        self.open()

    def open(self) -> Self:
        headers = dict(self.headers)
        if self.token is not None:
            headers["Authorization"] = f"Token {self.token}"
        if self.browser is not None:
            headers["Cookie"] = f"sessionid={self.browser.cookies['sessionid'].value}"
        address = f"{self.room.url.replace('http', 'ws')}/ws/{self.path}"
        self._held = ExitStack()
        # What nobody has read must not keep the end of the connection from being heard.
        line = connect(address, additional_headers=headers, origin=self.origin, max_size=None, max_queue=None)
        self.line: ClientConnection = self._held.enter_context(line)
        return self

    def close(self) -> None:
        self._held.close()

    def say(self, message: Message | str | bytes) -> None:
        self.line.send(json.dumps(message) if isinstance(message, dict) else message)

    def next(self) -> Message:
        self.raw.append(self.line.recv(timeout=PATIENCE))
        message: Message = json.loads(self.raw[-1])
        self.heard.append(message)
        self._take(message)
        return message

    def until(self, holds: Callable[[Message], Any]) -> Message:
        """Listen until a message for which this holds."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            message = self.next()
            if holds(message):
                return message
        raise AssertionError(f"not among what was heard: {[message['type'] for message in self.heard]}")

    def until_type(self, *types: str) -> Message:
        return self.until(lambda message: message["type"] in types)

    def closing_code(self) -> int:
        """Listen to the end; the code it was closed with."""
        with suppress(ConnectionClosed):
            while True:
                self.next()
        code = self.line.close_code
        assert code is not None
        return code

    def said(self, kind: str) -> list[Message]:
        return [message for message in self.heard if message["type"] == kind]

    def _take(self, message: Message) -> None:
        raise NotImplementedError


class Socket(Line):
    """A table's. `facts`: by hand, everything it was told in order."""

    def __init__(self, room: Room, table: int | str, user: User | None = None, **options: Any) -> None:
        self.table = table
        self.path = "floor/" if table == "floor" else f"tables/{table}/"
        self.facts: dict[int, list[Fact]] = {}
        self.hand = 0
        self.you: Message = {}
        self.view: Message = {}
        self.clock: Message | None = None
        super().__init__(room, user, **options)

    # -- the connection ----------------------------------------------------------------------------------------------

    def log_out(self) -> None:
        """By the page's own button, in the process that serves pages."""
        assert self.browser is not None
        cookies = f"sessionid={self.browser.cookies['sessionid'].value}; csrftoken={'c' * 32}"
        headers = {"Cookie": cookies, "X-CSRFToken": "c" * 32, "Origin": self.room.url}
        request = urllib.request.Request(f"{self.room.url}/accounts/logout/", method="POST", headers=headers, data=b"")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            assert answer.status == 200

    def break_off(self) -> None:
        """Gone without a word, as when a tunnel swallows the train."""
        self.line.socket.close()

    # -- listening ---------------------------------------------------------------------------------------------------

    def until_at(self, hand: int, seq: int) -> Socket:
        """Listen until told of fact `seq` of `hand`."""
        while (self.hand, self.seq) < (hand, seq):
            self.next()
        return self

    def until_turn(self, seat: int | None = None) -> Socket:
        """Listen until it is somebody's turn (or this seat's)."""
        while not self.to_act or (seat and self.to_act != seat):
            self.next()
        return self

    # -- saying ------------------------------------------------------------------------------------------------------

    def act(self, action: str, amount: int | None = None, **given: Any) -> str:
        """Send a command; its id."""
        command = {"type": "act", "hand": self.hand, "seq": self.seq, "command_id": str(uuid.uuid4())}
        command |= {"action": action, "amount": amount} | given
        self.say(command)
        return command["command_id"]

    def answer_to(self, command_id: str) -> Message:
        return self.until(lambda m: m["type"] in {"done", "refused"} and m["command_id"] == command_id)

    @property
    def quiet_action(self) -> str:
        """What lets the hand go on without a wager."""
        turn = self.folded.options(self.to_act)
        assert turn is not None
        return "check" if turn.can_check else "call" if turn.call else "bring-in"

    def check_or_call(self) -> Message:
        return self.answer_to(self.act(self.quiet_action))

    # -- what it knows -----------------------------------------------------------------------------------------------

    @property
    def story(self) -> list[Fact]:
        """The hand it was last told of."""
        return self.facts.get(self.hand, [])

    @property
    def folded(self) -> Hand:
        return Hand.replay(self.story)

    @property
    def to_act(self) -> int:
        return self.folded.to_act if self.story else 0

    @property
    def is_over(self) -> bool:
        return bool(self.story) and self.folded.is_over

    def _take(self, message: Message) -> None:
        assert isinstance(message["seq"], int) or message["type"] == "refused"
        kind = message["type"]
        if kind == "snapshot":
            self.facts = {}
            self.hand = message["hand"] or 0
            self.seq = 0
            self._fold(self.hand, message["facts"])
        elif kind == "facts":
            if message["hand"] != self.hand:
                assert message["hand"] > self.hand
                self.hand, self.seq = message["hand"], 0
            self._fold(message["hand"], message["facts"])
        if kind in {"snapshot", "table"}:
            self.you, self.view = message["you"], message["table"]
        if kind in {"snapshot", "facts"}:
            self.clock = message["clock"]
            assert self.seq == message["seq"]

    def _fold(self, hand: int, lines: list[list[Any]]) -> None:
        story = self.facts.setdefault(hand, [])
        for seq, kind, data in lines:
            assert seq <= len(story) + 1, f"fact {len(story) + 1} of hand {hand} is missing"
            if seq == len(story) + 1:
                story.append(from_json(kind, data))
            else:
                assert story[seq - 1] == from_json(kind, data), "the same fact was told in two ways"
            self.seq = max(self.seq, seq)


class EventSocket(Line):
    """A tournament's. `parts`: the event as it was told; `you`: the viewer's own."""

    def __init__(self, room: Room, tournament: int, user: User | None = None, **options: Any) -> None:
        self.path = f"tournaments/{tournament}/"
        self.parts: Message = {}
        self.you: Message | None = None
        super().__init__(room, user, **options)

    def until_it_is(self, holds: Callable[[], Any]) -> EventSocket:
        """Listen until this holds of what it was told."""
        if not self.parts or not holds():
            self.until(lambda _: self.parts and holds())
        return self

    def _take(self, message: Message) -> None:
        if message["type"] == "snapshot":
            self.parts = {name: message[name] for name in message.keys() - {"type", "seq", "now", "you"}}
        elif message["type"] == "moved":
            assert set(message["changed"]) <= set(self.parts)
            self.parts |= message["changed"]
        self.seq = message["seq"]
        self.you = message.get("you", self.you)


class RoomSocket(Line):
    """The room's. `told`: the topics of every `moved`, in order; `hello`: what it was promised."""

    def __init__(self, room: Room | Served, topics: str, user: User | None = None, **options: Any) -> None:
        self.path = f"room/?topics={topics}"
        self.told: list[str] = []
        self.hello: list[str] | None = None
        super().__init__(room, user, **options)

    def begin(self) -> RoomSocket:
        while self.hello is None:
            self.next()
        return self

    def until_told(self, topic: str) -> RoomSocket:
        while topic not in self.told:
            self.next()
        return self

    def _take(self, message: Message) -> None:
        if message["type"] == "hello":
            self.hello = message["topics"]
        elif message["type"] == "moved":
            self.told += message["topics"]


def act_once(sockets: list[Socket], choose: Callable[[Socket], Message] = Socket.check_or_call) -> bool:
    """The player to act among these sockets does, and all hear of it; False when the hand is over.

    Seats are the sockets' places, from 1; further ones are watchers.
    """
    ahead = max(sockets, key=lambda socket: (socket.hand, socket.seq))
    for socket in sockets:
        socket.until_at(ahead.hand, ahead.seq)
    if ahead.is_over:
        return False
    answer = choose(sockets[ahead.to_act - 1])
    assert answer["type"] == "done", answer
    for socket in sockets:
        socket.until_at(ahead.hand, answer["seq"])
    return True
