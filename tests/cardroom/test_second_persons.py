"""The second person is another person: who gave somebody access and who got it do not decide for each other."""

from datetime import timedelta

import pytest
import time_machine
from django.core.management import CommandError, call_command

from cardroom.cage import corrections, drawers, slips, vault
from cardroom.core.errors import Conflict, Forbidden, NotEnoughChips
from tests.cardroom.cage_desk import approved, person, window
from tests.support.models import AccessGrant, Approval, CashierRequest, StaffAction, User
from tests.support.parts.cardroom import access, accounts, approvals, cage_requests, roles, sealed_views
from tests.support.refusals import refused

APART = "somebody else has to decide"
WEAK = "Tr0ubled-waters-9"


def big_deposit(desk, by):
    """What a cashier may not do alone."""
    return slips.deposit(player=desk.pia, amount=5_000_000, by=by)


def test_a_manager_does_not_approve_for_a_cashier_they_asked_to_have_made(desk):
    puppet = person("pup")
    waits = roles.give(user=puppet, role="cashier", by=desk.mia)
    assert not access.has_role(puppet, "cashier")
    refused(Forbidden, "your own request", approved, waits, desk.mia)
    approved(waits, desk.max)
    window(desk, puppet)
    asked = big_deposit(desk, puppet)
    assert refused(Forbidden, APART, approved, asked, desk.mia).code == "not-independent"
    assert (approvals.waiting_for(desk.mia, now=desk.now), approvals.waiting_for(desk.max, now=desk.now)) == (0, 1)
    approvals.decide(approval_id=asked.pk, by=desk.mia, approve=False, reason="not so much")
    with time_machine.travel(desk.now + timedelta(days=30), tick=False):
        approved(big_deposit(desk, puppet), desk.mia)


def closed_and_reopened(desk, user):
    accounts.close(user=user, by=desk.max, reason="has left")
    accounts.reopen(user=user, by=desk.mia, reason="is back")


@pytest.mark.parametrize(("what", "give"), [
    ("password", lambda desk, user: accounts.set_password(user=user, password=WEAK, by=desk.mia)),
    ("email", lambda desk, user: accounts.edit(user=user, email="new@example.org", by=desk.mia)),
    ("reopened", closed_and_reopened),
])  # fmt: skip
def test_whoever_gave_a_cashier_what_they_log_in_with_is_no_second_person_for_them(desk, what, give):
    give(desk, desk.cal)
    row = AccessGrant.objects.get(user=desk.cal, by__isnull=False)
    assert (row.what, row.by) == (what, desk.mia)
    window(desk, desk.cal)
    asked = big_deposit(desk, desk.cal)
    refused(Forbidden, APART, approved, asked, desk.mia)
    approved(asked, desk.max)


def test_an_account_that_a_manager_opened_is_their_dependent_whatever_its_role(desk):
    made = accounts.open_one(name="west", password=WEAK, by=desk.mia)
    approved(roles.give(user=made, role="manager", by=desk.max), person("moe", "manager"))
    asked = vault.vault(amount=100_001, reason="from the bank", by=desk.mia)
    refused(Forbidden, APART, approved, asked, made)
    waits = roles.give(user=desk.pip, role="cashier", by=desk.mia)
    refused(Forbidden, APART, approved, waits, made)


def manager_with_an_account_of_mias(desk):
    made = accounts.open_one(name="west", password=WEAK, by=desk.mia)
    access.grant_role(user=made, role="manager", by=None)
    return made


@pytest.mark.parametrize("what", ["password", "email", "account"])
def test_two_who_have_their_access_from_the_same_person_are_no_second_persons(desk, what):
    west, cashier = manager_with_an_account_of_mias(desk), desk.cal
    if what == "password":
        accounts.set_password(user=cashier, password=WEAK, by=desk.mia)
    elif what == "email":
        accounts.edit(user=cashier, email="new@example.org", by=desk.mia)
    else:
        cashier = accounts.open_one(name="east", password=WEAK, by=desk.mia)
        access.grant_role(user=cashier, role="cashier", by=None)
    window(desk, cashier)
    asked = big_deposit(desk, cashier)
    assert refused(Forbidden, APART, approved, asked, west).code == "not-independent"
    assert (approvals.waiting_for(west, now=desk.now), approvals.waiting_for(desk.max, now=desk.now)) == (0, 1)
    approved(asked, desk.max)
    with time_machine.travel(desk.now + timedelta(days=30), tick=False):
        approved(big_deposit(desk, cashier), west)


@pytest.mark.parametrize("first", ["role", "account"])
def test_a_role_from_the_same_person_keeps_nobody_apart(desk, first):
    west = manager_with_an_account_of_mias(desk) if first == "account" else person("west")
    if first == "role":
        approved(roles.give(user=west, role="manager", by=desk.mia), desk.max)
    cashier = person("new")
    approved(roles.give(user=cashier, role="cashier", by=desk.mia), desk.max)
    window(desk, cashier)
    approved(big_deposit(desk, cashier), west)


