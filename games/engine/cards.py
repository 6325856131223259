"""The fifty-two cards, how they are written, and which of two is the higher by rank and suit.

A card is two characters, rank then suit: ``"As"``, ``"Td"``, ``"2c"``. A card that a viewer may not see is
``None`` and one that nobody recorded is ``UNKNOWN``; neither has a rank or a suit. Knows nothing of hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

Card: TypeAlias = str

#: Lowest first, as everywhere in this module; suits rank only where the rules break a tie by suit.
RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK: tuple[Card, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
UNKNOWN: Card = "??"
#: What may turn up in a deck and belongs in none of these games.
JOKER = "joker"

ACE = 14
_RANK_OF = {card: RANKS.index(card[0]) + 2 for card in DECK}
_SUIT_OF = {card: SUITS.index(card[1]) for card in DECK}
_LOW_KEYS = {card: _RANK_OF[card] * 4 + _SUIT_OF[card] for card in DECK}
_HOW_TO_WRITE = f"write a rank ({RANKS}) and then a suit ({SUITS}), as in 'Td'"


def rank_of(card: Card) -> int:
    """2 to 14, ace high. ValueError for ``None``, ``UNKNOWN`` or anything else that is not a card."""
    try:
        return _RANK_OF[card]
    except KeyError:
        raise not_a_card(card) from None


def suit_of(card: Card) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades. ValueError as for ``rank_of``."""
    try:
        return _SUIT_OF[card]
    except KeyError:
        raise not_a_card(card) from None


def low_key(card: Card) -> int:
    """Orders cards by rank, ace high, then by suit; no two are equal. Its minimum is the stud lowcard."""
    try:
        return _LOW_KEYS[card]
    except KeyError:
        raise not_a_card(card) from None


def ace_low_key(card: Card) -> int:
    """As ``low_key`` with the ace under the deuce, as razz has it; its maximum brings it in there."""
    rank = rank_of(card)
    return (1 if rank == ACE else rank) * 4 + suit_of(card)


def is_known(card: Card | None) -> bool:
    """Whether a card has a face that can be compared."""
    return card is not None and card != UNKNOWN


def known_cards(cards: Sequence[Card | None]) -> Sequence[Card]:
    """Those of ``cards`` that have a face."""
    if None not in cards and UNKNOWN not in cards:
        return cast("Sequence[str]", cards)
    return [card for card in cards if card is not None and card != UNKNOWN]


def parse_cards(text: str, *, unknown_allowed: bool = False) -> tuple[Card, ...]:
    """The cards of ``"AsKd"`` or ``"As Kd"`` in order; with ``unknown_allowed``, any number of ``??`` too.

    ValueError says which card is wrong and why: misspelt, cut short, or there twice.
    """
    written = "".join(text.split())
    cards: list[Card] = []
    for start in range(0, len(written), 2):
        card = written[start : start + 2]
        where = f"card {len(cards) + 1} of {text!r}"
        if card == UNKNOWN and unknown_allowed:
            cards.append(card)
        elif card not in _RANK_OF:
            raise ValueError(f"{where} is {card!r}, which is not a card: {_HOW_TO_WRITE}")
        elif card in cards:
            raise ValueError(f"{where} is {card!r}, which is already card {cards.index(card) + 1}")
        else:
            cards.append(card)
    return tuple(cards)


def not_a_card(card: object) -> ValueError:
    """The error for a value that cannot be ranked; names it, which is safe because it is no card."""
    if card is None or card == UNKNOWN:
        return ValueError(f"{card!r} is a card that is hidden or was not recorded: it has no rank or suit")
    return ValueError(f"{card!r} is not a card: {_HOW_TO_WRITE}")
