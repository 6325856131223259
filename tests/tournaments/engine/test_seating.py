"""The draw of an event, reserved seats, and the seat of one who comes late."""

import time
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import refused
from tests.support.floors import floors, table
from tests.support.parts.event_rules import TableView, seating

SEEDS = st.integers(0, 2**64 - 1)


def uneven(counts: Counter[Any], cells: int) -> float:
    """Chi-square of ``counts`` against an even chance of each of ``cells``."""
    expected = counts.total() / cells
    return sum((count - expected) ** 2 / expected for count in counts.values()) + expected * (cells - len(counts))


@given(st.integers(0, 200), st.integers(2, 8), SEEDS)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_draw_seats_everybody_once_at_the_fewest_tables_and_as_evenly_as_can_be(
    entrants: int, seats: int, seed: int
) -> None:
    drawn = seating.draw(range(1, entrants + 1), seats=seats, seed=seed)
    assert (list(drawn), len(set(drawn.values()))) == (list(range(1, entrants + 1)), entrants)
    assert all(1 <= seat <= seats for _, seat in drawn.values())
    players = Counter(table for table, _ in drawn.values())
    fewest = -(-entrants // seats)
    assert sorted(players) == list(range(1, fewest + 1))
    assert not players or max(players.values()) - min(players.values()) <= 1


@given(st.data(), st.integers(2, 60), st.integers(2, 8), SEEDS)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_reserved_seats_are_kept_for_those_here_and_those_still_to_come(
    data: st.DataObject, entrants: int, seats: int, seed: int
) -> None:
    tables = -(-entrants // seats)
    places = data.draw(st.sets(st.tuples(st.integers(1, tables), st.integers(1, seats)), max_size=entrants // 2))
    reserved = {2 * number + 1: place for number, place in enumerate(sorted(places))}
    here = [entrant for entrant in range(1, entrants + 1) if data.draw(st.booleans()) or entrant not in reserved]
    drawn = seating.draw(here, seats=seats, seed=seed, reserved=reserved)
    assert (sorted(drawn), len(set(drawn.values()))) == (here, len(here))
    assert all(drawn[entrant] == place for entrant, place in reserved.items() if entrant in drawn)
    absent = {place for entrant, place in reserved.items() if entrant not in drawn}
    assert absent.isdisjoint(drawn.values())
    players = Counter(table for table, _ in [*drawn.values(), *absent])
    forced = max(Counter(table for table, _ in places).values(), default=0)
    assert max(players.values()) <= max(forced, -(-entrants // tables))


def test_every_seat_is_as_likely_for_everybody() -> None:
    places: dict[int, Counter[Any]] = {1: Counter(), 6: Counter(), 11: Counter()}
    beside: Counter[Any] = Counter()
    for seed in range(3_200):
        drawn = seating.draw(range(1, 12), seats=8, seed=seed)
        for entrant, seen in places.items():
            seen[drawn[entrant]] += 1
        beside[drawn[1][0] == drawn[2][0]] += 1
    for seen in places.values():
        at_table = Counter(table for table, _ in seen.elements())
        # Eleven sit six and five. Chance alone passes 24.3 once in a thousand, with seven degrees of freedom.
        assert uneven(Counter(seat for table, seat in seen.elements() if table == 1), 8) < 24.3
        assert uneven(Counter(seat for table, seat in seen.elements() if table == 2), 8) < 24.3
        assert abs(at_table[1] - 3_200 * 6 / 11) < 3.3 * (3_200 * 30 / 121) ** 0.5
    together = (6 * 5 + 5 * 4) / (11 * 10)
    assert abs(beside[True] - 3_200 * together) < 3.3 * (3_200 * together * (1 - together)) ** 0.5


def test_ten_thousand_are_drawn_in_well_under_a_second() -> None:
    start = time.process_time()
    drawn = seating.draw(range(1, 10_001), seats=8, seed=1)
    assert time.process_time() - start < 0.5
    assert len(set(drawn.values())) == 10_000


@pytest.mark.parametrize(("entrants", "reserved", "code"), [
    ([1, 2, 1], {}, "drawn-twice"), ([1, 2, 3], {1: (1, 9)}, "reserved-seat-missing"),
    ([1, 2, 3], {1: (1, 0)}, "reserved-seat-missing"), ([1, 2, 3], {1: (2, 1)}, "reserved-table-missing"),
    ([1, 2, 3], {1: (1, 4), 3: (1, 4)}, "reserved-twice"),
])  # fmt: skip
def test_a_draw_that_cannot_be_kept_is_refused(
    entrants: list[int], reserved: dict[int, tuple[int, int]], code: str
) -> None:
    with refused(code):
        seating.draw(entrants, seats=8, seed=1, reserved=reserved)


def test_free_seats_begin_with_the_one_that_opened_last() -> None:
    view = table(1, "x.x..x..", opened=(7, 2))
    assert (view.free(), replace(view, reserved=frozenset({2, 4})).free()) == ((7, 2, 4, 5, 8), (7, 5, 8))
    assert table(1, "xx......", opened=(1, 9, 3, 3), size=4).free() == (3, 4), "what is taken is not free"


@given(floors(), SEEDS)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_late_entrant_gets_a_free_seat_of_a_shortest_table_that_has_one(tables: list[TableView], seed: int) -> None:
    place = seating.late_seat(tables, seats=8, seed=seed)
    with_room = [view for view in tables if view.free()]
    assert (place is None) == (not with_room)
    if place:
        view = next(view for view in tables if view.number == place[0])
        assert view.is_free(place[1])
        assert view.players == min(other.players for other in with_room)
    assert seating.late_seat(tables[::-1], seats=8, seed=seed) == place


def test_every_free_seat_of_the_shortest_tables_is_as_likely_for_a_late_entrant() -> None:
    tables = [table(1, "xxxxx..."), table(2, "xxxxxx.."), table(3, "...xxxxx", reserved=frozenset({2}))]
    places = Counter(seating.late_seat(tables, seats=8, seed=seed) for seed in range(2_000))
    assert set(places) == {(1, 6), (1, 7), (1, 8), (3, 1), (3, 3)}
    assert uneven(places, 5) < 18.5  # once in a thousand, four degrees of freedom


def test_a_late_entrant_waits_for_a_table_when_all_are_full_or_as_full_as_they_may_be() -> None:
    assert seating.late_seat([table(1, "xxxxxxxx"), table(2, "xxxxxxxx")], seats=8, seed=3) is None
    assert seating.late_seat([table(1, "xxxxxx.x")], seats=7, seed=3) is None
    assert seating.late_seat([table(1, "......x.")], seats=2, seed=3) in {(1, 1), (1, 2)}
    assert seating.late_seat([], seats=8, seed=3) is None
    kept = table(1, "xx..", size=4, reserved=frozenset({3, 4}))
    assert seating.late_seat([kept, table(2, "xxx.", size=4)], seats=4, seed=3) == (2, 4)
