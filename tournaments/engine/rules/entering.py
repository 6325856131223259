"""Who may come in, who somebody is, what chips they may buy on the way, and who may take their entry back."""

from __future__ import annotations

from tournaments.engine import commands as c
from tournaments.engine import config as terms
from tournaments.engine import facts as f
from tournaments.engine import labels
from tournaments.engine.config import AddOn, EventConfig, Paid, Rebuy
from tournaments.engine.errors import IllegalAction, Said
from tournaments.engine.event import Event, Opened
from tournaments.engine.prizes import payouts
from tournaments.engine.state import Entrant

LATE_ENTRY = "TDA 8"
REBUYS = "TDA 27"


# -- terms -----------------------------------------------------------------------------------------------------------


def announce(event: Event, config: EventConfig, now: int) -> None:
    """The first fact."""
    terms.check(config)
    payouts.check(config.payout)
    event.emit(f.Announced(config, at=now, label=labels.ANNOUNCED()))


#: What stays as it was once somebody has entered.
_FIXED = {"starting_stack": Said("starting stack"), "format": Said("format"), "bounty": Said("bounty")}


def change_terms(event: Event, command: c.ChangeTerms) -> None:
    """Until the start; what entrants have paid for stays theirs."""
    event.require("registering")
    terms.check(command.config)
    payouts.check(command.config.payout)
    for name, said in _FIXED.items():
        if event.entrants and getattr(command.config, name) != getattr(event.config, name):
            raise IllegalAction(
                "terms-fixed", "People have entered already: the {what} stays as it was announced.", what=said
            )
    if event.tables and command.config.seats != event.config.seats:
        raise IllegalAction("terms-fixed", "The seats are drawn already: a table keeps as many as it has.")
    event.emit(f.TermsChanged(command.config, at=event.now, label=labels.TERMS_CHANGED()))


def keep_open(event: Event, command: c.KeepEntryOpen) -> None:
    """The director's word on the window, either way."""
    event.require("registering", "running")
    refuse_after_deal(event)
    if event.entry_override is command.on:
        raise IllegalAction("nothing-to-do", "Entry is so already.")
    event.emit(f.EntryKept(command.on, at=event.now, label=labels.ENTRY_KEPT[command.on]()))
    admit_alternates(event)


# -- entries ---------------------------------------------------------------------------------------------------------


def register(event: Event, command: c.Register) -> None:
    """A first entry; where the event is full, a place among the alternates."""
    check_open(event)
    earlier = event.players.get(command.player)
    if earlier is not None:
        _refuse_second(event.entrants[earlier])
    if not command.name.strip():
        raise IllegalAction("no-name", "An entry needs a name.")
    if command.how not in c.WAYS_IN:
        raise IllegalAction(
            "unknown-way", "Nobody enters by {how!r}: {choices}.", how=command.how, choices=", ".join(c.WAYS_IN)
        )
    stack = event.config.starting_stack if command.stack is None else command.stack
    if stack < 1:
        raise IllegalAction("stack", "Nobody starts with less than one chip.")
    _enter(event, command.player, command.name, command.paid, stack, command.how)


def re_enter(event: Event, command: c.ReEnter) -> None:
    """Once more, with a new stack, for one who is out."""
    out = event.entrant(command.entrant)
    event.require("running")
    check_open(event)
    latest = event.entrants[event.players[out.player]] if out.player in event.players else out
    if latest.status in ("in", "alternate"):
        _refuse_second(latest)
    if out.status != "out" or latest is not out:
        raise IllegalAction(
            "not-out",
            "Re-entry is for who is out; {name}'s entry {number} is not their last.",
            name=out.name,
            number=out.number,
        )
    if out.is_disqualified:
        raise IllegalAction("disqualified", "{name} was disqualified and cannot enter again.", "TDA 71", name=out.name)
    if re_entries_of(event, out) >= event.config.re_entries:
        allowed = event.config.re_entries
        message = (
            Said("{name} has had their {allowed} re-entries.", name=out.name, allowed=allowed)
            if allowed
            else Said("This tournament is played without re-entry.")
        )
        raise IllegalAction("no-re-entry", message)
    if event.left <= event.places_paid():
        raise IllegalAction("entry-closed", "Re-entry is over: all who are left are in the money.", LATE_ENTRY)
    stack = event.config.re_entry_stack or event.config.starting_stack
    _enter(event, out.player, out.name, command.paid, stack, command.how, out.number)


