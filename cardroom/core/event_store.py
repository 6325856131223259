"""Facts of hands and of events: written down once, numbered from 1, read again and replayed. Only this module reads
and writes their rows.

Facts that not everybody may read are sealed in their rows (`seals`), each for its place in its subject: a person who
reads the database, a copy of it or its traffic learns nothing. Facts from before they were sealed are read as they are.

States stay in memory, one copy per process to play on. A copy counts as committed up to `seq`, which moves only after a
commit: one that holds more facts than that was played in a transaction which has failed, or is still open, so it is
left alone and the state is replayed from the database. `load` is for callers who hold the lock of the hand's table or
of the event; everybody else reads `facts`, or looks at a second copy that nobody plays on (`looking`).
Each row carries a chain, a digest of what it says and of the chain before it, so that one which is changed later shows;
the last one of a subject is sealed with the rest of history (`cardroom.core.history`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from hashlib import sha256
from itertools import groupby, starmap
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from django.db import connection, models, transaction

from cardroom.core import seals
from cardroom.core.audit import Note
from cardroom.core.database import binding

_ROWS_AT_ONCE = 1000  # of one statement

E = TypeVar("E")


def plain_text(words: Any) -> Any:
    """For `msgspec`: an engine's `Said` is written down by its code and its values; one without a code, and any other
    text that knows more than its letters, in English."""
    if isinstance(words, str):
        return getattr(words, "stored", str(words))
    raise TypeError(f"{type(words).__name__} is not written down")


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome of a command: facts `facts_from` to `seq`; none where `seq` is smaller."""

    seq: int
    facts_from: int


@dataclass(slots=True, eq=False)
class Replayed(Generic[E]):
    """A state replayed from its facts, which `engine` keeps. `receipts`: by command id, the outcome of every command
    that carried one. `seq`: number of facts known to be committed, those of `committed`, a list that only grows.
    `chain`: of the last fact. `is_taken`: somebody plays on it without the lock of its subject, see `take`."""

    pk: int
    engine: E
    receipts: dict[str, Receipt] = field(default_factory=dict, kw_only=True)
    seq: int = field(default=0, kw_only=True)
    committed: list[Any] = field(default_factory=list, kw_only=True)
    chain: bytes = field(default=b"", kw_only=True)
    is_taken: bool = field(default=False, kw_only=True)

    @property
    def length(self) -> int:
        return len(self.engine.facts)  # type: ignore[attr-defined]


R = TypeVar("R", bound=Replayed[Any])


class _Row(NamedTuple):
    seq: int
    kind: str
    data: str
    command_id: str
    chain: bytes | None
    upto: int = 0


