"""How many ways the betting of a hand can go: the engine's count beside a second one that shares no code with it.

A line is a whole sequence of actions, from the first card to the end of the hand (or of a street). `Spot` below is
fixed limit written down once more, as small as it goes, from the rules alone: immutable, without cards (a dealer deals
so that the same boards stay the best). The small numbers are counted by hand in the comments; all are frozen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from games.engine.cards import parse_cards
from games.engine.commands import Deal, Given
from games.engine.hand import Hand
from games.engine.stakes import HandConfig, Stakes
from games.rulebooks import load
from tests.support.playout import options_of

ANTE, BRING_IN, SMALL, BIG = 1, 2, 4, 8
STAKES = Stakes(ante=ANTE, bring_in=BRING_IN, small_bet=SMALL, big_bet=BIG)

#: What seats 1, 2 and 3 are dealt, street by street: seat 1 is always low and has the poorest board, seat 3 the best.
CARDS = {
    1: parse_cards("Kh Kd 2c 3d 4h 7s Qd"),
    2: parse_cards("Qh Js 9s Jc 8d 5c 2d"),
    3: parse_cards("Ah Qc Td Ks As 6d 2s"),
}
#: What the last seat is dealt instead, of two or of three, to show a pair on fourth street.
PAIRED = {2: parse_cards("Qh Js 9s 9c 8d 5c 2d"), 3: parse_cards("Ah Qc Td Tc As 6d 2s")}


# -- the second opinion ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spot:
    """A moment of the betting. Places run clockwise from 0; the last place has the best board, place 0 the lowcard.

    ``is_paired``: the last place shows a pair on fourth street. ``seen``: for each place the full level that it last
    acted on, -1 before it has acted.
    """

    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    live: tuple[bool, ...]
    seen: tuple[int, ...]
    is_tournament: bool = False
    is_paired: bool = False
    limits: tuple[int, ...] = (SMALL,)
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
        me = self.turn
        mine, bet = self.stacks[me], self.bets[me]
        if self.street == 3 and not self.level:
            yield self._with(me, min(BRING_IN, mine), level=BRING_IN)
            if mine > BRING_IN:
                yield self._wagered(me, min(SMALL, mine))
            return
        owed = self.level - bet
        yield replace(self, live=_put(self.live, me, False), seen=_put(self.seen, me, self.full))
        yield self._with(me, min(owed, mine))
        has_caller = any(place != me and self.bets[place] + self.stacks[place] > self.level for place in self.able)
        is_reopened = self.full > self.seen[me]
        if mine > owed and has_caller and is_reopened and not self.is_capped:
            sizes = {min(self.full + limit, bet + mine) for limit in self._limits()}
            yield from [self._wagered(me, to) for to in sizes]

    def _limits(self) -> tuple[int, ...]:
        """Both of them only as long as the pair is in a live hand."""
        return self.limits if self.live[-1] else self.limits[:1]

    def _with(self, me: int, chips: int, level: int | None = None) -> Spot:
        return replace(
            self,
            stacks=_put(self.stacks, me, self.stacks[me] - chips),
            bets=_put(self.bets, me, self.bets[me] + chips),
            seen=_put(self.seen, me, self.full),
            level=self.level if level is None else level,
        )

    def _wagered(self, me: int, to: int) -> Spot:
        limits = self._limits()
        counts = 2 * (to - self.full) >= limits[0]
        if to - self.full >= BIG:
            limits = (BIG,)  # once a wager was by the upper limit, every later one is
        raises = self.raises + (1 if counts and self.full else 0)
        is_capped = self.is_capped
        if counts and raises == 3:
            is_capped = self.is_tournament or len(self.able) > 2
        full = to if counts else self.full
        spot = replace(self, full=full, raises=raises, is_capped=is_capped, limits=limits)
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
        has_open_pair = self.is_paired and self.live[-1]
        limits = ((SMALL, BIG) if has_open_pair else (SMALL,)) if self.street == 3 else (BIG,)
        return replace(
            self,
            bets=(0,) * count,
            seen=(-1,) * count,
            limits=limits,
            street=self.street + 1,
            level=0,
            full=0,
            raises=0,
            is_capped=False,
            turn=opener,
        )


def _put(values: tuple, place: int, value: object) -> tuple:
    return (*values[:place], value, *values[place + 1 :])


def lines_by_hand_of_rule(spot: Spot | None, last_street: int) -> int:
    if spot is None or spot.street > last_street:
        return 1
    return sum(lines_by_hand_of_rule(after.settled(), last_street) for after in spot.next_spots())


# -- the engine ------------------------------------------------------------------------------------------------------


def lines_by_engine(hand: Hand, cards: Mapping[int, Sequence[str]], last_street: int) -> int:
    hand = hand.copy()
    while hand.awaits == "deal":
        if hand.street >= last_street:
            return 1
        deal_next(hand, cards)
    if hand.is_over:
        return 1
    count = 0
    for command in options_of(hand):
        after = hand.copy()
        after.play(command)
        count += lines_by_engine(after, cards, last_street)
    return count


def deal_next(hand: Hand, cards: Mapping[int, Sequence[str]]) -> None:
    """Deal every seat that is dealt to its own next cards."""
    street = hand.street + 1 if hand.street else 3
    which = slice(0, 3) if street == 3 else slice(street - 1, street)
    seats = [seat for seat, player in hand.seats.items() if player.is_live or player.is_still_dealt_to]
    hand.play(Deal(street, tuple(Given(seat, card) for seat in seats for card in cards[seat][which])))


@dataclass(frozen=True)
class Case:
    """A betting tree: ``last_street`` is the last that counts."""

    stacks: tuple[int, ...]
    lines: int
    last_street: int = 7
    setting: str = "cash"
    is_paired: bool = False

    def __str__(self) -> str:
        paired = ", open pair" if self.is_paired else ""
        return f"{self.stacks}, {self.setting}, to street {self.last_street}{paired}: {self.lines}"

    def by_rule(self) -> Spot:
        left, count = tuple(stack - ANTE for stack in self.stacks), len(self.stacks)
        none, alive = (0,) * count, (True,) * count
        return Spot(left, none, alive, (-1,) * count, self.setting == "tournament", self.is_paired)

    def cards(self) -> dict[int, Sequence[str]]:
        seats = range(1, len(self.stacks) + 1)
        return {seat: PAIRED[seat] if self.is_paired and seat == seats[-1] else CARDS[seat] for seat in seats}

    def by_engine(self) -> Hand:
        stacks = dict(enumerate(self.stacks, start=1))
        config = HandConfig(
            rulebook=load("roberts-v4"),
            setting=self.setting,
            stakes=STAKES,
            stacks=stacks,
            dealer=len(stacks),
            is_hand_dealt=True,
        )
        return Hand.start(config)


COUNTED = [
    # Both are all in with the bring-in: seat 1 brings it in; seat 2 folds or calls.
    Case((3, 3), 2),
    # Four chips after the ante. Seat 1 completes, all in: fold or call, 2 lines. It brings in: seat 2 folds (1), or
    # completes all in and seat 1 folds or calls (2), or calls, and both have 2 left. Then each street has 6 lines that
    # end it (the opener folds; bets, fold or call; checks, and the other folds; checks, the other bets, fold or call)
    # and one that goes on: 4 streets x 6 + the hand checked down = 25. In all 2 + 1 + 2 + 25.
    Case((5, 5), 30),
    # Third street alone, deep. In cash two players are not capped. After a wager to n x 4 the other folds, calls, or
    # raises, up to 24, which is all they have: L(n) = 2 + L(n + 1) and L(6) = 2, so L(1) = 12. Seat 1 completes: L(1).
    # It brings in: fold, call, or L(1).
    Case((25, 25), 26, last_street=3),
    # The same in a tournament with many left: a completion and three raises, L(4) = 2, so L(1) = 8.
    Case((25, 25), 18, last_street=3, setting="tournament"),
]

#: Too many for paper; the two counts agree.
FROZEN = [
    Case((9, 9), 122),
    Case((9, 6), 82),
    Case((12, 12), 342),
    Case((12, 12), 398, is_paired=True),
    Case((5, 5, 5), 270),
    Case((5, 3, 7), 60),
    Case((8, 4, 6), 464),
    Case((9, 9, 9), 616, last_street=5),
    Case((9, 9, 9), 634, last_street=5, is_paired=True),
    Case((25, 25, 25), 346, last_street=3),
    Case((25, 25, 25), 258, last_street=3, setting="tournament"),
    Case((26, 14, 19), 290, last_street=3),
    Case((27, 15, 11), 1_128, last_street=4),
    Case((27, 15, 11), 1_508, last_street=4, is_paired=True),
]

LARGEST = [Case((10, 7, 12), 2_050), Case((30, 21, 16), 3_112, last_street=4, setting="tournament")]
_IS_LONG = pytest.mark.long("the two largest trees; make test counts the eighteen others")
CASES = [*COUNTED, *FROZEN, *(pytest.param(case, marks=_IS_LONG) for case in LARGEST)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_engine_finds_as_many_lines_as_the_rules_have(case: Case) -> None:
    assert lines_by_engine(case.by_engine(), case.cards(), case.last_street) == case.lines


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_second_count_agrees(case: Case) -> None:
    assert lines_by_hand_of_rule(case.by_rule(), case.last_street) == case.lines
