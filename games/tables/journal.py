"""The journal of hands: hands replayed from their facts, and the rulings in them.

Facts are kept whole here. What is meant for somebody's eyes is `new_facts`, redacted once for each kind of viewer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from django.db.models import Count, Max

from cardroom.core import seals
from cardroom.core.errors import NotFound
from cardroom.core.event_store import EventStore, Receipt, Replayed
from cardroom.core.history import rows as history
from games.engine.facts.base import KINDS, RAIL, Fact, Sees, Viewer, from_json, redact
from games.engine.facts.mistakes import EntryReversed
from games.engine.facts.play import HandStarted, Ruled
from games.engine.hand import Hand as Engine
from games.engine.rulebook import Rulebook
from games.rulebooks.queries import of_hand as rulebook_of_hand
from games.tables.models.tables import Hand, HandFact


@dataclass(frozen=True, slots=True)
class Sitter:
    """The player in a seat of a hand. `account`: the id of their stack's account."""

    player: int
    name: str
    is_bot: bool
    account: int


@dataclass(slots=True, eq=False)
class OpenHand(Replayed[Engine]):
    """A hand, with what the services need beside its facts.

    `table_id`: where it is played; `funds` and `dealt_by`: where its drop goes, and the id of the person who deals it,
    as `Hand` has them.
    """

    sitters: dict[int, Sitter]
    table_id: int
    funds: dict[str, Any] = field(default_factory=dict)
    dealt_by: int | None = None

    def entries(self) -> list[Receipt]:
        """The commands that still count, oldest first: those that were taken back are left out."""
        standing: list[Receipt] = []
        for receipt in sorted(self.receipts.values(), key=lambda entry: entry.facts_from):
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


#: Kinds of facts that not everybody may read whole.
HIDDEN_KINDS = frozenset(kind for kind, fact in KINDS.items() if fact.sees is not Sees.ALL)


class _HandStore(EventStore[OpenHand]):
    model, subject, further, most_kept = HandFact, "hand", ("point",), 2048

    from_json = staticmethod(from_json)

    def hides(self, fact: Fact) -> bool:
        return fact.kind in HIDDEN_KINDS

    def replay(self, pk: int, facts: list[Fact]) -> OpenHand:
        return _open_hand(Hand.objects.get(pk=pk), engine_of(facts))

    def marks(self, facts: Sequence[Fact], command_id: str, **more: Any) -> list[tuple[str, str]]:
        return [(command_id, fact.key if isinstance(fact, Ruled) else "") for fact in facts]


store = _HandStore()
history.seal_also(Hand._meta.db_table, store.ends_of_chains)
load, receipt, facts, kept_facts, forget = store.load, store.receipt, store.facts, store.kept_facts, store.forget
take, give_back, drop, rows_of, keep = store.take, store.give_back, store.drop, store.rows_of, store.keep


def _open_hand(hand: Hand, engine: Engine) -> OpenHand:
    return OpenHand(hand.pk, engine, sitters(hand), hand.table_id, funds=hand.funds, dealt_by=hand.started_by_id)


def read(hand_id: int) -> OpenHand:
    """A hand replayed from the database to be read: a separate copy that nobody plays on."""
    if not Hand.objects.filter(pk=hand_id).exists():
        raise NotFound("no-such-hand", "There is no such hand.")
    return store.read(hand_id)


def begin(hand: Hand, engine: Engine, *, at: datetime) -> OpenHand:
    """Write down a hand that has just been started, and its facts so far."""
    open_hand = _open_hand(hand, engine)
    store.add(open_hand, engine.facts, at=at)
    return open_hand


def add(open_hand: OpenHand, facts: Sequence[Fact], *, at: datetime, command_id: str = "") -> Receipt:
    """Write down the facts that a command has just led to. After a failure the copy in memory is forgotten."""
    if not command_id and open_hand.engine.started.is_hand_dealt:
        # A dealer takes whole commands back, those of clocks as well.
        command_id = f"room:{open_hand.length - len(facts) + 1}"
    return store.add(open_hand, facts, at=at, command_id=command_id)


def times(hand_id: int) -> list[datetime]:
    """When each fact of a hand was written down, in order."""
    return list(store.of(hand_id).values_list("at", flat=True))


def sitters(hand: Hand) -> dict[int, Sitter]:
    """The players of a hand, by seat number."""
    return {
        int(number): Sitter(seat["player"], seat["name"], seat["is_bot"], seat["account"])
        for number, seat in hand.seats.items()
    }


def engine_of(facts: Sequence[Fact]) -> Engine:
    """The hand replayed from these facts, whole or redacted; it can be played on."""
    return Engine.replay(facts, rulebook=book_of(facts))


