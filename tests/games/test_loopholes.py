"""Ways round the rules that somebody would try, and that lead nowhere."""

from datetime import timedelta
from functools import partial
from itertools import product

import pytest

from games.play import moving, seating, seats, tables
from tests.support.evening import Evening, in_the_room
from tests.support.lists import ListRoom
from tests.support.models import ListEntry, Notice, Seat, SeatHold, SeatMove, Table
from tests.support.offers import offer_tables, staff
from tests.support.parts.cardroom import Conflict, Forbidden, Illegal, Invalid, access, ledger, limits, members, people
from tests.support.parts.games import calling, collection, comps, filling, guests, holds, physical, stacks
from tests.support.refusals import refused
from tests.support.timing import TimedTable
from tests.support.worlds import world


@world
def room() -> Evening:
    """A table in the room with ann in seat 1 and bob in seat 2, 500 chips each; `floor` is of the staff."""
    made = in_the_room()
    made.floor, made.ann, made.bob = staff(), made.player("ann"), made.player("bob")
    for number, player in enumerate((made.ann, made.bob), 1):
        seating.seat(table_id=made.pk, player=player, number=number, buy_in=500, by=made.floor, now=made.now)
    return made


@world
def two_tables() -> tuple[Evening, Evening]:
    """Two tables of one game; at the first ann and bob play a hand."""
    one, two = Evening(), Evening()
    offer_tables(one, two)
    one.ann, one.bob = one.sit("ann", 1), one.sit("bob", 2)
    return one.deal(), two


def test_nobody_counts_their_own_chips_or_pauses_their_own_time(room, audited):
    other, ann = in_the_room(), room.ann
    seating.mark_absent(table_id=room.pk, player=ann, by=room.floor, now=room.now)
    access.grant_role(user=ann, role="floor", by=None)
    here, way = {"table_id": room.pk}, {"table_id": room.pk, "to_table_id": other.pk, "why": "short game"}
    mine = {"player": ann, "now": room.later(hours=1).now}
    deeds = [
        partial(seating.unseat, **here, **mine, reason="gone home"),
        partial(seating.pick_up, **here, **mine),
        partial(moving.move, **way, **mine),
    ]
    for deed, count in product(deeds, (-5, 2.5, True)):
        refused(Invalid, "whole numbers", deed, by=room.floor, count=count)
    for deed in (*deeds, partial(physical.cash_out, **here, **mine)):
        refused(Illegal, "ask a colleague", deed, by=ann, count=1_000)
    refused(Illegal, "ask a colleague", physical.count, **here, counts={1: 1_000}, by=ann, now=room.now)
    refused(Illegal, "ask a colleague", collection.pause, **here, **mine, by=ann)
    assert (room.wallet(ann), room.seat_of(ann).counted, ledger.balance(stacks.pool(room.table))) == (9_500, 500, 1_000)


def test_a_stack_that_melted_in_the_hand_before_the_move_sits_out_at_the_other_table(two_tables):
    one, two = two_tables
    moving.move(player=one.ann, table_id=one.pk, to_table_id=two.pk, by=staff(), why="short game", now=one.now)
    while one.table.hand_id:
        one.check_or_call()
    seat = one.seat_of(one.ann)
    ledger.post(
        reference="a-loss", reason="he lost it all", at=one.now,
        legs=[(seat.account, -seat.account.balance), (one.seat_of(one.bob).account, seat.account.balance)],
    )  # fmt: skip
    moving.wake(seat_id=seat.pk, now=one.now)
    seat = two.seat_of(one.ann)
    assert (seat.state, seat.out_since, two.stack(one.ann)) == ("sitting-out", one.now, 0)


def test_a_player_who_moves_while_sitting_out_earns_nothing_until_they_are_back(open_table):
    one, two = open_table(), open_table()
    offer_tables(one, two, comp_per_hour=60)
    ann = one.sit("ann", 1)
    seats.sit_out(table_id=one.pk, by=ann, now=one.now)
    moving.move(player=ann, table_id=one.pk, to_table_id=two.pk, by=staff(), why="short game", now=one.now)
    comps.credit(table_id=two.pk, player_id=ann.pk, now=one.later(minutes=20).now)
    assert ledger.balance(ledger.wallet(ann, unit="comp")) == 0


def test_chips_asked_for_at_two_tables_do_not_pass_a_players_own_limit(open_table):
    one, two = open_table(), open_table()
    ann = one.player("ann")
    for table, name in ((one, "bob"), (two, "cid")):
        table.sit(ann, 1)
        table.sit(name, 2)
        table.deal()
    limits.request_limit(by=ann, kind="loss-day", amount=1_500, now=one.now)
    for table in (one, two):
        seats.top_up(table_id=table.pk, by=ann, amount=400, now=table.now)
    for table in (one, two):
        while table.table.hand_id:
            table.check_or_call()
    assert SeatMove.objects.get(player=ann, kind=SeatMove.Kind.TOPPED_UP).amount == 400
    told = Notice.objects.get(player=ann, kind="own-limit").text
    assert told.startswith("No chips were added: You have set yourself")


