"""Orders of the floor and to the clock: who may give them, what they come to, and what is refused."""

import pytest

from cardroom.core.errors import Forbidden, Illegal, Invalid
from cardroom.core.models import Notice
from tests.support.events import Event, bust, order
from tests.support.parts.tournaments import (
    confirming,
    event_clock,
    event_queries,
    hands,
    payouts,
    seats,
    suggestions,
    undoing,
)
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.directing import queries as directing_queries
from tournaments.engine.config import PayoutTerms

MINUTE = 60_000


@world
def event():
    """Six players at two tables of four seats; levels of 15 minutes, the break is the third entry."""
    return Event(seats=4, final_seats=4).started(6)


def test_a_cashier_runs_no_floor_and_a_dealer_moves_nobody(event):
    refused(Forbidden, bust, event, 3, by=event.staff("cashier"))
    refused(Forbidden, seats.move, entrant=1, table=2, **order(event, by=event.staff("dealer")))
    assert event.state.left == 6


@pytest.mark.smoke
def test_impossible_busts_are_refused_and_wrong_ones_mended(event, audited):
    bust(event, 3, by=event.staff("dealer"))
    before, seq = event.entry(3), event.row.seq
    refusal = refused(Invalid, "the chips of each", hands.bust, busts=[(2, None), (4, None)], **order(event))
    assert refusal.rule == "RROP v11, Tournaments"
    assert (refused(Illegal, "is not in play", bust, event, 3).code, event.row.seq) == ("is-out", seq)
    assert event_queries.log(event.row)[0].label == f"Bust of {before.name}, 6th"
    undoing.undo(**order(event))
    assert (event.state.left, event.entry(3).state, event.entry(3).table is None) == (6, "in", False)
    undoing.redo(**order(event))
    after = event.entry(3)
    assert (after.state, after.below, after.out_at) == (before.state, before.below, before.out_at)
    refused(Illegal, "nothing to do again", undoing.redo, **order(event))
    bust(event, 4)
    refused(Invalid, "Enter a reason", hands.revive, entrant=3, reason=" ", **order(event))
    hands.revive(entrant=3, reason="The pot was miscounted", **order(event))
    assert [event.state.entrants[number].status for number in (3, 4)] == ["in", "out"]
    assert (event.entry(3).state, event.entry(4).below) == ("in", 0)


def test_two_players_swap_seats_in_one_order_and_both_are_told(event, audited):
    one, other = (next(iter(event.state.tables[number].seats.values())) for number in (1, 2))
    places = [(event.entry(number).table, event.entry(number).seat) for number in (one, other)]
    refused(Forbidden, seats.swap, entrant=one, other=other, **order(event, by=event.staff("floor")))
    table, seat = places[1]
    seats.swap(entrant=one, table=table, seat=seat, reason="Brothers", **order(event))
    assert [(event.entry(number).table, event.entry(number).seat) for number in (one, other)] == places[::-1]
    told = Notice.objects.filter(kind="moved", player__in=[event.entry(number).player for number in (one, other)])
    assert {notice.text.rpartition(". ")[2] for notice in told} == {"Brothers"}
    moves = directing_queries.moves(tournament=event.row)
    assert {(move.entrant, move.table, move.seat) for move in moves} == {(one, *places[1]), (other, *places[0])}
    undoing.undo(**order(event))
    assert [(event.entry(number).table, event.entry(number).seat) for number in (one, other)] == places
    assert directing_queries.moves(tournament=event.row) == []
    refused(Illegal, "Nobody sits at table 2", seats.swap, entrant=one, table=2, seat=8, **order(event))


