"""Hands as the event sees them: who is out and in which place, who is back, what stacks there are, and penalties."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournaments.engine import chip_race, labels, seating
from tournaments.engine import clock as clocks
from tournaments.engine import commands as c
from tournaments.engine import facts as f
from tournaments.engine.clock import MINUTE_MS, Clock, Running, Stopped
from tournaments.engine.config import name_of
from tournaments.engine.errors import IllegalAction, Said
from tournaments.engine.event import HAND_FOR_HAND, Event, Finish, Opened, hand_for_hand, places
from tournaments.engine.plain import listed, ordinal
from tournaments.engine.prizes import deals
from tournaments.engine.state import Entrant

PENALTY = "TDA 71"


def bust(event: Event, command: c.Bust) -> Opened:
    """Those whose last chips went in one hand at one table."""
    event.require("running")
    if not command.busts:
        raise IllegalAction("nothing-to-do", "Say who is out.")
    check_busts(event, command.busts, command.table, command.by)
    if event.is_hand_for_hand:
        label = labels.BUST_AFTER_HAND(name=told(event, command.busts))
        event.emit(f.BustsHeld(command.busts, command.table, command.by, at=event.now, label=label))
        return []
    finishes = places(command.busts, left=event.left)
    label = labels.BUST(name=told(event, command.busts, finishes))
    return out(event, command.busts, finishes, command.table, command.hand, command.by, label)


def check_busts(
    event: Event, busts: Sequence[f.Bust], table: int, by: Sequence[int], stacks: Sequence[tuple[int, int]] = ()
) -> None:
    """Refuse who is out already, who sits elsewhere, who has chips left by the ``stacks`` after the hand (online they
    are known), and a hand that nobody won."""
    after = dict(stacks)
    numbers = [number for number, _ in busts]
    for number, stack in busts:
        entrant = event.playing(number)
        if number in event.held:
            raise IllegalAction("is-out", "{name} is out already when this hand is over.", name=entrant.name)
        if table and entrant.table != table:
            raise IllegalAction(
                "other-table",
                "{name} sits at table {table}, not {other}.",
                name=entrant.name,
                table=entrant.table,
                other=table,
            )
        if stack < 0:
            raise IllegalAction(
                "stack", "{name} cannot have begun the hand with {stack} chips.", name=entrant.name, stack=stack
            )
        taken = next((other for other, (_, _, winners) in event.held.items() if number in winners), 0)
        if taken:
            name = event.entrants[taken].name
            raise IllegalAction(
                "bounty",
                "{name} won the chips of {other} on this hand: they cannot be out.",
                name=entrant.name,
                other=name,
            )
        has = after.get(number, entrant.stack)
        if event.config.conduct == "online" and has:
            raise IllegalAction("has-chips", "{name} still has {has} chips.", name=entrant.name, has=has)
    if len(set(numbers)) != len(numbers):
        raise IllegalAction("bust-twice", "Each who is out is named once.")
    if len(numbers) + len(event.held) >= event.left:
        raise IllegalAction("nobody-left", "Somebody must have won the chips: not all who are left can be out.")
    if len(set(by)) != len(by):
        raise IllegalAction("bounty", "Whoever knocked a player out is named once.")
    for number in by:
        winner = event.playing(number)
        if number in numbers or number in event.held:
            raise IllegalAction(
                "bounty", "{name} is out by the same hand: they cannot have won the chips.", name=winner.name
            )


def out(
    event: Event,
    busts: Sequence[f.Bust],
    finishes: Sequence[Finish],
    table: int,
    hand: int,
    by: Sequence[int],
    label: str = "",
) -> Opened:
    """They are out, in the places that were found for them; the seats that opened come back."""
    lowest_first = sorted(finishes, key=lambda finish: -finish.place)
    opened = [(entrant.table, entrant.seat) for entrant in _entrants(event, busts) if entrant.table]
    places = tuple([(one.entrant, one.place, len(one.places), event.entries - one.places[-1]) for one in lowest_first])
    won = _bounties(event, [finish.entrant for finish in lowest_first], by)
    event.emit(f.Busted(tuple(busts), places, table, hand, tuple(by), won, at=event.now, label=label))
    return opened


def _bounties(event: Event, victims: Iterable[int], by: Sequence[int]) -> tuple[f.BountyWon, ...]:
    terms, unit = event.config.bounty, event.config.bounty_unit
    if terms.kind == "none":
        return ()
    return tuple(
        [
            (victim, winner, part.paid, part.added)
            for victim in victims
            for winner, part in deals.claim(terms, event.entrants[victim].bounty, by, unit).items()
        ]
    )


def revive(event: Event, command: c.Revive) -> None:
    """A bust that was a mistake, found too late to undo."""
    refuse_online(event)
    event.require("running")
    entrant = event.entrant(command.entrant)
    if entrant.status != "out" or entrant.is_disqualified:
        raise IllegalAction("not-out", "{name} is not out by a bust.", name=entrant.name)
    if event.players[entrant.player] != entrant.number:
        raise IllegalAction("entered-again", "{name} has entered again since.", name=entrant.name)
    if event.deal is not None:
        raise IllegalAction("deal-made", "A deal was made among those who were left.")
    won = _won_on(event, entrant)
    for _, winner, _, _ in won:
        if not event.entrants[winner].is_in:
            name = event.entrants[winner].name
            raise IllegalAction(
                "bounty-gone",
                "{name} won the bounty of {other} and is out since: undo that.",
                name=name,
                other=entrant.name,
            )
    table, seat, had = entrant.last
    place = _free_seat(event, table, seat) or seating.late_seat(
        event.views(), seats=event.config.seats, seed=command.seed
    )
    if place is None:
        raise IllegalAction("no-room", "Every seat is taken: open a table first.")
    stack = had if command.stack is None else command.stack
    if stack < 1:
        raise IllegalAction("stack", "Say how many chips {name} has.", name=entrant.name)
    head = sum(paid + added for _, _, paid, added in won) if won else entrant.bounty
    label = labels.BACK(name=entrant.name)
    event.emit(f.Revived(entrant.number, *place, stack, command.seed, head, won, at=event.now, label=label))


def _won_on(event: Event, entrant: Entrant) -> tuple[f.BountyWon, ...]:
    if event.config.bounty.kind == "none":
        return ()
    for fact in reversed(list(event.log.of(event.facts))):
        if isinstance(fact, f.Busted) and any(number == entrant.number for number, _ in fact.busts):
            return tuple([row for row in fact.bounties if row[0] == entrant.number])
    return ()


def _free_seat(event: Event, table: int, seat: int) -> tuple[int, int] | None:
    is_free = table in event.tables and seat not in event.tables[table].seats
    return (table, seat) if is_free and (table, seat) not in event.reserved.values() else None


# -- penalties --------------------------------------------------------------------------------------------------------


def _named(command: c.Penalise) -> Said:
    if command.kind == "hands":
        return labels.counted(command.count, labels.HAND_TO_MISS, labels.HANDS_TO_MISS)
    if command.kind == "rounds":
        return labels.counted(command.count, labels.ROUND_TO_MISS, labels.ROUNDS_TO_MISS)
    return labels.DISQUALIFIED() if command.kind == "disqualified" else labels.WARNING()


def penalise(event: Event, command: c.Penalise) -> Opened | None:
    """A warning, hands or rounds to miss, or disqualification. A round is as many hands as players sit at the table
    now. The chips of who is disqualified leave play."""
    entrant = event.playing(command.entrant)
    if command.kind not in c.PENALTIES:
        raise IllegalAction(
            "unknown-penalty",
            "There is no penalty {kind!r}: {choices}.",
            PENALTY,
            kind=command.kind,
            choices=", ".join(c.PENALTIES),
        )
    if entrant.number in event.held:
        raise IllegalAction("is-out", "{name} is out when this hand is over.", PENALTY, name=entrant.name)
    is_to_miss = command.kind in ("hands", "rounds")
    if is_to_miss and (command.count < 1 or not entrant.table):
        raise IllegalAction(
            "penalty-count",
            Said("Say how many hands {name} misses, at a table.", name=entrant.name)
            if command.kind == "hands"
            else Said("Say how many rounds {name} misses, at a table.", name=entrant.name),
            PENALTY,
        )
    players = len(event.tables[entrant.table].seats) if entrant.table else 0
    hands = command.count * (players if command.kind == "rounds" else 1) if is_to_miss else 0
    if command.kind == "disqualified" and event.left - len(event.held) < 2:
        raise IllegalAction("nobody-left", "The last player left cannot be disqualified.", PENALTY)
    event.emit(
        f.Penalised(
            entrant.number,
            command.kind,
            command.count,
            hands,
            command.reason,
            at=event.now,
            label=labels.PENALTY(name=entrant.name, what=_named(command)),
        )
    )
    if command.kind == "disqualified":
        opened = [(entrant.table, entrant.seat)] if entrant.table else []
        chips = min(entrant.stack, event.chips)  # counts in the room may be old
        event.emit(f.Disqualified(entrant.number, event.left, event.entries - event.left, chips, at=event.now))
        return opened
    return None


# -- stacks ----------------------------------------------------------------------------------------------------------


def count(event: Event, command: c.Count) -> None:
    """What the director counted before one player."""
    entrant = event.playing(command.entrant)
    refuse_online(event)
    if not 0 <= command.chips <= event.chips:
        raise IllegalAction(
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
        raise IllegalAction("nothing-to-do", "Write down what was counted.")
    for number, chips in command.stacks:
        entrant = event.playing(number)
        if entrant.table != command.table:
            raise IllegalAction(
                "other-table", "{name} does not sit at table {table}.", name=entrant.name, table=command.table
            )
        if not 0 <= chips <= event.chips:
            raise IllegalAction(
                "stack",
                "{name} cannot have {chips}: {all} chips are in play.",
                name=entrant.name,
                chips=chips,
                all=event.chips,
            )
    if len({number for number, _ in command.stacks}) != len(command.stacks):
        raise IllegalAction("stack", "Each player has one stack.")
    total = sum(chips for _, chips in command.stacks)
    if total > event.chips:
        raise IllegalAction(
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
        raise IllegalAction(
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
        raise IllegalAction("nothing-to-do", "{chips:,} chips are in play already.", chips=event.chips)
    total = sum(event.counts().values())
    if command.chips < max(event.left, total):  # everybody who is left has one
        raise IllegalAction(
            "stack",
            Said("The stacks that were counted come to {total:,}: there cannot be fewer in play.", total=total)
            if command.chips < total
            else Said("Some chips are in play: say how many."),
        )
    label = labels.CHIPS_CORRECTED(chips=labels.number(command.chips), reason=command.reason)
    added = command.chips - event.chips
    event.emit(f.ChipsCorrected(command.chips, added, command.reason, at=event.now, label=label))


def race_chips(event: Event, command: c.RaceChips) -> None:
    """Small chips leave a table; what the race rounds, the chips in play follow."""
    event.require("running")
    refuse_online(event)
    seats = event.tables[command.table].seats if command.table in event.tables else {}
    counted = dict(command.stacks)
    if not seats or set(counted) != set(seats) or len(counted) != len(command.stacks):
        raise IllegalAction("bad-stacks", "The race is of everybody at one table, each counted once.", chip_race.RACE)
    raced = chip_race.race(counted, command.leaving, command.following, command.cards).raced
    stacks = tuple([(seats[one.seat], one.before, one.after) for one in raced])
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
        raise IllegalAction("stack", "Each player has one stack.")
    if any(not 0 <= after <= event.chips for _, after in stacks):
        raise IllegalAction(
            "stack", "There are {chips} chips in play: nobody has more, or fewer than none.", chips=event.chips
        )
    after = sum(has for _, has in stacks)
    if event.config.conduct == "online" and after != before:
        raise IllegalAction(
            "chips", "The hand began with {before} chips and cannot end with {after}.", before=before, after=after
        )


def refuse_online(event: Event) -> None:
    """Online every chip is followed from hand to hand: there is nothing for a person to corrected."""
    if event.config.conduct == "online":
        raise IllegalAction("online", "Chips and busts follow from the hands that are played online.")


def _entrants(event: Event, busts: Iterable[f.Bust]) -> list[Entrant]:
    return [event.entrants[number] for number, _ in busts]


def told(event: Event, busts: Iterable[f.Bust], finishes: Sequence[Finish] = ()) -> str:
    """``Ana, 12th`` or ``Ana (12th) and Ben (11th)``: who is out, and in which place where that is known."""
    names = {entrant.number: entrant.name for entrant in _entrants(event, busts)}
    if not finishes:
        return listed(names.values())
    if len(finishes) == 1:
        return labels.AND_PLACE(name=names[finishes[0].entrant], place=ordinal(finishes[0].place))
    return listed(
        labels.IN_PLACE(name=names[finish.entrant], place=ordinal(finish.place)) for finish in reversed(finishes)
    )


# Hands counted table by table, and hand-for-hand: every table waits for the last (TDA RP-8).
#
# All who bust on one announced hand, at whatever table, share the places. The clock stands meanwhile, and every hand
# takes its minutes off it.


def switch(event: Event, command: c.HandForHand) -> Opened | None:
    """On or off."""
    event.require("running")
    if event.config.format != "tables":
        raise IllegalAction(
            "no-hand-for-hand", "In a {format} no table waits for another.", HAND_FOR_HAND, format=name_of(event.config)
        )
    if command.on == event.is_hand_for_hand:
        raise IllegalAction(
            "nothing-to-do",
            Said("Hand-for-hand is on already.") if command.on else Said("Hand-for-hand is off already."),
            HAND_FOR_HAND,
        )
    if command.on and len(event.in_use()) < 2:
        raise IllegalAction("one-table", "There is one table only: nobody has to wait for another.", HAND_FOR_HAND)
    if not command.on:
        _turn_off(event, labels.HAND_FOR_HAND_OFF())
        return []
    if event.reading(event.now).is_break:
        raise IllegalAction("in-a-break", "No hand is dealt in a break: hand-for-hand begins after it.")
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
        raise IllegalAction("no-such-table", "There is no table {table} open.", table=command.table)
    if event.is_hand_for_hand and table.hand_done:
        raise IllegalAction(
            "table-waits",
            "Table {table} has played this hand: it waits for the others.",
            HAND_FOR_HAND,
            table=table.number,
        )
    if len(table.seats) < 2:
        raise IllegalAction("too-few", "Nobody can have played a hand at table {table}.", table=table.number)
    check_stacks(event, command.stacks)
    check_busts(event, command.busts, table.number, command.by, command.stacks)
    finishes = () if event.is_hand_for_hand else places(command.busts, left=event.left)
    label = labels.HAND(table=table.number)
    if command.busts:
        label = labels.HAND_WITH_BUST(table=table.number, name=told(event, command.busts, finishes))
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
    finishes = {one.entrant: one for one in hand_for_hand(list(event.held), left=event.left)}
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
    clock = clocks.walked(event.clock, structure, now)
    if structure.levels[clock.level].is_break:
        return clock
    stopped = clock if isinstance(clock, Stopped) else clocks.pause(clock, structure, now)
    less = clocks.add(stopped, structure, now, -event.config.hand_minutes * MINUTE_MS)
    return clocks.resume(less, structure, now) if structure.levels[less.level].is_break else less


def _is_by_time(event: Event) -> bool:
    return not event.structure.levels[event.level(event.now)].is_by_hands


def _set_clock(event: Event, clock: Clock) -> None:
    event.emit(f.ClockSet(clock, "hand-for-hand", at=event.now))