def test_a_seat_whose_hold_is_over_can_be_moved_to_before_the_alarm_rings(two_tables):
    one, two = two_tables
    until = one.now + timedelta(minutes=5)
    holds.hold(table_id=two.pk, number=1, player=two.player("cid"), why="called", until=until, by=None, now=one.now)
    one.later(minutes=6)
    said = {"player": one.ann, "by": staff(), "why": "short game", "now": one.now}
    assert moving.move(**said, table_id=one.pk, to_table_id=two.pk, number=1).kind == SeatMove.Kind.MOVING
    assert SeatHold.objects.get().player == one.ann


def test_a_player_taken_off_in_the_room_is_not_moved_or_held_a_seat(room):
    other = in_the_room()
    offer_tables(room, other, is_physical=True)
    seating.unseat(table_id=room.pk, player=room.ann, by=None, reason="banned", now=room.now)
    said = {"player": room.ann, "by": room.floor, "why": "short game", "now": room.now}
    for deed in (
        partial(moving.move, table_id=room.pk, to_table_id=other.pk, count=500),
        partial(moving.move, table_id=room.pk, to_table_id=room.pk, number=5),
        partial(moving.swap, table_id=room.pk, other=room.bob),
    ):
        refused(Conflict, "unseated after this hand", deed, **said)
    assert room.seat_of(room.ann).state == Seat.State.REMOVED
    tables.break_up(table_id=room.pk, by=room.floor, reason="short", now=room.now)
    assert [held.player for held in SeatHold.objects.all()] == [room.bob]


def test_a_kiosk_puts_no_member_without_a_password_on_a_list_by_name(room):
    guest = people.make_guest(name="Ana Ruiz", now=room.now)
    members.register(player=guest, by=room.floor, now=room.now, name="Ana Ruiz")
    asked = {"offer_id": offer_tables(room, is_physical=True).pk, "opened_by": room.floor}
    refused(Forbidden, "scan your card", guests.at_kiosk, who=guest.username, **asked)


@world
def club() -> ListRoom:
    """Two full tables; ann and bob wait, and ann is called to seat 2 of the first, which came free."""
    made = ListRoom(count_tables=2)
    players, made.others = (made.full(table) for table in made.tables)
    made.ann, made.bob = made.join("ann"), made.join("bob")
    made.leave(players[1])
    return made.ring()


@pytest.mark.parametrize("reply", [None, "coming"])
def test_a_call_to_a_table_that_closes_costs_nobody_their_place(club, reply):
    ann, bob = club.ann, club.bob
    if reply:
        calling.answer(entry_id=ann.pk, by=ann.player, reply=reply, now=club.now)
    tables.close(table_id=club.table.pk, by=club.floor, reason="a leaking roof", now=club.now)
    club.later(minutes=15)
    filling.fill_seats(offer_id=club.offer.pk, now=club.now)
    club.ring()
    called, last = club.entry(ann), club.last_move(ann)
    assert (called.state, called.misses, called.called_to) == ("waiting", 0, None)
    assert (last.verb, last.rule) == ("called-off", "no-table")
    club.leave(club.others[0], club.tables[1]).ring()
    assert (club.state(ann), club.state(bob)) == ("called", "waiting")


def test_a_late_called_player_sits_down_past_nobody(club):
    ann = club.ann
    club.later(minutes=6)  # and the alarm is late
    refused(Illegal, "Join its list", club.sit, ann.player, 2)
    way = {"entry_id": ann.pk, "by": ann.player, "buy_in": 500, "now": club.now}
    refused(Illegal, "Join its list", filling.take_seat, **way)
    Table.objects.filter(pk=club.table.pk).update(state=Table.State.BREAKING)
    filling.wake_call(entry_id=ann.pk, fence=club.entry(ann).version, now=club.now)
    assert (club.state(ann), club.entry(ann).misses) == ("waiting", 0)


def test_two_games_do_not_feed_each_other():
    club = ListRoom(count_tables=3)
    one, two, three = club.tables
    said = {"by": club.floor, "now": club.now}
    tables.edit(table_id=one.pk, must_move_to_id=two.pk, **said)
    tables.edit(table_id=two.pk, must_move_to_id=three.pk, **said)
    for main in (one, two):
        refused(Invalid, "one of them is the main", tables.edit, table_id=three.pk, must_move_to_id=main.pk, **said)


def test_who_would_not_pay_the_time_is_not_dealt_in_again_by_adding_chips():
    table = TimedTable()
    ann, _ = table.sit("ann", buy_in=500), table.sit("bob")
    collection.refuse(table_id=table.pk, by=ann, now=table.now)
    ListEntry.objects.create(
        offer=table.table.offer, player=table.player("cid"), source="web", place=1, joined_at=table.now
    )
    table.ring()
    assert table.seat_of(ann).state == Seat.State.SITTING_OUT
    account = table.seat_of(ann).account
    house = ledger.open_account(kind="house", label="elsewhere")
    ledger.post(reference="gone", reason="all lost", legs=[(account, -500), (house, 500)], at=table.now)
    seats.top_up(table_id=table.pk, by=ann, amount=500, now=table.now)
    assert (table.stack(ann), table.seat_of(ann).state) == (500, Seat.State.SITTING_OUT)
    refused(Illegal, "has refused the time charge", seats.come_back, table_id=table.pk, by=ann, now=table.now)
