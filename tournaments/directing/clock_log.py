"""The log of the clock: every order that still counts, and every level as it began."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from cardroom.core.sentences import translated
from tournaments.engine import clock as clocks
from tournaments.engine import facts as f
from tournaments.engine.clock import Clock, Structure
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events.models import Tournament


@dataclass(frozen=True, slots=True)
class ClockEntry:
    """`what`: began, paused, resumed, time, level, hands, hand-for-hand, round, edited, or by-itself where a level came
    by the clock. After it `level` (its name) is on, with `remaining_ms` of it to go, below 0 in the overtime of the
    last one."""

    at: datetime
    what: str
    level: str
    remaining_ms: int
    is_running: bool


def clock_log(tournament: Tournament, *, now: datetime) -> list[ClockEntry]:
    """All of it in order, up to `now` or the end of the event. No query, as a rule."""
    if not tournament.seq:
        return []
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return list(_entries(state, event_journal.ms(now)))


def _entries(state: EventEngine, now: int) -> Iterator[ClockEntry]:
    structure, clock = state.structure, None
    for fact in state.log.of(state.facts):
        if isinstance(fact, f.EventAnnounced | f.TermsChanged):
            structure = fact.config.structure
        elif isinstance(fact, f.Began | f.ClockSet | f.LevelsEdited):
            if clock is not None:
                yield from _levels_by_the_clock(clock, structure, fact.at)
            if isinstance(fact, f.LevelsEdited):
                structure = replace(structure, levels=(*structure.levels[: fact.from_level], *fact.levels))
            clock = fact.clock
            what = "began" if isinstance(fact, f.Began) else getattr(fact, "why", "edited")
            yield _entry(clock, structure, fact.at, what)
    if clock is not None:
        yield from _levels_by_the_clock(clock, structure, state.ended_at or now)


def _levels_by_the_clock(clock: Clock, structure: Structure, until: int) -> Iterator[ClockEntry]:
    """Levels that began by the clock before `until`."""
    at = 0 if isinstance(clock, clocks.Stopped) else clock.ends_at
    while (change := clocks.next_change(clock, structure, at - 1)) is not None and change < until:
        clock, at = clocks.clock_at(clock, structure, change), change
        yield _entry(clock, structure, at, "by-itself")
        if isinstance(clock, clocks.Running):
            at = clock.ends_at


def _entry(clock: Clock, structure: Structure, at: int, what: str) -> ClockEntry:
    left = clock.remaining_ms if isinstance(clock, clocks.Stopped) else clock.ends_at - at
    is_by_hands = structure.levels[clock.level].is_by_hands
    is_running = isinstance(clock, clocks.Running)
    return ClockEntry(
        event_journal.moment(at), what, translated(structure.name(clock.level)), 0 if is_by_hands else left, is_running
    )
