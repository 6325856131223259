"""Orders of the floor: who may give them, what they come to, and what is refused."""

import pytest

from cardroom.services.errors import Forbidden, Illegal, Invalid, Stale
from tests.support.events import Event, bust, order
from tests.support.worlds import world
from tournaments.selectors import tournaments as looking
from tournaments.services import floor, payouts


@world
def event():
    """Six players at two tables of four seats."""
    return Event(seats=4, final_seats=4).started(6)


# -- hands -----------------------------------------------------------------------------------------------------------


@pytest.mark.smoke
def test_a_dealer_busts_a_player_at_his_table_with_one_word(event):
    bust(event, 3, by=event.staff("dealer"))
    assert (event.state.left, event.state.entrants[3].place) == (5, 6)
    assert (event.entry(3).state, event.row.players_left) == ("out", 5)


def test_a_cashier_runs_no_floor_and_a_dealer_moves_nobody(event):
    with pytest.raises(Forbidden):
        bust(event, 3, by=event.staff("cashier"))
    with pytest.raises(Forbidden):
        floor.move(entrant=1, table=2, **order(event, by=event.staff("dealer")))
    assert event.state.left == 6


def test_of_two_who_bust_in_one_hand_the_larger_stack_finishes_higher_and_must_be_said(event):
    with pytest.raises(Invalid, match="what each had") as refused:
        floor.bust(busts=[(3, None), (4, None)], **order(event))
    assert refused.value.rule == "RROP v11, Tournaments"
    floor.bust(busts=[(3, 700), (4, 1500)], **order(event))
    assert [event.state.entrants[number].place for number in (3, 4)] == [6, 5]


def test_who_is_out_already_cannot_bust_and_nothing_has_changed(event):
    bust(event, 3)
    seq = event.row.seq
    with pytest.raises(Illegal, match="is not in play") as refused:
        bust(event, 3)
    assert (refused.value.code, event.row.seq) == ("is-out", seq)


def test_a_bust_that_was_a_mistake_is_taken_back_later_with_a_reason(event):
    bust(event, 3, 4)
    with pytest.raises(Invalid, match="has a reason"):
        floor.revive(entrant=3, reason=" ", **order(event))
    floor.revive(entrant=3, reason="The pot was miscounted", **order(event))
    assert [event.state.entrants[number].status for number in (3, 4)] == ["in", "out"]
    assert (event.entry(3).state, event.entry(4).below) == ("in", 0)


def test_hand_for_hand_waits_for_the_last_table_and_all_who_bust_share(event):
    floor.hand_for_hand(on=True, **order(event))
    tables = event.state.tables
    first, second = (next(iter(tables[number].seats.values())) for number in (1, 2))
    floor.hand_done(table=1, busts=[(first, None)], **order(event, by=event.staff("dealer")))
    assert event.state.left == 6
    floor.hand_done(table=2, busts=[(second, None)], **order(event))
    state = event.state
    assert (state.left, {(state.entrants[n].place, state.entrants[n].tied) for n in (first, second)}) == (4, {(5, 2)})


# -- players ---------------------------------------------------------------------------------------------------------


def test_a_penalty_has_a_reason_and_a_disqualified_players_chips_leave_play(event):
    with pytest.raises(Invalid, match="a penalty has a reason"):
        floor.penalise(entrant=2, kind="warning", reason="", **order(event))
    floor.penalise(entrant=2, kind="rounds", count=1, reason="Collusion talk", **order(event))
    assert event.state.entrants[2].missing == 3
    floor.penalise(entrant=2, kind="disqualified", reason="Collusion", **order(event))
    assert (event.state.chips, event.entry(2).state) == (10_000, "out")


def test_the_clock_is_put_on_a_player_and_the_event_wakes_when_it_runs_out(event):
    floor.clock_on(entrant=5, **order(event, by=event.staff("floor")))
    assert (event.row.wake_at - event.now).total_seconds() == 30
    floor.clock_off(entrant=5, **order(event))
    assert event.state.called == {}


# -- two directors ---------------------------------------------------------------------------------------------------


