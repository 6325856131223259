"""The socket of a tournament."""

from __future__ import annotations

from django.urls import URLPattern, re_path
from django.utils import timezone

from cardroom.core import notices
from cardroom.core.errors import NotFound
from cardroom.realtime import layer
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.messages import CatchUp
from cardroom.realtime.sockets import NOWHERE, SpeakingConsumer, TurnedAway
from tournaments.live.feed import EventViewer
from tournaments.live.hub import here
from tournaments.live.messages import Message, Seen, parse, pong
from tournaments.prizes import board


class TournamentConsumer(SpeakingConsumer):
    """Somebody who follows an event; anybody may."""

    here = staticmethod(here)
    parse = parse

    async def admit(self) -> None:
        tournament = int(self.scope["url_route"]["kwargs"]["tournament_id"])
        if not await layer.run(board.versions, [tournament]):
            raise TurnedAway(NotFound("no-such-event", "There is no such tournament."), NOWHERE)
        viewer = EventViewer(self.user, self.line)
        here().join(tournament, viewer)
        self.enter(viewer)

    async def answer(self, viewer: EventViewer, message: Message) -> None:
        match message:
            case CatchUp():
                viewer.start_over()
                viewer.feed.wake()
            case Seen():
                await layer.run(notices.read, notice_id=message.notice, by=self.player())
                self.tell(realtime_messages.done(seq=self.seq, command_id=message.command_id))
            case _:
                self.tell(pong(seq=self.seq, now=timezone.now(), sent=message.sent))


websocket_urlpatterns: list[URLPattern] = [
    re_path(r"^ws/tournaments/(?P<tournament_id>[0-9]{1,18})/$", TournamentConsumer.as_asgi())
]
