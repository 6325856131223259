"""Balancing by position, as stud has it; the mixed rule; and the tables that wait."""

import time
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support.floors import everybody, floors, moved, table
from tournaments.engine import balancing, breaking, seating
from tournaments.engine.breaking import Consolidation
from tournaments.engine.errors import IllegalAction
from tournaments.engine.seating import PlannedMove, TableView


def test_tables_one_apart_stay_as_they_are() -> None:
    assert balancing.next_move([table(1, "xxxxxxx."), table(2, "xxxxxx..")]) is None


def test_the_player_in_the_seat_number_that_opened_last_moves_into_that_seat() -> None:
    move = balancing.next_move([table(1, "xxxxxxxx"), table(2, "x.xx.xxx", opened=(5, 2))])
    assert move == PlannedMove(
        105,
        1,
        5,
        2,
        5,
        "TDA 11A",
        "Table 1 has 8 players and table 2 has 6. Seat 5 opened last at table 2, and the player in seat 5 of table 1 "
        "moves into it.",
        (8, 6),
    )


def test_where_that_seat_is_empty_the_next_player_clockwise_moves() -> None:
    move = balancing.next_move([table(1, "xxxxxx..", opened=(7, 8)), table(2, "xxxx....", opened=(7, 8, 6, 5))])
    assert (move.entrant, move.to_table, move.to_seat) == (101, 2, 7)
    assert "the player in seat 1 of table 1 moves into it, the next clockwise: seat 7 there is empty." in move.why


def test_a_fixed_player_stays_and_the_next_clockwise_moves() -> None:
    tables = [table(1, "xxxxxxxx", fixed=frozenset({105})), table(2, "x.xx.xxx", opened=(5, 2))]
    move = balancing.next_move(tables)
    assert (move.entrant, move.to_seat) == (106, 5)
    assert "seat 5 there has a player who may not be moved" in move.why


def test_a_seat_that_is_reserved_is_not_filled() -> None:
    tables = [table(1, "xxxxxxxx"), table(2, "x.xx.xxx", opened=(5, 2), reserved=frozenset({5}))]
    move = balancing.next_move(tables)
    assert move.to_seat == 2


def test_a_table_without_a_seat_for_anybody_is_passed_over_for_the_next_shortest() -> None:
    tables = [table(1, "xxxxxxxx"), table(2, "xxxx", size=4), table(3, "xxxxx...", opened=(6, 7, 8))]
    moves = balancing.plan(tables)
    assert [(move.to_table, move.to_seat) for move in moves] == [(3, 6)]


def test_a_seat_nobody_ever_took_is_called_so() -> None:
    move = balancing.next_move([table(1, "xxxxxxxx"), table(2, "xxxxxx..")])
    assert "Seat 7 is the first that was never taken at table 2" in move.why


def test_of_tables_as_full_the_first_to_break_gives_and_of_those_as_short_the_last_gets() -> None:
    tables = [table(1, "xxxxx..."), table(2, "xxxxxxxx"), table(3, "xxxxxxxx"), table(4, "xxxxx...")]
    by_number = balancing.next_move(tables)
    published = balancing.next_move(tables, break_order=(1, 2, 3, 4))
    assert (by_number.from_table, by_number.to_table) == (3, 1)
    assert (published.from_table, published.to_table) == (2, 4)


def test_a_table_in_a_hand_gives_nobody_and_one_in_a_hand_may_get_somebody() -> None:
    running = [table(1, "xxxxxxxx", is_between_hands=False), table(2, "xxxxxxx."), table(3, "xxxxx...")]
    move = balancing.next_move(running)
    assert (move.from_table, move.to_table) == (2, 3)
    short_in_a_hand = [running[0], table(2, "xxxxxx.."), replace(running[2], is_between_hands=False)]
    assert balancing.next_move(short_in_a_hand) is None


def test_the_last_two_tables_balance_at_a_difference_of_two_as_well() -> None:
    assert balancing.next_move([table(1, "xxxxx..."), table(2, "xxx.....")]) is not None
    assert balancing.next_move([table(1, "xxxxx..."), table(2, "xxxx....")]) is None


def test_an_event_may_let_its_tables_be_further_apart() -> None:
    tables = [table(1, "xxxxxxxx"), table(2, "xxxxxx..")]
    assert balancing.plan(tables, at=3) == []
    assert len(balancing.plan([tables[0], table(2, "xxxxx...")], at=3)) == 1


def test_one_apart_cannot_be_balanced() -> None:
    with pytest.raises(ValueError, match="only swaps"):
        balancing.plan([table(1, "xx"), table(2, "x.")], at=1)


def test_a_seat_left_in_the_plan_is_not_the_next_one_filled_at_another_table() -> None:
    tables = [table(1, "xxxxxxxx"), table(2, "xxxxxxxx"), table(3, "xxx.....", opened=(4, 8, 5, 6, 7))]
    moves = balancing.plan(tables)
    assert [(move.from_table, move.from_seat, move.to_seat) for move in moves] == [(2, 4, 4), (1, 8, 8), (2, 5, 5)]


