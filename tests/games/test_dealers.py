"""Shifts and dealers: who deals where, who is pushed by whom, and what is told when a push is due."""

from datetime import timedelta

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound
from tests.cardroom.cage_desk import person
from tests.support.evening import Evening
from tests.support.models import Alarm, Down, Duty, Notice, Shift, StaffAction, Table
from tests.support.offers import Games
from tests.support.parts.games import dealer_queries, downs, reports, seating, shifts, table_words, tables, tasks
from tests.support.refusals import refused
from tests.support.worlds import world

MINUTE = timedelta(minutes=1)


@world
def room() -> Games:
    """Two tables in the room with nobody at them, and three dealers who are not on duty."""
    games = Games()
    offer = games.offer("Stud in the room", is_physical=True, dealt_by="person", deck="typed")
    games.two, games.one = (games.open(offer, name=name) for name in ("Two", "One"))
    games.dan, games.deb, games.doc = (person(name, "dealer") for name in ("dan", "deb", "doc"))
    return games


def clock_in(room: Games, dealer, table=None, **options) -> Down:
    where = {"table_id": (table or room.one).pk} if "place" not in options else {}
    return downs.clock_in(**{"dealer": dealer, "by": dealer, "now": room.now, **where, **options})


def test_a_dealer_deals_until_pushed_or_the_table_closes(room, audited):
    clock_in(room, room.dan, room.two)
    first = clock_in(room, room.dan)
    dealer_on = dict(Table.objects.values_list("name", "dealer_on"))
    assert (dealer_on["One"], dealer_on["Two"]) == (room.dan.pk, None)
    assert Down.objects.get(until=None) == first
    refused(Conflict, "already", clock_in, room, room.dan)
    room.now += 30 * MINUTE
    clock_in(room, room.deb)
    first.refresh_from_db()
    assert (first.until, first.minutes, Table.objects.get(pk=room.one.pk).dealer_on) == (room.now, 30, room.deb)
    rotation = dealer_queries.rotation(now=room.now)
    assert [duty.dealer for duty in rotation.waiting] == [room.dan]
    assert [(push.where, push.next.dealer, push.is_due) for push in rotation.pushes] == [("One", room.dan, False)]
    assert StaffAction.objects.filter(verb="downs.clock_in").count() == 3
    last = Down.objects.get(until=None)
    tables.close(table_id=room.one.pk, by=room.floor, now=room.now + MINUTE)
    last.refresh_from_db()
    assert (last.until, Table.objects.get(pk=room.one.pk).dealer_on) == (room.now + MINUTE, None)


def test_who_waits_longest_deals_next_and_breaks_are_left_out(room):
    for dealer in (room.dan, room.deb, room.doc):
        downs.start(dealer=dealer, by=dealer, now=room.now)
        room.now += MINUTE
    downs.take_break(dealer=room.dan, by=room.floor, minutes=15, now=room.now)
    rotation = dealer_queries.rotation(now=room.now)
    assert [duty.dealer for duty in rotation.waiting] == [room.deb, room.doc]
    assert [duty.dealer for duty in rotation.breaks] == [room.dan]
    alarm = Alarm.objects.get(kind=downs.BREAK_ALARM)
    downs.ring_break(duty_id=int(alarm.key), fence=alarm.fence, now=alarm.due_at)
    downs.ring_break(duty_id=int(alarm.key), fence=alarm.fence, now=alarm.due_at)
    assert [duty.dealer for duty in dealer_queries.rotation(now=alarm.due_at).waiting] == [room.deb, room.doc, room.dan]
    assert Notice.objects.get().text == "Your break is over."


def test_a_break_that_ended_before_its_time_rings_for_nothing(room):
    downs.start(dealer=room.dan, by=room.dan, now=room.now)
    downs.take_break(dealer=room.dan, by=room.dan, now=room.now)
    alarm = Alarm.objects.get(kind=downs.BREAK_ALARM)
    downs.back(dealer=room.dan, by=room.dan, now=room.now + MINUTE)
    downs.ring_break(duty_id=int(alarm.key), fence=alarm.fence, now=alarm.due_at)
    assert not Notice.objects.exists()
    refused(Conflict, "not on a break", downs.back, dealer=room.dan, by=room.dan, now=room.now)


