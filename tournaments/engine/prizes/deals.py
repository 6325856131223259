"""Deals: the prizes that are left, shared among the players who are left instead of being played for.

Works out amounts only; other modules know who may propose, who agreed and what is paid. Every deal is over the prizes
of the places still open, first prize first. ``play_for`` is taken from first prize beforehand and kept: the winner gets
it on top of their own amount. Stacks and amounts are in one order, that of entry: units left over go by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from math import comb, gcd
from operator import add, floordiv

from tournaments.engine.errors import EventSentence, IllegalCommand
from tournaments.engine.prizes.payouts import by_remainder, evenly, largest_remainder

# What a stack is worth in prizes: the independent chip model, exact, in integers.
#
# Malmuth and Harville: a player wins with the probability of their part of the chips, and so on for second place among
# the others (Harville, "Assigning probabilities to the outcomes of multi-entry competitions", JASA 68 (1973); Malmuth,
# "Gambling Theory and Other Topics", 1987).
#
# That is the order in which clocks ring that run at the rates of the stacks. The chance that exactly the players of a
# set ring after ``i`` is then an integral of products of exponentials, and multiplying them out leaves one fraction for
# each set of players: with stacks ``s``, prizes ``p`` by place and n players, the value of ``i`` is
#
#     s(i) * sum over the sets T with i in them of  c(|T|) / s(T),
#     c(m) = sum over j below m of  (-1)^j * binomial(m - 1, j) * p(n - m + 1 + j)
#
# that is, c(m) is the (m-1)th difference of the last m prizes. 2^20 fractions are few enough to add up one by one.


MOST_PLAYERS = 20
#: Values are known to 2**-_BITS of a unit or better before anything is rounded.
_BITS = 128
#: Players whose sets are kept in one list; the sets of the others are gone through one by one.
_LISTED = 11
#: Sums of chips that can be put on one denominator in a moment.
_MOST_SUMS = 4096


def icm_shares(stacks: Sequence[int], prizes: Sequence[int], unit: int = 1) -> tuple[int, ...]:
    """The prizes of the places still open, ``prizes`` (first place first), among ``stacks``: what each one's is worth.

    Amounts are whole ``unit``s and sum to the prizes exactly: each rounded down, the units left over to the largest
    remainders, equal ones in the order given; what fills no unit goes to the largest. Fewer prizes than stacks: the
    rest are 0. Values are bracketed in integers to 2**-128; where a bracket does not decide the rounding, they are
    worked out as fractions on one denominator, unless the stacks have thousands of different sums (and a tie so close
    between unequal stacks could only be an accident): that tie goes in the order given.

    Raises ``IllegalCommand``: ``icm-players`` (none, or above 20), ``icm-stack`` (one without chips), ``icm-prizes``
    (more prizes than players, one below 0).
    """
    _check(stacks, prizes, unit)
    total = sum(prizes)
    padded = [*prizes, *[0] * (len(stacks) - len(prizes))]
    # What everyone gets anyhow needs no model, and only the proportions of the stacks matter.
    least = min(padded)
    common = gcd(*stacks)
    stacks = [stack // common for stack in stacks]
    weights = _differences([prize - least for prize in padded])
    values, denominator = _value_bounds(stacks, weights)
    values = [value + least * denominator for value in values]
    if not _is_decided(values, denominator, stacks, total, unit) and (exact := _exact(stacks, weights)) is not None:
        values, denominator = exact
        values = [value + least * denominator for value in values]
    return largest_remainder(values, denominator, total, unit)


def _check(stacks: Sequence[int], prizes: Sequence[int], unit: int) -> None:
    if not stacks:
        raise IllegalCommand("icm-players", "ICM needs at least one player with chips.")
    if len(stacks) > MOST_PLAYERS:
        raise IllegalCommand(
            "icm-players",
            "ICM is worked out exactly for up to {most} players; {players} are left. Take a "
            "chip-chop, or play on until fewer are left.",
            most=MOST_PLAYERS,
            players=len(stacks),
        )
    if min(stacks) < 1:
        raise IllegalCommand(
            "icm-stack", "Player {number} has no chips: only live stacks count.", number=stacks.index(min(stacks)) + 1
        )
    if len(prizes) > len(stacks):
        raise IllegalCommand(
            "icm-prizes",
            "There are {prizes} prizes for {players} players left.",
            prizes=len(prizes),
            players=len(stacks),
        )
    if min(prizes, default=0) < 0:
        raise IllegalCommand("icm-prizes", "A prize cannot be below 0.")
    if unit < 1:
        raise IllegalCommand("unit", "Amounts are rounded to 1 or more.")


def _differences(prizes: Sequence[int]) -> list[int]:
    """``c(m)`` of the module's formula, by m from 0 (where it is 0)."""
    players = len(prizes)
    return [0] + [
        sum((-1) ** step * comb(size - 1, step) * prizes[players - size + step] for step in range(size))
        for size in range(1, players + 1)
    ]