def test_a_table_where_nobody_may_be_moved_leaves_the_giving_to_the_next_fullest() -> None:
    fixed = table(1, "xxxxxxxx", fixed=frozenset(range(101, 109)))
    moves = balancing.plan([fixed, table(2, "xxxxxxx."), table(3, "xxxx....", opened=(5,))])
    assert [(move.from_table, move.to_table) for move in moves] == [(2, 3)]
    assert balancing.plan([fixed, table(2, "xxx.....")]) == []


def test_an_open_table_where_nobody_sits_gets_nobody() -> None:
    assert balancing.plan([table(1, "xxxxxxxx"), table(2, "........")]) == []


def spread(tables: list[TableView]) -> int:
    return max(view.players for view in tables) - min(view.players for view in tables)


@given(floors(is_plain=True), st.integers(2, 4))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_after_a_plan_all_tables_are_within_the_rule(tables: list[TableView], at: int) -> None:
    after = moved(tables, balancing.plan(tables, at=at))
    assert spread(list(after.values())) < at
    assert everybody(after.values()) == everybody(tables)


@given(floors(is_plain=True))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_a_plan_has_no_more_moves_than_it_must_and_moves_nobody_twice(tables: list[TableView]) -> None:
    moves = balancing.plan(tables)
    low, over = divmod(sum(view.players for view in tables), len(tables))
    high = low + (1 if over else 0)
    surplus = sum(max(0, view.players - high) for view in tables)
    wanting = sum(max(0, low - view.players) for view in tables)
    assert len(moves) == max(surplus, wanting)
    assert len({move.entrant for move in moves}) == len(moves)


@given(floors(), st.booleans())
@settings(max_examples=120, deadline=None, derandomize=True)
def test_no_move_breaks_a_rule_of_the_floor(tables: list[TableView], is_mixed: bool) -> None:
    if is_mixed:
        tables = [replace(view, big_blind=min(view.seats)) for view in tables]
    moves = balancing.plan(tables, is_mixed=is_mixed)
    after = moved(tables, moves)  # fails at a seat that is taken or reserved
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


