"""Places of those who bust together, hand-for-hand, and the order of everybody."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import refused
from tests.support.parts.event_rules import (
    EntrantStanding,
    EventResult,
    FinishedPlace,
    Formula,
    LeagueRules,
    finishing,
    leagues,
)


@pytest.mark.parametrize(("busts", "code"), [([(1, 5), (1, 5)], "bust-twice"), ([(1, 5), (2, 5)], "too-many-busts")])
def test_nobody_busts_twice_and_no_more_than_are_left(busts: list[tuple[int, int]], code: str) -> None:
    with refused(code):
        finishing.places(busts, left=1)
    assert finishing.places([], left=1) == finishing.hand_for_hand([], left=1) == ()
    with refused(code):
        finishing.hand_for_hand([entrant for entrant, _ in busts], left=1)


HANDS = st.lists(st.tuples(st.booleans(), st.lists(st.integers(1, 3), min_size=1, max_size=5)), max_size=12)


def places_after(hands: list[tuple[bool, list[int]]], entrants: int) -> list[FinishedPlace]:
    """The places of an event in which hand after hand of ``hands`` (announced?, stacks) busts the next entrants."""
    left, entrant = entrants, 0
    finishes: list[FinishedPlace] = []
    for is_announced, stacks in hands:
        busts = [(entrant + seat, stack) for seat, stack in enumerate(stacks, 1)]
        entrant += len(stacks)
        together = [one for one, _ in busts] if is_announced else []
        finishes += finishing.hand_for_hand(together, left=left) if is_announced else finishing.places(busts, left=left)
        left -= len(busts)
    return finishes


@given(HANDS)
@settings(max_examples=80, deadline=None, derandomize=True)
def test_every_place_is_given_once_whatever_the_ties(hands: list[tuple[bool, list[int]]]) -> None:
    entrants = sum(len(stacks) for _, stacks in hands)
    finishes = places_after(hands, entrants)
    shared = {one.places for one in finishes}
    assert sorted(place for places in shared for place in places) == list(range(1, entrants + 1))
    for one in finishes:
        assert one.place == one.places[0]
        assert len(one.places) == sum(other.places == one.places for other in finishes)


def test_the_table_has_those_in_by_chips_and_then_those_out_by_place() -> None:
    assert finishing.in_order({1: 500, 2: 900, 3: 500, 6: 10}, {4: 6, 5: 5, 7: 6}) == (
        EntrantStanding(2, 1, 900, True, False), EntrantStanding(1, 2, 500, True, True),
        EntrantStanding(3, 2, 500, True, True),
        EntrantStanding(6, 4, 10, True, False), EntrantStanding(5, 5, 0, False, False),
        EntrantStanding(4, 6, 0, False, True),
        EntrantStanding(7, 6, 0, False, True),
    )  # fmt: skip


LINEAR = Formula("linear", scale=1)


@pytest.mark.parametrize(("formula", "place", "expected"), [
    (Formula("linear", scale=1), 1, 40), (Formula("linear", scale=1), 40, 1), (Formula("linear", scale=5), 39, 10),
    (Formula("root"), 1, 632),  # 100 times the root of 40
    (Formula("root"), 10, 200), (Formula("root-over-place"), 1, 632), (Formula("root-over-place"), 10, 63),
    (Formula("table", table=(25, 18, 15)), 2, 18), (Formula("table", table=(25, 18, 15)), 4, 0),
    (Formula("prize", scale=1, per=100), 3, 75), (Formula("linear", scale=1, places=9), 10, 0),
    (Formula("linear", scale=1, places=9, playing=3), 10, 3),
    (Formula("root", playing=50), 10, 250),
])  # fmt: skip
def test_a_place_of_forty_is_worth_so_much(formula: Formula, place: int, expected: int) -> None:
    assert leagues.points(formula, place, 40, buy_in=1000, prize=7550) == expected


def test_four_times_the_buy_in_is_worth_twice_the_points() -> None:
    formula = Formula("root", buy_in_of_one=1000)
    assert [leagues.points(formula, 1, 36, buy_in=each) for each in (1000, 4000)] == [600, 1200]
    assert leagues.points(formula, 1, 36) == 0
    assert leagues.points(Formula("table", table=(25, 18, 15)), 2, 10, tied=2) == 16
    assert leagues.points(LINEAR, 9, 10, tied=2) == 1


@given(
    kind=st.sampled_from(["linear", "root", "root-over-place"]), entries=st.integers(2, 500),
    scale=st.integers(0, 1000), data=st.data(),
)  # fmt: skip
def test_a_better_place_is_never_worth_less(kind: str, entries: int, scale: int, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, entries - 1))
    formula = Formula(kind, scale=scale)
    assert leagues.points(formula, place, entries) >= leagues.points(formula, place + 1, entries) >= 0


@pytest.mark.parametrize(("formula", "place", "tied", "code", "words"), [
    (Formula("best"), 1, 1, "league-formula", "linear, root"),
    (Formula("table"), 1, 1, "league-formula", "at least one place"),
    (Formula(scale=-1), 1, 1, "league-formula", "below 0"),
    (Formula("prize", per=0), 1, 1, "league-formula", "1 or more of money"),
    (LINEAR, 0, 1, "league-place", ""), (LINEAR, 11, 1, "league-place", ""), (LINEAR, 10, 2, "league-place", ""),
    (LINEAR, 1, 0, "league-place", ""),
])  # fmt: skip
def test_a_formula_or_a_place_that_makes_no_sense_is_refused(formula, place, tied, code, words) -> None:
    with refused(code, words):
        leagues.points(formula, place, 10, tied=tied)


# -- seasons ---------------------------------------------------------------------------------------------------------

ANA, BEN, CLEO = 1, 2, 3


def result(event: int, player: int, place: int, entry: int = 1, entries: int = 10) -> EventResult:
    return EventResult(event=event, player=player, entry=entry, place=place, entries=entries)


def test_a_season_adds_up_and_ranks_and_the_order_of_results_changes_nothing() -> None:
    results = [result(1, ANA, 1), result(1, BEN, 2), result(2, BEN, 1), result(2, ANA, 5)]
    rows = leagues.season(LeagueRules(LINEAR), results)
    found = [(row.rank, row.player, row.points, row.events, row.wins) for row in rows]
    assert found == [(1, BEN, 19, 2, 1), (2, ANA, 16, 2, 1)]
    results = [result(event, player, 1 + (event * player) % 9) for event in range(5) for player in range(4)]
    assert leagues.season(LeagueRules(best=3), results) == leagues.season(LeagueRules(best=3), results[::-1])


def test_only_the_best_results_count() -> None:
    (row,) = leagues.season(LeagueRules(LINEAR, best=2), [result(1, ANA, 9), result(2, ANA, 1), result(3, ANA, 4)])
    assert (row.points, [(score.event, score.points) for score in row.scores]) == (17, [(2, 10), (3, 7), (1, 2)])
    assert [score.counts for score in row.scores] == [True, True, False]
    (row,) = leagues.season(LeagueRules(LINEAR), [result(1, ANA, 1, entry=8), result(1, ANA, 9, entry=2)])
    assert (row.points, row.wins, row.best_place) == (2, 0, 9)


def test_of_players_level_on_points_the_one_with_more_wins_comes_first() -> None:
    table = LeagueRules(Formula("table", table=(5, 5, 5, 5)))
    rows = leagues.season(table, [result(1, CLEO, 3), result(1, BEN, 2), result(2, ANA, 1), result(3, 4, 3)])
    assert [(row.rank, row.player) for row in rows] == [(1, ANA), (2, BEN), (3, CLEO), (3, 4)]
    few = [result(1, ANA, 1, entries=3)]
    assert (
        leagues.season(LeagueRules(LINEAR), few),
        len(leagues.season(LeagueRules(LINEAR, min_entrants=3), few)),
    ) == ((), 1)
