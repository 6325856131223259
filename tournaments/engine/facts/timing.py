"""The start and the clock."""

from __future__ import annotations

from dataclasses import dataclass

from ..clock import Clock
from ..structure import Level
from .base import Fact, named


@named("began")
@dataclass(frozen=True, slots=True)
class Began(Fact):
    """Cards are in the air."""

    clock: Clock


@named("clock-set")
@dataclass(frozen=True, slots=True)
class ClockSet(Fact):
    """``why``: paused, resumed, time, level, away, hands, hand-for-hand or round."""

    clock: Clock
    why: str


@named("levels-edited")
@dataclass(frozen=True, slots=True)
class LevelsEdited(Fact):
    """``levels`` stand from index ``from_level`` on; the clock keeps what has passed of the current one."""

    from_level: int
    levels: tuple[Level, ...]
    clock: Clock


@named("clock-called")
@dataclass(frozen=True, slots=True)
class ClockCalled(Fact):
    """The player must have acted by ``ends_at``."""

    entrant: int
    ends_at: int


@named("clock-lifted")
@dataclass(frozen=True, slots=True)
class ClockLifted(Fact):
    """The player has acted."""

    entrant: int
