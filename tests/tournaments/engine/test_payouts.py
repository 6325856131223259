"""Prizes: by the curve, by own numbers, in tickets; to the last unit, and never more for finishing lower."""

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import refused
from tests.support.parts.event_rules import PayoutTerms, payouts


@pytest.mark.parametrize(("entries", "percent", "places"), [
    (1, 15, 1), (6, 15, 1), (7, 15, 2), (60, 15, 9), (61, 15, 10), (100, 10, 10), (3, 100, 3),
])  # fmt: skip
def test_a_share_of_the_entries_is_paid_rounded_up(entries: int, percent: int, places: int) -> None:
    assert payouts.places_paid(entries, PayoutTerms(share_percent=percent)) == places
    assert payouts.places_paid(entries, PayoutTerms(places=5)) == min(5, entries)


@pytest.mark.parametrize(("places", "percent"), [
    (1, 100), (2, 65), (3, 50), (4, 40), (5, 40), (6, 30), (9, 30), (10, 25), (27, 25), (28, 20), (1500, 20),
])  # fmt: skip
def test_the_first_place_gets_the_part_of_the_pool_for_the_places_paid(places: int, percent: int) -> None:
    pool = 10**9
    first = payouts.prizes(pool, places, PayoutTerms(places=places))[0]
    assert pool * percent // 100 <= first < pool * percent // 100 + places + 2


def test_weights_fall_by_one_power_of_the_place() -> None:
    """i**-a: the weight of place 6 is that of 2 times that of 3, whatever a is."""
    weights, _ = payouts.curve(9)
    assert weights[0] == 1 << 64
    assert abs(weights[5] - (weights[1] * weights[2] >> 64)) < 1 << 16
    assert abs(weights[3] - (weights[1] * weights[1] >> 64)) < 1 << 16


@pytest.mark.parametrize(("pool", "entries", "terms", "expected"), [
    (1007, 2, PayoutTerms(places=2, unit=10), (657, 350)),  # rounded down, and the rest goes to first
    (9000, 60, PayoutTerms(unit=10), (2750, 1520, 1090, 860, 710, 610, 540, 480, 440)),
    (1001, 10, PayoutTerms(kind="percent", percents=(50, 30, 20)), (501, 300, 200)),
    (10_000, 10, PayoutTerms(kind="percent", percents=(5050, 3025, 1925)), (5050, 3025, 1925)),  # hundredths
    (1000, 10, PayoutTerms(kind="amounts", amounts=(600, 250, 150)), (600, 250, 150)),
])  # fmt: skip
def test_a_known_field_is_paid_so(pool: int, entries: int, terms: PayoutTerms, expected: tuple[int, ...]) -> None:
    assert payouts.prizes(pool, entries, terms) == expected


pools = st.one_of(st.integers(1, 300), st.integers(1, 10**12))


@settings(max_examples=150, deadline=None)
@given(
    pool=pools,
    entries=st.integers(1, 300),
    terms=st.builds(
        PayoutTerms, kind=st.sampled_from(["curve", "winner", "tickets"]), places=st.integers(0, 40),
        share_percent=st.integers(1, 100), unit=st.sampled_from([1, 5, 25, 1000]),
        min_cash=st.integers(0, 5000), guarantee=st.integers(0, 10**6), ticket_value=st.integers(1, 10**6),
    ),
)  # fmt: skip
def test_prizes_sum_to_the_pool_and_never_increase(pool: int, entries: int, terms: PayoutTerms) -> None:
    found = payouts.work_out(pool, entries, terms)
    assert sum(found.prizes) == pool + found.overlay == max(pool, terms.guarantee)
    assert all(higher >= lower > 0 for higher, lower in pairwise(found.prizes))
    assert 1 <= len(found.prizes) <= entries
    if terms.kind == "curve":
        assert all(prize % terms.unit == 0 for prize in found.prizes[1:])
        assert len(found.prizes) == 1 or found.prizes[-1] >= terms.min_cash
        assert (len(found.prizes) < payouts.places_paid(entries, terms)) == ("paid instead of" in str(found.notes))


def test_a_least_prize_lowers_the_places_as_little_as_it_must() -> None:
    terms = PayoutTerms(places=30, min_cash=200)
    found = payouts.work_out(10_000, 200, terms)
    paid = len(found.prizes)
    assert found.prizes[-1] >= 200
    more = [payouts.prizes(10_000, 200, PayoutTerms(places=places)) for places in range(paid + 1, terms.places + 1)]
    assert all(prizes[-1] < 200 for prizes in more)
    assert found.notes == (f"{paid} places are paid instead of 30, for the least prize of 200.",)
    assert (payouts.places_paid(200, terms), payouts.places_paid(200, terms, pool=10_000)) == (30, paid)
    found = payouts.work_out(100, 50, PayoutTerms(min_cash=500))
    assert (found.prizes, found.notes) == ((100,), ("1 place is paid instead of 8, for the least prize of 500.",))


