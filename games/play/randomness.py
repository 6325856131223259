"""Tests of randomness for shuffles: counts over many decks, compared with their expected values.

Every count gives a z-score: by how many standard deviations it differs from the value for fair decks, by the normal
approximation, which is close for so many decks. A fair shuffle stays within the limit in all but one run in many
millions; a biased one leaves it as soon as there are enough decks to see the bias.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

from games.play import shuffling, verify_deal

CARDS = 52
#: The largest z-score of a fair shuffle.
LIMIT = 6.0
_UNSHUFFLED = range(CARDS)

#: Sums over the cards as numbers, 0 to 51, taken from their mean: of squares and of fourth powers.
_MEAN = (CARDS - 1) / 2
_SQUARES = sum((card - _MEAN) ** 2 for card in _UNSHUFFLED)
_FOURTHS = sum((card - _MEAN) ** 4 for card in _UNSHUFFLED)
#: Of the sum over a deck of each card times the one after it, the first after the last (Wald and Wolfowitz).
_SERIAL = -_SQUARES / (CARDS - 1)
_SERIAL_SPREAD = sqrt(
    (_SQUARES**2 - _FOURTHS) / (CARDS - 1)
    + (_SQUARES**2 - 2 * _FOURTHS) / ((CARDS - 1) * (CARDS - 2))
    - (_SQUARES / (CARDS - 1)) ** 2
)
#: Of the sum over two decks of each card times the one at the same position.
_ROW_SPREAD = _SQUARES / sqrt(CARDS - 1)


@dataclass(frozen=True)
class Figure:
    """The result of one test: its name, the value found (an average or a total), the expected value, the z-score."""

    name: str
    found: float
    expected: float
    z: float

    @property
    def is_fair(self) -> bool:
        return abs(self.z) <= LIMIT


def of_the_room() -> Sequence[int]:
    """A shuffle as the room makes it, from a fresh secret; cards are numbers."""
    return verify_deal.order("deck", bytes.fromhex(shuffling.new_secret()))


def of_cuts() -> Sequence[int]:
    """How a deck is turned by the cut of one player."""
    return verify_deal.leaves_of(shuffling.new_secret(), [(1, shuffling.new_secret())])


def figures(shuffle: Callable[[], Sequence[int]], decks: int) -> list[Figure]:
    """The tests of so many shuffles, two at least.

    - positions: each card lies at each position equally often (chi-square)
    - steps: from a card to the next one, modulo 52, each step comes equally often (chi-square)
    - serial: a card is not correlated with the next one of its deck
    - decks in a row: a deck is not correlated with the deck before
    - runs: how many ascending runs a deck has
    - unmoved: how many cards of a deck lie where they lay before the shuffle
    """
    positions = [[0] * CARDS for _ in range(CARDS)]
    steps = [0] * CARDS
    runs = unmoved = serial = row = 0
    before: Sequence[int] = ()
    for _ in range(decks):
        deck = shuffle()
        card = deck[-1]
        serial += card * deck[0]
        for count, next_card in zip(positions, deck, strict=True):
            count[next_card] += 1
        card = deck[0]
        for next_card in deck[1:]:
            steps[next_card - card] += 1  # a negative number counts from the end: modulo 52
            runs += next_card < card
            serial += card * next_card
            card = next_card
        unmoved += sum(map(int.__eq__, deck, _UNSHUFFLED))
        if before:
            row += sum(map(int.__mul__, deck, before))
        before = deck
    products = CARDS * _MEAN**2  # of a deck whose cards are not correlated
    return [
        # In every deck each position and each card is there once: the counts are a little more even than free ones.
        _chi_square("positions", [count for place in positions for count in place], (CARDS - 1) ** 2, CARDS - 1),
        _chi_square("steps", steps[1:], CARDS - 2, CARDS),
        _mean("serial", serial - decks * products, decks, _SERIAL, _SERIAL_SPREAD),
        _mean("decks in a row", row - (decks - 1) * products, decks - 1, 0.0, _ROW_SPREAD),
        _mean("runs", runs + decks, decks, (CARDS + 1) / 2, sqrt((CARDS + 1) / 12)),
        _mean("unmoved", unmoved, decks, 1.0, 1.0),
    ]


def _mean(name: str, total: float, count: int, expected: float, spread: float) -> Figure:
    return Figure(name, total / count, expected, (total - count * expected) / (spread * sqrt(count)))


def _chi_square(name: str, counts: Sequence[int], freedom: int, scale: int) -> Figure:
    expected = sum(counts) / len(counts)
    chi_square = sum((count - expected) ** 2 for count in counts) / expected * scale / CARDS
    part = 2 / (9 * freedom)  # the cube root is nearly normal (Wilson and Hilferty)
    return Figure(name, chi_square, freedom, ((chi_square / freedom) ** (1 / 3) - (1 - part)) / sqrt(part))
