"""Stakes of limit stud that a set of chips can pay: which bets there are, and the ante and bring-in that go with them.

The big bet is twice the small bet, the bring-in a quarter to a half of the small bet and the ante an eighth to a
quarter. Chips are given smallest first, each a multiple of the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

#: Stakes are whole chips of a kind from so many of them in the small bet; of the smallest chip from the second on.
_NEXT_CHIP, _FIRST_CHIP = 8, 4
#: A bet of more chips than this is none that anybody would push into a pot.
_MOST_CHIPS = 100
#: Bets of this many chips please as little as those of more.
_MANY_CHIPS = 12
#: A bet is looked for so near its aim, in hundredths.
_NEAR = 16
#: Where there are more than so many ways between two amounts, only every second, third.. is looked at.
_WAYS = 50
#: Aims are in thousandths of a chip.
FINE = 1000

#: Ante, bring-in, small bet.
Stakes = tuple[int, int, int]


def least_bet(chips: Sequence[int]) -> int:
    """The smallest small bet whose ante is a whole chip."""
    return chips[0] * _FIRST_CHIP


def unit(bet: int, chips: Sequence[int]) -> int:
    """The smallest chip that the stakes with this small bet are paid in."""
    return max((chip for chip in chips if chip * _NEXT_CHIP <= bet), default=chips[0])


def payable(least: int, most: int, chips: Sequence[int]) -> list[int]:
    """The small bets from ``least`` to ``most``, rising, that are whole chips of their unit."""
    found: list[int] = []
    bet = -(-max(least, least_bet(chips)) // chips[0]) * chips[0]
    while bet <= most:
        of = unit(bet, chips)
        if bet % of == 0:
            found.append(bet)
        bet = bet // of * of + max(of, bet // _WAYS // of * of)
    return found


def nearest(bets: Sequence[int], aims: Sequence[int], chips: Sequence[int]) -> list[int]:
    """Rising ones of ``bets``, one for each of ``aims`` (rising, in thousandths of a chip) as far as there are any:
    near the aim, and of those the round ones that take few chips."""
    found: list[int] = []
    at = 0
    for number, aim in enumerate(aims):
        if at >= len(bets):
            break
        kept = min(len(aims) - number - 1, len(bets) - at - 1)  # for the aims to come
        choice = range(at, len(bets) - kept)
        close = [index for index in choice if abs(bets[index] * FINE - aim) * 100 <= _NEAR * aim]
        if close:
            at = min(close, key=lambda index: _strangeness(bets[index], aim, chips))
        else:
            at = min(choice, key=lambda index: abs(bets[index] * FINE - aim))
        found.append(bets[at])
        at += 1
    return found


def _strangeness(bet: int, aim: int, chips: Sequence[int]) -> int:
    """How little a bet would please: hundredths off the aim, chips that it takes, digits."""
    digits = len(str(bet).rstrip("0"))
    return abs(bet * FINE - aim) * 100 // aim + 2 * min(_MANY_CHIPS, chips_to_pay(bet, chips)) + 5 * (digits - 1)


def can_be_pushed(bet: int, chips: Sequence[int]) -> bool:
    """Does ``bet`` take no more chips than a player can handle?"""
    return chips_to_pay(bet, chips) <= _MOST_CHIPS


def chips_to_pay(amount: int, chips: Sequence[int]) -> int:
    """With how few chips ``amount`` is paid."""
    count = 0
    for chip in reversed(chips):
        count, amount = count + amount // chip, amount % chip
    return count


def around(bets: Sequence[int], chips: Sequence[int]) -> list[Stakes]:
    """(ante, bring-in, small bet) for each of the rising ``bets``: whole chips of its unit, never falling."""
    found = []
    ante = bring_in = 0
    for bet in bets:
        of = unit(bet, chips)
        ante = _between(max(ante, -(-bet // 8)), bet // 4, Fraction(bet, 6), of, chips)
        bring_in = _between(max(bring_in, ante, -(-bet // 4)), bet // 2, Fraction(bet, 3), of, chips)
        found.append((ante, bring_in, bet))
    return found


def _between(least: int, most: int, aim: Fraction, of: int, chips: Sequence[int]) -> int:
    """Whole chips ``of`` a kind from ``least`` to ``most``, near the ``aim`` and few.

    There always are some: a bet is at least four of the first chip, whose ante is then one, and at least eight of any
    other, where the amounts before were at most two and four.
    """
    first = -(-least // of) * of
    step = max(1, (most - first) // of // _WAYS) * of

    def strangeness(amount: int) -> tuple[Fraction, int]:
        return abs(amount - aim) / aim * 100 + 8 * min(_MANY_CHIPS, chips_to_pay(amount, chips)), amount

    return min(range(first, most + 1, step), key=strangeness)


def no_longer_needed(in_play: Sequence[int], to_come: Sequence[Stakes]) -> tuple[int, ...]:
    """The smallest chips ``in_play`` without which all the stakes ``to_come`` are whole chips still."""
    leaving: list[int] = []
    for chip, larger in pairwise(in_play):
        if any(amount % larger for stakes in to_come for amount in stakes):
            break
        leaving.append(chip)
    return tuple(leaving)
