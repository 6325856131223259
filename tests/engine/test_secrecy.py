"""Nobody can tell a card they may not see from what they are sent: fact by fact. The playouts ask it of whole hands,
played again with the cards that a viewer never saw exchanged among each other (`support/secrecy.py`).
"""

import random
from dataclasses import dataclass

import pytest

from tests.support.invariants import cards_in
from tests.support.parts.stud import DECK, RAIL, Fact, Hand, base, mistakes, play, redact
from tests.support.playout import play_out, random_table
from tests.support.secrecy import seen_by, with_other_cards


@dataclass(frozen=True, slots=True)
class Undeclared(Fact):
    """What somebody will add one day without a thought for who may see it."""

    seat: int
    card: str


def test_the_exchange_of_cards_would_show_a_leak() -> None:
    """The control: whoever is sent the facts unredacted sees the difference at once, so the playouts can fail."""
    rng = random.Random(1)
    config = random_table(rng)
    hand = Hand.start(config)
    commands = play_out(hand, rng)
    again = with_other_cards(config, commands, seen_by(RAIL, hand.facts), rng)
    assert seen_by(RAIL, again.facts[:5]) == seen_by(RAIL, hand.facts[:5])
    assert again.facts[:5] != hand.facts[:5]


@pytest.mark.parametrize("viewer", [RAIL, 1, 2, base.AUDITOR])
def test_deck_burns_stub_cards_set_aside_and_facts_that_declare_nothing_reach_nobody(viewer: int) -> None:
    for fact in (play.DeckShuffled(DECK, DECK), play.CardBurned("As", 4), play.StubRemixed(("As", "Kd"))):
        assert cards_in(redact(fact, viewer)) == set()
    assert redact(mistakes.CardsEliminated(("As", "Kd")), viewer) == mistakes.CardsEliminated((None, None))
    assert redact(Undeclared(1, "As"), viewer) == Undeclared(None, None)  # type: ignore[arg-type]


def test_that_a_call_was_hopeless_is_the_callers_own_affair() -> None:
    weighed = play.CallWeighed(2, True, "19")
    assert [redact(weighed, viewer) == weighed for viewer in (2, 1, RAIL)] == [True, False, False]


def test_a_downcard_dealt_too_soon_is_seen_by_nobody_until_its_owner_looks_and_one_face_up_by_all() -> None:
    dealt = mistakes.PrematurelyDealt(7, ((1, "As", False), (2, "Kd", True)))
    for viewer in (RAIL, 1, 2, 3):
        assert cards_in(redact(dealt, viewer)) == {"Kd"}
    kept = mistakes.PrematureCardKept(1, "As", False)
    assert cards_in(redact(kept, 1)) == {"As"}
    for viewer in (RAIL, 2):
        assert redact(kept, viewer) == mistakes.PrematureCardKept(1, None, False)

    kept = mistakes.PrematureCardKept(1, "As", False, is_up=True)
    assert redact(kept, RAIL) == redact(kept, 2) == kept
