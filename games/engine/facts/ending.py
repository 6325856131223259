"""The showdown and the pots."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Cards, Fact, Sees, named


@named("showdown-opened", Sees.ALL)
@dataclass(frozen=True, slots=True)
class ShowdownOpened(Fact):
    """The seats in the order in which they must show."""

    order: tuple[int, ...]


@named("show-due", Sees.ALL)
@dataclass(frozen=True, slots=True)
class ShowDue(Fact):
    """``seat`` must show next, or muck where it ``may_muck`` (where hands are shown by their owners)."""

    seat: int
    may_muck: bool = True


@named("hand-tabled", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandTabled(Fact):
    """All the betting is over before the last card: the hand is turned up while the rest is dealt."""

    seat: int
    cards: Cards


@named("hand-shown", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandShown(Fact):
    """The hand at the showdown: all its cards, the five that play, and what they make."""

    seat: int
    cards: Cards
    five: Cards
    words: str
    low_five: Cards
    low_words: str


@named("hand-mucked", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandMucked(Fact):
    """Thrown away unseen at the showdown; the cards stay hidden for good."""

    seat: int


@named("drop-taken", Sees.ALL)
@dataclass(frozen=True, slots=True)
class DropTaken(Fact):
    """What the house took before the pots were awarded: ``rake``, ``promo`` and ``jackpot``, and what each pot gave of
    all three, main pot first. ``why``: no-call, where the hand is free of it."""

    rake: int
    promo: int
    jackpot: int
    pots: tuple[int, ...]
    why: str = ""

    @property
    def total(self) -> int:
        return self.rake + self.promo + self.jackpot


@named("pot-awarded", Sees.ALL)
@dataclass(frozen=True, slots=True)
class PotAwarded(Fact):
    """``pot`` counts from 0, the main pot. ``share``: whole, high or low. ``odd``: odd chips within ``amount``."""

    pot: int
    seat: int
    amount: int
    share: str
    odd: int


@named("hand-ended", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandEnded(Fact):
    """The hand is over; ``stacks``: (seat, chips) of every seat dealt in."""

    stacks: tuple[tuple[int, int], ...]
