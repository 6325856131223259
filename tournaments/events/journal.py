"""The journal of tournaments: the only module that reads and writes `TournamentFact`.

Events stay folded in memory, one copy per process to play on. That copy counts as committed up to `OpenEvent.seq`,
which moves only after a commit: one that holds more facts than that was played in a transaction which has not ended
well (or not yet), so it is left alone and the event is folded anew from the database. `load` is for those who hold the
event's lock; everybody else reads `facts`, or looks at a second copy that nobody plays on (`looking`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

import msgspec
from django.db import connection, transaction

from cardroom.core.errors import NotFound
from tournaments.engine.commands import Command
from tournaments.engine.config import EventConfig
from tournaments.engine.facts import Fact, from_json, to_json
from tournaments.engine.tournament import Tournament as Engine
from tournaments.events.models import TournamentFact

MOST_KEPT = 64
_INSERT = "INSERT INTO tournaments_tournamentfact (tournament_id, seq, kind, data, at, upto, command_id, by_id) VALUES "
_ROW = "(%s, %s, %s, %s, %s, %s, %s, %s)"
_AT_ONCE = 1000  # rows of one statement


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a command came to: facts `facts_from` to `seq` of its event; none where `seq` is smaller."""

    seq: int
    facts_from: int


@dataclass(slots=True, eq=False)
class OpenEvent:
    """An event folded from its facts. `receipts`: by command id, the outcome of every command that carried one.
    `seq`: facts known to be committed, those of `committed`, to which facts are only ever added."""

    pk: int
    engine: Engine
    receipts: dict[str, Receipt] = field(default_factory=dict)
    seq: int = 0
    committed: list[Fact] = field(default_factory=list)

    @property
    def length(self) -> int:
        return len(self.engine.facts)


@dataclass(slots=True, eq=False)
class _Look:
    """A copy to be looked at by one thread at a time."""

    engine: Engine | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class _Row(NamedTuple):
    seq: int
    kind: str
    data: str
    upto: int
    command_id: str


_kept: OrderedDict[int, OpenEvent] = OrderedDict()
_looks: OrderedDict[int, _Look] = OrderedDict()
_lock = threading.Lock()


def load(tournament_id: int, *, seq: int) -> OpenEvent:
    """The event folded up to its fact `seq`, the last one. Call it with the event locked; one query, or none if this
    process played it last."""
    event = _in_memory(tournament_id)
    if event is None or event.length != event.seq or event.length > seq:
        event = _folded(tournament_id)
        _keep_on_commit(event)
    elif event.length < seq:
        rows = _rows(tournament_id, after=event.length)
        for row in rows:
            event.engine.apply(_fact(row))
        _note_commands(event, rows)
        _keep_on_commit(event)
    return event


def begin(tournament_id: int, config: EventConfig, *, at: datetime, now_ms: int, by: int | None = None) -> OpenEvent:
    """Start an event and write down its first facts."""
    event = OpenEvent(tournament_id, Engine.start(config, now_ms))
    _write(event, event.engine.facts, first=1, at=at, command_id="", by=by)
    return event


def play(
    event: OpenEvent, command: Command, *, at: datetime, now_ms: int, command_id: str = "", by: int | None = None
) -> Receipt:
    """Play a command and write down what follows from it.

    Raises the engine's `IllegalAction` with nothing changed. After any other failure the copy in memory is left alone.
    """
    first = event.length + 1
    facts = event.engine.play(command, now_ms)
    receipt = Receipt(seq=event.length, facts_from=first)
    if not facts:
        return receipt
    if command_id:
        event.receipts[command_id] = receipt
    _write(event, facts, first=first, at=at, command_id=command_id, by=by)
    return receipt


def receipt(tournament_id: int, command_id: str) -> Receipt | None:
    """What a command was answered, if there was such a command."""
    found = (
        TournamentFact.objects.filter(tournament_id=tournament_id, command_id=command_id)
        .values_list("upto", "seq")
        .first()
    )
    return Receipt(*found) if found else None


def facts(tournament_id: int, *, after: int = 0, upto: int | None = None) -> Sequence[Fact]:
    """Facts `after` + 1 to `upto` (None: all there are); from memory where this process has seen `upto` committed,
    else by one query."""
    event = _in_memory(tournament_id)
    if upto is not None and event is not None and event.seq >= upto:
        return event.committed[after:upto]
    return [_fact(row) for row in _rows(tournament_id, after=after, upto=upto)]


