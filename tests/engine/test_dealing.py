"""The dealer's work: order, burns, a short deck, who opens, absent players, and what a hand refuses to begin with."""

import pytest

from tests.support.hands import FOURTH, automatic, by_hand, deal, shuffled_deck
from tests.support.parts.stud import CardsDealt, IllegalAction, Stakes, c
from tests.support.refusals import refused


def test_cards_go_first_to_the_seat_left_of_the_dealer_one_at_a_time() -> None:
    hand = automatic({1: 500, 3: 500, 6: 500}, dealer=3)
    first = next(fact for fact in hand.facts if isinstance(fact, CardsDealt))
    in_order = [(seat, is_up) for is_up in (False, False, True) for seat in (6, 1, 3)]
    assert [(seat, is_up) for seat, _, is_up in first.cards] == in_order
    assert tuple(card for _, card, _ in first.cards) == shuffled_deck(1)[:9]


def test_a_person_who_deals_gets_a_reason_for_every_wrong_card() -> None:
    hand = by_hand({1: 500, 2: 500})
    wrong = {
        "is not a card": c.Deal(3, (c.Given(1, "1x"),)),
        "already out": c.Deal(3, (c.Given(1, "As"), c.Given(1, "As"), c.Given(1, "2d"))),
        "next street is third": c.Deal(4, (c.Given(1, "As"),)),
        "must get 3 cards": c.Deal(3, (c.Given(1, "As"), c.Given(2, "Kd"))),
        "gets no card": c.Deal(3, (c.Given(5, "As"),)),
    }
    for words, command in wrong.items():
        refused(IllegalAction, words, hand.play, command)
    deal(hand, 3)
    refused(IllegalAction, "betting is not over", deal, hand, 4, FOURTH)


def test_unknown_upcards_leave_the_opener_to_be_named() -> None:
    hand = by_hand({1: 500, 2: 500, 3: 500})
    hand.play(c.Deal(3, tuple(c.Given(seat, "??") for seat in (1, 2, 3) for _ in range(3))))
    assert hand.awaits == "opener"
    hand.play(c.NameOpener(2))
    assert (hand.turn.bring_in, hand.to_act) == (5, 2)
    hand.play(c.BringIn(2))
    assert hand.to_act == 3


@pytest.mark.parametrize(("stacks", "changes", "words"), [
    ({1: 500}, {}, "2 to 8"),
    (dict.fromkeys(range(1, 10), 500), {}, "2 to 8"),
    ({1: 500, 2: 0}, {}, "at least one chip"),
    ({1: 500, 2: 500}, {"stakes": Stakes(1, 20, 15, 30)}, "must rise to the small bet"),
    ({1: 500, 2: 500}, {"structure": "no-limit"}, "least bet"),
    ({1: 500, 2: 500}, {"absent": (4,)}, "Seat 4 is absent"),
    ({1: 500, 2: 500}, {"game": "badugi"}, "no game"),
    ({1: 500, 2: 500}, {"deck": ("As", "As")}, "twice"),
])  # fmt: skip
def test_a_hand_that_cannot_begin_says_why(stacks: dict[int, int], changes: dict[str, object], words: str) -> None:
    refused(IllegalAction, words, by_hand, stacks, **changes)
