"""A mistaken entry is taken back: the hand is as it was, for everybody, and the log stays whole."""

from collections.abc import Callable
from typing import Any

from games.rulebooks.queries import load
from tests.support.hands import automatic, by_hand, deal, round_called, shuffled_deck, third
from tests.support.invariants import public_state, whole_state
from tests.support.parts.stud import RAIL, Hand, HandState, IllegalAction, base, c, mistakes, redact
from tests.support.refusals import refused

THREE = {1: 500, 2: 500, 3: 500}


def state_of(hand: HandState) -> dict:
    return {name: value for name, value in whole_state(hand).items() if name != "facts"}


def undone(hand: Hand, upto: int) -> tuple[base.Fact, ...]:
    return hand.play(c.Reverse(upto, "typed the wrong seat"))


def refusal_of(act: Callable[..., Any], *given: Any) -> str:
    """The code of the refusal."""
    return refused(IllegalAction, act, *given).code


def test_a_reversed_entry_leaves_the_hand_as_it_was_and_replays_so_for_every_viewer():
    hand = third(THREE)
    hand.play(c.BringIn(hand.to_act))
    before, mark = state_of(hand), len(hand.facts)
    hand.play(c.Call(hand.to_act))
    hand.play(c.Fold(hand.to_act))
    assert ([fact.kind for fact in undone(hand, mark)], state_of(hand)) == (["entry-reversed"], before)
    assert len(hand.facts) > mark
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
    assert (state_of(hand), [seq for seq, _ in mistakes.in_force(hand.facts)]) == (before, list(range(1, first + 1)))
    mark = len(hand.facts)
    hand.play(c.Leave(2))
    hand.play(c.Return(2))
    assert hand.rulings("absent_player")
    undone(hand, mark)
    assert not hand.rulings("absent_player"), "a ruling that was taken back is none"


def test_cards_of_the_systems_deck_cannot_be_named_or_undone():
    hand = by_hand(THREE, deck=shuffled_deck(3), scramble=shuffled_deck(4))
    mark = len(hand.facts)
    assert refusal_of(deal, hand, 3) == "system-deck"
    hand.play(c.Deal(3))
    assert {card for player in hand.players for card in player.cards} == set(shuffled_deck(3)[:9])
    assert (len(hand.stub), refusal_of(undone, hand, mark), hand.awaits) == (43, "too-late-to-undo", "action")


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
    assert refusal_of(undone, hand, mark) == "too-late-to-undo"
    undone(hand, dealt)


def test_the_antes_are_no_entry_and_the_automatic_dealer_makes_none():
    hand = by_hand(THREE)
    for upto in (0, 1, len(hand.facts), len(hand.facts) + 3):
        assert refusal_of(undone, hand, upto) == "nothing-to-undo"
    hand = automatic(THREE)
    hand.play(c.BringIn(hand.to_act))
    assert refusal_of(undone, hand, len(hand.facts) - 2) == "automatic-dealer"


def test_a_burn_error_with_a_physical_deck_wants_the_card_that_comes_to_light():
    hand = third(THREE)
    round_called(hand)
    given = tuple(c.Given(seat, card) for seat, card in ((1, "6h"), (2, "Tc"), (3, "2d")))
    hand.play(c.Deal(4, given, burns=2))
    for named, code in (((), "name-the-card"), (("Tc",), "duplicate-card")):
        assert refusal_of(hand.play, c.NoticeMistake(named)) == code
    hand.play(c.NoticeMistake(("9s",)))
    assert [hand.seats[seat].upcards[-1] for seat in (1, 2, 3)] == ["9s", "6h", "Tc"]
    refused(IllegalAction, hand.play, c.NoticeMistake(("2d",)))
