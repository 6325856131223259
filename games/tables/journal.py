"""The journal of hands: the only package that reads and writes `HandFact`.

Facts are kept whole here. Whoever hands them on redacts them first; nothing in this module is meant for an edge.

Hands being played stay folded in memory, one copy per process. A copy counts as committed up to `OpenHand.seq`, which
moves only after a commit: a copy that holds more facts than that was played in a transaction which has not ended well
(or not yet), so it is left alone and the hand is folded anew from the database. `load` is for those who hold the lock
of the table; `facts` may be called by anybody.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

import msgspec
from django.db import connection, transaction

from cardroom.core.errors import NotFound
from games.engine.commands import Command
from games.engine.facts.base import Fact, from_json
from games.engine.facts.mistakes import EntryReversed
from games.engine.facts.play import HandStarted, Ruled
from games.engine.hand import Hand as Engine
from games.engine.rulebook import Rulebook
from games.rulebooks import of_hand as rulebook_of_hand
from games.tables.models.tables import Hand, HandFact

MOST_KEPT = 256
_INSERT = "INSERT INTO games_handfact (hand_id, seq, kind, point, data, at, command_id) VALUES "
_ENCODER = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a command came to: facts `facts_from` to `seq` of its hand."""

    seq: int
    facts_from: int


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who holds a seat in a hand. `account`: the id of their stack's account."""

    player: int
    name: str
    is_bot: bool
    account: int


@dataclass(slots=True, eq=False)
class OpenHand:
    """A hand folded from its facts, with what the services need to know beside them.

    `receipts`: by command id, the outcome of every command that carried one. `seq`: facts known to be committed.
    `funds` and `dealt_by`: where its drop goes, and the id of the person who deals it, as `Hand` has them.
    """

    pk: int
    engine: Engine
    sitters: dict[int, Sitter]
    receipts: dict[str, Receipt] = field(default_factory=dict)
    seq: int = 0
    funds: dict[str, Any] = field(default_factory=dict)
    dealt_by: int | None = None

    @property
    def length(self) -> int:
        return len(self.engine.facts)

    def entries(self) -> list[Receipt]:
        """The commands that still count, oldest first: those that were taken back are left out."""
        standing: list[Receipt] = []
        for receipt in sorted(self.receipts.values(), key=lambda each: each.facts_from):
            first = self.engine.facts[receipt.facts_from - 1]
            if not isinstance(first, EntryReversed):
                standing.append(receipt)
                continue
            while standing and standing[-1].facts_from > first.upto:
                standing.pop()
        return standing

    def seat_of(self, player: int) -> int | None:
        """The seat a person holds in this hand, by their id."""
        return next((seat for seat, sitter in self.sitters.items() if sitter.player == player), None)


class _Row(NamedTuple):
    seq: int
    kind: str
    data: str
    command_id: str


_kept: OrderedDict[int, OpenHand] = OrderedDict()
_lock = threading.Lock()


def load(hand_id: int, *, seq: int) -> OpenHand:
    """The hand folded up to its fact `seq`, the last one. Call it with the table locked; one query or none if this
    process played it last."""
    open_hand = _in_memory(hand_id)
    if open_hand is None or open_hand.length != open_hand.seq or open_hand.length > seq:
        open_hand = _folded(hand_id)
        _keep_on_commit(open_hand)
    elif open_hand.length < seq:
        rows = _rows(hand_id, after=open_hand.length)
        for row in rows:
            open_hand.engine.apply(_fact(row))
        _note_commands(open_hand, rows)
        _keep_on_commit(open_hand)
    return open_hand


def read(hand_id: int) -> OpenHand:
    """A hand to be looked at, folded anew from the database: a copy of its own, that nobody else plays on."""
    if not Hand.objects.filter(pk=hand_id).exists():
        raise NotFound("There is no such hand.", "no-such-hand")
    return _folded(hand_id)


