"""Orders of the floor: who may give them, what they come to, and what is refused."""

import pytest

from cardroom.core.errors import Forbidden, Illegal, Invalid
from tests.support.events import Event, bust, order
from tests.support.parts.tournaments import event_queries, hands, payouts, seats
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.engine.config import PayoutTerms


@world
def event():
    """Six players at two tables of four seats."""
    return Event(seats=4, final_seats=4).started(6)


def test_a_cashier_runs_no_floor_and_a_dealer_moves_nobody(event):
    refused(Forbidden, lambda: bust(event, 3, by=event.staff("cashier")))
    refused(Forbidden, lambda: seats.move(entrant=1, table=2, **order(event, by=event.staff("dealer"))))
    assert event.state.left == 6


@pytest.mark.smoke
def test_busts_that_cannot_be_are_refused_by_their_rule_and_change_nothing(event):
    bust(event, 3, by=event.staff("dealer"))
    seq = event.row.seq
    refusal = refused(Invalid, "the chips of each", lambda: hands.bust(busts=[(2, None), (4, None)], **order(event)))
    assert refusal.rule == "RROP v11, Tournaments"
    assert (refused(Illegal, "is not in play", bust, event, 3).code, event.row.seq) == ("is-out", seq)


def test_a_bust_that_was_a_mistake_is_taken_back_later_with_a_reason(event):
    bust(event, 3, 4)
    refused(Invalid, "needs one", lambda: hands.revive(entrant=3, reason=" ", **order(event)))
    hands.revive(entrant=3, reason="The pot was miscounted", **order(event))
    assert [event.state.entrants[number].status for number in (3, 4)] == ["in", "out"]
    assert (event.entry(3).state, event.entry(4).below) == ("in", 0)


# -- seats -----------------------------------------------------------------------------------------------------------


def test_a_player_is_moved_into_the_seat_that_opened_last(event):
    state = event.state
    gone, mover = next(iter(state.tables[2].seats.values())), next(iter(state.tables[1].seats.values()))
    seat = state.entrants[gone].seat
    bust(event, gone)
    seats.move(entrant=mover, table=2, reason="Too close to his brother", **order(event))
    assert (event.entry(mover).table, event.entry(mover).seat) == (2, seat)
    refused(Illegal, "no table 9", lambda: seats.move(entrant=mover, table=9, **order(event)))


def test_a_table_is_opened_by_hand_and_an_empty_one_closed(event):
    seats.open_table(**order(event))
    assert sorted(event.state.tables) == [1, 2, 3]
    refused(Illegal, "break it", lambda: seats.close_table(table=1, **order(event)))
    seats.close_table(table=3, **order(event))
    assert event.row.tables_count == 2


def test_seats_are_drawn_before_the_start_as_often_as_wanted(make_event):
    event = make_event(seats=4).open()
    for _ in range(5):
        event.enter()
    seats.draw_seats(**order(event))
    seats.draw_seats(**order(event))
    assert sorted(len(table.seats) for table in event.state.tables.values()) == [2, 3]


# -- undo ------------------------------------------------------------------------------------------------------------


def test_undo_then_redo_is_as_if_nothing_had_been(event, audited):
    bust(event, 3)
    before = event.entry(3)
    assert event_queries.log(event.row)[0].label == f"Bust of {before.name}, 6th"
    seats.undo(**order(event))
    assert (event.state.left, event.entry(3).state, event.entry(3).table is None) == (6, "in", False)
    seats.redo(**order(event))
    after = event.entry(3)
    assert (after.state, after.below, after.out_at) == (before.state, before.below, before.out_at)
    refused(Illegal, "nothing to do again", lambda: seats.redo(**order(event)))


def test_what_decided_a_prize_that_was_paid_during_the_event_stands(make_event, audited):
    event = make_event(payout=PayoutTerms(places=3)).started(4)
    payouts.lock(**order(event))
    bust(event, 4, 3)
    paid = payouts.pay_one(entrant=3, **order(event))
    assert [(row.amount, row.place, row.state) for row in paid] == [(event.state.prize_of(3), 3, "paid")]
    assert refused(Illegal, "has been paid", lambda: seats.undo(**order(event))).code == "prizes-paid"
    assert (event.state.left, event.row.players_left) == (2, 2)
    bust(event, 2)
    payouts.pay(**order(event))
    assert event.pool() == 0