def test_chips_in_play_are_corrected_with_a_reason_and_undone(event, audited):
    refused(Invalid, "Enter a reason", hands.correct_chips, chips=7000, reason=" ", **order(event))
    refused(Forbidden, hands.correct_chips, chips=7000, reason="A race", **order(event, by=event.staff("floor")))
    before = event.state.chips
    hands.correct_chips(chips=before + 1000, reason="A race went wrong", **order(event))
    assert (event.state.chips, event.state.average()) == (before + 1000, (before + 1000) // 6)
    undoing.undo(**order(event))
    assert event.state.chips == before


def test_a_player_is_moved_into_the_seat_that_opened_last(event):
    mover, gone = (next(iter(event.state.tables[number].seats.values())) for number in (1, 2))
    seat = event.state.entrants[gone].seat
    bust(event, gone)
    seats.move(entrant=mover, table=2, reason="Too close to his brother", **order(event))
    assert (event.entry(mover).table, event.entry(mover).seat) == (2, seat)
    refused(Illegal, "no table 9", seats.move, entrant=mover, table=9, **order(event))
    seats.open_table(**order(event))
    assert sorted(event.state.tables) == [1, 2, 3]
    refused(Illegal, "break it", seats.close_table, table=1, **order(event))
    seats.close_table(table=3, **order(event))
    assert event.row.tables_count == 2


def test_seats_are_drawn_before_the_start_as_often_as_wanted(make_event):
    event = make_event(seats=4, auto_start=False).open(entrants=5)
    for _ in range(2):
        seats.draw_seats(**order(event))
        assert sorted(len(table.seats) for table in event.state.tables.values()) == [2, 3]
    event.start().wait(minutes=30)
    assert clock_shown(event) == (0, 15, True)
    event_clock.start(**order(event))
    assert clock_shown(event) == (0, 15, False)


def clock_shown(event):
    """(level, minutes left, does it stand)"""
    reading = event.state.reading(int(event.now.timestamp() * 1000))
    return reading.level, reading.remaining_ms / MINUTE, reading.is_paused


@pytest.mark.smoke
def test_orders_to_the_clock_move_the_alarm(event):
    event.wait(minutes=5)
    event_clock.pause(**order(event))
    assert (event.row.state, event.row.wake_at) == ("paused", None)
    event.wait(hours=3)
    assert clock_shown(event) == (0, 10, True)
    event_clock.resume(**order(event))
    event.wait(minutes=4)
    assert (event.row.state, clock_shown(event)) == ("running", (0, 6, False))
    event_clock.add_time(ms=5 * MINUTE, **order(event))
    assert (clock_shown(event), (event.row.wake_at - event.now).total_seconds()) == ((0, 11, False), 11 * 60)
    event_clock.set_remaining(ms=2 * MINUTE, **order(event))
    assert clock_shown(event) == (0, 2, False)
    event_clock.add_time(ms=-3 * MINUTE, **order(event))
    assert clock_shown(event) == (1, 15, False)
    refused(Invalid, "whole number", event_clock.add_time, ms=1.5, **order(event))
    event_clock.next_level(**order(event))
    assert (clock_shown(event), event.row.level) == ((2, 10, False), 2)
    longer = {"minutes": 30, "ante": 20, "bring_in": 40, "small_bet": 160, "big_bet": 320}
    event_clock.edit_levels(from_level=3, levels=[longer], **order(event))
    assert [level.minutes for level in event.state.structure.levels] == [15, 15, 10, 30]
    for wrong, refusal, words in (({"ante": 1}, Illegal, "falls from"), ({"anti": 1}, Invalid, "level")):
        refused(refusal, words, event_clock.edit_levels, from_level=3, levels=[longer | wrong], **order(event))
    event_clock.previous_level(**order(event))
    event_clock.go_to(level=3, **order(event))
    assert clock_shown(event) == (3, 30, False)
    refused(Illegal, "last level", event_clock.next_level, **order(event))
    undoing.undo(**order(event))
    assert clock_shown(event) == (1, 15, False)


def play_round(event):
    """Every table down to the one who entered first."""
    for table in event.state.in_use():
        winner, *others = sorted(table.seats.values())
        for number in reversed(others):
            bust(event, number, eliminators=[winner], table=table.number)
        event.wait(minutes=1)


def test_a_shootout_in_the_room_from_its_draw_to_its_prizes(make_event, audited):
    event = make_event(format="shootout", seats=3, payout=PayoutTerms(places=3)).started(9)
    assert (event.row.tables_count, refused(Illegal, event.enter).code) == (3, "entry-closed")
    refused(Illegal, "still plays", seats.draw_round, **order(event))
    play_round(event.wait(minutes=20))
    assert event.row.players_left == 3
    (found,) = [
        each for each in suggestions.read_suggestions(tournament=event.row, now=event.now) if each.kind == "draw-round"
    ]
    confirming.confirm(suggestion_key=found.key, **order(event))
    told = Notice.objects.filter(data__tournament=event.pk, kind="seated", text__contains="Round 2")
    assert {notice.player_id for notice in told} == {one.player for one in event.state.in_play()}
    assert (event.row.tables_count, event.row.level) == (1, 0)
    assert [event.entry(one.number).chips for one in event.state.in_play()] == [2000] * 3
    play_round(event)
    assert event.row.state == "finished"
    payouts.pay(**order(event))
    assert [row.amount for row in payouts.receipts(event.row)] == [451, 260, 189]
    assert sorted(event.entry(number).place for number in range(1, 10)) == list(range(1, 10))
    assert event.pool() == 0