def begin(hand: Hand, engine: Engine, *, at: datetime) -> OpenHand:
    """Write down a hand that has just been started, and its facts so far."""
    open_hand = OpenHand(hand.pk, engine, sitters(hand), funds=hand.funds, dealt_by=hand.started_by_id)
    _write(open_hand, engine.facts, first=1, at=at, command_id="")
    return open_hand


def play(open_hand: OpenHand, command: Command, *, at: datetime, command_id: str = "") -> Receipt:
    """Play a command and write down what follows from it.

    Raises the engine's `IllegalAction` with nothing changed. After any other failure the copy in memory is forgotten.
    """
    first = open_hand.length + 1
    facts = open_hand.engine.play(command)
    receipt = Receipt(seq=open_hand.length, facts_from=first)
    if not facts:
        return receipt
    if not command_id and open_hand.engine.started.is_hand_dealt:
        command_id = f"room:{first}"  # what a dealer may take back are whole commands, a clock's as well
    if command_id:
        open_hand.receipts[command_id] = receipt
    _write(open_hand, facts, first=first, at=at, command_id=command_id)
    return receipt


def receipt(hand_id: int, command_id: str) -> Receipt | None:
    """What a command of a hand that is over was answered, if there was such a command."""
    seqs = HandFact.objects.filter(hand_id=hand_id, command_id=command_id).order_by("seq").values_list("seq", flat=True)
    found = list(seqs)
    return Receipt(seq=found[-1], facts_from=found[0]) if found else None


def facts(hand_id: int, *, after: int = 0, upto: int | None = None) -> Sequence[Fact]:
    """Facts `after` + 1 to `upto` (None: all there are), unredacted; the first of them has number `after` + 1.

    From memory where this process has seen `upto` committed, else by one query.
    """
    if upto is not None:
        kept = kept_facts(hand_id, after=after, upto=upto)
        if kept is not None:
            return kept
    return [_fact(row) for row in _rows(hand_id, after=after, upto=upto)]


def kept_facts(hand_id: int, *, after: int, upto: int) -> Sequence[Fact] | None:
    """The same from memory, or None where this process has not seen `upto` committed. No query."""
    open_hand = _in_memory(hand_id)
    if open_hand is None or open_hand.seq < upto:
        return None
    # Facts are only ever added to the list, so what is committed of it stays as it is.
    return open_hand.engine.facts[after:upto]


def times(hand_id: int) -> list[datetime]:
    """When each fact of a hand was written down, in order."""
    return list(HandFact.objects.filter(hand_id=hand_id).order_by("seq").values_list("at", flat=True))


def sitters(hand: Hand) -> dict[int, Sitter]:
    """Who sits where in a hand, by seat number."""
    return {
        int(number): Sitter(seat["player"], seat["name"], seat["is_bot"], seat["account"])
        for number, seat in hand.seats.items()
    }


def engine_of(facts: Sequence[Fact]) -> Engine:
    """The hand that these facts tell of, whole or redacted, able to be played on."""
    return Engine.replay(facts, rulebook=book_of(facts))


def book_of(facts: Sequence[Fact]) -> Rulebook:
    """The book, in the version, that the hand these facts begin is played by."""
    started = facts[0]
    if not isinstance(started, HandStarted):
        raise ValueError("the first fact of a hand is that it started")
    return rulebook_of_hand(started.rulebook, started.rulebook_version)


def forget(hand_id: int | None = None) -> None:
    """Drop a hand from memory, or all of them; the next `load` reads it from the database."""
    with _lock:
        if hand_id is None:
            _kept.clear()
        else:
            _kept.pop(hand_id, None)


def _in_memory(hand_id: int) -> OpenHand | None:
    with _lock:
        open_hand = _kept.get(hand_id)
        if open_hand is not None:
            _kept.move_to_end(hand_id)
        return open_hand


def _keep_on_commit(open_hand: OpenHand) -> None:
    transaction.on_commit(partial(_keep, open_hand, open_hand.length), robust=True)


