"""Money given at a table in the room: into a drawer at once, or when a cashier has it in hand."""

from datetime import timedelta

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, Refusal
from tests.cardroom.cage_desk import faults, furnished, window
from tests.support.evening import in_the_room
from tests.support.lists import ListRoom
from tests.support.models import Approval, SeatHold, Slip, Table, Transfer, User
from tests.support.offers import person
from tests.support.parts.cardroom import allowances, approvals, bans, core_audit, ledger, limits, people
from tests.support.parts.games import TableStakes, calling, cash_in, holds, opening, physical, stacks
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def room():
    """A table in the room, a cashier with an open drawer, and flo of the floor without one."""
    table = in_the_room()
    made = furnished(table.now)
    made.table, made.flo = table, person("flo", "floor")
    made.at = {"table_id": table.pk, "now": made.now}
    return made


def given(room, by, **asked):
    return cash_in.cash_in(**room.at | {"by": by, "amount": 500} | asked)


def clean() -> bool:
    return faults() == [] and core_audit.check() == []


def test_a_guest_with_money_is_seated_and_the_money_is_in_the_drawer(room):
    move = given(room, room.cay, guest="Seán O’Brien", number=3)
    guest = move.player
    slip = Slip.objects.get(player=guest)
    assert (guest.get_full_name(), guest.has_usable_password(), people.can_log_in(guest)) == (
        "Seán O’Brien",
        False,
        False,
    )
    assert (move.number, move.amount, ledger.balance(stacks.pool(room.table.table))) == (3, 500, 500)
    assert (slip.kind, slip.amount, slip.session, slip.by) == ("buy-in", 500, room.session, room.cay)
    assert clean()


def test_the_same_key_again_makes_no_second_guest(room):
    first = given(room, room.cay, guest="Ana Ruiz", key="k")
    assert given(room, room.cay, guest="Ana Ruiz", key="k") == first
    assert (User.objects.filter(first_name="Ana").count(), Slip.objects.filter(kind="buy-in").count()) == (1, 1)


def test_money_that_the_floor_took_waits_for_a_cashier_and_the_seat_is_held(room):
    asked = given(room, room.flo, guest="Ana Ruiz", number=2)
    held = SeatHold.objects.get()
    assert (held.number, held.player, held.until) == (2, asked.player, room.now + cash_in.LASTS)
    assert asked.said == f"Cash from {room.table.table.name}: 500 for Ana Ruiz, seat 2, with flo"
    assert not Transfer.objects.filter(reference__startswith="deposit").exists()

    refused(Forbidden, approvals.decide, approval_id=asked.pk, by=room.flo, approve=True, now=room.now)
    refused(Conflict, "no open drawer", approvals.decide, approval_id=asked.pk, by=room.cal, approve=True, now=room.now)
    approvals.decide(approval_id=asked.pk, by=room.cay, approve=True, now=room.now)
    slip = Slip.objects.get(kind="buy-in")
    assert (slip.by, slip.session, room.table.table.seats.get().number) == (room.cay, room.session, 2)
    assert (SeatHold.objects.count(), ledger.balance(stacks.pool(room.table.table))) == (0, 500)
    approvals.decide(approval_id=asked.pk, by=room.cay, approve=True, now=room.now)
    assert (Slip.objects.filter(kind="buy-in").count(), clean()) == (1, True)


@pytest.mark.parametrize("how", ["refused", "taken back", "over"])
def test_where_the_money_does_not_come_the_seat_is_free_again(room, how):
    asked = given(room, room.flo, player=room.pia)
    if how == "refused":
        approvals.decide(approval_id=asked.pk, by=room.cay, approve=False, reason="no money came", now=room.now)
    elif how == "taken back":
        approvals.take_back(approval_id=asked.pk, by=room.flo, now=room.now)
    else:
        approvals.expire(approval_id=asked.pk, now=asked.until + timedelta(seconds=1))
    assert (SeatHold.objects.count(), Slip.objects.filter(kind="buy-in").count()) == (0, 0)


