"""What the house takes: the sum, which pot gives it, and when a hand is free."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.notation import files, phh
from tests.support.hands import automatic, by_hand, called_down, third
from tests.support.parts.stud import DropTaken, DropTerms, Hand, IllegalAction, PotAwarded, c, drop
from tests.support.refusals import refused

TERMS = DropTerms(permille=50, caps=((2, 2), (4, 4)), promo=1, jackpot=1, promo_from=50, schedule=7)

terms = st.builds(
    DropTerms,
    permille=st.integers(0, 1000),
    caps=st.sampled_from(((), ((2, 0),), ((2, 3), (4, 5), (7, 10)))),
    unit=st.sampled_from((1, 2, 5, 25)),
    rounding=st.sampled_from(drop.ROUNDINGS),
    promo=st.integers(0, 10),
    jackpot=st.integers(0, 10),
    promo_from=st.integers(0, 100),
)
pots_of_a_hand = st.lists(st.integers(1, 2_000), min_size=1, max_size=5)


def taken_in(hand: Hand) -> list[DropTaken]:
    return [fact for fact in hand.facts if isinstance(fact, DropTaken)]


def chips_of(hand: Hand) -> int:
    return sum(player.stack for player in hand.players)


@given(terms, st.integers(2, 8), pots_of_a_hand)
def test_no_pot_gives_more_than_it_holds_and_no_chip_is_lost(terms: DropTerms, players: int, pots: list[int]) -> None:
    fact = drop.taken(terms, players=players, pots=pots)
    assert sum(fact.pots) == fact.total == fact.rake + fact.promo + fact.jackpot
    assert len(fact.pots) == len(pots)
    assert all(0 <= given <= pot for given, pot in zip(fact.pots, pots, strict=True))
    assert DropTerms(**dict(terms.told())) == terms
    cap = terms.cap(players)
    assert cap is None or fact.rake <= cap
    assert fact.promo <= terms.promo
    assert fact.jackpot <= terms.jackpot


@given(terms, st.integers(2, 8), st.integers(0, 3_000), st.integers(0, 500))
def test_a_greater_pot_never_gives_less(terms: DropTerms, players: int, pot: int, more: int) -> None:
    small = drop.taken(terms, players=players, pots=[pot])
    great = drop.taken(terms, players=players, pots=[pot + more])
    assert small.rake <= great.rake
    assert small.total <= great.total


@given(terms, st.integers(2, 8), pots_of_a_hand)
def test_how_a_pot_is_layered_does_not_change_the_sum(terms: DropTerms, players: int, pots: list[int]) -> None:
    layered, whole = (drop.taken(terms, players=players, pots=each) for each in (pots, [sum(pots)]))
    assert (layered.rake, layered.promo, layered.jackpot) == (whole.rake, whole.promo, whole.jackpot)


def test_each_pot_gives_of_the_rake_by_its_share_and_the_main_pot_gives_what_is_left_over() -> None:
    assert drop.taken(DropTerms(permille=100), players=3, pots=[55, 45]).pots == (6, 4)
    assert drop.taken(DropTerms(promo=8, jackpot=5), players=3, pots=[10, 100]).pots == (10, 3)


def test_the_cap_is_that_of_the_players_dealt_in_and_not_of_those_who_stay() -> None:
    hand = third({1: 500, 2: 500, 3: 500, 4: 500}, drop=DropTerms(permille=500, caps=((2, 2), (4, 4))))
    hand.play(c.BringIn(hand.to_act))
    for _ in range(2):
        hand.play(c.Fold(hand.to_act))
    called_down(hand)
    assert taken_in(hand)[0].rake == 4


@pytest.mark.parametrize("is_completed", [False, True])
def test_a_hand_that_ends_on_third_street_without_a_call_is_free(is_completed: bool) -> None:
    hand = third({1: 500, 2: 500, 3: 500, 4: 500}, drop=TERMS)
    hand.play(c.BringIn(hand.to_act))
    if is_completed:
        hand.play(c.Wager(hand.to_act))
    while not hand.is_over:
        hand.play(c.Fold(hand.to_act))
    (fact,) = taken_in(hand)
    assert (fact.total, fact.why, chips_of(hand)) == (0, "no-call", 2_000)


def test_a_bring_in_that_was_called_makes_it_a_hand_to_rake_even_if_it_ends_there() -> None:
    hand = third({1: 500, 2: 500, 3: 500}, drop=DropTerms(permille=500))
    hand.play(c.BringIn(hand.to_act))
    hand.play(c.Call(hand.to_act))
    hand.play(c.Wager(hand.to_act))
    while not hand.is_over:
        hand.play(c.Fold(hand.to_act))
    (fact,) = taken_in(hand)
    assert hand.street == 3
    assert (fact.rake, fact.why) == (9, "")  # three antes and three times 5; what nobody called went back


@pytest.mark.parametrize(("permille", "rake"), [(500, 1), (1000, 2)])
def test_where_the_terms_say_so_a_hand_without_a_call_is_raked_too_up_to_all_of_its_pot(permille, rake) -> None:
    hand = third({1: 500, 2: 500}, drop=DropTerms(permille=permille, is_free_without_call=False))
    hand.play(c.BringIn(hand.to_act))
    hand.play(c.Fold(hand.to_act))
    assert taken_in(hand)[0].rake == rake  # of the two antes: the bring-in went back uncalled
    assert any(isinstance(fact, PotAwarded) for fact in hand.facts) == (rake < 2)
    assert chips_of(hand) == 1_000 - rake


def test_a_call_that_was_taken_back_is_none_and_a_misdeal_takes_nothing() -> None:
    hand = third({1: 500, 2: 500}, drop=TERMS)
    hand.play(c.BringIn(hand.to_act))
    mark = len(hand.facts)
    hand.play(c.Call(hand.to_act))
    hand.play(c.Reverse(mark, "it was a fold"))
    hand.play(c.Fold(hand.to_act))
    assert taken_in(hand)[0].why == "no-call"
    hand = third({1: 500, 2: 500}, drop=TERMS)
    hand.void("misdeal")
    assert (taken_in(hand), chips_of(hand)) == ([], 1_000)


def test_side_pots_are_awarded_net_of_what_each_gave() -> None:
    hand = third({1: 11, 2: 500, 3: 500}, drop=DropTerms(permille=100))
    hand.play(c.BringIn(1))
    hand.play(c.Wager(2, 15))
    hand.play(c.Call(3))
    hand.play(c.Call(1))
    called_down(hand)
    awards = [(fact.pot, fact.seat, fact.amount) for fact in hand.facts if isinstance(fact, PotAwarded)]
    assert taken_in(hand)[0].pots == (4, 0)  # 4 of 43: 3 and 0 by their shares, and the chip left over
    assert awards == [(0, 1, 29), (1, 2, 10)]


def test_the_automatic_dealer_and_a_person_drop_alike() -> None:
    for begin in (automatic, third):
        hand = begin({1: 500, 2: 500, 3: 500, 4: 500}, drop=TERMS)
        called_down(hand)
        assert [fact.total for fact in taken_in(hand)] == [1]


def test_a_tournament_never_has_a_drop_and_terms_that_make_no_sense_are_refused() -> None:
    for wrong in ({"permille": 1001}, {"unit": 0}, {"rounding": "away"}, {"promo": -1}):
        refused(ValueError, "no terms", DropTerms, **wrong)
    refused(IllegalAction, "cash games", by_hand, {1: 500, 2: 500}, setting="tournament", drop=TERMS)


def test_a_recording_carries_the_terms_and_replays_to_the_same_stacks() -> None:
    hand = automatic({1: 500, 2: 40, 3: 500, 4: 500}, drop=TERMS)
    called_down(hand)
    text = files.dump(hand.facts)
    assert "_rake = 1\n" in text
    (recording,) = phh.loads(text).values()
    assert recording.drop == TERMS
    assert phh.replay(recording).matches is True
    refused(phh.PhhError, "_drop", lambda: phh.loads(text.replace("permille = 50", "permille = 5000")))
