"""How many ways the betting of a hand can go.

A line is a whole sequence of actions, from the first card to the end of the hand (or of a street). The small numbers
are counted by hand in the comments; the others were counted by a second program as well, of fixed limit written down
once more from the rules alone, which shared no code with the engine. A dealer deals so that the same boards stay best.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from tests.support.hands import by_hand, deal
from tests.support.parts.stud import Hand, Stakes, parse_cards
from tests.support.playout import options_of

STAKES = Stakes(ante=1, bring_in=2, small_bet=4, big_bet=8)

#: What seats 1, 2 and 3 are dealt, street by street: seat 1 is always low and has the poorest board, seat 3 the best.
_SEATS = ("Kh Kd 2c 3d 4h 7s Qd", "Qh Js 9s Jc 8d 5c 2d", "Ah Qc Td Ks As 6d 2s")
CARDS = dict(enumerate(map(parse_cards, _SEATS), 1))
#: What the last seat is dealt instead, of two or of three, to show a pair on fourth street.
PAIRED = {2: parse_cards("Qh Js 9s 9c 8d 5c 2d"), 3: parse_cards("Ah Qc Td Tc As 6d 2s")}


def lines_by_engine(hand: Hand, cards: Mapping[int, Sequence[str]], last_street: int) -> int:
    hand = hand.copy()
    while hand.awaits == "deal":
        if hand.street >= last_street:
            return 1
        street = hand.next_street().number
        chosen = {seat: "".join(held[:3] if street == 3 else held[street - 1]) for seat, held in cards.items()}
        deal(hand, street, chosen)
    if hand.is_over:
        return 1
    count = 0
    for command in options_of(hand):
        after = hand.copy()
        after.play(command)
        count += lines_by_engine(after, cards, last_street)
    return count


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

    def by_engine(self) -> int:
        last = len(self.stacks)
        cards = CARDS | ({last: PAIRED[last]} if self.is_paired else {})
        hand = by_hand(dict(enumerate(self.stacks, start=1)), stakes=STAKES, setting=self.setting)
        return lines_by_engine(hand, cards, self.last_street)


CASES = [
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
    # Too many for paper.
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


@pytest.mark.parametrize("case", [*CASES, *(pytest.param(case, marks=_IS_LONG) for case in LARGEST)], ids=str)
def test_the_engine_finds_as_many_lines_as_the_rules_have(case: Case) -> None:
    assert case.by_engine() == case.lines
