"""One socket at a table: who looks through it, and how far they have been told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from cardroom.live.outbox import Mark, Outbox
from games.watching import Clock, Standing

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Viewer:
    """``user``: None for somebody who is not logged in. ``on_room`` is called when a viewer who fell behind may be told
    more; they then go on from what really reached them."""

    def __init__(self, user: Any, send: Send, *, on_room: Callable[[], None]) -> None:
        self.user = user
        self.user_id: int | None = user.pk if user is not None else None
        self.outbox = Outbox(send, on_room=self._go_back)
        self._on_room = on_room
        #: Nothing they have been told can be built on: they get a snapshot.
        self.is_new = True
        #: They asked, so they are answered even where there is nothing to tell.
        self.is_asking = False
        #: Told up to fact ``seq`` of ``hand``; ``is_hand_over``: that was its last one.
        self.hand = 0
        self.seq = 0
        self.is_hand_over = False
        #: The rest as they were last told it.
        self.seat: int | None = None
        #: Whether they are shown the hands: not on the rail of a table without spectators.
        self.is_shown = True
        self.clock: Clock | None = None
        self.table = b""

    def owed(self, standing: Standing) -> list[tuple[int, int]]:
        """``(hand, after)`` of what they have not been told, oldest first."""
        if self.is_new:
            return [(standing.hand, 0)] if standing.hand else []
        if not self.is_shown:
            return []
        if self.hand == standing.hand:
            return [(self.hand, self.seq)] if self.seq < standing.seq else []
        rest = [(self.hand, self.seq)] if self.hand and not self.is_hand_over else []
        return [*rest, (standing.hand, 0)]

    def ask(self, hand: int | None, after: int) -> None:
        """They want to be told what came after fact ``after`` of ``hand``; None: everything."""
        self.is_asking = True
        if hand != self.hand or after > self.seq:
            self.is_new = True
        else:
            self.seq = after
            self.is_hand_over = False

    def tell(self, text: str) -> None:
        """Say something that is not part of the hand's story."""
        self.outbox.put(text)

    def tell_up_to(self, hand: int, seq: int, text: str, *, is_hand_over: bool) -> None:
        """Say what brings them to fact ``seq`` of ``hand``."""
        self.hand, self.seq, self.is_hand_over = hand, seq, is_hand_over
        self.is_new = self.is_asking = False
        self.outbox.put(text, (hand, seq))

    def _go_back(self, mark: Mark) -> None:
        self.table, self.is_hand_over = b"", False
        if mark is None:
            self.is_new = True
        else:
            self.hand, self.seq = mark
        self._on_room()