def re_entries_of(event: Event, entrant: Entrant) -> int:
    """How many entries the player made before this one."""
    count = 0
    while entrant.re_entry_of:
        entrant = event.entrants[entrant.re_entry_of]
        count += 1
    return count


def _enter(event: Event, player: int, name: str, paid: Paid, stack: int, how: str, re_entry_of: int = 0) -> None:
    check_paid(event, paid)
    number = len(event.entrants) + 1
    most = event.config.max_entrants
    if most and (event.left >= most or event.alternates):
        event.emit(
            f.EnteredAsAlternate(
                *(number, player, name, paid, stack, how, paid.bounty, re_entry_of),
                at=event.now,
                label=labels.WAITS(name=name),
            )
        )
        admit_alternates(event)
        return
    label = labels.RE_ENTRY(name=name) if re_entry_of else labels.ENTRY(name=name)
    event.emit(f.Entered(number, player, name, paid, stack, how, paid.bounty, re_entry_of, at=event.now, label=label))


def identify(event: Event, command: c.Identify) -> None:
    """Who somebody is whom the desk took in by a name: their entries, their number and their prizes are that
    player's."""
    entrant = event.entrant(command.entrant)
    event.require("registering", "running", "finished")
    if command.player == entrant.player:
        raise IllegalAction("nothing-to-do", "{name} is that player already.", name=entrant.name)
    theirs = (one for one in event.entrants.values() if one.player == command.player and one.status != "withdrawn")
    other = next(theirs, None)
    if other is not None:
        raise IllegalAction(
            "entered-twice",
            "That player is in this tournament with entry {other}, beside entry {number}: one of the two "
            "is somebody else's, or has to be taken off.",
            other=other.number,
            number=entrant.number,
        )
    label = labels.IDENTIFIED(name=entrant.name)
    event.emit(f.Identified(entrant.number, entrant.player, command.player, at=event.now, label=label))


def _refuse_second(earlier: Entrant) -> None:
    if earlier.status in ("in", "alternate"):
        raise IllegalAction(
            "entered-twice", "{name} is entered already, as number {number}.", name=earlier.name, number=earlier.number
        )
    raise IllegalAction("was-in", "{name} was in and is out: they can only re-enter.", name=earlier.name)


def unregister(event: Event, command: c.Unregister) -> Opened:
    """As if the player had never entered."""
    entrant = event.entrant(command.entrant)
    # Who waits for a seat in vain gets their money back, also where the event ended before they were told.
    event.require("registering", "running", *(["finished"] if entrant.status == "alternate" else []))
    if command.why not in c.WAYS_OUT:
        raise IllegalAction(
            "unknown-way", "Nobody leaves by {why!r}: {choices}.", why=command.why, choices=", ".join(c.WAYS_OUT)
        )
    if entrant.status not in ("in", "alternate"):
        raise IllegalAction("not-in", "{name} is not in: there is nothing to take back.", name=entrant.name)
    if event.phase == "running" and entrant.is_in:
        if command.why != "no-show":
            raise IllegalAction("too-late", "Cards are in the air: only who never came can be taken off, as a no-show.")
        refuse_after_deal(event)
        has_won = bool(entrant.bounties_won) or entrant.bounty != entrant.paid.bounty
        wins_now = any(entrant.number in winners for _, _, winners in event.held.values())
        has_played = has_won or wins_now or entrant.number in event.held
        if event.left < 2 or has_played:
            raise IllegalAction("too-late", "{name} plays: they cannot be a no-show.", name=entrant.name)
    chips = min(entrant.stack, event.chips) if entrant.is_in else 0
    label = (labels.NO_SHOW if command.why == "no-show" else labels.WITHDRAWS)(name=entrant.name)
    opened = [(entrant.table, entrant.seat)] if entrant.table else []
    event.emit(f.Withdrew(entrant.number, command.why, chips, at=event.now, label=label))
    return opened


