"""What is read about hands and rulings. No fact leaves here unredacted.

Whose downcards a viewer sees in a hand is decided by the seat they were dealt into in that very hand, and never by the
seat they have now. Rulings are public.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from cardroom.core.errors import NotFound
from games.engine.facts.base import RAIL, Fact, redact
from games.engine.hand import Hand as Engine
from games.engine.rulebook import Rulebook
from games.rulebooks import RulebookError
from games.rulebooks.queries import load as rulebook
from games.tables import journal as table_journal
from games.tables.journal import Sitter
from games.tables.models.tables import Hand, Table
from games.tables.queries.tables import Viewer, check_may_watch


@dataclass(frozen=True)
class HandRow:
    """A hand that is over, in a list."""

    id: int
    number: int
    started_at: datetime
    ended_at: datetime
    pot: int
    players: list[str]


@dataclass(frozen=True)
class HandStory:
    """A hand as one viewer may see it. `facts`: (seq, when, fact); `viewer_seat`: where they sat in it, if they did."""

    id: int
    number: int
    table: Table
    started_at: datetime
    ended_at: datetime | None
    sitters: dict[int, Sitter]
    viewer_seat: int | None
    facts: list[tuple[int, datetime, Fact]]
    book: Rulebook
    previous_id: int | None
    next_id: int | None

    @property
    def is_over(self) -> bool:
        return self.ended_at is not None


def facts_for(*, hand_id: int, viewer: Viewer, after: int = 0) -> list[tuple[int, Fact]]:
    """The facts of a hand after number `after`, as this viewer may see them.

    `NotFound` where there is no such hand, `Forbidden` where the table has no spectators and they are one.
    """
    seat = _checked_seat(_hand(hand_id), viewer)
    return list(
        enumerate((redact(fact, seat or RAIL) for fact in table_journal.facts(hand_id, after=after)), after + 1)
    )


def hand_view(*, hand_id: int, viewer: Viewer) -> Engine:
    """The hand as this viewer sees it: stacks, boards, pots, their options; it can be looked at, not played."""
    return Engine.replay(fact for _, fact in facts_for(hand_id=hand_id, viewer=viewer))


def seat_in_hand(*, hand_id: int, viewer: Viewer) -> int | None:
    """The seat this viewer was dealt into in this hand; None on the rail."""
    return _seat_in(_hand(hand_id), viewer)


def hand_story(*, hand_id: int, viewer: Viewer) -> HandStory:
    """A hand from its beginning, redacted for the viewer, for its own page; one being played as far as it got.

    Refuses as `facts_for` does.
    """
    hand = _hand(hand_id)
    seat = _checked_seat(hand, viewer)
    whole = table_journal.facts(hand_id)
    facts = zip(whole, table_journal.times(hand_id), strict=False)
    others = Hand.objects.filter(table=hand.table_id)
    return HandStory(
        id=hand.pk,
        number=hand.number,
        table=hand.table,
        started_at=hand.started_at,
        ended_at=hand.ended_at,
        sitters=table_journal.sitters(hand),
        viewer_seat=seat,
        facts=[(seq, at, redact(fact, seat or RAIL)) for seq, (fact, at) in enumerate(facts, 1)],
        book=table_journal.book_of(whole),
        previous_id=others.filter(number=hand.number - 1).values_list("pk", flat=True).first(),
        next_id=others.filter(number=hand.number + 1).values_list("pk", flat=True).first(),
    )


def hands_of(*, table_id: int, limit: int = 50, before: int | None = None) -> list[HandRow]:
    """The hands of a table that are over, newest first; `before`: only those with a smaller number."""
    hands = Hand.objects.filter(table=table_id, ended_at__isnull=False).order_by("-number")
    if before is not None:
        hands = hands.filter(number__lt=before)
    return [_hand_row(hand) for hand in hands[:limit]]


def _hand(hand_id: int) -> Hand:
    hand = Hand.objects.select_related("table").filter(pk=hand_id).first()
    if hand is None:
        raise NotFound("There is no such hand.", "no-such-hand")
    return hand


def _checked_seat(hand: Hand, viewer: Viewer) -> int | None:
    """The seat they were dealt into, which lets them see the hand wherever it was; else they have to be let look on."""
    seat = _seat_in(hand, viewer)
    if seat is None:
        check_may_watch(hand.table, viewer)
    return seat


def _seat_in(hand: Hand, viewer: Viewer) -> int | None:
    if viewer is None or not viewer.is_authenticated:
        return None
    return next((seat for seat, sitter in table_journal.sitters(hand).items() if sitter.player == viewer.pk), None)


def _hand_row(hand: Hand) -> HandRow:
    return HandRow(
        id=hand.pk,
        number=hand.number,
        started_at=hand.started_at,
        ended_at=hand.ended_at,
        pot=hand.pot,
        players=[sitter.name for sitter in table_journal.sitters(hand).values()],
    )


# Rulings: which, where, when, and what the rulebook says


@dataclass(frozen=True)
class RulingRow:
    """A ruling in a hand. ``is_reversed``: the entry that led to it was a mistake and was taken back."""

    id: int
    hand: int
    number: int
    table: int
    table_name: str
    seq: int
    at: datetime
    key: str
    verdict: str
    seats: tuple[int, ...]
    words: str
    rule: str
    citation: str
    rulebook: str
    is_reversed: bool


def rulings(
    *,
    key: str = "",
    table: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[RulingRow]:
    """Rulings, newest first: on one point, at one table, from ``since`` up to but not including ``until``; ``before``:
    only those with a smaller id. Three queries."""
    found = table_journal.rulings(key=key, table=table, since=since, until=until, before=before, limit=limit)
    hands = Hand.objects.select_related("table").in_bulk({row.hand for row in found})
    return [_row(row, hands[row.hand]) for row in found]


def _row(row: table_journal.Ruling, hand: Hand) -> RulingRow:
    reference = hand.rulebook or hand.table.rulebook
    fact = row.fact
    return RulingRow(
        id=row.id,
        hand=hand.pk,
        number=hand.number,
        table=hand.table_id,
        table_name=hand.table.name,
        seq=row.seq,
        at=row.at,
        key=fact.key,
        verdict=fact.verdict,
        seats=fact.seats,
        words=fact.words,
        rule=fact.rule,
        citation=fact.citation or _citation(reference, fact.key, fact.rule),
        rulebook=reference,
        is_reversed=row.is_reversed,
    )


def _citation(reference: str, key: str, rule: str) -> str:
    """Book and rule; the rule alone where the book is gone."""
    try:
        return rulebook(reference).citation(key)
    except (RulebookError, KeyError):
        return rule
