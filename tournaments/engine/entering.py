"""Who may come in, who somebody is, and who may take their entry back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import commands as c
from . import config as terms
from . import facts as f
from . import payouts
from .config import EventConfig, Paid
from .entrant import Entrant
from .errors import IllegalAction

if TYPE_CHECKING:
    from .tournament import Tournament

LATE_ENTRY = "TDA 8"


# -- terms -----------------------------------------------------------------------------------------------------------


def announce(event: Tournament, config: EventConfig, now: int) -> None:
    """The first fact."""
    terms.check(config)
    payouts.check(config.payout)
    event.emit(f.Announced(config, at=now, label="Announced"))


def change_terms(event: Tournament, command: c.ChangeTerms) -> None:
    """Until the start; what entrants have paid for stays theirs."""
    event.require("registering")
    terms.check(command.config)
    payouts.check(command.config.payout)
    for name in ("starting_stack", "format", "bounty"):
        if event.entrants and getattr(command.config, name) != getattr(event.config, name):
            raise IllegalAction(
                "terms-fixed", f"People have entered already: the {name.replace('_', ' ')} stays as it was announced."
            )
    if event.tables and command.config.seats != event.config.seats:
        raise IllegalAction("terms-fixed", "The seats are drawn already: a table keeps as many as it has.")
    event.emit(f.TermsChanged(command.config, at=event.now, label="Terms changed"))


def keep_open(event: Tournament, command: c.KeepEntryOpen) -> None:
    """The director's word on the window, either way."""
    event.require("registering", "running")
    refuse_after_deal(event)
    if event.entry_override is command.on:
        raise IllegalAction("nothing-to-do", "Entry is so already.")
    label = {True: "Entry kept open", False: "Entry closed", None: "Entry by the terms again"}[command.on]
    event.emit(f.EntryKept(command.on, at=event.now, label=label))
    admit_alternates(event)


# -- entries ---------------------------------------------------------------------------------------------------------


def register(event: Tournament, command: c.Register) -> None:
    """A first entry; where the event is full, a place among the alternates."""
    check_open(event)
    earlier = event.players.get(command.player)
    if earlier is not None:
        _refuse_second(event.entrants[earlier])
    if not command.name.strip():
        raise IllegalAction("no-name", "An entry needs a name.")
    if command.how not in c.WAYS_IN:
        raise IllegalAction("unknown-way", f"Nobody enters by {command.how!r}: {', '.join(c.WAYS_IN)}.")
    stack = event.config.starting_stack if command.stack is None else command.stack
    if stack < 1:
        raise IllegalAction("stack", "Nobody starts with less than one chip.")
    _enter(event, command.player, command.name, command.paid, stack, command.how)


def re_enter(event: Tournament, command: c.ReEnter) -> None:
    """Once more, with a new stack, for one who is out."""
    out = event.entrant(command.entrant)
    event.require("running")
    check_open(event)
    latest = event.entrants[event.players[out.player]] if out.player in event.players else out
    if latest.status in ("in", "alternate"):
        _refuse_second(latest)
    if out.status != "out" or latest is not out:
        raise IllegalAction(
            "not-out", f"Re-entry is for who is out; {out.name}'s entry {out.number} is not their last."
        )
    if out.is_disqualified:
        raise IllegalAction("disqualified", f"{out.name} was disqualified and cannot enter again.", "TDA 71")
    if re_entries_of(event, out) >= event.config.re_entries:
        allowed = event.config.re_entries
        raise IllegalAction(
            "no-re-entry",
            f"{out.name} has had their {allowed} re-entries." if allowed else "This event is played without re-entry.",
        )
    if event.left <= event.places_paid():
        raise IllegalAction("entry-closed", "Re-entry is over: all who are left are in the money.", LATE_ENTRY)
    stack = event.config.re_entry_stack or event.config.starting_stack
    _enter(event, out.player, out.name, command.paid, stack, command.how, out.number)


def re_entries_of(event: Tournament, entrant: Entrant) -> int:
    """How many entries the player made before this one."""
    count = 0
    while entrant.re_entry_of:
        entrant = event.entrants[entrant.re_entry_of]
        count += 1
    return count


def _enter(event: Tournament, player: int, name: str, paid: Paid, stack: int, how: str, re_entry_of: int = 0) -> None:
    check_paid(event, paid)
    number = len(event.entrants) + 1
    most = event.config.max_entrants
    if most and (event.left >= most or event.alternates):
        event.emit(
            f.EnteredAsAlternate(
                number, player, name, paid, stack, how, paid.bounty, re_entry_of, at=event.now, label=f"{name} waits"
            )
        )
        admit_alternates(event)
        return
    label = f"Re-entry of {name}" if re_entry_of else f"Entry of {name}"
    event.emit(f.Entered(number, player, name, paid, stack, how, paid.bounty, re_entry_of, at=event.now, label=label))


