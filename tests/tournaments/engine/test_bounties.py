"""Bounties: whole to who took it, or half on his head; shared to the unit, and never lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.directing import refused
from tests.support.events import config
from tests.support.parts.event_rules import BountyTerms, Part, PayoutTerms, deals

FIXED = BountyTerms("fixed", 100)
PROGRESSIVE = BountyTerms("progressive", 100)


def test_eliminators_share_and_odd_units_go_in_order_of_entry() -> None:
    assert deals.fixed(100, 3) == (Part(34), Part(33), Part(33))
    assert deals.claim(FIXED, 100, [12, 1, 9]) == {1: Part(34), 9: Part(33), 12: Part(33)}


def test_the_odd_unit_of_a_progressive_bounty_is_paid() -> None:
    assert deals.progressive(75, 1) == (Part(38, 37),)
    assert deals.progressive(75, 2) == (Part(19, 19), Part(19, 18))


def test_bounties_are_split_in_the_smallest_money_of_the_event() -> None:
    assert deals.fixed(10_000, 3, 500) == (Part(3_500), Part(3_500), Part(3_000))
    assert deals.progressive(2_500, 1, 500) == (Part(1_500, 1_000),)
    assert deals.claim(PROGRESSIVE, 2_500, [4, 2], 500) == {2: Part(1_000, 500), 4: Part(500, 500)}


@pytest.mark.parametrize(("kind", "bounty", "money", "unit"), [
    ("fixed", 2_500, 500, 500),
    ("fixed", 2_500, 1, 1),
    ("fixed", 250, 500, 1),
    ("fixed", 0, 500, 500),
    ("progressive", 500, 500, 1),  # one piece of it is halved all the same
    ("progressive", 1_000, 500, 500),
    ("progressive", 1_500, 500, 500),
])  # fmt: skip
def test_a_bounty_that_is_no_multiple_of_the_smallest_money_is_split_to_the_unit(kind, bounty, money, unit) -> None:
    assert config(payout=PayoutTerms(unit=money), bounty=BountyTerms(kind, bounty)).bounty_unit == unit


def test_a_bounty_that_nobody_took_falls_to_the_winner_with_his_own() -> None:
    assert (deals.claim(FIXED, 100, []), deals.winner(100, unclaimed=100)) == ({}, Part(200))


@pytest.mark.parametrize(("terms", "bounty", "by", "words"), [
    (BountyTerms(), 100, [1], "without bounties"), (FIXED, -1, [1], "0 or more"), (FIXED, 100, [1, 1], "named once"),
])  # fmt: skip
def test_a_bounty_that_makes_no_sense_is_refused(terms: BountyTerms, bounty: int, by: list[int], words: str) -> None:
    with refused("bounty", words):
        deals.claim(terms, bounty, by)


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
        parts = deals.claim(BountyTerms(kind, amount), out, by)
        unclaimed += 0 if by else out
        for entrant, part in parts.items():
            paid += part.paid
            heads[entrant] += part.added
        assert paid + sum(heads.values()) + unclaimed == amount * players
    (last,) = heads.values()
    assert paid + deals.winner(last, unclaimed).paid == amount * players
