"""Generate a structure: stakes as rooms print them, that the chips can pay, rising evenly, over in about the time there
is.

An event is taken to be over when all its chips are twenty big bets: two players then have ten each. All of it in
integers, so that the same wishes make the same structure on every machine.

What it makes breaks none of the ``customs``. Chips are given smallest first, each a multiple of the one before.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd

from tournaments.engine import customs
from tournaments.engine.clock import LONGEST_MINUTES, MOST_LEVELS, Level, Structure, check
from tournaments.engine.customs import minutes_of, no_longer_needed
from tournaments.engine.errors import IllegalAction

BREAK_MINUTES = 10
_FEWEST_LEVELS = 3
#: All chips of the event in small bets when it is over: twenty big bets. So few more of them still count as over, as
#: bets are round.
_SMALL_BETS_AT_THE_END, _OR_SO = 40, 48
#: Spare levels are for an event that takes longer: so many, while there are so many small bets.
_SPARE_LEVELS, _SMALL_BETS_AT_LAST = 6, 10
#: Small bets in a starting stack: as a rule, at the very least, and where entry is still open.
_USUAL_DEPTH, _LEAST_DEPTH, _LATE_DEPTH = 100, 10, 20
#: Stakes are whole chips of a kind from so many of them in the small bet; of the smallest chip always.
_NEXT_CHIP = 8
#: A bet of more chips than this is none that anybody would push into a pot.
_MOST_CHIPS = 100
#: Bets of this many chips please as little as those of more.
_MANY_CHIPS = 12
#: The first two digits of bets, and those of them that all sheets have, be they fast or slow.
_BETS = frozenset((10, 12, 14, 15, 16, 20, 25, 30, 35, 40, 50, 60, 70, 80))
_USUAL_BETS = frozenset((10, 12, 15, 20, 25, 30, 40, 50, 60, 80))
_USUAL_FORCED = frozenset((10, 15, 20, 25, 30, 40, 50, 60, 75, 80))
#: How little an unusual number pleases, and a step that only the first levels may have, in hundredths off the aim.
_UNUSUAL, _DOUBLED = 30, 60
#: Aims are in thousandths of a chip.
_FINE = 1000

#: Ante, bring-in, small bet.
Stakes = tuple[int, int, int]


def suggest(
    players: int,
    stack: int,
    hours: int | Fraction,
    denominations: Sequence[int],
    minutes: int,
    games: Sequence[str] = ("seven-card-stud",),
) -> Structure:
    """Levels of ``minutes`` for ``players`` with ``stack`` chips each, over in about ``hours``, breaks included.

    ``denominations``: the chips there are; those no longer needed leave play in a break, of which there is one after
    two hours of play at most. ``games`` take turns by level. A few levels more are for an event that takes longer.

    Raises ``IllegalAction``, saying what would do: ``wizard`` for numbers that make no sense, ``wizard-chips`` for a
    chip set that cannot build the stack or the bets, ``wizard-time`` for too few or too many levels.
    """
    chips = tuple(sorted(denominations))
    _check(players, stack, hours, minutes, games)
    _check_chips(stack, chips)
    time = Fraction(hours) * 60
    rows = around(_small_bets(players * stack, stack, time, minutes, chips), chips)
    per_break = _per_break(minutes)
    levels: list[Level] = []
    in_play = chips
    for number, (ante, bring_in, small_bet) in enumerate(rows):
        if number and number % per_break == 0:
            leaving = no_longer_needed(in_play, rows[number:])
            levels.append(Level("break", BREAK_MINUTES, colour_up=leaving))
            in_play = in_play[len(leaving) :]
        game = games[number % len(games)]
        levels.append(Level("level", minutes, 0, ante, bring_in, small_bet, 2 * small_bet, game))
    structure = Structure(tuple(levels), chips)
    check(structure, stack)
    return structure


@dataclass(frozen=True, slots=True)
class Ends:
    """Where entry and rebuys of a structure end as rooms have it: with the level of this number, which a break follows
    (0: there is none); ``add_on_break``: the number of the break in which the add-on is sold."""

    late_level: int
    rebuy_until_level: int
    add_on_break: int


def ends(structure: Structure, stack: int) -> Ends:
    """Rebuys end with the first break, where the add-on is sold, and entry with the second one, or with the first where
    a starting ``stack`` would be less than ten big bets by then."""
    before = customs.levels_before_breaks(structure)
    if not before:
        return Ends(0, 0, 0)
    late = before[0]
    if len(before) > 1:
        to_come = structure.stakes(structure.index(before[1]) + 1)
        late = before[1] if stack >= _LATE_DEPTH * to_come.small_bet else before[0]
    return Ends(late, before[0], 1)


def _check(players: int, stack: int, hours: int | Fraction, minutes: int, games: Sequence[str]) -> None:
    if players < 2 or stack < 1 or minutes < 1 or not games:
        raise IllegalAction("wizard", "A structure needs two players, a stack, levels of a minute or more and a game.")
    if not 0 < hours * 60 <= LONGEST_MINUTES:
        raise IllegalAction(
            "wizard-time", "A tournament lasts up to {hours} hours; split it into days.", hours=LONGEST_MINUTES // 60
        )


def _check_chips(stack: int, chips: Sequence[int]) -> None:
    if not chips or chips[0] < 1 or len(set(chips)) != len(chips):
        raise IllegalAction("wizard-chips", "The denominations of a chip set are above 0, each once.")
    for lower, higher in pairwise(chips):
        if higher % lower:
            raise IllegalAction(
                "wizard-chips",
                "A chip of {higher} cannot be changed into chips of {lower}: leave one of them out.",
                higher=higher,
                lower=lower,
            )
    if stack % chips[0]:
        raise IllegalAction(
            "wizard-chips",
            "Chips of {smallest} and up cannot build a stack of {stack}.",
            smallest=chips[0],
            stack=stack,
        )
    least = least_bet(chips)
    if not least:
        raise IllegalAction(
            "wizard-chips",
            "Chips of {smallest} make no bets of one or two digits and zeros: take other denominations.",
            smallest=chips[0],
        )
    if least * _LEAST_DEPTH > stack:
        raise IllegalAction(
            "wizard-chips",
            "With {smallest} as the smallest chip the smallest bet is {least}, too much for a stack "
            "of {stack}: take smaller chips, or a stack of {enough} or more.",
            smallest=chips[0],
            least=least,
            stack=stack,
            enough=least * _LEAST_DEPTH,
        )


def _per_break(minutes: int) -> int:
    """How many levels are played between two breaks."""
    return max(1, customs.MOST_PLAY // minutes)


def _levels_in(time: Fraction, minutes: int) -> int:
    """How many levels, with the breaks between them, come closest to ``time`` (minutes)."""
    per_break = _per_break(minutes)

    def off(levels: int) -> Fraction:
        return abs(levels * minutes + (levels - 1) // per_break * BREAK_MINUTES - time)

    found = max(1, int(time // minutes) + 1)
    while found > 1 and off(found - 1) <= off(found):
        found -= 1
    if found < _FEWEST_LEVELS:
        raise IllegalAction(
            "wizard-time",
            "Only {found} of {minutes} minutes fit in: shorten the levels or take more time.",
            found=found,
            minutes=minutes,
        )
    if found + found // per_break + 2 * _SPARE_LEVELS > MOST_LEVELS:
        raise IllegalAction(
            "wizard-time",
            "{found} levels are too many: make them longer than {minutes} minutes.",
            found=found,
            minutes=minutes,
        )
    return found


def _small_bets(total: int, stack: int, time: Fraction, minutes: int, chips: Sequence[int]) -> list[int]:
    """The small bets of as many levels as fit into ``time`` (minutes), and of the spare ones: near a geometric row,
    each a step above the one before that sheets have."""
    wanted = _levels_in(time, minutes)
    least = least_bet(chips)
    last = max(Fraction(total, _SMALL_BETS_AT_THE_END), Fraction(least))
    bets = payable(least, max(2 * int(last), total // _SMALL_BETS_AT_LAST), chips)
    before, over = [bet for bet in bets if not _is_over(bet, total)], [bet for bet in bets if _is_over(bet, total)]
    starts = [bet for bet in before if bet * _LEAST_DEPTH <= stack]
    _check_reach(_lengths(starts, before, over), wanted, time, minutes, chips)
    steps = wanted - 1
    first = _first_bet(last, stack, steps, least)
    aims = [_on_the_way(int(first * _FINE), int(last * _FINE), step, steps) for step in range(wanted + _SPARE_LEVELS)]
    chosen = _climb([starts, *[before] * (steps - 1), over], aims, chips)
    at_last = [bet for bet in over if bet * _SMALL_BETS_AT_LAST <= total]
    for spare in range(_SPARE_LEVELS, 0, -1):
        if more := _climb([chosen[-1:], *[at_last] * spare], aims[steps:], chips, number=steps):
            chosen += more[1:]
            break
    heavy = [bet for bet in chosen if chips_to_pay(bet, chips) > _MOST_CHIPS]
    if heavy and heavy[0] <= chosen[steps]:
        raise IllegalAction(
            "wizard-chips",
            "A bet of {bet} would take {count} of these chips: add a larger chip, or one in between.",
            bet=heavy[0],
            count=chips_to_pay(heavy[0], chips),
        )
    return chosen[: len(chosen) - len(heavy)]


def _is_over(small_bet: int, total: int) -> bool:
    """Is the event likely to end in the level of this bet?"""
    return small_bet * _OR_SO >= total


def _above(bet: int, bets: Sequence[int], number: int) -> Sequence[int]:
    """Those of ``bets`` (rising) that may follow ``bet``, which is that of the level at ``number`` (from 0)."""
    most = customs.FIRST_STEPS if number < customs.FIRST_LEVELS - 1 else customs.MOST_STEP
    return bets[bisect_left(bets, bet * customs.LEAST_STEP) : bisect_right(bets, bet * most)]


def _lengths(starts: Sequence[int], before: Sequence[int], over: Sequence[int]) -> list[int]:
    """In how many levels a row of bets can come from one of ``starts`` to the first one that is ``over``."""
    found: list[int] = []
    reached: set[int] = set(starts)
    number = 0
    while reached and number < MOST_LEVELS:
        if any(_above(bet, over, number) for bet in reached):
            found.append(number + 2)
        reached = {higher for bet in reached for higher in _above(bet, before, number)}
        number += 1
    return found


def _check_reach(lengths: Sequence[int], wanted: int, time: Fraction, minutes: int, chips: Sequence[int]) -> None:
    if not lengths or lengths[-1] < _FEWEST_LEVELS:
        raise IllegalAction(
            "wizard-chips",
            "With {smallest} as the smallest chip the first bets would end the tournament: take smaller "
            "chips, or larger stacks.",
            smallest=chips[0],
        )
    if wanted < lengths[0]:
        shorter = _other_minutes(lengths, time, range(minutes - 1, 0, -1))
        said = "In {levels} levels bets would have to rise by more than half each time: take more time."
        if shorter:
            said = (
                "In {levels} levels bets would have to rise by more than half each time: make the levels {shorter} "
                "minutes or shorter, or take more time."
            )
        raise IllegalAction("wizard-time", said, levels=wanted, shorter=shorter)
    if wanted not in lengths:
        raise IllegalAction(
            "wizard-time",
            "These chips make {bets} different bets on the way, and {wanted} levels are wanted: make "
            "the levels {longer} minutes or longer, take smaller chips or less time.",
            bets=lengths[-1],
            wanted=wanted,
            longer=_other_minutes(lengths, time, range(minutes + 1, LONGEST_MINUTES)),
        )


def _other_minutes(lengths: Sequence[int], time: Fraction, choice: range) -> int:
    """How long levels have to be for as many of them as there can be; 0 where none of the ``choice`` does."""
    return next((minutes for minutes in choice if _levels_in(time, minutes) in lengths), 0)


def _first_bet(last: Fraction, stack: int, steps: int, least: int) -> Fraction:
    """The usual part of the stack, unless the rise from there would be too fast or too slow."""
    usual = min(max(Fraction(stack, _USUAL_DEPTH), last / customs.MOST_STEP**steps), last / customs.LEAST_STEP**steps)
    return max(min(usual, Fraction(stack, _LEAST_DEPTH)), Fraction(least))


def _climb(layers: Sequence[Sequence[int]], aims: Sequence[int], chips: Sequence[int], *, number: int = 0) -> list[int]:
    """A bet of each layer (rising bets), each a usual step above the one before, that please best together; none where
    there is no way up. ``number``: of the first layer's level, from 0; ``aims``: in thousandths of a chip."""
    best: list[dict[int, tuple[int, int]]] = [{bet: (_strangeness(bet, aims[0], chips), 0) for bet in layers[0]}]
    for at, (layer, aim) in enumerate(zip(layers[1:], aims[1:], strict=False)):
        reached: dict[int, tuple[int, int]] = {}
        for bet, (cost, _) in best[-1].items():
            for higher in _above(bet, layer, number + at):
                doubled = _DOUBLED if higher > bet * customs.MOST_STEP else 0
                found = cost + doubled + _strangeness(higher, aim, chips)
                if higher not in reached or found < reached[higher][0]:
                    reached[higher] = (found, bet)
        best.append(reached)
    if not best[-1]:
        return []
    row = [min(best[-1], key=lambda bet: (best[-1][bet][0], bet))]
    for reached in best[:0:-1]:
        row.append(reached[row[-1]][1])
    return row[::-1]


