"""One tournament, everybody who watches it through this process, and the hub of such feeds.

One pass reads the event once for all its viewers, encodes each part of it once, and sends everybody those parts that
are new to them. What wakes it says only that something happened; so a nudge that gets lost costs time and never
correctness.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from django.utils import timezone

from cardroom.core.errors import NotFound
from cardroom.realtime import hubs, layer
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.messages import Mark, Outbox, encoded
from cardroom.realtime.sockets import NOWHERE
from tournaments.live import messages as live_messages
from tournaments.live.messages import Moved, Noticed, group_of
from tournaments.prizes import board
from tournaments.prizes.board import Board

# One viewer, and what they were told last


Send = Callable[[dict[str, Any]], Awaitable[None]]


class Viewer:
    """``user``: None for somebody who is not logged in. ``on_room`` is called when one who fell behind may be told
    more; they then get everything anew."""

    def __init__(self, user: Any, send: Send, *, on_room: Callable[[], None]) -> None:
        self.user_id: int | None = user.pk if user is not None else None
        self.outbox = Outbox(send, on_room=self._go_back)
        self._on_room = on_room
        self.seq = 0
        #: The parts as they were told last, encoded; of those that did not change all viewers hold the same bytes.
        self.told: dict[str, bytes] = {}
        self.you: bytes | None = None
        #: The last notice that was told.
        self.noticed = 0

    @property
    def is_new(self) -> bool:
        """Nothing was told yet that can be built on."""
        return not self.told

    def tell(self, text: str) -> None:
        self.outbox.put(text)

    def start_over(self) -> None:
        """Tell this viewer everything with the next pass."""
        self.told, self.you = {}, None

    def _go_back(self, mark: Mark) -> None:
        # What was dropped may have been a notice.
        self.start_over()
        self.noticed = 0
        self._on_room()


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
        read = await layer.run(board.read, self.tournament, notices_after=after, now=timezone.now())
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
        parts = {name: encoded(read.parts[name]) for name in live_messages.PARTS}
        return {name: part if part != (had := self._parts.get(name)) else had for name, part in parts.items()}

    def _tell(self, viewer: Viewer, read: Board, own: dict[int, bytes]) -> None:
        you = own.get(viewer.user_id, NOBODY) if viewer.user_id is not None else NOBODY
        now, viewer.seq = read.now, read.seq
        if viewer.is_new:
            viewer.tell(live_messages.snapshot(seq=read.seq, now=now, parts=self._parts, you=you))
        else:
            changed = {name: part for name, part in self._parts.items() if viewer.told[name] is not part}
            is_own_new = you != viewer.you
            if changed or is_own_new:
                viewer.tell(
                    live_messages.moved(seq=read.seq, now=now, changed=changed, you=you if is_own_new else None)
                )
        viewer.told, viewer.you = self._parts, you
        for notice in read.notices.get(viewer.user_id or 0, ()):
            if notice["id"] > viewer.noticed:
                viewer.noticed = notice["id"]
                viewer.tell(live_messages.notice(seq=read.seq, now=now, told=notice))

    def _dismiss(self) -> None:
        for viewer in self.viewers:
            viewer.tell(realtime_messages.refused(NotFound("There is no such event.", "no-such-event"), seq=viewer.seq))
            viewer.outbox.end(NOWHERE, "no-such-event")


def _read_up_to(viewers: list[Viewer]) -> dict[int, int]:
    """The players among them, each with the last notice that all their windows were told."""
    after: dict[int, int] = {}
    for viewer in viewers:
        if viewer.user_id is not None:
            after[viewer.user_id] = min(viewer.noticed, after.get(viewer.user_id, viewer.noticed))
    return after


# The hub: one feed for each event that somebody watches


HEARTBEAT_SECONDS = 3.0


class Hub(hubs.Hub):
    """The feeds of one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop, heartbeat_seconds=HEARTBEAT_SECONDS)
        self.feeds: dict[int, EventFeed] = {}

    def join(self, tournament: int, viewer: Viewer) -> EventFeed:
        """Let ``viewer`` be told of ``tournament`` from now on."""
        feed = self.feeds.get(tournament)
        if feed is None:
            feed = self.feeds[tournament] = EventFeed(tournament)
            self.subscription.want(group_of(tournament))
        feed.join(viewer)
        return feed

    def leave(self, tournament: int, viewer: Viewer) -> None:
        viewer.outbox.stop()
        feed = self.feeds.get(tournament)
        if feed is None:
            return
        feed.leave(viewer)
        if not feed.viewers:
            feed.close()
            del self.feeds[tournament]
            self.subscription.drop(group_of(tournament))

    def pass_on(self, news: object, *, is_from_here: bool) -> None:
        if isinstance(news, Moved) and news.tournament in self.feeds:
            self.feeds[news.tournament].nudge()
        elif isinstance(news, Noticed):
            for feed in self.feeds.values():
                if feed.has(news.player):
                    feed.nudge()

    async def heartbeat(self) -> None:
        for tournament, version in (await layer.run(board.versions, list(self.feeds))).items():
            if tournament in self.feeds:
                self.feeds[tournament].heartbeat(version)
        for tournament, feed in list(self.feeds.items()):
            for viewer in [viewer for viewer in feed.viewers if viewer.outbox.is_stuck]:
                self.leave(tournament, viewer)


_hubs = hubs.Hubs(Hub)
here = _hubs.here
tell = _hubs.tell
