"""Nobody can tell a card he may not see from what he is sent.

The hand is played again with the same commands and the cards that a viewer never saw exchanged among each other; all
that he is sent must be the same, to the letter, until hands are shown.
"""

import random
from dataclasses import dataclass

import pytest

from games.engine import facts as f
from games.engine.cards import DECK
from games.engine.facts import RAIL, Fact, redact
from games.engine.hand import Hand
from tests.support.invariants import cards_in
from tests.support.playout import play_out, random_table
from tests.support.secrecy import check_secrecy, seen_by, with_other_cards
from tests.support.tiers import many

#: The playouts with mistakes ask the same of each of their hands.
HANDS = many(80, long=2_400)
BLOCKS = 2


@dataclass(frozen=True, slots=True)
class Undeclared(Fact):
    """What somebody will add one day without a thought for who may see it."""

    seat: int
    card: str


@pytest.mark.parametrize("block", range(BLOCKS))
def test_what_a_viewer_is_sent_does_not_depend_on_cards_he_cannot_see(block: int) -> None:
    for number in range(block, HANDS, BLOCKS):
        print(f"hand {number}")
        rng = random.Random(number)
        config = random_table(rng)
        hand = Hand.start(config)
        check_secrecy(hand, play_out(hand, rng), config, (RAIL, *config.stacks), rng)


def test_the_exchange_of_cards_would_show_a_leak() -> None:
    """The control: whoever is sent the facts unredacted sees the difference at once, so the test above can fail."""
    rng = random.Random(1)
    config = random_table(rng)
    hand = Hand.start(config)
    commands = play_out(hand, rng)
    again = with_other_cards(config, commands, seen_by(RAIL, hand.facts), rng)
    assert seen_by(RAIL, again.facts[:5]) == seen_by(RAIL, hand.facts[:5])
    assert again.facts[:5] != hand.facts[:5]


def test_a_fact_that_declares_nothing_reaches_nobody() -> None:
    for viewer in (RAIL, f.AUDITOR, 1, 2):
        assert redact(Undeclared(1, "As"), viewer) == Undeclared(None, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("viewer", [RAIL, 1, 2, f.AUDITOR])
def test_deck_burns_and_stub_reach_nobody(viewer: int) -> None:
    for fact in (f.DeckShuffled(DECK, DECK), f.CardBurned("As", 4), f.StubRemixed(("As", "Kd"))):
        assert cards_in(redact(fact, viewer)) == set()


def test_a_downcard_reaches_its_owner_alone() -> None:
    dealt = f.CardsDealt(3, ((1, "As", False), (2, "Kd", False), (1, "2c", True)))
    assert redact(dealt, 1) == f.CardsDealt(3, ((1, "As", False), (2, None, False), (1, "2c", True)))
    assert redact(dealt, 2) == f.CardsDealt(3, ((1, None, False), (2, "Kd", False), (1, "2c", True)))
    assert redact(dealt, RAIL) == f.CardsDealt(3, ((1, None, False), (2, None, False), (1, "2c", True)))


def test_that_a_call_was_hopeless_is_the_callers_own_affair() -> None:
    weighed = f.CallWeighed(2, True, "19")
    assert redact(weighed, 2) == weighed
    assert redact(weighed, 1) == redact(weighed, RAIL) == f.CallWeighed(2, None, None)


# -- what went wrong -------------------------------------------------------------------------------------------------


def test_a_card_put_right_is_seen_by_who_has_it_now() -> None:
    moved = f.CardsPutRight(("2s",), ((1, "As", False), (2, "Kd", False)), ("3d",), 0)
    assert cards_in(redact(moved, 1)) == {"As"}
    assert cards_in(redact(moved, 2)) == {"Kd"}
    assert cards_in(redact(moved, RAIL)) == set()
    assert cards_in(redact(moved, f.AUDITOR)) == {"As", "Kd"}
    up = f.CardsPutRight(("2s",), ((1, "As", True),), (), 1)
    assert cards_in(redact(up, RAIL)) == {"As"}


def test_a_downcard_dealt_too_soon_is_seen_by_nobody_until_its_owner_looks() -> None:
    dealt = f.PrematurelyDealt(7, ((1, "As", False), (2, "Kd", True)))
    for viewer in (RAIL, 1, 2, 3):
        assert cards_in(redact(dealt, viewer)) == {"Kd"}
    kept = f.PrematureCardKept(1, "As", False)
    assert cards_in(redact(kept, 1)) == {"As"}
    for viewer in (RAIL, 2):
        assert redact(kept, viewer) == f.PrematureCardKept(1, None, False)


def test_a_card_kept_that_had_come_face_up_is_everybodys() -> None:
    kept = f.PrematureCardKept(1, "As", False, is_up=True)
    assert redact(kept, RAIL) == redact(kept, 2) == kept


@pytest.mark.parametrize("viewer", [RAIL, 1, 2, f.AUDITOR])
def test_cards_set_aside_are_seen_by_nobody(viewer: int) -> None:
    assert redact(f.CardsEliminated(("As", "Kd")), viewer) == f.CardsEliminated((None, None))
