"""The socket of one tournament: everybody is told what is public, and a player what is theirs."""

from __future__ import annotations

from django.urls import URLPattern, re_path
from django.utils import timezone

from cardroom.core import notices
from cardroom.core.errors import NotFound
from cardroom.realtime import layer
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.messages import CatchUp
from cardroom.realtime.sockets import NOWHERE, SpeakingConsumer, TurnedAway
from tournaments.live import feed
from tournaments.live import messages as live_messages
from tournaments.live.feed import Viewer
from tournaments.live.messages import Message, Seen
from tournaments.prizes import board


class TournamentConsumer(SpeakingConsumer):
    """Somebody who follows an event; anybody may."""

    here = staticmethod(feed.here)
    parse = live_messages.parse

    async def admit(self) -> None:
        tournament = int(self.scope["url_route"]["kwargs"]["tournament_id"])
        if not await layer.run(board.versions, [tournament]):
            raise TurnedAway(NotFound("There is no such event.", "no-such-event"), NOWHERE)
        viewer = Viewer(self.user, self.line)
        feed.here().join(tournament, viewer)
        self.enter(viewer)

    async def answer(self, viewer: Viewer, said: Message) -> None:
        match said:
            case CatchUp():
                viewer.start_over()
                viewer.feed.wake()
            case Seen():
                await layer.run(notices.read, notice_id=said.notice, player=self.player())
                self.tell(realtime_messages.done(seq=self.seq, command_id=said.command_id))
            case _:
                self.tell(live_messages.pong(seq=self.seq, now=timezone.now(), sent=said.sent))


# Addresses


websocket_urlpatterns: list[URLPattern] = [
    re_path(r"^ws/tournaments/(?P<tournament_id>[0-9]{1,18})/$", TournamentConsumer.as_asgi())
]
