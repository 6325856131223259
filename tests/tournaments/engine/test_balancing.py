"""Balancing by position, as stud has it; the mixed rule; and the tables that wait."""

import time
from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.floors import everybody, floors, next_suggestion, table, tables_after_moves, tables_of, to_break
from tests.support.parts.event_rules import PlannedMove, TableView, balancing, drawing
from tests.support.refusals import refused


def test_the_player_in_the_seat_number_that_opened_last_moves_into_that_seat() -> None:
    tables = [table(1, "xxxxxxxx"), table(2, "x.xx.xxx", opened=(5, 2))]
    why = (
        "Table 1 has 8 players and table 2 has 6. Seat 5 opened last at table 2, and the player in seat 5 of table 1 "
        "moves into it."
    )
    assert balancing.next_move(tables) == PlannedMove(105, 1, 5, 2, 5, "TDA 11A", why, (8, 6))
    refused(ValueError, "only swaps", balancing.plan_balance, tables, at=1)


ALL_OF_1, BUSY, AT_3 = frozenset(range(101, 109)), {"is_between_hands": False}, {"at": 3}
#: What holds; the tables, and what else is known of them by their number; the terms; the moves (from table and seat, to
#: table and seat); a part of why the first is made.
PLANS = [
    ("tables one apart stay as they are", "xxxxxxx. xxxxxx..", {}, {}, [], ""),
    ("the last two tables balance at a difference of two as well", "xxxxx... xxx.....", {}, {}, [(1, 4, 2, 4)], ""),
    ("and no sooner", "xxxxx... xxxx....", {}, {}, [], ""),
    ("a tournament may let its tables be further apart", "xxxxxxxx xxxxxx..", {}, AT_3, [], ""),
    ("but not further than that", "xxxxxxxx xxxxx...", {}, AT_3, [(1, 6, 2, 6)], ""),
    ("where that seat is empty the next player clockwise moves", "xxxxxx.. xxxx....",
     {1: {"opened": (7, 8)}, 2: {"opened": (7, 8, 6, 5)}}, {}, [(1, 1, 2, 7)],
     "the player in seat 1 of table 1 moves into it, the next clockwise: seat 7 there is empty."),
    ("a fixed player stays and the next clockwise moves", "xxxxxxxx x.xx.xxx",
     {1: {"fixed": frozenset({105})}, 2: {"opened": (5, 2)}}, {}, [(1, 6, 2, 5)],
     "seat 5 there has a player who may not be moved"),
    ("a seat that is reserved is not filled", "xxxxxxxx x.xx.xxx",
     {2: {"opened": (5, 2), "reserved": frozenset({5})}}, {}, [(1, 2, 2, 2)], "Seat 2 opened last at table 2"),
    ("a table without a seat for anybody is passed over for the next shortest", "xxxxxxxx xxxx xxxxx...",
     {2: {"size": 4}, 3: {"opened": (6, 7, 8)}}, {}, [(1, 6, 3, 6)], ""),
    ("a seat nobody ever took is called so", "xxxxxxxx xxxxxx..", {}, {}, [(1, 7, 2, 7)],
     "Seat 7 is the first that was never taken at table 2"),
    ("of tables as full the highest gives and of those as short the lowest gets", "xxxxx... xxxxxxxx xxxxxxxx xxxxx...",
     {}, {}, [(3, 6, 1, 6), (2, 6, 4, 6)], ""),
    ("or the first to break and the last", "xxxxx... xxxxxxxx xxxxxxxx xxxxx...",
     {}, {"break_order": (1, 2, 3, 4)}, [(2, 6, 4, 6), (3, 6, 1, 6)], ""),
    ("a table in a hand gives nobody", "xxxxxxxx xxxxxxx. xxxxx...", {1: BUSY}, {}, [(2, 6, 3, 6)], ""),
    ("nor does another for one in a hand", "xxxxxxxx xxxxxx.. xxxxx...", {1: BUSY, 3: BUSY}, {}, [], ""),
    ("a seat left in the plan is not the next one filled at another table", "xxxxxxxx xxxxxxxx xxx.....",
     {3: {"opened": (4, 8, 5, 6, 7)}}, {}, [(2, 4, 3, 4), (1, 8, 3, 8), (2, 5, 3, 5)], ""),
    ("a table where nobody may be moved leaves the giving to the next fullest", "xxxxxxxx xxxxxxx. xxxx....",
     {1: {"fixed": ALL_OF_1}, 3: {"opened": (5,)}}, {}, [(2, 5, 3, 5)], ""),
    ("or to none", "xxxxxxxx xxx.....", {1: {"fixed": ALL_OF_1}}, {}, [], ""),
    ("an open table where nobody sits gets nobody", "xxxxxxxx ........", {}, {}, [], ""),
]  # fmt: skip


