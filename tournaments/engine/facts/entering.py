"""Who came in, for what price, and who went before he was out."""

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
    """``player`` has entry number ``entrant``. ``stack``: the chips he starts with; ``bounty``: what is on his head.
    ``how``: desk, web, ticket, flight, late or api. ``re_entry_of``: his entry before this one, or 0."""

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
    """The event is full: he waits, and counts as an entry only when he is let in."""

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
    """As if he had never entered. ``why``: withdrew, no-show or refund. ``chips`` left play with him."""

    entrant: int
    why: str
    chips: int


@named("identified")
@dataclass(frozen=True, slots=True)
class Identified(Fact):
    """Whoever was taken for ``was`` in every entry of his, ``entrant`` among them, is ``player``."""

    entrant: int
    was: int
    player: int


@named("rebought")
@dataclass(frozen=True, slots=True)
class Rebought(Fact):
    """``chips`` were added to the ``before`` that he had, and ``bounty`` to what is on his head."""

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
