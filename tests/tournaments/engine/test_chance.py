"""Draws that anybody can repeat from their seed."""

from collections import Counter
from itertools import permutations

from tests.support.refusals import refused
from tournaments.engine.plain import Chance


def test_the_numbers_are_those_of_splitmix64_and_another_seed_draws_others() -> None:
    # The first outputs for seed 1234567, as the authors' own C program prints them.
    chance = Chance(1234567)
    drawn = [chance.below(2**64) for _ in range(3)]
    assert drawn == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert Chance(5).shuffled(range(50)) == Chance(5).shuffled(range(50)) != Chance(6).shuffled(range(50))


def test_every_number_and_every_order_of_three_is_as_likely() -> None:
    numbers, orders = Chance(3), Chance(9)
    for found, ways in (
        (Counter(numbers.below(6) for _ in range(6000)), range(6)),
        (Counter(tuple(orders.shuffled("abc")) for _ in range(6000)), permutations("abc")),
    ):
        assert set(found) == set(ways)
        assert all(850 < count < 1150 for count in found.values())


def test_every_number_is_drawn_equally_often() -> None:
    # Of 3 * 2**62 numbers the highest quarter of the words is no whole round.
    chance = Chance(11)
    assert all(chance.below(3 << 62) < 3 << 62 for _ in range(200))
    refused(ValueError, "cannot draw one of 0", chance.below, 0)
