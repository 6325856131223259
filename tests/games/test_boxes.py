"""Drop boxes in the room where time is collected: what was charged lies in them, and is income once."""

from datetime import timedelta
from typing import Any

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid
from tests.cardroom.cage_desk import person
from tests.support.models import Approval, BoxCount, CageLimit, Table, User
from tests.support.parts.cardroom import approvals, core_audit, counts, ledger, vault
from tests.support.parts.games import collection, physical, report_books, seating, settling, shifts
from tests.support.refusals import refused
from tests.support.timing import TimedTable
from tests.support.worlds import world


@world
def felt(floor) -> TimedTable:
    """A timed table in the room: ann and bob with 500 each, and one period of it paid, 10 each, into the drop box."""
    table = TimedTable(is_physical=True)
    table.ann, table.bob = table.player("ann"), table.player("bob")
    for number, player in enumerate((table.ann, table.bob), 1):
        seating.seat(table_id=table.pk, player=player, number=number, buy_in=500, by=floor, now=table.now)
    table.ring()
    return table


def books_of(table: TimedTable) -> dict[str, int]:
    pool = ledger.open_account(kind="pool", label=f"chips:table:{table.pk}")
    return {"pool": ledger.balance(pool)} | {
        part: table.house(part) for part in ("time", "promo", "rake", "difference") if table.house(part)
    }


def box(table: TimedTable, floor: User, amount: int, **more: Any) -> Any:
    return physical.empty_box(table_id=table.pk, amount=amount, by=floor, now=table.now, **more)


PAID = {"time": 18, "promo": 2}


@pytest.mark.parametrize(("amount", "more", "books"), [
    (20, {}, {"pool": 980, **PAID}),
    (26, {"promo": 6}, {"pool": 974, "time": 18, "promo": 8}),
    (23, {"reason": "three chips too many"}, {"pool": 977, **PAID, "difference": 3}),
    (15, {"reason": "ann has not put hers in"}, {"pool": 985, **PAID, "difference": -5}),
])  # fmt: skip
def test_time_that_was_charged_is_not_booked_again_when_the_box_it_lies_in_is_emptied(
    felt, floor, audited, amount, more, books
):
    made = box(felt, floor, amount, **more)
    assert (books_of(felt), made.time) == (books, 20)
    over = amount - 20 - more.get("promo", 0)
    felt.ring()
    made = box(felt, floor, 20)
    assert (made.time, made.over) == (20, 0), "each box holds what was charged since the one before"
    assert (books_of(felt)["pool"], felt.house("difference")) == (books["pool"] - 20, over)


def test_a_box_that_does_not_hold_the_time_charged_needs_a_reason(felt, floor):
    refused(Illegal, "the book balance is 20: 1 over", box, felt, floor, 21)
    refused(Conflict, "You counted 21", box, felt, floor, 20)
    assert books_of(felt) == {"pool": 980, **PAID}


def test_a_box_that_is_off_by_more_than_one_may_answer_for_is_booked_by_two(felt, floor, audited):
    said = {"reason": "a rack was left in it", "key": "k"}
    asked = box(felt, floor, 222, **said)
    assert isinstance(asked, Approval)
    assert (box(felt, floor, 222, **said), books_of(felt)) == (asked, {"pool": 980, **PAID})
    (kept,) = counts.of(f"box:{felt.pk}")
    assert (kept.counted, kept.expected, kept.reason) == (222, 20, "a rack was left in it")
    refused(Forbidden, approvals.decide, approval_id=asked.pk, by=floor, approve=True, now=felt.now)
    approvals.decide(approval_id=asked.pk, by=person("mia", "manager"), approve=True, now=felt.now)
    made = BoxCount.objects.get()
    assert (made.amount, made.time, made.over, made.by) == (222, 20, 202, floor)
    assert books_of(felt) == {"pool": 778, **PAID, "difference": 202}


def test_differences_of_boxes_and_tables_add_up_in_a_day(felt, floor, audited):
    CageLimit.objects.create(role="floor", verb="over-short", slip=200, day=400)
    said = {"now": felt.now, "reason": "short"}
    assert box(felt, floor, 220, reason="a rack was left in it").over == 200
    assert settling.count(table_id=felt.pk, counted=600, by=floor, **said).difference == -180
    assert isinstance(settling.count(table_id=felt.pk, counted=579, by=floor, **said), Approval)
    assert isinstance(box(felt, floor, 21, reason="a rack was left in it"), Approval)
    assert settling.count(table_id=felt.pk, counted=579, by=person("fay", "floor"), **said).difference == -21


@pytest.mark.parametrize("reason", ["a chip \u202etsol", "torn\x00", "x" * 301])
def test_a_reason_that_nobody_could_read_is_none(felt, floor, reason):
    with pytest.raises(Invalid, match="A reason is plain text of at most"):
        settling.count(table_id=felt.pk, counted=979, by=floor, now=felt.now, reason=reason)
    refused(Invalid, "A reason is plain text of at most", box, felt, floor, 15, reason=reason)
    assert not counts.of(f"table:{felt.pk}")
    assert not counts.of(f"box:{felt.pk}")


