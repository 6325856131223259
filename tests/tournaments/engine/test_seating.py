"""The draw of an event, reserved and late seats; which table breaks and when, the draws of its players, the final."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support.directing import refused
from tests.support.floors import everybody, floors, table, tables_after_moves, tables_of, to_break
from tests.support.parts.event_rules import IllegalCommand, TableView, breaking, drawing, seating

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
    drawn = drawing.draw(range(1, entrants + 1), seats=seats, seed=seed)
    assert (list(drawn), len(set(drawn.values()))) == (list(range(1, entrants + 1)), entrants)
    assert all(1 <= seat <= seats for _, seat in drawn.values())
    players = Counter(table for table, _ in drawn.values())
    assert sorted(players) == list(range(1, -(-entrants // seats) + 1))
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
    drawn = drawing.draw(here, seats=seats, seed=seed, reserved=reserved)
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
        drawn = drawing.draw(range(1, 12), seats=8, seed=seed)
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


@pytest.mark.parametrize(("entrants", "reserved", "code"), [
    ([1, 2, 1], {}, "drawn-twice"), ([1, 2, 3], {1: (1, 9)}, "reserved-seat-missing"),
    ([1, 2, 3], {1: (1, 0)}, "reserved-seat-missing"), ([1, 2, 3], {1: (2, 1)}, "reserved-table-missing"),
    ([1, 2, 3], {1: (1, 4), 3: (1, 4)}, "reserved-twice"),
])  # fmt: skip
def test_a_draw_that_cannot_be_kept_is_refused(entrants, reserved, code) -> None:
    with refused(code):
        drawing.draw(entrants, seats=8, seed=1, reserved=reserved)


@given(floors(), SEEDS)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_late_entrant_gets_a_free_seat_of_a_shortest_table_that_has_one(tables: list[TableView], seed: int) -> None:
    place = drawing.late_seat(tables, seats=8, seed=seed)
    with_room = [view for view in tables if view.free()]
    assert (place is None) == (not with_room)
    if place:
        view = next(view for view in tables if view.number == place[0])
        assert view.is_free(place[1])
        assert view.players == min(other.players for other in with_room)
    assert drawing.late_seat(tables[::-1], seats=8, seed=seed) == place


def test_a_late_player_is_equally_likely_at_each_of_the_shortest_tables() -> None:
    view = table(1, "x.x..x..", opened=(7, 2))
    assert (view.free(), replace(view, reserved=frozenset({2, 4})).free()) == ((7, 2, 4, 5, 8), (7, 5, 8))
    assert table(1, "xx......", opened=(1, 9, 3, 3), size=4).free() == (3, 4), "what is taken is not free"
    tables = [table(1, "xxxxx..."), table(2, "xxxxxx.."), table(3, "...xxxxx", reserved=frozenset({2}))]
    places = Counter(drawing.late_seat(tables, seats=8, seed=seed) for seed in range(2_000))
    assert set(places) == {(1, 6), (1, 7), (1, 8), (3, 1), (3, 3)}
    assert uneven(places, 5) < 18.5  # once in a thousand, four degrees of freedom


def test_a_late_entrant_waits_when_all_tables_are_full() -> None:
    full = [table(1, "xxxxxxxx"), table(2, "xxxxxxxx")]
    for tables, seats in ((full, 8), ([table(1, "xxxxxx.x")], 7), ([], 8)):
        assert drawing.late_seat(tables, seats=seats, seed=3) is None
    assert drawing.late_seat([table(1, "......x.")], seats=2, seed=3) in {(1, 1), (1, 2)}
    kept = table(1, "xx..", size=4, reserved=frozenset({3, 4}))
    assert drawing.late_seat([kept, table(2, "xxx.", size=4)], seats=4, seed=3) == (2, 4)


# Which table breaks, and the final table


#: What holds; the tables, and what else is known of them by their number; the terms; which breaks.
BREAKS = [
    ("none while the rest cannot seat everybody", "xxxxxxxx xxxxxx.. xxx.....", {}, {}, None),
    ("one when the rest can", "xxxxxxxx xxxxxx.. xx......", {}, {}, 3),
    ("the highest number first", "xxxx.... xxxx.... xxxx....", {}, {}, 3),
    ("the published order says which", "xxxx.... xxxx.... xxxx....", {}, {"break_order": (2, 3, 1)}, 2),
    ("tables there are not say nothing", "xxxx.... xxxx.... xxxx....", {}, {"break_order": (7, 1)}, 1),
    ("free seats are room", "xxxxxx.. xx......", {}, {}, 2),
    ("reserved seats are none", "xxxxxx.. xx......", {1: {"reserved": frozenset({8})}}, {}, None),
    ("a table of one who may not be moved is passed over", "xx...... xx...... xx......",
     {3: {"fixed": frozenset({301})}}, {}, 2),
    ("none where nobody may be moved", "xx...... xx......",
     {1: {"fixed": frozenset({101, 102})}, 2: {"fixed": frozenset({201, 202})}}, {}, None),
    ("one table alone never breaks", "xx......", {}, {}, None),
    ("of the last two one may", "xxxx.... xxx.....", {}, {}, 2),
    ("unless they wait for the final draw", "xxxx.... xxx.....", {}, {"final_seats": 6}, None),
]  # fmt: skip


@pytest.mark.parametrize("found", BREAKS, ids=[row[0] for row in BREAKS])
def test_the_next_table_to_break_is_known(found: tuple) -> None:
    _, floor, known, terms, expected = found
    assert to_break(tables_of(floor, known), **terms) == expected


def test_an_open_table_where_nobody_sits_neither_breaks_nor_counts() -> None:
    empty = table(9, "........")
    ordered = breaking.in_break_order([table(1, "xx"), table(2, "xx"), table(3, "xx")], (2,))
    assert [view.number for view in ordered] == [2, 3, 1]
    assert to_break([table(1, "xxxxxxxx"), table(2, "x......."), empty]) is None
    assert to_break([table(1, "xxxx...."), table(2, "xxxx...."), empty]) == 2
    moves = breaking.plan_break(table(2, "xxxx...."), [table(1, "xxxx...."), empty], seed=1)
    assert {move.to_table for move in moves} == {1}
    to_a_fresh_one = breaking.plan_break(table(2, "xxxx...."), [table(1, "xxxxxx.."), empty], seed=1)
    assert {move.to_table for move in to_a_fresh_one} == {9}


def test_each_move_of_a_breaking_table_gives_both_draws_as_its_reason() -> None:
    found = breaking.due([table(1, "xxxxxxx."), table(2, "xxxxxxx."), table(3, "x.......")])
    assert found == seating.Consolidation(
        3, "TDA 10B", "Table 3 is the next to break: the rest (2 tables) has 2 free seats for its 1 player."
    )
    assert breaking.due([table(1, "xxxxxxxx"), table(2, "x.......")]) is None
    others = [table(1, "xxxxxxx."), table(2, "xxxxxx.."), table(3, "xxxxxxxx")]
    first, second = breaking.plan_break(table(4, "x.x....."), others, seed=11)
    assert {first.from_seat, second.from_seat} == {1, 3}
    assert (first.to_table, first.rule) == (2, "TDA 10B")
    assert first.why == (
        f"Table 4 breaks. Drawn 1st of 2, then seat {first.to_seat} of table 2 drawn from 2 free seats where "
        "6 players sat, the fewest."
    )
    assert "Drawn 2nd of 2" in second.why
    assert "drawn from 2 free seats where 7 players sat" in second.why


@given(floors(), SEEDS)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_break_seats_everybody_at_free_seats_of_the_emptiest_tables(tables: list[TableView], seed: int) -> None:
    number = to_break(tables)
    assume(number is not None)
    leaving = replace(next(view for view in tables if view.number == number), is_between_hands=True)
    others = [view for view in tables if view.number != number]
    moves = breaking.plan_break(leaving, others, seed=seed)
    after = tables_after_moves([leaving, *others], moves)  # fails at a seat that is taken or reserved
    assert not after[leaving.number].seats
    assert everybody(after.values()) == everybody(tables)
    before = {view.number: view.players for view in others}
    for move in moves:
        with_room = [view.number for view in others if any(after[view.number].is_free(seat) for seat in view.free())]
        assert all(before[move.to_table] <= before[other] for other in with_room)
        before[move.to_table] += 1
    assert breaking.plan_break(leaving, others[::-1], seed=seed) == moves


@given(floors(is_plain=True, most_tables=8), SEEDS)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_even_tables_are_still_even_after_a_break(tables: list[TableView], seed: int) -> None:
    fewest = min(view.players for view in tables)
    even = [
        replace(view, seats=dict(list(view.seats.items())[: fewest + view.number % 2]), opened=()) for view in tables
    ]
    number = to_break(even)
    assume(number is not None)
    others = [view for view in even if view.number != number]
    (leaving,) = (view for view in even if view.number == number)
    after = tables_after_moves(even, breaking.plan_break(leaving, others, seed=seed))
    players = [after[view.number].players for view in others]
    assert max(players) - min(players) <= 1


def test_every_order_and_every_seat_of_a_break_and_of_the_final_table_is_as_likely() -> None:
    leaving, others = table(3, "xxx....."), [table(1, "xxxxx..."), table(2, "xxxxx...")]
    breaks = [breaking.plan_break(leaving, others, seed=seed) for seed in range(1_200)]
    # Each bound is passed by chance alone once in a thousand: with two, five and seven degrees of freedom.
    assert uneven(Counter(moves[0].from_seat for moves in breaks), 3) < 13.8
    second = [move for moves in breaks for move in moves if move.from_seat == 2]
    assert uneven(Counter((move.to_table, move.to_seat) for move in second), 6) < 20.5
    tables = [table(1, "xxx....."), table(2, "xxxx....")]
    draws = [breaking.final_table(tables, final_seats=8, seed=seed) for seed in range(800)]
    for entrant in everybody(tables):
        assert uneven(Counter(drawn[entrant] for drawn in draws), 8) < 24.3


@pytest.mark.parametrize(("code", "players", "more"), [
    ("hand-running", "xx......", {"is_between_hands": False}),
    ("player-is-fixed", "xx......", {"fixed": frozenset({202})}),
    ("no-room", "xxx.....", {}),
])  # fmt: skip
def test_a_break_is_refused_where_it_cannot_be(code: str, players: str, more: dict[str, Any]) -> None:
    with refused(code, "able 2"):
        breaking.plan_break(table(2, players, **more), [table(1, "xxxxxx..")], seed=1)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(5, 8), SEEDS, st.booleans())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_the_final_draw_seats_all_who_are_left_at_one_table(
    players: list[int], final_seats: int, seed: int, is_reserved: bool
) -> None:
    assume(sum(players) <= final_seats)
    tables = [table(number, "x" * count + "." * (8 - count)) for number, count in enumerate(players, 1)]
    if is_reserved:
        tables[-1] = replace(tables[-1], fixed=frozenset({tables[-1].number * 100 + 1}))
    drawn = breaking.final_table(tables, final_seats=final_seats, seed=seed)
    assert sorted(drawn) == everybody(tables)
    final = tables[-1].number if is_reserved else 1
    assert {number for number, _ in drawn.values()} == {final}
    assert len({seat for _, seat in drawn.values()}) == sum(players)
    assert all(1 <= seat <= final_seats for _, seat in drawn.values())
    if is_reserved:
        assert drawn[final * 100 + 1] == (final, 1)
    assert breaking.final_table(tables[::-1], final_seats=final_seats, seed=seed) == drawn


def test_the_final_table_is_due_when_all_players_fit() -> None:
    two = [table(1, "xxxx...."), table(2, "xxxx....")]
    assert breaking.is_final_table_due(two, final_seats=8)
    assert not breaking.is_final_table_due(two, final_seats=7)
    assert not breaking.is_final_table_due([two[0], table(2, "........")], final_seats=8)
    assert breaking.due(two, final_seats=8) == seating.Consolidation(
        0, "TDA RP-9", "8 players are left at 2 tables, and the final table has 8 seats."
    )
    drawn = breaking.final_table(two, final_seats=8, seed=2, number=12)
    assert {number for number, _ in drawn.values()} == {12}
    assert breaking.final_table([table(1, "........")], final_seats=8, seed=2) == {}
    with pytest.raises(IllegalCommand, match="8 players are left and the final table has 6 seats"):
        breaking.final_table(two, final_seats=6, seed=2)
    with pytest.raises(IllegalCommand, match="A hand is running at table 2"):
        breaking.final_table([two[0], replace(two[1], is_between_hands=False)], final_seats=8, seed=2)
    fixed = [table(2, "x......x", fixed=frozenset({201, 208}))]
    assert breaking.final_table(fixed, final_seats=8, seed=1) == {201: (2, 1), 208: (2, 8)}
    smaller = breaking.final_table(fixed, final_seats=3, seed=1)
    assert smaller[201] == (2, 1)
    assert smaller[208] in {(2, 2), (2, 3)}, "their seat is not there"
