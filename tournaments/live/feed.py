"""One tournament, and everybody who looks at it through this process.

One pass reads the event once for all its viewers, encodes each part of it once, and tells everybody those parts that
are new to them. What wakes it says only that something happened; so a nudge that gets lost costs time and never truth.
"""

from __future__ import annotations

import asyncio
import logging

from django.utils import timezone

from cardroom.live import messages, threads
from cardroom.live.messages import encoded
from cardroom.live.sockets import NOWHERE
from cardroom.services.errors import NotFound
from tournaments.live import protocol
from tournaments.live.viewer import Viewer
from tournaments.selectors import board
from tournaments.selectors.board import Board

logger = logging.getLogger(__name__)

#: Between two passes, at least; what happens meanwhile is told with the next one.
PAUSE_SECONDS = 0.2
#: So many viewers are told within a second, so that a great event with a great crowd leaves time for the rest.
VIEWERS_PER_SECOND = 4000
NOBODY = b"null"


class EventFeed:
    """The viewers of one tournament in this process."""

    def __init__(self, tournament: int) -> None:
        self.tournament = tournament
        self.viewers: set[Viewer] = set()
        self.version = -1
        self._parts: dict[str, bytes] = {}
        self._has_failed = False
        self._woken = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._run())

    # -- what wakes it -----------------------------------------------------------------------------------------------

    def nudge(self) -> None:
        self._woken.set()

    def heartbeat(self, version: int) -> None:
        """The version of the event by the database: look if that is news, or if looking failed the last time."""
        if self._has_failed or version != self.version:
            self.nudge()

    def join(self, viewer: Viewer) -> None:
        self.viewers.add(viewer)
        self.nudge()

    def leave(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)

    def has(self, player: int) -> bool:
        """Whether this player looks on."""
        return any(viewer.user_id == player for viewer in self.viewers)

    def close(self) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            try:
                await self.look()
                self._has_failed = False
            except Exception:
                # The database may be away. The heartbeat comes back to it; the sockets stay open meanwhile.
                self._has_failed = True
                logger.exception("tournament %s: its viewers could not be told", self.tournament)
            await asyncio.sleep(max(PAUSE_SECONDS, len(self.viewers) / VIEWERS_PER_SECOND))

    # -- the one pass ------------------------------------------------------------------------------------------------

    async def look(self) -> None:
        """Read the event and tell everybody what is new to them."""
        viewers = [viewer for viewer in self.viewers if not viewer.outbox.is_behind]
        after = _read_up_to(viewers)
        read = await threads.run(board.read, self.tournament, notices_after=after, now=timezone.now())
        if read is None:
            self._dismiss()
            return
        self.version = read.version
        self._parts = self._encoded(read)
        own = {player: encoded(part) for player, part in read.own.items()}
        for viewer in viewers:
            if viewer in self.viewers:
                self._tell(viewer, read, own)

    def _encoded(self, read: Board) -> dict[str, bytes]:
        """The parts, each the very bytes of the last pass where nothing changed: so comparing them costs nothing."""
        parts = {name: encoded(read.parts[name]) for name in protocol.PARTS}
        return {name: part if part != (had := self._parts.get(name)) else had for name, part in parts.items()}

    def _tell(self, viewer: Viewer, read: Board, own: dict[int, bytes]) -> None:
        you = own.get(viewer.user_id, NOBODY) if viewer.user_id is not None else NOBODY
        now, viewer.seq = read.now, read.seq
        if viewer.is_new:
            viewer.tell(protocol.snapshot(seq=read.seq, now=now, parts=self._parts, you=you))
        else:
            changed = {name: part for name, part in self._parts.items() if viewer.told[name] is not part}
            is_own_new = you != viewer.you
            if changed or is_own_new:
                viewer.tell(protocol.moved(seq=read.seq, now=now, changed=changed, you=you if is_own_new else None))
        viewer.told, viewer.you = self._parts, you
        for notice in read.notices.get(viewer.user_id or 0, ()):
            if notice["id"] > viewer.noticed:
                viewer.noticed = notice["id"]
                viewer.tell(protocol.notice(seq=read.seq, now=now, told=notice))

    def _dismiss(self) -> None:
        for viewer in self.viewers:
            viewer.tell(messages.refused(NotFound("There is no such event.", "no-such-event"), seq=viewer.seq))
            viewer.outbox.end(NOWHERE, "no-such-event")


def _read_up_to(viewers: list[Viewer]) -> dict[int, int]:
    """The players among them, each with the last notice that all their windows were told."""
    after: dict[int, int] = {}
    for viewer in viewers:
        if viewer.user_id is not None:
            after[viewer.user_id] = min(viewer.noticed, after.get(viewer.user_id, viewer.noticed))
    return after