@given(floors(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_plan_hangs_on_the_tables_alone_and_begins_with_the_next_move(tables: list[TableView], order: Random) -> None:
    moves = balancing.plan(tables)
    mixed_up = list(tables)
    order.shuffle(mixed_up)
    assert balancing.plan(mixed_up) == moves
    assert balancing.next_move(tables) == (moves[0] if moves else None)


@given(floors(is_plain=True))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_plan_is_its_first_move_and_the_plan_of_what_follows(tables: list[TableView]) -> None:
    moves = balancing.plan(tables)
    assume(moves)
    after = moved(tables, moves[:1])
    assert balancing.plan(list(after.values())) == moves[1:]


def test_ten_thousand_entrants_are_balanced_in_well_under_a_second() -> None:
    chance = Random(4)
    tables: dict[int, dict[int, int]] = {}
    for entrant, (number, seat) in seating.draw(range(1, 10_001), seats=8, seed=4).items():
        tables.setdefault(number, {})[seat] = entrant
    views = []
    for number, seats in tables.items():
        gone = tuple(chance.sample(sorted(seats), chance.randrange(8)))
        views.append(TableView(number, {seat: who for seat, who in seats.items() if seat not in gone}, gone))
    start = time.process_time()
    moves = balancing.plan(views)
    assert time.process_time() - start < 0.5
    assert len(moves) > 900
    assert spread(list(moved(views, moves).values())) < 2


# The mixed rule


def test_in_a_mixed_event_the_player_due_to_be_big_blind_moves_to_the_seat_that_pays_it_soonest() -> None:
    tables = [table(1, "xxxxxxxx", big_blind=3), table(2, "xx.x.x..", opened=(8, 5, 3, 7), big_blind=4)]
    move = balancing.next_move(tables, is_mixed=True)
    # Seat 3 lies between the small blind in 2 and the big blind in 4: it is big blind at once.
    assert (move.entrant, move.to_table, move.to_seat, move.rule) == (103, 2, 3, "TDA 11B")
    assert "due to be big blind, in seat 3 of table 1, moves to seat 3 of table 2" in move.why


def test_nobody_is_moved_into_the_small_blind_where_another_seat_is_free() -> None:
    short = table(2, "x..xx...", opened=(3, 2, 6), big_blind=5)
    move = balancing.next_move([table(1, "xxxxxxxx", big_blind=8), short], is_mixed=True)
    assert (move.entrant, move.to_seat) == (108, 6)


def test_the_big_blind_goes_round_in_the_course_of_a_plan() -> None:
    tables = [table(1, "xxxxxxxx", big_blind=8), table(2, "xxxx....", opened=(5, 6, 7, 8), big_blind=1)]
    moves = balancing.plan(tables, is_mixed=True)
    assert [(move.from_seat, move.to_seat) for move in moves] == [(8, 5), (1, 6)]
    assert all("The player due to be big blind, in seat" in move.why for move in moves)


def test_a_fixed_player_due_to_be_big_blind_leaves_the_move_to_the_next() -> None:
    tables = [table(1, "xxxxxxxx", big_blind=8, fixed=frozenset({108})), table(2, "xxxxxx..", big_blind=1)]
    move = balancing.next_move(tables, is_mixed=True)
    assert move.from_seat == 1
    assert "The player next to be big blind who may be moved, in seat 1 of table 1" in move.why


def test_newcomers_to_a_mixed_table_sit_down_one_behind_the_other() -> None:
    tables = [table(1, "xxxxxxxx", big_blind=1), table(2, "x...x...", big_blind=5), table(3, "xxxxxxxx", big_blind=6)]
    moves = balancing.plan(tables, is_mixed=True)
    # Seats 2 to 4 lie between the small blind in 1 and the big blind in 5.
    assert [move.to_seat for move in moves] == [2, 3, 4, 6]


def test_who_is_big_blind_is_asked_and_never_guessed() -> None:
    with pytest.raises(IllegalAction) as refused:
        balancing.next_move([table(4, "xxxxxxxx"), table(2, "xxxxxx..")], is_mixed=True)
    assert (refused.value.code, refused.value.rule) == ("big-blind-unknown", "TDA 11B")
    assert "A player of table 4" in refused.value.message


def test_without_a_big_blind_at_the_short_table_the_seat_that_opened_last_is_filled() -> None:
    tables = [table(1, "xxxxxxxx", big_blind=2), table(2, "xxxxxx..", opened=(8, 7))]
    move = balancing.next_move(tables, is_mixed=True)
    assert (move.from_seat, move.to_seat) == (2, 8)


# Waiting tables, and what comes first


def test_a_table_three_short_of_the_fullest_stops_dealing() -> None:
    tables = [
        table(1, "xxxxxxxx"),
        table(2, "xxxxxx.."),
        table(3, "xxxxx..."),
        table(4, "x......."),
        table(5, "........"),
    ]
    assert balancing.halted(tables) == {3, 4}
    assert balancing.halted(tables, short=2) == {2, 3, 4}
    assert balancing.halted(tables, short=0) == frozenset()
    assert balancing.halted([]) == frozenset()


@given(floors(is_plain=True))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_no_table_waits_once_the_plan_is_carried_out(tables: list[TableView]) -> None:
    assert balancing.halted(list(moved(tables, balancing.plan(tables)).values())) == frozenset()


def test_a_break_comes_before_balance_and_the_final_table_before_both() -> None:
    uneven = [table(1, "xxxxxx.."), table(2, "xxxx...."), table(3, "xxx.....")]
    first = balancing.suggestion(uneven)
    assert isinstance(first, Consolidation)
    assert first.table == breaking.to_break(uneven) == 3
    final = balancing.suggestion([table(1, "xxxxx..."), table(2, "xxx.....")], final_seats=8)
    assert isinstance(final, Consolidation)
    assert final.table == 0
    full = [table(1, "xxxxxxxx"), table(2, "xxxxxxxx"), table(3, "xxxx....")]
    move = balancing.suggestion(full)
    assert isinstance(move, PlannedMove)
    assert balancing.suggestion([table(1, "xxxxxxxx"), table(2, "xxxxxxx.")]) is None


@pytest.mark.parametrize(("entrants", "seats", "final_seats", "seed"), [(61, 8, 8, 1), (40, 6, 8, 2), (33, 8, 6, 3)])
def test_a_field_plays_down_to_the_final_table_by_suggestions_alone(
    entrants: int, seats: int, final_seats: int, seed: int
) -> None:
    chance = Random(seed)
    floor: dict[int, TableView] = {}
    for entrant, (number, seat) in seating.draw(range(1, entrants + 1), seats=seats, seed=seed).items():
        view = floor.get(number, TableView(number, {}, (), seats))
        floor[number] = replace(view, seats={**view.seats, seat: entrant})
    left = set(range(1, entrants + 1))
    while len(floor) > 1:
        out = chance.choice(sorted(left))
        left.remove(out)
        view = next(view for view in floor.values() if out in view.seats.values())
        seat = next(seat for seat, entrant in view.seats.items() if entrant == out)
        stay = {other: entrant for other, entrant in view.seats.items() if other != seat}
        floor[view.number] = replace(view, seats=stay, opened=(seat, *view.opened))
        tasks = 0
        while found := balancing.suggestion(list(floor.values()), final_seats=final_seats):
            tasks += 1
            assert tasks < 8, "the floor goes round in circles"
            if isinstance(found, PlannedMove):
                floor = moved(floor.values(), [found])
            elif found.table:
                leaving = floor[found.table]
                others = [view for view in floor.values() if view is not leaving]
                floor = moved(floor.values(), breaking.plan(leaving, others, seed=chance.getrandbits(64)))
                del floor[found.table]
            else:
                places = breaking.final_table(list(floor.values()), final_seats=final_seats, seed=seed)
                number = next(iter(places.values()))[0]
                floor = {number: TableView(number, {seat: entrant for entrant, (_, seat) in places.items()})}
        assert everybody(floor.values()) == sorted(left)
        assert spread(list(floor.values())) < 2
        assert balancing.halted(list(floor.values())) == frozenset()
    assert len(left) == final_seats
