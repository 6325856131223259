"""Drop boxes in the room where time is collected: what was charged lies in them, and is income once."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid
from tests.cardroom.cage_desk import person
from tests.support.counting import counted_twice
from tests.support.models import Approval, BoxCount, CageLimit, Table, User
from tests.support.parts.cardroom import approvals, core_audit, counts, ledger, vault
from tests.support.parts.games import cage, collection, physical, settling, shifts
from tests.support.refusals import refused
from tests.support.timing import TimedTable
from tests.support.worlds import world


@world
def table(felt) -> TimedTable:
    """One period of the timed table is paid, 10 each, into its drop box."""
    felt.ring()
    return felt


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
def test_time_charged_is_not_booked_again_when_its_box_is_emptied(table, floor, audited, amount, more, books):
    count = counted_twice if "reason" in more else lambda verb, **asked: verb(**asked)
    made = count(partial(box, table, floor, amount), **more)
    assert (books_of(table), made.time) == (books, 20)
    over = amount - 20 - more.get("promo", 0)
    table.ring()
    made = box(table, floor, 20)
    assert (made.time, made.over) == (20, 0), "each box holds what was charged since the one before"
    assert (books_of(table)["pool"], table.house("difference")) == (books["pool"] - 20, over)


def test_a_box_that_does_not_hold_the_time_charged_needs_a_reason_that_can_be_read(table, floor):
    refused(Illegal, "21 is recorded: count again", box, table, floor, 21)
    refused(Illegal, "enter a reason", box, table, floor, 21)
    refused(Conflict, "only a colleague's count", box, table, floor, 20)
    kept, words = counts.counts_of(f"box:{table.pk}"), "A reason is plain text of at most"
    for reason in ("a chip \u202etsol", "torn\x00", "x" * 301):
        said = {"by": floor, "now": table.now, "reason": reason}
        refused(Invalid, words, settling.count, table_id=table.pk, counted=979, **said)
        refused(Invalid, words, box, table, floor, 15, reason=reason)
    assert (counts.counts_of(f"table:{table.pk}"), counts.counts_of(f"box:{table.pk}")) == ([], kept)
    assert books_of(table) == {"pool": 980, **PAID}


def test_a_box_off_by_more_than_the_limit_is_booked_by_two_people(table, floor, audited):
    mia, said = person("mia", "manager"), {"reason": "a rack was left in it", "key": "k"}
    asked = counted_twice(partial(box, table, floor, 222), **said)
    assert isinstance(asked, Approval)
    assert (box(table, floor, 222, **said), books_of(table)) == (asked, {"pool": 980, **PAID})
    kept, _ = counts.counts_of(f"box:{table.pk}")
    assert (kept.counted, kept.expected, kept.reason) == (222, 20, "a rack was left in it")
    refused(Forbidden, approvals.decide, approval_id=asked.pk, by=floor, approve=True, now=table.now)
    approvals.decide(approval_id=asked.pk, by=mia, approve=True, now=table.now)
    made = BoxCount.objects.get()
    assert (made.amount, made.time, made.over, made.by) == (222, 20, 202, floor)
    assert books_of(table) == {"pool": 778, **PAID, "difference": 202}
    asked = counted_twice(partial(box, table, floor, 222), reason="and in this one")
    table.ring()
    refused(Conflict, "since", approvals.decide, approval_id=asked.pk, by=mia, approve=True, now=table.now)
    assert BoxCount.objects.count() == 1


def test_differences_of_boxes_and_tables_add_up_in_a_day(table, floor, audited):
    CageLimit.objects.create(role="floor", verb="over-short", slip=200, day=400)
    said = {"now": table.now, "reason": "short"}
    count = {"table_id": table.pk, **said}
    assert counted_twice(partial(box, table, floor, 220), reason="a rack was left in it").over == 200
    assert counted_twice(settling.count, counted=600, by=floor, **count).difference == -180
    assert isinstance(counted_twice(settling.count, counted=579, by=floor, **count), Approval)
    assert isinstance(counted_twice(partial(box, table, floor, 21), reason="a rack was left in it"), Approval)
    assert counted_twice(settling.count, counted=579, by=person("fay", "floor"), **count).difference == -21


def test_a_shift_does_not_end_over_an_open_count_unless_it_is_handed_over(table, floor):
    cay = person("cay", "cashier")
    for amount in (23, 22):
        refused((Illegal, Conflict), box, table, floor, amount)
    refused(Illegal, "count again", vault.count_vault, counted=5, by=cay, now=table.now)
    shift = shifts.open_(name="Evening", by=floor, now=table.now)
    asked = {"shift_id": shift.pk, "by": floor, "now": table.now}
    refused(Illegal, "2 counts that differ and are not answered for", shifts.close, **asked)
    vault.count_vault(counted=5, reason="found behind it", by=cay, now=table.now)
    assert shifts.count_open()["counts"] == 1
    assert shifts.close(handed_to=person("fay", "floor"), **asked).found["counts"] == 1
    span = {"since": table.now, "until": table.now + timedelta(hours=1)}
    (row,) = cage.slips(by="drawer", **span)
    assert (row.name, row.amount) == ("The vault: over or short", 5)


@pytest.mark.parametrize(("address", "status"), [
    ("/floor/tables/{}/seats/do/", 302), ("/api/v1/tables/{}/seating/box", 202),
])  # fmt: skip
def test_page_and_program_ask_a_second_person_about_a_box(table, floor, client, address, status):
    client.force_login(floor)
    asked, sent = ({"verb": "box"}, {}) if status == 302 else ({}, {"content_type": "application/json"})
    asked["amount"] = 222
    for more, answer in (({}, 422), ({}, 422), ({"reason": "a rack was left in it"}, status)):
        asked |= more
        assert client.post(address.format(table.pk), asked, **sent).status_code == answer
    assert (Approval.objects.get().payload["over"], BoxCount.objects.count()) == (202, 0)


def test_time_paid_back_or_paid_into_an_earlier_box_is_not_in_the_box(table, floor, audited):
    (charge,) = table.charges(table.ann)
    collection.waive(charge_id=charge.pk, by=floor, reason="long misdeal", now=table.now)
    assert box(table, floor, 10).time == 10
    (charge,) = table.charges(table.bob)
    collection.waive(charge_id=charge.pk, by=floor, reason="long misdeal", now=table.now)
    table.ring()
    assert (box(table, floor, 20).time, books_of(table)) == (20, {"pool": 980, **PAID})


def test_a_box_holds_no_time_that_was_paid_from_a_wallet(table, floor, audited):
    collection.refuse(table_id=table.pk, by=table.ann, now=table.now)
    for _ in range(2):
        table.ring()
    physical.cash_out(table_id=table.pk, player=table.ann, count=490, by=floor, now=table.now)
    collection.pay(table_id=table.pk, by=table.ann, now=table.now)
    paid = sum(charge.paid for charge in (*table.charges(table.ann), *table.charges(table.bob)))
    Table.objects.filter(pk=table.pk).update(drop=None)
    assert box(table, floor, paid + 20).time == paid - 10
    assert books_of(table)["rake"] == 30


def test_the_audit_finds_time_booked_as_rake_and_income_without_a_source(table, floor):
    made = BoxCount.objects.create(table_id=table.pk, amount=20, by=floor, at=table.now)
    pool = ledger.open_account(kind="pool", label=f"chips:table:{table.pk}")
    time, rake = (ledger.open_account(kind="house", label=f"{what}:table:{table.pk}") for what in ("time", "rake"))
    ledger.post(reference=f"box:{made.pk}", reason="drop box", legs=[(pool, -20), (rake, 20)], at=table.now)
    assert core_audit.check() == [
        f"time in drop boxes: box {made.pk} of table {table.pk} held 20 of time that was booked when it was charged, "
        "and of what it held 0 were taken as such: 20 are income twice"
    ]
    for house in (time, rake):
        ledger.post(reference=f"count:{house.pk}", reason="a slip", legs=[(pool, -4), (house, 4)], at=table.now)
    told = " ".join(core_audit.check())
    assert f"table {table.pk} has 22 of time in the ledger, and its charges come to 18" in told
    assert f"table {table.pk} has 24 of rake in the ledger, and its hands and boxes come to 20" in told
    table.ring()
    assert box(table, floor, 20).time == 20
