"""The rulings in the journal, of all hands."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

import msgspec

from games.engine.facts import Ruled, from_json
from games.models import HandFact


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
