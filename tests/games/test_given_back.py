"""After an outage of the room turns, time banks, calls, holds and kept seats have the time that nobody was heard in."""

from datetime import datetime, timedelta

import pytest

from cardroom.core import outages
from cardroom.core.sentences import to_text
from tests.support.evening import Evening
from tests.support.lists import ListRoom
from tests.support.models import Alarm, Heartbeat, Outage, SeatHold
from tests.support.parts.games import calling, holds, receivers, seats, waitlist_outages
from tests.support.worlds import world

SECOND = timedelta(seconds=1)
AWAY = 25 * SECOND


def outage(began: datetime, lasted: timedelta = AWAY) -> Outage:
    return Outage.objects.create(began_at=began, ended_at=began + lasted)


@pytest.mark.parametrize(("thought", "left"), [(5, 85), (40, 50), (88, 10)])
def test_a_turn_goes_on_where_it_stood_and_the_bank_pays_for_no_outage(evening, audited, thought, left):
    before = evening.later(seconds=thought).table
    waitlist_outages.lengthen_at_tables(outage(evening.now))
    after = evening.later(seconds=25).table
    assert (after.seq, after.to_act, after.deadline - evening.now) == (before.seq, before.to_act, left * SECOND)
    assert (after.deadline - after.turn_at, after.wake_at) == (before.deadline - before.turn_at, after.deadline)
    assert not receivers.wake(table_id=evening.pk, fence=before.version, now=evening.now)
    evening.act("bring-in")
    assert evening.table.clocks[str(before.to_act)] == [min(60, left) * 1000, 0]


def test_a_bot_does_not_think_so_much_longer():
    evening = Evening(bots=2, bots_wait_for_people=False).deal()
    before = evening.table
    waitlist_outages.lengthen_at_tables(outage(evening.now))
    assert (evening.table.wake_at, evening.table.deadline) == (before.wake_at, before.deadline + AWAY)


def test_nobody_is_timed_out_before_the_room_is_back_after_their_time(evening, audited):
    table = evening.table
    Heartbeat.objects.create(pk=1, at=table.deadline - SECOND)
    assert not receivers.wake(table_id=evening.pk, fence=table.version, now=table.deadline)
    assert evening.table.seq == table.seq
    assert evening.table.wake_at > table.deadline
    Heartbeat.objects.update(at=table.deadline + SECOND)
    assert evening.wake()
    assert evening.table.seq > table.seq


def test_an_action_late_because_of_an_outage_is_accepted(evening):
    Heartbeat.objects.create(pk=1, at=evening.now)
    evening.later(seconds=100)
    assert evening.act("bring-in").seq == evening.table.seq
    before = evening.later(seconds=91).table
    waitlist_outages.lengthen_at_tables(outage(evening.now))
    assert evening.table.deadline == before.deadline


def test_a_seat_online_is_kept_so_much_longer_for_who_sits_out(evening, audited):
    evening.play_out()
    seats.sit_out(table_id=evening.pk, by=evening.ann, now=evening.now)
    evening.wake()
    due = evening.table.wake_at
    waitlist_outages.lengthen_at_tables(outage(due - SECOND))
    evening.wake()
    assert evening.seat_of(evening.ann).state == "sitting-out"
    assert evening.table.wake_at == due - SECOND + AWAY + outages.GRACE
    evening.wake()
    assert not evening.table.seats.filter(player=evening.ann).exists()


@world
def called() -> ListRoom:
    """Of three who sat there one has left: who is on the list, `called`, is called to the seat."""
    room = ListRoom(seat_count=3)
    people = room.full()
    room.called = room.join("cal")
    room.leave(people[0]).ring()
    room.called = room.entry(room.called)
    assert room.called.call_until is not None
    return room


def test_an_outage_gives_time_back_to_a_call_and_its_held_seat(called, audited):
    room, entry = called, called.called
    until = entry.call_until
    waitlist_outages.lengthen_calls(outage(until + SECOND))
    assert room.entry(entry).call_until == until
    span = outage(until - SECOND)
    waitlist_outages.lengthen_calls(span)
    waitlist_outages.lengthen_at_tables(span)
    assert room.entry(entry).call_until == span.ended_at + 10 * SECOND
    assert SeatHold.objects.get(player=entry.player).until == span.ended_at + 10 * SECOND
    assert "could not be reached for 25 s" in to_text(room.last_move(entry).why)
    room.now = span.ended_at
    room.ring()
    assert room.state(entry) == "called"
    calling.answer(entry_id=entry.pk, by=entry.player, reply="coming", now=room.now)
    assert room.state(entry) == "coming"


def test_a_seat_that_the_floor_holds_is_held_so_much_longer(audited):
    room = ListRoom(seat_count=3)
    until, said = room.now + timedelta(minutes=5), {"why": "reserved", "by": room.floor, "now": room.now}
    held = holds.hold(table_id=room.table.pk, player=room.player("dee"), until=until, **said)
    waitlist_outages.lengthen_at_tables(outage(room.now))
    assert SeatHold.objects.get(pk=held.pk).until == until + AWAY
    assert Alarm.objects.get(kind=holds.ALARM, key=str(held.pk)).due_at == until + AWAY
