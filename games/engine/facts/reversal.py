"""A mistaken entry is taken back."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Fact, Sees, named


@named("entry-reversed", Sees.ALL)
@dataclass(frozen=True, slots=True)
class EntryReversed(Fact):
    """What was entered after fact ``upto`` was a mistake: the hand is again what facts 1 to ``upto`` made it.

    Nothing is deleted and the numbering goes on. ``reason``: what whoever took it back says of it, maybe nothing."""

    upto: int
    reason: str