@pytest.mark.parametrize("plan", PLANS, ids=[row[0] for row in PLANS])
def test_it_is_planned_that(plan: tuple) -> None:
    _, floor, known, terms, expected, words = plan
    moves = balancing.plan_balance(tables_of(floor, known), **terms)
    assert [(move.from_table, move.from_seat, move.to_table, move.to_seat) for move in moves] == expected
    assert {move.rule for move in moves} <= {"TDA 11A"}
    assert not words or words in moves[0].why


def spread(tables: Iterable[TableView]) -> int:
    players = [view.players for view in tables]
    return max(players) - min(players)


@given(floors(is_plain=True), st.integers(2, 4))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_after_a_plan_all_tables_are_within_the_rule(tables: list[TableView], at: int) -> None:
    after = tables_after_moves(tables, balancing.plan_balance(tables, at=at)).values()
    assert spread(after) < at
    assert everybody(after) == everybody(tables)


@given(floors(is_plain=True))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_a_plan_moves_no_more_players_than_it_must(tables) -> None:
    moves = balancing.plan_balance(tables)
    low, over = divmod(sum(view.players for view in tables), len(tables))
    high = low + (1 if over else 0)
    surplus = sum(max(0, view.players - high) for view in tables)
    wanting = sum(max(0, low - view.players) for view in tables)
    assert (len(moves), len({move.entrant for move in moves})) == (max(surplus, wanting), len(moves))
    assert balancing.plan_balance(list(tables_after_moves(tables, moves[:1]).values())) == moves[1:]


@given(floors(), st.randoms(use_true_random=False))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_no_move_breaks_a_rule_of_the_floor_and_a_plan_hangs_on_the_tables_alone(tables, order) -> None:
    moves = balancing.plan_balance(tables)
    after = tables_after_moves(tables, moves)  # fails at a seat that is taken or reserved
    fixed = {entrant for view in tables for entrant in view.fixed}
    in_a_hand = {view.number for view in tables if not view.is_between_hands}
    assert len({move.entrant for move in moves}) == len(moves)
    assert not fixed & {move.entrant for move in moves}
    assert not in_a_hand & {move.from_table for move in moves}
    assert all(move.numbers[0] - move.numbers[1] >= 2 for move in moves)
    stuck = {move.entrant for move in moves} | fixed
    givers = [
        view.players for view in after.values() if view.is_between_hands and not stuck.issuperset(view.seats.values())
    ]
    takers = [view.players for view in after.values() if view.free()]
    assert not givers or not takers or max(givers) - min(takers) < 2
    mixed_up = order.sample(tables, len(tables))
    assert (balancing.plan_balance(mixed_up), balancing.next_move(tables)) == (moves, moves[0] if moves else None)


def test_ten_thousand_entrants_are_drawn_and_balanced_in_well_under_a_second() -> None:
    start = time.process_time()
    drawn = drawing.draw(range(1, 10_001), seats=8, seed=4)
    assert time.process_time() - start < 0.5
    assert len(set(drawn.values())) == 10_000
    chance = Random(4)
    tables: dict[int, dict[int, int]] = {}
    for entrant, (number, seat) in drawn.items():
        tables.setdefault(number, {})[seat] = entrant
    views = []
    for number, seats in tables.items():
        gone = tuple(chance.sample(sorted(seats), chance.randrange(8)))
        views.append(TableView(number, {seat: who for seat, who in seats.items() if seat not in gone}, gone))
    start = time.process_time()
    moves = balancing.plan_balance(views)
    assert time.process_time() - start < 0.5
    assert len(moves) > 900
    assert spread(tables_after_moves(views, moves).values()) < 2


def test_a_break_comes_before_balance_and_the_final_table_before_both() -> None:
    uneven = [table(1, "xxxxxx.."), table(2, "xxxx...."), table(3, "xxx.....")]
    assert next_suggestion(uneven).table == to_break(uneven) == 3
    assert next_suggestion([table(1, "xxxxx..."), table(2, "xxx.....")], final_seats=8).table == 0
    move = next_suggestion([table(1, "xxxxxxxx"), table(2, "xxxxxxxx"), table(3, "xxxx....")])
    assert isinstance(move, PlannedMove)
    assert next_suggestion([table(1, "xxxxxxxx"), table(2, "xxxxxxx.")]) is None
