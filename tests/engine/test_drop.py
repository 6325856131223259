"""What the house takes: the sum, which pot gives it, and when a hand is free."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.notation import phh, phh_replay, phh_writing
from tests.support.hands import automatic, by_hand, called_down, third
from tests.support.parts.stud import DropTaken, DropTerms, Hand, IllegalAction, PotAwarded, c, drop
from tests.support.refusals import refused

TERMS = DropTerms(permille=50, caps=((2, 2), (4, 4)), promo=1, jackpot=1, promo_from=50, schedule=7)

terms = st.builds(
    DropTerms, permille=st.integers(0, 1000), caps=st.sampled_from(((), ((2, 0),), ((2, 3), (4, 5), (7, 10)))),
    unit=st.sampled_from((1, 2, 5, 25)), rounding=st.sampled_from(drop.ROUNDINGS), promo=st.integers(0, 10),
    jackpot=st.integers(0, 10), promo_from=st.integers(0, 100),
)  # fmt: skip
pots_of_a_hand = st.lists(st.integers(1, 2_000), min_size=1, max_size=5)


def taken_in(hand: Hand) -> list[DropTaken]:
    return [fact for fact in hand.facts if isinstance(fact, DropTaken)]


def chips_of(hand: Hand) -> int:
    return sum(player.stack for player in hand.players)


@given(terms, st.integers(2, 8), pots_of_a_hand)
def test_no_pot_gives_more_than_it_holds_and_no_chip_is_lost(terms: DropTerms, players: int, pots: list[int]) -> None:
    fact = drop.drop_from_pots(terms, players=players, pots=pots)
    assert sum(fact.pots) == fact.total == fact.rake + fact.promo + fact.jackpot
    assert len(fact.pots) == len(pots)
    assert all(0 <= given <= pot for given, pot in zip(fact.pots, pots, strict=True))
    assert DropTerms(**dict(terms.as_pairs())) == terms
    caps = (terms.cap(players), terms.promo, terms.jackpot)
    for part, cap in zip((fact.rake, fact.promo, fact.jackpot), caps, strict=True):
        assert cap is None or part <= cap


@given(terms, st.integers(2, 8), pots_of_a_hand, st.integers(0, 500))
def test_the_rake_grows_with_the_pot_whatever_its_layers(
    terms: DropTerms, players: int, pots: list[int], more: int
) -> None:
    whole = sum(pots)
    layered, small, great = (
        drop.drop_from_pots(terms, players=players, pots=each) for each in (pots, [whole], [whole + more])
    )
    assert (layered.rake, layered.promo, layered.jackpot) == (small.rake, small.promo, small.jackpot)
    assert small.rake <= great.rake
    assert small.total <= great.total


def test_each_pot_gives_its_share_of_the_rake() -> None:
    assert drop.drop_from_pots(DropTerms(permille=100), players=3, pots=[55, 45]).pots == (6, 4)
    assert drop.drop_from_pots(DropTerms(promo=8, jackpot=5), players=3, pots=[10, 100]).pots == (10, 3)


def hand_after_acts(seats: int, terms: DropTerms, *acts: type[c.Command]) -> Hand:
    """The first of so many players does the first of these on third street, the next the next."""
    hand = third(dict.fromkeys(range(1, seats + 1), 500), drop=terms)
    for act in acts:
        hand.play(act(hand.to_act))
    return hand


def test_the_cap_is_that_of_the_players_dealt_in_and_not_of_those_who_stay() -> None:
    hand = hand_after_acts(4, DropTerms(permille=500, caps=((2, 2), (4, 4))), c.BringIn, c.Fold, c.Fold)
    called_down(hand)
    assert taken_in(hand)[0].rake == 4


#: Half of three antes and three times five is 9: what nobody called went back. Half of two antes is 1.
@pytest.mark.parametrize(("seats", "terms", "acts", "rake", "why"), [
    (4, TERMS, [c.BringIn], 0, "no-call"),
    (4, TERMS, [c.BringIn, c.Wager], 0, "no-call"),
    (3, DropTerms(permille=500), [c.BringIn, c.Call, c.Wager], 9, ""),
    (2, DropTerms(permille=500, is_free_without_call=False), [c.BringIn], 1, ""),
    (2, DropTerms(permille=1000, is_free_without_call=False), [c.BringIn], 2, ""),
], ids=["the bring-in alone", "a completion", "a call", "half without a call", "all without a call"])  # fmt: skip
def test_a_hand_that_ends_on_third_street_without_a_call_is_free(
    seats: int, terms: DropTerms, acts: list[type[c.Command]], rake: int, why: str
) -> None:
    hand = hand_after_acts(seats, terms, *acts)
    while not hand.is_over:
        hand.play(c.Fold(hand.to_act))
    (fact,) = taken_in(hand)
    assert (hand.street, fact.rake, fact.total, fact.why) == (3, rake, rake, why)
    assert any(isinstance(fact, PotAwarded) for fact in hand.facts) == (terms.permille < 1000)
    assert chips_of(hand) == 500 * seats - rake


def test_a_call_that_was_taken_back_is_none_and_a_misdeal_takes_nothing() -> None:
    hand = hand_after_acts(2, TERMS, c.BringIn)
    mark = len(hand.facts)
    hand.play(c.Call(hand.to_act))
    hand.play(c.Reverse(mark, "it was a fold"))
    hand.play(c.Fold(hand.to_act))
    assert taken_in(hand)[0].why == "no-call"
    hand = hand_after_acts(2, TERMS)
    hand.void("misdeal")
    assert (taken_in(hand), chips_of(hand)) == ([], 1_000)


def test_side_pots_are_awarded_net_of_what_each_gave() -> None:
    hand = third({1: 11, 2: 500, 3: 500}, drop=DropTerms(permille=100))
    for command in (c.BringIn(1), c.Wager(2, 15), c.Call(3), c.Call(1)):
        hand.play(command)
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
    text = phh_writing.dump(hand.facts)
    assert "_rake = 1\n" in text
    (recording,) = phh.loads(text).values()
    assert recording.drop == TERMS
    assert phh_replay.replay(recording).matches is True
    refused(phh.PhhError, "_drop", lambda: phh.loads(text.replace("permille = 50", "permille = 5000")))
