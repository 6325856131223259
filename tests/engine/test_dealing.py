"""The dealer's work: order, burns, a short deck, who opens, absent players, and what a hand refuses to begin with."""

import pytest

from games.engine import commands as c
from games.engine.errors import IllegalAction
from games.engine.facts import Announced, CardsDealt, HandKilled, StubRemixed
from games.engine.stakes import Stakes
from tests.support.hands import FOURTH, automatic, by_hand, called_down, deal, round_called, shuffled, third


def test_cards_go_first_to_the_seat_left_of_the_dealer_one_at_a_time() -> None:
    hand = automatic({1: 500, 3: 500, 6: 500}, dealer=3)
    first = next(fact for fact in hand.facts if isinstance(fact, CardsDealt))
    assert [(seat, up) for seat, _, up in first.cards] == [
        *[(6, False), (1, False), (3, False)],
        *[(6, False), (1, False), (3, False)],
        *[(6, True), (1, True), (3, True)],
    ]
    assert tuple(card for _, card, _ in first.cards) == shuffled(1)[:9]


def test_the_same_deck_and_commands_give_the_same_facts() -> None:
    one, two = automatic({1: 500, 2: 500, 3: 500}, seed=7), automatic({1: 500, 2: 500, 3: 500}, seed=7)
    round_called(one)
    round_called(two)
    assert one.facts == two.facts


def test_eight_to_the_end_share_a_common_card_and_seven_do_not() -> None:
    eight = automatic(dict.fromkeys(range(1, 9), 6))
    round_called(eight)
    assert len(eight.common) == 1
    assert {len(p.cards) for p in eight.players} == {6}
    seven = automatic(dict.fromkeys(range(1, 8), 6))
    round_called(seven)
    assert not seven.common
    assert {len(p.cards) for p in seven.players} == {7}
    remixed = next(fact for fact in seven.facts if isinstance(fact, StubRemixed))
    assert len(remixed.stub) == 5


def test_no_card_is_ever_in_two_places_when_the_deck_runs_short() -> None:
    for seed in range(40):
        hand = automatic(dict.fromkeys(range(1, 8), 6), seed=seed)
        round_called(hand)
        cards = [card for p in hand.players for card in p.cards] + hand.burns + hand.stub
        assert len(cards) == len(set(cards)) == 52


def test_the_pair_made_by_the_last_card_is_announced_and_an_old_one_is_not() -> None:
    hand = third({1: 500, 2: 500})
    hand.play(c.BringIn(1))
    facts = hand.play(c.Call(2))
    deal(hand, 4, {1: "5h", 2: "Tc"})
    facts = hand.facts[-8:]
    assert Announced("pair", 1, "pair of fives") in facts
    assert Announced("high-hand", 1, "pair of fives") in facts


def test_an_all_in_high_hand_leaves_the_opening_to_the_next_who_can_act() -> None:
    hand = third({1: 500, 2: 6, 3: 500})
    hand.play(c.BringIn(1))
    hand.play(c.Call(2))
    hand.play(c.Call(3))
    deal(hand, 4)
    assert hand.named == 2
    assert hand.to_act == 3


def test_an_absent_lowcard_in_a_cash_game_posts_and_is_killed_when_the_betting_comes_back() -> None:
    hand = third({1: 500, 2: 500, 3: 500}, absent=(1,))
    assert hand.seats[1].bet == 5
    assert hand.to_act == 2
    hand.play(c.Wager(2, 15))
    facts = hand.play(c.Call(3))
    assert HandKilled(1) in facts


def test_in_a_tournament_the_only_one_present_wins_at_once_and_of_none_the_last_in_order() -> None:
    """The lowcard is away, so its forced bet is lost with the antes."""
    hand = third({1: 500, 2: 500, 3: 500}, absent=(1, 3), setting="tournament")
    assert hand.is_over
    assert hand.seats[2].stack == 507
    hand = third({1: 500, 2: 500, 3: 500}, absent=(1, 2, 3), setting="tournament")
    assert hand.is_over
    assert hand.seats[3].stack == 507
    hand = third({1: 500, 2: 500, 3: 500}, absent=(2, 3), setting="tournament")
    assert hand.is_over
    assert hand.seats[1].stack == 502


def test_who_leaves_on_his_turn_is_killed_and_who_comes_back_before_it_is_live() -> None:
    hand = third({1: 500, 2: 500, 3: 500})
    hand.play(c.Leave(2))
    hand.play(c.Leave(3))
    hand.play(c.Return(3))
    hand.play(c.BringIn(1))
    assert not hand.seats[2].is_live
    assert hand.to_act == 3
    hand.play(c.Leave(3))
    assert hand.is_over
    assert hand.seats[1].won == 3


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
        with pytest.raises(IllegalAction, match=words):
            hand.play(command)
    deal(hand, 3)
    with pytest.raises(IllegalAction, match="betting is not over"):
        deal(hand, 4, FOURTH)


def test_unknown_upcards_leave_the_opener_to_be_named() -> None:
    hand = by_hand({1: 500, 2: 500, 3: 500})
    hand.play(c.Deal(3, tuple(c.Given(seat, "??") for seat in (1, 2, 3) for _ in range(3))))
    assert hand.awaits == "opener"
    hand.play(c.NameOpener(2))
    assert hand.turn is not None
    assert hand.turn.bring_in == 5
    assert hand.to_act == 2
    hand.play(c.BringIn(2))
    assert hand.to_act == 3


@pytest.mark.parametrize(
    ("stacks", "changes", "words"),
    [
        ({1: 500}, {}, "2 to 8"),
        (dict.fromkeys(range(1, 10), 500), {}, "2 to 8"),
        ({1: 500, 2: 0}, {}, "at least one chip"),
        ({1: 500, 2: 500}, {"stakes": Stakes(1, 20, 15, 30)}, "must rise to the small bet"),
        ({1: 500, 2: 500}, {"structure": "no-limit"}, "least bet"),
        ({1: 500, 2: 500}, {"absent": (4,)}, "Seat 4 is absent"),
        ({1: 500, 2: 500}, {"game": "badugi"}, "no game"),
        ({1: 500, 2: 500}, {"deck": ("As", "As")}, "twice"),
    ],
)
def test_a_hand_that_cannot_begin_says_why(stacks: dict[int, int], changes: dict[str, object], words: str) -> None:
    with pytest.raises(IllegalAction, match=words):
        by_hand(stacks, **changes)


def test_everybody_all_in_for_the_ante_is_dealt_out_without_betting() -> None:
    hand = third({1: 1, 2: 1, 3: 1})
    called_down(hand)
    assert hand.is_over
    assert sum(p.stack for p in hand.players) == 3
