"""Stacks that are counted, corrected or coloured up."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine import chip_race, labels
from tournaments.engine import commands as c
from tournaments.engine import facts as f
from tournaments.engine.errors import EventSentence, IllegalCommand
from tournaments.engine.event import Event
from tournaments.engine.plain import listed
from tournaments.engine.rules.busting import refuse_online


def count(event: Event, command: c.Count) -> None:
    """What the director counted before one player."""
    entrant = event.playing(command.entrant)
    refuse_online(event)
    if not 0 <= command.chips <= event.chips:
        raise IllegalCommand(
            "stack",
            "There are {chips} chips in play: {counted} cannot be right.",
            chips=event.chips,
            counted=command.chips,
        )
    _check_together(event, ((entrant.number, command.chips),))
    label = labels.COUNTED(name=entrant.name, chips=labels.number(command.chips))
    event.emit(f.Counted(entrant.number, command.chips, at=event.now, label=label))


def count_table(event: Event, command: c.CountTable) -> None:
    """What was counted at one table, in one count: of all who sit there, or of some."""
    refuse_online(event)
    if not command.stacks:
        raise IllegalCommand("nothing-to-do", "Write down what was counted.")
    for number, chips in command.stacks:
        entrant = event.playing(number)
        if entrant.table != command.table:
            raise IllegalCommand(
                "other-table", "{name} does not sit at table {table}.", name=entrant.name, table=command.table
            )
        if not 0 <= chips <= event.chips:
            raise IllegalCommand(
                "stack",
                "{name} cannot have {chips}: {all} chips are in play.",
                name=entrant.name,
                chips=chips,
                all=event.chips,
            )
    if len({number for number, _ in command.stacks}) != len(command.stacks):
        raise IllegalCommand("stack", "Each player has one stack.")
    total = sum(chips for _, chips in command.stacks)
    if total > event.chips:
        raise IllegalCommand(
            "stack",
            "The count comes to {total} chips, and {chips} are in play: count again.",
            total=total,
            chips=event.chips,
        )
    if len(command.stacks) < len(event.tables[command.table].seats if command.table in event.tables else ()):
        _check_together(event, command.stacks)
    label = labels.TABLE_COUNTED(
        table=command.table, chips=labels.number(total), what=labels.stacks(len(command.stacks))
    )
    event.emit(f.TableCounted(command.table, command.stacks, at=event.now, label=label))


def _check_together(event: Event, stacks: Sequence[tuple[int, int]]) -> None:
    """Single stacks counted one after the other are one count: refuse what a table's count would be refused for. A
    whole table is written down as it is: what is wrong may be at another one, and is told."""
    before = {number: chips for number, chips in event.counted_before(event.now).items() if number not in dict(stacks)}
    total = sum(before.values()) + sum(chips for _, chips in stacks)
    if before and total > event.chips:
        raise IllegalCommand(
            "stack",
            "With what was counted just before, {names}, that comes to {total:,} chips, and {chips:,} are in play: "
            "count again, or correct the chips in play.",
            names=listed(f"{event.entrants[number].name} {chips:,}" for number, chips in before.items()),
            total=total,
            chips=event.chips,
        )


def correct_chips(event: Event, command: c.CorrectChips) -> None:
    """What is really in play: a chip race went wrong, or a table was given too many."""
    event.require("running")
    refuse_online(event)
    if command.chips == event.chips:
        raise IllegalCommand("nothing-to-do", "{chips:,} chips are in play already.", chips=event.chips)
    total = sum(event.counts().values())
    if command.chips < max(event.left, total):  # everybody who is left has one
        raise IllegalCommand(
            "stack",
            EventSentence("The stacks that were counted come to {total:,}: there cannot be fewer in play.", total=total)
            if command.chips < total
            else EventSentence("Some chips are in play: say how many."),
        )
    label = labels.CHIPS_CORRECTED(chips=labels.number(command.chips), reason=command.reason)
    added = command.chips - event.chips
    event.emit(f.ChipsCorrected(command.chips, added, command.reason, at=event.now, label=label))


def race_chips(event: Event, command: c.RaceChips) -> None:
    """Small chips leave a table by a race; the chips in play change by what the race rounds up or down."""
    event.require("running")
    refuse_online(event)
    seats = event.tables[command.table].seats if command.table in event.tables else {}
    counted = dict(command.stacks)
    if not seats or set(counted) != set(seats) or len(counted) != len(command.stacks):
        raise IllegalCommand("bad-stacks", "The race is of everybody at one table, each counted once.", chip_race.RACE)
    raced = chip_race.race(counted, command.leaving, command.following, command.cards).raced
    stacks = tuple([(seats[racer.seat], racer.before, racer.after) for racer in raced])
    added = max(sum(after - before for _, before, after in stacks), -event.chips)
    event.emit(
        f.ChipsRaced(
            command.table,
            command.leaving,
            command.following,
            command.cards,
            stacks,
            added,
            at=event.now,
            label=labels.CHIP_RACE(table=command.table),
        )
    )


def chips(event: Event, command: c.Chips) -> None:
    """The stacks after a hand."""
    event.require("running")
    check_stacks(event, command.stacks)
    event.emit(f.StacksSet(command.stacks, at=event.now, label=command.why or labels.STACKS()))


def check_stacks(event: Event, stacks: Sequence[tuple[int, int]]) -> None:
    """Online, no chip comes from nowhere; in the room, nobody has more than there are."""
    before = sum(event.playing(number).stack for number, _ in stacks)
    if len({number for number, _ in stacks}) != len(stacks):
        raise IllegalCommand("stack", "Each player has one stack.")
    if any(not 0 <= after <= event.chips for _, after in stacks):
        raise IllegalCommand(
            "stack", "There are {chips} chips in play: nobody has more, or fewer than none.", chips=event.chips
        )
    after = sum(has for _, has in stacks)
    if event.config.conduct == "online" and after != before:
        raise IllegalCommand(
            "chips", "The hand began with {before} chips and cannot end with {after}.", before=before, after=after
        )
