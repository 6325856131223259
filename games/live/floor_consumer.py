"""The floor's own socket: every table at a glance, the calls that wait, and what the floor orders."""

from __future__ import annotations

import logging
from typing import Any

from django.utils import timezone

from cardroom.live import messages, threads
from cardroom.live.sessions import Register
from cardroom.live.sockets import LATER, SpeakingConsumer, Unavailable
from cardroom.services import access
from cardroom.services.errors import Forbidden, Invalid
from games.live import hub, protocol
from games.live.floor_feed import NO_FLOOR, FloorViewer
from games.live.protocol import AnswerCall, Message, Ordered, Ping
from games.services import floor

logger = logging.getLogger(__name__)


class FloorConsumer(SpeakingConsumer):
    """Somebody of the floor, who sees what the rail of every table sees."""

    viewer: FloorViewer | None = None

    def sessions_here(self) -> Register:
        return hub.here().sessions

    def read(self, text: str | None) -> Message:
        message: Message = protocol.parse(text)
        return message

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        user = self.scope["user"]
        try:
            is_floor = user.is_authenticated and await threads.run(access.has_role, user, floor.ROLE)
        except Exception:
            logger.exception("a socket could not be served")
            await self.turn_away(Unavailable("The room cannot be reached just now. Try again shortly."), LATER)
            return
        if not is_floor:
            await self.turn_away(Forbidden("This is for the floor.", "role-required"), NO_FLOOR)
            return
        viewer = FloorViewer(user, self.line, on_room=lambda: self.feed.nudge())
        self.feed = hub.here().join_floor(viewer)
        self.enter(viewer)

    def leave(self, viewer: FloorViewer) -> None:
        hub.here().leave_floor(viewer)

    async def answer(self, viewer: FloorViewer, said: Message) -> None:
        match said:
            case Ordered():
                receipt = await threads.run(floor.order, **protocol.order_of(said), by=self.player("direct"))
                self.tell(messages.done(seq=receipt.seq, command_id=said.command_id))
            case AnswerCall():
                await threads.run(floor.answer, call_id=said.call, by=self.player("direct"))
                self.tell(messages.done(seq=self.seq, command_id=said.command_id))
            case Ping():
                self.tell(messages.pong(seq=self.seq, now=timezone.now()))
            case _:
                raise Invalid(
                    "The floor orders and answers here; the rest is said at a table's socket.", "wrong-socket"
                )
