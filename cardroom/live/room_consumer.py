"""The room's socket, `/ws/room/?topics=lobby,lists`: a page is told which of its topics changed, and asks again itself.

The room says ``hello`` (``topics``: what will be told), ``moved`` (``topics``), ``pong`` and ``refused``, once for each
topic that is not for them; where none is left the socket ends. It hears ``ping`` and ``catch_up`` (tell me all of
them).
"""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import parse_qs

import msgspec
from django.utils import timezone

from cardroom.live import messages, room_hub, threads
from cardroom.live.messages import Reader
from cardroom.live.room_hub import Listener
from cardroom.live.room_topics import MOST_TOPICS, Asker, is_staffs, refusal, roles_held
from cardroom.live.sessions import Register
from cardroom.live.sockets import FORBIDDEN, LATER, NOWHERE, SpeakingConsumer, Unavailable
from cardroom.services.errors import CardroomError, Invalid

logger = logging.getLogger(__name__)


class Ping(msgspec.Struct, tag="ping", frozen=True):
    """Are you there?"""


class CatchUp(msgspec.Struct, tag="catch_up", frozen=True):
    """Tell me everything again."""


parse = Reader(Ping | CatchUp)


class NewsConsumer(SpeakingConsumer):
    """Somebody's page, or their program, that follows the room."""

    viewer: Listener | None = None

    def sessions_here(self) -> Register:
        return room_hub.here().sessions

    def read(self, text: str | None) -> Ping | CatchUp:
        said: Ping | CatchUp = parse(text)
        return said

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        asked = _topics(self.scope)
        if not 1 <= len(asked) <= MOST_TOPICS:
            words = f"Name 1 to {MOST_TOPICS} topics, separated by commas: /ws/room/?topics=lobby,lists."
            await self.turn_away(Invalid(words, "bad-topics"), NOWHERE)
            return
        try:
            asker = await self._asker(asked)
        except Exception:
            logger.exception("a socket could not be served")
            await self.turn_away(Unavailable("The room cannot be reached just now. Try again shortly."), LATER)
            return
        refused = {topic: error for topic in asked if (error := refusal(topic, asker))}
        await self._begin(asker, asked - refused.keys(), refused)

    async def _asker(self, asked: set[str]) -> Asker:
        """Roles are read only where a topic takes one."""
        user = self.scope["user"]
        if not user.is_authenticated:
            return Asker(None)
        held = await threads.run(roles_held, [user.pk]) if any(map(is_staffs, asked)) else {}
        return Asker(user.pk, held.get(user.pk, frozenset()))

    async def _begin(self, asker: Asker, topics: set[str], refused: dict[str, CardroomError]) -> None:
        if not topics:
            await self.turn_away(next(iter(refused.values())), FORBIDDEN)
            return
        listener = Listener(asker, topics, self.line)
        room_hub.here().join(listener)
        self.enter(listener)
        listener.tell(messages.text(type="hello", topics=sorted(topics)))
        for _, error in sorted(refused.items()):
            listener.tell(messages.refused(error, seq=0))

    def leave(self, viewer: Listener) -> None:
        room_hub.here().leave(viewer)

    async def answer(self, viewer: Listener, said: Ping | CatchUp) -> None:
        match said:
            case CatchUp():
                viewer.tell_everything()
            case _:
                self.tell(messages.pong(seq=0, now=timezone.now()))


def _topics(scope: Any) -> set[str]:
    given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("topics", [])
    return {topic.strip() for part in given for topic in part.split(",") if topic.strip()}
