"""Payouts, deals, the end, and what is taken back."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Command


@dataclass(frozen=True, slots=True)
class LockPayouts(Command):
    """Announce the prizes."""


@dataclass(frozen=True, slots=True)
class Agree(Command):
    """A deal that everybody left has accepted: (entrant, money), and ``play_for`` more for the winner."""

    deal: str
    amounts: tuple[tuple[int, int], ...]
    play_for: int = 0


@dataclass(frozen=True, slots=True)
class Finish(Command):
    """Play no further after a deal that left nothing to play for."""


@dataclass(frozen=True, slots=True)
class CloseFlight(Command):
    """Stop with several left: their stacks go on to the next day."""


@dataclass(frozen=True, slots=True)
class Cancel(Command):
    reason: str


@dataclass(frozen=True, slots=True)
class MarkPaid(Command):
    """The prizes were paid out."""


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """Take back the last action that can be."""


@dataclass(frozen=True, slots=True)
class Redo(Command):
    """Do again what was undone last."""
