"""The socket of one tournament: everybody is told what is public, and a player what is theirs."""

from __future__ import annotations

import logging
from typing import Any

from django.urls import URLPattern, re_path
from django.utils import timezone

from cardroom.core import notices
from cardroom.core.errors import NotFound
from cardroom.realtime import layer
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.sessions import Register
from cardroom.realtime.sockets import LATER, NOWHERE, SpeakingConsumer, Unavailable
from tournaments.live import feed
from tournaments.live import messages as live_messages
from tournaments.live.feed import Viewer
from tournaments.live.messages import CatchUp, Message, Seen
from tournaments.prizes import board

logger = logging.getLogger(__name__)


class TournamentConsumer(SpeakingConsumer):
    """Somebody who follows an event; anybody may."""

    viewer: Viewer | None = None

    def sessions_here(self) -> Register:
        return feed.here().sessions

    def read(self, text: str | None) -> Message:
        message: Message = live_messages.parse(text)
        return message

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        self.tournament = int(self.scope["url_route"]["kwargs"]["tournament_id"])
        try:
            is_there = await layer.run(board.versions, [self.tournament])
        except Exception:
            logger.exception("a socket could not be served")
            await self.turn_away(Unavailable("The room cannot be reached just now. Try again shortly."), LATER)
            return
        if not is_there:
            await self.turn_away(NotFound("There is no such event.", "no-such-event"), NOWHERE)
            return
        user = self.scope["user"]
        viewer = Viewer(user if user.is_authenticated else None, self.line, on_room=lambda: self.feed.nudge())
        self.feed = feed.here().join(self.tournament, viewer)
        self.enter(viewer)

    def leave(self, viewer: Viewer) -> None:
        feed.here().leave(self.tournament, viewer)

    async def answer(self, viewer: Viewer, said: Message) -> None:
        match said:
            case CatchUp():
                viewer.start_over()
                self.feed.nudge()
            case Seen():
                await layer.run(notices.read, notice_id=said.notice, player=self.player())
                self.tell(realtime_messages.done(seq=self.seq, command_id=said.command_id))
            case _:
                self.tell(live_messages.pong(seq=self.seq, now=timezone.now(), sent=said.sent))


# Addresses


websocket_urlpatterns: list[URLPattern] = [
    re_path(r"^ws/tournaments/(?P<tournament_id>[0-9]{1,18})/$", TournamentConsumer.as_asgi()),
]