def _on_the_way(first: int, last: int, step: int, steps: int) -> int:
    """The number at ``step`` of a geometric row that is at ``last`` after ``steps``."""
    power = last**step * first ** (steps - step) if step <= steps else last**step // first ** (step - steps)
    return _root(power, steps)


def _root(number: int, degree: int) -> int:
    """The largest integer whose power of ``degree`` is no more than ``number``."""
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
    return low


# -- preview ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Preview:
    """What to expect after so many ``minutes``: the entry of the structure at ``index`` and its stakes (in a break
    those of the level to come), players ``left``, their ``average`` stack in chips and in whole ``big_bets``."""

    minutes: int
    index: int
    name: str
    level: Level
    left: int
    average: int
    big_bets: int


def lasts(structure: Structure, players: int, stack: int) -> int:
    """Minutes, breaks included, until the event is likely to be over: the end of the first level in which all its
    chips are about twenty big bets; of the last level where that never comes."""
    minutes = 0
    for level in structure.levels:
        minutes += minutes_of(level)
        if not level.is_break and _is_over(level.small_bet, players * stack):
            break
    return minutes


def preview(structure: Structure, players: int, stack: int) -> tuple[Preview, ...]:
    """A row for the start, for every hour and for the likely end. Fewer players are left by the same part every hour,
    one at the end: an estimate, as nobody knows. Chips that come in later (rebuys, late entries) are not in it."""
    end = lasts(structure, players, stack)
    return tuple(_at(structure, players, stack, minutes, end) for minutes in (*range(0, end, 60), end))


