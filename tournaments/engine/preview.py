"""How an event with these levels is likely to go."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from tournaments.engine.clock import Level, Structure
from tournaments.engine.customs import minutes_of
from tournaments.engine.wizard import is_over, root


@dataclass(frozen=True, slots=True)
class EventPreview:
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
        if not level.is_break and is_over(level.small_bet, players * stack):
            break
    return minutes


def preview(structure: Structure, players: int, stack: int) -> tuple[EventPreview, ...]:
    """A row for the start, for every hour and for the likely end. Fewer players are left by the same part every hour,
    one at the end: an estimate, as nobody knows. Chips that come in later (rebuys, late entries) are not in it."""
    end = lasts(structure, players, stack)
    return tuple(_preview_at(structure, players, stack, minutes, end) for minutes in (*range(0, end, 60), end))


def _preview_at(structure: Structure, players: int, stack: int, minutes: int, end: int) -> EventPreview:
    index = begun = 0
    for at, level in enumerate(structure.levels):
        if begun > minutes or (begun == minutes == end and at):
            break
        index = at
        begun += minutes_of(level)
    level = structure.stakes(index)
    common = gcd(end, minutes)
    power, degree = players ** ((end - minutes) // common), end // common
    left = root(power - 1, degree) + 1  # rounded up
    average = players * stack // left
    return EventPreview(minutes, index, structure.name(index), level, left, average, average // (2 * level.small_bet))