def identify(event: Tournament, command: c.Identify) -> None:
    """Who somebody is whom the desk took in by a name: their entries, their number and their prizes are that
    player's."""
    entrant = event.entrant(command.entrant)
    event.require("registering", "running", "finished")
    if command.player == entrant.player:
        raise IllegalAction("nothing-to-do", f"{entrant.name} is that player already.")
    theirs = (one for one in event.entrants.values() if one.player == command.player and one.status != "withdrawn")
    other = next(theirs, None)
    if other is not None:
        raise IllegalAction(
            "entered-twice",
            f"That player is in this event with entry {other.number}, beside entry {entrant.number}: one of the two is "
            "somebody else's, or has to be taken off.",
        )
    fact = f.Identified(entrant.number, entrant.player, command.player, at=event.now, label=f"{entrant.name} is known")
    event.emit(fact)


def _refuse_second(earlier: Entrant) -> None:
    if earlier.status in ("in", "alternate"):
        raise IllegalAction("entered-twice", f"{earlier.name} is entered already, as number {earlier.number}.")
    raise IllegalAction("was-in", f"{earlier.name} was in and is out: they can only re-enter.")


def unregister(event: Tournament, command: c.Unregister) -> None:
    """As if the player had never entered."""
    entrant = event.entrant(command.entrant)
    event.require("registering", "running")
    if command.why not in c.WAYS_OUT:
        raise IllegalAction("unknown-way", f"Nobody leaves by {command.why!r}: {', '.join(c.WAYS_OUT)}.")
    if entrant.status not in ("in", "alternate"):
        raise IllegalAction("not-in", f"{entrant.name} is not in: there is nothing to take back.")
    if event.phase == "running" and entrant.is_in:
        if command.why != "no-show":
            raise IllegalAction("too-late", "Cards are in the air: only who never came can be taken off, as a no-show.")
        refuse_after_deal(event)
        has_won = bool(entrant.bounties_won) or entrant.bounty != entrant.paid.bounty
        wins_now = any(entrant.number in winners for _, _, winners in event.held.values())
        has_played = has_won or wins_now or entrant.number in event.held
        if event.left < 2 or has_played:
            raise IllegalAction("too-late", f"{entrant.name} plays: they cannot be a no-show.")
    chips = min(entrant.stack, event.chips) if entrant.is_in else 0
    label = f"{entrant.name} is a no-show" if command.why == "no-show" else f"{entrant.name} withdraws"
    opened = [(entrant.table, entrant.seat)] if entrant.table else []
    event.emit(f.Withdrew(entrant.number, command.why, chips, at=event.now, label=label))
    event.settle(opened)


def admit_alternates(event: Tournament, opened: list[tuple[int, int]] | None = None) -> None:
    """Whoever waits longest comes in as long as there is room, and takes a seat that has just ``opened``."""
    most = event.config.max_entrants
    seats = list(opened or [])
    while event.alternates and event.left < most and event.is_entry_open(event.now):
        number = next(iter(event.alternates))
        event.emit(f.AlternateAdmitted(number, at=event.now))
        if seats and number not in event.reserved:
            table, seat = seats.pop(0)
            event.emit(f.Seated(number, table, seat, 0, at=event.now))


# -- gates -----------------------------------------------------------------------------------------------------------


def check_open(event: Tournament) -> None:
    """Refuse who comes too late, and say since when it is."""
    event.require("registering", "running")
    refuse_after_deal(event)
    if event.is_entry_open(event.now):
        return
    if event.entry_override is False:
        raise IllegalAction("entry-closed", "The director has closed entry.", LATE_ENTRY)
    last = event.last_entry_level()
    when = f"at the end of {event.structure.name(last)}" if last is not None else "at the start"
    raise IllegalAction("entry-closed", f"Entry closed {when}.", LATE_ENTRY)


def refuse_after_deal(event: Tournament) -> None:
    if event.deal is not None:
        raise IllegalAction("deal-made", "A deal was made: the field and the money stay as they are.")


def check_paid(event: Tournament, paid: Paid) -> None:
    if min(paid.pool, paid.fee, paid.bounty, paid.staff) < 0:
        raise IllegalAction("price", "No part of a price is below 0.")
    if paid.bounty and event.config.bounty.kind == "none":
        raise IllegalAction("price", "This event has no bounties: nothing can be paid for one.")
