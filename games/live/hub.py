"""The hub of this process: one feed for each watched table, one for the floor, and who is connected where.

The heartbeat reads the state of all watched tables, and so finds what got lost between processes. Services are told
when a player's last socket at a table is gone, where the table gives extra time for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any

from django.utils import timezone

from cardroom.realtime import hubs, layer
from cardroom.realtime.hubs import Viewer
from games.live.feed import FloorFeed, TableFeed
from games.live.messages import Nudge
from games.play import clocks, hands
from games.tables import locking

logger = logging.getLogger(__name__)

#: A page that is loaded again is back within this time, and does not count as gone.
GRACE_SECONDS = 2.0
#: A table, and somebody at it, by their ids.
Place = tuple[int, int]


class Presence:
    """Reports to the tables which of their players have a socket. ``is_here(table, user)``: whether they have one in
    this process now."""

    def __init__(self, is_here: Callable[[int, int], bool]) -> None:
        self._is_here = is_here
        self._tasks: set[asyncio.Task[None]] = set()
        #: Places whose report failed.
        self._unreported: set[Place] = set()
        # One after the other, so that the last report is the true one.
        self._turn = asyncio.Lock()

    def came(self, place: Place) -> None:
        self._tell(place, after=0)

    def went(self, place: Place) -> None:
        self._tell(place, after=GRACE_SECONDS)

    def check(self, lost: Iterable[Place]) -> None:
        """Report failed places again, and those of ``lost`` (noted as gone, perhaps by another process) who are
        here."""
        unreported, self._unreported = self._unreported, set()
        for place in unreported | {place for place in lost if self._is_here(*place)}:
            self._tell(place, after=0)

    async def close(self) -> None:
        """At the end of the process: players whose sockets close now are not noted as out of touch."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _tell(self, place: Place, *, after: float) -> None:
        task = asyncio.get_running_loop().create_task(self._report(place, after))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _report(self, place: Place, after: float) -> None:
        await asyncio.sleep(after)
        table, player = place
        async with self._turn:
            is_here = self._is_here(table, player)
            try:
                await layer.run(hands.note_presence, table_id=table, player_id=player, is_here=is_here)
            except Exception:
                # The database may be away. The next heartbeat tries again.
                self._unreported.add(place)
                logger.exception("table %s: could not be told who is there", table)


#: The key of the floor's feed among those of tables.
FLOOR = 0


class TableHub(hubs.FeedHub[TableFeed | FloorFeed]):
    """The feeds of one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.presence = Presence(self.is_here)

    def make(self, of: int, **known: bool) -> TableFeed | FloorFeed:
        return FloorFeed(of, self.subscription) if of == FLOOR else TableFeed(of, self.subscription, **known)

    def read(self, of: list[int]) -> dict[int, Any]:
        return {FLOOR: None, **locking.positions([table for table in of if table != FLOOR])}

    def join(self, of: int, viewer: Viewer, **known: bool) -> TableFeed | FloorFeed:
        feed = super().join(of, viewer, **known)
        if place := _place_to_report(viewer):
            self.presence.came(place)
        return feed

    def leave(self, viewer: Viewer) -> None:
        super().leave(viewer)
        if place := _place_to_report(viewer):
            self.presence.went(place)

    def is_here(self, table: int, user: int) -> bool:
        """Whether this user watches this table through this process."""
        feed = self.feeds.get(table)
        return feed is not None and any(viewer.user_id == user for viewer in feed.viewers)

    def pass_on(self, message: object, *, is_from_here: bool) -> None:
        if not isinstance(message, Nudge):
            return
        if FLOOR in self.feeds:
            self.feeds[FLOOR].wake()
        feed = self.feeds.get(message.table)
        if isinstance(feed, TableFeed):
            feed.nudge(upto=(message.hand, message.seq), is_from_here=is_from_here, is_table_due=message.is_table_due)

    async def heartbeat(self) -> None:
        """Also corrects who is present, and notes that tables of events are watched."""
        minding = [table for table, feed in self.feeds.items() if feed.minds_presence]
        events = [table for table, feed in self.feeds.items() if feed.is_of_event]
        self.presence.check(await layer.run(locking.lost, minding) if minding else [])
        if events:
            await layer.run(clocks.note, events, now=timezone.now())
        await super().heartbeat()

    async def close(self) -> None:
        await super().close()
        await self.presence.close()


def _place_to_report(viewer: Viewer) -> Place | None:
    """The place of a viewer whose only socket at the table this is, or was; None where there are others, or the table
    need not know."""
    feed, user = viewer.feed, viewer.user_id
    if user is None or not feed.minds_presence:
        return None
    is_only = all(other.user_id != user for other in feed.viewers if other is not viewer)
    return (feed.of, user) if is_only else None


_hubs = hubs.Hubs(TableHub)
here = _hubs.here
tell = _hubs.tell
