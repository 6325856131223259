"""What a process's sockets are told: one hub of a kind to an event loop, and in it one feed to each thing watched.

Messages come by three ways: from this process's own commits (``Hubs.tell``, from any thread), from other processes over
the channel layer, and from a heartbeat, by which a hub finds what the others lost. A feed has one way of telling, for
every viewer that has just joined, asked, fallen behind or been nudged: so a lost nudge costs time and never
correctness.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextvars import Context
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.utils import translation

from cardroom.core.errors import Refusal
from cardroom.realtime import layer, messages
from cardroom.realtime.layer import Message, SignedOut, Subscription
from cardroom.realtime.messages import Mark, Outbox
from cardroom.realtime.sessions import SessionRegister

logger = logging.getLogger(__name__)

#: How soon a session is noticed that ended without telling anybody.
SESSION_SECONDS = 30.0
#: Seconds in which a lost message is noticed at the latest.
HEARTBEAT_SECONDS = 3.0


class Viewer:
    """One socket, and how far it has been told. ``user``: None for somebody who is not logged in. It is made in the
    task of its socket, whose ``language`` it keeps: a feed has none of its own."""

    #: The last fact it was told.
    seq = 0
    #: What it looks at, once it has joined.
    feed: Any = None

    def __init__(self, user: Any, send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
        self.user = user
        self.user_id: int | None = user.pk if user is not None else None
        self.language = translation.get_language() or settings.LANGUAGE_CODE
        self.outbox = Outbox(send, on_room=self.has_room)

    def tell(self, text: str, frame: bytes | None = None) -> None:
        """Send a message that is not part of a hand's facts; ``frame``: the same, where it is sent to many."""
        self.outbox.put(text, frame=frame)

    def dismiss(self, error: Refusal, code: int) -> None:
        """Close the socket with a reason."""
        self.tell(messages.refusal_message(error, seq=self.seq))
        self.outbox.end(code, error.code)

    def go_back(self, mark: Mark) -> None:
        """The queue was dropped: go on from ``mark``, the last that reached the socket."""
        raise NotImplementedError

    def has_room(self, mark: Mark) -> None:
        """The socket has caught up and can be told more."""
        self.go_back(mark)
        self.feed.has_room()


V = TypeVar("V", bound=Viewer)


class Feed(Generic[V]):
    """What is watched, by its id, and its viewers in this process."""

    kind = ""

    def __init__(self, of: int, subscription: Subscription) -> None:
        self.of = of
        self.viewers: set[V] = set()
        self._subscription = subscription
        self._groups: set[str] = set()
        self._woken = asyncio.Event()
        # It outlives the first viewer, and has nothing of theirs, such as their language.
        self._task = asyncio.get_running_loop().create_task(self._run(), context=Context())

    def wake(self) -> None:
        """Start a pass: something happened, or a viewer waits."""
        self._woken.set()

    def has_room(self) -> None:
        """A viewer who had fallen behind can be told more."""
        self.wake()

    def join(self, viewer: V) -> None:
        viewer.feed = self
        self.viewers.add(viewer)
        self.wake()

    def listen(self, groups: set[str]) -> None:
        """Subscribe to these groups of other processes, and to no others."""
        for group in groups - self._groups:
            self._subscription.want(group)
        for group in self._groups - groups:
            self._subscription.drop(group)
        self._groups = groups

    def close(self) -> None:
        self._task.cancel()
        self.listen(set())

    def heartbeat(self, position: Any) -> None:
        """Compare with the database: wake if it is ahead, or if telling failed the last time."""
        raise NotImplementedError

    async def catch_up(self) -> None:
        """The one pass: read what the viewers have not been told, once for all of them, and tell everybody what is new
        to them."""
        raise NotImplementedError

    def failed(self) -> None:
        """A pass failed, maybe without a database: the sockets stay open and the heartbeat tries again."""

    def pause(self) -> float:
        """Seconds between two passes, at least; what happens meanwhile is told with the next one."""
        return 0.0

    async def _run(self) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            try:
                await self.catch_up()
            except Exception:
                self.failed()
                logger.exception("%s %s: its viewers could not be told", self.kind, self.of)
            if pause := self.pause():
                await asyncio.sleep(pause)


class Hub:
    """The sessions of one loop, and what is told to its sockets. Its own thread's, but for what ``tell`` hands over."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.sessions = SessionRegister()
        self.subscription = Subscription(lambda message: self.hear(message, is_from_here=False))
        self._tasks = [
            loop.create_task(_every(HEARTBEAT_SECONDS, self.heartbeat), context=Context()),
            loop.create_task(_every(SESSION_SECONDS, self.sessions.check), context=Context()),
        ]

    def hear(self, message: Any, *, is_from_here: bool) -> None:
        """``is_from_here``: this process committed what the message is about."""
        if isinstance(message, SignedOut):
            self.sessions.end(message.session)
        else:
            self.pass_on(message, is_from_here=is_from_here)

    def pass_on(self, message: Any, *, is_from_here: bool) -> None:
        """Pass a message on to the feeds it concerns; other kinds of messages are ignored."""
        raise NotImplementedError

    def leave(self, viewer: Any) -> None:
        """The socket is closed."""
        raise NotImplementedError

    async def heartbeat(self) -> None:
        """Find lost messages, and close sockets that stopped reading."""
        raise NotImplementedError

    async def close(self) -> None:
        """Stop the hub's own tasks."""
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


F = TypeVar("F", bound=Feed[Any])


class FeedHub(Hub, Generic[F]):
    """A hub of feeds, by the id of what each of them watches."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.feeds: dict[int, F] = {}

    def make(self, of: int, **known: Any) -> F:
        """A feed of this subject; ``known``: what the joining viewer has read of it."""
        raise NotImplementedError

    def read(self, of: list[int]) -> Mapping[int, Any]:
        """The positions of these feeds in the database, for their heartbeats."""
        raise NotImplementedError

    def join(self, of: int, viewer: Viewer, **known: Any) -> F:
        """Add a viewer."""
        if of not in self.feeds:
            self.feeds[of] = self.make(of, **known)
        self.feeds[of].join(viewer)
        return self.feeds[of]

    def leave(self, viewer: Any) -> None:
        viewer.outbox.stop()
        feed = viewer.feed
        feed.viewers.discard(viewer)
        if not feed.viewers and feed in self.feeds.values():
            self.feeds.pop(feed.of).close()

    async def heartbeat(self) -> None:
        for of, position in (await layer.run(self.read, list(self.feeds))).items():
            if of in self.feeds:
                self.feeds[of].heartbeat(position)
        for feed in list(self.feeds.values()):
            for stuck in [viewer for viewer in feed.viewers if viewer.outbox.is_stuck]:
                self.leave(stuck)


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

    def tell(self, message: Message) -> None:
        """A commit of this process did this: tell its own sockets, and the other processes. From any thread."""
        self.tell_here(message)
        layer.publish(message)

    def tell_here(self, message: Message) -> None:
        """Tell the sockets of this process alone."""
        with self._lock:
            hubs = list(self._hubs.values())
        for hub in hubs:
            # A loop that is closed has no sockets any more.
            with contextlib.suppress(RuntimeError):
                hub.loop.call_soon_threadsafe(_hear_from_here, hub, message)


_kinds: list[Hubs[Any]] = []


def tell_all(message: Message) -> None:
    """Tell the sockets of every kind, here and in the other processes. From any thread."""
    for kind in list(_kinds):
        kind.tell_here(message)
    layer.publish(message)


def _hear_from_here(hub: Hub, message: Message) -> None:
    hub.hear(message, is_from_here=True)
