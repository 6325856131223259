"""Side pots, who shows, who may muck, and where odd chips go."""

import doctest
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import drop as drops
from games.engine.in_play import halves, layers, split, uncalled_chips
from tests.support.hands import STAKES, by_hand, called_down, deal, one_step, round_called, third
from tests.support.parts.stud import DropTerms, IllegalAction, SeatState, Stakes, c, in_play, play
from tests.support.refusals import refused


def seats(*totals: int, folded: tuple[int, ...] = ()) -> list[SeatState]:
    players = [SeatState(seat, 0, is_absent=False) for seat in range(1, len(totals) + 1)]
    for player, total in zip(players, totals, strict=True):
        player.total, player.is_live = total, player.seat not in folded
    return players


@pytest.mark.parametrize(("totals", "folded", "pots"), [
    ((10, 30, 70, 70), (), ((40, (1, 2, 3, 4)), (60, (2, 3, 4)), (80, (3, 4)))),
    ((10, 30, 50, 50), (3,), ((40, (1, 2, 4)), (60, (2, 4)), (40, (4,)))),  # folded chips stay
    ((10, 30, 70, 70), (3, 4), ((40, (1, 2)), (140, (2,)))),  # a layer of none but dead goes to the one below
])  # fmt: skip
def test_all_ins_make_a_pot_for_every_level(totals, folded, pots) -> None:
    assert layers(seats(*totals, folded=folded), sum(totals)) == pots


def test_chips_that_one_seat_alone_put_in_are_uncalled_of_an_ante_too() -> None:
    assert (uncalled_chips(seats(10, 40, 25)), uncalled_chips(seats(40, 40, 25))) == ((2, 15), (0, 0))
    hand = third({1: 2, 2: 500}, stakes=Stakes(ante=5, bring_in=5, small_bet=10, big_bet=20))
    assert (hand.awaits, hand.pot, play.BetReturned(2, 3) in hand.facts) == ("deal", 4, True)


def test_several_short_all_ins_add_up_to_a_raise_that_reopens() -> None:
    hand = third({1: 500, 2: 500, 3: 18, 4: 20}, stakes=Stakes(ante=1, bring_in=3, small_bet=10, big_bet=20))
    round_called(hand)
    deal(hand, 4)
    for command in (c.Wager(2, 10), c.Wager(3, 14), c.Wager(4, 16), c.Call(1)):
        hand.play(command)
    assert (hand.turn.verb, hand.turn.sizes) == ("raise-to", (26,))


def test_a_wager_without_its_size_is_told_of_both_where_an_open_pair_leaves_two() -> None:
    hand = third({1: 500, 2: 500})
    round_called(hand)
    deal(hand, 4, {1: "6h", 2: "Js"})
    refused(IllegalAction, "15 or 30", hand.play, c.Wager(2))


def test_odd_chips_go_one_each_from_the_best_suited_hand_down() -> None:
    assert split(302, [3, 1, 2]) == [(3, 101, 1), (1, 101, 1), (2, 100, 0)]
    assert split(2300, [3, 1, 2], 100) == [(3, 800, 100), (1, 800, 100), (2, 700, 0)]
    assert split(1150, [3, 1], 100) == [(3, 650, 150), (1, 500, 0)]
    assert (split(1050, [3, 1], 100), halves(1150, 100)) == ([(3, 550, 50), (1, 500, 0)], (650, 500))


def test_the_examples_in_the_modules_are_true() -> None:
    for module, least in ((in_play, 2), (drops, 1)):
        done = doctest.testmod(module)
        assert (done.failed, done.attempted >= least) == (0, True)


@pytest.mark.parametrize(("stated", "stacks", "drop", "unit"), [
    (0, {1: 4_000, 2: 3_000}, None, 100),
    (0, {1: 4_000, 2: 3_050}, None, 50),
    (25, {1: 4_000, 2: 3_000}, None, 25),
    (0, {1: 4_000, 2: 3_000}, DropTerms(permille=50, unit=25, caps=((2, 150),)), 25),
    (0, {1: 4_000, 2: 3_000}, DropTerms(jackpot=10), 10),
    (100, {1: 4_000, 2: 3_000}, DropTerms(permille=50, unit=1), 1),
])  # fmt: skip
def test_the_smallest_chip_is_stated_or_the_greatest_that_fits(
    stated: int, stacks: dict[int, int], drop: DropTerms | None, unit: int
) -> None:
    hundreds = Stakes(ante=200, bring_in=500, small_bet=2_000, big_bet=4_000, unit=stated)
    assert by_hand(stacks, stakes=hundreds, drop=drop).started.unit == unit
    refused(IllegalAction, "smallest chip", lambda: by_hand({1: 500, 2: 500}, stakes=replace(STAKES, unit=-5)))


@given(st.integers(1, 10**6), st.integers(1, 8), st.sampled_from((1, 5, 25, 100)))
def test_a_split_gives_away_every_chip_and_differs_by_one_of_the_smallest(chips: int, count: int, unit: int) -> None:
    parts = split(chips, list(range(1, count + 1)), unit)
    assert (sum(amount for _, amount, _ in parts), len({amount - odd for _, amount, odd in parts})) == (chips, 1)
    more = [odd for _, _, odd in parts]
    more[0] -= chips % unit
    assert more == sorted(more, reverse=True)
    assert set(more) <= {0, unit}
    assert sum(halves(chips, unit)) == chips


def test_a_hand_shown_names_the_five_that_play() -> None:
    hand = third({1: 500, 2: 500})
    called_down(hand)
    shown = {fact.seat: fact for fact in hand.facts if isinstance(fact, play.HandShown)}
    assert (shown[1].words, shown[1].five) == ("pair of kings", ("Ks", "Kd", "As", "6h", "5d"))
    assert len(shown[1].cards) == 7


def test_a_beaten_hand_is_mucked_unseen_and_shown_where_its_player_shows_such() -> None:
    def shown_and_mucked(**changes: Any) -> list[tuple[str, int]]:
        hand = third({1: 500, 2: 500, 3: 500}, **changes)
        called_down(hand)
        return [(fact.kind, fact.seat) for fact in hand.facts if isinstance(fact, play.HandShown | play.HandMucked)]

    mucked = [seat for kind, seat in shown_and_mucked() if kind == "hand-mucked"]
    assert mucked
    shown = shown_and_mucked(shows_beaten=tuple(mucked))
    assert [kind for kind, _ in shown] == ["hand-shown"] * 3
    assert [seat for _, seat in shown] == [seat for _, seat in shown_and_mucked()], "the order is the same"


def test_a_tournament_turns_the_hands_up_as_soon_as_nobody_can_bet() -> None:
    hand = third({1: 6, 2: 6, 3: 500}, setting="tournament")
    hand.play(c.BringIn(1))
    hand.play(c.Call(2))
    facts = hand.play(c.Call(3))
    assert [fact.seat for fact in facts if isinstance(fact, play.HandTabled)] == [1, 2, 3]
    called_down(hand)
    assert sum(isinstance(fact, play.HandTabled) for fact in hand.facts) == 3


def test_players_who_show_by_themselves_show_in_order_and_the_last_one_left_need_not() -> None:
    hand = third({1: 500, 2: 500}, is_hand_shown=True)
    while hand.phase != "show":
        one_step(hand)
    first = hand.to_act
    hand.play(c.Muck(first))
    assert hand.is_over
    assert not any(isinstance(fact, play.HandShown) for fact in hand.facts)
    refused(IllegalAction, "over", lambda: hand.play(c.Show(first)))