def test_a_shift_does_not_end_over_a_count_that_nobody_answered_for_unless_it_is_handed_over(felt, floor):
    cay = person("cay", "cashier")
    for amount in (23, 22):
        refused((Illegal, Conflict), box, felt, floor, amount)
    refused(Illegal, vault.count_vault, counted=5, by=cay, now=felt.now)
    shift = shifts.open_(name="Evening", by=floor, now=felt.now)
    asked = {"shift_id": shift.pk, "by": floor, "now": felt.now}
    refused(Illegal, "2 counts that differ and are not answered for", shifts.close, **asked)
    vault.count_vault(counted=5, reason="found behind it", by=cay, now=felt.now)
    assert shifts.found_open()["counts"] == 1
    assert shifts.close(handed_to=person("fay", "floor"), **asked).found["counts"] == 1
    span = {"since": felt.now, "until": felt.now + timedelta(hours=1)}
    (row,) = report_books.slips(by="drawer", **span)
    assert (row.name, row.amount) == ("The vault: over or short", 5)


@pytest.mark.parametrize(("address", "status"), [
    ("/floor/tables/{}/seats/do/", 302), ("/api/v1/tables/{}/seating/box", 202),
])  # fmt: skip
def test_page_and_program_ask_a_second_person_about_a_box(felt, floor, client, address, status):
    client.force_login(floor)
    asked, sent = ({"verb": "box"}, {}) if status == 302 else ({}, {"content_type": "application/json"})
    asked["amount"] = 222
    for more, answer in (({}, 422), ({"reason": "a rack was left in it"}, status)):
        asked |= more
        assert client.post(address.format(felt.pk), asked, **sent).status_code == answer
    assert (Approval.objects.get().amount, BoxCount.objects.count()) == (202, 0)


def test_what_was_asked_about_a_box_is_not_booked_once_more_was_charged(felt, floor, audited):
    asked = box(felt, floor, 222, reason="a rack was left in it")
    felt.ring()
    with pytest.raises(Conflict, match="since"):
        approvals.decide(approval_id=asked.pk, by=person("mia", "manager"), approve=True, now=felt.now)
    assert not BoxCount.objects.exists()


def test_time_given_back_out_of_the_box_is_not_in_it_and_time_of_an_earlier_box_does_not_count(felt, floor, audited):
    (charge,) = felt.charges(felt.ann)
    collection.waive(charge_id=charge.pk, by=floor, reason="long misdeal", now=felt.now)
    assert box(felt, floor, 10).time == 10
    (charge,) = felt.charges(felt.bob)
    collection.waive(charge_id=charge.pk, by=floor, reason="long misdeal", now=felt.now)
    felt.ring()
    assert (box(felt, floor, 20).time, books_of(felt)) == (20, {"pool": 980, **PAID})


def test_time_paid_from_a_wallet_is_in_no_box(felt, floor, audited):
    collection.refuse(table_id=felt.pk, player=felt.ann, now=felt.now)
    for _ in range(2):
        felt.ring()
    physical.cash_out(table_id=felt.pk, player=felt.ann, count=490, by=floor, now=felt.now)
    collection.pay(table_id=felt.pk, player=felt.ann, now=felt.now)
    paid = sum(charge.paid for charge in (*felt.charges(felt.ann), *felt.charges(felt.bob)))
    assert box(felt, floor, paid - 10).time == paid - 10


def test_a_table_that_rakes_since_it_collected_time_has_both_in_its_box(felt, floor, audited):
    Table.objects.filter(pk=felt.pk).update(drop=None)
    box(felt, floor, 50)
    assert books_of(felt) == {"pool": 950, **PAID, "rake": 30}


def test_the_audit_finds_time_that_was_booked_as_rake_as_well(felt, floor):
    made = BoxCount.objects.create(table_id=felt.pk, amount=20, by=floor, at=felt.now)
    pool = ledger.open_account(kind="pool", label=f"chips:table:{felt.pk}")
    rake = ledger.open_account(kind="house", label=f"rake:table:{felt.pk}")
    ledger.post(reference=f"box:{made.pk}", reason="drop box", legs=[(pool, -20), (rake, 20)], at=felt.now)
    assert core_audit.check() == [
        f"time in drop boxes: box {made.pk} of table {felt.pk} held 20 of time that was booked when it was charged, "
        "and of what it held 0 were taken as such: 20 are income twice"
    ]
    felt.ring()
    assert box(felt, floor, 20).time == 20


def test_the_audit_finds_income_of_a_table_that_no_charge_hand_or_box_brought(felt):
    pool = ledger.open_account(kind="pool", label=f"chips:table:{felt.pk}")
    for what in ("time", "rake"):
        house = ledger.open_account(kind="house", label=f"{what}:table:{felt.pk}")
        ledger.post(reference=f"count:99{what}", reason="a slip", legs=[(pool, -4), (house, 4)], at=felt.now)
    told = " ".join(core_audit.check())
    assert f"table {felt.pk} has 22 of time in the ledger, and its charges come to 18" in told
    assert f"table {felt.pk} has 4 of rake in the ledger, and its hands and boxes come to 0" in told
