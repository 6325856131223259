"""What nobody does alone: serve themselves, fill the vault, take or pay out in parts, raise the limits that bind them,
put many chips right; and what waits for a second person and is not decided in time."""

from datetime import timedelta

import pytest

from cardroom.cage import allowances, corrections, slips, vault
from cardroom.core.errors import Conflict, Forbidden, NotEnoughChips
from tests.cardroom.cage_desk import approved, refused_alone, window
from tests.support.models import Alarm, Approval, Notice, Slip, Transfer
from tests.support.parts.cardroom import access, alarms, approvals, cage_queries, ledger, tasks
from tests.support.refusals import refused


def wallet(player):
    return ledger.balance(ledger.wallet(player))


@pytest.mark.parametrize("verb", ["comp", "transfer", "reversal"])
def test_nobody_decides_about_themselves_as_a_player(desk, verb, audited):
    slips.deposit(player=desk.pia, amount=8_000, by=desk.cay)
    said = {"by": desk.cay, "reason": "he asked for it"}
    if verb == "comp":
        asked = slips.comp(player=desk.mia, amount=1_000, in_chips=True, **said)
    else:
        asked = slips.transfer(player=desk.pia, to=desk.mia, amount=6_000, **said)
    if verb == "reversal":
        approved(asked, desk.max)
        asked = corrections.reverse(slip_id=Slip.objects.get(kind="transfer").pk, **said)
    before = wallet(desk.mia)
    refused(Forbidden, "the player concerned", approved, asked, desk.mia)
    assert wallet(desk.mia) == before
    approved(asked, desk.max)
    assert wallet(desk.mia) != before


@pytest.mark.parametrize("amount", [100_001, -100_001])
def test_above_the_limits_of_a_slip_and_a_day_the_vault_is_filled_and_emptied_by_two(desk, audited, amount):
    vault.vault(amount=50_000, by=desk.mia, reason="from the bank")
    lay, said = cage_queries.vault(), {"by": desk.mia, "reason": "to and from the bank"}
    refused_alone("second person", vault.vault, amount=amount, **said)
    asked = vault.vault(amount=amount, **said)
    assert asked.said == ("100,001 into the vault" if amount > 0 else "100,001 out of the vault")
    assert cage_queries.vault() == lay
    approved(asked, desk.max)
    assert (cage_queries.vault(), Slip.objects.get(approval=asked).by) == (lay + amount, desk.mia)
    vault.vault(amount=50_000, **said)
    refused_alone("200,000 of your daily limit of 200,000", vault.vault, amount=1, **said)


def test_a_limit_is_not_evaded_in_parts_at_two_windows(desk, audited):
    window(desk, desk.cal, 9_000)
    pia = {"player": desk.pia}
    slips.deposit(amount=15_000, by=desk.cay, **pia)
    before = "deposited 15,000 today, at all windows"
    refused_alone(before, slips.deposit, amount=5_001, by=desk.cal, **pia)
    slips.deposit(player=desk.pip, amount=15_000, by=desk.cal)
    slips.deposit(amount=5_000, by=desk.cal, **pia)
    approved(slips.deposit(amount=1_000, by=desk.cal, **pia), desk.mia)
    slips.withdraw(amount=6_000, by=desk.cay, **pia)
    before = "was paid 6,000 today, at all windows"
    refused_alone(before, slips.pay_out, kind="cash-out", amount=4_001, by=desk.cal, **pia)
    slips.withdraw(amount=4_000, by=desk.cal, **pia)
    approved(slips.withdraw(amount=1_000, by=desk.cal, **pia), desk.mia)
    assert wallet(desk.pia) == 10_000


def limit(role, verb):
    return allowances.table()[role, verb]


@pytest.mark.parametrize(("slip", "day"), [(100_001, 200_000), (None, 200_000), (100_000, None), (5, 200_001)])
def test_a_limit_that_binds_a_manager_is_raised_by_two(desk, slip, day):
    asked = allowances.set_limit(role="manager", verb="vault", slip=slip, day=day, by=desk.mia)
    assert limit("manager", "vault") == allowances.Allowance(100_000, 200_000)
    refused(Forbidden, approved, asked, desk.mia)
    approved(asked, desk.max)
    assert limit("manager", "vault") == allowances.Allowance(slip, day)


