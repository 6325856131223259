"""Hands, stacks, busts and penalties."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Command

PENALTIES = ("warning", "hands", "rounds", "disqualified")


@dataclass(frozen=True, slots=True)
class Bust(Command):
    """``busts``: (entrant, chips at the start of the hand), all of one hand at one table. ``by``: who won the chips."""

    busts: tuple[tuple[int, int], ...]
    table: int = 0
    hand: int = 0
    by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Revive(Command):
    """The bust was a mistake. ``stack`` None: what the player had. ``seed`` draws a seat where their own is taken."""

    entrant: int
    seed: int = 0
    stack: int | None = None


@dataclass(frozen=True, slots=True)
class Count(Command):
    entrant: int
    chips: int


@dataclass(frozen=True, slots=True)
class CountTable(Command):
    """``stacks``: (entrant, chips) of those at ``table`` whose stacks were counted."""

    table: int
    stacks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Chips(Command):
    """(entrant, chips) after a hand: the same chips in all, online. ``why``: what else it was."""

    stacks: tuple[tuple[int, int], ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class RaceChips(Command):
    """The chip race of ``table``: chips of ``leaving`` for chips of ``following``. ``stacks``: (seat, chips) of all
    who sit there, as counted; ``cards``: as ``chip_race.race`` has them."""

    table: int
    leaving: int
    following: int
    stacks: tuple[tuple[int, int], ...]
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandForHand(Command):
    on: bool


@dataclass(frozen=True, slots=True)
class HandDone(Command):
    """``table`` has finished its hand; ``stacks`` after it where they are known, ``busts`` and ``by`` as in
    ``Bust``."""

    table: int
    busts: tuple[tuple[int, int], ...] = ()
    by: tuple[int, ...] = ()
    stacks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Penalise(Command):
    """``kind``: one of ``PENALTIES``; ``count``: how many hands or rounds."""

    entrant: int
    kind: str
    count: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClockOn(Command):
    """Put the clock on a player."""

    entrant: int


@dataclass(frozen=True, slots=True)
class ClockOff(Command):
    """The player has acted."""

    entrant: int