def holds_of(room) -> list[tuple]:
    return [(held.player, held.number, held.why, held.until) for held in holds.in_force(room.table.table)]


def held(room, player, number, minutes):
    until = None if minutes is None else room.now + timedelta(minutes=minutes)
    why = SeatHold.Why.RESERVED if minutes is None else SeatHold.Why.LOCK_UP
    return holds.hold(**room.at, player=player, number=number, why=why, until=until, by=room.flo)


@pytest.mark.parametrize("minutes", [None, 60])
def test_a_seat_held_for_longer_stays_held_with_or_without_the_money(room, minutes):
    held(room, room.pia, 5, minutes)
    before = holds_of(room)
    asked = given(room, room.flo, player=room.pia)
    assert (asked.payload["number"], holds_of(room)) == (5, before)
    approvals.decide(approval_id=asked.pk, by=room.cay, approve=False, reason="no money came", now=room.now)
    assert holds_of(room) == before


def test_a_seat_held_for_a_shorter_time_is_held_while_the_cage_decides(room):
    held(room, room.pia, 5, 2)
    asked = given(room, room.flo, player=room.pia)
    assert holds_of(room) == [(room.pia, 5, SeatHold.Why.LOCK_UP, asked.until)]


def test_who_is_called_to_a_seat_is_called_to_it_whether_the_money_comes_or_not():
    lists = ListRoom(is_physical=True)
    room = furnished(lists.now)
    entry = lists.join("ann")
    calling.call_next(table_id=lists.table.pk, by=lists.floor, now=lists.now)
    entry = lists.entry(entry)
    before = SeatHold.objects.values().get()
    at = {"table_id": lists.table.pk, "player": entry.player, "amount": 500, "by": lists.floor, "now": lists.now}
    asked = cash_in.cash_in(**at)
    approvals.decide(approval_id=asked.pk, by=room.cay, approve=False, reason="no money came", now=lists.now)
    assert (lists.entry(entry).state, SeatHold.objects.values().get()) == ("called", before)


def test_who_is_asked_for_again_when_nobody_answered_has_their_seat_held_again(room):
    given(room, room.flo, player=room.pia, number=2)
    room.at["now"] = room.now + cash_in.LASTS + timedelta(seconds=1)
    again = given(room, room.flo, player=room.pia, number=2)
    assert holds_of(room) == [(room.pia, 2, SeatHold.Why.LOCK_UP, again.until)]


def test_a_seat_that_the_floor_changed_meanwhile_is_the_one_they_get(room):
    asked = given(room, room.flo, player=room.pia, number=2)
    held(room, room.pia, 5, 60)
    held(room, room.pip, 2, 60)
    approvals.decide(approval_id=asked.pk, by=room.cay, approve=True, now=room.now)
    assert (room.table.table.seats.get().number, clean()) == (5, True)


def test_money_that_is_on_its_way_to_the_cage_is_not_taken_at_the_table_as_well(room):
    asked = given(room, room.flo, player=room.pia)
    refused(Conflict, "waits for approval already", given, room, room.cay, player=room.pia)
    assert given(room, room.flo, player=room.pia) == asked
    approvals.decide(approval_id=asked.pk, by=room.cay, approve=True, now=room.now)
    assert (given(room, room.cay, player=room.pia, amount=100).amount, clean()) == (100, True)


def test_who_sits_there_has_the_chips_added(room):
    seat = given(room, room.cay, player=room.pia)
    more = given(room, room.cay, player=room.pia, amount=200)
    assert (more.number, more.amount, ledger.balance(stacks.pool(room.table.table))) == (seat.number, 200, 700)
    asked = given(room, room.flo, player=room.pia, amount=100)
    assert not SeatHold.objects.exists()
    approvals.decide(approval_id=asked.pk, by=room.cay, approve=True, now=room.now)
    assert (ledger.balance(stacks.pool(room.table.table)), clean()) == (800, True)


