"""ICM against an independent sum over orders of finish, in fractions; its sums, symmetry and speed with twenty."""

import random
import time
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import refused
from tournaments.engine.prizes import deals


def by_definition(stacks: list[int], prizes: list[int]) -> list[Fraction]:
    """Malmuth-Harville as it is told: the next place goes to one of those left, by his part of their chips."""
    players = len(stacks)
    prizes = [*prizes, *[0] * (players - len(prizes))]

    @cache
    def chance(gone: int) -> Fraction:
        """That the first places go to just these players, in any order."""
        if not gone:
            return Fraction(1)
        chips = sum(stack for player, stack in enumerate(stacks) if not gone >> player & 1)
        return sum(
            (
                chance(gone ^ 1 << player) * Fraction(stack, chips + stack)
                for player, stack in enumerate(stacks)
                if gone >> player & 1
            ),
            Fraction(0),
        )

    values = [Fraction(0)] * players
    for gone in range(1 << players):
        left = [player for player in range(players) if not gone >> player & 1]
        chips = sum(stacks[player] for player in left)
        for player in left:
            values[player] += chance(gone) * Fraction(stacks[player], chips) * prizes[players - len(left)]
    return values


def rounded(values: list[Fraction], total: int, unit: int = 1) -> tuple[int, ...]:
    """Down to the unit, then one each by the largest remainder, in order; the rest to the largest."""
    units = [value / unit for value in values]
    amounts = [value.__floor__() for value in units]
    order = sorted(range(len(values)), key=lambda player: (amounts[player] - units[player], player))
    for player in order[: total // unit - sum(amounts)]:
        amounts[player] += 1
    amounts = [amount * unit for amount in amounts]
    amounts[values.index(max(values))] += total % unit
    return tuple(amounts)


small_stacks = st.lists(st.integers(1, 12), min_size=1, max_size=7)
any_stacks = st.lists(st.integers(1, 10**12), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None)
@given(stacks=st.one_of(small_stacks, any_stacks), data=st.data())
def test_shares_are_those_of_the_model_as_it_is_told(stacks: list[int], data: st.DataObject) -> None:
    prizes = data.draw(st.lists(st.integers(0, 200), max_size=len(stacks)))
    unit = data.draw(st.sampled_from([1, 1, 5, 25]))
    expected = rounded(by_definition(stacks, prizes), sum(prizes), unit)
    assert (deals.icm_shares(stacks, prizes, unit), sum(expected)) == (expected, sum(prizes))


@pytest.mark.parametrize(("stacks", "prizes", "expected"), [
    ([5000, 3000, 2000], [5000, 3000, 2000], (3839, 3275, 2886)),  # as ICM calculators give it
    ([3000, 1000], [360, 300], (345, 315)),  # the least is theirs anyhow, and 60 more are played for
    ([500], [77], (77,)),
    ([1, 10**9, 7], [50, 50, 50], (50, 50, 50)),  # equal prizes are everybody's, whatever the chips
])  # fmt: skip
def test_a_worked_example_holds(stacks: list[int], prizes: list[int], expected: tuple[int, ...]) -> None:
    assert deals.icm_shares(stacks, prizes) == expected


def test_a_unit_left_between_equal_remainders_goes_to_the_first() -> None:
    assert deals.icm_shares([1, 1], [3]) == (2, 1)
    assert deals.icm_shares([3, 1], [2]) == (2, 0)  # 1.5 and 0.5: unequal stacks, equal remainders
    assert deals.icm_shares([1, 3], [2]) == (1, 1)


TWENTY = random.Random(20).sample(range(1, 10**7), 20)
LADDER = [1_000_000 // place for place in range(1, 21)]


def test_twenty_unequal_stacks_take_less_than_a_second_and_more_chips_are_never_worth_less() -> None:
    begun = time.process_time()
    amounts = deals.icm_shares(TWENTY, LADDER)
    assert time.process_time() - begun < 1
    assert sum(amounts) == sum(LADDER)
    by_stack = [amount for _, amount in sorted(zip(TWENTY, amounts, strict=True))]
    assert by_stack == sorted(by_stack)
    assert all(LADDER[-1] < amount < LADDER[0] for amount in amounts)


def test_the_order_of_unequal_players_changes_nothing() -> None:
    stacks, order = TWENTY[:14], random.Random(4).sample(range(14), 14)
    amounts = deals.icm_shares(stacks, LADDER[:14])
    assert deals.icm_shares([stacks[player] for player in order], LADDER[:14]) == tuple(
        amounts[player] for player in order
    )


def test_twenty_equal_stacks_share_evenly() -> None:
    assert deals.icm_shares([700] * 20, [1010, 1005]) == (*[101] * 15, *[100] * 5)
    assert deals.icm_shares([700] * 20, [1000, 1000]) == (100,) * 20


def test_twenty_players_agree_with_the_model_for_few_prizes() -> None:
    """Two prizes among twenty need no sets of players: first by chips, second by chips of those left."""
    chips = sum(TWENTY)
    values = [
        Fraction(stack, chips) * 1_000_003
        + sum(
            Fraction(other, chips) * Fraction(stack, chips - other)
            for index, other in enumerate(TWENTY)
            if index != player
        )
        * 654_321
        for player, stack in enumerate(TWENTY)
    ]
    assert deals.icm_shares(TWENTY, [1_000_003, 654_321]) == rounded(values, 1_654_324)


def test_twenty_stacks_of_three_sizes_are_rounded_as_fractions_would_be() -> None:
    """Integers come out where a bracket cannot tell: the exact way must then decide, and quickly."""
    stacks = [1] * 8 + [2] * 8 + [4] * 4
    begun = time.process_time()
    amounts = deals.icm_shares(stacks, [40 * 100])  # first takes all: exactly 100, 200 and 400
    assert amounts == (*[100] * 8, *[200] * 8, *[400] * 4)
    assert sum(deals.icm_shares(stacks, LADDER)) == sum(LADDER)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize(("stacks", "prizes", "code", "words"), [
    ([10] * 21, [100], "icm-players", "chip-chop"),
    ([], [], "icm-players", "at least one"),
    ([10, 0, 5], [100], "icm-stack", "Player 2"),
    ([10, 5], [5, 4, 3], "icm-prizes", "3 prizes for 2 players"),
    ([10, 5], [5, -1], "icm-prizes", "below 0"),
])  # fmt: skip
def test_what_cannot_be_valued_is_refused(stacks: list[int], prizes: list[int], code: str, words: str) -> None:
    with refused(code, words):
        deals.icm_shares(stacks, prizes)
