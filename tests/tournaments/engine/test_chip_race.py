"""The chip race: who wins a chip, who is saved by one, and what becomes of the chips at the table."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.parts.event_rules import IllegalCommand, chip_race
from tests.support.refusals import refused

DENOMINATIONS = st.sampled_from([(5, 25), (25, 100), (100, 500), (500, 1_000), (25, 50)])


def test_whole_chips_change_up_and_the_odd_ones_are_raced() -> None:
    # Odd chips of 25: three, one, two and none: 150, so one chip of 100 and one more for the half that is left.
    race = chip_race.race({8: 400, 5: 350, 1: 575, 2: 125}, 25, 100, ["2c", "Kd", "5h", "Ks", "Ah", "3d"])
    assert race.chips == 2
    assert {one.seat: one.cards for one in race.raced} == {1: ("2c", "Kd", "5h"), 2: ("Ks",), 5: ("Ah", "3d"), 8: ()}
    assert {one.seat: one.after for one in race.raced} == {1: 500, 2: 200, 5: 400, 8: 400}
    assert [one.seat for one in race.raced if one.has_won] == [2, 5]
    assert (race.rounding, race.saved, race.rule) == (50, 0, "TDA 24")
    assert race.why == (
        "6 odd chips of 25 at the table are worth 150, raced for 2 chips of 100, one to a player at most."
    )


def test_the_suit_decides_between_cards_of_one_rank_and_nobody_is_raced_out() -> None:
    for cards, winner in ((["Kh", "Ks"], 2), (["Kd", "Kc"], 1), (["Qs", "Kc"], 2), (["Ac", "Ks"], 1)):
        race = chip_race.race({1: 125, 2: 125}, 25, 100, cards)
        assert [one.seat for one in race.raced if one.has_won] == [winner]
    race = chip_race.race({1: 75, 2: 425, 3: 25}, 25, 100, ["2c", "3c", "4c", "As", "2d"])
    assert {one.seat: (one.after, one.has_won, one.is_saved) for one in race.raced} == {
        1: (100, False, True), 2: (500, True, False), 3: (100, False, True),
    }  # fmt: skip
    assert (race.chips, race.saved) == (1, 200)


@given(st.data(), DENOMINATIONS, st.integers(0, 2**64 - 1))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_race_keeps_the_chips_but_for_the_rounding_and_those_saved(
    data: st.DataObject, chips: tuple[int, int], seed: int
) -> None:
    leaving, following = chips
    counts = data.draw(st.dictionaries(st.integers(1, 8), st.integers(0, 60)))
    stacks = {seat: count * leaving for seat, count in counts.items()}
    needed = chip_race.odd_chips(stacks, leaving, following)
    race = chip_race.race(stacks, leaving, following, chip_race.deal(needed, seed=seed))
    after = {one.seat: one.after for one in race.raced}
    assert sum(after.values()) == sum(stacks.values()) + race.rounding + race.saved
    assert -following < 2 * race.rounding <= following
    assert set(after) == set(stacks)
    for one in race.raced:
        assert (one.after % following, bool(one.after)) == (0, bool(one.before))
        assert abs(one.after - one.before) < following
        assert len(one.cards) == one.odd
        assert not (one.has_won and one.is_saved)
        assert one.odd or not (one.has_won or one.is_saved)
    assert sum(one.has_won for one in race.raced) == race.chips
    best = {one.seat: max(map(chip_race.DECK.index, one.cards)) for one in race.raced if one.cards}
    won = [best[one.seat] for one in race.raced if one.has_won]
    lost = [best[one.seat] for one in race.raced if one.cards and not one.has_won]
    assert not won or not lost or min(won) > max(lost)


@pytest.mark.parametrize(("stacks", "chips", "cards", "code", "words"), [
    ({1: 100}, (100, 250), [], "not-a-multiple", ""), ({1: 100}, (100, 100), [], "not-a-multiple", ""),
    ({1: 100}, (0, 100), [], "not-a-multiple", ""), ({1: 110}, (25, 100), [], "wrong-count", ""),
    ({1: -25}, (25, 100), [], "wrong-count", ""),
    ({2: 500, 4: 1_010}, (25, 100), [], "wrong-count",
     "Seat 4 has 1010, which chips of 25 and more cannot make: count it again"),
    ({1: 125}, (25, 100), [], "wrong-number-of-cards", ""),
    ({1: 125}, (25, 100), ["As", "Ks"], "wrong-number-of-cards", ""),
    ({1: 150}, (25, 100), ["As", "As"], "wrong-card", ""),
    ({1: 125}, (25, 100), ["1s"], "wrong-card", ""),
    (dict.fromkeys(range(1, 9), 95), (5, 100), [], "too-many-odd-chips", ""),
])  # fmt: skip
def test_a_race_that_cannot_be_held_is_refused(stacks, chips, cards, code, words) -> None:
    refusal = refused(IllegalCommand, chip_race.race, stacks, *chips, cards)
    assert (refusal.code, refusal.rule, words in refusal.message) == (code, "TDA 24", True)


def test_the_same_seed_deals_the_same_cards_and_each_once() -> None:
    cards = chip_race.deal(52, seed=9)
    assert (chip_race.deal(52, seed=9), sorted(cards)) == (cards, sorted(chip_race.DECK))
    assert chip_race.deal(5, seed=10) != cards[:5]
