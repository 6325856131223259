"""What waits for a second person and is not decided in time, and chips that a manager puts right."""

from datetime import timedelta

import pytest

from cardroom.core.errors import Conflict, Forbidden, NotEnoughChips
from tests.cardroom.cage_desk import faults
from tests.support.models import Alarm, Approval, DrawerSession, Notice, Transfer
from tests.support.parts.cardroom import alarms, allowances, approvals, corrections, drawers, ledger, tasks
from tests.support.parts.cardroom import corrections as cage_corrections
from tests.support.refusals import refused


def asked_for(desk) -> Approval:
    made = corrections.request(verb="deposit", player=desk.pia, amount=20_001, by=desk.cay, now=desk.now)
    assert isinstance(made, Approval)
    return made


def test_what_nobody_decides_in_time_is_over_and_who_asked_is_told_once(desk):
    row = asked_for(desk)
    alarm = Alarm.objects.get(kind=approvals.ALARM)
    assert (alarm.key, alarm.due_at) == (str(row.pk), row.until)
    approvals.expire(approval_id=row.pk, now=row.until - timedelta(seconds=1))
    assert approvals.waiting(now=desk.now).get() == row
    for _ in range(2):
        approvals.expire(approval_id=row.pk, now=row.until)
    row.refresh_from_db()
    assert (row.verdict, row.decided_by, row.get_verdict_display()) == ("over", None, "expired")
    told = Notice.objects.get(player=desk.cay, kind="approval")
    assert told.text == "This request has expired: Deposit of 20,001 for pia. Send a new request."
    for approve in (True, False):
        with pytest.raises(Conflict, match="expired"):
            approvals.decide(approval_id=row.pk, by=desk.mia, approve=approve, reason="late", now=row.until)
    assert not approvals.waiting(now=desk.now).exists()
    assert (approvals.past(now=desk.now).get(), ledger.balance(ledger.wallet(desk.pia))) == (row, 0)


def test_its_alarm_rings_through_the_task_and_goes_when_it_is_decided(desk, monkeypatch):
    row = asked_for(desk)
    monkeypatch.setattr(tasks.timezone, "now", lambda: row.until)
    (alarm,) = alarms.claim_due(now=row.until)
    tasks.end_approval(alarm.kind, alarm.key, alarm.fence)
    assert not Alarm.objects.exists()
    assert Approval.objects.get(pk=row.pk).verdict == "over"
    other = asked_for(desk)
    approvals.decide(approval_id=other.pk, by=desk.mia, approve=True, now=desk.now)
    assert not Alarm.objects.exists()


def test_a_drawer_whose_close_nobody_decided_is_open_again(desk):
    session = drawers.close_drawer(counted=9_000, reason="I cannot find it", by=desk.cay, now=desk.now)
    assert session.state == DrawerSession.State.CLOSING
    row = approvals.waiting(now=desk.now).get()
    approvals.expire(approval_id=row.pk, now=row.until)
    session.refresh_from_db()
    assert (session.state, faults()) == (DrawerSession.State.OPEN, [])


def right(desk, amount, key="k", **changes):
    told = {"user": desk.pia, "reason": "Miscounted rack", "by": desk.mia, "now": desk.now}
    return cage_corrections.correct(amount=amount, key=key, **told | changes)


def test_chips_put_right_above_the_managers_limit_take_another_manager(desk):
    waits = right(desk, 1_001)
    assert isinstance(waits, Approval)
    assert right(desk, 1_001) == waits, "a double click asks once"
    assert waits.words == "Correct pia's wallet by +1,001"
    assert not Transfer.objects.filter(reference__startswith="adjustment:").exists()
    refused(Forbidden, approvals.decide, approval_id=waits.pk, by=desk.mia, approve=True, now=desk.now)
    for _ in range(2):
        approvals.decide(approval_id=waits.pk, by=desk.max, approve=True, now=desk.now)
    made = Transfer.objects.get(reference=f"adjustment:approved:{waits.pk}")
    assert (made.by, ledger.balance(ledger.wallet(desk.pia))) == (desk.mia, 1_001)
    refused(Conflict, right, desk, 5)


def test_a_managers_day_of_putting_right_adds_up_without_what_was_approved(desk):
    allowances.set_limit(role="manager", verb="adjustment", slip=1_000, day=1_500, by=desk.max, now=desk.now)
    approvals.decide(approval_id=right(desk, 2_000, "a").pk, by=desk.max, approve=True, now=desk.now)
    assert isinstance(right(desk, 1_000, "b"), Transfer)
    assert isinstance(right(desk, -500, "c"), Transfer)
    assert isinstance(right(desk, 1, "d"), Approval)
    assert isinstance(right(desk, 1, "e", by=desk.max), Transfer), "another manager has a day of his own"
    assert isinstance(right(desk, 1, "f", now=desk.now + timedelta(hours=25)), Transfer)
    refused(NotEnoughChips, right, desk, -900, "g", user=desk.pip, by=desk.max)