def book_of(facts: Sequence[Fact]) -> Rulebook:
    """The rulebook, in its version, of the hand that begins with these facts."""
    started = facts[0]
    if not isinstance(started, HandStarted):
        raise ValueError("the first fact of a hand is that it started")
    return rulebook_of_hand(started.rulebook, started.rulebook_version)


_CHUNK = 2_000


def unopened() -> Iterator[tuple[int, int, str]]:
    """The sealed facts that do not open: hand, number, and what is wrong. One query."""
    rows = HandFact.objects.filter(data__startswith=seals.MARK).order_by("hand", "seq")
    for hand, seq, kind, data in rows.values_list("hand", "seq", "kind", "data").iterator(_CHUNK):
        try:
            store.opened(hand, seq, kind, data)
        except seals.NoKey:
            yield hand, seq, f"there is no key {seals.number_of(data)}"
        except seals.NotOpened:
            yield hand, seq, "it was changed, or moved here"


def unsealed() -> tuple[int, int | None]:
    """How many facts of hidden kinds are not sealed, and the newest hand with such a fact. One query."""
    rows = HandFact.objects.filter(kind__in=HIDDEN_KINDS).exclude(data__startswith=seals.MARK)
    totals = rows.aggregate(count=Count("pk"), newest=Max("hand"))
    return totals["count"], totals["newest"]


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
    ruling_rows = list(rows.values_list("pk", "hand_id", "seq", "at", "data")[:limit])
    reversals = _reversals({hand for _, hand, *_ in ruling_rows})
    return [
        Ruling(
            pk, hand, seq, at, _read_ruling(data), any(upto < seq < at_seq for at_seq, upto in reversals.get(hand, ()))
        )
        for pk, hand, seq, at, data in ruling_rows
    ]


def awards(hands: Collection[int]) -> dict[int, dict[int, int]]:
    """By hand: what each seat won of its pots, as everybody may know. Two queries."""
    rows = HandFact.objects.filter(hand__in=hands, kind="pot-awarded").order_by("pk").values_list("hand", "seq", "data")
    reversals = _reversals(hands)
    won: dict[int, dict[int, int]] = {}
    for hand, seq, data in rows:
        if not any(upto < seq < at_seq for at_seq, upto in reversals.get(hand, ())):
            award = msgspec.json.decode(data)
            of_hand = won.setdefault(hand, {})
            of_hand[award["seat"]] = of_hand.get(award["seat"], 0) + award["amount"]
    return won


def _read_ruling(data: str) -> Ruled:
    fact = from_json("ruled", msgspec.json.decode(data))
    assert isinstance(fact, Ruled)
    return fact


def _reversals(hands: Collection[int]) -> dict[int, list[tuple[int, int]]]:
    """By hand: (number of the reversal, number of the last fact it kept)."""
    reversals: dict[int, list[tuple[int, int]]] = {}
    rows = HandFact.objects.filter(hand__in=hands, kind="entry-reversed").values_list("hand", "seq", "data")
    for hand, seq, data in rows:
        reversals.setdefault(hand, []).append((seq, msgspec.json.decode(data)["upto"]))
    return reversals


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
    """A hand's ``number`` at its table, and its ``seats``: by the id of each player, the seat they were dealt into."""

    number: int
    seats: dict[int, int]


def roll(hand: int) -> Roll:
    """The roll of a hand. One query."""
    row = Hand.objects.get(pk=hand)
    return Roll(row.number, {sitter.player: seat for seat, sitter in sitters(row).items()})


def is_hand_of(hand: int, table: int) -> bool:
    """Whether this hand is or was played at this table. One query."""
    return Hand.objects.filter(pk=hand, table_id=table).exists()


def new_facts(hand: int, *, after: int, upto: int | None, viewers: Collection[Viewer]) -> NewFacts:
    """What ``viewers`` have not seen of a hand; ``upto`` None: all there is. One query or none."""
    return _redact_for_viewers(store.facts(hand, after=after, upto=upto), after, viewers)


def kept_new_facts(hand: int, *, after: int, upto: int | None, viewers: Collection[Viewer]) -> NewFacts | None:
    """The new facts of a hand for these viewers, from memory; None where it would take a query."""
    facts = store.kept_facts(hand, after=after, upto=upto) if upto is not None else None
    return None if facts is None else _redact_for_viewers(facts, after, viewers)


def _redact_for_viewers(facts: Sequence[Fact], after: int, viewers: Collection[Viewer]) -> NewFacts:
    upto = after + len(facts)
    from_the_rail = [redact(fact, RAIL) for fact in facts]
    if all(seen is fact for seen, fact in zip(from_the_rail, facts, strict=True)):
        # Most facts are open to the rail, and so to everybody: these are redacted once.
        return NewFacts(after, upto, dict.fromkeys(viewers, from_the_rail))
    return NewFacts(after, upto, {viewer: [redact(fact, viewer) for fact in facts] for viewer in viewers})
