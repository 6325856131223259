"""The start, the clock and the levels."""

from __future__ import annotations

from dataclasses import dataclass

from ..structure import Level
from .base import Command


@dataclass(frozen=True, slots=True)
class Start(Command):
    """Cards in the air."""


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Stop the clock."""


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Let the clock go on."""


@dataclass(frozen=True, slots=True)
class AddTime(Command):
    """Milliseconds; below 0 takes them away."""

    ms: int


@dataclass(frozen=True, slots=True)
class SetRemaining(Command):
    ms: int


@dataclass(frozen=True, slots=True)
class RoomWasAway(Command):
    """Nobody could play in the last ``ms`` milliseconds: the clock goes on from where it stood before them."""

    ms: int


@dataclass(frozen=True, slots=True)
class GoTo(Command):
    """``level``: an index of the structure's levels."""

    level: int


@dataclass(frozen=True, slots=True)
class NextLevel(Command):
    """Begin the next level or break now."""


@dataclass(frozen=True, slots=True)
class PreviousLevel(Command):
    """Begin the level or break before this one again."""


@dataclass(frozen=True, slots=True)
class EditLevels(Command):
    """``levels`` from index ``from_level`` on instead of those that were there."""

    from_level: int
    levels: tuple[Level, ...]


@dataclass(frozen=True, slots=True)
class HandsPlayed(Command):
    """So many more hands of a level by hands; a level by time does not count them."""

    hands: int = 1
