"""Stakes that a set of chips can pay."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tournaments.engine import customs

#: Stakes are whole chips of a kind from so many of them in the small bet; of the smallest chip always.
_NEXT_CHIP = 8


#: Bets of this many chips please as little as those of more.
_MANY_CHIPS = 12


#: The first two digits of bets, and those of them that all sheets have, be they fast or slow.
_BETS = frozenset((10, 12, 14, 15, 16, 20, 25, 30, 35, 40, 50, 60, 70, 80))


_USUAL_BETS = frozenset((10, 12, 15, 20, 25, 30, 40, 50, 60, 80))


_USUAL_FORCED = frozenset((10, 15, 20, 25, 30, 40, 50, 60, 75, 80))


#: How little an unusual number pleases, and a step that only the first levels may have, in hundredths off the aim.
_UNUSUAL, DOUBLED = 30, 60


#: Aims are in thousandths of a chip.
FINE = 1000


#: Ante, bring-in, small bet.
Stakes = tuple[int, int, int]


def least_bet(chips: Sequence[int]) -> int:
    """The smallest small bet whose ante is a whole chip; 0 where these chips make none that sheets have."""
    return next(iter(payable(3 * chips[0], 10 * chips[0], chips)), 0)


def unit(bet: int, chips: Sequence[int]) -> int:
    """The smallest chip that the stakes with this small bet are paid in."""
    return max((chip for chip in chips if chip * _NEXT_CHIP <= bet), default=chips[0])


def payable(least: int, most: int, chips: Sequence[int]) -> list[int]:
    """The small bets from ``least`` to ``most``, rising, that sheets have and that are whole chips of their unit, and
    so are an ante and a bring-in for them."""
    return [bet for bet in _rounds(least, most, _BETS) if _antes_and_bring_ins(bet, chips)]


def _rounds(least: Fraction | int, most: Fraction | int, leading: frozenset[int]) -> list[int]:
    """Amounts from ``least`` to ``most``, rising, with these first two digits and zeros behind them."""
    amounts: list[int] = []
    tenths = 1
    while tenths <= most:
        amounts += [first * tenths // 10 for first in leading if first * tenths % 10 == 0]
        tenths *= 10
    return [amount for amount in sorted(amounts) if least <= amount <= most]


def _antes_and_bring_ins(bet: int, chips: Sequence[int]) -> list[tuple[int, int]]:
    """Antes and bring-ins that go with a small bet, the lowest first; none where the lowest of each do not go together.

    The lowest never fall from a bet to a higher one, as the unit of the higher one is a multiple; so there always is a
    way up.
    """
    of = unit(bet, chips)
    if bet % of:
        return []

    def whole(least: Fraction, most: Fraction) -> list[int]:
        return [amount for amount in _rounds(least, most, customs.LEADING) if amount % of == 0]

    pairs = [
        (ante, bring_in)
        for ante in whole(customs.LEAST_ANTE * bet, customs.MOST_ANTE * bet)
        for bring_in in whole(max(Fraction(ante), customs.LEAST_BRING_IN * bet), customs.MOST_BRING_IN * bet)
    ]
    lowest = (min((ante for ante, _ in pairs), default=0), min((bring_in for _, bring_in in pairs), default=0))
    return pairs if lowest in pairs else []


def strangeness(bet: int, aim: int, chips: Sequence[int]) -> int:
    """How little a bet would please: hundredths off the aim, chips that it takes, digits that few sheets have."""
    unusual = 0 if _leading(bet) in _USUAL_BETS else _UNUSUAL
    return abs(bet * FINE - aim) * 100 // aim + min(_MANY_CHIPS, chips_to_pay(bet, chips)) + unusual


def _leading(amount: int) -> int:
    """Its first two digits."""
    return int(f"{amount:0<2}"[:2])


def chips_to_pay(amount: int, chips: Sequence[int]) -> int:
    """With how few chips ``amount`` is paid."""
    count = 0
    for chip in reversed(chips):
        count, amount = count + amount // chip, amount % chip
    return count


def around(bets: Sequence[int], chips: Sequence[int]) -> list[Stakes]:
    """(ante, bring-in, small bet) for each of the rising ``bets``, which are ``payable``: an ante of about a quarter, a
    bring-in of about a third, whole chips of the bet's unit, never falling."""

    def cost(pair: tuple[int, int], bet: int) -> int:
        ante, bring_in = pair
        return _off(ante, Fraction(bet, 4), chips) + _off(bring_in, Fraction(bet, 3), chips)

    best = [{pair: (cost(pair, bets[0]), pair) for pair in _antes_and_bring_ins(bets[0], chips)}]
    for bet in bets[1:]:
        reached: dict[tuple[int, int], tuple[int, tuple[int, int]]] = {}
        for pair in _antes_and_bring_ins(bet, chips):
            lower = [
                (spent, earlier)
                for earlier, (spent, _) in best[-1].items()
                if earlier[0] <= pair[0] and earlier[1] <= pair[1]
            ]
            if lower:
                spent, earlier = min(lower)
                reached[pair] = (spent + cost(pair, bet), earlier)
        best.append(reached)
    row = [min(best[-1], key=lambda pair: (best[-1][pair][0], pair))]
    for reached in best[:0:-1]:
        row.append(reached[row[-1]][1])
    return [(ante, bring_in, bet) for (ante, bring_in), bet in zip(row[::-1], bets, strict=True)]


def _off(amount: int, aim: Fraction, chips: Sequence[int]) -> int:
    """How little an ante or a bring-in would please."""
    unusual = 0 if _leading(amount) in _USUAL_FORCED else _UNUSUAL
    return int(abs(amount - aim) * 100 / aim) + min(_MANY_CHIPS, chips_to_pay(amount, chips)) + unusual
