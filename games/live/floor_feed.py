"""Everybody of the floor who looks at all the tables through this process.

One pass reads the whole floor once for all of them, and tells each what they have not been told. What wakes it says
only that something happened somewhere; what is read tells what. A role that was taken away ends with the next pass.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from cardroom.live import messages, threads
from cardroom.live.layer import Subscription
from cardroom.live.outbox import Mark, Outbox
from cardroom.services.errors import Forbidden
from games.live import protocol
from games.live.nudge import group_of
from games.live.viewer import Send
from games.selectors import floor as floor_selectors
from games.services.floor import ROLE

logger = logging.getLogger(__name__)

#: Close code for somebody who is not of the floor.
NO_FLOOR = 4403
#: The floor is read at most so often; what happens meanwhile is told with the next pass.
PAUSE_SECONDS = 0.2


class FloorViewer:
    """One socket of somebody of the floor. ``told``: what they were told last."""

    seq = 0

    def __init__(self, user: Any, send: Send, *, on_room: Callable[[], None]) -> None:
        self.user = user
        self.outbox = Outbox(send, on_room=self._go_back)
        self.told = ""
        self._on_room = on_room

    def tell(self, text: str) -> None:
        self.outbox.put(text)

    def _go_back(self, mark: Mark) -> None:
        self.told = ""
        self._on_room()


class FloorFeed:
    """The floor as this process tells it."""

    def __init__(self, subscription: Subscription) -> None:
        self.viewers: set[FloorViewer] = set()
        self._subscription = subscription
        self._tables: set[int] = set()
        self._woken = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._run())

    def nudge(self) -> None:
        self._woken.set()

    def join(self, viewer: FloorViewer) -> None:
        self.viewers.add(viewer)
        self._woken.set()

    def leave(self, viewer: FloorViewer) -> None:
        self.viewers.discard(viewer)

    def close(self) -> None:
        self._task.cancel()
        self._watch(set())

    async def _run(self) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            try:
                await self.look()
            except Exception:
                # The heartbeat comes back to it; the sockets stay open meanwhile.
                logger.exception("the floor could not be told")
            await asyncio.sleep(PAUSE_SECONDS)

    async def look(self) -> None:
        """Read the floor and tell everybody what is new to them."""
        users = {viewer.user.pk for viewer in self.viewers}
        view, holders = await threads.run(_read, users)
        self._watch({table["id"] for table in view["tables"]})
        text = protocol.floor(**view)
        for viewer in list(self.viewers):
            if viewer.user.pk not in holders and viewer.user.pk in users:
                viewer.tell(messages.refused(Forbidden("This is for the floor.", "role-required"), seq=0))
                viewer.outbox.end(NO_FLOOR, "role-required")
            elif viewer.told != text and not viewer.outbox.is_behind and viewer.user.pk in holders:
                viewer.told = text
                viewer.tell(text)

    def _watch(self, tables: set[int]) -> None:
        """Hear of these tables from other processes, and of no others."""
        for table in tables - self._tables:
            self._subscription.want(group_of(table))
        for table in self._tables - tables:
            self._subscription.drop(group_of(table))
        self._tables = tables


def _read(users: set[int]) -> tuple[dict[str, Any], set[int]]:
    return floor_selectors.floor_view(), floor_selectors.holders_of(ROLE, users)
