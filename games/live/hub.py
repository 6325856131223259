"""The hub of this process: one feed for each watched table, one for the floor, and who is connected where.

The heartbeat reads the state of all watched tables, and so finds what got lost between processes. Services are told
when a player's last socket at a table is gone, where the table gives extra time for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable

from django.utils import timezone

from cardroom.realtime import hubs, layer
from games.live.feed import FloorFeed, FloorViewer, TableFeed, Viewer
from games.live.messages import Nudge, group_of
from games.play import hands, pacing
from games.tables import watching

# Presence


logger = logging.getLogger(__name__)

#: A page that is loaded again is back by then, and nobody has to hear of it.
GRACE_SECONDS = 2.0
#: A table, and somebody at it, by their ids.
Place = tuple[int, int]


class Presence:
    """``is_here``: whether somebody has a socket here at that moment."""

    def __init__(self, is_here: Callable[[int, int], bool]) -> None:
        self._is_here = is_here
        self._tasks: set[asyncio.Task[None]] = set()
        #: What could not be told.
        self._untold: set[Place] = set()
        # One after the other, so that what is told last is what is so.
        self._turn = asyncio.Lock()

    def came(self, place: Place) -> None:
        self._tell(place, after=0)

    def went(self, place: Place) -> None:
        self._tell(place, after=GRACE_SECONDS)

    def check(self, lost: Iterable[Place]) -> None:
        """``lost``: whom nobody is said to hear from. Another process said so, perhaps, and they are here."""
        untold, self._untold = self._untold, set()
        for place in untold | {place for place in lost if self._is_here(*place)}:
            self._tell(place, after=0)

    async def close(self) -> None:
        """Whose sockets go with this process is not out of touch: they come back to another."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _tell(self, place: Place, *, after: float) -> None:
        task = asyncio.get_running_loop().create_task(self._told(place, after))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _told(self, place: Place, after: float) -> None:
        await asyncio.sleep(after)
        table, player = place
        async with self._turn:
            is_here = self._is_here(table, player)
            try:
                await layer.run(hands.heard, table_id=table, player_id=player, is_here=is_here)
            except Exception:
                # The database may be away. The heartbeat comes back to it.
                self._untold.add(place)
                logger.exception("table %s: could not be told who is there", table)


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
        for table, standing in (await layer.run(watching.standings, list(self.feeds))).items():
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
        self.presence.check(await layer.run(watching.lost, minding) if minding else [])
        if events:
            await layer.run(pacing.note, events, now=timezone.now())


_hubs = hubs.Hubs(Hub)
here = _hubs.here
tell = _hubs.tell
