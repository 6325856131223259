"""Tables in the room: their chips are bought, added, counted and cashed out by staff; every one is accounted for."""

from functools import partial

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotEnoughChips, NotFound
from tests.support.counting import counted_twice
from tests.support.evening import Evening, in_the_room
from tests.support.leave import leave
from tests.support.models import Account, BlindCount, DropSchedule, Jackpot, Seat, StaffAction, Table, User
from tests.support.offers import staff
from tests.support.parts.cardroom import accounts, cage_books, cage_queries, core_audit, ledger, limits, visits
from tests.support.parts.games import moving, physical, seating, seats, settling, stacks
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def table(floor) -> Evening:
    """A table in the room with ann in seat 1 and bob in seat 2, 500 chips each."""
    made = in_the_room()
    made.ann, made.bob = made.player("ann"), made.player("bob")
    for number, player in enumerate((made.ann, made.bob), 1):
        seating.seat(table_id=made.pk, player=player, number=number, buy_in=500, by=floor, now=made.now)
    return made


def pool(table: Evening) -> int:
    return ledger.balance(stacks.pool(table.table))


def test_a_player_seated_in_the_room_does_not_check_out_and_keeps_the_account(table):
    refused(Conflict, f"{table.table.name}, seat 1", visits.check_out, player=table.ann, by=table.ann, now=table.now)
    asked = {"user": table.ann, "by": staff("manager"), "reason": "moved abroad", "now": table.now}
    refused(Conflict, "remove the player from it first", accounts.close, **asked)
    assert User.objects.get(pk=table.ann.pk).is_active


@pytest.mark.parametrize("goes_home_with", [0, 300, 500, 700])
def test_what_was_brought_before_midnight_is_no_win_of_the_day_after(table, floor, goes_home_with):
    ann, check = table.ann, partial(limits.check, player=table.ann, kind="buy-in")
    limits.request_limit(by=ann, kind="loss-day", amount=1000, now=table.now)
    physical.top_up(table_id=table.pk, player=ann, amount=200, by=floor, now=table.now)
    table.later(days=1)
    check(amount=300, now=table.now)  # 700 lie there and may be lost
    refused(Illegal, "300 of it are left", check, amount=301, now=table.now)
    physical.cash_out(table_id=table.pk, player=ann, count=goes_home_with, by=floor, now=table.now)
    left = 300 + goes_home_with
    check(amount=left, now=table.now)
    refused(Illegal, f"{left:,} of it are left", check, amount=left + 1, now=table.now)
    check(amount=1000, now=table.later(days=1).now)


def test_players_do_nothing_by_themselves_in_the_room(table):
    sit, top_up = partial(seats.sit, buy_in=500), partial(seats.top_up, amount=100)
    for verb in (sit, top_up, seats.leave, seats.sit_out, seats.come_back):
        refused(Illegal, "ask the floor", verb, table_id=table.pk, by=table.ann, now=table.now)


def test_a_buy_in_lies_in_the_pool_and_leaves_as_it_was_counted(table, floor, audited):
    seat = table.seat_of(table.ann)
    assert (pool(table), seat.counted, seat.account.balance, table.wallet(table.ann)) == (1000, 500, 0, 9500)
    asked = {"table_id": table.pk, "player": table.ann, "by": floor, "now": table.now}
    physical.top_up(**asked, amount=300)
    assert (pool(table), table.seat_of(table.ann).counted) == (1300, 800)
    refused(Invalid, "you can add 700", physical.top_up, **asked, amount=701)
    refused(Forbidden, physical.top_up, **asked | {"by": table.bob}, amount=1)
    refused(Conflict, "1,301 chips are counted", physical.cash_out, **asked, count=1301)
    physical.cash_out(**asked, count=740)
    assert (pool(table), table.wallet(table.ann)) == (560, 9_940)
    assert not Seat.objects.filter(player=table.ann).exists()


def test_counting_moves_no_chip_and_is_what_the_cashier_sees_before_a_player(table, floor, audited):
    asked = {"table_id": table.pk, "by": floor, "now": table.now}
    assert physical.count(**asked, counts={1: 640}) == {"1": 640, "2": 500}
    assert physical.count(**asked, counts={2: 360}, key="k") == {"1": 640, "2": 360}
    refused(NotFound, "Nobody sits in seat 3", physical.count, **asked, counts={3: 1})
    assert (pool(table), StaffAction.objects.filter(verb="physical.count").count()) == (1000, 2)
    assert cage_queries.of_player(table.ann, now=table.now).at_tables == 640
    refused(NotEnoughChips, "At tables: 640 more", lambda: cage_books.require_held(ledger.wallet(table.ann), 9_501))


