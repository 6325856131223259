"""Chips that are bought while the event is played: rebuys and add-ons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import commands as c
from . import facts as f
from .config import AddOn, Rebuy
from .entering import check_paid, refuse_after_deal
from .entrant import Entrant
from .errors import IllegalAction

if TYPE_CHECKING:
    from .tournament import Tournament

REBUYS = "TDA 27"


def rebuy(event: Tournament, command: c.Rebuy) -> None:
    """More chips in the middle of it, for one who has few."""
    entrant = _playing(event, command.entrant)
    has = entrant.stack if command.stack is None or event.config.conduct == "online" else command.stack
    offered = check_rebuy(event, entrant, has, event.now)
    check_paid(event, command.paid)
    event.emit(
        f.Rebought(
            entrant.number,
            command.paid,
            has,
            offered.chips,
            command.paid.bounty,
            at=event.now,
            label=f"Rebuy of {entrant.name}",
        )
    )


def sells_chips(event: Tournament) -> bool:
    """Whether a rebuy or an add-on may still add to the pool, now or later."""
    structure, level = event.structure, event.level(event.now)
    rebuy, add_on = event.config.rebuy, event.config.add_on
    if rebuy is not None and level <= structure.index(rebuy.until_level):
        return True
    ahead = range(level, len(structure.levels))
    return add_on is not None and any(
        structure.levels[one].is_break and structure.break_number(one) == add_on.at_break for one in ahead
    )


def check_rebuy(event: Tournament, entrant: Entrant, has: int, now: int) -> Rebuy:
    """What is sold to the entrant at ``now``, who ``has`` so many chips; refuses where nothing is."""
    offered = event.config.rebuy
    if offered is None:
        raise IllegalAction("no-rebuy", "This event is played without rebuys.", REBUYS)
    last = event.structure.index(offered.until_level)
    if event.level(now) > last:
        raise IllegalAction("rebuy-closed", f"Rebuys ended with {event.structure.name(last)}.", REBUYS)
    if offered.most and entrant.rebuys >= offered.most:
        raise IllegalAction("rebuys-used", f"{entrant.name} has had their {offered.most} rebuys.", REBUYS)
    if has > offered.at_most_stack:
        raise IllegalAction(
            "stack-too-big", f"{entrant.name} has {has} chips: rebuys are for {offered.at_most_stack} or fewer.", REBUYS
        )
    if has < 0:
        raise IllegalAction("stack", "Nobody has fewer than no chips.")
    return offered


def add_on(event: Tournament, command: c.AddOn) -> None:
    """More chips in the one break in which they are sold."""
    entrant = _playing(event, command.entrant)
    offered = check_add_on(event, entrant, event.now)
    check_paid(event, command.paid)
    event.emit(
        f.AddedOn(
            entrant.number,
            command.paid,
            offered.chips,
            command.paid.bounty,
            at=event.now,
            label=f"Add-on of {entrant.name}",
        )
    )


def check_add_on(event: Tournament, entrant: Entrant, now: int) -> AddOn:
    """What is sold to the entrant at ``now``; refuses where nothing is."""
    offered = event.config.add_on
    if offered is None:
        raise IllegalAction("no-add-on", "This event is played without add-ons.")
    level = event.level(now)
    is_sold = event.structure.levels[level].is_break and event.structure.break_number(level) == offered.at_break
    if not is_sold:
        raise IllegalAction("add-on-closed", f"Add-ons are sold in break {offered.at_break} only.")
    if entrant.add_ons:
        raise IllegalAction("add-on-used", f"{entrant.name} has had their add-on.")
    return offered


def on_sale(event: Tournament, number: int, now: int) -> dict[str, int]:
    """The chips that entry ``number`` may buy at ``now``, by what they are: rebuy, add_on."""
    return {what: chips for what in ("rebuy", "add_on") if (chips := _sold(event, what, number, now))}


def _sold(event: Tournament, what: str, number: int, now: int) -> int:
    try:
        entrant = _playing(event, number)
        if what == "rebuy":
            return check_rebuy(event, entrant, entrant.stack, now).chips
        return check_add_on(event, entrant, now).chips
    except IllegalAction:
        return 0


def _playing(event: Tournament, number: int) -> Entrant:
    entrant = event.playing(number)
    refuse_after_deal(event)
    if number in event.held:
        raise IllegalAction("is-out", f"{entrant.name} is out when this hand is over.")
    return entrant