def admit_alternates(event: Event, opened: list[tuple[int, int]] | None = None) -> None:
    """Whoever waits longest comes in as long as there is room, and takes a seat that has just ``opened``."""
    most = event.config.max_entrants
    seats = list(opened or [])
    while event.alternates and event.left < most and event.is_entry_open(event.now):
        number = next(iter(event.alternates))
        event.emit(f.AlternateAdmitted(number, at=event.now))
        if seats and number not in event.reserved:
            table, seat = seats.pop(0)
            event.emit(f.Seated(number, table, seat, 0, at=event.now))


# -- chips that are bought while the event is played -------------------------------------------------------------------


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
        structure.levels[one].is_break and structure.break_number(one) == add_on.at_break for one in ahead
    )


def check_rebuy(event: Event, entrant: Entrant, has: int, now: int) -> Rebuy:
    """What is sold to the entrant at ``now``, who ``has`` so many chips; refuses where nothing is."""
    offered = event.config.rebuy
    if offered is None:
        raise IllegalAction("no-rebuy", "This tournament is played without rebuys.", REBUYS)
    last = event.structure.index(offered.until_level)
    if event.level(now) > last:
        raise IllegalAction("rebuy-closed", "Rebuys ended with {level}.", REBUYS, level=event.structure.name(last))
    if offered.most and entrant.rebuys >= offered.most:
        raise IllegalAction(
            "rebuys-used", "{name} has had their {most} rebuys.", REBUYS, name=entrant.name, most=offered.most
        )
    if has > offered.at_most_stack:
        raise IllegalAction(
            "stack-too-big",
            "{name} has {has} chips: rebuys are for {at_most_stack} or fewer.",
            REBUYS,
            name=entrant.name,
            has=has,
            at_most_stack=offered.at_most_stack,
        )
    if has < 0:
        raise IllegalAction("stack", "Nobody has fewer than no chips.")
    return offered


def add_on(event: Event, command: c.AddOn) -> None:
    """More chips in the one break in which they are sold."""
    entrant = _buyer(event, command.entrant)
    offered = check_add_on(event, entrant, event.now)
    check_paid(event, command.paid)
    label, paid = labels.ADD_ON(name=entrant.name), command.paid
    event.emit(f.AddedOn(entrant.number, paid, offered.chips, paid.bounty, at=event.now, label=label))


def check_add_on(event: Event, entrant: Entrant, now: int) -> AddOn:
    """What is sold to the entrant at ``now``; refuses where nothing is."""
    offered = event.config.add_on
    if offered is None:
        raise IllegalAction("no-add-on", "This tournament is played without add-ons.")
    level = event.level(now)
    is_sold = event.structure.levels[level].is_break and event.structure.break_number(level) == offered.at_break
    if not is_sold:
        raise IllegalAction("add-on-closed", "Add-ons are sold in break {number} only.", number=offered.at_break)
    if entrant.add_ons:
        raise IllegalAction("add-on-used", "{name} has had their add-on.", name=entrant.name)
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
    except IllegalAction:
        return 0


def _buyer(event: Event, number: int) -> Entrant:
    entrant = event.playing(number)
    refuse_after_deal(event)
    if number in event.held:
        raise IllegalAction("is-out", "{name} is out when this hand is over.", name=entrant.name)
    return entrant


# -- gates -----------------------------------------------------------------------------------------------------------


def check_open(event: Event) -> None:
    """Refuse who comes too late, and say since when it is."""
    event.require("registering", "running")
    refuse_after_deal(event)
    if event.is_entry_open(event.now):
        return
    if event.entry_override is False:
        raise IllegalAction("entry-closed", "The director has closed entry.", LATE_ENTRY)
    last = event.last_entry_level()
    if last is None:
        raise IllegalAction("entry-closed", "Entry closed at the start.", LATE_ENTRY)
    name = event.structure.name(last)
    raise IllegalAction("entry-closed", "Entry closed at the end of {level}.", LATE_ENTRY, level=name)


def refuse_after_deal(event: Event) -> None:
    if event.deal is not None:
        raise IllegalAction("deal-made", "A deal was made: the field and the money stay as they are.")


def check_paid(event: Event, paid: Paid) -> None:
    if min(paid.pool, paid.fee, paid.bounty, paid.staff) < 0:
        raise IllegalAction("price", "No part of a price is below 0.")
    if paid.bounty and event.config.bounty.kind == "none":
        raise IllegalAction("price", "This tournament has no bounties: nothing can be paid for one.")
