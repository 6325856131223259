"""Somebody's end of a tournament's socket: what he was told, folded as a page folds it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cardroom.models import User
from tests.live.socket import PATIENCE, session_of
from tests.support.room import Room

Message = dict[str, Any]


class EventSocket:
    """`parts`: the event as it was told; `you`: the viewer's own; `heard`: every message."""

    def __init__(
        self, room: Room, tournament: int | str, user: User | None = None, *, token: str | None = None
    ) -> None:
        self.heard: list[Message] = []
        self.parts: Message = {}
        self.you: Message | None = None
        self.seq = 0
        headers = {} if token is None else {"Authorization": f"Token {token}"}
        if user is not None:
            headers["Cookie"] = f"sessionid={session_of(user).cookies['sessionid'].value}"
        address = f"{room.url.replace('http', 'ws')}/ws/tournaments/{tournament}/"
        self._held = ExitStack()
        self.line: ClientConnection = self._held.enter_context(
            connect(address, additional_headers=headers, origin=None if token else room.url, max_size=None)
        )

    def close(self) -> None:
        self._held.close()

    def say(self, message: Message) -> None:
        self.line.send(json.dumps(message))

    def next(self) -> Message:
        message: Message = json.loads(self.line.recv(timeout=PATIENCE))
        self.heard.append(message)
        if message["type"] == "snapshot":
            names = message.keys() - {"type", "seq", "now", "you"}
            self.parts = {name: message[name] for name in names}
        elif message["type"] == "moved":
            assert set(message["changed"]) <= set(self.parts)
            self.parts |= message["changed"]
        self.seq = message["seq"]
        self.you = message.get("you", self.you)
        return message

    def until(self, holds: Callable[[], Any]) -> EventSocket:
        """Listen until this holds."""
        deadline = time.monotonic() + PATIENCE
        while not self.parts or not holds():
            assert time.monotonic() < deadline, [message["type"] for message in self.heard]
            self.next()
        return self

    def until_type(self, kind: str) -> Message:
        while True:
            message = self.next()
            if message["type"] == kind:
                return message

    def closing_code(self) -> int:
        """Listen to the end; the code it was closed with."""
        with suppress(ConnectionClosed):
            while True:
                self.next()
        assert self.line.close_code is not None
        return self.line.close_code
