"""The feed of a tournament: everybody is told what is public, and a player what is theirs.

One pass reads the event once for all its viewers, encodes each part of it once (sentences once a language), and sends
everybody those parts that are new to them.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone, translation

from cardroom.core.errors import NotFound
from cardroom.realtime import hubs, layer
from cardroom.realtime.layer import Subscription
from cardroom.realtime.messages import Mark, encode_part
from cardroom.realtime.sockets import NOWHERE
from tournaments.live.messages import PARTS, moved, notice, snapshot
from tournaments.live.news import group_of
from tournaments.prizes import board, board_parts
from tournaments.prizes.board import EventBoard


class EventViewer(hubs.Viewer):
    """One socket at one tournament, and what was sent to it last; one that fell behind gets everything anew."""

    def __init__(self, user: Any, send: Any) -> None:
        super().__init__(user, send)
        #: The parts as they were sent last, encoded. All viewers of one language hold the same bytes object of a part
        #: that did not change.
        self.sent_parts: dict[str, bytes] = {}
        self.you: bytes | None = None
        #: The id of the last notice that was sent.
        self.noticed = 0

    @property
    def is_new(self) -> bool:
        """Whether nothing was sent yet that changes could be compared with."""
        return not self.sent_parts

    def start_over(self) -> None:
        """Tell this viewer everything with the next pass."""
        self.sent_parts, self.you = {}, None

    def go_back(self, mark: Mark) -> None:
        # What was dropped may have been a notice.
        self.start_over()
        self.noticed = 0


#: At least so much time is between two passes; what happens meanwhile is sent with the next one.
PAUSE_SECONDS = 0.2
#: At most so many viewers are served within a second, so that a large event leaves time for the rest.
VIEWERS_PER_SECOND = 4000
NOBODY = b"null"


class EventFeed(hubs.Feed[EventViewer]):
    """The viewers of one tournament in this process."""

    kind = "tournament"

    def __init__(self, of: int, subscription: Subscription) -> None:
        super().__init__(of, subscription)
        self.listen({group_of(of)})
        self.version = -1
        #: The parts as they were sent last, by language.
        self._parts: dict[str, dict[str, bytes]] = {}

    def heartbeat(self, version: int) -> None:
        if version != self.version:
            self.wake()

    def failed(self) -> None:
        self.version = -1

    def pause(self) -> float:
        return max(PAUSE_SECONDS, len(self.viewers) / VIEWERS_PER_SECOND)

    def has(self, player: int) -> bool:
        """Whether this player is among the viewers."""
        return any(viewer.user_id == player for viewer in self.viewers)

    async def catch_up(self) -> None:
        viewers = [viewer for viewer in self.viewers if not viewer.outbox.is_behind]
        after = _read_up_to(viewers)
        read = await layer.run(board.read, self.of, notices_after=after, now=timezone.now())
        if read is None:
            for viewer in self.viewers:
                with translation.override(viewer.language):
                    refusal = NotFound("no-such-event", "There is no such tournament.")
                viewer.dismiss(refusal, NOWHERE)
            return
        self.version = read.version
        self._parts = self._encoded(read, {viewer.language for viewer in viewers})
        own = {player: encode_part(part) for player, part in read.own.items()}
        for viewer in viewers:
            if viewer in self.viewers:
                self._tell(viewer, read, own)

    def _encoded(self, read: EventBoard, languages: set[str]) -> dict[str, dict[str, bytes]]:
        """The parts in each language. Where nothing changed it is the same bytes object as in the last pass, so that
        viewers' parts are compared by identity."""
        encoded_parts = {name: encode_part(part) for name, part in read.parts.items()}
        by_language = {}
        for language in languages:
            with translation.override(language):
                parts = encoded_parts | {
                    name: encode_part(part) for name, part in board_parts.translated_parts(read.parts).items()
                }
            had = self._parts.get(language, {})
            by_language[language] = {name: had[name] if had.get(name) == parts[name] else parts[name] for name in PARTS}
        return by_language

    def _tell(self, viewer: EventViewer, read: EventBoard, own: dict[int, bytes]) -> None:
        you = own.get(viewer.user_id, NOBODY) if viewer.user_id is not None else NOBODY
        now, viewer.seq = read.now, read.seq
        parts = self._parts[viewer.language]
        if viewer.is_new:
            viewer.tell(snapshot(seq=read.seq, now=now, parts=parts, you=you))
        else:
            changed = {name: part for name, part in parts.items() if viewer.sent_parts[name] is not part}
            is_own_new = you != viewer.you
            if changed or is_own_new:
                viewer.tell(moved(seq=read.seq, now=now, changed=changed, you=you if is_own_new else None))
        viewer.sent_parts, viewer.you = parts, you
        for message in read.notices.get(viewer.user_id or 0, ()):
            if message["id"] > viewer.noticed:
                viewer.noticed = message["id"]
                viewer.tell(notice(seq=read.seq, now=now, values=message))


def _read_up_to(viewers: list[EventViewer]) -> dict[int, int]:
    """The players among them, each with the last notice that was sent to all their windows."""
    after: dict[int, int] = {}
    for viewer in viewers:
        if viewer.user_id is not None:
            after[viewer.user_id] = min(viewer.noticed, after.get(viewer.user_id, viewer.noticed))
    return after
