"""Levels, breaks and the chips they are played with; and the clock: a moment that was written down, and how to read it
later.

Nothing is written as time passes. A running clock says when its level ends, and every reader walks forward from there,
so all screens agree, also after a restart. ``now`` and all moments are milliseconds since the epoch. The last level
stays: its overtime counts up and the stakes never change by themselves. A level by hands does not end by time at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from math import gcd

from tournaments.engine.errors import EventSentence, IllegalCommand, Phrase

MOST_LEVELS = 200
LONGEST_MINUTES = 24 * 60
MINUTE_MS = 60_000
LEVEL = Phrase("level", "Level {n}")
BREAK = Phrase("break", "Break {n}")
#: Above this many remainders a chip set is none that was ever made.
_MOST_REMAINDERS = 10_000


#: What is played at a level that does not say it.
USUAL_GAME = "seven-card-stud"
USUAL_BETTING = "fixed-limit"


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
    game: str = USUAL_GAME
    betting: str = USUAL_BETTING
    colour_up: tuple[int, ...] = ()

    @property
    def is_usual(self) -> bool:
        """Whether its game and betting are those of a level that names none."""
        return (self.game, self.betting) == (USUAL_GAME, USUAL_BETTING)

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
        positions = [index for index, level in enumerate(self.levels) if not level.is_break]
        return positions[number - 1] if number <= len(positions) else len(self.levels) - 1

    def name(self, index: int) -> str:
        """``Level 3``, ``Break 1``."""
        if self.levels[index].is_break:
            return BREAK(n=self.break_number(index))
        return LEVEL(n=self.number(index))

    def stakes(self, index: int) -> Level:
        """The level whose stakes are played at ``index``: in a break those of the level to come."""
        return next(level for level in self.levels[index:] if not level.is_break)

    def chips(self, index: int) -> tuple[int, ...]:
        """The denominations in play at ``index``, smallest first."""
        coloured_up = {chip for level in self.levels[: index + 1] for chip in level.colour_up}
        return tuple(sorted(set(self.chip_set) - coloured_up))


def check(structure: Structure, starting_stack: int) -> None:
    """Refuse a structure that cannot be played, naming the entry at fault.

    Raises ``IllegalCommand``: ``structure-empty``, ``structure-too-long``, ``structure-hole``, ``structure-fall``,
    ``structure-chips``, ``starting-stack``. Stakes that its chips cannot pay are not refused, as printed sheets have
    some: the ``customs`` warn of them.
    """
    levels = structure.levels
    if not levels:
        raise IllegalCommand("structure-empty", "A structure needs at least one level.")
    if len(levels) > MOST_LEVELS:
        raise IllegalCommand(
            "structure-too-long",
            "A structure has at most {most} levels and breaks, not {count}.",
            most=MOST_LEVELS,
            count=len(levels),
        )
    if levels[0].is_break:
        raise IllegalCommand("structure-hole", "A structure cannot begin with a break: add a level.")
    if levels[-1].is_break:
        raise IllegalCommand("structure-hole", "A structure cannot end with a break: add a level.")
    for index, level in enumerate(levels):
        _check_length(structure.name(index), level)
        _check_stakes(structure.name(index), level)
    check_rising(structure)
    if starting_stack < 1:
        raise IllegalCommand("starting-stack", "The starting stack must be at least one chip.")
    _check_chips(structure, starting_stack)


def _check_length(name: str, level: Level) -> None:
    if level.kind not in ("level", "break"):
        raise IllegalCommand(
            "structure-hole", "{name}: an entry is a level or a break, not {kind!r}.", name=name, kind=level.kind
        )
    if level.hands < 0 or level.minutes < 0:
        raise IllegalCommand("structure-hole", "{name}: minutes and hands cannot be below 0.", name=name)
    if level.is_break and level.hands:
        raise IllegalCommand("structure-hole", "{name} must last minutes: nobody plays hands in it.", name=name)
    if not level.minutes and not level.hands:
        raise IllegalCommand("structure-hole", "{name} lasts no time: give it minutes or hands.", name=name)
    if level.minutes > LONGEST_MINUTES:
        raise IllegalCommand(
            "structure-too-long",
            "{name} lasts {minutes} minutes: at most {most}.",
            name=name,
            minutes=level.minutes,
            most=LONGEST_MINUTES,
        )


def _check_stakes(name: str, level: Level) -> None:
    if level.is_break:
        if level.ante or level.bring_in or level.small_bet or level.big_bet:
            raise IllegalCommand("structure-hole", "{name} is a break: it has no stakes.", name=name)
        return
    if min(level.ante, level.bring_in, level.small_bet, level.big_bet) < 0:
        raise IllegalCommand("structure-hole", "{name}: stakes cannot be below 0.", name=name)
    if not level.small_bet:
        raise IllegalCommand("structure-hole", "{name} has no stakes: give it a small and a big bet.", name=name)
    if level.betting in ("fixed-limit", "spread-limit") and level.big_bet < level.small_bet:
        raise IllegalCommand(
            "structure-hole",
            "{name}: the big bet ({big_bet}) is below the small bet ({small_bet}).",
            name=name,
            big_bet=level.big_bet,
            small_bet=level.small_bet,
        )
    if level.bring_in > level.small_bet:
        raise IllegalCommand(
            "structure-hole",
            "{name}: the bring-in ({bring_in}) is above the small bet ({small_bet}).",
            name=name,
            bring_in=level.bring_in,
            small_bet=level.small_bet,
        )
    if not level.bring_in and not level.ante:
        raise IllegalCommand(
            "structure-hole", "{name} needs an ante or a bring-in: nobody would have to bet.", name=name
        )


#: The stakes of a level, and what they are called.
_STAKES = {
    "ante": EventSentence("ante"),
    "bring_in": EventSentence("bring in"),
    "small_bet": EventSentence("small bet"),
    "big_bet": EventSentence("big bet"),
}


def check_rising(structure: Structure) -> None:
    """Refuse stakes that go down from one level to a later one of the same game and betting."""
    before: dict[tuple[str, str], tuple[str, Level]] = {}
    for index, level in enumerate(structure.levels):
        if level.is_break:
            continue
        name = structure.name(index)
        earlier_name, earlier = before.get((level.game, level.betting), ("", level))
        for what, label in _STAKES.items():
            was, now = getattr(earlier, what), getattr(level, what)
            if now < was:
                raise IllegalCommand(
                    "structure-fall",
                    "{name}: the {what} falls from {was} in {earlier_name} to {now}.",
                    name=name,
                    what=label,
                    was=was,
                    earlier_name=earlier_name,
                    now=now,
                )
        before[level.game, level.betting] = (name, level)


def _check_chips(structure: Structure, starting_stack: int) -> None:
    if not structure.chip_set:
        return
    if min(structure.chip_set) < 1 or len(set(structure.chip_set)) != len(structure.chip_set):
        raise IllegalCommand("structure-chips", "The denominations of a chip set are above 0, each once.")
    if not can_build(starting_stack, structure.chip_set):
        raise IllegalCommand(
            "structure-chips",
            "The chips {chips} cannot build a stack of {starting_stack}.",
            chips=_chip_list(structure.chip_set),
            starting_stack=starting_stack,
        )
    in_play = structure.chip_set
    for index, level in enumerate(structure.levels):
        if strange := sorted(set(level.colour_up) - set(in_play)):
            raise IllegalCommand(
                "structure-chips",
                "{level}: there is no {chip} in play to colour up.",
                level=structure.name(index),
                chip=strange[0],
            )
        if level.colour_up:
            in_play = structure.chips(index)
        if not in_play:
            raise IllegalCommand(
                "structure-chips", "{level}: no chips would be left in play.", level=structure.name(index)
            )


def can_build(amount: int, chips: Iterable[int]) -> bool:
    """Can ``amount`` be paid exactly with any number of ``chips``?"""
    kinds = tuple(sorted(chips))
    unit = gcd(*kinds)
    if amount % unit:
        return False
    if kinds[0] // unit > _MOST_REMAINDERS:
        raise IllegalCommand(
            "structure-chips", "The chips {chips} go together in no usual way.", chips=_chip_list(kinds)
        )
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


def _chip_list(chips: Iterable[int]) -> str:
    return "/".join(str(chip) for chip in sorted(chips))


# The clock.

MOST_MS = LONGEST_MINUTES * MINUTE_MS


@dataclass(frozen=True, slots=True)
class Stopped:
    """Not running, ``remaining_ms`` before the end of ``level`` (an index of the structure's levels). Below 0 is the
    overtime of the last level. ``hands``: played in this level, where it is by hands."""

    level: int = 0
    remaining_ms: int = 0
    hands: int = 0


@dataclass(frozen=True, slots=True)
class Running:
    """``level`` ends, or the last one ended, at ``ends_at``. In a level by hands it is when the level began."""

    level: int
    ends_at: int
    hands: int = 0


Clock = Stopped | Running


@dataclass(frozen=True, slots=True)
class Reading:
    """What a clock shows at one moment. ``next_level``: index, None after the last; ``next_break_in_ms``: None where
    none comes or a level by hands is before it; ``hands_left``: 0 where the level is by time."""

    level: int
    remaining_ms: int
    is_paused: bool
    is_break: bool
    is_overtime: bool
    overtime_ms: int
    next_level: int | None
    next_break_in_ms: int | None
    hands_left: int = 0


def begin(structure: Structure, now: int, *, is_running: bool = True) -> Clock:
    """The clock at the start of the first level."""
    return _clock_at_level(structure, 0, now, is_running=is_running)


def clock_at(clock: Clock, structure: Structure, now: int) -> Clock:
    """The clock as it stands at ``now``, in the level that it has reached by then."""
    if isinstance(clock, Stopped):
        return clock
    level, ends_at, hands = clock.level, clock.ends_at, clock.hands
    last = len(structure.levels) - 1
    while level < last and not structure.levels[level].is_by_hands and now >= ends_at:
        level, hands = level + 1, 0
        ends_at += structure.levels[level].duration_ms
    return clock if level == clock.level else Running(level, ends_at, hands)


def read(clock: Clock, structure: Structure, now: int) -> Reading:
    """What the wall shows at ``now``."""
    clock = clock_at(clock, structure, now)
    level = structure.levels[clock.level]
    remaining = 0 if level.is_by_hands else _remaining(clock, now)
    last = len(structure.levels) - 1
    is_overtime = clock.level == last and not level.is_by_hands and remaining <= 0
    return Reading(
        level=clock.level,
        remaining_ms=max(0, remaining),
        is_paused=isinstance(clock, Stopped),
        is_break=level.is_break,
        is_overtime=is_overtime,
        overtime_ms=-remaining if is_overtime else 0,
        next_level=clock.level + 1 if clock.level < last else None,
        next_break_in_ms=_next_break(structure, clock.level, remaining),
        hands_left=max(0, level.hands - clock.hands) if level.is_by_hands else 0,
    )


def next_change(clock: Clock, structure: Structure, now: int) -> int | None:
    """When the level next changes by itself; None while it does not."""
    clock = clock_at(clock, structure, now)
    if isinstance(clock, Stopped) or structure.levels[clock.level].is_by_hands:
        return None
    return clock.ends_at if clock.level < len(structure.levels) - 1 else None


def pause(clock: Clock, structure: Structure, now: int) -> Stopped:
    """Stop the clock where it stands."""
    clock = clock_at(clock, structure, now)
    if isinstance(clock, Stopped):
        raise IllegalCommand("clock-paused", "The clock is paused already.")
    left = 0 if structure.levels[clock.level].is_by_hands else clock.ends_at - now
    return Stopped(clock.level, left, clock.hands)


def resume(clock: Clock, structure: Structure, now: int) -> Running:
    """Let the clock go on from where it stopped."""
    if isinstance(clock, Running):
        raise IllegalCommand("clock-runs", "The clock runs already.")
    return Running(clock.level, now + clock.remaining_ms, clock.hands)


def add(clock: Clock, structure: Structure, now: int, ms: int) -> Clock:
    """Give the level ``ms`` more, or take them away: with none left the next level begins now."""
    clock = clock_at(clock, structure, now)
    _refuse_by_hands(clock, structure)
    left = max(0, _remaining(clock, now)) + ms
    if left > MOST_MS:
        raise IllegalCommand("clock-range", "A level lasts at most 24 hours.")
    if left <= 0 and clock.level < len(structure.levels) - 1:
        return _clock_at_level(structure, clock.level + 1, now, is_running=isinstance(clock, Running))
    if left <= 0:
        # The last level stays; time taken from its overtime shows as more overtime.
        left = _remaining(clock, now) + ms
    return _with_left(clock, now, left)


def later(clock: Clock, structure: Structure, now: int, ms: int) -> Clock:
    """The clock as it stood ``ms`` before ``now``, going on from there. A stopped one stood anyway."""
    if ms <= 0:
        raise IllegalCommand("nothing-to-do", "No time was lost.")
    clock = clock_at(clock, structure, now - ms)
    return clock if isinstance(clock, Stopped) else replace(clock, ends_at=clock.ends_at + ms)


def set_remaining(clock: Clock, structure: Structure, now: int, ms: int) -> Clock:
    """Let ``ms`` of the level be left, 0 to 24 hours; 0 begins the next one."""
    if not 0 <= ms <= MOST_MS:
        raise IllegalCommand("clock-range", "A level can have from 0 to 24 hours left.")
    clock = clock_at(clock, structure, now)
    _refuse_by_hands(clock, structure)
    if not ms and clock.level < len(structure.levels) - 1:
        return _clock_at_level(structure, clock.level + 1, now, is_running=isinstance(clock, Running))
    return _with_left(clock, now, ms)


def jump(clock: Clock, structure: Structure, now: int, level: int) -> Clock:
    """Begin the entry at index ``level`` now; a stopped clock stays stopped."""
    if not 0 <= level < len(structure.levels):
        raise IllegalCommand(
            "no-such-level", "The structure has {count} levels and breaks.", count=len(structure.levels)
        )
    return _clock_at_level(structure, level, now, is_running=isinstance(clock, Running))


def next_level(clock: Clock, structure: Structure, now: int) -> Clock:
    """Begin the next level or break now."""
    level = clock_at(clock, structure, now).level + 1
    if level == len(structure.levels):
        raise IllegalCommand("no-such-level", "This is the last level.")
    return jump(clock, structure, now, level)


def previous_level(clock: Clock, structure: Structure, now: int) -> Clock:
    """Begin the level or break before this one again, now."""
    level = clock_at(clock, structure, now).level - 1
    if level < 0:
        raise IllegalCommand("no-such-level", "This is the first level.")
    return jump(clock, structure, now, level)


def count_hands(clock: Clock, structure: Structure, now: int, hands: int) -> Clock:
    """``hands`` more were played: of a level by hands so many fewer are left, and with none left the next begins. A
    level by time does not count them."""
    clock = clock_at(clock, structure, now)
    level = structure.levels[clock.level]
    if not level.is_by_hands:
        return clock
    played = clock.hands + hands
    if played < level.hands or clock.level == len(structure.levels) - 1:
        return replace(clock, hands=played)
    return _clock_at_level(structure, clock.level + 1, now, is_running=isinstance(clock, Running))


def fit(clock: Clock, old: Structure, new: Structure, now: int) -> Clock:
    """The clock after the levels were edited: the current level keeps the time that has passed of it."""
    clock = clock_at(clock, old, now)
    was, becomes = old.levels[clock.level], new.levels[clock.level]
    if was.is_by_hands or becomes.is_by_hands:
        if was.is_by_hands == becomes.is_by_hands:
            return clock
        return _clock_at_level(new, clock.level, now, is_running=isinstance(clock, Running))
    left = _remaining(clock, now) + becomes.duration_ms - was.duration_ms
    if clock.level < len(new.levels) - 1:
        # What is over, is over now: a level that was added must not have begun in the past.
        left = max(0, left)
    return _with_left(clock, now, left)


def _clock_at_level(structure: Structure, level: int, now: int, *, is_running: bool) -> Clock:
    left = structure.levels[level].duration_ms
    return Running(level, now + left) if is_running else Stopped(level, left)


def _remaining(clock: Clock, now: int) -> int:
    return clock.remaining_ms if isinstance(clock, Stopped) else clock.ends_at - now


def _with_left(clock: Clock, now: int, left: int) -> Clock:
    if isinstance(clock, Stopped):
        return replace(clock, remaining_ms=left)
    return replace(clock, ends_at=now + left)


def _refuse_by_hands(clock: Clock, structure: Structure) -> None:
    if structure.levels[clock.level].is_by_hands:
        raise IllegalCommand("level-by-hands", "This level ends after so many hands, not by time.")


def _next_break(structure: Structure, level: int, remaining: int) -> int | None:
    if structure.levels[level].is_by_hands:
        return None
    wait = max(0, remaining)
    for entry in structure.levels[level + 1 :]:
        if entry.is_break:
            return wait
        if entry.is_by_hands:
            return None
        wait += entry.duration_ms
    return None
