"""Chance that can be checked: a seed that stands in a fact, and always the same draw from it.

SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). It is written out
here so that a draw comes out the same in every version of Python, and anybody can repeat it from the seed that is
shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

_WORD = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15

T = TypeVar("T")


class Chance:
    """Numbers drawn one after the other from ``seed``, any int; the lowest 64 bits of it count."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _WORD

    def below(self, n: int) -> int:
        """An even chance of 0 to ``n`` - 1. Raises ``ValueError`` where there is nothing to choose from."""
        if n < 1:
            raise ValueError(f"cannot draw one of {n}")
        # The last, incomplete round of the wheel is thrown away: with it small numbers would come more often.
        fair = (1 << 64) - (1 << 64) % n
        while (drawn := self._word()) >= fair:
            pass
        return drawn % n

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """``items`` in random order, every order as likely as any other (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order

    def _word(self) -> int:
        self._state = (self._state + _STEP) & _WORD
        word = self._state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
        return word ^ (word >> 31)
