"""How strong a poker hand is: the best high hand in one to seven cards, the five that play, and its name.

A value is an int, the higher the better: the category, then up to five ranks in order of importance, four
bits each. A rank that is not there counts 0, so values compare across different numbers of cards, boards
included. Fewer than five cards make no straight, flush or full house. Suits never break a tie between values:
they only order ``odd_chip_key``.

Callers see to it that no card comes twice. Hidden and unknown cards raise ValueError. Knows nothing of pots
or seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import combinations

from games.engine.cards import ACE, DECK, Card, ace_low_key, low_key, not_a_card, rank_of, suit_of


class Category(IntEnum):
    """The kinds of hands, weakest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8


MOST_CARDS = 7

# One sum over the cards tells both things that count: how many of each suit (four bits each, low) and how
# many of each rank (three bits each, above). Starting each suit at three makes its top bit mean five or more.
_SUIT_BITS = 16
_NO_CARDS = 0x3333
_FLUSH_BITS = 0x8888
_CARD_KEYS = {card: 1 << _SUIT_BITS + 3 * (rank_of(card) - 2) | 1 << 4 * suit_of(card) for card in DECK}
_key_of = _CARD_KEYS.__getitem__

# How many cards each rank of a value stands for.
_SHAPES = {
    Category.HIGH_CARD: (1, 1, 1, 1, 1),
    Category.PAIR: (2, 1, 1, 1),
    Category.TWO_PAIR: (2, 2, 1),
    Category.TRIPS: (3, 1, 1),
    Category.STRAIGHT: (1, 1, 1, 1, 1),
    Category.FLUSH: (1, 1, 1, 1, 1),
    Category.FULL_HOUSE: (3, 2),
    Category.QUADS: (4, 1),
    Category.STRAIGHT_FLUSH: (1, 1, 1, 1, 1),
}

_NUMBERS = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NAMES = dict(enumerate((*_NUMBERS, "jack", "queen", "king", "ace"), start=2))


def value_of(cards: Sequence[Card]) -> int:
    """The strength of the best high hand in one to seven different cards."""
    try:
        key = sum(map(_key_of, cards), _NO_CARDS)
    except KeyError as unheard_of:
        raise not_a_card(unheard_of.args[0]) from None
    if key & _FLUSH_BITS:
        return _FLUSHES[_ranks_of_flush(cards, key)]
    return _VALUES[key >> _SUIT_BITS]


def category_of(value: int) -> Category:
    """The category of a value of this module or of a low one."""
    return Category(value >> 20)


def ranks_in(value: int) -> tuple[int, ...]:
    """The ranks of a value, most important first: kings and nines with a four is (13, 9, 4)."""
    return tuple(rank for shift in (16, 12, 8, 4, 0) if (rank := value >> shift & 15))


