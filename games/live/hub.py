"""Where the news of this process's tables comes together: one feed to a watched table, and one to the floor.

The heartbeat reads where all watched tables stand, and so finds what got lost between processes.
"""

from __future__ import annotations

import asyncio

from django.utils import timezone

from cardroom.live import hubs, threads
from games import watching
from games.live.feed import TableFeed
from games.live.floor_feed import FloorFeed, FloorViewer
from games.live.nudge import Nudge, group_of
from games.live.presence import Presence
from games.live.viewer import Viewer
from games.services import watched

HEARTBEAT_SECONDS = 3.0


class Hub(hubs.Hub):
    """The feeds of one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop, heartbeat_seconds=HEARTBEAT_SECONDS)
        self.feeds: dict[int, TableFeed] = {}
        self.floor: FloorFeed | None = None
        self.presence = Presence(self.is_here)

    def join(self, table: int, viewer: Viewer, *, is_of_event: bool = False, minds_presence: bool = False) -> TableFeed:
        """Let ``viewer`` be told of ``table`` from now on. ``minds_presence``: its players have extra time when they
        lose touch, so it is told who is here."""
        feed = self.feeds.get(table)
        if feed is None:
            feed = self.feeds[table] = TableFeed(table, is_of_event=is_of_event, minds_presence=minds_presence)
            self.subscription.want(group_of(table))
        if feed.minds_presence and viewer.user_id is not None and not self.is_here(table, viewer.user_id):
            self.presence.came((table, viewer.user_id))
        feed.join(viewer)
        return feed

    def is_here(self, table: int, user: int) -> bool:
        """Whether this user looks at this table through this process."""
        feed = self.feeds.get(table)
        return feed is not None and any(viewer.user_id == user for viewer in feed.viewers)

    def leave(self, table: int, viewer: Viewer) -> None:
        viewer.outbox.stop()
        feed = self.feeds.get(table)
        if feed is None:
            return
        feed.leave(viewer)
        if not feed.viewers:
            feed.close()
            del self.feeds[table]
            self.subscription.drop(group_of(table))
        if feed.minds_presence and viewer.user_id is not None and not self.is_here(table, viewer.user_id):
            self.presence.went((table, viewer.user_id))

    def join_floor(self, viewer: FloorViewer) -> FloorFeed:
        """Let ``viewer`` be told of every table from now on."""
        if self.floor is None:
            self.floor = FloorFeed(self.subscription)
        self.floor.join(viewer)
        return self.floor

    def leave_floor(self, viewer: FloorViewer) -> None:
        viewer.outbox.stop()
        if self.floor is None:
            return
        self.floor.leave(viewer)
        if not self.floor.viewers:
            self.floor.close()
            self.floor = None

    def pass_on(self, news: object, *, is_from_here: bool) -> None:
        if not isinstance(news, Nudge):
            return
        if self.floor is not None:
            self.floor.nudge()
        feed = self.feeds.get(news.table)
        if feed is not None:
            feed.nudge(upto=(news.hand, news.seq), is_from_here=is_from_here, is_table_due=news.is_table_due)

    async def heartbeat(self) -> None:
        if self.floor is not None:
            self.floor.nudge()
            for stuck in [watcher for watcher in self.floor.viewers if watcher.outbox.is_stuck]:
                self.leave_floor(stuck)
        await self._check_presence()
        for table, standing in (await threads.run(watching.standings, list(self.feeds))).items():
            if table in self.feeds:
                self.feeds[table].heartbeat(standing)
        for table, feed in list(self.feeds.items()):
            for viewer in [viewer for viewer in feed.viewers if viewer.outbox.is_stuck]:
                self.leave(table, viewer)

    async def close(self) -> None:
        await super().close()
        await self.presence.close()

    async def _check_presence(self) -> None:
        """Who is here after all; and at tables of events, that somebody looks on."""
        minding = [table for table, feed in self.feeds.items() if feed.minds_presence]
        events = [table for table, feed in self.feeds.items() if feed.is_of_event]
        self.presence.check(await threads.run(watching.lost, minding) if minding else [])
        if events:
            await threads.run(watched.note, events, now=timezone.now())


_hubs = hubs.Hubs(Hub)
here = _hubs.here
tell = _hubs.tell
