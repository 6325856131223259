"""Deals: ICM, chip-chop, even and as agreed; nothing is lost, and what is left to play for is kept."""

import random
import time
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import refused
from tests.support.events import config
from tests.support.parts.event_rules import BountyPart, BountyTerms, PayoutTerms, bounties, deals

PRIZES = (5000, 3000, 2000)
STACKS = (50_000, 30_000, 20_000)


@pytest.mark.parametrize(("kind", "stacks", "prizes", "play_for", "unit", "expected"), [
    ("icm", STACKS, PRIZES, 0, 1, (3839, 3275, 2886)),
    ("icm", STACKS, PRIZES, 1000, 1, deals.icm_shares(STACKS, (4000, 3000, 2000))),
    ("icm", STACKS, PRIZES, 0, 100, (3800, 3300, 2900)),
    ("chip", STACKS, PRIZES, 0, 1, (4000, 3200, 2800)),  # the least prize to each, and 4000 more by chips
    ("chip", STACKS, PRIZES, 1000, 1, (3500, 2900, 2600)),  # the same to each, and 3000 by chips
    ("chip", STACKS, (5020, 3000, 2000), 0, 100, (4020, 3200, 2800)),
    ("chip", STACKS, (600, 400), 0, 1, (500, 300, 200)),  # where not every place is paid the least is nothing
    ("chip", (1,) * 40, (5000, 3000), 0, 1, (200,) * 40),  # more than ICM can do
    ("even", STACKS, PRIZES, 1000, 1, (3000, 3000, 3000)),
    ("even", STACKS, (5000, 3000, 2001), 0, 1, (3334, 3334, 3333)),  # odd units go in order of entry
    ("even", STACKS, (50, 30, 20), 0, 1, (34, 33, 33)),
    ("even", (60, 40), PRIZES, 0, 1, (4000, 4000)),  # prizes already paid out are no part of it
])  # fmt: skip
def test_a_deal_comes_to_so_much(kind, stacks, prizes, play_for, unit, expected) -> None:
    assert deals.suggest(kind, stacks, prizes, play_for, unit) == expected


@given(
    stacks=st.lists(st.integers(1, 10**6), min_size=2, max_size=12),
    prizes=st.lists(st.integers(1, 10**5), min_size=1, max_size=15).map(lambda found: sorted(found, reverse=True)),
    kind=st.sampled_from(["icm", "chip", "even"]),
    unit=st.sampled_from([1, 5, 100]),
    data=st.data(),
)
def test_every_deal_shares_exactly_what_is_left(
    stacks: list[int], prizes: list[int], kind: str, unit: int, data: st.DataObject
) -> None:
    play_for = data.draw(st.integers(0, prizes[0]))
    amounts = deals.suggest(kind, stacks, prizes, play_for, unit)
    assert sum(amounts) == sum(prizes[: len(stacks)]) - play_for
    assert min(amounts) >= 0
    assert deals.suggest("custom", stacks, prizes, play_for, unit, amounts) == amounts


@given(stacks=st.lists(st.integers(1, 10**6), min_size=2, max_size=9), total=st.integers(9, 10**6))
def test_a_chip_chop_is_within_a_unit_of_the_chips_and_may_top_first_prize(stacks: list[int], total: int) -> None:
    for stack, amount in zip(stacks, deals.chip_chop(stacks, (total,)), strict=True):
        assert abs(amount - Fraction(stack * total, sum(stacks))) < 1
    assert deals.chip_chop((98, 1, 1), PRIZES)[0] == 5920 > PRIZES[0] > deals.icm((98, 1, 1), PRIZES)[0]


@pytest.mark.parametrize(("amounts", "play_for", "words"), [
    ((4000, 3500, 2600), 0, "10000 is to be shared: 100 too much"),
    ((4000, 3500, 2500), 500, "9500 is to be shared: 500 too much"),
    ((4000, 3500, 2400), 0, "100 too little"),
    ((11_000, 0, -1000), 0, "Nobody pays into a deal"),
    ((5000, 5000), 0, "2 amounts for 3 players"),
])  # fmt: skip
def test_agreed_amounts_that_do_not_sum_are_refused(amounts: tuple[int, ...], play_for: int, words: str) -> None:
    with refused("deal-amounts", words):
        deals.custom(STACKS, PRIZES, amounts, play_for)