def _value_bounds(stacks: Sequence[int], weights: Sequence[int]) -> tuple[list[int], int]:
    """(values, one): player i's value is ``values[i] / one`` or up to 2**-_BITS more.

    Each of at most 2**(n - 1) fractions is rounded down by less than 1 and the sum multiplied by the stack, so that
    many bits more are carried. Equal stacks have equal values, as the same fractions are added.
    """
    shift = _BITS + len(stacks) + max(stacks).bit_length()
    scaled = [weight << shift for weight in weights]
    listed, others = stacks[:_LISTED], stacks[_LISTED:]
    sums, sizes = [0], [0]
    for stack in listed:
        sums += [chips + stack for chips in sums]
        sizes += [size + 1 for size in sizes]
    weighted = [[scaled[more + size] for size in sizes] for more in range(len(others) + 1)]
    outer = [(0, 0)]
    for stack in others:
        outer += [(chips + stack, size + 1) for chips, size in outer]
    # By set of listed players, over all sets of the others; and the other way round.
    by_listed, by_others = [0] * len(sums), []
    for chips, size in outer:
        if chips:
            row = list(map(floordiv, weighted[size], map(add, sums, repeat(chips))))
        else:  # the empty set among them has no chips and counts for nothing
            row = [0, *map(floordiv, weighted[0][1:], sums[1:])]
        by_listed = list(map(add, by_listed, row))
        by_others.append(sum(row))
    totals = _by_member(by_listed) + _by_member(by_others)
    return [total * stack for total, stack in zip(totals, stacks, strict=True)], 1 << shift


def _by_member(by_set: list[int]) -> list[int]:
    """For every member the sum over the sets that have it. Sets are in the order of binary numbers, bit k member k."""
    sums = []
    while len(by_set) > 1:
        sums.append(sum(by_set[1::2]))
        by_set = list(map(add, by_set[::2], by_set[1::2]))
    return sums


