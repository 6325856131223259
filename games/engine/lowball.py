"""How good a low hand is, ace to five: aces are low, straights and flushes do not count, pairs are bad.

A low value is an int, the SMALLER the better, built as in ``ranking`` with the ace as 1: ``category_of`` and
``ranks_in`` read it. A card that is not there counts 0, so fewer cards are lower than the same cards and one
more; boards of equal size compare as the rules want. Cards as for ``ranking``: one to seven, all different,
none hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from games.engine.cards import DECK, Card, ace_low_key, not_a_card, rank_of
from games.engine.ranking import MOST_CARDS, Category, pack, playing_cards, repeated_card, wrong_number

# How many of each rank, three bits each, the ace (here 1) lowest.
_CARD_KEYS = {card: 1 << 3 * ((rank_of(card) - 1) % 13) for card in DECK}
_key_of = _CARD_KEYS.__getitem__

_CATEGORIES = {
    (4, 1): Category.QUADS,
    (3, 2): Category.FULL_HOUSE,
    (3, 1): Category.TRIPS,
    (2, 2): Category.TWO_PAIR,
    (2, 1): Category.PAIR,
    (1, 1): Category.HIGH_CARD,
}


def low_value_of(cards: Sequence[Card]) -> int:
    """The best ace-to-five low in one to seven cards: smaller is better, the wheel the best of five."""
    try:
        return _LOWS[sum(map(_key_of, cards))]
    except KeyError as unheard_of:
        raise not_a_card(unheard_of.args[0]) from None


def low8_value_of(cards: Sequence[Card]) -> int | None:
    """As ``low_value_of``, or None when the cards make no five different ranks of eight or under."""
    value = low_value_of(cards)
    is_qualified = value < pack(Category.HIGH_CARD, (9,)) and value & 15
    return value if is_qualified else None


def low_five_of(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that play low, in order of importance: pairs first, then downwards, so an ace comes last."""
    return playing_cards(low_value_of(cards), cards)


class _Lows(dict[int, int]):
    """Low values by how many of each rank there are, worked out when first met: at most 76,154 entries."""

    def __missing__(self, key: int) -> int:
        ranks = [rank for rank in range(13, 0, -1) for _ in range(key >> 3 * (rank - 1) & 7)]
        if not 1 <= len(ranks) <= MOST_CARDS:
            raise wrong_number()
        if max(map(ranks.count, ranks)) > 4:
            raise repeated_card()
        value = self[key] = min(map(_value_of_five, combinations(ranks, min(5, len(ranks)))))
        return value


_LOWS = _Lows()


def _value_of_five(ranks: tuple[int, ...]) -> int:
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    counts = [count for count, _ in groups]
    # Alone, a pair is a pair and a card a card, as if a single card stood beside them.
    category = _CATEGORIES[counts[0], counts[1] if len(counts) > 1 else 1]
    return pack(category, [rank for _, rank in groups])


def low_name_of(five: Sequence[Card]) -> str:
    """What the dealer calls a low, from its highest card down: ``8-6-4-3-A``."""
    by_rank = sorted(five, key=ace_low_key, reverse=True)
    return "-".join("10" if card[0] == "T" else card[0] for card in by_rank)
