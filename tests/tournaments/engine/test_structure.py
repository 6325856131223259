"""What makes a structure unplayable, and how its levels are called."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import MINUTE, NOON, STRUCTURE, begun, level, refused, rest
from tests.support.parts.event_rules import Level, RebuyTerms, Structure, can_build, check


def test_levels_count_from_one_and_breaks_do_not() -> None:
    names = [STRUCTURE.name(index) for index in range(5)]
    assert names == ["Level 1", "Level 2", "Break 1", "Level 3", "Level 4"]
    assert [STRUCTURE.number(index) for index in range(5)] == [1, 2, 2, 3, 4]
    assert [STRUCTURE.index(number) for number in (1, 2, 3, 4, 9)] == [0, 1, 3, 4, 4]
    assert STRUCTURE.stakes(1) == STRUCTURE.levels[1]
    assert STRUCTURE.stakes(2) == STRUCTURE.levels[3], "in a break those to come"


@pytest.mark.parametrize(("changes", "chip"), [
    ({}, 25),
    ({"structure": Structure((level(4), level(8)))}, 100),
    ({"structure": Structure((level(4), level(8))), "rebuy": RebuyTerms(4_950, until_level=1)}, 50),
    ({"structure": Structure((level(4), level(8))), "starting_stack": 5_020}, 20),
    ({"structure": Structure((level(4), level(8)), (25, 100))}, 25),
])  # fmt: skip
def test_the_smallest_chip_is_of_the_chip_set_or_fits_all_stacks_and_stakes(changes: dict[str, Any], chip: int) -> None:
    assert begun(4, **changes).smallest_chip(NOON) == chip


@pytest.mark.parametrize(("conduct", "later"), [("room", 100), ("online", 25)])
def test_a_chip_that_was_raced_off_is_the_smallest_no_more_and_online_none_is(conduct: str, later: int) -> None:
    structure = Structure((level(4), rest(colour_up=(25,)), level(8)), (25, 100, 500))
    assert [structure.chips(index) for index in range(3)] == [(25, 100, 500), (100, 500), (100, 500)]
    event = begun(4, structure=structure, conduct=conduct)
    assert [event.smallest_chip(NOON + minutes * MINUTE) for minutes in (0, 19, 20, 31)] == [25, 25, later, later]


def three_levels(**changes: Any) -> Structure:
    return Structure((level(1), level(2, **changes), level(3)))


@pytest.mark.parametrize(("structure", "code", "word"), [
    (Structure(()), "structure-empty", "at least one level"),
    (Structure((level(1),) * 201), "structure-too-long", "201"),
    (three_levels(minutes=24 * 60 + 1), "structure-too-long", "Level 2 lasts 1441"),
    (three_levels(minutes=0), "structure-hole", "Level 2 lasts no time"),
    (three_levels(minutes=-5), "structure-hole", "Level 2"), (three_levels(kind="pause"), "structure-hole", "'pause'"),
    (three_levels(small_bet=0), "structure-hole", "Level 2 has no stakes"),
    (three_levels(ante=-1), "structure-hole", "Level 2"),
    (three_levels(big_bet=150), "structure-hole", "the big bet (150) is below"),
    (three_levels(bring_in=201), "structure-hole", "the bring-in (201) is above"),
    (three_levels(ante=0, bring_in=0), "structure-hole", "Level 2 needs an ante or a bring-in"),
    (three_levels(ante=20), "structure-fall", "the ante falls from 25 in Level 1 to 20"),
    (three_levels(small_bet=99, bring_in=50), "structure-fall", "Level 2: the small bet falls from 100"),
    (Structure((rest(), level(1))), "structure-hole", "cannot begin with a break"),
    (Structure((level(1), rest())), "structure-hole", "cannot end with a break"),
    (Structure((level(1), rest(hands=5), level(2))), "structure-hole", "Break 1 must last minutes"),
    (Structure((level(1), rest(ante=5), level(2))), "structure-hole", "Break 1 is a break"),
    (Structure((level(4),), (100, 0)), "structure-chips", "above 0"),
    (Structure((level(4),), (100_003, 100_019)), "structure-chips", "no usual way"),
    (Structure((level(4), rest(colour_up=(5,)), level(8)), (25, 100)), "structure-chips", "no 5 in play"),
    (Structure((level(4), rest(colour_up=(25, 100)), level(8)), (25, 100)), "structure-chips", "no chips would be"),
])  # fmt: skip
def test_what_cannot_be_played_is_refused_by_name(structure: Structure, code: str, word: str) -> None:
    with refused(code, word):
        check(structure, 5000)


def test_a_structure_fits_its_chips_and_its_games() -> None:
    with refused("structure-chips", "stack of 5010"):
        check(Structure((level(1),), (25, 100)), 5010)
    with refused("starting-stack"):
        check(STRUCTURE, 0)
    check(Structure((level(1), Level("level", 20, 0, 5, 5, 20, 40, game="razz"), level(2))), 5000)
    check(Structure((level(1, betting="no-limit", big_bet=0),)), 5000)


def test_stakes_that_the_chips_cannot_pay_can_be_played_as_sheets_have_some() -> None:
    check(Structure((level(1),), (100, 500)), 5000)
    check(Structure((level(4), rest(colour_up=(25,)), level(5)), (25, 100)), 5000)


@given(st.integers(0, 300), st.sets(st.integers(1, 40), min_size=1, max_size=4))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_an_amount_can_be_built_exactly_when_some_chips_sum_to_it(amount: int, chips: set[int]) -> None:
    sums = {0}
    for total in range(1, amount + 1):
        if any(total - chip in sums for chip in chips):
            sums.add(total)
    assert can_build(amount, chips) == (amount in sums)
