"""What stands before an entry: is it open, is it paid."""

from __future__ import annotations

from tournaments.engine.config import Paid
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.event import Event

LATE_ENTRY = "TDA 8"


def check_open(event: Event) -> None:
    """Refuse who comes too late, and say since when it is."""
    event.require("registering", "running")
    refuse_after_deal(event)
    if event.is_entry_open(event.now):
        return
    if event.entry_override is False:
        raise IllegalCommand("entry-closed", "The director has closed entry.", LATE_ENTRY)
    last = event.last_entry_level()
    if last is None:
        raise IllegalCommand("entry-closed", "Entry closed at the start.", LATE_ENTRY)
    name = event.structure.name(last)
    raise IllegalCommand("entry-closed", "Entry closed at the end of {level}.", LATE_ENTRY, level=name)


def refuse_after_deal(event: Event) -> None:
    if event.deal is not None:
        raise IllegalCommand("deal-made", "A deal was made: the field and the money stay as they are.")


def check_paid(event: Event, paid: Paid) -> None:
    if min(paid.pool, paid.fee, paid.bounty, paid.staff) < 0:
        raise IllegalCommand("price", "No part of a price is below 0.")
    if paid.bounty and event.config.bounty.kind == "none":
        raise IllegalCommand("price", "This tournament has no bounties: nothing can be paid for one.")
