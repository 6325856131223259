"""An action is taken back, or done again."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Fact, named


@named("action-undone")
@dataclass(frozen=True, slots=True)
class ActionUndone(Fact):
    """Facts ``first`` to ``last`` (numbered from 1) no longer stand. Nothing is deleted and the numbering goes on."""

    first: int
    last: int


@named("action-redone")
@dataclass(frozen=True, slots=True)
class ActionRedone(Fact):
    """Facts ``first`` to ``last`` stand again, where they stood."""

    first: int
    last: int
