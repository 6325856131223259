"""What still has to be written to one socket: bounded, in order, and never in anybody's way.

A socket that reads too slowly loses what was queued for it; once it has taken the rest, ``on_room`` says up to where it
really got, and its feed goes on from there. Knows nothing of tables.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

#: Messages that may wait for one socket: several hands' worth, some ten kilobytes.
MOST_QUEUED = 64
#: A socket that has taken nothing for so many seconds is given up.
PATIENCE = 30.0

#: How far a message brings its reader; the feed's own, passed through.
Mark = tuple[int, int] | None


class Outbox:
    """The queue before one socket, and the task that empties it; ``send`` is the ASGI send."""

    def __init__(
        self,
        send: Callable[[dict[str, Any]], Awaitable[None]],
        *,
        on_room: Callable[[Mark], None],
    ) -> None:
        self._send = send
        self._on_room = on_room
        self._queue: deque[tuple[dict[str, Any], Mark]] = deque()
        self._something: asyncio.Future[None] | None = None
        self._written: Mark = None
        self._loop = asyncio.get_running_loop()
        self._busy_since: float | None = None
        #: The socket is being closed.
        self.is_ending = False
        self._task = self._loop.create_task(self._write())
        #: Something was dropped: there is no point in queueing more before the reader has caught up.
        self.is_behind = False

    def put(self, text: str, mark: Mark = None) -> None:
        """Queue a message. If there is no room for it, everything in the queue is dropped."""
        if self.is_behind or self.is_ending:
            return
        if len(self._queue) >= MOST_QUEUED:
            self._queue.clear()
            self.is_behind = True
        else:
            self._queue.append(({"type": "websocket.send", "text": text}, mark))
        self._wake()

    def end(self, code: int, reason: str) -> None:
        """Close the socket when what is queued has been written; nothing is queued after this."""
        if not self.is_ending:
            self.is_ending = True
            self._queue.append(({"type": "websocket.close", "code": code, "reason": reason}, None))
            self._wake()

    def stop(self) -> None:
        """The other end is gone: write no more."""
        self.is_ending = True
        self._task.cancel()

    @property
    def is_stuck(self) -> bool:
        """Whether the other end has taken nothing for longer than anybody's patience."""
        return self._busy_since is not None and self._loop.time() - self._busy_since > PATIENCE

    def _wake(self) -> None:
        if self._something is not None and not self._something.done():
            self._something.set_result(None)

    async def _write(self) -> None:
        while True:
            if not self._queue and not self.is_behind:
                self._something = self._loop.create_future()
                await self._something
            while self._queue:
                message, mark = self._queue.popleft()
                self._busy_since = self._loop.time()
                try:
                    await self._send(message)
                except Exception:
                    return  # the other end went away, and its disconnect comes in by its own way
                self._written = mark or self._written
            self._busy_since = None
            if self.is_behind:
                self.is_behind = False
                self._on_room(self._written)