@pytest.mark.parametrize(("kind", "stacks", "prizes", "play_for", "code", "words"), [
    ("icm", (5,), PRIZES, 0, "deal-players", "at least two"),
    ("icm", (5,) * 21, (100,) * 21, 0, "icm-players", "chip-chop"),
    ("even", (5, 0), PRIZES, 0, "deal-stack", "without chips"),
    ("even", (5, 5), (), 0, "deal-prizes", "no prize money"),
    ("chip", (5, 5), PRIZES, 5001, "deal-play-for", "0 to 5000"),
    ("even", (5, 5), PRIZES, -1, "deal-play-for", "0 to 5000"),
    ("fair", (5, 5), PRIZES, 0, "deal-kind", "icm, chip, even, custom"),
])  # fmt: skip
def test_a_deal_there_cannot_be_is_refused(kind, stacks, prizes, play_for, code, words) -> None:
    with refused(code, words):
        deals.suggest(kind, stacks, prizes, play_for)


def by_definition(stacks: list[int], prizes: list[int]) -> list[Fraction]:
    """Malmuth-Harville as it is told: the next place goes to one of those left, by the player's part of their chips."""
    players = len(stacks)
    prizes = [*prizes, *[0] * (players - len(prizes))]

    @cache
    def chance(gone: int) -> Fraction:
        """That the first places go to just these players, in any order."""
        if not gone:
            return Fraction(1)
        last = [player for player in range(players) if gone >> player & 1]
        chips = sum(stacks) - sum(stacks[player] for player in last)
        each = (chance(gone ^ 1 << one) * Fraction(stacks[one], chips + stacks[one]) for one in last)
        return sum(each, Fraction(0))

    values = [Fraction(0)] * players
    for gone in range(1 << players):
        left = [player for player in range(players) if not gone >> player & 1]
        chips = sum(stacks[player] for player in left)
        for player in left:
            values[player] += chance(gone) * Fraction(stacks[player], chips) * prizes[players - len(left)]
    return values


def round_by_remainder(values: list[Fraction], total: int, unit: int = 1) -> tuple[int, ...]:
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
    expected = round_by_remainder(by_definition(stacks, prizes), sum(prizes), unit)
    assert (deals.icm_shares(stacks, prizes, unit), sum(expected)) == (expected, sum(prizes))


@pytest.mark.parametrize(("stacks", "prizes", "expected"), [
    ([3000, 1000], [360, 300], (345, 315)),  # the least is theirs anyhow, and 60 more are played for
    ([500], [77], (77,)),
    ([1, 10**9, 7], [50, 50, 50], (50, 50, 50)),  # equal prizes are everybody's, whatever the chips
    ([700] * 20, [1010, 1005], (*[101] * 15, *[100] * 5)),
    ([700] * 20, [1000, 1000], (100,) * 20),
    ([1, 1], [3], (2, 1)),  # a unit left between equal remainders goes to the first
    ([3, 1], [2], (2, 0)),  # 1.5 and 0.5: unequal stacks, equal remainders
    ([1, 3], [2], (1, 1)),
])  # fmt: skip
def test_a_worked_example_holds(stacks: list[int], prizes: list[int], expected: tuple[int, ...]) -> None:
    assert deals.icm_shares(stacks, prizes) == expected


