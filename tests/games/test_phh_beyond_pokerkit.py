"""What PokerKit cannot replay of our hands is marked in the file, and all else it replays to the same stacks."""

import random
import tomllib
import warnings
from pathlib import Path
from types import ModuleType

import pytest

from games.notation.pokerkit_limits import REASONS
from tests.support import mistakes, playout
from tests.support.hands import one_step, third
from tests.support.parts.games import dump
from tests.support.parts.stud import RAIL, Hand, redact
from tests.support.tiers import many

pokerkit = pytest.importorskip("pokerkit")
PROJECT = Path(__file__).resolve().parents[2]
HANDS = many(60, long=1_500)
#: A random hand with this mark and no other: of an automatic dealer, or of one who makes mistakes.
MARKED = {
    "drop": (playout, 12), "no-bring-in": (mistakes, 142), "raises": (playout, 39), "upper-limit": (playout, 33),
    "short-wager": (mistakes, 73), "short-bring-in": (playout, 46), "short-deck": (playout, 104),
    "odd-chip": (mistakes, 5227), "mucked": (mistakes, 164), "killed": (playout, 0), "mistake": (mistakes, 162),
    "void": (mistakes, 47),
}  # fmt: skip


def random_hand(dealer: ModuleType, number: int) -> Hand:
    """Random hand ``number`` of this dealer."""
    chance = random.Random(number)
    table = dealer.random_table(chance)
    hand = Hand.start(table.config if dealer is mistakes else table)
    dealer.play_out(hand, *([table] if dealer is mistakes else []), chance)
    return hand


def marks(text: str) -> list[str]:
    return tomllib.loads(text).get("_beyond_pokerkit", [])


def pokerkit_stacks(text: str) -> list[int] | None:
    """The stacks that PokerKit comes to; None where it cannot play the hand."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            *_, last = pokerkit.HandHistory.loads(text)
        except (ValueError, KeyError, AssertionError):
            return None
    return [int(stack) for stack in last.stacks]


def ours(hand: Hand) -> list[int]:
    return [hand.seats[seat].stack for seat in hand.order]


@pytest.mark.parametrize("dealer", [playout, mistakes], ids=["automatic", "with mistakes"])
def test_what_is_not_marked_comes_to_the_same_stacks_in_pokerkit(dealer: ModuleType) -> None:
    unmarked = 0
    for number in range(HANDS):
        hand = random_hand(dealer, number)
        try:
            text = dump(hand.facts)
        except ValueError:
            continue  # a game or a structure without a code
        if not marks(text):
            assert pokerkit_stacks(text) == ours(hand), text
            unmarked += 1
    assert unmarked > HANDS / 8


@pytest.mark.parametrize("mark", REASONS)
def test_what_is_marked_stops_pokerkit_or_comes_to_other_stacks(mark: str) -> None:
    hand = random_hand(*MARKED[mark])
    text = dump(hand.facts)
    assert marks(text) == [mark]
    assert pokerkit_stacks(text) != ours(hand)


def test_a_mark_tells_no_card() -> None:
    hand = third({1: 500, 2: 500, 3: 500})
    while not hand.is_over:
        one_step(hand)
    for viewer in (RAIL, 1, 2, 3):
        assert marks(dump(redact(fact, viewer) for fact in hand.facts)) == marks(dump(hand.facts)) == []


def test_the_documentation_lists_every_mark() -> None:
    text = (PROJECT / "docs/rules.md").read_text("utf-8")
    for reason, words in REASONS.items():
        assert f"| `{reason}` | {words} |" in text