def _at(structure: Structure, players: int, stack: int, minutes: int, end: int) -> Preview:
    index = begun = 0
    for at, level in enumerate(structure.levels):
        if begun > minutes or (begun == minutes == end and at):
            break
        index = at
        begun += minutes_of(level)
    level = structure.stakes(index)
    common = gcd(end, minutes)
    power, degree = players ** ((end - minutes) // common), end // common
    left = _root(power - 1, degree) + 1  # rounded up
    average = players * stack // left
    return Preview(minutes, index, structure.name(index), level, left, average, average // (2 * level.small_bet))


# -- stakes that a set of chips can pay --------------------------------------------------------------------------------


def least_bet(chips: Sequence[int]) -> int:
    """The smallest small bet whose ante is a whole chip; 0 where these chips make none that sheets have."""
    return next(iter(payable(3 * chips[0], 10 * chips[0], chips)), 0)


def unit(bet: int, chips: Sequence[int]) -> int:
    """The smallest chip that the stakes with this small bet are paid in."""
    return max((chip for chip in chips if chip * _NEXT_CHIP <= bet), default=chips[0])


def payable(least: int, most: int, chips: Sequence[int]) -> list[int]:
    """The small bets from ``least`` to ``most``, rising, that sheets have and that are whole chips of their unit, and
    so are an ante and a bring-in for them."""
    return [bet for bet in _rounds(least, most, _BETS) if _forced(bet, chips)]


def _rounds(least: Fraction | int, most: Fraction | int, leading: frozenset[int]) -> list[int]:
    """Amounts from ``least`` to ``most``, rising, with these first two digits and zeros behind them."""
    found: list[int] = []
    tenths = 1
    while tenths <= most:
        found += [first * tenths // 10 for first in leading if first * tenths % 10 == 0]
        tenths *= 10
    return [amount for amount in sorted(found) if least <= amount <= most]


def _forced(bet: int, chips: Sequence[int]) -> list[tuple[int, int]]:
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


def _strangeness(bet: int, aim: int, chips: Sequence[int]) -> int:
    """How little a bet would please: hundredths off the aim, chips that it takes, digits that few sheets have."""
    unusual = 0 if _leading(bet) in _USUAL_BETS else _UNUSUAL
    return abs(bet * _FINE - aim) * 100 // aim + min(_MANY_CHIPS, chips_to_pay(bet, chips)) + unusual


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

    best = [{pair: (cost(pair, bets[0]), pair) for pair in _forced(bets[0], chips)}]
    for bet in bets[1:]:
        reached: dict[tuple[int, int], tuple[int, tuple[int, int]]] = {}
        for pair in _forced(bet, chips):
            lower = [(told, one) for one, (told, _) in best[-1].items() if one[0] <= pair[0] and one[1] <= pair[1]]
            if lower:
                told, one = min(lower)
                reached[pair] = (told + cost(pair, bet), one)
        best.append(reached)
    row = [min(best[-1], key=lambda pair: (best[-1][pair][0], pair))]
    for reached in best[:0:-1]:
        row.append(reached[row[-1]][1])
    return [(ante, bring_in, bet) for (ante, bring_in), bet in zip(row[::-1], bets, strict=True)]


def _off(amount: int, aim: Fraction, chips: Sequence[int]) -> int:
    """How little an ante or a bring-in would please."""
    unusual = 0 if _leading(amount) in _USUAL_FORCED else _UNUSUAL
    return int(abs(amount - aim) * 100 / aim) + min(_MANY_CHIPS, chips_to_pay(amount, chips)) + unusual