def read(tournament_id: int) -> Engine:
    """An event to be looked at or tried out on, folded anew from the database: a copy of the caller's own."""
    rows = _rows(tournament_id)
    if not rows:
        raise NotFound("There is no such event, or its registration has not opened.", "no-such-event")
    return Engine.replay([_fact(row) for row in rows])


@contextmanager
def looking(tournament_id: int, *, upto: int) -> Iterator[Engine]:
    """The event as of fact `upto` or a later one, shared with others who look: change nothing, keep nothing of it.

    `NotFound` where it has no facts. One query, or none where this process has them.
    """
    with _lock:
        look = _looks.setdefault(tournament_id, _Look())
        _looks.move_to_end(tournament_id)
        while len(_looks) > MOST_KEPT:
            _looks.popitem(last=False)
    with look.lock:
        if look.engine is None:
            look.engine = read(tournament_id)
        elif (seen := len(look.engine.facts)) < upto:
            for fact in facts(tournament_id, after=seen, upto=upto):
                look.engine.apply(fact)
        yield look.engine


def authors(tournament_id: int, *, after: int = 0) -> dict[int, int | None]:
    """Who gave each command: ids of people (None: the house itself) by the number of the command's first fact."""
    firsts = TournamentFact.objects.filter(tournament_id=tournament_id, seq__gt=after, upto__gt=0)
    return dict(firsts.values_list("seq", "by"))


def forget(tournament_id: int | None = None) -> None:
    """Drop an event from memory, or all of them; who needs it next reads it from the database."""
    with _lock:
        for memory in (_kept, _looks):
            if tournament_id is None:
                memory.clear()
            else:
                memory.pop(tournament_id, None)


def _in_memory(tournament_id: int) -> OpenEvent | None:
    with _lock:
        event = _kept.get(tournament_id)
        if event is not None:
            _kept.move_to_end(tournament_id)
        return event


def _keep_on_commit(event: OpenEvent) -> None:
    transaction.on_commit(partial(_keep, event, event.length), robust=True)


def _keep(event: OpenEvent, seq: int) -> None:
    """The facts up to `seq` are committed: this is the copy to go on with, unless a newer one is there."""
    with _lock:
        if seq >= event.seq:
            event.seq, event.committed = seq, event.engine.facts
        kept = _kept.get(event.pk)
        if kept is None or kept.seq <= event.seq:
            _kept[event.pk] = event
        _kept.move_to_end(event.pk)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def _folded(tournament_id: int) -> OpenEvent:
    rows = _rows(tournament_id)
    event = OpenEvent(tournament_id, Engine.replay([_fact(row) for row in rows]))
    _note_commands(event, rows)
    return event


def _note_commands(event: OpenEvent, rows: Sequence[_Row]) -> None:
    for row in rows:
        if row.command_id:
            event.receipts[row.command_id] = Receipt(row.upto, row.seq)


def _rows(tournament_id: int, *, after: int = 0, upto: int | None = None) -> list[_Row]:
    rows = TournamentFact.objects.filter(tournament_id=tournament_id, seq__gt=after).order_by("seq")
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    return list(map(_Row._make, rows.values_list("seq", "kind", "data", "upto", "command_id")))


def _write(
    event: OpenEvent, facts: Sequence[Fact], *, first: int, at: datetime, command_id: str, by: int | None
) -> None:
    # Plain SQL: between two hands of every table this is on the way.
    when = connection.ops.adapt_datetimefield_value(at)
    rows: list[list[Any]] = [
        [event.pk, seq, fact.kind, msgspec.json.encode(to_json(fact)).decode(), when, 0, "", None]
        for seq, fact in enumerate(facts, first)
    ]
    rows[0][5:] = [first + len(facts) - 1, command_id, by]
    with connection.cursor() as cursor:
        for start in range(0, len(rows), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
            cursor.execute(_INSERT + ", ".join([_ROW] * len(some)), [value for row in some for value in row])
    _keep_on_commit(event)


def _fact(row: _Row) -> Fact:
    return from_json(row.kind, msgspec.json.decode(row.data))


# Between the house's moments, which have a time zone, and the engine's: whole milliseconds since the epoch.


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def ms(moment: datetime) -> int:
    return (moment - _EPOCH) // _MILLISECOND


def moment(ms: int) -> datetime:
    return _EPOCH + ms * _MILLISECOND
