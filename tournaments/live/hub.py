"""Where the news of this process's tournaments comes together: one feed to an event that somebody looks at."""

from __future__ import annotations

import asyncio

from cardroom.live import hubs, threads
from tournaments.live.feed import EventFeed
from tournaments.live.nudge import Moved, Noticed, group_of
from tournaments.live.viewer import Viewer
from tournaments.selectors import board

HEARTBEAT_SECONDS = 3.0


class Hub(hubs.Hub):
    """The feeds of one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop, heartbeat_seconds=HEARTBEAT_SECONDS)
        self.feeds: dict[int, EventFeed] = {}

    def join(self, tournament: int, viewer: Viewer) -> EventFeed:
        """Let ``viewer`` be told of ``tournament`` from now on."""
        feed = self.feeds.get(tournament)
        if feed is None:
            feed = self.feeds[tournament] = EventFeed(tournament)
            self.subscription.want(group_of(tournament))
        feed.join(viewer)
        return feed

    def leave(self, tournament: int, viewer: Viewer) -> None:
        viewer.outbox.stop()
        feed = self.feeds.get(tournament)
        if feed is None:
            return
        feed.leave(viewer)
        if not feed.viewers:
            feed.close()
            del self.feeds[tournament]
            self.subscription.drop(group_of(tournament))

    def pass_on(self, news: object, *, is_from_here: bool) -> None:
        if isinstance(news, Moved) and news.tournament in self.feeds:
            self.feeds[news.tournament].nudge()
        elif isinstance(news, Noticed):
            for feed in self.feeds.values():
                if feed.has(news.player):
                    feed.nudge()

    async def heartbeat(self) -> None:
        for tournament, version in (await threads.run(board.versions, list(self.feeds))).items():
            if tournament in self.feeds:
                self.feeds[tournament].heartbeat(version)
        for tournament, feed in list(self.feeds.items()):
            for viewer in [viewer for viewer in feed.viewers if viewer.outbox.is_stuck]:
                self.leave(tournament, viewer)


_hubs = hubs.Hubs(Hub)
here = _hubs.here
tell = _hubs.tell
