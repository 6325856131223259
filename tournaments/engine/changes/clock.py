"""What changes at the start, with the clock and the levels."""

from __future__ import annotations

from dataclasses import replace

from tournaments.engine import facts as f
from tournaments.engine.state import TournamentState


def began(state: TournamentState, fact: f.Began) -> None:
    state.phase = "running"
    state.began_at = fact.at
    state.clock = fact.clock


def clock_set(state: TournamentState, fact: f.ClockSet) -> None:
    state.clock = fact.clock


def levels_edited(state: TournamentState, fact: f.LevelsEdited) -> None:
    levels = (*state.structure.levels[: fact.from_level], *fact.levels)
    state.config = replace(state.config, structure=replace(state.structure, levels=levels))
    state.clock = fact.clock


def clock_called(state: TournamentState, fact: f.ClockCalled) -> None:
    state.called[fact.entrant] = fact.ends_at


def clock_lifted(state: TournamentState, fact: f.ClockLifted) -> None:
    state.called.pop(fact.entrant, None)
