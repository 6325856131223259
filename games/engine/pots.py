"""Chips in the middle: which of them nobody called, how they layer into pots, and how a pot is split."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.facts.base import Pot
from games.engine.seat import SeatState


def uncalled(players: Sequence[SeatState]) -> tuple[int, int]:
    """(seat, chips) that nobody matched, antes included; (0, 0) if every chip was called."""
    most = second = owner = 0
    for player in players:
        chips = player.total - player.apart
        if chips > most:
            most, second, owner = chips, most, player.seat
        elif chips > second:
            second = chips
    return (owner, most - second) if most > second else (0, 0)


def layers(players: Sequence[SeatState], middle: int) -> tuple[Pot, ...]:
    """The pots, main pot first: (chips, live seats that can win them), a layer for every all-in level.

    ``middle`` is all the chips in. Dead chips above every live level stay in the layer below them, so each chip has a
    winner. Antes that are kept apart are the main pot's.
    """
    if not middle:
        return ()
    live = [player for player in players if player.is_live]
    first = live[0]
    if all(player.total == first.total and not player.apart for player in live):
        return ((middle, tuple([player.seat for player in live])),)
    apart = sum(player.apart for player in players)
    levels = sorted({player.total - player.apart for player in live if apart or player.total})
    if len(levels) <= 1:
        return ((middle, tuple([player.seat for player in live])),)
    paid = {player.seat: player.total - player.apart for player in players}
    pots: list[Pot] = []
    floor = 0
    for level in levels:
        chips = sum(min(put, level) - min(put, floor) for put in paid.values())
        pots.append((chips, tuple([player.seat for player in live if paid[player.seat] >= level])))
        floor = level
    pots[0] = (pots[0][0] + apart, pots[0][1])
    chips, seats = pots[-1]
    pots[-1] = (chips + sum(max(0, put - floor) for put in paid.values()), seats)
    return tuple(pots)


def split(chips: int, winners: Sequence[int], unit: int = 1) -> list[tuple[int, int, int]]:
    """(seat, chips, odd ones among them) for ``winners``, who are in the order in which odd chips go to them. ``unit``:
    the smallest chip, of which nobody gets a part; what fills none is the first one's.

    >>> split(1100, [3, 1], unit=100)
    [(3, 600, 100), (1, 500, 0)]
    """
    even = chips // unit // len(winners) * unit
    left = chips - even * len(winners)
    odd = [unit if place < left // unit else 0 for place in range(len(winners))]
    odd[0] += left % unit
    return [(seat, even + more, more) for seat, more in zip(winners, odd, strict=True)]


def halves(chips: int, unit: int) -> tuple[int, int]:
    """A pot in two, high and low: the odd chip, and what fills none, is high's.

    >>> halves(1100, 100), halves(7, 1)
    ((600, 500), (4, 3))
    """
    low = chips // unit // 2 * unit
    return chips - low, low
