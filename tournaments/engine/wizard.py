"""Generate a structure: stakes that the chips can pay, rising evenly, over in about the time there is.

An event is taken to be over when all its chips are twenty big bets: two players then have ten each. All of it in
integers, so that the same wishes make the same structure on every machine.

Stakes are those of limit stud: the big bet is twice the small bet, the bring-in a quarter to a half of the small bet
and the ante an eighth to a quarter. Chips are given smallest first, each a multiple of the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd

from tournaments.engine.clock import LONGEST_MINUTES, MOST_LEVELS, Level, Structure, check
from tournaments.engine.errors import IllegalAction

BREAK_MINUTES = 10
_BETWEEN_BREAKS = 120
_FEWEST_LEVELS = 3
#: All chips of the event in small bets when it is over: twenty big bets. So few more of them still count as over, as
#: bets are round.
_SMALL_BETS_AT_THE_END, _OR_SO = 40, 48
#: Spare levels are for an event that takes longer: so many, while there are so many small bets.
_SPARE_LEVELS, _SMALL_BETS_AT_LAST = 6, 10
#: Small bets in a starting stack: as a rule, and at the very least.
_USUAL_DEPTH, _LEAST_DEPTH = 100, 10
#: How much a level is above the one before: as a rule between the first two, and never more than the third.
_SLOW, _FAST, _STEEPEST = Fraction(27, 25), Fraction(3, 2), Fraction(2)
#: What a hand takes, where levels go by hands.
_MINUTES_A_HAND = 2
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

    ``denominations``: the chips there are; those no longer needed leave play in a break, of which there is one about
    every two hours. ``games`` take turns by level. A few levels more are for an event that takes longer.

    Raises ``IllegalAction``, saying what would do: ``wizard`` for numbers that make no sense, ``wizard-chips`` for a
    chip set that cannot build the stack or the bets, ``wizard-time`` for too few or too many levels.
    """
    chips = tuple(sorted(denominations))
    _check(players, stack, hours, minutes, games)
    _check_chips(stack, chips)
    per_break = max(1, round(Fraction(_BETWEEN_BREAKS, minutes)))
    wanted = _levels_in(Fraction(hours) * 60, minutes, per_break)
    rows = around(_small_bets(players * stack, stack, wanted, minutes, chips), chips)
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


def _check(players: int, stack: int, hours: int | Fraction, minutes: int, games: Sequence[str]) -> None:
    if players < 2 or stack < 1 or minutes < 1 or not games:
        raise IllegalAction("wizard", "A structure needs two players, a stack, levels of a minute or more and a game.")
    if not 0 < hours * 60 <= LONGEST_MINUTES:
        raise IllegalAction(
            "wizard-time", "An event lasts up to {hours} hours; split it into days.", hours=LONGEST_MINUTES // 60
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


def _levels_in(time: Fraction, minutes: int, per_break: int) -> int:
    """How many levels, with the breaks between them, come closest to ``time`` (minutes)."""

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


def _small_bets(total: int, stack: int, wanted: int, minutes: int, chips: Sequence[int]) -> list[int]:
    """The small bets of as many levels as are ``wanted``, and of the spare ones: a geometric row, rounded to what can
    be paid well."""
    steps = wanted - 1
    last = max(Fraction(total, _SMALL_BETS_AT_THE_END), Fraction(least_bet(chips)))
    first = _first_bet(last, stack, steps, chips)
    bets = payable(int(first), max(int(last * _FAST), total // _SMALL_BETS_AT_LAST), chips)
    before = [bet for bet in bets if not _is_over(bet, total)]
    _check_enough(len(before) + 1, wanted, minutes, chips)
    aims = [
        aim
        for step in range(wanted + _SPARE_LEVELS)
        if (aim := _on_the_way(int(first * _FINE), int(last * _FINE), step, steps))
        if step < wanted or aim * _SMALL_BETS_AT_LAST <= total * _FINE
    ]
    chosen = nearest(before, aims[:steps], chips) + nearest(bets[len(before) :], aims[steps:], chips)
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


def _check_enough(bets: int, wanted: int, minutes: int, chips: Sequence[int]) -> None:
    if bets < _FEWEST_LEVELS:
        raise IllegalAction(
            "wizard-chips",
            "With {smallest} as the smallest chip the first bets would end the event: take smaller "
            "chips, or larger stacks.",
            smallest=chips[0],
        )
    if bets < wanted:
        raise IllegalAction(
            "wizard-time",
            "These chips make {bets} different bets on the way, and {wanted} levels are wanted: make "
            "the levels {longer} minutes or longer, take smaller chips or less time.",
            bets=bets,
            wanted=wanted,
            longer=-(-wanted * minutes // bets),
        )


def _first_bet(last: Fraction, stack: int, steps: int, chips: Sequence[int]) -> Fraction:
    """The usual part of the stack, unless the rise from there would be too fast or hardly one."""
    usual = min(max(Fraction(stack, _USUAL_DEPTH), last / _FAST**steps), last / _SLOW**steps)
    first = max(min(usual, Fraction(stack, _LEAST_DEPTH)), Fraction(least_bet(chips)))
    if last > first * _STEEPEST**steps:
        raise IllegalAction(
            "wizard-time",
            "In {levels} levels bets would have to more than double each time: take more time or shorter levels.",
            levels=steps + 1,
        )
    return first


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
        minutes += _minutes(level)
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
        begun += _minutes(level)
    level = structure.stakes(index)
    common = gcd(end, minutes)
    power, degree = players ** ((end - minutes) // common), end // common
    left = _root(power - 1, degree) + 1  # rounded up
    average = players * stack // left
    return Preview(minutes, index, structure.name(index), level, left, average, average // (2 * level.small_bet))


def _minutes(level: Level) -> int:
    return level.hands * _MINUTES_A_HAND or level.minutes


# -- stakes that a set of chips can pay --------------------------------------------------------------------------------


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
        close = [index for index in choice if abs(bets[index] * _FINE - aim) * 100 <= _NEAR * aim]
        if close:
            at = min(close, key=lambda index: _strangeness(bets[index], aim, chips))
        else:
            at = min(choice, key=lambda index: abs(bets[index] * _FINE - aim))
        found.append(bets[at])
        at += 1
    return found


def _strangeness(bet: int, aim: int, chips: Sequence[int]) -> int:
    """How little a bet would please: hundredths off the aim, chips that it takes, digits."""
    digits = len(str(bet).rstrip("0"))
    return abs(bet * _FINE - aim) * 100 // aim + 2 * min(_MANY_CHIPS, chips_to_pay(bet, chips)) + 5 * (digits - 1)


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
