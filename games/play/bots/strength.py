"""The strength of the first three cards.

A starting hand is judged by the usual teaching of the game. Where the high hand wins: rolled-up trips, then big pairs,
then live three-flushes and three-straights; a pair is worth less for each of its rank that is gone and for each higher
door card against it, a draw for each card it needs that somebody else shows. Where a low wins: three different low
cards, the lower the better, the more so when the cards that would pair them are gone. Where both do: three low cards
that can become a high hand too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games.engine.cards import ACE, rank_of, suit_of
from games.engine.games import EIGHT, HIGH, WayToWin
from games.play.bots.observation import ace_low

_TEN = 10
_HIGH_ONLY = (HIGH,)


def strength_of(
    mine: Sequence[str],
    dead: Collection[str],
    doors: Sequence[str],
    *,
    is_split: bool = True,
    ways: tuple[WayToWin, ...] = _HIGH_ONLY,
) -> float:
    """The strength of a start, from 0 to 1. ``dead``: all other cards in sight, folded ones too; ``doors``: upcards of
    live opponents; ``is_split``: a pair shows one of its cards (a buried one is worth a little more); ``ways``: as
    ``Game.ways``."""
    if ways == _HIGH_ONLY:
        return _of_high(mine, dead, doors, is_split=is_split)
    low = _of_low(mine, dead, doors)
    if HIGH not in ways:
        return low
    high = _of_high(mine, dead, doors, is_split=is_split)
    if max(map(ace_low, mine)) > EIGHT or len({ace_low(card) for card in mine}) < len(mine):
        # Half of the pot is somebody else's: only the best of high hands are worth it.
        return max(0.0, high - 0.12) if high < _SURE else high
    return min(1.0, max(low, high) + 0.25 * min(low, high))


#: From here on a high hand is rolled up.
_SURE = 0.9


#: Three different cards by the highest of them, ace low.
_BY_TOP = {9: 0.36, 10: 0.27, 11: 0.2, 12: 0.14, 13: 0.1}


#: A card that pairs another is no card; the third of a kind is worse still.
_PAIRED = (11, 13)


def _of_low(mine: Sequence[str], dead: Collection[str], doors: Sequence[str]) -> float:
    own = sorted({ace_low(card) for card in mine})
    low, mid, top = sorted([*own, *_PAIRED[: len(mine) - len(own)]])
    value = _BY_TOP[top] if top > EIGHT else 0.48 + 0.05 * (EIGHT - top)
    value += 0.012 * (EIGHT - mid) if mid <= EIGHT else -0.05 * (mid - EIGHT)
    value += 0.004 * (EIGHT - low) if low <= EIGHT else -0.05 * (low - EIGHT)
    dead_ranks = [ace_low(card) for card in dead]
    helped = sum(1 for rank in dead_ranks if rank in own)
    hurt = sum(1 for rank in dead_ranks if rank <= EIGHT and rank not in own)
    smoother = sum(1 for door in doors if ace_low(door) < top)
    return max(0.0, min(1.0, value + 0.012 * helped - 0.008 * hurt - 0.01 * smoother))


def _of_high(mine: Sequence[str], dead: Collection[str], doors: Sequence[str], *, is_split: bool) -> float:
    ranks = sorted((rank_of(card) for card in mine), reverse=True)
    dead_ranks = [rank_of(card) for card in dead]
    if len(set(ranks)) == 1:
        return min(1.0, 0.93 + ranks[0] * 0.005)
    higher_doors = sum(1 for door in doors if rank_of(door) > ranks[0])
    best = max(
        _of_flush(mine, ranks, dead), _of_straight(ranks, dead_ranks), _of_high_cards(ranks, dead_ranks, higher_doors)
    )
    if len(set(ranks)) == len(ranks) - 1:
        best = max(best, _of_pair(ranks, dead_ranks, doors, is_split=is_split))
    return max(0.0, min(1.0, best))


def _of_pair(ranks: list[int], dead_ranks: list[int], doors: Sequence[str], *, is_split: bool) -> float:
    pair = next(rank for rank in ranks if ranks.count(rank) == 2)
    kicker = next(rank for rank in ranks if rank != pair)
    value = 0.32 + 0.033 * (pair - 2)
    value += max(0, kicker - _TEN) * (0.012 if kicker > pair else 0.006)
    value -= (0.0, 0.07, 0.17)[min(2, dead_ranks.count(pair))] + 0.015 * dead_ranks.count(kicker)
    value -= min(0.12, 0.035 * sum(1 for door in doors if rank_of(door) > pair))
    return value if is_split else value + 0.03


def _of_flush(mine: Sequence[str], ranks: list[int], dead: Collection[str]) -> float:
    suit = suit_of(mine[0])
    if any(suit_of(card) != suit for card in mine):
        return 0.0
    lost = sum(1 for card in dead if suit_of(card) == suit)
    value = 0.47 + 0.012 * sum(max(0, rank - _TEN) for rank in ranks)
    if _spread(ranks) <= 4:
        value += 0.05
    return value - 0.01 * min(lost, 1) - 0.06 * max(0, lost - 1)


def _of_straight(ranks: list[int], dead_ranks: list[int]) -> float:
    if len(set(ranks)) < len(ranks):
        return 0.0
    gaps = _spread(ranks) - 2
    if gaps > 2:
        return 0.0
    top = ranks[0]
    value = 0.31 + 0.014 * max(0, top - 6) - 0.10 * gaps
    if gaps == 0 and top == ACE:
        value -= 0.03  # only one end is open
    wanted = {*range(top - 4, top + 3)} - {*ranks}
    return value - 0.025 * sum(1 for rank in dead_ranks if rank in wanted)


def _of_high_cards(ranks: list[int], dead_ranks: list[int], higher_doors: int) -> float:
    """Unpaired high cards: their worth is that they pair, and that they are over what shows."""
    live = sum(max(0, rank - _TEN) * (0.5 if rank in dead_ranks else 1.0) for rank in set(ranks))
    return 0.10 + 0.022 * live - 0.03 * higher_doors


def _spread(ranks: list[int]) -> int:
    """From the lowest to the highest, the ace at the end that suits it."""
    low = sorted(1 if rank == ACE else rank for rank in ranks)
    return min(max(ranks) - min(ranks), low[-1] - low[0])
