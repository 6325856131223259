"""One socket at one tournament: it is told what everybody may know, and a player what is theirs."""

from __future__ import annotations

import logging
from typing import Any

from django.utils import timezone

from cardroom.live import messages, threads
from cardroom.live.sessions import Register
from cardroom.live.sockets import LATER, NOWHERE, SpeakingConsumer, Unavailable
from cardroom.services import notices
from cardroom.services.errors import NotFound
from tournaments.live import hub, protocol
from tournaments.live.protocol import CatchUp, Message, Seen
from tournaments.live.viewer import Viewer
from tournaments.selectors import board

logger = logging.getLogger(__name__)


class TournamentConsumer(SpeakingConsumer):
    """Somebody who follows an event; anybody may."""

    viewer: Viewer | None = None

    def sessions_here(self) -> Register:
        return hub.here().sessions

    def read(self, text: str | None) -> Message:
        message: Message = protocol.parse(text)
        return message

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        self.tournament = int(self.scope["url_route"]["kwargs"]["tournament_id"])
        try:
            is_there = await threads.run(board.versions, [self.tournament])
        except Exception:
            logger.exception("a socket could not be served")
            await self.turn_away(Unavailable("The room cannot be reached just now. Try again shortly."), LATER)
            return
        if not is_there:
            await self.turn_away(NotFound("There is no such event.", "no-such-event"), NOWHERE)
            return
        user = self.scope["user"]
        viewer = Viewer(user if user.is_authenticated else None, self.line, on_room=lambda: self.feed.nudge())
        self.feed = hub.here().join(self.tournament, viewer)
        self.enter(viewer)

    def leave(self, viewer: Viewer) -> None:
        hub.here().leave(self.tournament, viewer)

    async def answer(self, viewer: Viewer, said: Message) -> None:
        match said:
            case CatchUp():
                viewer.start_over()
                self.feed.nudge()
            case Seen():
                await threads.run(notices.read, notice_id=said.notice, player=self.player())
                self.tell(messages.done(seq=self.seq, command_id=said.command_id))
            case _:
                self.tell(protocol.pong(seq=self.seq, now=timezone.now(), sent=said.sent))
