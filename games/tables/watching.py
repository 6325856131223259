"""What a process that watches tables reads: where each of them stands, and what happened in their hands.

Facts leave here redacted, once for each kind of viewer. What this process committed itself is read from memory, so that
a table played and watched in one process costs no query beyond those that played it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from games.engine.facts.base import RAIL, Fact, Viewer, redact
from games.tables import journal as table_journal
from games.tables.models.tables import Hand, Seat, Table

MOST_NOTED = 1024


@dataclass(frozen=True, slots=True)
class Clock:
    """``seat`` is to act until ``deadline``, from ``bank_from`` on out of their time bank; ``extra_ms`` before that are
    extra time for a player who lost touch."""

    seat: int
    bank_from: datetime
    deadline: datetime
    extra_ms: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """How far a table has got. ``version`` grows with every change, so of two positions the greater is the newer.

    ``hand`` is the hand being played, else the last one (0: none yet), and ``seq`` its last fact so far.
    ``is_of_event``: its seats are drawn for an event; ``minds_presence``: it is told who is out of touch;
    ``has_no_rail``: it has no spectators.
    """

    table: int
    version: int
    hand: int
    seq: int
    ended_at: datetime | None
    clock: Clock | None
    is_of_event: bool = False
    minds_presence: bool = False
    has_no_rail: bool = False


_PLAYED = (
    *("id", "version", "event", Table.EXTRA_TIME, "has_spectators", "hand_id", "seq"),
    *("to_act", "turn_at", "act_seconds", "extra_ms", "deadline"),
)
_OVER = ("last_hand_id", "last_hand__seq", "last_hand__ended_at")


def positions(tables: Collection[int]) -> dict[int, Position]:
    """The positions of these tables by id; tables that do not exist are left out. One query."""
    rows = Table.objects.filter(pk__in=tables).order_by().values_list(*_PLAYED, *_OVER)
    return {row[0]: _position(*row) for row in rows}


def position(table: int) -> Position | None:
    """The position of a table, None if there is no such table. One query."""
    return positions([table]).get(table)


def lost(tables: Collection[int]) -> list[tuple[int, int]]:
    """(table, player) of seats whose player has lost touch at these tables. One query."""
    return list(Seat.objects.filter(table__in=tables, gone_at__isnull=False).order_by().values_list("table", "player"))


def _position(
    table: int, version: int, event: str, extra: list[int], has_spectators: bool, hand: int | None, seq: int, *rest: Any
) -> Position:
    *turn, last_hand, last_seq, ended_at = rest
    kind = (bool(event), bool(event or extra), not has_spectators)
    if hand is None:
        return Position(table, version, last_hand or 0, last_seq or 0, ended_at, None, *kind)
    return Position(table, version, hand, seq, None, _clock(*turn), *kind)


def _clock(
    seat: int, turn_at: datetime | None, act_seconds: int, extra_ms: int, deadline: datetime | None
) -> Clock | None:
    if not seat or turn_at is None or deadline is None:
        return None
    bank_from = turn_at + timedelta(seconds=act_seconds, milliseconds=extra_ms)
    return Clock(seat, min(bank_from, deadline), deadline, extra_ms)


# -- what this process committed itself ------------------------------------------------------------------------------

#: By table: its version, and its position then; None where that takes a query.
_noted: OrderedDict[int, tuple[int, Position | None]] = OrderedDict()
_lock = threading.Lock()


def note(table: Table) -> None:
    """Keeps the position of a table that this process has just committed."""
    with _lock:
        known, _ = _noted.get(table.pk, (-1, None))
        if known < table.version:
            _noted[table.pk] = table.version, _as_stored(table)
        _noted.move_to_end(table.pk)
        while len(_noted) > MOST_NOTED:
            _noted.popitem(last=False)


def noted(table: int) -> Position | None:
    """The last position this process knows, if any; other processes may have changed the table since."""
    return _noted.get(table, (0, None))[1]


def forget() -> None:
    """Clears the cache of table positions. For tests."""
    with _lock:
        _noted.clear()


def _as_stored(table: Table) -> Position | None:
    if table.hand_id is None:
        return None
    clock = _clock(table.to_act, table.turn_at, table.act_seconds, table.extra_ms, table.deadline)
    kind = (bool(table.event), table.minds_presence, not table.has_spectators)
    return Position(table.pk, table.version, table.hand_id, table.seq, None, clock, *kind)


# -- hands -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NewFacts:
    """Facts ``after`` + 1 to ``upto`` of a hand as each kind of viewer may see them.

    A fact that two viewers see alike is the same object in both their lists, so that it can be encoded once.
    """

    after: int
    upto: int
    by_viewer: dict[Viewer, Sequence[Fact]]


@dataclass(frozen=True, slots=True)
class Roll:
    """Hand ``number`` of its table, and who was dealt in where, by the id of the player: whose downcards are whose."""

    number: int
    seats: dict[int, int]


def roll(hand: int) -> Roll:
    """Who was dealt into a hand. One query."""
    row = Hand.objects.get(pk=hand)
    return Roll(row.number, {sitter.player: seat for seat, sitter in table_journal.sitters(row).items()})


def is_hand_of(hand: int, table: int) -> bool:
    """Whether this hand is or was played at this table. One query."""
    return Hand.objects.filter(pk=hand, table_id=table).exists()


def new_facts(hand: int, *, after: int, upto: int | None, viewers: Collection[Viewer]) -> NewFacts:
    """What ``viewers`` have not seen of a hand; ``upto`` None: all there is. One query or none."""
    return _redacted(table_journal.facts(hand, after=after, upto=upto), after, viewers)


def kept_new_facts(hand: int, *, after: int, upto: int | None, viewers: Collection[Viewer]) -> NewFacts | None:
    """The same without a query; None where it would take one."""
    facts = table_journal.kept_facts(hand, after=after, upto=upto) if upto is not None else None
    return None if facts is None else _redacted(facts, after, viewers)


def _redacted(facts: Sequence[Fact], after: int, viewers: Collection[Viewer]) -> NewFacts:
    upto = after + len(facts)
    from_the_rail = [redact(fact, RAIL) for fact in facts]
    if all(seen is fact for seen, fact in zip(from_the_rail, facts, strict=True)):
        # What the rail sees whole, everybody does; most of what happens is such.
        return NewFacts(after, upto, dict.fromkeys(viewers, from_the_rail))
    return NewFacts(after, upto, {viewer: [redact(fact, viewer) for fact in facts] for viewer in viewers})
