"""The terms of an event, announced and changed."""

from __future__ import annotations

from tournaments.engine import commands as c
from tournaments.engine import config as terms
from tournaments.engine import facts as f
from tournaments.engine import labels
from tournaments.engine.config import EventConfig
from tournaments.engine.errors import EventSentence, IllegalCommand
from tournaments.engine.event import Event
from tournaments.engine.prizes import payouts
from tournaments.engine.rules.entering import admit_alternates
from tournaments.engine.rules.gates import refuse_after_deal


def announce(event: Event, config: EventConfig, now: int) -> None:
    """The first fact."""
    terms.check(config)
    payouts.check(config.payout)
    event.emit(f.EventAnnounced(config, at=now, label=labels.ANNOUNCED()))


#: What stays as it was once somebody has entered.
_FIXED = {
    "starting_stack": EventSentence("starting stack"),
    "format": EventSentence("format"),
    "bounty": EventSentence("bounty"),
}


def change_terms(event: Event, command: c.ChangeTerms) -> None:
    """Until the start; what entrants have paid for stays theirs."""
    event.require("registering")
    terms.check(command.config)
    payouts.check(command.config.payout)
    for name, field_label in _FIXED.items():
        if event.entrants and getattr(command.config, name) != getattr(event.config, name):
            raise IllegalCommand(
                "terms-fixed", "People have entered already: the {what} stays as it was announced.", what=field_label
            )
    if event.tables and command.config.seats != event.config.seats:
        raise IllegalCommand("terms-fixed", "The seats are drawn already: a table keeps as many as it has.")
    event.emit(f.TermsChanged(command.config, at=event.now, label=labels.TERMS_CHANGED()))


def keep_open(event: Event, command: c.KeepEntryOpen) -> None:
    """The director's word on the window, either way."""
    event.require("registering", "running")
    refuse_after_deal(event)
    if event.entry_override is command.on:
        raise IllegalCommand("nothing-to-do", "Entry is so already.")
    event.emit(f.EntryKept(command.on, at=event.now, label=labels.ENTRY_KEPT[command.on]()))
    admit_alternates(event)
