"""Places of those who bust together, hand-for-hand, and the order of everybody."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import refused
from tests.support.parts.event_rules import Finish, Standing, standings


@pytest.mark.parametrize(("busts", "code"), [([(1, 5), (1, 5)], "bust-twice"), ([(1, 5), (2, 5)], "too-many-busts")])
def test_nobody_busts_twice_and_no_more_than_are_left(busts: list[tuple[int, int]], code: str) -> None:
    with refused(code):
        standings.places(busts, left=1)
    assert standings.places([], left=1) == standings.hand_for_hand([], left=1) == ()
    with refused(code):
        standings.hand_for_hand([entrant for entrant, _ in busts], left=1)


HANDS = st.lists(st.tuples(st.booleans(), st.lists(st.integers(1, 3), min_size=1, max_size=5)), max_size=12)


def played(hands: list[tuple[bool, list[int]]], entrants: int) -> list[Finish]:
    """The places of an event in which hand after hand of ``hands`` (announced?, stacks) busts the next entrants."""
    left, entrant = entrants, 0
    finishes: list[Finish] = []
    for is_announced, stacks in hands:
        busts = [(entrant + seat, stack) for seat, stack in enumerate(stacks, 1)]
        entrant += len(stacks)
        finishes += (
            standings.hand_for_hand([one for one, _ in busts], left=left)
            if is_announced
            else standings.places(busts, left=left)
        )
        left -= len(busts)
    return finishes


@given(HANDS)
@settings(max_examples=80, deadline=None, derandomize=True)
def test_every_place_is_given_once_whatever_the_ties(hands: list[tuple[bool, list[int]]]) -> None:
    entrants = sum(len(stacks) for _, stacks in hands)
    finishes = played(hands, entrants)
    shared = {one.places for one in finishes}
    assert sorted(place for places in shared for place in places) == list(range(1, entrants + 1))
    for one in finishes:
        assert one.place == one.places[0]
        assert len(one.places) == sum(other.places == one.places for other in finishes)


def test_the_table_has_those_in_by_chips_and_then_those_out_by_place() -> None:
    assert standings.table({1: 500, 2: 900, 3: 500, 6: 10}, {4: 6, 5: 5, 7: 6}) == (
        Standing(2, 1, 900, True, False), Standing(1, 2, 500, True, True), Standing(3, 2, 500, True, True),
        Standing(6, 4, 10, True, False), Standing(5, 5, 0, False, False), Standing(4, 6, 0, False, True),
        Standing(7, 6, 0, False, True),
    )  # fmt: skip
