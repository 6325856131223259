"""The director's hand on the clock: stopped, set going, moved on, and the levels that are still to come.

Time is what the engine makes of it: nothing is written while it passes. Online a stopped clock holds every table when
its hand is over, and one that goes on wakes them again; that follows by itself (`playing.holding`). Every verb is an
`Order` of a director's and answers with the journal's receipt.
"""

from collections.abc import Sequence
from typing import Any, Unpack

from cardroom.core.errors import Invalid
from tournaments.engine import plain
from tournaments.engine.commands import AddTime, EditLevels, GoTo, NextLevel, Pause, PreviousLevel, Resume, SetRemaining
from tournaments.engine.structure import MOST_LEVELS, Level
from tournaments.events.journal import Receipt
from tournaments.events.playing import Order, direct, whole

_MOST_MS = 24 * 3600 * 1000


def pause(**order: Unpack[Order]) -> Receipt:
    """Stop the clock; `Illegal` where it is stopped."""
    return direct(Pause(), **order)


def resume(**order: Unpack[Order]) -> Receipt:
    """Let the clock run on."""
    return direct(Resume(), **order)


def start(**order: Unpack[Order]) -> Receipt:
    """Start the clock, where it does not start with the event."""
    return direct(Resume(), **order)


def add_time(*, ms: int, **order: Unpack[Order]) -> Receipt:
    """`ms` more of this level, or fewer below 0: when none is left, the next one begins."""
    return direct(AddTime(whole(ms, "time", least=-_MOST_MS, most=_MOST_MS)), **order)


def set_remaining(*, ms: int, **order: Unpack[Order]) -> Receipt:
    """Set what is left of this level, in milliseconds; 0 begins the next one."""
    return direct(SetRemaining(whole(ms, "time", most=_MOST_MS)), **order)


def go_to(*, level: int, **order: Unpack[Order]) -> Receipt:
    """Begin the level or break at index `level` of the structure now."""
    return direct(GoTo(whole(level, "level", most=MOST_LEVELS)), **order)


def next_level(**order: Unpack[Order]) -> Receipt:
    """Begin the next level or break now."""
    return direct(NextLevel(), **order)


def previous_level(**order: Unpack[Order]) -> Receipt:
    """Begin the level or break before this one again."""
    return direct(PreviousLevel(), **order)


def edit_levels(*, from_level: int, levels: Sequence[Level | dict[str, Any]], **order: Unpack[Order]) -> Receipt:
    """`levels` from index `from_level` on, in place of those that were there; a level may come as the JSON of its
    fields. `Illegal` for a level that was played, or stakes with a hole or a fall; `Invalid` names a field it cannot
    read."""
    if len(levels) > MOST_LEVELS:
        raise Invalid(f"A structure has at most {MOST_LEVELS} levels and breaks.", "bad-levels")
    made = tuple([each if isinstance(each, Level) else _level(each) for each in levels])
    return direct(EditLevels(whole(from_level, "level", most=MOST_LEVELS), made), **order)


def _level(data: dict[str, Any]) -> Level:
    try:
        return plain.from_plain(Level, data, "level")
    except ValueError as error:
        raise Invalid(f"A level of the structure cannot be read: {error}.", "bad-levels") from None
