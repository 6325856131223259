"""What one pass over the viewers of a table has read, and the encoding of it: once for each kind of viewer.

A kind of viewer is a seat of the hand, or the rail. Everything here has been redacted for the kind it is filed under.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from games import selectors
from games.engine.facts import RAIL
from games.live import protocol
from games.live.viewer import Viewer
from games.watching import News, Roll, Standing

#: Who comes later than this after the end of a hand finds an empty table and not the old showdown.
AFTERGLOW = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class View:
    """The table as one user sees it, encoded; ``lasting`` is the part of it that is worth telling anew. ``is_shown``:
    whether they may see its hands."""

    seat: int | None
    is_shown: bool
    you: dict[str, Any]
    lasting: bytes
    table: bytes


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one hand has for the viewers of one pass. ``lines``: by kind of viewer its facts, encoded; kinds that see
    the same share one list."""

    roll: Roll
    news: News
    lines: dict[int, list[bytes]]

    def lines_for(self, viewer: Viewer) -> list[bytes]:
        return self.lines[kind_of(viewer, self.roll)]


def kind_of(viewer: Viewer, roll: Roll) -> int:
    """Whose cards they see: those of the seat they were dealt into in that hand, wherever they sit by now."""
    return RAIL if viewer.user_id is None else roll.seats.get(viewer.user_id, RAIL)


@dataclass(slots=True)
class Pass:
    """What has been read for one pass over the viewers. ``texts``: what has been encoded in it already."""

    standing: Standing
    at: datetime
    clock: dict[str, int] | None
    chapters: dict[int, Chapter]
    views: Mapping[int | None, View]
    texts: dict[tuple[int, int, int], str]

    @property
    def hand_on_table(self) -> int:
        """The hand somebody who comes now should see; 0: none."""
        ended_at = self.standing.ended_at
        return 0 if ended_at is not None and self.at - ended_at > AFTERGLOW else self.standing.hand


def clock_of(standing: Standing, now: datetime) -> dict[str, int] | None:
    clock = standing.clock
    if clock is None:
        return None
    return protocol.clock_of(
        clock.seat, bank_from=clock.bank_from, deadline=clock.deadline, extra_ms=clock.extra_ms, now=now
    )


def read_views(table: int, users: Iterable[Any]) -> dict[int | None, View]:
    """The table for each of these users (None: not logged in), by user id."""
    by_id = {None if user is None else user.pk: user for user in users}
    seen = selectors.table_views(table_id=table, viewers=list(by_id.values()))
    return {user_id: _view(view) for user_id, view in zip(by_id, seen, strict=True)}


def _view(seen: dict[str, Any]) -> View:
    # What moves with every fact is told with the facts.
    lasting = {name: part for name, part in seen.items() if name not in {"version", "clock", "hand"}}
    lasting["hand"] = seen["hand"]["id"] if seen["hand"] else None
    return View(seen["you"]["seat"], seen["is_shown"], seen["you"], protocol.encoded(lasting), protocol.encoded(seen))


def lines_of(news: News) -> dict[int, list[bytes]]:
    """Every fact encoded once, however many kinds of viewers see it alike."""
    encoded: dict[int, bytes] = {}
    lines: dict[int, list[bytes]] = {}
    for kind, facts in news.by_viewer.items():
        twin = next((other for other in lines if news.by_viewer[other] == facts), None)
        if twin is not None:
            lines[kind] = lines[twin]
            continue
        lines[kind] = mine = []
        for seq, fact in enumerate(facts, news.after + 1):
            line = encoded.get(id(fact))
            if line is None:
                line = encoded[id(fact)] = protocol.fact_line(seq, fact)
            mine.append(line)
    return lines
