"""What structure sheets of rooms have in common, and where a structure differs from it.

A custom is no rule: a structure that breaks some can be played, and a room may want it so. Each breach has a ``code``
and the numbers it is about; the sentence is made where it is read.

The customs come from sixteen sheets that were printed for real events: bets of one or two digits and zeros, multiples
of the smallest chip in play, that rise by an eighth to a half; in stud an ante of about a quarter and a bring-in of
about a third of the small bet; a break after 80 to 120 minutes of play; entry and rebuys that end at a break, the
add-on there; and chips that leave at a break as soon as nothing to come needs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from tournaments.engine.clock import Level, Structure
from tournaments.engine.config import EventConfig

#: The first two digits of amounts on sheets. 14, 35 and 70 are those of slow ones.
LEADING = frozenset((10, 12, 14, 15, 16, 18, 20, 24, 25, 30, 35, 40, 50, 60, 70, 75, 80))
#: How far a small bet is above the one before it; the steps into the second and the third level may be the last.
LEAST_STEP, MOST_STEP, FIRST_STEPS = Fraction(8, 7), Fraction(3, 2), Fraction(2)
FIRST_LEVELS = 3
#: Parts of the small bet.
LEAST_ANTE, MOST_ANTE = Fraction(1, 5), Fraction(1, 3)
LEAST_BRING_IN, MOST_BRING_IN = Fraction(1, 4), Fraction(1, 2)
#: Minutes of play between two breaks, and of a break: a short one, or one to eat in.
LEAST_PLAY, MOST_PLAY = 80, 120
_SHORT_BREAKS, _MEALS = range(10, 16), range(60, 91)
#: What a hand takes, where levels go by hands.
MINUTES_A_HAND = 2

STAKES = ("ante", "bring_in", "small_bet", "big_bet")


@dataclass(frozen=True, slots=True)
class Breach:
    """``index``: of the entry among the structure's levels and breaks; ``values``: the numbers of this ``code``, chips,
    minutes or the number of a level, and the name of a stake as ``what``."""

    code: str
    index: int
    values: dict[str, int | str] = field(default_factory=dict)


def breaches(structure: Structure) -> tuple[Breach, ...]:
    """Where levels and breaks differ from the customs, in their order."""
    differences = [
        *_numbers(structure),
        *_chips(structure),
        *_steps(structure),
        *_check_forced_bets(structure),
        *_breaks(structure),
    ]
    return tuple(sorted(differences, key=lambda breach: breach.index))


def breaches_of(config: EventConfig) -> tuple[Breach, ...]:
    """Where an event differs from the customs: its levels and breaks, the end of its entry and rebuys, the place of its
    add-on."""
    differences = [*breaches(config.structure), *_ends(config)]
    return tuple(sorted(differences, key=lambda breach: breach.index))


def minutes_of(level: Level) -> int:
    """How long it takes, where it goes by hands about."""
    return level.hands * MINUTES_A_HAND or level.minutes


def is_round(amount: int) -> bool:
    """One or two digits and zeros, the digits those that sheets have."""
    digits = str(amount).rstrip("0")
    return not amount or (len(digits) <= 2 and int(f"{digits:0<2}") in LEADING)


def no_longer_needed(in_play: Sequence[int], to_come: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """The smallest chips ``in_play`` (smallest first) without which all the amounts ``to_come`` are whole chips
    still."""
    amounts = {amount for stakes in to_come for amount in stakes}
    leaving: list[int] = []
    for chip, larger in pairwise(in_play):
        if larger % chip or any(amount % larger for amount in amounts):
            break
        leaving.append(chip)
    return tuple(leaving)


def levels_before_breaks(structure: Structure) -> tuple[int, ...]:
    """The numbers of the levels that a break follows."""
    return tuple(structure.number(index) for index, level in enumerate(structure.levels) if level.is_break)


def _levels_played(structure: Structure) -> Iterator[tuple[int, Level]]:
    return ((index, level) for index, level in enumerate(structure.levels) if not level.is_break)


def _amounts(level: Level) -> Iterator[tuple[str, int]]:
    return ((what, amount) for what in STAKES if (amount := getattr(level, what)))


def _numbers(structure: Structure) -> Iterator[Breach]:
    for index, level in _levels_played(structure):
        for what, amount in _amounts(level):
            is_double = what == "big_bet" and amount == 2 * level.small_bet
            if not is_double and not is_round(amount):
                yield Breach("number", index, {"what": what, "amount": amount})


def _chips(structure: Structure) -> Iterator[Breach]:
    if not structure.chip_set:
        return
    for index, level in enumerate(structure.levels):
        in_play = structure.chips(index)
        for what, amount in _amounts(level):
            if amount % in_play[0]:
                yield Breach("chip", index, {"what": what, "amount": amount, "chip": in_play[0]})
        if not level.is_break:
            for chip in level.colour_up:
                yield Breach("colour-up-in-play", index, {"chip": chip})
            continue
        to_come = [[amount for _, amount in _amounts(later)] for later in structure.levels[index:]]
        for chip in no_longer_needed(in_play, to_come):
            yield Breach("chip-stays", index, {"chip": chip})


def _steps(structure: Structure) -> Iterator[Breach]:
    for (_, before), (index, level) in pairwise(_levels_played(structure)):
        was, now = before.small_bet, level.small_bet
        is_other = (level.game, level.betting) != (before.game, before.betting)
        if was == now and (is_other or level.ante > before.ante or level.bring_in > before.bring_in):
            continue
        most = FIRST_STEPS if structure.number(index) <= FIRST_LEVELS else MOST_STEP
        if level.betting == before.betting and not LEAST_STEP <= Fraction(now, was) <= most:
            yield Breach("step", index, {"was": was, "now": now})


def _check_forced_bets(structure: Structure) -> Iterator[Breach]:
    for index, level in _levels_played(structure):
        if level.betting != "fixed-limit":
            continue
        small_bet, ante, bring_in = level.small_bet, level.ante, level.bring_in
        if level.big_bet != 2 * small_bet:
            yield Breach("big-bet", index, {"small_bet": small_bet, "big_bet": level.big_bet})
        if not LEAST_ANTE * small_bet <= ante <= MOST_ANTE * small_bet:
            yield Breach("ante", index, {"ante": ante, "small_bet": small_bet})
        if not bring_in:
            yield Breach("no-bring-in", index)
        elif bring_in < ante:
            yield Breach("bring-in-below-ante", index, {"bring_in": bring_in, "ante": ante})
        elif not LEAST_BRING_IN * small_bet <= bring_in <= MOST_BRING_IN * small_bet:
            yield Breach("bring-in", index, {"bring_in": bring_in, "small_bet": small_bet})


def _breaks(structure: Structure) -> Iterator[Breach]:
    """A stretch of play is too short where another level would have fitted in, too long where it could have ended
    earlier; what is played after the last break may be short."""
    played, is_told, last = 0, False, len(structure.levels) - 1
    for index, level in enumerate(structure.levels):
        if level.is_break:
            following = minutes_of(structure.stakes(index))
            if played < LEAST_PLAY and played + following <= MOST_PLAY:
                yield Breach("play-too-short", index, {"minutes": played})
            if index < last and level.minutes not in _SHORT_BREAKS and level.minutes not in _MEALS:
                yield Breach("break-length", index, {"minutes": level.minutes})
            played, is_told = 0, False
            continue
        before, played = played, played + minutes_of(level)
        if played > MOST_PLAY and before and not is_told:
            yield Breach("play-too-long", index, {"minutes": _stretch(structure, index, played)})
            is_told = True


def _stretch(structure: Structure, index: int, played: int) -> int:
    """All that is played without a break, of which ``played`` by the end of the entry at ``index``."""
    for level in structure.levels[index + 1 :]:
        if level.is_break:
            break
        played += minutes_of(level)
    return played


def _ends(config: EventConfig) -> Iterator[Breach]:
    """Without a break there is none that they could end at."""
    structure = config.structure
    ends = levels_before_breaks(structure)
    if not ends:
        return
    rebuys = config.rebuy.until_level if config.rebuy else 0
    for code, level in (("entry-end", config.late_level), ("rebuy-end", rebuys)):
        if level and level not in ends:
            yield Breach(code, structure.index(level), {"level": level, "nearest": _nearest(level, ends)})
    if config.add_on and rebuys in ends and ends.index(rebuys) + 1 != config.add_on.at_break:
        values: dict[str, int | str] = {"number": config.add_on.at_break, "rebuys": ends.index(rebuys) + 1}
        yield Breach("add-on", structure.index(rebuys), values)


def _nearest(level: int, ends: Sequence[int]) -> int:
    return min(ends, key=lambda end: (abs(end - level), end))
