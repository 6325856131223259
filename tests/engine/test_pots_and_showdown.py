"""Side pots, who shows, who may muck, and where odd chips go."""

import pytest

from games.engine import commands as c
from games.engine.errors import IllegalAction
from games.engine.facts import HandMucked, HandShown, HandTabled, PotAwarded, ShowdownOpened
from games.engine.hand import Hand
from games.engine.pots import layers, split, uncalled
from games.engine.state import SeatState
from tests.support.hands import called_down, checked_through, deal, one_step, third


def seats(*totals: int, folded: tuple[int, ...] = ()) -> list[SeatState]:
    players = []
    for seat, total in enumerate(totals, start=1):
        player = SeatState(seat, 0, is_absent=False)
        player.total = total
        player.is_live = seat not in folded
        players.append(player)
    return players


def test_all_ins_make_a_pot_for_every_level() -> None:
    players = seats(10, 30, 70, 70)
    assert layers(players, 180) == ((40, (1, 2, 3, 4)), (60, (2, 3, 4)), (80, (3, 4)))


def test_folded_chips_stay_in_the_pots_they_reached() -> None:
    players = seats(10, 30, 50, 50, folded=(3,))
    assert layers(players, 140) == ((40, (1, 2, 4)), (60, (2, 4)), (40, (4,)))


def test_a_layer_whose_contributors_all_died_goes_to_the_layer_below() -> None:
    players = seats(10, 30, 70, 70, folded=(3, 4))
    assert layers(players, 180) == ((40, (1, 2)), (140, (2,)))


def test_chips_that_one_seat_alone_put_in_are_uncalled() -> None:
    assert uncalled(seats(10, 40, 25)) == (2, 15)
    assert uncalled(seats(40, 40, 25)) == (0, 0)


def test_odd_chips_go_one_each_from_the_best_suited_hand_down() -> None:
    assert split(302, [3, 1, 2]) == [(3, 101, 1), (1, 101, 1), (2, 100, 0)]


def test_a_beaten_hand_is_mucked_unseen_and_the_last_aggressor_shows_first() -> None:
    hand = third({1: 500, 2: 500})
    hand.play(c.BringIn(1))
    hand.play(c.Call(2))
    for street in (4, 5, 6):
        deal(hand, street)
        checked_through(hand)
    deal(hand, 7, {1: "4h", 2: "Jd"})
    hand.play(c.Check(1))
    hand.play(c.Wager(2, 30))
    facts = hand.play(c.Call(1))
    assert ShowdownOpened((2, 1)) in facts
    assert [fact.seat for fact in facts if isinstance(fact, HandShown)] == [2]
    assert HandMucked(1) in facts
    assert hand.seats[2].won == 2 + 10 + 60


def test_a_hand_shown_names_the_five_that_play() -> None:
    hand = third({1: 500, 2: 500})
    called_down(hand)
    shown = {fact.seat: fact for fact in hand.facts if isinstance(fact, HandShown)}
    assert shown[1].words == "pair of kings"
    assert shown[1].five == ("Ks", "Kd", "As", "6h", "5d")
    assert len(shown[1].cards) == 7


def test_when_no_more_betting_is_possible_every_live_hand_is_shown() -> None:
    hand = third({1: 6, 2: 6, 3: 6})
    called_down(hand)
    assert {fact.seat for fact in hand.facts if isinstance(fact, HandShown)} == {1, 2, 3}


def test_a_tournament_turns_the_hands_up_as_soon_as_nobody_can_bet() -> None:
    hand = third({1: 6, 2: 6, 3: 500}, setting="tournament")
    hand.play(c.BringIn(1))
    hand.play(c.Call(2))
    facts = hand.play(c.Call(3))
    assert [fact.seat for fact in facts if isinstance(fact, HandTabled)] == [1, 2, 3]
    called_down(hand)
    assert sum(isinstance(fact, HandTabled) for fact in hand.facts) == 3


def bet_over_an_all_in(setting: str) -> Hand:
    """Seat 3 is all-in and out-drawn; seats 1 and 2 bet a side pot to the end, and seat 2 is beaten."""
    hand = third({1: 500, 2: 500, 3: 16}, setting=setting)
    hand.play(c.Wager(1, 15))
    for seat in (2, 3):
        hand.play(c.Call(seat))
    while not hand.is_over:
        turn = hand.turn
        first = turn is not None and turn.sizes and not hand.acts
        hand.play(c.Wager(turn.seat, turn.sizes[0])) if turn and first else one_step(hand)
    return hand


@pytest.mark.parametrize(("setting", "mucked"), [("cash", True), ("tournament", False)])
def test_in_a_tournament_every_hand_is_tabled_once_one_is_all_in(setting: str, mucked: bool) -> None:
    hand = bet_over_an_all_in(setting)
    shown = {fact.seat for fact in hand.facts if isinstance(fact, HandShown)}
    assert len(hand.pots) == 2
    assert any(isinstance(fact, HandMucked) for fact in hand.facts) is mucked
    assert mucked or shown == {1, 2, 3}


def test_the_short_stack_wins_the_main_pot_and_the_others_play_for_the_side_pot() -> None:
    hand = third({1: 11, 2: 500, 3: 500})
    hand.play(c.BringIn(1))
    hand.play(c.Wager(2, 15))
    hand.play(c.Call(3))
    hand.play(c.Call(1))
    called_down(hand)
    awards = [(fact.pot, fact.seat, fact.amount) for fact in hand.facts if isinstance(fact, PotAwarded)]
    assert awards == [(0, 1, 33), (1, 2, 10)]


def test_players_who_show_by_themselves_show_in_order_and_the_last_one_left_need_not() -> None:
    hand = third({1: 500, 2: 500}, is_hand_shown=True)
    while hand.phase != "show":
        one_step(hand)
    first = hand.to_act
    hand.play(c.Muck(first))
    assert hand.is_over
    assert not any(isinstance(fact, HandShown) for fact in hand.facts)
    with pytest.raises(IllegalAction, match="over"):
        hand.play(c.Show(first))