def test_a_due_push_is_told_once_to_the_next_dealer(room):
    down = clock_in(room, room.dan, minutes=20)
    downs.start(dealer=room.deb, by=room.deb, now=room.now)
    alarm = Alarm.objects.get(kind=downs.DOWN_ALARM)
    assert alarm.due_at == room.now + 20 * MINUTE
    downs.ring(down_id=down.pk, now=room.now + 19 * MINUTE)
    assert not Notice.objects.exists()
    for _ in range(2):
        downs.ring(down_id=down.pk, now=alarm.due_at)
    assert Notice.objects.get().player == room.deb
    assert "Push dan at One" in Notice.objects.get().text
    assert dealer_queries.rotation(now=alarm.due_at).due == 1
    downs.home(dealer=room.dan, by=room.dan, now=room.now)
    assert not Alarm.objects.filter(kind=downs.DOWN_ALARM).exists()
    tasks.dealer_push(downs.DOWN_ALARM, str(down.pk), down.pk)
    assert Notice.objects.count() == 1
    assert Duty.objects.get(dealer=room.dan).until == room.now
    assert Table.objects.get(pk=room.one.pk).dealer_on is None


def test_tables_of_events_in_the_room_are_dealt_by_the_same_dealers(room):
    for dealer in (room.dan, room.deb):
        clock_in(room, dealer, place="Sunday Stud, table 3")
    (push,) = dealer_queries.rotation(now=room.now).pushes
    assert (push.where, push.down.dealer) == ("Sunday Stud, table 3", room.deb)
    for wrong in ({"place": ""}, {"place": "x" * 81}, {"place": "here", "table_id": room.one.pk}):
        refused(Invalid, clock_in, room, room.doc, **wrong)


def test_a_table_in_the_room_needs_a_dealer_and_a_player(room):
    def phase() -> tuple[str, bool]:
        table = Table.objects.get(pk=room.one.pk)
        many = table.seats.count()
        return table_words.phase_of(table, many), table_words.is_dead_spread(table, many)

    assert phase() == ("open", False)
    clock_in(room, room.dan)
    assert phase() == ("open", True)
    ann = room.player("ann")
    seating.seat(table_id=room.one.pk, player=ann, number=1, buy_in=500, by=room.floor, now=room.now)
    assert phase() == ("going", False)
    downs.clock_out(dealer=room.dan, by=room.floor, now=room.now)
    assert phase() == ("open", False)
    assert [push.where for push in dealer_queries.rotation(now=room.now).pushes] == ["One"]


def test_who_may_not_clock_is_told_why(room):
    pia = room.player("pia")
    for by, dealer, wrong in ((pia, pia, Forbidden), (room.deb, room.dan, Forbidden), (room.floor, pia, Illegal)):
        refused(wrong, downs.start, dealer=dealer, by=by, now=room.now)
    refused(Conflict, "not on duty", downs.home, dealer=room.dan, by=room.dan, now=room.now)
    refused(NotFound, clock_in, room, room.dan, table_id=10**9)
    refused(Invalid, clock_in, room, room.dan, minutes=0)
    refused(Illegal, "automatic dealer", lambda: clock_in(room, room.dan, table_id=Evening().pk))


def test_one_shift_is_open_at_a_time_and_closes_with_what_is_open(room):
    shift = shifts.open_(name="Evening", by=room.floor, now=room.now)
    assert shifts.current() == shift
    refused(Conflict, "already open", shifts.open_, name="Night", by=room.manager, now=room.now)
    clock_in(room, room.dan)
    over = {"shift_id": shift.pk, "by": room.floor, "remark": "All quiet"}
    refused(Illegal, "Still open: 3 tables, 1 dealer on duty", shifts.close, now=room.now + MINUTE, **over)
    for heir in (room.floor, room.dan):
        refused(Invalid, "somebody else of the floor", shifts.close, now=room.now + MINUTE, handed_to=heir, **over)
    closed = shifts.close(now=room.now + MINUTE, handed_to=room.manager, **over)
    assert Notice.objects.get(player=room.manager, kind="handover").text.endswith("to you: 3 tables, 1 dealer on duty.")
    assert (closed.found["tables"], closed.found["dealers"], closed.found["players"]) == (3, 1, 0)
    assert closed.handed_to == room.manager
    refused(Conflict, "already closed", shifts.close, shift_id=shift.pk, by=room.floor, now=room.now)
    assert Alarm.objects.filter(kind=reports.MAIL_ALARM, key=f"shift:{shift.pk}").count() == 1
    assert shifts.current() is None
    assert shifts.open_(name="Night", by=room.manager, now=room.now).is_open
    assert Shift.objects.count() == 2