@pytest.mark.parametrize("role", [role for role in access.ROLES if role != "dealer"])
def test_every_role_that_asks_for_chips_or_decides_is_given_by_two(desk, role):
    user = person("new")
    waits = roles.give(user=user, role=role, by=desk.mia)
    assert isinstance(waits, Approval)
    assert roles.give(user=user, role=role, by=desk.mia) == waits
    refused(Conflict, "waits for approval already", roles.give, user=user, role=role, by=desk.max)
    assert not access.roles_of(user)
    approved(waits, desk.max)
    row = AccessGrant.objects.get(user=user)
    assert (row.role, row.by, row.approval) == (role, desk.mia, waits)
    assert StaffAction.objects.get(verb="account.give-role", player=user).by == desk.max


def test_the_first_manager_of_a_room_gives_roles_alone_until_there_was_another(db, now):
    first = person("mia", "manager")
    cay, other = person("cay"), person("max")
    assert roles.give(user=cay, role="cashier", by=first, now=now) == cay
    assert roles.give(user=other, role="manager", by=first, now=now) == other
    roles.take(user=other, role="manager", by=first, now=now)
    assert isinstance(roles.give(user=person("cal"), role="cashier", by=first, now=now), Approval)


def test_the_operators_command_gives_and_takes_roles_and_binds_nobody(desk, capsys):
    call_command("role", "PIP", "manager")
    assert capsys.readouterr().out == "pip: manager\n"
    assert StaffAction.objects.get(verb="account.give-role").by is None
    waits = roles.give(user=person("new"), role="cashier", by=desk.mia)
    approved(waits, desk.pip)
    call_command("role", "pip", "manager", "--take")
    assert not access.roles_of(User.objects.get(username="pip"))
    with pytest.raises(CommandError, match="no player called"):
        call_command("role", "nobody", "manager")


# What could be carried out twice


def test_withdrawals_that_wait_do_not_exceed_the_wallet_in_sum(desk):
    slips.deposit(player=desk.pia, amount=1_000, by=desk.cay)
    ask = {"by": desk.pia, "kind": "withdrawal", "now": desk.now}
    first = cage_requests.make(amount=700, **ask)
    refused(NotEnoughChips, "1,000 in your wallet, and withdrawals of 700 wait", cage_requests.make, amount=301, **ask)
    cage_requests.make(amount=300, **ask)
    cage_requests.take_back(request_id=first.pk, by=desk.pia)
    cage_requests.make(amount=700, **ask)
    assert sum(CashierRequest.objects.filter(state="open").values_list("amount", flat=True)) == 1_000


def test_what_cashiers_ask_to_pay_out_does_not_exceed_the_wallet_in_sum_either(desk):
    for _ in range(2):
        slips.deposit(player=desk.pia, amount=10_000, by=desk.cay)
    pays = {"player": desk.pia, "by": desk.cay}
    slips.withdraw(amount=15_000, **pays)
    refused(NotEnoughChips, slips.withdraw, amount=12_000, **pays)
    said = {"to": desk.pip, "reason": "he asked", "amount": 6_000}
    refused(NotEnoughChips, slips.transfer, **said, **pays)
    ask = {"by": desk.pia, "kind": "withdrawal", "now": desk.now}
    refused(NotEnoughChips, cage_requests.make, amount=5_001, **ask)
    slips.transfer(**said | {"amount": 5_000}, **pays)


def test_one_reversal_of_a_slip_waits_at_a_time(desk):
    slip = slips.deposit(player=desk.pia, amount=500, by=desk.cay)
    window(desk, desk.cal)
    asked = {"slip_id": slip.pk, "reason": "wrong player"}
    waits = corrections.reverse(by=desk.cay, **asked)
    assert corrections.reverse(by=desk.cay, **asked) == waits
    drawers.close_drawer(counted=10_500, by=desk.cay)
    refusal = refused(Conflict, "waits for approval already", corrections.reverse, by=desk.cal, **asked)
    assert (refusal.code, refusal.values["approval"]) == ("asked-already", waits.pk)
    approvals.take_back(approval_id=waits.pk, by=desk.cay)
    assert corrections.reverse(by=desk.cal, **asked) != waits


def test_what_nobody_decided_in_time_keeps_nobody_from_asking(desk):
    auditor = person("ada", "auditor")
    waits = sealed_views.ask(by=auditor, reason="a complaint", now=desk.now)
    assert sealed_views.ask(by=auditor, reason="a complaint", now=desk.now) == waits
    other = sealed_views.ask(by=auditor, reason="a complaint", now=waits.until)
    assert (other != waits, Approval.objects.get(pk=waits.pk).verdict) == (True, "over")