def test_of_two_directors_the_later_one_is_told_what_was_done_meanwhile(event):
    seen, other = event.row.seq, event.staff("director")
    bust(event, 3)
    with pytest.raises(Stale) as refused:
        bust(event, 4, by=other, expected_seq=seen)
    name = event.entry(3).name
    assert refused.value.details == {"seq": event.row.seq, "done": [f"Bust of {name}, 6th"]}
    assert f"(Bust of {name}, 6th)" in refused.value.message
    assert event.state.left == 5


# -- seats -----------------------------------------------------------------------------------------------------------


def test_a_player_is_moved_into_the_seat_that_opened_last(event):
    state = event.state
    gone, mover = next(iter(state.tables[2].seats.values())), next(iter(state.tables[1].seats.values()))
    seat = state.entrants[gone].seat
    bust(event, gone)
    floor.move(entrant=mover, table=2, reason="Too close to his brother", **order(event))
    assert (event.entry(mover).table, event.entry(mover).seat) == (2, seat)


def test_nobody_is_moved_into_a_taken_or_a_reserved_seat(event):
    state = event.state
    mover, sitter = (next(iter(state.tables[number].seats.values())) for number in (1, 2))
    with pytest.raises(Illegal) as refused:
        floor.move(entrant=mover, table=2, seat=state.entrants[sitter].seat, **order(event))
    assert refused.value.code == "seat-taken"
    with pytest.raises(Illegal, match="no table 9"):
        floor.move(entrant=mover, table=9, **order(event))
    floor.reserve_seat(entrant=mover, table=1, seat=state.entrants[mover].seat, **order(event))
    with pytest.raises(Illegal, match="reserved"):
        floor.move(entrant=mover, table=2, **order(event))


def test_a_table_is_opened_by_hand_and_an_empty_one_closed(event):
    floor.open_table(**order(event))
    assert sorted(event.state.tables) == [1, 2, 3]
    with pytest.raises(Illegal, match="break it"):
        floor.close_table(table=1, **order(event))
    floor.close_table(table=3, **order(event))
    assert event.row.tables_count == 2


def test_seats_are_drawn_before_the_start_as_often_as_wanted(make_event):
    event = make_event(seats=4).open()
    for _ in range(5):
        event.enter()
    floor.draw_seats(**order(event))
    floor.draw_seats(**order(event))
    assert sorted(len(table.seats) for table in event.state.tables.values()) == [2, 3]


# -- undo ------------------------------------------------------------------------------------------------------------


def test_undo_then_redo_is_as_if_nothing_had_been(event, audited):
    bust(event, 3)
    before = event.entry(3)
    assert looking.log(event.row)[0].label == f"Bust of {before.name}, 6th"
    floor.undo(**order(event))
    assert (event.state.left, event.entry(3).state, event.entry(3).table is None) == (6, "in", False)
    floor.redo(**order(event))
    after = event.entry(3)
    assert (after.state, after.below, after.out_at) == (before.state, before.below, before.out_at)
    with pytest.raises(Illegal, match="nothing to do again"):
        floor.redo(**order(event))


def test_an_entry_that_was_paid_is_not_undone(make_event):
    event = make_event().open()
    event.enter()
    with pytest.raises(Illegal, match="the money goes back"):
        floor.undo(**order(event))


def test_nothing_is_undone_across_a_payout(event):
    bust(event, 6, 5, 4, 3, 2)
    assert event.row.state == "finished"
    floor.undo(**order(event))
    assert (event.row.state, event.state.left) == ("running", 2)
    floor.redo(**order(event))
    payouts.pay(**order(event))
    with pytest.raises(Illegal, match="prizes were paid"):
        floor.undo(**order(event))


def test_what_decided_a_prize_that_was_paid_during_the_event_stands(make_event, audited):
    from tournaments.engine.config import PayoutTerms

    event = make_event(payout=PayoutTerms(places=3)).started(4)
    payouts.lock(**order(event))
    bust(event, 4, 3)
    paid = payouts.pay_one(entrant=3, **order(event))
    assert [(row.amount, row.place, row.state) for row in paid] == [(event.state.prize_of(3), 3, "paid")]
    with pytest.raises(Illegal, match="has been paid") as refused:
        floor.undo(**order(event))
    assert refused.value.code == "prizes-paid"
    assert (event.state.left, event.row.players_left) == (2, 2)
    bust(event, 2)
    payouts.pay(**order(event))
    assert event.pool() == 0
