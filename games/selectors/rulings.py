"""The rulings of the room: which, where, when, and what the book says. They are public, as every ruling is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games import journal
from games.models import Hand
from games.rulebooks import RulebookError
from games.rulebooks import load as rulebook


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
    found = journal.rulings(key=key, table=table, since=since, until=until, before=before, limit=limit)
    hands = Hand.objects.select_related("table").in_bulk({row.hand for row in found})
    return [_row(row, hands[row.hand]) for row in found]


def _row(row: journal.Ruling, hand: Hand) -> RulingRow:
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