def _is_decided(values: Sequence[int], denominator: int, stacks: Sequence[int], total: int, unit: int) -> bool:
    """Whether values a little higher (2**-_BITS) would round to the same amounts. Equal stacks have equal values."""
    close, whole = denominator >> _BITS, denominator * unit
    if any(value // whole != (value + close) // whole for value in values):
        return False
    left = total // unit - sum(value // whole for value in values)
    order = by_remainder(values, whole)
    if not 0 < left < len(order):
        return left in (0, len(order))
    last, next_one = order[left - 1], order[left]
    apart = values[last] % whole - values[next_one] % whole
    return apart > close or _are_tied(order, left, values, whole, close, stacks)


def _are_tied(
    order: Sequence[int], left: int, values: Sequence[int], whole: int, close: int, stacks: Sequence[int]
) -> bool:
    """Are all whose remainder is close to the one at the cut of equal stacks?"""
    edge = values[order[left - 1]] % whole
    return len({stacks[index] for index in order if abs(values[index] % whole - edge) <= 2 * close}) == 1


def _exact(stacks: Sequence[int], weights: Sequence[int]) -> tuple[list[int], int] | None:
    """(values, one): player i's value is exactly ``values[i] / one``. None where the stacks have too many sums."""
    sets = {(0, 0): 1}  # how many sets there are of (size, chips)
    for stack in stacks:
        grown = dict(sets)
        for (size, chips), count in sets.items():
            key = (size + 1, chips + stack)
            grown[key] = grown.get(key, 0) + count
        sets = grown
        if len({chips for _, chips in sets}) > _MOST_SUMS:
            return None
    chips_of = sorted({chips for _, chips in sets if chips})
    by_stack = {}
    for stack in set(stacks):
        by_chips = dict.fromkeys(chips_of, 0)
        for (size, chips), count in _without(sets, stack).items():
            by_chips[chips + stack] += count * weights[size + 1]
        by_stack[stack] = _sum_of_fractions([(by_chips[chips], chips) for chips in chips_of])
    return [by_stack[stack][0] * stack for stack in stacks], by_stack[stacks[0]][1]


def _without(sets: dict[tuple[int, int], int], stack: int) -> dict[tuple[int, int], int]:
    """The sets that do not hold one player of ``stack``: those of a size less those that do, smaller ones first."""
    remaining: dict[tuple[int, int], int] = {}
    for (size, chips), count in sorted(sets.items()):
        if rest := count - remaining.get((size - 1, chips - stack), 0):
            remaining[size, chips] = rest
    return remaining


def _sum_of_fractions(fractions: list[tuple[int, int]]) -> tuple[int, int]:
    """(numerator, denominator) of the sum, on the product of the denominators: the same one for the same ones."""
    while len(fractions) > 1:
        pairs = [
            (first * under + second * over, over * under)
            for (first, over), (second, under) in zip(fractions[::2], fractions[1::2], strict=False)
        ]
        fractions = pairs + fractions[len(pairs) * 2 :]
    return fractions[0]


# Deals by the chips, by the independent chip model, and evenly


KINDS = ("icm", "chip", "even", "custom")


def icm(stacks: Sequence[int], prizes: Sequence[int], play_for: int = 0, unit: int = 1) -> tuple[int, ...]:
    """What each stack is worth by the independent chip model (see ``icm.shares``): exact, for up to 20 players."""
    return icm_shares(stacks, to_share(stacks, prizes, play_for, unit), unit)


def chip_chop(stacks: Sequence[int], prizes: Sequence[int], play_for: int = 0, unit: int = 1) -> tuple[int, ...]:
    """Everyone first gets the least prize still open, which nobody can miss; the rest goes by chips.

    Rounded down to ``unit``, units left over to the largest remainders. The usual chop of card rooms; the chip leader
    may come out above first prize, which is why it is shown beside ICM (``features.md`` 1c: the two side by side).
    """
    prizes = to_share(stacks, prizes, play_for, unit)
    least = min(prizes) if len(prizes) == len(stacks) else 0
    chips, total = sum(stacks), sum(prizes)
    rest = total - least * len(stacks)
    return largest_remainder([least * chips + rest * stack for stack in stacks], chips, total, unit)


def even_shares(stacks: Sequence[int], prizes: Sequence[int], play_for: int = 0, unit: int = 1) -> tuple[int, ...]:
    """Equal shares for everyone; units left over go one each in order, and what fills no unit to the first."""
    return evenly(sum(to_share(stacks, prizes, play_for, unit)), len(stacks), unit)


def custom(
    stacks: Sequence[int], prizes: Sequence[int], amounts: Sequence[int], play_for: int = 0, unit: int = 1
) -> tuple[int, ...]:
    """``amounts`` as agreed, when they are one for each player, none below 0, and sum to what is left.

    Raises ``IllegalCommand`` (``deal-amounts``) otherwise, with the difference. ``unit`` binds nobody who agrees.
    """
    left = sum(to_share(stacks, prizes, play_for, unit))
    if len(amounts) != len(stacks):
        raise IllegalCommand(
            "deal-amounts",
            "There are {amounts} amounts for {players} players left.",
            amounts=len(amounts),
            players=len(stacks),
        )
    if min(amounts) < 0:
        raise IllegalCommand("deal-amounts", "Nobody pays into a deal: an amount is 0 or more.")
    if difference := sum(amounts) - left:
        values = {"total": sum(amounts), "left": left, "difference": abs(difference)}
        message = (
            EventSentence("The amounts sum to {total}; {left} is to be shared: {difference} too much.", **values)
            if difference > 0
            else EventSentence("The amounts sum to {total}; {left} is to be shared: {difference} too little.", **values)
        )
        raise IllegalCommand("deal-amounts", message)
    return tuple(amounts)


def suggest(
    kind: str,
    stacks: Sequence[int],
    prizes: Sequence[int],
    play_for: int = 0,
    unit: int = 1,
    amounts: Sequence[int] = (),
) -> tuple[int, ...]:
    """The deal of that ``kind``; ``amounts`` are for a custom one. Raises ``IllegalCommand`` as each of them does, and
    ``deal-kind`` for a kind there is not."""
    if kind == "custom":
        return custom(stacks, prizes, amounts, play_for, unit)
    if kind not in KINDS:
        raise IllegalCommand(
            "deal-kind", "There is no deal called {kind!r}: {choices}.", kind=kind, choices=", ".join(KINDS)
        )
    return {"icm": icm, "chip": chip_chop, "even": even_shares}[kind](stacks, prizes, play_for, unit)


def to_share(stacks: Sequence[int], prizes: Sequence[int], play_for: int = 0, unit: int = 1) -> tuple[int, ...]:
    """The prizes that are dealt over: those of as many places as players are left, without ``play_for``.

    Raises ``IllegalCommand``: ``deal-players`` (fewer than two), ``deal-stack`` (one without chips), ``deal-prizes``
    (nothing to share), ``deal-play-for`` (below 0, or more than first prize), ``unit``.
    """
    open_ = list(prizes[: len(stacks)])
    if len(stacks) < 2:
        raise IllegalCommand("deal-players", "It takes at least two players to make a deal.")
    if min(stacks) < 1:
        raise IllegalCommand("deal-stack", "A player without chips is out, and has no part in a deal.")
    if min(open_, default=0) < 0 or not sum(open_):
        raise IllegalCommand("deal-prizes", "There is no prize money left to share.")
    if not 0 <= play_for <= open_[0]:
        raise IllegalCommand(
            "deal-play-for",
            "What is left to play for comes from first prize: 0 to {first_prize}, not {play_for}.",
            first_prize=open_[0],
            play_for=play_for,
        )
    if unit < 1:
        raise IllegalCommand("unit", "Amounts are rounded to 1 or more.")
    open_[0] -= play_for
    return tuple(open_)
