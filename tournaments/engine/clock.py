"""The tournament clock: a moment that was written down, and how to read it later.

Nothing is written as time passes. A running clock says when its level ends, and every reader walks forward from there,
so all screens agree, also after a restart. ``now`` and all moments are milliseconds since the epoch. The last level
stays: its overtime counts up and the stakes never change by themselves. A level by hands does not end by time at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tournaments.engine.errors import IllegalAction
from tournaments.engine.structure import LONGEST_MINUTES, MINUTE_MS, Structure

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
    return _at(structure, 0, now, is_running=is_running)


def walked(clock: Clock, structure: Structure, now: int) -> Clock:
    """The same clock, said of the level in which it is at ``now``."""
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
    clock = walked(clock, structure, now)
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
    clock = walked(clock, structure, now)
    if isinstance(clock, Stopped) or structure.levels[clock.level].is_by_hands:
        return None
    return clock.ends_at if clock.level < len(structure.levels) - 1 else None


def pause(clock: Clock, structure: Structure, now: int) -> Stopped:
    """Stop the clock where it stands."""
    clock = walked(clock, structure, now)
    if isinstance(clock, Stopped):
        raise IllegalAction("clock-paused", "The clock is paused already.")
    left = 0 if structure.levels[clock.level].is_by_hands else clock.ends_at - now
    return Stopped(clock.level, left, clock.hands)


def resume(clock: Clock, structure: Structure, now: int) -> Running:
    """Let the clock go on from where it stopped."""
    if isinstance(clock, Running):
        raise IllegalAction("clock-runs", "The clock runs already.")
    return Running(clock.level, now + clock.remaining_ms, clock.hands)


def add(clock: Clock, structure: Structure, now: int, ms: int) -> Clock:
    """Give the level ``ms`` more, or take them away: with none left the next level begins now."""
    clock = walked(clock, structure, now)
    _refuse_by_hands(clock, structure)
    left = max(0, _remaining(clock, now)) + ms
    if left > MOST_MS:
        raise IllegalAction("clock-range", "A level lasts at most 24 hours.")
    if left <= 0 and clock.level < len(structure.levels) - 1:
        return _at(structure, clock.level + 1, now, is_running=isinstance(clock, Running))
    if left <= 0:
        # The last level stays; time taken from its overtime shows as more overtime.
        left = _remaining(clock, now) + ms
    return _with_left(clock, now, left)


def later(clock: Clock, structure: Structure, now: int, ms: int) -> Clock:
    """The clock as it stood ``ms`` before ``now``, going on from there. A stopped one stood anyway."""
    if ms <= 0:
        raise IllegalAction("nothing-to-do", "No time was lost.")
    clock = walked(clock, structure, now - ms)
    return clock if isinstance(clock, Stopped) else replace(clock, ends_at=clock.ends_at + ms)


def set_remaining(clock: Clock, structure: Structure, now: int, ms: int) -> Clock:
    """Let ``ms`` of the level be left, 0 to 24 hours; 0 begins the next one."""
    if not 0 <= ms <= MOST_MS:
        raise IllegalAction("clock-range", "A level can have from 0 to 24 hours left.")
    clock = walked(clock, structure, now)
    _refuse_by_hands(clock, structure)
    if not ms and clock.level < len(structure.levels) - 1:
        return _at(structure, clock.level + 1, now, is_running=isinstance(clock, Running))
    return _with_left(clock, now, ms)


def jump(clock: Clock, structure: Structure, now: int, level: int) -> Clock:
    """Begin the entry at index ``level`` now; a stopped clock stays stopped."""
    if not 0 <= level < len(structure.levels):
        raise IllegalAction("no-such-level", f"The structure has {len(structure.levels)} levels and breaks.")
    return _at(structure, level, now, is_running=isinstance(clock, Running))


def next_level(clock: Clock, structure: Structure, now: int) -> Clock:
    """Begin the next level or break now."""
    level = walked(clock, structure, now).level + 1
    if level == len(structure.levels):
        raise IllegalAction("no-such-level", "This is the last level.")
    return jump(clock, structure, now, level)


def previous_level(clock: Clock, structure: Structure, now: int) -> Clock:
    """Begin the level or break before this one again, now."""
    level = walked(clock, structure, now).level - 1
    if level < 0:
        raise IllegalAction("no-such-level", "This is the first level.")
    return jump(clock, structure, now, level)


def count_hands(clock: Clock, structure: Structure, now: int, hands: int) -> Clock:
    """``hands`` more were played: of a level by hands so many fewer are left, and with none left the next begins. A
    level by time does not count them."""
    clock = walked(clock, structure, now)
    level = structure.levels[clock.level]
    if not level.is_by_hands:
        return clock
    played = clock.hands + hands
    if played < level.hands or clock.level == len(structure.levels) - 1:
        return replace(clock, hands=played)
    return _at(structure, clock.level + 1, now, is_running=isinstance(clock, Running))


def fit(clock: Clock, old: Structure, new: Structure, now: int) -> Clock:
    """The clock after the levels were edited: the current level keeps the time that has passed of it."""
    clock = walked(clock, old, now)
    was, becomes = old.levels[clock.level], new.levels[clock.level]
    if was.is_by_hands or becomes.is_by_hands:
        if was.is_by_hands == becomes.is_by_hands:
            return clock
        return _at(new, clock.level, now, is_running=isinstance(clock, Running))
    left = _remaining(clock, now) + becomes.duration_ms - was.duration_ms
    if clock.level < len(new.levels) - 1:
        # What is over, is over now: a level that was added must not have begun in the past.
        left = max(0, left)
    return _with_left(clock, now, left)


def _at(structure: Structure, level: int, now: int, *, is_running: bool) -> Clock:
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
        raise IllegalAction("level-by-hands", "This level ends after so many hands, not by time.")


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
