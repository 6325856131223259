"""Whole units out of exact shares: the parts are integers and sum to what was there."""

from __future__ import annotations

from collections.abc import Sequence


def evenly(total: int, parts: int, unit: int = 1) -> tuple[int, ...]:
    """``total`` in ``parts`` equal parts; units left over go one each to the first ones, and what fills no unit to the
    first of all."""
    each, odd = divmod(total // unit, parts)
    shares = [(each + (place < odd)) * unit for place in range(parts)]
    shares[0] += total % unit
    return tuple(shares)


def largest_remainder(values: Sequence[int], denominator: int, total: int, unit: int = 1) -> tuple[int, ...]:
    """Integers that sum to ``total``, in proportion to the exact shares ``values[i] / denominator``.

    Everyone has their share rounded down to ``unit``; the units left over go one each to the largest remainders, equal
    ones in the order given (Hamilton's method). What fills no unit is the largest share's.
    """
    one = denominator * unit
    shares = [value // one for value in values]
    left = total // unit - sum(shares)
    for index in by_remainder(values, one)[:left]:
        shares[index] += 1
    amounts = [share * unit for share in shares]
    amounts[values.index(max(values))] += total % unit
    return tuple(amounts)


def by_remainder(values: Sequence[int], one: int) -> list[int]:
    """Whose turn it is for a unit left over, by index: the largest remainder first, equal ones in order."""
    return sorted(range(len(values)), key=lambda index: -(values[index] % one))
