"""Where the news of this process's tables comes together: one hub to an event loop, one feed to a watched table.

News comes by three ways: from this process's own commits (``tell``, from any thread), from other processes over the
channel layer, and from the heartbeat, which reads where all watched tables stand and so finds what the others lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable

from games import watching
from games.live import layer, threads
from games.live.feed import TableFeed
from games.live.floor_feed import FloorFeed, FloorViewer
from games.live.layer import News, SignedOut, Subscription
from games.live.sessions import Register
from games.live.viewer import Viewer

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 3.0
#: How soon a session is noticed that ended without telling anybody.
SESSION_SECONDS = 30.0


class Hub:
    """The feeds and sessions of one loop. Its own thread's, but for what ``tell`` hands over."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.feeds: dict[int, TableFeed] = {}
        self.floor: FloorFeed | None = None
        self.sessions = Register()
        self._subscription = Subscription(lambda news: self.hear(news, is_from_here=False))
        self._tasks = [
            loop.create_task(_every(HEARTBEAT_SECONDS, self._heartbeat)),
            loop.create_task(_every(SESSION_SECONDS, self.sessions.check)),
        ]

    def join(self, table: int, viewer: Viewer) -> TableFeed:
        """Let ``viewer`` be told of ``table`` from now on."""
        feed = self.feeds.get(table)
        if feed is None:
            feed = self.feeds[table] = TableFeed(table)
            self._subscription.want(table)
        feed.join(viewer)
        return feed

    def leave(self, table: int, viewer: Viewer) -> None:
        viewer.outbox.stop()
        feed = self.feeds.get(table)
        if feed is None:
            return
        feed.leave(viewer)
        if not feed.viewers:
            feed.close()
            del self.feeds[table]
            self._subscription.drop(table)

    def join_floor(self, viewer: FloorViewer) -> FloorFeed:
        """Let ``viewer`` be told of every table from now on."""
        if self.floor is None:
            self.floor = FloorFeed(self._subscription)
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

    def hear(self, news: News, *, is_from_here: bool) -> None:
        if isinstance(news, SignedOut):
            self.sessions.end(news.session)
            return
        if self.floor is not None:
            self.floor.nudge()
        feed = self.feeds.get(news.table)
        if feed is not None:
            feed.nudge(upto=(news.hand, news.seq), is_from_here=is_from_here, is_table_due=news.is_table_due)

    async def close(self) -> None:
        """End what runs here beside the feeds."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._subscription.close()

    async def _heartbeat(self) -> None:
        if self.floor is not None:
            self.floor.nudge()
            for stuck in [watcher for watcher in self.floor.viewers if watcher.outbox.is_stuck]:
                self.leave_floor(stuck)
        for table, standing in (await threads.run(watching.standings, list(self.feeds))).items():
            if table in self.feeds:
                self.feeds[table].heartbeat(standing)
        for table, feed in list(self.feeds.items()):
            for viewer in [viewer for viewer in feed.viewers if viewer.outbox.is_stuck]:
                self.leave(table, viewer)


async def _every(seconds: float, do: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await do()
        except Exception:
            logger.exception("the sockets' heartbeat failed")


_lock = threading.Lock()
_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def here() -> Hub:
    """The hub of the running loop, made when the first socket asks for it."""
    loop = asyncio.get_running_loop()
    hub = _hubs.get(loop)
    if hub is None:
        with _lock:
            for ended in [known for known in _hubs if known.is_closed()]:
                del _hubs[ended]
            hub = _hubs[loop] = Hub(loop)
    return hub


def tell(news: News) -> None:
    """A commit of this process did this: tell its own sockets, and the other processes. From any thread."""
    with _lock:
        hubs = list(_hubs.values())
    for hub in hubs:
        # A loop that is closed has no sockets any more.
        with contextlib.suppress(RuntimeError):
            hub.loop.call_soon_threadsafe(_hear_from_here, hub, news)
    layer.publish(news)


def _hear_from_here(hub: Hub, news: News) -> None:
    hub.hear(news, is_from_here=True)
