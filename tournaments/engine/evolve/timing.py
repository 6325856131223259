"""The start, the clock and the levels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import facts as f

if TYPE_CHECKING:
    from ..state import TournamentState


def _began(state: TournamentState, fact: f.Began) -> None:
    state.phase = "running"
    state.began_at = fact.at
    state.clock = fact.clock


def _clock_set(state: TournamentState, fact: f.ClockSet) -> None:
    state.clock = fact.clock


def _levels_edited(state: TournamentState, fact: f.LevelsEdited) -> None:
    levels = (*state.structure.levels[: fact.from_level], *fact.levels)
    state.config = replace(state.config, structure=replace(state.structure, levels=levels))
    state.clock = fact.clock


def _clock_called(state: TournamentState, fact: f.ClockCalled) -> None:
    state.called[fact.entrant] = fact.ends_at


def _clock_lifted(state: TournamentState, fact: f.ClockLifted) -> None:
    state.called.pop(fact.entrant, None)


APPLY: dict[str, Callable[[TournamentState, Any], None]] = {
    "began": _began,
    "clock-set": _clock_set,
    "levels-edited": _levels_edited,
    "clock-called": _clock_called,
    "clock-lifted": _clock_lifted,
}
