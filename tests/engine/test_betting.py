"""Betting in fixed limit: completions, raises, the cap, all-ins that count and all-ins that do not."""

import pytest

from games.engine import commands as c
from games.engine.errors import IllegalAction
from games.engine.facts import BetReturned, Ruled, Wagered
from games.engine.hand import Hand
from games.engine.stakes import Stakes
from tests.support.hands import checked_through, deal, third

BIG = {1: 500, 2: 500, 3: 500, 4: 500}
ROUND = Stakes(ante=1, bring_in=3, small_bet=10, big_bet=20)


def sizes(hand: Hand) -> tuple[str, tuple[int, ...]]:
    assert hand.turn is not None
    return hand.turn.verb, hand.turn.sizes


def on_fourth(stacks: dict[int, int], stakes: Stakes = ROUND) -> Hand:
    """Everyone in for the bring-in of 3; seat 2 opens fourth street with JT."""
    hand = third(stacks, stakes=stakes)
    hand.play(c.BringIn(1))
    while hand.turn is not None:
        hand.play(c.Call(hand.turn.seat))
    deal(hand, 4)
    return hand


def test_an_all_in_of_half_a_raise_counts_and_the_next_raise_goes_a_full_bet_over_it() -> None:
    hand = on_fourth({1: 500, 2: 500, 3: 19, 4: 500})
    hand.play(c.Wager(2, 10))
    hand.play(c.Wager(3, 15))
    assert sizes(hand) == ("raise-to", (25,))


def test_an_all_in_of_less_than_half_lets_those_behind_complete_it() -> None:
    hand = on_fourth({1: 500, 2: 500, 3: 18, 4: 500})
    hand.play(c.Wager(2, 10))
    hand.play(c.Wager(3, 14))
    assert sizes(hand) == ("complete-to", (20,))
    hand.play(c.Call(4))
    hand.play(c.Call(1))
    assert sizes(hand) == ("", ())
    with pytest.raises(IllegalAction) as refused:
        hand.play(c.Wager(2, 20))
    assert "reopens nothing" in refused.value.message
    assert refused.value.rule is not None


def test_several_short_all_ins_add_up_to_a_raise_that_reopens() -> None:
    hand = on_fourth({1: 500, 2: 500, 3: 18, 4: 20})
    hand.play(c.Wager(2, 10))
    hand.play(c.Wager(3, 14))
    hand.play(c.Wager(4, 16))
    hand.play(c.Call(1))
    assert sizes(hand) == ("raise-to", (26,))


def test_an_all_in_of_half_a_bet_over_a_bare_bring_in_is_the_completion() -> None:
    hand = third({1: 500, 2: 7, 3: 500, 4: 500}, stakes=ROUND)
    hand.play(c.BringIn(1))
    hand.play(c.Wager(2, 6))
    assert sizes(hand) == ("raise-to", (16,))
    assert hand.raises == 0


def test_an_all_in_of_less_than_half_a_bet_over_a_bare_bring_in_can_be_completed() -> None:
    hand = third({1: 500, 2: 5, 3: 500, 4: 500}, stakes=ROUND)
    hand.play(c.BringIn(1))
    hand.play(c.Wager(2, 4))
    assert sizes(hand) == ("complete-to", (10,))
    hand.play(c.Call(3))
    hand.play(c.Call(4))
    assert hand.turn is not None
    assert hand.turn.seat == 1
    assert (hand.turn.call, hand.turn.sizes) == (1, ())


def test_an_opening_all_in_of_less_than_half_a_bet_can_be_completed_without_a_raise() -> None:
    hand = on_fourth({1: 500, 2: 8, 3: 500, 4: 500})
    hand.play(c.Wager(2, 4))
    assert sizes(hand) == ("complete-to", (10,))
    hand.play(c.Wager(3, 10))
    assert hand.raises == 0
    assert sizes(hand) == ("raise-to", (20,))


def test_a_raise_that_counts_uses_up_one_of_three_even_when_it_is_all_in() -> None:
    hand = on_fourth({1: 500, 2: 500, 3: 19, 4: 500})
    hand.play(c.Wager(2, 10))
    hand.play(c.Wager(3, 15))
    hand.play(c.Wager(4, 25))
    hand.play(c.Wager(1, 35))
    assert hand.is_capped
    assert sizes(hand) == ("", ())


def test_a_capped_tournament_round_stays_capped_heads_up_until_two_are_left_in_the_event() -> None:
    for left, expected in ((9, ("", ())), (2, ("raise-to", (75,)))):
        hand = third({1: 500, 2: 500}, setting="tournament", players_left=left)
        hand.play(c.Wager(1, 15))
        for seat, to in ((2, 30), (1, 45), (2, 60)):
            hand.play(c.Wager(seat, to))
        assert sizes(hand) == expected


def test_a_third_raise_all_in_that_leaves_two_does_not_lift_the_cap() -> None:
    hand = third({1: 500, 2: 500, 3: 61})
    hand.play(c.Wager(1, 15))
    hand.play(c.Wager(2, 30))
    hand.play(c.Wager(3, 45))
    hand.play(c.Wager(1, 60))
    assert hand.is_capped
    assert hand.turn is not None
    assert (hand.turn.call, hand.turn.sizes) == (30, ())