def five_of(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The five cards that play (or all of fewer) in order of importance; the highest suits among equals.

    A pair comes before its kickers; a straight runs down from its top, so that the wheel ends with the ace.
    """
    value = value_of(cards)
    if category_of(value) in (Category.FLUSH, Category.STRAIGHT_FLUSH):
        suits = [suit_of(card) for card in cards]
        cards = [card for card in cards if suits.count(suit_of(card)) >= 5]
    return playing_cards(value, cards)


@lru_cache(maxsize=8192)
def name_of(value: int) -> str:
    """What the dealer calls it: "two pair, kings and nines", "ace-high straight", "queen high".

    For high values only.
    """
    category = category_of(value)
    first, second = (*ranks_in(value), 0)[:2]
    top = _NAMES[first]
    match category:
        case Category.HIGH_CARD:
            return f"{top} high"
        case Category.PAIR:
            return f"pair of {_plural(first)}"
        case Category.TWO_PAIR:
            return f"two pair, {_plural(first)} and {_plural(second)}"
        case Category.TRIPS:
            return f"three {_plural(first)}"
        case Category.FULL_HOUSE:
            return f"full house, {_plural(first)} over {_plural(second)}"
        case Category.QUADS:
            return f"four {_plural(first)}"
        case Category.STRAIGHT_FLUSH if first == ACE:
            return "royal flush"
        case _:
            return f"{top}-high {category.name.lower().replace('_', ' ')}"


def odd_chip_key(five: Sequence[Card], *, ace_low: bool = False) -> tuple[int, ...]:
    """Orders hands that tie for a pot: the largest key gets the odd chip.

    Compares the cards that play from the highest down, by rank and then suit; in a wheel the ace is still the
    highest card unless ``ace_low``, which is for razz and the low half of a pot.
    """
    return tuple(sorted(map(ace_low_key if ace_low else low_key, five), reverse=True))


def pack(category: Category, ranks: Sequence[int]) -> int:
    """The value of a category and up to five ranks, most important first."""
    value = int(category)
    for place in range(5):
        value = value << 4 | (ranks[place] if place < len(ranks) else 0)
    return value


def playing_cards(value: int, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Those of ``cards`` that make ``value``, in order of importance; the highest suits among equals."""
    ranks: Sequence[int] = ranks_in(value)
    category = category_of(value)
    if category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        ranks = range(ranks[0], ranks[0] - 5, -1)
    by_suit = sorted(cards, key=low_key, reverse=True)

    def picked() -> Iterator[Card]:
        for rank, count in zip(ranks, _SHAPES[category], strict=False):
            yield from [card for card in by_suit if rank_of(card) == (rank if rank > 1 else ACE)][:count]

    return tuple(picked())


def wrong_number() -> ValueError:
    """The error for no cards or too many."""
    return ValueError("a hand is ranked by one to seven cards")


def repeated_card() -> ValueError:
    """The error for what different cards cannot make; it names none of them, for they may be sealed."""
    return ValueError("a card comes twice: more than four of one rank, or a flush with a rank twice")


class _Values(dict[int, int]):
    """Values by how many of each rank there are, worked out when first met: at most 76,154 entries."""

    def __missing__(self, key: int) -> int:
        counts = [(key >> 3 * (rank - 2) & 7, rank) for rank in range(ACE, 1, -1)]
        how_many = sum(count for count, _ in counts)
        if not 1 <= how_many <= MOST_CARDS:
            raise wrong_number()
        groups = sorted(((count, rank) for count, rank in counts if count), reverse=True)
        if groups[0][0] > 4:
            raise repeated_card()
        value = self[key] = _value_without_flush(groups)
        return value


class _Flushes(dict[int, int]):
    """Values of flushes by which ranks are in the suit (bit 0 the deuce)."""

    def __missing__(self, mask: int) -> int:
        ranks = [rank for rank in range(ACE, 1, -1) if mask >> rank - 2 & 1]
        if len(ranks) < 5:
            raise repeated_card()
        top = _top_of_straight(ranks)
        value = pack(Category.STRAIGHT_FLUSH, (top,)) if top else pack(Category.FLUSH, ranks)
        self[mask] = value
        return value


_VALUES = _Values()
_FLUSHES = _Flushes()


def _ranks_of_flush(cards: Sequence[Card], key: int) -> int:
    if len(cards) > MOST_CARDS:
        raise wrong_number()
    suit = (key & _FLUSH_BITS).bit_length() // 4 - 1
    mask = 0
    for card in cards:
        if suit_of(card) == suit:
            mask |= 1 << rank_of(card) - 2
    return mask


def _value_without_flush(groups: Sequence[tuple[int, int]]) -> int:
    """The value of (count, rank) groups sorted downwards, suits aside."""
    (most, first), (next_most, second) = (*groups, (0, 0))[:2]
    ranks = sorted((rank for _, rank in groups), reverse=True)
    kickers = [rank for rank in ranks if rank != first]
    top = _top_of_straight(ranks)
    if most == 4:
        return pack(Category.QUADS, (first, *kickers[:1]))
    if most == 3 and next_most >= 2:
        return pack(Category.FULL_HOUSE, (first, second))
    if top:
        return pack(Category.STRAIGHT, (top,))
    if most == 3:
        return pack(Category.TRIPS, (first, *kickers[:2]))
    if most == next_most == 2:
        rest = [rank for rank in kickers if rank != second]
        return pack(Category.TWO_PAIR, (first, second, *rest[:1]))
    if most == 2:
        return pack(Category.PAIR, (first, *kickers[:3]))
    return pack(Category.HIGH_CARD, ranks)


def _top_of_straight(ranks: Sequence[int]) -> int:
    """The highest rank that ends five in a row, the ace standing at both ends; 0 if none does."""
    held = {*ranks, 1} if ACE in ranks else set(ranks)
    return next((top for top in range(ACE, 4, -1) if held.issuperset(range(top - 4, top + 1))), 0)


def _plural(rank: int) -> str:
    name = _NAMES[rank]
    return name + ("es" if name.endswith("x") else "s")


# How good a low hand is, ace to five: aces are low, straights and flushes do not count, pairs are bad.


# How many of each rank, three bits each, the ace (here 1) lowest.
_low_key_of = {card: 1 << 3 * ((rank_of(card) - 1) % 13) for card in DECK}.__getitem__

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
        return _LOWS[sum(map(_low_key_of, cards))]
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
