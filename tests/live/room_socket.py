"""Somebody's end of the room's socket: which topics he was told of."""

from __future__ import annotations

import json
from contextlib import ExitStack, suppress
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cardroom.models import User
from tests.live.socket import PATIENCE, session_of
from tests.support.room import Room

Message = dict[str, Any]


class RoomSocket:
    """`told`: the topics of every `moved`, in order; `hello`: what it was promised."""

    def __init__(self, room: Room, topics: str, user: User | None = None, *, token: str | None = None) -> None:
        self.told: list[str] = []
        self.refused: list[Message] = []
        self.hello: list[str] | None = None
        headers = {} if token is None else {"Authorization": f"Token {token}"}
        if user is not None:
            headers["Cookie"] = f"sessionid={session_of(user).cookies['sessionid'].value}"
        address = f"{room.url.replace('http', 'ws')}/ws/room/?topics={topics}"
        self._held = ExitStack()
        self.line: ClientConnection = self._held.enter_context(
            connect(
                address,
                additional_headers=headers,
                origin=None if token else room.url,
                max_size=None,
                # What nobody has read must not keep the end of the connection from being heard.
                max_queue=None,
            )
        )

    def close(self) -> None:
        self._held.close()

    def say(self, message: Message) -> None:
        self.line.send(json.dumps(message))

    def next(self) -> Message:
        message: Message = json.loads(self.line.recv(timeout=PATIENCE))
        match message["type"]:
            case "hello":
                self.hello = message["topics"]
            case "moved":
                self.told += message["topics"]
            case "refused":
                self.refused.append(message)
        return message

    def begin(self) -> RoomSocket:
        while self.hello is None:
            self.next()
        return self

    def until_told(self, topic: str) -> RoomSocket:
        while topic not in self.told:
            self.next()
        return self

    def until_type(self, kind: str) -> Message:
        while True:
            message = self.next()
            if message["type"] == kind:
                return message

    def closing_code(self) -> int:
        with suppress(ConnectionClosed):
            while True:
                self.next()
        assert self.line.close_code is not None
        return self.line.close_code