def test_a_cashier_takes_no_more_alone_than_the_limit_of_the_cage(room):
    asked = given(room, room.flo, player=room.pia)
    allowances.set_limit(role="cashier", verb="deposit", slip=100, day=100, by=room.mia, now=room.now)
    refused(Illegal, "second person", approvals.decide, approval_id=asked.pk, by=room.cay, approve=True, now=room.now)
    window(room, room.mia)
    approvals.decide(approval_id=asked.pk, by=room.mia, approve=True, now=room.now)
    assert (Slip.objects.get(kind="buy-in").by, clean()) == (room.mia, True)


def test_what_cannot_be_is_refused_before_anybody_walks_to_the_cage(room):
    online = tables_online(room)
    bans.ban(player=room.pip, reason="threw a chair", by=room.mia, now=room.now)
    elsewhere = given(room, room.cay, guest="Wes Willow", table_id=in_the_room(name="Willow").pk)
    limits.request_limit(by=room.max, kind="deposit-day", amount=499, now=room.now)
    wrong: list[tuple[type[Refusal], str, dict]] = [
        (Invalid, "Choose a player", {}),
        (Invalid, "Choose a player", {"player": room.pia, "guest": "Ana Ruiz"}),
        (Invalid, "2 to", {"guest": "A"}),
        (Illegal, "buy-in here", {"player": room.pia, "amount": 1}),
        (Illegal, "online", {"player": room.pia, "table_id": online.pk}),
        (Illegal, "your own cashier", {"player": room.flo}),
        (Forbidden, "threw a chair", {"player": room.pip}),
        (Invalid, "bot of the house", {"player": people.make_bot(name="Rocky", personality="rock", now=room.now)}),
        (Conflict, "sits at Willow", {"player": elsewhere.player}),
        (Illegal, "limit", {"player": room.max}),
    ]
    for kind, said, asked in wrong:
        refused(kind, said, cash_in.cash_in, **room.at | {"by": room.flo, "amount": 500} | asked)
    given(room, room.flo, player=room.pia)
    refused(Conflict, "waits for approval already", given, room, room.flo, player=room.pia, amount=600)
    refused(Forbidden, given, room, person("dee", "dealer"), player=room.pia)
    assert Approval.objects.count() == 1
    assert holds.in_force(room.table.table)[0].player == room.pia


def tables_online(room):
    stakes = TableStakes(ante=1, bring_in=2, small_bet=5, big_bet=10)
    return opening.open_table(name="Larch", stakes=stakes, min_buy_in=100, max_buy_in=1_000, now=room.now)


def test_chips_to_be_added_do_not_seat_a_player_who_has_left(room):
    given(room, room.cay, player=room.pia)
    asked = given(room, room.flo, player=room.pia)
    physical.cash_out(**room.at, player=room.pia, count=500, by=room.flo)
    refused(Conflict, "has no seat", approvals.decide, approval_id=asked.pk, by=room.cay, approve=True, now=room.now)
    approvals.decide(approval_id=asked.pk, by=room.cay, approve=False, reason="they left", now=room.now)
    assert (room.table.table.seats.count(), Slip.objects.filter(kind="buy-in").count(), clean()) == (0, 1, True)


@pytest.mark.parametrize("what", ["banned", "closing", "seat taken"])
def test_what_has_become_impossible_meanwhile_is_refused_and_moves_nothing(room, what):
    asked = given(room, room.flo, player=room.pia, number=2)
    if what == "banned":
        bans.ban(player=room.pia, reason="threw a chair", by=room.mia, now=room.now)
    elif what == "closing":
        Table.objects.filter(pk=room.table.pk).update(state=Table.State.CLOSING)
    else:
        holds.release(**room.at, player=room.pia, by=room.flo)
        given(room, room.cay, player=room.pip, number=2)
    slips = Slip.objects.count()
    refused(Refusal, approvals.decide, approval_id=asked.pk, by=room.cay, approve=True, now=room.now)
    assert (Slip.objects.count(), Approval.objects.get(pk=asked.pk).verdict, clean()) == (slips, "", True)
    approvals.decide(approval_id=asked.pk, by=room.cay, approve=False, reason="it cannot be", now=room.now)
    assert not SeatHold.objects.filter(player=room.pia).exists()
