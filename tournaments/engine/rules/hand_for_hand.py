"""Hand for hand."""

from __future__ import annotations

from tournaments.engine import clock as clocks
from tournaments.engine import commands as c
from tournaments.engine import facts as f
from tournaments.engine import labels
from tournaments.engine.clock import MINUTE_MS, Clock, Running, Stopped
from tournaments.engine.config import name_of
from tournaments.engine.errors import EventSentence, IllegalCommand
from tournaments.engine.event import Event, Opened
from tournaments.engine.finishing import HAND_FOR_HAND, hand_for_hand, places
from tournaments.engine.rules.busting import check_busts, out, who_is_out
from tournaments.engine.rules.stacks import check_stacks


def switch(event: Event, command: c.HandForHand) -> Opened | None:
    """On or off."""
    event.require("running")
    if event.config.format != "tables":
        raise IllegalCommand(
            "no-hand-for-hand", "In a {format} no table waits for another.", HAND_FOR_HAND, format=name_of(event.config)
        )
    if command.on == event.is_hand_for_hand:
        raise IllegalCommand(
            "nothing-to-do",
            EventSentence("Hand-for-hand is on already.")
            if command.on
            else EventSentence("Hand-for-hand is off already."),
            HAND_FOR_HAND,
        )
    if command.on and len(event.in_use()) < 2:
        raise IllegalCommand("one-table", "There is one table only: nobody has to wait for another.", HAND_FOR_HAND)
    if not command.on:
        _turn_off(event, labels.HAND_FOR_HAND_OFF())
        return []
    if event.reading(event.now).is_break:
        raise IllegalCommand("in-a-break", "No hand is dealt in a break: hand-for-hand begins after it.")
    takes_minutes = bool(event.config.hand_minutes) and _is_by_time(event)
    stops = takes_minutes and isinstance(event.clock, Running)
    event.emit(f.HandForHandSet(True, takes_minutes, stops, at=event.now, label=labels.HAND_FOR_HAND()))
    if stops:
        _set_clock(event, clocks.pause(event.clock, event.structure, event.now))
    return None


def hand_done(event: Event, command: c.HandDone) -> Opened:
    """A table has played its hand."""
    event.require("running")
    table = event.tables.get(command.table)
    if table is None:
        raise IllegalCommand("no-such-table", "There is no table {table} open.", table=command.table)
    if event.is_hand_for_hand and table.hand_done:
        raise IllegalCommand(
            "table-waits",
            "Table {table} has played this hand: it waits for the others.",
            HAND_FOR_HAND,
            table=table.number,
        )
    if len(table.seats) < 2:
        raise IllegalCommand("too-few", "Nobody can have played a hand at table {table}.", table=table.number)
    check_stacks(event, command.stacks)
    check_busts(event, command.busts, table.number, command.by, command.stacks)
    finishes = () if event.is_hand_for_hand else places(command.busts, left=event.left)
    label = labels.HAND(table=table.number)
    if command.busts:
        label = labels.HAND_WITH_BUST(table=table.number, name=who_is_out(event, command.busts, finishes))
    event.emit(f.HandFinished(table.number, command.stacks, at=event.now, label=label))
    opened: Opened = []
    if command.busts and event.is_hand_for_hand:
        event.emit(f.BustsHeld(command.busts, table.number, command.by, at=event.now))
    elif command.busts:
        opened = out(event, command.busts, finishes, table.number, table.hands, command.by)
    return opened


def settle(event: Event) -> Opened:
    """End the hand when every table has; the seats that opened come back."""
    if not event.is_hand_for_hand:
        return []
    opened: Opened = []
    if event.is_hand_on and all(table.hand_done for table in event.tables.values() if table.deals):
        opened = _release(event)
        event.emit(f.HandOver(event.hand_number + 1, at=event.now))
        if event.takes_minutes and _is_by_time(event):
            _set_clock(event, _after_hand(event))
    if not event.held and len(event.in_use()) < 2:
        _turn_off(event)
    return opened


def _release(event: Event) -> Opened:
    """All who were held are out now, together."""
    if not event.held:
        return []
    finishes = {finish.entrant: finish for finish in hand_for_hand(list(event.held), left=event.left)}
    hands: dict[tuple[int, tuple[int, ...]], list[f.Bust]] = {}
    for number, (stack, table, by) in event.held.items():
        hands.setdefault((table, by), []).append((number, stack))
    opened: Opened = []
    for (table, by), busts in hands.items():
        opened += out(event, busts, [finishes[number] for number, _ in busts], table, 0, by)
    return opened


def _turn_off(event: Event, label: str = "") -> None:
    stopped = event.stopped_clock
    event.emit(f.HandForHandSet(False, False, False, at=event.now, label=label))
    _release(event)
    if stopped and isinstance(event.clock, Stopped):
        _set_clock(event, clocks.resume(event.clock, event.structure, event.now))


def _after_hand(event: Event) -> Clock:
    """The clock with the hand's minutes taken off, standing; but a break is a break, and runs."""
    now, structure = event.now, event.structure
    clock = clocks.clock_at(event.clock, structure, now)
    if structure.levels[clock.level].is_break:
        return clock
    stopped = clock if isinstance(clock, Stopped) else clocks.pause(clock, structure, now)
    less = clocks.add(stopped, structure, now, -event.config.hand_minutes * MINUTE_MS)
    return clocks.resume(less, structure, now) if structure.levels[less.level].is_break else less


def _is_by_time(event: Event) -> bool:
    return not event.structure.levels[event.level(event.now)].is_by_hands


def _set_clock(event: Event, clock: Clock) -> None:
    event.emit(f.ClockSet(clock, "hand-for-hand", at=event.now))
