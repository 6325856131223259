"""Entries, and what they add."""

from __future__ import annotations

from dataclasses import dataclass

from ..config import FREE, EventConfig, Paid, PayoutTerms
from .base import Command

WAYS_IN = ("desk", "web", "ticket", "flight", "late", "api")
WAYS_OUT = ("withdrew", "no-show", "refund")


@dataclass(frozen=True, slots=True)
class ChangeTerms(Command):
    """Other terms, before the start."""

    config: EventConfig


@dataclass(frozen=True, slots=True)
class ChangePayout(Command):
    """Other terms of the payout, as long as nobody has agreed on it."""

    payout: PayoutTerms


@dataclass(frozen=True, slots=True)
class Register(Command):
    """``stack`` None: the starting stack. ``how``: one of ``WAYS_IN``."""

    player: int
    name: str
    paid: Paid = FREE
    stack: int | None = None
    how: str = "desk"


@dataclass(frozen=True, slots=True)
class Unregister(Command):
    """``why``: one of ``WAYS_OUT``. Once cards are in the air only who never came (``no-show``) can be taken off."""

    entrant: int
    why: str = "withdrew"


@dataclass(frozen=True, slots=True)
class ReEnter(Command):
    """The player of ``entrant``, who is out, enters once more."""

    entrant: int
    paid: Paid = FREE
    how: str = "late"


@dataclass(frozen=True, slots=True)
class Identify(Command):
    """Whoever made this entry, and all that go before and after it, is ``player``: a guest who turns out to be a
    member."""

    entrant: int
    player: int


@dataclass(frozen=True, slots=True)
class Rebuy(Command):
    """``stack``: what the player has now, where the event has not followed their chips (None: what it has). Online it
    always has."""

    entrant: int
    paid: Paid = FREE
    stack: int | None = None


@dataclass(frozen=True, slots=True)
class AddOn(Command):
    entrant: int
    paid: Paid = FREE


@dataclass(frozen=True, slots=True)
class KeepEntryOpen(Command):
    """Open or closed whatever the level; None: by the terms again."""

    on: bool | None