def _keep(open_hand: OpenHand, seq: int) -> None:
    """The facts up to `seq` are committed: this is the copy to go on with, unless a newer one is there."""
    with _lock:
        open_hand.seq = max(open_hand.seq, seq)
        kept = _kept.get(open_hand.pk)
        if kept is None or kept.seq <= open_hand.seq:
            _kept[open_hand.pk] = open_hand
        _kept.move_to_end(open_hand.pk)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def _folded(hand_id: int) -> OpenHand:
    hand = Hand.objects.get(pk=hand_id)
    rows = _rows(hand_id)
    engine = engine_of([_fact(row) for row in rows])
    open_hand = OpenHand(hand.pk, engine, sitters(hand), funds=hand.funds, dealt_by=hand.started_by_id)
    _note_commands(open_hand, rows)
    return open_hand


def _note_commands(open_hand: OpenHand, rows: Sequence[_Row]) -> None:
    for row in rows:
        if row.command_id:
            first = open_hand.receipts.get(row.command_id)
            open_hand.receipts[row.command_id] = Receipt(row.seq, first.facts_from if first else row.seq)


def _rows(hand_id: int, *, after: int = 0, upto: int | None = None) -> list[_Row]:
    rows = HandFact.objects.filter(hand_id=hand_id, seq__gt=after).order_by("seq")
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    return list(map(_Row._make, rows.values_list("seq", "kind", "data", "command_id")))


def _write(open_hand: OpenHand, facts: Sequence[Fact], *, first: int, at: datetime, command_id: str) -> None:
    # Plain SQL, as in `locking`: this is on every action's way.
    when = connection.ops.adapt_datetimefield_value(at)
    values: list[Any] = []
    for seq, fact in enumerate(facts, first):
        point = fact.key if isinstance(fact, Ruled) else ""
        values += [open_hand.pk, seq, fact.kind, point, _ENCODER.encode(fact).decode(), when, command_id]
    rows = ", ".join(["(%s, %s, %s, %s, %s, %s, %s)"] * len(facts))
    with connection.cursor() as cursor:
        cursor.execute(_INSERT + rows, values)
    _keep_on_commit(open_hand)


def _fact(row: _Row) -> Fact:
    return from_json(row.kind, msgspec.json.decode(row.data))


# The rulings in the journal, of all hands.


class Ruling(NamedTuple):
    """A ruling as it was written down; `is_reversed`: the entry behind it was taken back."""

    id: int
    hand: int
    seq: int
    at: datetime
    fact: Ruled
    is_reversed: bool


def rulings(
    *,
    key: str = "",
    table: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    before: int | None = None,
    limit: int,
) -> list[Ruling]:
    """Rulings of all hands, newest first; `until` is not included. Two queries. A ruling holds no card."""
    rows = HandFact.objects.exclude(point="").order_by("-pk")
    wanted = {"point": key, "hand__table": table, "at__gte": since, "at__lt": until, "pk__lt": before}
    rows = rows.filter(**{name: value for name, value in wanted.items() if value not in (None, "")})
    found = list(rows.values_list("pk", "hand_id", "seq", "at", "data")[:limit])
    reversals = _reversals({hand for _, hand, *_ in found})
    return [
        Ruling(pk, hand, seq, at, _ruled(data), any(upto < seq < at_seq for at_seq, upto in reversals.get(hand, ())))
        for pk, hand, seq, at, data in found
    ]


def _ruled(data: str) -> Ruled:
    fact = from_json("ruled", msgspec.json.decode(data))
    assert isinstance(fact, Ruled)
    return fact


def _reversals(hands: Collection[int]) -> dict[int, list[tuple[int, int]]]:
    """By hand: (number of the reversal, number of the last fact it kept)."""
    found: dict[int, list[tuple[int, int]]] = {}
    rows = HandFact.objects.filter(hand__in=hands, kind="entry-reversed").values_list("hand", "seq", "data")
    for hand, seq, data in rows:
        found.setdefault(hand, []).append((seq, msgspec.json.decode(data)["upto"]))
    return found
