"""Bounties: the money on an entrant's head, and who gets it when they go out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.engine.config import BountyTerms
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.prizes.payouts import evenly


@dataclass(frozen=True, slots=True)
class BountyPart:
    """What one eliminator gets: ``paid`` now, ``added`` on their own head."""

    paid: int
    added: int = 0


def fixed_parts(bounty: int, eliminators: int, unit: int = 1) -> tuple[BountyPart, ...]:
    """``bounty`` shared by so many eliminators, in order of entry and in whole ``unit``s, and paid at once."""
    return tuple(BountyPart(amount) for amount in evenly(bounty, eliminators, unit))


def progressive(bounty: int, eliminators: int, unit: int = 1) -> tuple[BountyPart, ...]:
    """``bounty`` shared by so many eliminators; half of each part is paid and half goes on the head. The odd ``unit``
    of a part is paid."""
    heads = [(amount, amount // unit // 2 * unit) for amount in evenly(bounty, eliminators, unit)]
    return tuple(BountyPart(amount - head, head) for amount, head in heads)


def claim(terms: BountyTerms, bounty: int, by: Sequence[int], unit: int = 1) -> dict[int, BountyPart]:
    """The parts of a ``bounty`` by entrant, for those who knocked them out, in whole ``unit``s.

    Empty where nobody did (a disqualification, a no-show): the caller keeps it for the winner. Raises
    ``IllegalCommand`` (``bounty``) for a bounty below 0, somebody named twice, and an event without bounties.
    """
    if terms.kind not in ("fixed", "progressive"):
        raise IllegalCommand("bounty", "This tournament is played without bounties.")
    if bounty < 0:
        raise IllegalCommand("bounty", "A bounty is 0 or more, not {bounty}.", bounty=bounty)
    if len(set(by)) != len(by):
        raise IllegalCommand("bounty", "Whoever knocked a player out is named once.")
    if not by:
        return {}
    share = progressive if terms.kind == "progressive" else fixed_parts
    return dict(zip(sorted(by), share(bounty, len(by), unit), strict=True))


def winner(bounty: int, unclaimed: int = 0) -> BountyPart:
    """The winner is paid what is on their own head, and the bounties that nobody claimed."""
    return BountyPart(bounty + unclaimed)