def test_nobody_may_raise_when_all_others_are_all_in() -> None:
    hand = third({1: 500, 2: 6, 3: 6})
    hand.play(c.BringIn(1))
    hand.play(c.Call(2))
    hand.play(c.Call(3))
    deal(hand, 4)
    assert hand.awaits == "deal"
    hand = third({1: 500, 2: 16, 3: 500})
    hand.play(c.BringIn(1))
    hand.play(c.Wager(2, 15))
    hand.play(c.Fold(3))
    assert hand.turn is not None
    assert (hand.turn.call, hand.turn.sizes) == (10, ())


def test_a_short_stack_is_offered_its_last_chips_and_no_more() -> None:
    hand = third({1: 500, 2: 500, 3: 13})
    hand.play(c.Wager(1, 15))
    hand.play(c.Call(2))
    assert hand.turn is not None
    assert (hand.turn.call, hand.turn.sizes) == (12, ())


def test_the_lowcard_with_less_than_a_full_bet_may_open_all_in() -> None:
    hand = third({1: 9, 2: 500, 3: 500})
    assert hand.turn is not None
    assert (hand.turn.bring_in, hand.turn.verb, hand.turn.sizes) == (5, "complete-to", (8,))
    hand.play(c.Wager(1, 8))
    assert sizes(hand) == ("raise-to", (23,))


def test_an_uncalled_bring_in_goes_back_when_all_fold() -> None:
    hand = third({1: 500, 2: 500, 3: 500})
    hand.play(c.BringIn(1))
    hand.play(c.Fold(2))
    facts = hand.play(c.Fold(3))
    assert BetReturned(1, 5) in facts
    assert hand.seats[1].stack == 502


def test_the_part_of_an_ante_that_nobody_could_match_goes_back() -> None:
    hand = third({1: 2, 2: 500}, stakes=Stakes(ante=5, bring_in=5, small_bet=10, big_bet=20))
    assert hand.awaits == "deal"
    assert BetReturned(2, 3) in hand.facts
    assert hand.pot == 4


def test_a_refused_command_changes_nothing() -> None:
    hand = third(BIG)
    before = (len(hand.facts), hand.turn, [p.stack for p in hand.players])
    for command in (
        c.Call(1),
        c.Check(1),
        c.Fold(1),
        c.Call(2),
        c.Wager(1, 16),
        c.Wager(1, 10**30),
        c.Wager(1, -5),
        c.BringIn(9),
        c.Show(1),
        c.Return(1),
        c.Deal(4, ()),
    ):
        with pytest.raises(IllegalAction) as refused:
            hand.play(command)
        assert refused.value.message.endswith(".")
        assert refused.value.code
    assert (len(hand.facts), hand.turn, [p.stack for p in hand.players]) == before


def test_with_an_open_pair_a_size_must_be_named_and_the_upper_one_ends_the_choice() -> None:
    hand = third({1: 500, 2: 500, 3: 500})
    hand.play(c.BringIn(1))
    hand.play(c.Call(2))
    hand.play(c.Call(3))
    deal(hand, 4, {1: "6h", 2: "Js", 3: "2d"})
    assert sizes(hand) == ("bet", (15, 30))
    with pytest.raises(IllegalAction, match="15 or 30"):
        hand.play(c.Wager(2))
    hand.play(c.Wager(2, 15))
    assert sizes(hand) == ("raise-to", (30, 45))
    hand.play(c.Wager(3, 45))
    assert sizes(hand) == ("raise-to", (75,))


def test_the_pair_of_a_folded_hand_opens_no_upper_limit() -> None:
    hand = third({1: 500, 2: 500, 3: 500})
    hand.play(c.BringIn(1))
    hand.play(c.Fold(2))
    hand.play(c.Call(3))
    deal(hand, 4)
    assert sizes(hand) == ("bet", (15,))


def test_running_out_of_time_checks_where_it_is_free_folds_to_a_wager_and_posts_the_bring_in() -> None:
    hand = third({1: 500, 2: 500, 3: 500})
    hand.play(c.TimeOut(1))
    assert hand.seats[1].bet == 5
    hand.play(c.TimeOut(2))
    assert not hand.seats[2].is_live
    hand.play(c.Call(3))
    deal(hand, 4)
    assert hand.turn is not None
    seat = hand.turn.seat
    hand.play(c.TimeOut(seat))
    assert hand.seats[seat].is_live


def test_the_ruling_on_a_completion_and_on_the_cap_cite_their_rule() -> None:
    hand = third({1: 500, 2: 500, 3: 500})
    hand.play(c.BringIn(1))
    hand.play(c.Wager(2, 15))
    for seat, to in ((3, 30), (1, 45), (2, 60)):
        hand.play(c.Wager(seat, to))
    keys = [(fact.key, fact.verdict, fact.rule) for fact in hand.facts if isinstance(fact, Ruled)]
    assert keys == [("completion", "no-raise", "3"), ("raise_cap", "capped", "3")]
    assert [fact.verb for fact in hand.facts if isinstance(fact, Wagered)] == ["completion", "raise", "raise", "raise"]


def test_a_round_checked_through_ends_with_the_last_player() -> None:
    hand = on_fourth(BIG)
    checked_through(hand)
    assert hand.awaits == "deal"
    assert hand.street == 4