TWENTY = random.Random(20).sample(range(1, 10**7), 20)
LADDER = [1_000_000 // place for place in range(1, 21)]


def test_shares_of_twenty_unequal_stacks_take_less_than_a_second() -> None:
    begun = time.process_time()
    amounts = deals.icm_shares(TWENTY, LADDER)
    assert time.process_time() - begun < 1
    assert sum(amounts) == sum(LADDER)
    by_stack = [amount for _, amount in sorted(zip(TWENTY, amounts, strict=True))]
    assert by_stack == sorted(by_stack)
    assert all(LADDER[-1] < amount < LADDER[0] for amount in amounts)
    stacks, order = TWENTY[:14], random.Random(4).sample(range(14), 14)
    amounts = deals.icm_shares(stacks, LADDER[:14])
    shuffled = deals.icm_shares([stacks[player] for player in order], LADDER[:14])
    assert shuffled == tuple(amounts[player] for player in order)


def test_twenty_players_agree_with_the_model_for_few_prizes() -> None:
    """Two prizes among twenty need no sets of players: first by chips, second by chips of those left."""
    chips = sum(TWENTY)
    values = []
    for player, stack in enumerate(TWENTY):
        others = [other for index, other in enumerate(TWENTY) if index != player]
        second = sum(Fraction(other, chips) * Fraction(stack, chips - other) for other in others)
        values.append(Fraction(stack, chips) * 1_000_003 + second * 654_321)
    assert deals.icm_shares(TWENTY, [1_000_003, 654_321]) == round_by_remainder(values, 1_654_324)


def test_twenty_stacks_of_three_sizes_are_rounded_as_fractions_would_be() -> None:
    """Integers come out where a bracket cannot tell: the exact way must then decide, and quickly."""
    stacks = [1] * 8 + [2] * 8 + [4] * 4
    begun = time.process_time()
    amounts = deals.icm_shares(stacks, [40 * 100])  # first takes all: exactly 100, 200 and 400
    assert amounts == (*[100] * 8, *[200] * 8, *[400] * 4)
    assert sum(deals.icm_shares(stacks, LADDER)) == sum(LADDER)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize(("stacks", "prizes", "code", "words"), [
    ([], [], "icm-players", "at least one"),
    ([10, 0, 5], [100], "icm-stack", "Player 2"),
    ([10, 5], [5, 4, 3], "icm-prizes", "3 prizes for 2 players"),
    ([10, 5], [5, -1], "icm-prizes", "below 0"),
])  # fmt: skip
def test_what_cannot_be_valued_is_refused(stacks: list[int], prizes: list[int], code: str, words: str) -> None:
    with refused(code, words):
        deals.icm_shares(stacks, prizes)


FIXED = BountyTerms("fixed", 100)
PROGRESSIVE = BountyTerms("progressive", 100)


def test_eliminators_share_in_the_smallest_money_and_odd_units_go_in_order_of_entry() -> None:
    assert bounties.fixed_parts(100, 3) == (BountyPart(34), BountyPart(33), BountyPart(33))
    assert bounties.claim(FIXED, 100, [12, 1, 9]) == {1: BountyPart(34), 9: BountyPart(33), 12: BountyPart(33)}
    assert bounties.fixed_parts(10_000, 3, 500) == (BountyPart(3_500), BountyPart(3_500), BountyPart(3_000))
    assert bounties.progressive(75, 1) == (BountyPart(38, 37),)
    assert bounties.progressive(75, 2) == (BountyPart(19, 19), BountyPart(19, 18))
    assert bounties.progressive(2_500, 1, 500) == (BountyPart(1_500, 1_000),)
    assert bounties.claim(PROGRESSIVE, 2_500, [4, 2], 500) == {2: BountyPart(1_000, 500), 4: BountyPart(500, 500)}
    nobody_took_it = bounties.claim(FIXED, 100, []), bounties.winner(100, unclaimed=100)
    assert nobody_took_it == ({}, BountyPart(200))


@pytest.mark.parametrize(("kind", "bounty", "money", "unit"), [
    ("fixed", 2_500, 500, 500), ("fixed", 2_500, 1, 1), ("fixed", 250, 500, 1), ("fixed", 0, 500, 500),
    ("progressive", 500, 500, 1),  # one piece of it is halved all the same
    ("progressive", 1_000, 500, 500), ("progressive", 1_500, 500, 500),
])  # fmt: skip
def test_a_bounty_that_is_no_multiple_of_the_smallest_money_is_split_to_the_unit(kind, bounty, money, unit) -> None:
    assert config(payout=PayoutTerms(unit=money), bounty=BountyTerms(kind, bounty)).bounty_unit == unit


@pytest.mark.parametrize(("terms", "bounty", "by", "words"), [
    (BountyTerms(), 100, [1], "without bounties"), (FIXED, -1, [1], "0 or more"), (FIXED, 100, [1, 1], "named once"),
])  # fmt: skip
def test_a_bounty_that_makes_no_sense_is_refused(terms: BountyTerms, bounty: int, by: list[int], words: str) -> None:
    with refused("bounty", words):
        bounties.claim(terms, bounty, by)


@given(
    kind=st.sampled_from(["fixed", "progressive"]), amount=st.integers(1, 1000), players=st.integers(2, 20),
    chance=st.randoms(use_true_random=False),
)  # fmt: skip
def test_what_is_paid_in_is_paid_out(kind: str, amount: int, players: int, chance) -> None:
    heads = dict.fromkeys(range(players), amount)
    paid = unclaimed = 0
    while len(heads) > 1:
        out = heads.pop(chance.choice(sorted(heads)))
        by = chance.sample(sorted(heads), min(len(heads), chance.randint(0, 3)))
        parts = bounties.claim(BountyTerms(kind, amount), out, by)
        unclaimed += 0 if by else out
        for entrant, part in parts.items():
            paid += part.paid
            heads[entrant] += part.added
        assert paid + sum(heads.values()) + unclaimed == amount * players
    (last,) = heads.values()
    assert paid + bounties.winner(last, unclaimed).paid == amount * players
