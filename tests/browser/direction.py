"""A test that directs events of the room while it looks at them in a browser."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.support import room_event
from tournaments.engine import commands as c
from tournaments.events.models import Tournament


class Direction:
    """The test directs events of the room from a thread of its own: the browser's loop lives in this one."""

    def __init__(self, thread: ThreadPoolExecutor) -> None:
        self._thread = thread

    def __call__(self, do: Callable[..., Any], *given: Any, **named: Any) -> Any:
        return self._thread.submit(do, *given, **named).result()

    def event(self) -> Tournament:
        """Nine are playing."""
        made: Tournament = self(room_event.open_event, entrants=9)
        self(room_event.start, made)
        return made

    def play(self, event: Tournament, command: c.Command) -> None:
        self(room_event.play, event, command)

    def ends_at(self, event: Tournament) -> int:
        """When the level does that was last set, ms."""
        self(event.refresh_from_db)
        return int(event.clock["ends_at"])
