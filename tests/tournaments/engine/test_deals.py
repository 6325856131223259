"""Deals: ICM, chip-chop, even and as agreed; nothing is lost, and what is left to play for is kept."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.directing import refused
from tournaments.engine.prizes import deals

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
def test_a_deal_comes_to_so_much(
    kind: str, stacks: tuple[int, ...], prizes: tuple[int, ...], play_for: int, unit: int, expected: tuple[int, ...]
) -> None:
    assert deals.suggest(kind, stacks, prizes, play_for, unit) == expected


def test_a_chip_chop_may_give_the_leader_more_than_first_prize() -> None:
    assert deals.chip_chop((98, 1, 1), PRIZES)[0] == 5920 > PRIZES[0]
    assert deals.icm((98, 1, 1), PRIZES)[0] < PRIZES[0]


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
def test_a_chip_chop_is_within_a_unit_of_the_chips(stacks: list[int], total: int) -> None:
    for stack, amount in zip(stacks, deals.chip_chop(stacks, (total,)), strict=True):
        assert abs(amount - Fraction(stack * total, sum(stacks))) < 1


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
def test_a_deal_there_cannot_be_is_refused(
    kind: str, stacks: tuple[int, ...], prizes: tuple[int, ...], play_for: int, code: str, words: str
) -> None:
    with refused(code, words):
        deals.suggest(kind, stacks, prizes, play_for)
