"""Who may come in, who somebody is, what chips they may buy on the way, and who may take their entry back."""

from __future__ import annotations

from tournaments.engine import commands as c
from tournaments.engine import facts as f
from tournaments.engine import labels
from tournaments.engine.config import Paid
from tournaments.engine.errors import EventSentence, IllegalCommand
from tournaments.engine.event import Event, Opened
from tournaments.engine.rules.gates import LATE_ENTRY, check_open, check_paid, refuse_after_deal
from tournaments.engine.state import Entrant

REBUYS = "TDA 27"


def register(event: Event, command: c.Register) -> None:
    """A first entry; where the event is full, a place among the alternates."""
    check_open(event)
    earlier = event.players.get(command.player)
    if earlier is not None:
        _refuse_second(event.entrants[earlier])
    if not command.name.strip():
        raise IllegalCommand("no-name", "An entry needs a name.")
    if command.how not in c.WAYS_IN:
        raise IllegalCommand(
            "unknown-way", "Nobody enters by {how!r}: {choices}.", how=command.how, choices=", ".join(c.WAYS_IN)
        )
    stack = event.config.starting_stack if command.stack is None else command.stack
    if stack < 1:
        raise IllegalCommand("stack", "Nobody starts with less than one chip.")
    _enter(event, command.player, command.name, command.paid, stack, command.how)


def re_enter(event: Event, command: c.ReEnter) -> None:
    """Enter a player who is out once more, with a new stack."""
    out = event.entrant(command.entrant)
    event.require("running")
    check_open(event)
    latest = event.entrants[event.players[out.player]] if out.player in event.players else out
    if latest.status in ("in", "alternate"):
        _refuse_second(latest)
    if out.status != "out" or latest is not out:
        raise IllegalCommand(
            "not-out",
            "Re-entry is for who is out; {name}'s entry {number} is not their last.",
            name=out.name,
            number=out.number,
        )
    if out.is_disqualified:
        raise IllegalCommand("disqualified", "{name} was disqualified and cannot enter again.", "TDA 71", name=out.name)
    if re_entries_of(event, out) >= event.config.re_entries:
        allowed = event.config.re_entries
        message = (
            EventSentence("{name} has had their {allowed} re-entries.", name=out.name, allowed=allowed)
            if allowed
            else EventSentence("This tournament is played without re-entry.")
        )
        raise IllegalCommand("no-re-entry", message)
    if event.left <= event.places_paid():
        raise IllegalCommand("entry-closed", "Re-entry is over: all who are left are in the money.", LATE_ENTRY)
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
        raise IllegalCommand("nothing-to-do", "{name} is that player already.", name=entrant.name)
    entries_of_player = (
        entry for entry in event.entrants.values() if entry.player == command.player and entry.status != "withdrawn"
    )
    other = next(entries_of_player, None)
    if other is not None:
        raise IllegalCommand(
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
        raise IllegalCommand(
            "entered-twice", "{name} is entered already, as number {number}.", name=earlier.name, number=earlier.number
        )
    raise IllegalCommand("was-in", "{name} was in and is out: they can only re-enter.", name=earlier.name)


def unregister(event: Event, command: c.Unregister) -> Opened:
    """Take the player off, as if they had never entered."""
    entrant = event.entrant(command.entrant)
    # Who waits for a seat in vain gets their money back, also where the event ended before they were told.
    event.require("registering", "running", *(["finished"] if entrant.status == "alternate" else []))
    if command.why not in c.WAYS_OUT:
        raise IllegalCommand(
            "unknown-way", "Nobody leaves by {why!r}: {choices}.", why=command.why, choices=", ".join(c.WAYS_OUT)
        )
    if entrant.status not in ("in", "alternate"):
        raise IllegalCommand("not-in", "{name} is not in: there is nothing to take back.", name=entrant.name)
    if event.phase == "running" and entrant.is_in:
        if command.why != "no-show":
            raise IllegalCommand(
                "too-late", "Cards are in the air: only who never came can be taken off, as a no-show."
            )
        refuse_after_deal(event)
        has_won = bool(entrant.bounties_won) or entrant.bounty != entrant.paid.bounty
        wins_now = any(entrant.number in winners for _, _, winners in event.held.values())
        has_played = has_won or wins_now or entrant.number in event.held
        if event.left < 2 or has_played:
            raise IllegalCommand("too-late", "{name} plays: they cannot be a no-show.", name=entrant.name)
    chips = min(entrant.stack, event.chips) if entrant.is_in else 0
    label = (labels.NO_SHOW if command.why == "no-show" else labels.WITHDRAWS)(name=entrant.name)
    opened = [(entrant.table, entrant.seat)] if entrant.table else []
    event.emit(f.Withdrew(entrant.number, command.why, chips, at=event.now, label=label))
    return opened


def admit_alternates(event: Event, opened: list[tuple[int, int]] | None = None) -> None:
    """The alternates who wait longest come in as long as there is room, into the seats that have just ``opened``."""
    most = event.config.max_entrants
    seats = list(opened or [])
    while event.alternates and event.left < most and event.is_entry_open(event.now):
        number = next(iter(event.alternates))
        event.emit(f.AlternateAdmitted(number, at=event.now))
        if seats and number not in event.reserved:
            table, seat = seats.pop(0)
            event.emit(f.Seated(number, table, seat, 0, at=event.now))
