"""Bounties: the money on an entrant's head, and who gets it when they go out.

The bounty of every entry is paid in apart from the prize pool and stays apart. Fixed: who knocks somebody out is paid
all of it. Progressive: half is paid, half goes on the head of who did it. Whoever wins the event is paid their own. Of
several eliminators each gets an equal part, units left over one each in order of entry; a unit is the event's smallest
money.

Of several who bust on one hand the first out is claimed first: who takes a head and loses their own on the same hand
loses it with what was added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.engine.config import BountyTerms
from tournaments.engine.errors import IllegalAction
from tournaments.engine.prizes.payouts import evenly


@dataclass(frozen=True, slots=True)
class Part:
    """What one eliminator gets: ``paid`` now, ``added`` on their own head."""

    paid: int
    added: int = 0


def fixed(bounty: int, eliminators: int, unit: int = 1) -> tuple[Part, ...]:
    """``bounty`` shared by so many eliminators, in order of entry and in whole ``unit``s, and paid at once."""
    return tuple(Part(amount) for amount in evenly(bounty, eliminators, unit))


def progressive(bounty: int, eliminators: int, unit: int = 1) -> tuple[Part, ...]:
    """``bounty`` shared by so many eliminators; half of each part is paid and half goes on the head. The odd ``unit``
    of a part is paid."""
    heads = [(amount, amount // unit // 2 * unit) for amount in evenly(bounty, eliminators, unit)]
    return tuple(Part(amount - head, head) for amount, head in heads)


def claim(terms: BountyTerms, bounty: int, by: Sequence[int], unit: int = 1) -> dict[int, Part]:
    """The parts of a ``bounty`` by entrant, for those who knocked them out, in whole ``unit``s.

    Empty where nobody did (a disqualification, a no-show): the caller keeps it for the winner. Raises
    ``IllegalAction`` (``bounty``) for a bounty below 0, somebody named twice, and an event without bounties.
    """
    if terms.kind not in ("fixed", "progressive"):
        raise IllegalAction("bounty", "This event is played without bounties.")
    if bounty < 0:
        raise IllegalAction("bounty", f"A bounty is 0 or more, not {bounty}.")
    if len(set(by)) != len(by):
        raise IllegalAction("bounty", "Whoever knocked a player out is named once.")
    if not by:
        return {}
    share = progressive if terms.kind == "progressive" else fixed
    return dict(zip(sorted(by), share(bounty, len(by), unit), strict=True))


def winner(bounty: int, unclaimed: int = 0) -> Part:
    """The winner is paid what is on their own head, and the bounties that nobody claimed."""
    return Part(bounty + unclaimed)