def test_a_guarantee_shows_what_the_house_adds() -> None:
    found = payouts.work_out(700, 7, PayoutTerms(kind="winner", guarantee=1000))
    assert (found.prizes, found.overlay) == ((1000,), 300)
    assert found.notes == ("The house adds 300 to reach the guarantee of 1000.",)
    assert payouts.work_out(1000, 7, PayoutTerms(kind="winner", guarantee=1000)).overlay == 0
    assert payouts.work_out(0, 0, PayoutTerms(guarantee=500)) == payouts.Payouts((), overlay=500)
    assert payouts.prizes(0, 12, PayoutTerms()) == ()


def test_prizes_of_places_that_nobody_can_reach_go_to_first() -> None:
    found = payouts.work_out(100, 2, PayoutTerms(kind="percent", percents=(50, 30, 20)))
    assert (found.prizes, found.notes) == ((70, 30), ("2 of 3 places can be reached: what is over goes to first.",))
    found = payouts.work_out(60, 9, PayoutTerms(kind="percent", percents=(60, 30, 10), unit=10))
    assert found.prizes == (50, 10)
    assert "2 places are paid instead of 3" in found.notes[0]


@pytest.mark.parametrize(("terms", "code", "words"), [
    (PayoutTerms(kind="percent", percents=(50, 30, 15)), "payout-sum", "sum to 95, not 100: 5 too few"),
    (PayoutTerms(kind="percent", percents=(6000, 3999, 2)), "payout-sum", "sum to 10001, not 10000: 1 too many"),
    (PayoutTerms(kind="percent", percents=(30, 70)), "payout-rising", "Place 2 gets 70 and place 1 only 30"),
    (PayoutTerms(kind="percent"), "payout-terms", "percentages are given for every place"),
    (PayoutTerms(kind="amounts", amounts=(600, 300)), "payout-sum", "pool is 1000: 100 too few"),
    (PayoutTerms(kind="amounts", amounts=(900, 300)), "payout-sum", "pool is 1000: 200 too many"),
    (PayoutTerms(kind="amounts", amounts=(500, 600)), "payout-rising", "nobody gains by losing"),
    (PayoutTerms(kind="amounts", amounts=(500, 300, 0)), "payout-terms", "each above 0"),
    (PayoutTerms(kind="amounts", amounts=(100,) * 10), "payout-sum", "10 prizes for 6 entries"),
    (PayoutTerms(kind="tickets"), "payout-terms", "what a ticket is worth"),
    (PayoutTerms(kind="flat"), "payout-terms", "curve, percent, amounts, winner, tickets"),
    (PayoutTerms(unit=0), "payout-terms", "unit of 1 or more"),
    (PayoutTerms(min_cash=-1), "payout-terms", "no numbers below 0"),
    (PayoutTerms(share_percent=0), "payout-terms", "not 0 %"),
])  # fmt: skip
def test_terms_that_do_not_add_up_are_refused_with_the_difference(terms: PayoutTerms, code: str, words: str) -> None:
    with refused(code, words):
        payouts.work_out(1000, 6, terms)


@pytest.mark.parametrize(("pool", "entries", "guarantee", "prizes", "tickets", "overlay"), [
    (3500, 20, 0, (1000, 1000, 1000, 500), 3, 0),  # the rest in cash to the next place
    (3000, 20, 0, (1000, 1000, 1000), 3, 0),
    (900, 20, 0, (900,), 0, 0),  # under one ticket: cash for first
    (900, 20, 2000, (1000, 1000), 2, 1100),  # a guarantee of tickets is one of money
    (2500, 2, 0, (1500, 1000), 2, 0),
])  # fmt: skip
def test_a_satellite_pays_equal_tickets_and_the_rest_in_cash(
    pool, entries, guarantee, prizes, tickets, overlay
) -> None:
    terms = PayoutTerms(kind="tickets", ticket_value=1000, guarantee=guarantee)
    found = payouts.work_out(pool, entries, terms)
    assert (found.prizes, found.tickets, found.overlay) == (prizes, tickets, overlay)
    said = ("Every entry wins a ticket; 500 is over in cash, for first.",)
    assert (found.notes == said) == (entries == 2)


@pytest.mark.parametrize(("prizes", "places", "unit", "expected"), [
    ((500, 300, 201), (2, 3), 1, (251, 250)), ((500, 300, 202), (1, 2, 3), 1, (334, 334, 334)),
    ([0] * 49 + [100], (50, 51, 52), 1, (34, 33, 33)),  # RP-8's own case: 50 are paid, three bust on one hand
    ((100, 25, 20), (2, 3), 5, (25, 20)), ((100, 27, 20), (2, 3), 5, (27, 20)),
])  # fmt: skip
def test_shared_places_share_their_prizes_and_odd_units_go_by_entry(prizes, places, unit, expected) -> None:
    assert payouts.share(prizes, places, unit=unit) == expected


def test_ten_thousand_entries_are_paid_in_the_time_of_fifty_million_additions() -> None:
    """Less than a second on a quick machine; on a slow or busy one the additions take longer too."""
    payouts.curve.cache_clear()
    begun = time.process_time()
    sum(range(10_000_000))
    additions, begun = time.process_time() - begun, time.process_time()
    found = payouts.prizes(10**9, 10_000, PayoutTerms(unit=100, min_cash=10_000))
    assert time.process_time() - begun < 5 * additions
    assert sum(found) == 10**9
