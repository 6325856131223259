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

from tournaments.engine import customs
from tournaments.engine.chips_in_use import DOUBLED, FINE, around, chips_to_pay, least_bet, payable, strangeness
from tournaments.engine.clock import LONGEST_MINUTES, MOST_LEVELS, Level, Structure, check
from tournaments.engine.customs import no_longer_needed
from tournaments.engine.errors import IllegalCommand

BREAK_MINUTES = 10


_FEWEST_LEVELS = 3


#: All chips of the event in small bets when it is over: twenty big bets. So few more of them still count as over, as
#: bets are round.
_SMALL_BETS_AT_THE_END, _OR_SO = 40, 48


#: Spare levels are for an event that takes longer: so many, while there are so many small bets.
_SPARE_LEVELS, _SMALL_BETS_AT_LAST = 6, 10


#: Small bets in a starting stack: as a rule, at the very least, and where entry is still open.
_USUAL_DEPTH, _LEAST_DEPTH, _LATE_DEPTH = 100, 10, 20


#: A bet of more chips than this is none that anybody would push into a pot.
_MOST_CHIPS = 100


def suggest(
    players: int,
    stack: int,
    hours: int | Fraction,
    denominations: Sequence[int],
    minutes: int,
    games: Sequence[str] = ("seven-card-stud",),
) -> Structure:
    """Levels of ``minutes`` for ``players`` with ``stack`` chips each, over in about ``hours``, breaks included.

    ``denominations``: the chips there are; those no longer needed leave play in a break. There is one after
    two hours of play at most. ``games`` take turns by level. A few levels more are for an event that takes longer.

    Raises ``IllegalCommand``, saying what would do: ``wizard`` for numbers that make no sense, ``wizard-chips`` for a
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
    entry_end = before[0]
    if len(before) > 1:
        to_come = structure.stakes(structure.index(before[1]) + 1)
        entry_end = before[1] if stack >= _LATE_DEPTH * to_come.small_bet else before[0]
    return Ends(entry_end, before[0], 1)


def _check(players: int, stack: int, hours: int | Fraction, minutes: int, games: Sequence[str]) -> None:
    if players < 2 or stack < 1 or minutes < 1 or not games:
        raise IllegalCommand("wizard", "A structure needs two players, a stack, levels of a minute or more and a game.")
    if not 0 < hours * 60 <= LONGEST_MINUTES:
        raise IllegalCommand(
            "wizard-time", "A tournament lasts up to {hours} hours; split it into days.", hours=LONGEST_MINUTES // 60
        )


def _check_chips(stack: int, chips: Sequence[int]) -> None:
    if not chips or chips[0] < 1 or len(set(chips)) != len(chips):
        raise IllegalCommand("wizard-chips", "The denominations of a chip set are above 0, each once.")
    for lower, higher in pairwise(chips):
        if higher % lower:
            raise IllegalCommand(
                "wizard-chips",
                "A chip of {higher} cannot be changed into chips of {lower}: leave one of them out.",
                higher=higher,
                lower=lower,
            )
    if stack % chips[0]:
        raise IllegalCommand(
            "wizard-chips",
            "Chips of {smallest} and up cannot build a stack of {stack}.",
            smallest=chips[0],
            stack=stack,
        )
    least = least_bet(chips)
    if not least:
        raise IllegalCommand(
            "wizard-chips",
            "Chips of {smallest} make no bets of one or two digits and zeros: take other denominations.",
            smallest=chips[0],
        )
    if least * _LEAST_DEPTH > stack:
        raise IllegalCommand(
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

    count = max(1, int(time // minutes) + 1)
    while count > 1 and off(count - 1) <= off(count):
        count -= 1
    if count < _FEWEST_LEVELS:
        raise IllegalCommand(
            "wizard-time",
            "Only {found} of {minutes} minutes fit in: shorten the levels or take more time.",
            found=count,
            minutes=minutes,
        )
    if count + count // per_break + 2 * _SPARE_LEVELS > MOST_LEVELS:
        raise IllegalCommand(
            "wizard-time",
            "{found} levels are too many: make them longer than {minutes} minutes.",
            found=count,
            minutes=minutes,
        )
    return count


def _small_bets(total: int, stack: int, time: Fraction, minutes: int, chips: Sequence[int]) -> list[int]:
    """The small bets of as many levels as fit into ``time`` (minutes), and of the spare ones: near a geometric row,
    each a step above the one before that sheets have."""
    wanted = _levels_in(time, minutes)
    least = least_bet(chips)
    last = max(Fraction(total, _SMALL_BETS_AT_THE_END), Fraction(least))
    bets = payable(least, max(2 * int(last), total // _SMALL_BETS_AT_LAST), chips)
    before, bets_over = [bet for bet in bets if not is_over(bet, total)], [bet for bet in bets if is_over(bet, total)]
    starts = [bet for bet in before if bet * _LEAST_DEPTH <= stack]
    _check_reach(_lengths(starts, before, bets_over), wanted, time, minutes, chips)
    steps = wanted - 1
    first = _first_bet(last, stack, steps, least)
    aims = [_on_the_way(int(first * FINE), int(last * FINE), step, steps) for step in range(wanted + _SPARE_LEVELS)]
    chosen = _climb([starts, *[before] * (steps - 1), bets_over], aims, chips)
    at_last = [bet for bet in bets_over if bet * _SMALL_BETS_AT_LAST <= total]
    for spare in range(_SPARE_LEVELS, 0, -1):
        if more := _climb([chosen[-1:], *[at_last] * spare], aims[steps:], chips, number=steps):
            chosen += more[1:]
            break
    heavy = [bet for bet in chosen if chips_to_pay(bet, chips) > _MOST_CHIPS]
    if heavy and heavy[0] <= chosen[steps]:
        raise IllegalCommand(
            "wizard-chips",
            "A bet of {bet} would take {count} of these chips: add a larger chip, or one in between.",
            bet=heavy[0],
            count=chips_to_pay(heavy[0], chips),
        )
    return chosen[: len(chosen) - len(heavy)]


def is_over(small_bet: int, total: int) -> bool:
    """Is the event likely to end in the level of this bet?"""
    return small_bet * _OR_SO >= total


def _above(bet: int, bets: Sequence[int], number: int) -> Sequence[int]:
    """Those of ``bets`` (rising) that may follow ``bet``, which is that of the level at ``number`` (from 0)."""
    most = customs.FIRST_STEPS if number < customs.FIRST_LEVELS - 1 else customs.MOST_STEP
    return bets[bisect_left(bets, bet * customs.LEAST_STEP) : bisect_right(bets, bet * most)]


def _lengths(starts: Sequence[int], before: Sequence[int], over: Sequence[int]) -> list[int]:
    """In how many levels a row of bets can come from one of ``starts`` to the first one that is ``over``."""
    lengths: list[int] = []
    reached: set[int] = set(starts)
    number = 0
    while reached and number < MOST_LEVELS:
        if any(_above(bet, over, number) for bet in reached):
            lengths.append(number + 2)
        reached = {higher for bet in reached for higher in _above(bet, before, number)}
        number += 1
    return lengths


def _check_reach(lengths: Sequence[int], wanted: int, time: Fraction, minutes: int, chips: Sequence[int]) -> None:
    if not lengths or lengths[-1] < _FEWEST_LEVELS:
        raise IllegalCommand(
            "wizard-chips",
            "With {smallest} as the smallest chip the first bets would end the tournament: take smaller "
            "chips, or larger stacks.",
            smallest=chips[0],
        )
    if wanted < lengths[0]:
        shorter = _other_minutes(lengths, time, range(minutes - 1, 0, -1))
        pattern = "In {levels} levels bets would have to rise by more than half each time: take more time."
        if shorter:
            pattern = (
                "In {levels} levels bets would have to rise by more than half each time: make the levels {shorter} "
                "minutes or shorter, or take more time."
            )
        raise IllegalCommand("wizard-time", pattern, levels=wanted, shorter=shorter)
    if wanted not in lengths:
        raise IllegalCommand(
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
    best: list[dict[int, tuple[int, int]]] = [{bet: (strangeness(bet, aims[0], chips), 0) for bet in layers[0]}]
    for at, (layer, aim) in enumerate(zip(layers[1:], aims[1:], strict=False)):
        reached: dict[int, tuple[int, int]] = {}
        for bet, (cost, _) in best[-1].items():
            for higher in _above(bet, layer, number + at):
                doubled = DOUBLED if higher > bet * customs.MOST_STEP else 0
                total = cost + doubled + strangeness(higher, aim, chips)
                if higher not in reached or total < reached[higher][0]:
                    reached[higher] = (total, bet)
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
    return root(power, steps)


def root(number: int, degree: int) -> int:
    """The largest integer whose power of ``degree`` is no more than ``number``."""
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
    return low
