"""Betting in fixed limit: completions, raises, the cap, all-ins that count and all-ins that do not."""

from tests.support.hands import deal, third
from tests.support.parts.stud import BetReturned, Hand, IllegalAction, Ruled, Stakes, Wagered, c
from tests.support.refusals import refused

ROUND = Stakes(ante=1, bring_in=3, small_bet=10, big_bet=20)


def sizes(hand: Hand) -> tuple[str, tuple[int, ...]]:
    return hand.turn.verb, hand.turn.sizes


def on_fourth(stacks: dict[int, int], stakes: Stakes = ROUND) -> Hand:
    """Everyone in for the bring-in of 3; seat 2 opens fourth street with JT."""
    hand = third(stacks, stakes=stakes)
    hand.play(c.BringIn(1))
    while hand.turn is not None:
        hand.play(c.Call(hand.turn.seat))
    deal(hand, 4)
    return hand


def test_several_short_all_ins_add_up_to_a_raise_that_reopens() -> None:
    hand = on_fourth({1: 500, 2: 500, 3: 18, 4: 20})
    hand.play(c.Wager(2, 10))
    hand.play(c.Wager(3, 14))
    hand.play(c.Wager(4, 16))
    hand.play(c.Call(1))
    assert sizes(hand) == ("raise-to", (26,))


def test_the_part_of_an_ante_that_nobody_could_match_goes_back() -> None:
    hand = third({1: 2, 2: 500}, stakes=Stakes(ante=5, bring_in=5, small_bet=10, big_bet=20))
    assert hand.awaits == "deal"
    assert BetReturned(2, 3) in hand.facts
    assert hand.pot == 4


def test_with_an_open_pair_a_size_must_be_named_and_the_upper_one_ends_the_choice() -> None:
    hand = third({1: 500, 2: 500, 3: 500})
    hand.play(c.BringIn(1))
    hand.play(c.Call(2))
    hand.play(c.Call(3))
    deal(hand, 4, {1: "6h", 2: "Js", 3: "2d"})
    assert sizes(hand) == ("bet", (15, 30))
    refused(IllegalAction, "15 or 30", lambda: hand.play(c.Wager(2)))
    hand.play(c.Wager(2, 15))
    assert sizes(hand) == ("raise-to", (30, 45))
    hand.play(c.Wager(3, 45))
    assert sizes(hand) == ("raise-to", (75,))


def test_the_ruling_on_a_completion_and_on_the_cap_cite_their_rule() -> None:
    hand = third({1: 500, 2: 500, 3: 500})
    hand.play(c.BringIn(1))
    hand.play(c.Wager(2, 15))
    for seat, to in ((3, 30), (1, 45), (2, 60)):
        hand.play(c.Wager(seat, to))
    keys = [(fact.key, fact.verdict, fact.rule) for fact in hand.facts if isinstance(fact, Ruled)]
    assert keys == [("completion", "no-raise", "3"), ("raise_cap", "capped", "3")]
    assert [fact.verb for fact in hand.facts if isinstance(fact, Wagered)] == ["completion", "raise", "raise", "raise"]
