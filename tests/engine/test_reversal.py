"""A mistaken entry is taken back: the hand is as it was, for everybody, and the log stays whole."""

import pytest

from games.engine import commands as c
from games.engine import facts as f
from games.engine.errors import IllegalAction
from games.engine.facts import RAIL, redact
from games.engine.hand import Hand
from games.engine.reversal import standing
from games.engine.state import HandState
from games.rulebooks import load
from tests.support.hands import automatic, by_hand, deal, round_called, shuffled, third
from tests.support.invariants import public_state, whole_state

THREE = {1: 500, 2: 500, 3: 500}


def state_of(hand: HandState) -> dict:
    return {name: value for name, value in whole_state(hand).items() if name != "facts"}


def system_dealt(stacks=THREE) -> Hand:
    """A hand that a person deals off the system's deck."""
    return by_hand(stacks, deck=shuffled(3), scramble=shuffled(4))


def undone(hand: Hand, upto: int) -> tuple[f.Fact, ...]:
    return hand.play(c.Reverse(upto, "typed the wrong seat"))


def test_a_reversed_entry_leaves_the_hand_as_it_was():
    hand = third(THREE)
    hand.play(c.BringIn(hand.to_act))
    before, mark = state_of(hand), len(hand.facts)
    hand.play(c.Wager(hand.to_act, 15))
    facts = undone(hand, mark)
    assert [fact.kind for fact in facts] == ["entry-reversed"]
    assert state_of(hand) == before
    assert len(hand.facts) > mark
    assert hand.play(c.Fold(hand.to_act))


def test_what_was_reversed_replays_to_the_same_state_for_every_viewer():
    hand = third(THREE)
    hand.play(c.BringIn(hand.to_act))
    mark = len(hand.facts)
    hand.play(c.Call(hand.to_act))
    hand.play(c.Fold(hand.to_act))
    undone(hand, mark)
    hand.play(c.Wager(hand.to_act, 15))
    assert whole_state(Hand.replay(hand.facts, load("roberts-v4"))) == whole_state(hand)
    for viewer in (RAIL, 1, 2, 3):
        view = Hand.replay(redact(fact, viewer) for fact in hand.facts)
        assert public_state(view) == public_state(hand)
        assert view.seats[1].cards == [
            card if up or viewer == 1 else None for card, up in zip(hand.seats[1].cards, hand.seats[1].ups, strict=True)
        ]


def test_two_entries_are_taken_back_one_after_the_other():
    hand = third(THREE)
    first = len(hand.facts)
    before = state_of(hand)
    hand.play(c.BringIn(hand.to_act))
    second = len(hand.facts)
    hand.play(c.Fold(hand.to_act))
    undone(hand, second)
    undone(hand, first)
    assert state_of(hand) == before
    assert [seq for seq, _ in standing(hand.facts)] == list(range(1, first + 1))


def test_a_ruling_that_was_taken_back_is_no_ruling():
    hand = third(THREE)
    mark = len(hand.facts)
    hand.play(c.Leave(2))
    hand.play(c.Return(2))
    assert hand.rulings("absent_player")
    undone(hand, mark)
    assert not hand.rulings("absent_player")


def test_a_card_off_the_systems_deck_stays_out():
    hand = system_dealt()
    mark = len(hand.facts)
    hand.play(c.Deal(3))
    with pytest.raises(IllegalAction) as refused:
        undone(hand, mark)
    assert refused.value.code == "too-late-to-undo"
    assert hand.awaits == "action"


def test_a_card_typed_wrong_is_mended_before_anybody_acts():
    hand = by_hand(THREE)
    before, mark = state_of(hand), len(hand.facts)
    deal(hand, 3)
    undone(hand, mark)
    assert state_of(hand) == before
    deal(hand, 3, {1: "AsKs6d", 2: "QhQdJc", 3: "7c8c9h"})
    assert hand.seats[1].upcards == ("6d",)


def test_nothing_before_the_last_card_is_taken_back():
    hand = third(THREE)
    mark = len(hand.facts)
    round_called(hand)
    deal(hand, 4)
    dealt = len(hand.facts)
    hand.play(c.Check(hand.to_act))
    with pytest.raises(IllegalAction) as refused:
        undone(hand, mark)
    assert refused.value.code == "too-late-to-undo"
    undone(hand, dealt)


def test_the_antes_are_no_entry():
    hand = by_hand(THREE)
    for upto in (0, 1, len(hand.facts), len(hand.facts) + 3):
        with pytest.raises(IllegalAction) as refused:
            undone(hand, upto)
        assert refused.value.code == "nothing-to-undo"


def test_the_automatic_dealer_makes_no_entries():
    hand = automatic(THREE)
    hand.play(c.BringIn(hand.to_act))
    with pytest.raises(IllegalAction) as refused:
        undone(hand, len(hand.facts) - 2)
    assert refused.value.code == "automatic-dealer"


def test_a_known_deck_is_dealt_from_its_top_and_no_card_may_be_named():
    hand = system_dealt()
    with pytest.raises(IllegalAction) as refused:
        deal(hand, 3)
    assert refused.value.code == "system-deck"
    hand.play(c.Deal(3))
    assert {card for player in hand.players for card in player.cards} == set(shuffled(3)[:9])
    assert len(hand.stub) == 43


def test_a_burn_error_with_a_physical_deck_wants_the_card_that_comes_to_light():
    hand = third(THREE)
    round_called(hand)
    given = tuple(c.Given(seat, card) for seat, card in ((1, "6h"), (2, "Tc"), (3, "2d")))
    hand.play(c.Deal(4, given, burns=2))
    with pytest.raises(IllegalAction) as refused:
        hand.play(c.Notice())
    assert refused.value.code == "name-the-card"
    with pytest.raises(IllegalAction) as refused:
        hand.play(c.Notice(("Tc",)))
    assert refused.value.code == "duplicate-card"
    hand.play(c.Notice(("9s",)))
    assert [hand.seats[seat].upcards[-1] for seat in (1, 2, 3)] == ["9s", "6h", "Tc"]
    with pytest.raises(IllegalAction):
        hand.play(c.Notice(("2d",)))
