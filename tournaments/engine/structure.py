"""Levels, breaks and the chips they are played with, and what makes a structure unplayable.

A structure does not know what time it is (``clock.py``) nor who plays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import gcd

from tournaments.engine.errors import IllegalAction

MOST_LEVELS = 200
LONGEST_MINUTES = 24 * 60
MINUTE_MS = 60_000
#: Above this many remainders a chip set is none that was ever made.
_MOST_REMAINDERS = 10_000


@dataclass(frozen=True, slots=True)
class Level:
    """``kind``: level or break. ``minutes`` it lasts; with ``hands`` above 0 it lasts so many hands instead.

    Stakes are chips; a break has none. ``betting`` other than fixed-limit takes ``small_bet`` as its least bet and,
    with a spread, ``big_bet`` as its most. ``colour_up``: denominations that leave play when this entry begins.
    """

    kind: str = "level"
    minutes: int = 0
    hands: int = 0
    ante: int = 0
    bring_in: int = 0
    small_bet: int = 0
    big_bet: int = 0
    game: str = "seven-card-stud"
    betting: str = "fixed-limit"
    colour_up: tuple[int, ...] = ()

    @property
    def is_break(self) -> bool:
        return self.kind == "break"

    @property
    def is_by_hands(self) -> bool:
        return self.hands > 0

    @property
    def duration_ms(self) -> int:
        """Milliseconds; 0 for a level by hands."""
        return 0 if self.hands else self.minutes * MINUTE_MS


@dataclass(frozen=True, slots=True)
class Structure:
    """``levels`` in order, breaks among them. ``chip_set``: the denominations at the start; empty where chips are not
    counted out (online)."""

    levels: tuple[Level, ...]
    chip_set: tuple[int, ...] = ()

    def number(self, index: int) -> int:
        """What people call the entry at ``index``: levels count from 1 and breaks do not; a break has the number of
        the level before it."""
        return sum(not level.is_break for level in self.levels[: index + 1])

    def break_number(self, index: int) -> int:
        """How many breaks there have been by ``index``, itself included."""
        return sum(level.is_break for level in self.levels[: index + 1])

    def index(self, number: int) -> int:
        """Where level ``number`` stands; the last entry where there are not so many."""
        found = [index for index, level in enumerate(self.levels) if not level.is_break]
        return found[number - 1] if number <= len(found) else len(self.levels) - 1

    def name(self, index: int) -> str:
        """``Level 3``, ``Break 1``."""
        if self.levels[index].is_break:
            return f"Break {self.break_number(index)}"
        return f"Level {self.number(index)}"

    def stakes(self, index: int) -> Level:
        """The level whose stakes are played at ``index``: in a break those of the level to come."""
        return next(level for level in self.levels[index:] if not level.is_break)

    def chips(self, index: int) -> tuple[int, ...]:
        """The denominations in play at ``index``, smallest first."""
        gone = {chip for level in self.levels[: index + 1] for chip in level.colour_up}
        return tuple(sorted(set(self.chip_set) - gone))


def check(structure: Structure, starting_stack: int) -> None:
    """Refuse a structure that cannot be played, naming the entry at fault.

    Raises ``IllegalAction``: ``structure-empty``, ``structure-too-long``, ``structure-hole``, ``structure-fall``,
    ``structure-chips``, ``starting-stack``.
    """
    levels = structure.levels
    if not levels:
        raise IllegalAction("structure-empty", "A structure needs at least one level.")
    if len(levels) > MOST_LEVELS:
        raise IllegalAction(
            "structure-too-long", f"A structure has at most {MOST_LEVELS} levels and breaks, not {len(levels)}."
        )
    for index, name in ((0, "begin"), (len(levels) - 1, "end")):
        if levels[index].is_break:
            raise IllegalAction("structure-hole", f"A structure cannot {name} with a break: add a level.")
    for index, level in enumerate(levels):
        _check_length(structure.name(index), level)
        _check_stakes(structure.name(index), level)
    check_rising(structure)
    if starting_stack < 1:
        raise IllegalAction("starting-stack", "The starting stack must be at least one chip.")
    _check_chips(structure, starting_stack)


def _check_length(name: str, level: Level) -> None:
    if level.kind not in ("level", "break"):
        raise IllegalAction("structure-hole", f"{name}: an entry is a level or a break, not {level.kind!r}.")
    if level.hands < 0 or level.minutes < 0:
        raise IllegalAction("structure-hole", f"{name}: minutes and hands cannot be below 0.")
    if level.is_break and level.hands:
        raise IllegalAction("structure-hole", f"{name} must last minutes: nobody plays hands in it.")
    if not level.minutes and not level.hands:
        raise IllegalAction("structure-hole", f"{name} lasts no time: give it minutes or hands.")
    if level.minutes > LONGEST_MINUTES:
        raise IllegalAction("structure-too-long", f"{name} lasts {level.minutes} minutes: at most {LONGEST_MINUTES}.")


def _check_stakes(name: str, level: Level) -> None:
    if level.is_break:
        if level.ante or level.bring_in or level.small_bet or level.big_bet:
            raise IllegalAction("structure-hole", f"{name} is a break: it has no stakes.")
        return
    if min(level.ante, level.bring_in, level.small_bet, level.big_bet) < 0:
        raise IllegalAction("structure-hole", f"{name}: stakes cannot be below 0.")
    if not level.small_bet:
        raise IllegalAction("structure-hole", f"{name} has no stakes: give it a small and a big bet.")
    if level.betting in ("fixed-limit", "spread-limit") and level.big_bet < level.small_bet:
        raise IllegalAction(
            "structure-hole", f"{name}: the big bet ({level.big_bet}) is below the small bet ({level.small_bet})."
        )
    if level.bring_in > level.small_bet:
        raise IllegalAction(
            "structure-hole", f"{name}: the bring-in ({level.bring_in}) is above the small bet ({level.small_bet})."
        )
    if not level.bring_in and not level.ante:
        raise IllegalAction("structure-hole", f"{name} needs an ante or a bring-in: nobody would have to bet.")


def check_rising(structure: Structure) -> None:
    """Refuse stakes that go down from one level to a later one of the same game and betting."""
    before: dict[tuple[str, str], tuple[str, Level]] = {}
    for index, level in enumerate(structure.levels):
        if level.is_break:
            continue
        name = structure.name(index)
        earlier_name, earlier = before.get((level.game, level.betting), ("", level))
        for what in ("ante", "bring_in", "small_bet", "big_bet"):
            was, now = getattr(earlier, what), getattr(level, what)
            if now < was:
                raise IllegalAction(
                    "structure-fall",
                    f"{name}: the {what.replace('_', ' ')} falls from {was} in {earlier_name} to {now}.",
                )
        before[level.game, level.betting] = (name, level)


def _check_chips(structure: Structure, starting_stack: int) -> None:
    if not structure.chip_set:
        return
    if min(structure.chip_set) < 1 or len(set(structure.chip_set)) != len(structure.chip_set):
        raise IllegalAction("structure-chips", "The denominations of a chip set are above 0, each once.")
    if not can_build(starting_stack, structure.chip_set):
        raise IllegalAction(
            "structure-chips", f"The chips {_listed(structure.chip_set)} cannot build a stack of {starting_stack}."
        )
    in_play = structure.chip_set
    for index, level in enumerate(structure.levels):
        if strange := sorted(set(level.colour_up) - set(in_play)):
            raise IllegalAction(
                "structure-chips", f"{structure.name(index)}: there is no {strange[0]} in play to colour up."
            )
        if level.colour_up:
            in_play = structure.chips(index)
        if not in_play:
            raise IllegalAction("structure-chips", f"{structure.name(index)}: no chips would be left in play.")
        for what in ("ante", "bring_in", "small_bet", "big_bet"):
            amount = getattr(level, what)
            if not can_build(amount, in_play):
                raise IllegalAction(
                    "structure-chips",
                    f"{structure.name(index)}: the chips {_listed(in_play)} cannot build "
                    f"the {what.replace('_', ' ')} of {amount}.",
                )


def can_build(amount: int, chips: Iterable[int]) -> bool:
    """Can ``amount`` be paid exactly with any number of ``chips``?"""
    kinds = tuple(sorted(chips))
    unit = gcd(*kinds)
    if amount % unit:
        return False
    if kinds[0] // unit > _MOST_REMAINDERS:
        raise IllegalAction("structure-chips", f"The chips {_listed(kinds)} go together in no usual way.")
    wanted = amount // unit
    least = _least(tuple([chip // unit for chip in kinds]))[wanted % (kinds[0] // unit)]
    return least is not None and wanted >= least


@cache
def _least(kinds: tuple[int, ...]) -> list[int | None]:
    """The least amount that ``kinds`` can pay, for every remainder of the smallest: all above it by whole smallest
    chips can be paid too. The round-robin of Böcker and Lipták, "A fast and simple algorithm for the money changing
    problem", Algorithmica 48 (2007)."""
    smallest = kinds[0]
    least: list[int | None] = [0, *[None] * (smallest - 1)]
    for chip in kinds[1:]:
        rounds = gcd(smallest, chip)
        for first in range(rounds):
            paid = min((known for known in least[first::rounds] if known is not None), default=None)
            if paid is None:
                continue
            for _ in range(smallest // rounds):
                paid += chip
                known = least[paid % smallest]
                paid = paid if known is None else min(paid, known)
                least[paid % smallest] = paid
    return least


def _listed(chips: Iterable[int]) -> str:
    return "/".join(str(chip) for chip in sorted(chips))
