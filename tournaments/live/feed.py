"""One tournament, everybody who watches it through this process, and the hub of such feeds.

One pass reads the event once for all its viewers, encodes each part of it once, and sends everybody those parts that
are new to them.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from cardroom.core.errors import NotFound
from cardroom.realtime import hubs, layer
from cardroom.realtime.layer import Subscription
from cardroom.realtime.messages import Mark, encoded
from cardroom.realtime.sockets import NOWHERE
from tournaments.live import messages as live_messages
from tournaments.live.messages import Moved, Noticed, group_of
from tournaments.prizes import board
from tournaments.prizes.board import Board

# One viewer, and what they were told last


class Viewer(hubs.Viewer):
    """One socket at one tournament, and what it was told last; one that fell behind gets everything anew."""

    def __init__(self, user: Any, send: Any) -> None:
        super().__init__(user, send)
        #: The parts as they were told last, encoded; of those that did not change all viewers hold the same bytes.
        self.told: dict[str, bytes] = {}
        self.you: bytes | None = None
        #: The last notice that was told.
        self.noticed = 0

    @property
    def is_new(self) -> bool:
        """Nothing was told yet that can be built on."""
        return not self.told

    def start_over(self) -> None:
        """Tell this viewer everything with the next pass."""
        self.told, self.you = {}, None

    def go_back(self, mark: Mark) -> None:
        # What was dropped may have been a notice.
        self.start_over()
        self.noticed = 0


#: Between two passes, at least; what happens meanwhile is told with the next one.
PAUSE_SECONDS = 0.2
#: So many viewers are told within a second, so that a great event with a great crowd leaves time for the rest.
VIEWERS_PER_SECOND = 4000
NOBODY = b"null"


class EventFeed(hubs.Feed[Viewer]):
    """The viewers of one tournament in this process."""

    kind = "tournament"

    def __init__(self, of: int, subscription: Subscription) -> None:
        super().__init__(of, subscription)
        self.listen({group_of(of)})
        self.version = -1
        self._parts: dict[str, bytes] = {}

    def heartbeat(self, version: int) -> None:
        if version != self.version:
            self.wake()

    def failed(self) -> None:
        self.version = -1

    def pause(self) -> float:
        return max(PAUSE_SECONDS, len(self.viewers) / VIEWERS_PER_SECOND)

    def has(self, player: int) -> bool:
        """Whether this player looks on."""
        return any(viewer.user_id == player for viewer in self.viewers)

    async def catch_up(self) -> None:
        viewers = [viewer for viewer in self.viewers if not viewer.outbox.is_behind]
        after = _read_up_to(viewers)
        read = await layer.run(board.read, self.of, notices_after=after, now=timezone.now())
        if read is None:
            for viewer in self.viewers:
                viewer.dismiss(NotFound("There is no such event.", "no-such-event"), NOWHERE)
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


def _read_up_to(viewers: list[Viewer]) -> dict[int, int]:
    """The players among them, each with the last notice that all their windows were told."""
    after: dict[int, int] = {}
    for viewer in viewers:
        if viewer.user_id is not None:
            after[viewer.user_id] = min(viewer.noticed, after.get(viewer.user_id, viewer.noticed))
    return after


# The hub: one feed for each event that somebody watches


class Hub(hubs.FeedHub[EventFeed]):
    """The feeds of one loop."""

    def make(self, of: int, **known: Any) -> EventFeed:
        return EventFeed(of, self.subscription)

    def read(self, of: list[int]) -> dict[int, int]:
        return board.versions(of)

    def pass_on(self, message: object, *, is_from_here: bool) -> None:
        if isinstance(message, Moved) and message.tournament in self.feeds:
            self.feeds[message.tournament].wake()
        elif isinstance(message, Noticed):
            for feed in self.feeds.values():
                if feed.has(message.player):
                    feed.wake()


_hubs = hubs.Hubs(Hub)
here = _hubs.here
tell = _hubs.tell