@dataclass(slots=True, eq=False)
class _Look(Generic[R]):
    """A copy to be looked at by one thread at a time."""

    copy: R | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class EventStore(Generic[R]):
    """The facts of one kind of subject, a hand or an event.

    `model`: has a row for each fact, with `seq`, `kind`, `data` (JSON), `at` and `command_id`; `subject`: its foreign
    key. `further`: columns that a store adds and fills in `marks`; with `upto`, the number of a command's last fact,
    only the first fact of a command carries its id.
    """

    model: type[models.Model]
    subject: str
    further: tuple[str, ...] = ()
    #: States kept in memory, those used last.
    most_kept: int

    def __init__(self) -> None:
        self._kept: OrderedDict[int, R] = OrderedDict()
        self._looks: OrderedDict[int, _Look[R]] = OrderedDict()
        #: Those of `_kept` that nobody plays on, and nobody has tried to since the last commit.
        self._free: set[int] = set()
        self._lock = threading.Lock()
        self._read = ("seq", "kind", "data", "command_id", "chain", *(name for name in self.further if name == "upto"))
        self.columns = (f"{self.subject}_id", "seq", "kind", "data", "at", "command_id", *self.further, "chain")
        table = self.model._meta.db_table
        self._insert = f"INSERT INTO {table} ({', '.join(self.columns)}) VALUES "  # noqa: S608, names of our own
        self._values = f"({', '.join(['%s'] * len(self.columns))})"

    # -- what a store says of its facts ------------------------------------------------------------------------------

    def from_json(self, kind: str, data: Any) -> Any:
        """A fact, of its kind and its decoded JSON."""
        raise NotImplementedError

    def hides(self, fact: Any) -> bool:
        """Whether some people may not read this fact whole: then its row is sealed."""
        return False

    def replay(self, pk: int, facts: list[Any]) -> R:
        """The state that these facts tell; raises `NotFound` where there is none."""
        raise NotImplementedError

    def marks(self, facts: Sequence[Any], command_id: str, *, last: int, by: int | None) -> Sequence[tuple[Any, ...]]:
        """For each fact of a command its `command_id` and the `further` columns; `last`: number of the last one."""
        return [(command_id,)] * len(facts)

    # -- playing -----------------------------------------------------------------------------------------------------

    def load(self, pk: int, *, seq: int) -> R:
        """The state up to fact `seq`, the last one. Call it with the lock held. One query, or none if this process
        played it last."""
        with self._lock:
            state = self._kept.get(pk)
            self._free.discard(pk)
            is_taken = state is not None and state.is_taken
        if state is None or is_taken or state.length != state.seq or state.length > seq:
            state = self.read(pk)
            self._keep_on_commit(state)
        elif state.length < seq:
            rows = self._rows(pk, after=state.length)
            for row in rows:
                state.engine.apply(self._fact(pk, row))
            _note_commands(state, rows)
            state.chain = _last_of(rows)
            self._keep_on_commit(state)
        return state

    def add(
        self, state: R, facts: Sequence[Any], *, at: datetime, command_id: str = "", by: int | None = None
    ) -> Receipt:
        """Write down the last `facts` of a state, which a command has just led to; maybe none. `by`: the person who
        gave it."""
        receipt = Receipt(seq=state.length, facts_from=state.length - len(facts) + 1)
        rows = self.rows_of(state, facts, receipt, at=at, command_id=command_id, by=by)
        with binding.cursor() as cursor:
            for start in range(0, len(rows), _ROWS_AT_ONCE):
                some = rows[start : start + _ROWS_AT_ONCE]
                cursor.execute(*self.insertion(some))
        if rows:
            self._keep_on_commit(state)
        return receipt

    def rows_of(
        self,
        state: R,
        facts: Sequence[Any],
        receipt: Receipt,
        *,
        at: datetime,
        command_id: str = "",
        by: int | None = None,
    ) -> list[tuple[Any, ...]]:
        """The rows of a command's facts, which a state ends with: values of `columns`. From now on the state knows the
        command and its chain."""
        if not facts:
            return []
        first = receipt.facts_from
        if command_id:
            state.receipts[command_id] = receipt
        # Plain SQL: on the way of every action.
        when = connection.ops.adapt_datetimefield_value(at)
        marks = self.marks(facts, command_id, last=receipt.seq, by=by)
        rows = []
        chain, at_text = state.chain or self._place(state.pk), moment_text(at)
        for seq, (fact, more) in enumerate(zip(facts, marks, strict=True), first):
            text = self._text(state.pk, seq, fact)
            chain = chain_link(chain, seq, fact.kind, text, at_text, more[0])
            rows.append((state.pk, seq, fact.kind, text, when, *more, chain))
        state.chain = chain
        return rows

    def insertion(self, rows: Sequence[tuple[Any, ...]]) -> tuple[str, list[Any]]:
        """The statement that writes these `rows_of` a command, and its values."""
        return self._insert + ", ".join([self._values] * len(rows)), [value for row in rows for value in row]

    @cached_property
    def insertion_from_arrays(self) -> str:
        """The same on PostgreSQL for any number of rows, with an array for each of `columns`: an INSERT whose SELECT
        may be given further sources and conditions."""
        # Text, and not varchar with its length: a cast would cut what is too long, and the column refuses it.
        kinds = [str(self._fields[column].db_type(connection)) for column in self.columns]
        arrays = ", ".join(f"%s::{'text' if kind.startswith('varchar') else kind}[]" for kind in kinds)
        table = self.model._meta.db_table
        return f"INSERT INTO {table} ({', '.join(self.columns)}) SELECT fact.* FROM unnest({arrays}) AS fact"  # noqa: S608

    @property
    def _fields(self) -> dict[str, Any]:
        return {field.column: field for field in self.model._meta.concrete_fields}

    def receipt(self, pk: int, command_id: str) -> Receipt | None:
        """The outcome of a command, from the database; None where there is no such command."""
        rows = self._rows(pk, command_id=command_id)
        return Receipt(seq=rows[-1].upto or rows[-1].seq, facts_from=rows[0].seq) if rows else None

    # -- reading -----------------------------------------------------------------------------------------------------

    def facts(self, pk: int, *, after: int = 0, upto: int | None = None) -> Sequence[Any]:
        """Facts `after` + 1 to `upto` (None: all there are), whole; from memory where this process has seen `upto`
        committed, else by one query."""
        kept = self.kept_facts(pk, after=after, upto=upto) if upto is not None else None
        return [self._fact(pk, row) for row in self._rows(pk, after=after, upto=upto)] if kept is None else kept

    def kept_facts(self, pk: int, *, after: int, upto: int) -> Sequence[Any] | None:
        """The facts after `after` up to `upto`, from memory; None where this process has not seen `upto` committed. No
        query."""
        state = self.in_memory(pk)
        return None if state is None or state.seq < upto else state.committed[after:upto]

    def read(self, pk: int) -> R:
        """The state replayed from the database: a copy of the caller's own."""
        rows = self._rows(pk)
        state = self.replay(pk, [self._fact(pk, row) for row in rows])
        _note_commands(state, rows)
        state.chain = _last_of(rows)
        return state

    @contextmanager
    def looking(self, pk: int, *, upto: int) -> Iterator[Any]:
        """The engine as of fact `upto` or a later one, shared with others who look: change nothing, keep nothing of it.

        `NotFound` where it has no facts. One query, or none where this process has them.
        """
        with self._lock:
            look = self._looks.setdefault(pk, _Look())
            self._used(self._looks, pk)
        with look.lock:
            if look.copy is None:
                look.copy = self.read(pk)
            elif (seen := look.copy.length) < upto:
                for fact in self.facts(pk, after=seen, upto=upto):
                    look.copy.engine.apply(fact)
            yield look.copy.engine

    def of(self, pk: int) -> models.QuerySet[Any]:
        """The rows of one subject, in order."""
        return self.model._default_manager.filter(**{f"{self.subject}_id": pk}).order_by("seq")

    def _rows(self, pk: int, *, after: int = 0, upto: int | None = None, **fields: Any) -> list[_Row]:
        rows = self.of(pk).filter(seq__gt=after, **fields)
        if upto is not None:
            rows = rows.filter(seq__lte=upto)
        return list(starmap(_Row, rows.values_list(*self._read)))

    def _text(self, pk: int, seq: int, fact: Any) -> str:
        text = msgspec.json.encode(fact, enc_hook=plain_text).decode()
        if self.hides(fact):
            return seals.seal(text, subject=f"{self.subject}:{pk}", about=f"{seq}:{fact.kind}")
        return text

    def _fact(self, pk: int, row: _Row) -> Any:
        return self.from_json(row.kind, msgspec.json.decode(self.opened(pk, row.seq, row.kind, row.data)))

    def opened(self, pk: int, seq: int, kind: str, data: str) -> str:
        """The JSON of a row. Refuses as `seals.opened` does."""
        if not seals.is_sealed(data):
            return data
        return seals.opened(data, subject=f"{self.subject}:{pk}", about=f"{seq}:{kind}")

    # -- that facts which were changed show ----------------------------------------------------------------------------

    def ends_of_chains(self, pks: Collection[int]) -> dict[int, str]:
        """By subject the chain of its last fact; of facts that were written down without one it is worked out."""
        subject = f"{self.subject}_id"
        rows = self.model._default_manager.filter(**{f"{subject}__in": pks}).order_by(subject, "seq")
        ends = {pk: bytes(chain or b"").hex() for pk, chain in rows.values_list(subject, "chain")}
        without = [pk for pk, end in ends.items() if not end]
        for pk, of_one in self._chained(rows.filter(**{f"{subject}__in": without})) if without else ():
            chain = self._place(pk)
            for seq, kind, data, at, command_id, _ in of_one:
                chain = self.link(chain, seq, kind, data, at, command_id)
            ends[pk] = chain.hex()
        return ends

    def faults_of_chains(self) -> Iterator[str]:
        """Facts that are not what their chain says, or have lost it. Reads all of them."""
        first_whole: int | None = None
        without = 0
        for pk, rows in self._chained(self.model._default_manager.all()):
            chain, length = b"", 0
            for seq, kind, data, at, command_id, stored_chain in rows:
                length += 1
                if stored_chain is None:
                    if chain:
                        yield f"{self.subject} {pk}: fact {seq} has lost its chain"
                        break
                    continue
                if seq == 1 and first_whole is None:
                    first_whole = pk
                expected = self.link(chain or self._place(pk), seq, kind, data, at, command_id)
                if bytes(stored_chain) != expected:
                    yield f"{self.subject} {pk}: fact {seq}, or one before it, is not as it was written down"
                    break
                chain = expected
            else:
                without += not chain
                if length and not chain and first_whole is not None:
                    yield f"{self.subject} {pk}: its facts have lost their chain"
        if without:
            yield Note(f"the facts of {without} written before there were chains have none ({self.subject})")

    def _chained(self, rows: models.QuerySet[Any]) -> Iterator[tuple[int, Iterator[tuple[Any, ...]]]]:
        """By subject the columns that its chain is made of, and the chain."""
        subject = f"{self.subject}_id"
        names = (subject, "seq", "kind", "data", "at", "command_id", "chain")
        facts = rows.order_by(subject, "seq").values_list(*names).iterator(chunk_size=2_000)
        for pk, of_one in groupby(facts, key=itemgetter(0)):
            yield pk, (row[1:] for row in of_one)

    def _place(self, pk: int) -> bytes:
        """The chain before the first fact of a subject."""
        return f"{self.subject}:{pk}".encode()

    def link(self, before: bytes, seq: int, kind: str, data: str, at: datetime, command_id: str) -> bytes:
        """The chain of a stored fact."""
        return chain_link(before, seq, kind, data, moment_text(at), command_id)

    # -- playing without the lock ------------------------------------------------------------------------------------

    def take(self, pk: int) -> R | None:
        """The copy in memory, for this caller alone, without the lock of its subject; None where there is none, or it
        is in use: then it takes the lock and `load`.

        What it leads to is written only where the subject has not moved on since (`rows_of`, and a check of its version
        in the same statement). Then `keep` and `give_back` follow; a copy that was played on in vain is `drop`ped.
        """
        with self._lock:
            state = self._kept.get(pk)
            if state is None or pk not in self._free:
                return None
            self._free.discard(pk)
            state.is_taken = True
            return state

    def give_back(self, state: R) -> None:
        """Somebody else may take the copy, which holds nothing that is not committed."""
        with self._lock:
            state.is_taken = False
            if self._kept.get(state.pk) is state and state.length == state.seq:
                self._free.add(state.pk)

    def drop(self, state: R) -> None:
        """The copy holds what was never written: the next caller reads its subject from the database."""
        with self._lock:
            if self._kept.get(state.pk) is state:
                del self._kept[state.pk]

    # -- memory ------------------------------------------------------------------------------------------------------

    def in_memory(self, pk: int) -> R | None:
        with self._lock:
            state = self._kept.get(pk)
            if state is not None:
                self._kept.move_to_end(pk)
            return state

    def forget(self, pk: int | None = None) -> None:
        """Drop a state from memory, or all of them; the next caller reads it from the database."""
        with self._lock:
            for memory in (self._kept, self._looks):
                if pk is None:
                    memory.clear()
                else:
                    memory.pop(pk, None)
            self._free &= self._kept.keys()

    def keep(self, state: R, seq: int) -> None:
        """The facts up to `seq` are committed: this is the copy to go on with, unless a newer one is there."""
        with self._lock:
            if seq >= state.seq:
                state.seq, state.committed = seq, state.engine.facts
            earlier = self._kept.get(state.pk)
            if earlier is None or earlier.seq <= state.seq:
                self._kept[state.pk] = state
                if not state.is_taken:
                    self._free.add(state.pk)
            self._used(self._kept, state.pk)

    def _keep_on_commit(self, state: R) -> None:
        transaction.on_commit(partial(self.keep, state, state.length), robust=True)

    def _used(self, memory: OrderedDict[int, Any], pk: int) -> None:
        memory.move_to_end(pk)
        while len(memory) > self.most_kept:
            oldest, _ = memory.popitem(last=False)
            if memory is self._kept:
                self._free.discard(oldest)


def chain_link(before: bytes, seq: int, kind: str, data: str, at: str, command_id: str) -> bytes:
    """The chain of a fact: a digest of its row as it is stored, and of the chain before it."""
    return sha256(before + f"{seq}\0{kind}\0{at}\0{command_id}\0{data}".encode()).digest()


def moment_text(at: datetime) -> str:
    """A moment as it stands in the chain's digest."""
    return at.astimezone(UTC).isoformat()


def _last_of(rows: Sequence[_Row]) -> bytes:
    return bytes(rows[-1].chain or b"") if rows else b""


def _note_commands(state: Replayed[Any], rows: Sequence[_Row]) -> None:
    for row in rows:
        if row.command_id:
            first = state.receipts.get(row.command_id)
            state.receipts[row.command_id] = Receipt(row.upto or row.seq, first.facts_from if first else row.seq)
