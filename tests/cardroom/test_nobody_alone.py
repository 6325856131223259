"""What nobody does alone: take back what they wrote or what was counted, fill the vault, take or pay out in parts,
raise the limits that bind them."""

import pytest

from cardroom.cage import allowances, corrections, drawers, slips, vault
from tests.support.models import Approval, Slip
from tests.support.parts.cardroom import Conflict, Forbidden, NeedsApproval, accounts, approvals, cage_queries, ledger
from tests.support.refusals import refused


def approved(row, by, now):
    assert isinstance(row, Approval)
    return approvals.decide(approval_id=row.pk, by=by, approve=True, now=now)


def test_a_slip_of_ones_own_is_taken_back_by_two(desk, audited):
    for by in (desk.cay, desk.mia):
        if by is desk.mia:
            other = drawers.make_drawer(name="2", by=by, now=desk.now)
            drawers.open_drawer(drawer_id=other.pk, counted=0, by=by, now=desk.now)
        slip = slips.deposit(player=desk.pia, amount=100, by=by, now=desk.now)
        with pytest.raises(NeedsApproval, match="You wrote this slip yourself"):
            corrections.reverse(slip_id=slip.pk, reason="another player", by=by, now=desk.now)
        asked = corrections.request(verb="reversal", slip_id=slip.pk, reason="another player", by=by, now=desk.now)
        approved(asked, desk.max, desk.now)
        assert Slip.objects.get(reverses=slip).by == by
    assert ledger.balance(ledger.wallet(desk.pia)) == 0


def test_a_slip_of_a_closed_session_is_taken_back_by_two(desk, audited):
    slip = slips.deposit(player=desk.pia, amount=100, by=desk.cay, now=desk.now)
    drawers.close_drawer(counted=10_100, by=desk.cay, now=desk.now)
    drawers.open_drawer(drawer_id=desk.drawer.pk, counted=10_100, by=desk.cal, now=desk.now)
    with pytest.raises(NeedsApproval, match="to a closed session"):
        corrections.reverse(slip_id=slip.pk, reason="another player", by=desk.cal, now=desk.now)
    asked = corrections.request(verb="reversal", slip_id=slip.pk, reason="another player", by=desk.cal, now=desk.now)
    approved(asked, desk.mia, desk.now)
    assert Slip.objects.get(reverses=slip).by == desk.cal


@pytest.mark.parametrize("amount", [100_001, -100_001])
def test_above_the_limit_the_vault_is_filled_and_emptied_by_two(desk, audited, amount):
    vault.vault(amount=50_000, by=desk.mia, reason="from the bank", now=desk.now)
    lay, said = cage_queries.vault(), {"amount": amount, "reason": "to and from the bank", "now": desk.now}
    refused(NeedsApproval, "second person", vault.vault, by=desk.mia, **said)
    asked = corrections.request(verb="vault", by=desk.mia, **said)
    assert cage_queries.vault() == lay
    approved(asked, desk.max, desk.now)
    assert (cage_queries.vault(), Slip.objects.get(approval=asked).by) == (lay + amount, desk.mia)


def test_the_vault_has_a_limit_for_the_day(desk):
    vault.vault(amount=100_000, by=desk.mia, reason="from the bank", now=desk.now)
    with pytest.raises(NeedsApproval, match=r"200,000 of your daily limit of 200,000"):
        vault.vault(amount=1, by=desk.mia, reason="from the bank", now=desk.now)


def test_what_may_not_be_deposited_at_once_is_not_deposited_in_parts_at_two_windows(desk, audited):
    drawer = drawers.make_drawer(name="2", by=desk.mia, now=desk.now)
    drawers.open_drawer(drawer_id=drawer.pk, counted=500, from_vault=500, by=desk.cal, now=desk.now)
    slips.deposit(player=desk.pia, amount=15_000, by=desk.cay, now=desk.now)
    with pytest.raises(NeedsApproval, match="deposited 15,000 in the last day, at all windows"):
        slips.deposit(player=desk.pia, amount=5_001, by=desk.cal, now=desk.now)
    slips.deposit(player=desk.pip, amount=15_000, by=desk.cal, now=desk.now)
    slips.deposit(player=desk.pia, amount=5_000, by=desk.cal, now=desk.now)
    asked = corrections.request(verb="deposit", player=desk.pia, amount=1_000, by=desk.cal, now=desk.now)
    approved(asked, desk.mia, desk.now)
    assert ledger.balance(ledger.wallet(desk.pia)) == 21_000


def test_what_may_not_be_paid_out_at_once_is_not_paid_out_in_parts_at_two_windows(desk, audited):
    drawer = drawers.make_drawer(name="2", by=desk.mia, now=desk.now)
    drawers.open_drawer(drawer_id=drawer.pk, counted=9_000, from_vault=9_000, by=desk.cal, now=desk.now)
    slips.deposit(player=desk.pia, amount=20_000, by=desk.cay, now=desk.now)
    slips.withdraw(player=desk.pia, amount=6_000, by=desk.cay, now=desk.now)
    with pytest.raises(NeedsApproval, match="was paid 6,000 in the last day, at all windows"):
        slips.withdraw(player=desk.pia, amount=4_001, by=desk.cal, now=desk.now, kind=Slip.Kind.CASH_OUT)
    slips.withdraw(player=desk.pia, amount=4_000, by=desk.cal, now=desk.now)
    asked = corrections.request(verb="withdrawal", player=desk.pia, amount=1_000, by=desk.cal, now=desk.now)
    approved(asked, desk.mia, desk.now)
    assert ledger.balance(ledger.wallet(desk.pia)) == 9_000


def limit(role, verb):
    return allowances.table()[role, verb]


@pytest.mark.parametrize(("slip", "day"), [(100_001, 200_000), (None, 200_000), (100_000, None), (5, 200_001)])
def test_a_limit_that_binds_a_manager_is_raised_by_two(desk, slip, day):
    asked = allowances.set_limit(role="manager", verb="vault", slip=slip, day=day, by=desk.mia, now=desk.now)
    assert limit("manager", "vault") == allowances.Allowance(100_000, 200_000)
    refused(Forbidden, approved, asked, desk.mia, desk.now)
    approved(asked, desk.max, desk.now)
    assert limit("manager", "vault") == allowances.Allowance(slip, day)


def test_a_limit_is_lowered_and_those_of_others_are_set_by_one_who_is_not_bound_by_them(desk):
    for role, verb, slip in [("manager", "vault", 500), ("cashier", "deposit", 900_000), ("floor", "over-short", None)]:
        allowances.set_limit(role=role, verb=verb, slip=slip, day=slip, by=desk.mia, now=desk.now)
        assert limit(role, verb) == allowances.Allowance(slip, slip)
    allowances.set_limit(role="floor", verb="over-short", slip=5, day=5, by=desk.mia, now=desk.now)
    accounts.give(user=desk.mia, role="floor", by=desk.max, now=desk.now)
    asked = allowances.set_limit(role="floor", verb="over-short", slip=None, day=None, by=desk.mia, now=desk.now)
    assert isinstance(asked, Approval)


def test_a_limit_that_was_set_since_is_not_raised_by_what_was_asked_before(desk):
    asked = allowances.set_limit(role="manager", verb="vault", slip=500_000, day=None, by=desk.mia, now=desk.now)
    allowances.set_limit(role="manager", verb="vault", slip=5, day=5, by=desk.max, now=desk.now)
    refused(Conflict, "has changed since", approved, asked, desk.max, desk.now)