def test_one_manager_lowers_a_limit_and_two_raise_it_also_that_of_others(desk):
    for role, verb, slip in [("manager", "vault", 500), ("cashier", "deposit", 900), ("floor", "over-short", 5)]:
        allowances.set_limit(role=role, verb=verb, slip=slip, day=slip, by=desk.mia)
        assert limit(role, verb) == allowances.Allowance(slip, slip)
    asked = allowances.set_limit(role="cashier", verb="deposit", slip=900_000, day=None, by=desk.mia)
    assert limit("cashier", "deposit") == allowances.Allowance(900, 900)
    approved(asked, desk.max)
    assert limit("cashier", "deposit") == allowances.Allowance(900_000, None)
    access.grant_role(user=desk.mia, role="floor", by=None)
    asked = allowances.set_limit(role="floor", verb="over-short", slip=None, day=None, by=desk.mia)
    allowances.set_limit(role="floor", verb="over-short", slip=4, day=4, by=desk.max)
    refused(Conflict, "has changed since", approved, asked, desk.max)


def right(desk, amount, key="k", **changes):
    """Chips in a wallet put right."""
    told = {"user": desk.pia, "reason": "Miscounted rack", "by": desk.mia}
    return corrections.correct(amount=amount, key=key, **told | changes)


def test_corrections_above_the_limit_take_another_manager(desk):
    waits = right(desk, 1_001)
    assert right(desk, 1_001) == waits, "a double click asks once"
    assert waits.words == "Correct pia's wallet by +1,001"
    assert not Transfer.objects.filter(reference__startswith="adjustment:").exists()
    refused(Forbidden, approved, waits, desk.mia)
    for _ in range(2):
        approved(waits, desk.max)
    made = Transfer.objects.get(reference=f"adjustment:approved:{waits.pk}")
    assert (made.by, wallet(desk.pia)) == (desk.mia, 1_001)
    refused(Conflict, right, desk, 5)
    allowances.set_limit(role="manager", verb="adjustment", slip=1_000, day=1_500, by=desk.max)
    for amount, key in ((1_000, "b"), (-500, "c")):
        assert isinstance(right(desk, amount, key), Transfer), "what was approved does not count"
    assert isinstance(right(desk, 1, "d"), Approval)
    assert isinstance(right(desk, 1, "e", by=desk.max), Transfer), "another manager has a day of their own"
    assert isinstance(right(desk, 1, "f", now=desk.now + timedelta(hours=25)), Transfer)
    refused(NotEnoughChips, right, desk, -900, "g", user=desk.pip, by=desk.max)


def test_what_nobody_decides_in_time_is_over_and_who_asked_is_told_once(desk, monkeypatch):
    said = {"player": desk.pia, "amount": 20_001, "by": desk.cay}
    row = slips.deposit(**said)
    (alarm,) = Alarm.objects.all()
    assert (alarm.kind, alarm.key, alarm.due_at) == (approvals.ALARM, str(row.pk), row.until)
    approvals.expire(approval_id=row.pk, now=row.until - timedelta(seconds=1))
    assert approvals.waiting(now=desk.now).get() == row
    monkeypatch.setattr(tasks.timezone, "now", lambda: row.until)
    alarms.claim_due(now=row.until)
    tasks.end_approval(alarm.kind, alarm.key, alarm.fence)
    approvals.expire(approval_id=row.pk, now=row.until)
    row.refresh_from_db()
    assert (row.verdict, row.decided_by, row.get_verdict_display()) == ("over", None, "expired")
    told = Notice.objects.get(player=desk.cay, kind="approval")
    assert told.text == "This request has expired: Deposit of 20,001 for pia. Send a new request."
    for approve in (True, False):
        late = {"approval_id": row.pk, "by": desk.mia, "approve": approve, "reason": "late", "now": row.until}
        refused(Conflict, "expired", approvals.decide, **late)
    assert not approvals.waiting(now=desk.now).exists()
    assert (approvals.past(now=desk.now).get(), wallet(desk.pia)) == (row, 0)
    assert not Alarm.objects.exists()
    approved(slips.deposit(**said), desk.mia)
    assert not Alarm.objects.exists()
