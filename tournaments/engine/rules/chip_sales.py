"""Rebuys and add-ons: chips that are bought while the event is played."""

from __future__ import annotations

from tournaments.engine import commands as c
from tournaments.engine import facts as f
from tournaments.engine import labels
from tournaments.engine.config import AddOnTerms, RebuyTerms
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.event import Event
from tournaments.engine.rules.entering import REBUYS
from tournaments.engine.rules.gates import check_paid, refuse_after_deal
from tournaments.engine.state import Entrant


def rebuy(event: Event, command: c.Rebuy) -> None:
    """More chips in the middle of it, for one who has few."""
    entrant = _buyer(event, command.entrant)
    has = entrant.stack if command.stack is None or event.config.conduct == "online" else command.stack
    offered = check_rebuy(event, entrant, has, event.now)
    check_paid(event, command.paid)
    label, paid = labels.REBUY(name=entrant.name), command.paid
    event.emit(f.Rebought(entrant.number, paid, has, offered.chips, paid.bounty, at=event.now, label=label))


def sells_chips(event: Event) -> bool:
    """Whether a rebuy or an add-on may still add to the pool, now or later."""
    if event.sells_rebuys(event.now):
        return True
    structure, add_on = event.structure, event.config.add_on
    ahead = range(event.level(event.now), len(structure.levels))
    return add_on is not None and any(
        structure.levels[index].is_break and structure.break_number(index) == add_on.at_break for index in ahead
    )


def check_rebuy(event: Event, entrant: Entrant, has: int, now: int) -> RebuyTerms:
    """What is sold to the entrant at ``now``, who ``has`` so many chips; refuses where nothing is."""
    offered = event.config.rebuy
    if offered is None:
        raise IllegalCommand("no-rebuy", "This tournament is played without rebuys.", REBUYS)
    last = event.structure.index(offered.until_level)
    if event.level(now) > last:
        raise IllegalCommand("rebuy-closed", "Rebuys ended with {level}.", REBUYS, level=event.structure.name(last))
    if offered.most and entrant.rebuys >= offered.most:
        raise IllegalCommand(
            "rebuys-used", "{name} has had their {most} rebuys.", REBUYS, name=entrant.name, most=offered.most
        )
    if has > offered.at_most_stack:
        raise IllegalCommand(
            "stack-too-big",
            "{name} has {has} chips: rebuys are for {at_most_stack} or fewer.",
            REBUYS,
            name=entrant.name,
            has=has,
            at_most_stack=offered.at_most_stack,
        )
    if has < 0:
        raise IllegalCommand("stack", "Nobody has fewer than no chips.")
    return offered


def add_on(event: Event, command: c.AddOn) -> None:
    """More chips in the one break in which they are sold."""
    entrant = _buyer(event, command.entrant)
    offered = check_add_on(event, entrant, event.now)
    check_paid(event, command.paid)
    label, paid = labels.ADD_ON(name=entrant.name), command.paid
    event.emit(f.AddedOn(entrant.number, paid, offered.chips, paid.bounty, at=event.now, label=label))


def check_add_on(event: Event, entrant: Entrant, now: int) -> AddOnTerms:
    """What is sold to the entrant at ``now``; refuses where nothing is."""
    offered = event.config.add_on
    if offered is None:
        raise IllegalCommand("no-add-on", "This tournament is played without add-ons.")
    level = event.level(now)
    is_sold = event.structure.levels[level].is_break and event.structure.break_number(level) == offered.at_break
    if not is_sold:
        raise IllegalCommand("add-on-closed", "Add-ons are sold in break {number} only.", number=offered.at_break)
    if entrant.add_ons:
        raise IllegalCommand("add-on-used", "{name} has had their add-on.", name=entrant.name)
    return offered


def on_sale(event: Event, number: int, now: int) -> dict[str, int]:
    """The chips that entry ``number`` may buy at ``now``, by what they are: rebuy, add_on."""
    return {what: chips for what in ("rebuy", "add_on") if (chips := _sold(event, what, number, now))}


def _sold(event: Event, what: str, number: int, now: int) -> int:
    try:
        entrant = _buyer(event, number)
        if what == "rebuy":
            return check_rebuy(event, entrant, entrant.stack, now).chips
        return check_add_on(event, entrant, now).chips
    except IllegalCommand:
        return 0


def _buyer(event: Event, number: int) -> Entrant:
    entrant = event.playing(number)
    refuse_after_deal(event)
    if number in event.held:
        raise IllegalCommand("is-out", "{name} is out when this hand is over.", name=entrant.name)
    return entrant
