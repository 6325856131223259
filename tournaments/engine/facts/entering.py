"""Who came in, for what price, and who went before they were out."""

from __future__ import annotations

from dataclasses import dataclass

from ..config import EventConfig, Paid
from .base import Fact, named


@named("announced")
@dataclass(frozen=True, slots=True)
class Announced(Fact):
    """The event and its terms; the first fact of every tournament."""

    config: EventConfig


@named("terms-changed")
@dataclass(frozen=True, slots=True)
class TermsChanged(Fact):
    """Other terms, before the start."""

    config: EventConfig


@named("entered")
@dataclass(frozen=True, slots=True)
class Entered(Fact):
    """``player`` has entry number ``entrant``. ``stack``: the chips to start with; ``bounty``: what is on their head.
    ``how``: desk, web, ticket, flight, late or api. ``re_entry_of``: their entry before this one, or 0."""

    entrant: int
    player: int
    name: str
    paid: Paid
    stack: int
    how: str
    bounty: int = 0
    re_entry_of: int = 0


@named("entered-as-alternate")
@dataclass(frozen=True, slots=True)
class EnteredAsAlternate(Fact):
    """The event is full: the player waits, and counts as an entry only when let in."""

    entrant: int
    player: int
    name: str
    paid: Paid
    stack: int
    how: str
    bounty: int = 0
    re_entry_of: int = 0


@named("alternate-admitted")
@dataclass(frozen=True, slots=True)
class AlternateAdmitted(Fact):
    """There is room now: the alternate is in."""

    entrant: int


@named("withdrew")
@dataclass(frozen=True, slots=True)
class Withdrew(Fact):
    """As if the player had never entered. ``why``: withdrew, no-show or refund. ``chips`` left play with them."""

    entrant: int
    why: str
    chips: int


@named("identified")
@dataclass(frozen=True, slots=True)
class Identified(Fact):
    """Whoever was taken for ``was`` in every entry of theirs, ``entrant`` among them, is ``player``."""

    entrant: int
    was: int
    player: int


@named("rebought")
@dataclass(frozen=True, slots=True)
class Rebought(Fact):
    """``chips`` were added to the ``before`` that the player had, and ``bounty`` to what is on their head."""

    entrant: int
    paid: Paid
    before: int
    chips: int
    bounty: int = 0


@named("added-on")
@dataclass(frozen=True, slots=True)
class AddedOn(Fact):
    entrant: int
    paid: Paid
    chips: int
    bounty: int = 0


@named("entry-kept")
@dataclass(frozen=True, slots=True)
class EntryKept(Fact):
    """The director keeps entry open, or closed, whatever the level; None: by the terms again."""

    is_open: bool | None
