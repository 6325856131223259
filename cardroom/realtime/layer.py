"""Messages between processes over the channel layer, ids and numbers only; and threads for blocking work.

Knows groups and messages, no sockets. The code that commits publishes, in any thread or process; a loop with sockets
subscribes to the groups it wants. Neither ever waits for the other, and the heartbeat finds what gets lost. Where the
layer does not leave this process there is nothing to do: its sockets are told directly.

The threads are few: more would only wait for each other, as a table is one row to lock and Python runs one thread at a
time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar
from uuid import uuid4

from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.conf import settings
from django.db import close_old_connections
from django.utils import translation

from cardroom.core.database import kept

logger = logging.getLogger(__name__)

PATIENCE = 3.0
RETRY = 1.0
_ME = uuid4().hex


class Message(Protocol):
    """Something that happened: a frozen, slotted dataclass of ids and numbers."""

    __slots__: tuple[str, ...]

    @property
    def group(self) -> str:
        """The group the message is sent to."""

    @property
    def slot(self) -> tuple[object, ...]:
        """A message that still waits to be sent is replaced by a newer one of the same slot, which says no less."""


@dataclass(frozen=True, slots=True)
class SignedOut:
    """A session is over; ``session`` is a digest of its key."""

    session: str

    @property
    def group(self) -> str:
        return EVERYBODY

    @property
    def slot(self) -> tuple[object, ...]:
        return EVERYBODY, self.session


EVERYBODY = "sockets"
#: A group without members.
_NOBODY = "nobody"
_KINDS: dict[str, type[Any]] = {"signed-out": SignedOut}


def register(kind: str, cls: type[Any]) -> None:
    """Register the class of messages of one ``kind`` between processes; a kind keeps its meaning for ever."""
    _KINDS[kind] = cls


def encode(message: Message) -> dict[str, Any]:
    kind = next(kind for kind, cls in _KINDS.items() if isinstance(message, cls))
    return {"type": kind, "from": _ME, **{name: getattr(message, name) for name in message.__slots__}}


def decode(sent: dict[str, Any]) -> Message | None:
    """The message; None for one this process published itself, and for an unknown one."""
    fields = dict(sent)
    cls = _KINDS.get(fields.pop("type", ""))
    if fields.pop("from", _ME) == _ME or cls is None:
        return None
    try:
        message: Message = cls(**fields)
    except TypeError:
        return None  # from another version of the room
    return message


def leaves_this_process() -> bool:
    """Whether other processes receive what is published."""
    return not isinstance(get_channel_layer(), InMemoryChannelLayer | None)


def publish(message: Message) -> None:
    """Tell the other processes; returns at once, from any thread."""
    if leaves_this_process():
        _publisher().put(message)


async def is_up() -> bool:
    """Whether messages can leave this process now; True where they need not."""
    if not leaves_this_process():
        return True
    try:
        async with asyncio.timeout(PATIENCE):
            await get_channel_layer().group_send(_NOBODY, {"type": "echo"})
    except Exception as error:
        logger.warning("no news between processes for now: %s", type(error).__name__)
        return False
    return True


class Publisher:
    """A thread with a loop of its own: those who commit run in threads that have none, and do not wait for Redis.

    What is waiting and says no more than a newer message is replaced by it.
    """

    def __init__(self) -> None:
        self._waiting: dict[tuple[object, ...], Message] = {}
        self._lock = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._something = asyncio.Event()
        threading.Thread(target=self._loop.run_until_complete, args=(self._send(),), name="nudges", daemon=True).start()

    def put(self, message: Message) -> None:
        with self._lock:
            is_first = not self._waiting
            self._waiting[message.slot] = message
        if is_first:
            self._loop.call_soon_threadsafe(self._something.set)

    async def _send(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            with self._lock:
                waiting, self._waiting = self._waiting, {}
            for message in waiting.values():
                try:
                    async with asyncio.timeout(PATIENCE):
                        await get_channel_layer().group_send(message.group, encode(message))
                except Exception as error:
                    logger.warning("a nudge was lost: %s", type(error).__name__)


_publishers: dict[int, Publisher] = {}
_publishers_lock = threading.Lock()


def _publisher() -> Publisher:
    with _publishers_lock:
        pid = os.getpid()  # a thread does not live on in a forked child
        if pid not in _publishers:
            _publishers[pid] = Publisher()
        return _publishers[pid]


class Subscription:
    """What one loop hears of other processes: the groups it wants, and what concerns everybody."""

    def __init__(self, hear: Callable[[Message], None]) -> None:
        self._hear = hear
        self._wants: Counter[str] = Counter([EVERYBODY])
        self._had: set[str] = set()
        self._channel = ""
        self._changed = asyncio.Event()
        self._changed.set()
        self._listener: asyncio.Task[None] | None = None
        self._keeper = asyncio.get_running_loop().create_task(self._keep()) if leaves_this_process() else None
        #: Set once other processes are heard, where there are any; and since when, by the loop's clock.
        self.has_begun = asyncio.Event()
        self.since: float | None = None
        if self._keeper is None:
            self._begin()

    def _begin(self) -> None:
        if self.since is None:
            self.since = asyncio.get_running_loop().time()
            self.has_begun.set()

    def want(self, group: str) -> None:
        """Subscribe to a group; each call needs its own `drop`."""
        self._wants[group] += 1
        self._changed.set()

    def drop(self, group: str) -> None:
        self._wants[group] -= 1
        self._changed.set()

    async def close(self) -> None:
        for task in (self._keeper, self._listener):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    async def _keep(self) -> None:
        """Keep the subscription equal to the wanted groups; a layer that is away is tried again until it is back."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._mend()
                self._begin()
            except Exception as error:
                logger.warning("no news from other processes for now: %s", type(error).__name__)
                self._changed.set()
                await asyncio.sleep(RETRY)

    async def _mend(self) -> None:
        layer = get_channel_layer()
        if not self._channel:
            self._channel = await layer.new_channel("feed.")
            self._listener = asyncio.get_running_loop().create_task(self._listen())
        wanted = set(+self._wants)
        for group in wanted - self._had:
            await layer.group_add(group, self._channel)
            self._had.add(group)
        for group in self._had - wanted:
            await layer.group_discard(group, self._channel)
            self._had.discard(group)

    async def _listen(self) -> None:
        layer = get_channel_layer()
        while True:
            message = decode(await layer.receive(self._channel))
            if message is not None:
                self._hear(message)


# Threads


P = ParamSpec("P")
T = TypeVar("T")

MOST = 8
_pool = ThreadPoolExecutor(max_workers=MOST, thread_name_prefix="live", initializer=kept.keep)


async def run(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """``work(...)`` in one of the threads; its database connection is given back afterwards.

    What `database_sync_to_async` does with threads of its own, carrying over no more context than the language that
    refusals are said in: half the cost, on every action's way.
    """
    call = partial(_run, translation.get_language() or settings.LANGUAGE_CODE, work, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_pool, call)


def _run(language: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    translation.activate(language)
    try:
        return work(*args, **kwargs)
    finally:
        close_old_connections()
