"""How many ways the betting of a hand can go: the engine's count beside a second one that shares no code with it.

A line is a whole sequence of actions, from the first card to the end of the hand (or of a street). `Spot` below is
fixed limit written down once more, as small as it goes, from the rules alone: immutable, without cards (the decks are
stacked so that the same boards stay the best). The small numbers are counted by hand in the comments; all are frozen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from games.engine.hand import Hand
from games.engine.stakes import HandConfig, Stakes
from games.rulebooks import load
from tests.support.playout import options_of, stacked_deck

ANTE, BRING_IN, SMALL, BIG = 1, 2, 4, 8
STAKES = Stakes(ante=ANTE, bring_in=BRING_IN, small_bet=SMALL, big_bet=BIG)

#: What seats 1, 2 and 3 are dealt, street by street: seat 1 is always low and has the poorest board, seat 3 the best.
CARDS = {
    1: "Kh Kd 2c 3d 4h 7s Qd".split(),
    2: "Qh Js 9s Jc 8d 5c 2d".split(),
    3: "Ah Qc Td Ks As 6d 2s".split(),
}


# -- the second opinion ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spot:
    """A moment of the betting. Places run clockwise from 0; the last place has the best board, place 0 the lowcard.

    ``seen``: for each place the full level that it last acted on, -1 before it has acted.
    """

    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    live: tuple[bool, ...]
    seen: tuple[int, ...]
    is_tournament: bool
    street: int = 3
    level: int = 0
    full: int = 0
    raises: int = 0
    is_capped: bool = False
    turn: int = 0

    @property
    def able(self) -> list[int]:
        return [place for place, stack in enumerate(self.stacks) if stack and self.live[place]]

    def next_spots(self) -> Iterator[Spot]:
        """One for each legal action."""
        me, limit = self.turn, SMALL if self.street < 5 else BIG
        mine, bet = self.stacks[me], self.bets[me]
        if self.street == 3 and not self.level:
            yield self._with(me, min(BRING_IN, mine), level=BRING_IN)
            if mine > BRING_IN:
                yield self._wagered(me, min(limit, mine), limit)
            return
        owed = self.level - bet
        yield replace(self, live=_put(self.live, me, False), seen=_put(self.seen, me, self.full))
        yield self._with(me, min(owed, mine))
        has_caller = any(place != me for place in self.able)
        is_reopened = self.full > self.seen[me]
        if mine > owed and has_caller and is_reopened and not self.is_capped:
            yield self._wagered(me, min(self.full + limit, bet + mine), limit)

    def _with(self, me: int, chips: int, level: int | None = None) -> Spot:
        return replace(
            self,
            stacks=_put(self.stacks, me, self.stacks[me] - chips),
            bets=_put(self.bets, me, self.bets[me] + chips),
            seen=_put(self.seen, me, self.full),
            level=self.level if level is None else level,
        )

    def _wagered(self, me: int, to: int, limit: int) -> Spot:
        counts = 2 * (to - self.full) >= limit
        raises = self.raises + (1 if counts and self.full else 0)
        is_capped = self.is_capped
        if counts and raises == 3:
            is_capped = self.is_tournament or len(self.able) > 2
        spot = replace(self, full=to if counts else self.full, raises=raises, is_capped=is_capped)
        return spot._with(me, to - self.bets[me], level=to)

    def settled(self) -> Spot | None:
        """With the turn passed on, to the next street if need be; None when the hand has no more decisions."""
        if sum(self.live) == 1:
            return None
        count = len(self.stacks)
        for step in range(1, count):
            place = (self.turn + step) % count
            has_say = self.seen[place] < 0 and (self.level or len(self.able) > 1)
            if place in self.able and (self.bets[place] < self.level or has_say):
                return replace(self, turn=place)
        if self.street == 7 or len(self.able) < 2:
            return None
        best = max(place for place in range(count) if self.live[place])
        opener = next(place % count for place in range(best, best + count) if place % count in self.able)
        none = (0,) * count
        return Spot(
            self.stacks, none, self.live, (-1,) * count, self.is_tournament, self.street + 1, turn=opener
        )


def _put(values: tuple, place: int, value: object) -> tuple:
    return (*values[:place], value, *values[place + 1 :])


def lines_by_hand_of_rule(spot: Spot | None, last_street: int) -> int:
    if spot is None or spot.street > last_street:
        return 1
    return sum(lines_by_hand_of_rule(after.settled(), last_street) for after in spot.next_spots())


# -- the engine ------------------------------------------------------------------------------------------------------


def lines_by_engine(hand: Hand, last_street: int) -> int:
    if hand.is_over or hand.street > last_street:
        return 1
    count = 0
    for command in options_of(hand):
        after = hand.copy()
        after.play(command)
        count += lines_by_engine(after, last_street)
    return count


def started(stacks: tuple[int, ...], setting: str) -> Hand:
    seats = range(1, len(stacks) + 1)
    deck = stacked_deck({seat: CARDS[seat] for seat in seats}, order=tuple(seats))
    hand = Hand.start(
        HandConfig(
            rulebook=load("roberts-v4"),
            setting=setting,
            stakes=STAKES,
            stacks=dict(zip(seats, stacks, strict=True)),
            dealer=len(stacks),
            deck=deck,
            scramble=deck,
        )
    )
    assert hand.to_act == 1
    return hand


#: (stacks, setting, the last street that counts) -> lines
COUNTED = [
    # Both are all in with the bring-in: seat 1 brings it in; seat 2 folds or calls.
    ((3, 3), "cash", 7, 2),
    # Four chips after the ante. Seat 1 completes, all in: fold or call, 2 lines. It brings in: seat 2 folds (1), or
    # completes all in and seat 1 folds or calls (2), or calls, and both have 2 left. Then each street has 6 lines that
    # end it (the opener folds; bets, fold or call; checks, and the other folds; checks, the other bets, fold or call)
    # and one that goes on: 4 streets x 6 + the hand checked down = 25. In all 2 + 1 + 2 + 25.
    ((5, 5), "cash", 7, 30),
    # Third street alone, deep: two players are not capped in cash, so 1 + 3 raises and on until the chips are gone.
    # After a wager to n x 4 the other folds, calls, or raises, up to 24, all the chips there are: a wager to n x 4 has
    # L(n) = 2 + L(n+1) lines, L(6) = 2, so L(1) = 12. Seat 1 completes: L(1). It brings in: fold, call, or L(1).
    ((25, 25), "cash", 3, 26),
    # The same in a tournament with many left: a completion and three raises, L(4) = 2, so L(1) = 8.
    ((25, 25), "tournament", 3, 18),
]

#: Too many to count on paper; both counts agree on them.
FROZEN: list[tuple[tuple[int, ...], str, int, int]] = [
]


@pytest.mark.parametrize(("stacks", "setting", "last_street", "lines"), COUNTED + FROZEN)
def test_the_engine_finds_as_many_lines_as_the_rules_have(
    stacks: tuple[int, ...], setting: str, last_street: int, lines: int
) -> None:
    assert lines_by_engine(started(stacks, setting), last_street) == lines


@pytest.mark.parametrize(("stacks", "setting", "last_street", "lines"), COUNTED + FROZEN)
def test_the_second_count_agrees(stacks: tuple[int, ...], setting: str, last_street: int, lines: int) -> None:
    left = tuple(stack - ANTE for stack in stacks)
    count = len(stacks)
    start = Spot(left, (0,) * count, (True,) * count, (-1,) * count, setting == "tournament")
    assert lines_by_hand_of_rule(start, last_street) == lines
