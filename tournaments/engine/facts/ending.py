"""Prizes, deals and the end."""

from __future__ import annotations

from dataclasses import dataclass

from ..config import PayoutTerms
from .base import Fact, named


@named("payout-changed")
@dataclass(frozen=True, slots=True)
class PayoutChanged(Fact):
    """Other terms of the payout."""

    payout: PayoutTerms


@named("payouts-locked")
@dataclass(frozen=True, slots=True)
class PayoutsLocked(Fact):
    """``prizes``, first prize first, from the ``pool`` of so many ``entries``."""

    pool: int
    entries: int
    prizes: tuple[int, ...]


@named("deal-made")
@dataclass(frozen=True, slots=True)
class DealMade(Fact):
    """Everybody left agreed: (entrant, money), and ``play_for`` more for whoever wins. ``deal``: icm, chip, even or
    custom."""

    deal: str
    amounts: tuple[tuple[int, int], ...]
    play_for: int


@named("ended")
@dataclass(frozen=True, slots=True)
class Ended(Fact):
    """``left``: (entrant, place, how many share it, how many finished below) of those who were never out; ``prizes``:
    (entrant, money) of all who are paid; ``bounties``: (entrant, money) still to come at the end."""

    left: tuple[tuple[int, int, int, int], ...]
    prizes: tuple[tuple[int, int], ...]
    bounties: tuple[tuple[int, int], ...]


@named("flight-closed")
@dataclass(frozen=True, slots=True)
class FlightClosed(Fact):
    """The flight stops with several left, who take their ``stacks`` (entrant, chips) to the next day. It pays nothing
    itself."""

    stacks: tuple[tuple[int, int], ...]


@named("cancelled")
@dataclass(frozen=True, slots=True)
class Cancelled(Fact):
    reason: str


@named("prizes-paid")
@dataclass(frozen=True, slots=True)
class PrizesPaid(Fact):
    """The money is out: nothing before this is undone."""
