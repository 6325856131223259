"""The start, the clock and the levels as the director changes them."""

from __future__ import annotations

from dataclasses import replace

from tournaments.engine import clock as clocks
from tournaments.engine import commands as c
from tournaments.engine import config as terms
from tournaments.engine import facts as f
from tournaments.engine import labels
from tournaments.engine.clock import Clock, Structure
from tournaments.engine.errors import IllegalCommand, counted
from tournaments.engine.event import Event

#: 25 seconds and a countdown of five.
CALLED_MS = 30_000
CLOCK_ON_PLAYER = "TDA 29"


def start(event: Event, command: c.Start) -> None:
    """Cards in the air, when enough are in and everybody has a seat."""
    event.require("registering")
    least = event.config.min_entrants
    if event.left < least:
        raise IllegalCommand(
            "too-few",
            "{players} entered; the tournament needs {least} to begin.",
            players=counted(event.left, "{n} player", "{n} players"),
            least=least,
        )
    unseated = [entrant for entrant in event.in_play() if not entrant.table and entrant.number not in event.byes]
    if unseated and not event.tables:
        raise IllegalCommand("not-drawn", "The seats are not drawn yet.", "TDA 7")
    if unseated:
        raise IllegalCommand(
            "not-seated", "{name} has no seat yet: seat them or draw again.", "TDA 7", name=unseated[0].name
        )
    clock = clocks.begin(event.structure, event.now, is_running=event.config.auto_start)
    event.emit(f.Began(clock, at=event.now, label=labels.STARTED()))


def pause(event: Event, command: c.Pause) -> None:
    """Stop the clock."""
    _set_clock(event, clocks.pause(*_running_clock(event)), "paused", labels.CLOCK_STOPPED())


def resume(event: Event, command: c.Resume) -> None:
    """Let the clock run on."""
    _set_clock(event, clocks.resume(*_running_clock(event)), "resumed", labels.CLOCK_RUNS())


def add_time(event: Event, command: c.AddTime) -> None:
    """Add time to the level that is on, or take time off it."""
    if not command.ms:
        raise IllegalCommand("nothing-to-do", "No time was given.")
    sign = "+" if command.ms > 0 else "-"
    label = labels.CLOCK_CHANGED(time=f"{sign}{_minutes(abs(command.ms))}")
    _set_clock(event, clocks.add(*_running_clock(event), command.ms), "time", label)


def set_remaining(event: Event, command: c.SetRemaining) -> None:
    """So much of this level is left."""
    label = labels.CLOCK_SET(time=_minutes(command.ms))
    _set_clock(event, clocks.set_remaining(*_running_clock(event), command.ms), "time", label)


def room_was_away(event: Event, command: c.RoomWasAway) -> None:
    """Play stood still, and the clock with it."""
    clock, structure, now = _running_clock(event)
    label = labels.ROOM_AWAY(time=_minutes(command.ms))
    _set_clock(event, clocks.later(clock, structure, now, command.ms), "away", label)


def go_to(event: Event, command: c.GoTo) -> None:
    """Begin any level now."""
    _set_level(event, clocks.jump(*_running_clock(event), command.level))


def next_level(event: Event, command: c.NextLevel) -> None:
    """Begin the next level now."""
    _set_level(event, clocks.next_level(*_running_clock(event)))


def previous_level(event: Event, command: c.PreviousLevel) -> None:
    """Begin the level before again."""
    _set_level(event, clocks.previous_level(*_running_clock(event)))


def hands_played(event: Event, command: c.HandsPlayed) -> None:
    """A level by hands comes nearer to its end."""
    if command.hands < 1:
        raise IllegalCommand("nothing-to-do", "At least one hand was played.")
    clock, structure, now = _running_clock(event)
    played = clocks.count_hands(clock, structure, now, command.hands)
    if structure.levels[clocks.clock_at(clock, structure, now).level].is_by_hands:
        _set_clock(event, played, "hands", labels.counted(command.hands, labels.HAND_PLAYED, labels.HANDS_PLAYED))


def edit_levels(event: Event, command: c.EditLevels) -> None:
    """Levels that were played stay as they were; the current one keeps what has passed of it."""
    event.require("registering", "running")
    old, first = event.structure, command.from_level
    if not 0 <= first <= len(old.levels):
        raise IllegalCommand("no-such-level", "The structure has {count} levels and breaks.", count=len(old.levels))
    new = replace(old, levels=(*old.levels[:first], *command.levels))
    terms.check(replace(event.config, structure=new))
    clock: Clock = event.clock
    if event.phase == "running":
        current = event.level(event.now)
        if first < current:
            raise IllegalCommand("level-played", "{level} has been played: it stays as it was.", level=old.name(first))
        if len(new.levels) <= current or new.levels[current].kind != old.levels[current].kind:
            raise IllegalCommand(
                "level-played", "{level} is being played: it cannot be taken away.", level=old.name(current)
            )
        clock = clocks.fit(clock, old, new, event.now)
    label = labels.LEVELS_EDITED(what=old.name(first) if first < len(old.levels) else labels.AT_THE_END())
    event.emit(f.LevelsEdited(first, command.levels, clock, at=event.now, label=label))


def clock_on(event: Event, command: c.ClockOn) -> None:
    """The player has 25 seconds and a countdown of five to act (TDA 29)."""
    entrant = event.playing(command.entrant)
    if event.called.get(entrant.number, 0) > event.now:
        raise IllegalCommand("clock-called", "The clock is on {name} already.", CLOCK_ON_PLAYER, name=entrant.name)
    label = labels.CLOCK_ON(name=entrant.name)
    event.emit(f.ClockCalled(entrant.number, event.now + CALLED_MS, at=event.now, label=label))


def clock_off(event: Event, command: c.ClockOff) -> None:
    """The player has acted."""
    entrant = event.playing(command.entrant)
    if entrant.number not in event.called:
        raise IllegalCommand("nothing-to-do", "There is no clock on {name}.", CLOCK_ON_PLAYER, name=entrant.name)
    event.emit(f.ClockLifted(entrant.number, at=event.now, label=labels.CLOCK_OFF(name=entrant.name)))


def _running_clock(event: Event) -> tuple[Clock, Structure, int]:
    event.require("running")
    return event.clock, event.structure, event.now


def _set_clock(event: Event, clock: Clock, why: str, label: str = "") -> None:
    event.emit(f.ClockSet(clock, why, at=event.now, label=label))


def _set_level(event: Event, clock: Clock) -> None:
    _set_clock(event, clock, "level", labels.LEVEL_BEGINS(what=event.structure.name(clock.level)))


def _minutes(ms: int) -> str:
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes}:{seconds:02}"
