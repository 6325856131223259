"""Who runs the events whose tables these are: between two hands the table asks them, and does nothing by itself."""

from datetime import datetime
from typing import Protocol

import structlog

from games.models import Table

log = structlog.get_logger(__name__)


class Director(Protocol):
    """Called between two hands with nothing locked; has the next one dealt, holds the table, moves people, at will.

    `version`: the table's as its alarm found it, for `deal` to see whether it moved on. True if they did anything; a
    table that they neither deal at nor hold asks again some seconds later.
    """

    def __call__(self, *, table_id: int, version: int, now: datetime) -> bool: ...


_directors: dict[str, Director] = {}


def register(prefix: str, director: Director) -> None:
    """Say who runs events called `<prefix>:...`; apps do so in `AppConfig.ready`."""
    if _directors.setdefault(prefix, director) is not director:
        raise ValueError(f"events called {prefix!r} are run by somebody already")


def ask(table: Table, *, now: datetime) -> bool:
    """Let the table's director see to it. Without one the table waits."""
    director = _directors.get(table.event.partition(":")[0])
    if director is None:
        log.error("table of an event without a director", table=table.pk, whose=table.event)
        return False
    return director(table_id=table.pk, version=table.version, now=now)
