"""Where the news of a process's sockets comes together: one hub of a kind to an event loop.

News comes by three ways: from this process's own commits (``Hubs.tell``, from any thread), from other processes over
the channel layer, and from a heartbeat, by which a hub finds what the others lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

from cardroom.realtime import layer
from cardroom.realtime.layer import News, SignedOut, Subscription
from cardroom.realtime.sessions import Register

logger = logging.getLogger(__name__)

#: How soon a session is noticed that ended without telling anybody.
SESSION_SECONDS = 30.0


class Hub:
    """The sessions of one loop, and what is told to its sockets. Its own thread's, but for what ``tell`` hands over."""

    def __init__(self, loop: asyncio.AbstractEventLoop, *, heartbeat_seconds: float) -> None:
        self.loop = loop
        self.sessions = Register()
        self.subscription = Subscription(lambda news: self.hear(news, is_from_here=False))
        self._tasks = [
            loop.create_task(_every(heartbeat_seconds, self.heartbeat)),
            loop.create_task(_every(SESSION_SECONDS, self.sessions.check)),
        ]

    def hear(self, news: Any, *, is_from_here: bool) -> None:
        """``is_from_here``: this process committed what the news is of."""
        if isinstance(news, SignedOut):
            self.sessions.end(news.session)
        else:
            self.pass_on(news, is_from_here=is_from_here)

    def pass_on(self, news: Any, *, is_from_here: bool) -> None:
        """Tell those whom it concerns; news of a kind that is not this hub's is nobody's."""
        raise NotImplementedError

    async def heartbeat(self) -> None:
        """Look whether anything was lost."""
        raise NotImplementedError

    async def close(self) -> None:
        """End what runs here beside the feeds."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.subscription.close()


async def _every(seconds: float, do: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await do()
        except Exception:
            logger.exception("the sockets' heartbeat failed")


H = TypeVar("H", bound=Hub)


class Hubs(Generic[H]):
    """The hubs of one kind, by loop."""

    def __init__(self, make: Callable[[asyncio.AbstractEventLoop], H]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._hubs: dict[asyncio.AbstractEventLoop, H] = {}
        _kinds.append(self)

    def here(self) -> H:
        """The hub of the running loop, made when the first socket asks for it."""
        loop = asyncio.get_running_loop()
        hub = self._hubs.get(loop)
        if hub is None:
            with self._lock:
                for ended in [known for known in self._hubs if known.is_closed()]:
                    del self._hubs[ended]
                hub = self._hubs[loop] = self._make(loop)
        return hub

    def tell(self, news: News) -> None:
        """A commit of this process did this: tell its own sockets, and the other processes. From any thread."""
        self.tell_here(news)
        layer.publish(news)

    def tell_here(self, news: News) -> None:
        """Tell the sockets of this process alone."""
        with self._lock:
            hubs = list(self._hubs.values())
        for hub in hubs:
            # A loop that is closed has no sockets any more.
            with contextlib.suppress(RuntimeError):
                hub.loop.call_soon_threadsafe(_hear_from_here, hub, news)


_kinds: list[Hubs[Any]] = []


def tell_all(news: News) -> None:
    """Tell the sockets of every kind, here and in the other processes. From any thread."""
    for kind in list(_kinds):
        kind.tell_here(news)
    layer.publish(news)


def _hear_from_here(hub: Hub, news: News) -> None:
    hub.hear(news, is_from_here=True)
