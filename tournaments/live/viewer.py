"""One socket at one tournament: who looks through it, and what they were told last."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from cardroom.live.outbox import Mark, Outbox

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
