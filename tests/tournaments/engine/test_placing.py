"""Seats as the director gives them: the draw, late seats, reservations, moves, breaks, balance, the final table."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import MINUTE, NOON, PRICE, begun, bust, check, event_with_entries, play, refuses
from tests.support.floors import suggested_in
from tests.support.parts.event_rules import EventEngine, Running, c


def test_cards_are_not_in_the_air_before_everybody_sits() -> None:
    event = event_with_entries(1)
    refuses(event, c.SeatAll(1), NOON, "too-few")
    refuses(event, c.Start(), NOON, "too-few", "1 player entered; the tournament needs 2")
    event.play(c.Register(900, "Ana", PRICE), NOON)
    refuses(event, c.Start(), NOON, "not-drawn")
    refuses(event, c.SeatLate(2, 1), NOON, "not-drawn")
    play(event, NOON, c.SeatAll(1), c.Register(901, "Ben", PRICE))
    refuses(event, c.Start(), NOON, "not-seated", "Ben has no seat yet")
    play(event, NOON, c.SeatLate(3, 1), c.Start())
    refuses(event, c.SeatAll(1), NOON, "is-running")


def test_a_draw_of_seats_can_be_checked_by_its_seed(checked: None) -> None:
    event, other = event_with_entries(20), event_with_entries(20)
    (drawn,) = event.play(c.SeatAll(42), NOON - MINUTE)
    assert ((drawn,), drawn.seed) == (other.play(c.SeatAll(42), NOON - MINUTE), 42)
    (again,) = event.play(c.SeatAll(43), NOON - MINUTE)
    assert again.seats != drawn.seats
    assert event.undo_label == "Seats drawn: 20 players at 3 tables"
    event = event_with_entries(20)
    event.play(c.ReserveSeat(5, 2, 8), NOON - MINUTE)
    refuses(event, c.ReserveSeat(6, 2, 8), NOON - MINUTE, "seat-taken", "reserved for P5")
    refuses(event, c.ReserveSeat(6, 2, 9), NOON - MINUTE, "no-such-seat")
    play(event, NOON, c.SeatAll(1), c.Start())
    assert (event.entrants[5].table, event.entrants[5].seat) == (2, 8)
    refuses(event, c.Move(5, 3, event.views()[2].free()[0]), NOON, "player-is-fixed")
    refuses(event, c.BreakTable(2, 1), NOON, "player-is-fixed")
    sitting = next(iter(event.tables[1].seats))
    refuses(event, c.ReserveSeat(5, 1, sitting), NOON, "seat-taken", "sits there")
    event.play(c.ReserveSeat(5, 0, 0), NOON)
    refuses(event, c.ReserveSeat(5, 0, 0), NOON, "nothing-to-do")


def test_a_late_player_sits_where_the_fewest_sit(checked: None) -> None:
    event = begun(14, late_level=2)
    for player in range(900, 904):
        event.play(c.Register(player, f"L{player}", PRICE), NOON)
    kept = event.views()[1].free()[-1]
    play(event, NOON, c.ReserveSeat(16, 2, kept), c.SeatLate(15, 3), c.SeatLate(16, 3))
    assert [len(table.seats) for table in event.in_use()] == [8, 8]
    assert (event.entrants[16].table, event.entrants[16].seat) == (2, kept)
    opened, seated = event.play(c.SeatLate(17, 3), NOON)
    assert (seated.table, seated.label) == (3, "")
    assert opened.label == f"L902 sits down at table 3, seat {seated.seat}, a new one"
    refuses(event, c.SeatLate(17, 3), NOON, "has-seat")
    assert event.tables[3].is_halted
    assert event.halted() == {3}
    event.play(c.Undo(), NOON)
    assert list(event.tables) == [1, 2]


def test_the_director_moves_players_and_opens_and_closes_tables(checked: None) -> None:
    event = begun(10)
    left = (event.entrants[1].table, event.entrants[1].seat)
    to = event.views()[2 - left[0]]
    (fact,) = event.play(c.Move(1, to.number, to.free()[0], "too loud"), NOON)
    assert (fact.from_table, fact.from_seat, fact.to_table, fact.why) == (*left, to.number, "too loud")
    assert event.tables[left[0]].opened[0] == left[1]
    sits = (event.entrants[1].table, event.entrants[1].seat)
    for table, seat, code in ((*sits, "seat-taken"), (9, 1, "no-such-table"), (1, 9, "no-such-seat")):
        refuses(event, c.Move(2, table, seat), NOON, code)
    event.play(c.Undo(), NOON)
    assert (event.entrants[1].table, event.entrants[1].seat) == left
    play(event, NOON, c.OpenTable(), c.OpenTable(12))
    refuses(event, c.OpenTable(12), NOON, "table-open")
    assert list(event.tables) == [1, 2, 3, 12]
    event.play(c.CloseTable(12), NOON)
    refuses(event, c.CloseTable(12), NOON, "no-such-table")
    refuses(event, c.CloseTable(1), NOON, "table-in-use", "5 players at table 1")
    refuses(event, c.BreakTable(3, 1), NOON, "table-empty")


def test_two_players_swap_seats_with_their_stacks_at_full_tables_in_one_order(checked: None) -> None:
    event = begun(16)
    assert not any(view.free() for view in event.views())
    one, other = event.tables[1].seats[3], event.tables[2].seats[7]
    play(event, NOON, c.Count(one, 9000), c.Count(other, 1000))
    opened = {number: table.opened for number, table in event.tables.items()}
    moves = event.play(c.Swap(one, other, why="They travel together"), NOON + 1)
    assert [fact.kind for fact in moves] == ["moved", "moved"]
    assert (event.tables[1].seats[3], event.tables[2].seats[7]) == (other, one)
    assert [event.entrants[number].stack for number in (one, other)] == [9000, 1000]
    assert {number: table.opened for number, table in event.tables.items()} == opened
    assert event.undo_label == f"P{one} and P{other} swap seats"
    event.play(c.Undo(), NOON + 2)
    assert (event.tables[1].seats[3], event.tables[2].seats[7]) == (one, other)
    neighbour = event.tables[1].seats[4]
    event.play(c.Swap(one, neighbour), NOON + 3)
    assert (event.tables[1].seats[3], event.tables[1].seats[4]) == (neighbour, one)


def test_a_swap_that_cannot_be_is_refused(checked: None) -> None:
    event = begun(16, late_level=2)
    one, other = event.tables[1].seats[3], event.tables[2].seats[7]
    refuses(event, c.Swap(one, one), NOON, "nothing-to-do")
    refuses(event, c.Swap(one, 99), NOON, "no-such-entrant")
    event.play(c.Register(900, "Ana", PRICE), NOON)
    refuses(event, c.Swap(one, 17), NOON, "not-seated", "Ana has no seat")
    event.play(c.ReserveSeat(other, 2, 7), NOON)
    refuses(event, c.Swap(one, other), NOON, "player-is-fixed")
    gone, free = event.tables[1].seats[5], event.tables[2].seats[1]
    bust(event, gone)
    refuses(event, c.Swap(gone, free), NOON + 2, "not-in")
    event.play(c.HandForHand(True), NOON + 3)
    event.play(c.HandDone(1, ((one, 900),)), NOON + 3)
    refuses(event, c.Swap(one, free), NOON + 4, "is-out")


def test_a_break_says_every_move_and_why_and_is_one_action(checked: None) -> None:
    event = begun(17)
    assert suggested_in(event) is None
    bust(event, next(iter(event.tables[1].seats.values())))
    assert suggested_in(event).table == 3
    broken, *moves, closed = event.play(c.BreakTable(3, 5), NOON + 2)
    assert (broken.kind, {move.kind for move in moves}, closed.kind) == ("table-broken", {"moved"}, "table-closed")
    assert all(move.rule == "TDA 10B" and "Table 3 breaks" in move.why for move in moves)
    assert [len(table.seats) for table in event.in_use()] == [8, 8]
    event.play(c.Undo(), NOON + 3)
    assert 3 in event.tables


def test_a_table_with_a_running_hand_waits(checked: None) -> None:
    event = begun(10)
    bust(event, *list(event.tables[1].seats.values())[:3])
    refuses(event, c.BreakTable(1, 5, busy=(1,)), NOON + 2, "hand-running")
    refuses(event, c.Balance(busy=(2,)), NOON + 2, "balanced")
    (move,) = event.play(c.Balance(), NOON + 2)
    mover = event.entrants[move.entrant]
    assert (move.from_table, move.to_table, move.rule, move.to_seat) == (2, 1, "TDA 11A", mover.seat)
    assert move.label == f"Balance: {mover.name} moves"
    refuses(event, c.Balance(), NOON + 2, "balanced")


def test_who_is_out_gets_no_seat_and_who_has_none_is_seated_first(checked: None) -> None:
    event = begun(10, late_level=2)
    bust(event, 1)
    for command in (c.Move(1, 1, 1), c.ReserveSeat(1, 1, 1), c.SeatLate(1, 1)):
        refuses(event, command, NOON + 2, "not-in")
    event.play(c.Register(900, "Ana", PRICE), NOON + 2)
    bust(event, 2, 3, 4)
    refuses(event, c.DrawFinalTable(1), NOON + 3, "not-seated", "Ana has no seat yet")
    free = event.views()[0].free()
    event.play(c.ReserveSeat(11, 1, free[0]), NOON + 3)
    somebody = next(iter(event.tables[2].seats.values()))
    refuses(event, c.Move(somebody, 1, free[0]), NOON + 3, "seat-taken", "reserved for Ana")
    event.play(c.Move(11, 1, free[1]), NOON + 3)
    assert event.entrants[11].seat == free[1]


def test_the_last_draw_for_one_table() -> None:
    event = begun(12, final_seats=6)
    refuses(event, c.DrawFinalTable(4), NOON, "too-many-left")
    bust(event, *list(event.tables[1].seats.values())[:3], *list(event.tables[2].seats.values())[:3])
    assert event.is_final_table_due(NOON + 2)
    refuses(event, c.DrawFinalTable(4, busy=(2,)), NOON + 2, "hand-running")
    (drawn,) = event.play(c.DrawFinalTable(4), NOON + 2)
    assert (drawn.kind, list(event.tables)) == ("final-table-drawn", [1])
    assert (event.tables[1].size, len(event.tables[1].seats)) == (6, 6)
    assert not event.is_final_table_due(NOON + 2)
    refuses(event, c.DrawFinalTable(4), NOON + 2, "one-table")
    check(event)
    event.play(c.Undo(), NOON + 3)
    assert [len(table.seats) for table in event.in_use()] == [3, 3]


def play_round(event: EventEngine, now: int) -> None:
    """Every table down to one."""
    for table in event.in_use():
        for entrant in list(table.seats.values())[1:]:
            bust(event, entrant, now=now)


def test_winners_of_a_round_begin_the_next_one_at_the_first_level(checked: None) -> None:
    event = begun(9, seats=3, format="shootout")
    refuses(event, c.DrawRound(5), NOON, "round-not-over", "Table 1 still plays")
    play_round(event, NOON + 30 * MINUTE)
    winners = {entrant.number: (entrant.table, entrant.seat) for entrant in event.in_play()}
    assert len(winners) == 3
    play(event, NOON + 31 * MINUTE, c.DrawRound(3), c.Undo())
    assert winners == {entrant.number: (entrant.table, entrant.seat) for entrant in event.in_play()}
    event.play(c.Count(next(iter(winners)), 15_000), NOON + 31 * MINUTE)
    drawn, clock = event.play(c.DrawRound(5), NOON + 40 * MINUTE)
    assert (drawn.round, event.round, drawn.label) == (2, 2, "Round 2 drawn: 1 table")
    assert clock.kind == "clock-set"
    assert [event.entrants[number].stack for number in winners] == [5000] * 3
    assert (event.chips, event.clock) == (15_000, Running(0, NOON + 60 * MINUTE))
    check(event)
    play_round(event, NOON + 50 * MINUTE)
    assert event.phase == "finished"


def test_nobody_enters_a_shootout_late_or_is_moved_for_balance() -> None:
    event = begun(9, seats=3, format="shootout")
    assert suggested_in(event) is None
    refuses(event, c.Register(900, "Ana"), NOON, "entry-closed")
    refuses(event, c.HandForHand(True), NOON, "no-hand-for-hand")
    for command in (c.Balance(), c.BreakTable(1, 1), c.DrawFinalTable(1)):
        refuses(event, command, NOON, "no-balance")
    bust(event, *list(event.tables[1].seats.values())[:2])
    assert not event.halted()
    refuses(begun(4), c.DrawRound(1), NOON, "no-rounds")


@given(st.integers(2, 20), st.integers(0, 2**64 - 1))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_a_bracket_is_played_to_its_winner(count: int, seed: int) -> None:
    event = begun(count, seats=2, format="bracket", seed=seed)
    rounds = 1
    while True:
        play_round(event, NOON + rounds * MINUTE)
        check(event)
        if event.phase == "finished":
            break
        event.play(c.DrawRound(seed + rounds), NOON + rounds * MINUTE)
        assert not event.byes
        rounds += 1
    assert rounds == (count - 1).bit_length()
