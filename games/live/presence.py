"""Who has a socket at a table and who has lost their last one, told to the services where the table minds it: there is
extra time for whoever lost touch."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable

from cardroom.live import threads
from games.services import away

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
                await threads.run(away.heard, table_id=table, player_id=player, is_here=is_here)
            except Exception:
                # The database may be away. The heartbeat comes back to it.
                self._untold.add(place)
                logger.exception("table %s: could not be told who is there", table)