@pytest.mark.parametrize(("verb", "more"), [
    (physical.count, {"counts": {1: 700, 2: 480}}), (physical.cash_out, {"count": 1_180}),
    (seating.unseat, {"count": 1_180, "reason": "ill"}), (physical.empty_box, {"amount": 1_180}),
])  # fmt: skip
def test_a_count_of_more_than_lies_there_is_kept_and_not_told_what_does(table, floor, verb, more):
    player = {"player": table.ann} if "count" in more else {}
    asked = {"table_id": table.pk, "by": floor, "now": table.now}
    if verb is physical.empty_box:
        refused(Illegal, "1,180 is recorded: count again", verb, **asked, **more)
        more |= {"reason": "as it lay there"}
    refusal = refused(Conflict, "1,180 chips are counted", verb, **asked, **player, **more)
    assert refusal.code == "more-than-the-table"
    assert "1,000" not in refusal.message
    assert 1_000 not in refusal.values.values()
    kept = BlindCount.objects.last()
    assert (kept.counted, kept.expected, kept.by, pool(table)) == (1_180, 1_000, floor, 1_000)


def test_drop_boxes_feed_promotions_and_the_jackpot_with_its_backup(table, floor):
    fund = Jackpot.objects.create(name="Bad beat", backup_percent=40, made_at=table.now)
    schedule = DropSchedule.objects.create(name="Drop", jackpot_name="Bad beat", jackpot=1, made_at=table.now)
    asked = {"table_id": table.pk, "by": floor, "now": table.now, "amount": 61, "promo": 15, "jackpot": 11}
    refused(Illegal, "drops for no jackpot", physical.empty_box, **asked)
    refused(Invalid, "part of what the boxes held", physical.empty_box, **asked | {"promo": 51})
    Table.objects.filter(pk=table.pk).update(drop=schedule)
    made = physical.empty_box(**asked)
    labels = (f"rake:table:{table.pk}", f"promo:table:{table.pk}", f"jackpot:{fund.pk}", f"jackpot:{fund.pk}:backup")
    assert [Account.objects.get(label=label).balance for label in labels] == [35, 15, 7, 4]
    assert (made.fund, made.backup, pool(table), core_audit.check()) == (fund, 4, 939, [])
    legs = [(Account.objects.get(label=f"rake:table:{table.pk}"), -1), (Account.objects.get(label=labels[2]), 1)]
    ledger.post(reference="box:999", reason="a box nobody counted", legs=legs, at=table.now, passage=leave(1))
    assert "had 12 chips of drop boxes; their rows say 11" in " ".join(core_audit.check())


def test_a_move_in_the_room_takes_the_counted_chips(table, floor, audited):
    other, online = in_the_room(), Evening()
    asked = {"player": table.ann, "table_id": table.pk, "by": floor, "why": "balance", "now": table.now}
    refused(Conflict, "count the chips of seat 1 first", moving.move, **asked, to_table_id=other.pk)
    refused(Illegal, "cash out here and buy in there", moving.move, **asked, to_table_id=online.pk, count=500)
    moving.move(**asked, to_table_id=other.pk, count=600)
    assert (pool(table), pool(other), other.seat_of(table.ann).counted) == (400, 600, 600)


def test_unexplained_chips_are_a_fault_until_they_are_counted(table, floor):
    for player, count in ((table.ann, 600), (table.bob, 390)):
        physical.cash_out(table_id=table.pk, player=player, count=count, by=floor, now=table.now)
    assert any("has 10 chips by the books and nobody sits there" in fault for fault in core_audit.check())
    asked = {"table_id": table.pk, "counted": 0, "by": floor, "now": table.now}
    counted_twice(settling.count, reason="not found under the table", **asked)
    assert core_audit.check() == []
    legs = [(stacks.pool(table.table), 5), (ledger.wallet(table.ann), -5)]
    ledger.post(reference="odd:1", reason="by hand", legs=legs, at=table.now)
    assert any("odd:1 moved +5" in fault for fault in core_audit.check())


def test_a_seat_is_picked_up_or_taken_for_a_ban_with_its_chips_counted(table, floor, audited):
    asked = {"table_id": table.pk, "player": table.ann, "by": floor}
    seating.mark_absent(**asked, now=table.now)
    table.later(minutes=30)
    refused(Conflict, "count the chips", seating.pick_up, **asked, now=table.now)
    seating.pick_up(**asked, now=table.now, count=480)
    for times in (1, 0):
        assert seating.take_off_everywhere(player=table.bob, reason="banned", now=table.now) == times
    assert table.seat_of(table.bob).state == "removed"
    seating.unseat(table_id=table.pk, player=table.bob, by=floor, reason="banned", now=table.now, count=520)
    assert (table.wallet(table.ann), table.wallet(table.bob)) == (9980, 10_020)
