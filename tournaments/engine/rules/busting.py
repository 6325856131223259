"""Hands as the event sees them: who is out and in which place, who is back, what stacks there are, and penalties."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournaments.engine import commands as c
from tournaments.engine import drawing, labels
from tournaments.engine import facts as f
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.event import Event, Opened
from tournaments.engine.finishing import FinishedPlace, places
from tournaments.engine.plain import listed, ordinal
from tournaments.engine.prizes import bounties
from tournaments.engine.state import Entrant


def bust(event: Event, command: c.Bust) -> Opened:
    """Take out the players whose last chips went in one hand at one table."""
    event.require("running")
    if not command.busts:
        raise IllegalCommand("nothing-to-do", "Say who is out.")
    check_busts(event, command.busts, command.table, command.by)
    if event.is_hand_for_hand:
        label = labels.BUST_AFTER_HAND(name=who_is_out(event, command.busts))
        event.emit(f.BustsHeld(command.busts, command.table, command.by, at=event.now, label=label))
        return []
    finishes = places(command.busts, left=event.left)
    label = labels.BUST(name=who_is_out(event, command.busts, finishes))
    return out(event, command.busts, finishes, command.table, command.hand, command.by, label)


def check_busts(
    event: Event, busts: Sequence[f.Bust], table: int, by: Sequence[int], stacks: Sequence[tuple[int, int]] = ()
) -> None:
    """Refuse entrants who are out already, sit elsewhere, or have chips left by the ``stacks`` after the hand (online
    they are known); and a hand that nobody won."""
    after = dict(stacks)
    numbers = [number for number, _ in busts]
    for number, stack in busts:
        entrant = event.playing(number)
        if number in event.held:
            raise IllegalCommand("is-out", "{name} is out already when this hand is over.", name=entrant.name)
        if table and entrant.table != table:
            raise IllegalCommand(
                "other-table",
                "{name} sits at table {table}, not {other}.",
                name=entrant.name,
                table=entrant.table,
                other=table,
            )
        if stack < 0:
            raise IllegalCommand(
                "stack", "{name} cannot have begun the hand with {stack} chips.", name=entrant.name, stack=stack
            )
        taken = next((other for other, (_, _, winners) in event.held.items() if number in winners), 0)
        if taken:
            name = event.entrants[taken].name
            raise IllegalCommand(
                "bounty",
                "{name} won the chips of {other} on this hand: they cannot be out.",
                name=entrant.name,
                other=name,
            )
        has = after.get(number, entrant.stack)
        if event.config.conduct == "online" and has:
            raise IllegalCommand("has-chips", "{name} still has {has} chips.", name=entrant.name, has=has)
    if len(set(numbers)) != len(numbers):
        raise IllegalCommand("bust-twice", "Each who is out is named once.")
    if len(numbers) + len(event.held) >= event.left:
        raise IllegalCommand("nobody-left", "Somebody must have won the chips: not all who are left can be out.")
    if len(set(by)) != len(by):
        raise IllegalCommand("bounty", "Whoever knocked a player out is named once.")
    for number in by:
        winner = event.playing(number)
        if number in numbers or number in event.held:
            raise IllegalCommand(
                "bounty", "{name} is out by the same hand: they cannot have won the chips.", name=winner.name
            )


def out(
    event: Event,
    busts: Sequence[f.Bust],
    finishes: Sequence[FinishedPlace],
    table: int,
    hand: int,
    by: Sequence[int],
    label: str = "",
) -> Opened:
    """Put these entrants out in the places worked out for them. Returns the seats that opened."""
    lowest_first = sorted(finishes, key=lambda finish: -finish.place)
    opened = [(entrant.table, entrant.seat) for entrant in _entrants(event, busts) if entrant.table]
    places = tuple(
        [
            (finish.entrant, finish.place, len(finish.places), event.entries - finish.places[-1])
            for finish in lowest_first
        ]
    )
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
            for winner, part in bounties.claim(terms, event.entrants[victim].bounty, by, unit).items()
        ]
    )


def revive(event: Event, command: c.Revive) -> None:
    """A bust that was a mistake, found too late to undo."""
    refuse_online(event)
    event.require("running")
    entrant = event.entrant(command.entrant)
    if entrant.status != "out" or entrant.is_disqualified:
        raise IllegalCommand("not-out", "{name} is not out by a bust.", name=entrant.name)
    if event.players[entrant.player] != entrant.number:
        raise IllegalCommand("entered-again", "{name} has entered again since.", name=entrant.name)
    if event.deal is not None:
        raise IllegalCommand("deal-made", "A deal was made among those who were left.")
    won = _won_on(event, entrant)
    for _, winner, _, _ in won:
        if not event.entrants[winner].is_in:
            name = event.entrants[winner].name
            raise IllegalCommand(
                "bounty-gone",
                "{name} won the bounty of {other} and is out since: undo that.",
                name=name,
                other=entrant.name,
            )
    table, seat, had = entrant.last
    place = _free_seat(event, table, seat) or drawing.late_seat(
        event.views(), seats=event.config.seats, seed=command.seed
    )
    if place is None:
        raise IllegalCommand("no-room", "Every seat is taken: open a table first.")
    stack = had if command.stack is None else command.stack
    if stack < 1:
        raise IllegalCommand("stack", "Say how many chips {name} has.", name=entrant.name)
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


def refuse_online(event: Event) -> None:
    """Online every chip is followed from hand to hand: there is nothing for a person to corrected."""
    if event.config.conduct == "online":
        raise IllegalCommand("online", "Chips and busts follow from the hands that are played online.")


def _entrants(event: Event, busts: Iterable[f.Bust]) -> list[Entrant]:
    return [event.entrants[number] for number, _ in busts]


def who_is_out(event: Event, busts: Iterable[f.Bust], finishes: Sequence[FinishedPlace] = ()) -> str:
    """``Ana, 12th`` or ``Ana (12th) and Ben (11th)``: who is out, and in which place where that is known."""
    names = {entrant.number: entrant.name for entrant in _entrants(event, busts)}
    if not finishes:
        return listed(names.values())
    if len(finishes) == 1:
        return labels.AND_PLACE(name=names[finishes[0].entrant], place=ordinal(finishes[0].place))
    return listed(
        labels.IN_PLACE(name=names[finish.entrant], place=ordinal(finish.place)) for finish in reversed(finishes)
    )
