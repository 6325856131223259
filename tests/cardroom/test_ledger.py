"""What `ledger.post` accepts, refuses and costs; and what is wrong with the books is found by their audit."""

from datetime import datetime

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from cardroom.core.errors import Conflict, Invalid, NotEnoughChips, NotFound, Refusal
from cardroom.ledger.models import Account, Entry, Transfer
from tests.support.leave import leave
from tests.support.parts.cardroom import core_audit, guards, ledger, people
from tests.support.refusals import refused


@pytest.fixture
def post(wallets, now):
    """Posts from the first wallet to the second unless told otherwise."""

    def send(amount: int = 100, *, reference: str = "gift:1", legs=None, at=now, **more):
        legs = [(wallets[0], -amount), (wallets[1], amount)] if legs is None else legs
        return ledger.post(reference=reference, reason="a test", legs=legs, at=at, **more)

    return send


def test_a_post_moves_both_balances_and_stands_in_statements_newest_first(post, wallets, north, now):
    transfer = post(120)
    assert [ledger.balance(wallet) for wallet in wallets] == [380, 620]
    stored = Transfer.objects.get(reference="gift:1")
    assert (stored, stored.at, stored.reason, stored.by) == (transfer, now, "a test", None)
    lines = [(line.reason, line.amount, line.balance) for line in people.statement(north)]
    assert (lines, people.wallet_balance(north)) == ([("a test", -120, 380), ("funded", 500, 500)], 380)


def test_legs_of_one_account_are_netted_and_accounts_may_be_named_by_their_ids(post, wallets):
    transfer = post(legs=[(wallets[0], -30), (wallets[1].pk, 50), (wallets[0].pk, -20)])
    assert sorted(transfer.entries.values_list("amount", flat=True)) == [-50, 50]
    assert ledger.balance(wallets[1].pk) == 550
    nothing = post(legs=[(wallets[0], 0), (wallets[1], 0)], reference="gift:2")
    assert (Transfer.objects.get(reference="gift:2"), nothing.entries.count()) == (nothing, 0), "it is on record"


def test_the_same_reference_and_legs_move_chips_once_and_other_chips_are_a_conflict(post, wallets):
    first = post(500)
    assert post(500) == first, "even when the chips have gone"
    refused(Conflict, "gift:1", post, 499)
    assert ledger.balance(wallets[0]) == 0


@pytest.mark.smoke
def test_a_wallet_or_stack_cannot_give_more_than_it_holds_but_the_house_may_owe(post, wallets, north, bank):
    refusal = refused(NotEnoughChips, "holds 500 and this takes 501", post, 501)
    assert refusal.values == {"account": wallets[0].pk, "held": 500, "needed": 501}
    stack = ledger.open_account(kind="stack", owner=north, label="table:1:seat:1")
    refused(NotEnoughChips, post, legs=[(stack, -1), (wallets[0], 1)])
    post(legs=[(bank, -5_000), (wallets[0], 5_000)], passage=leave(5_000))
    assert ledger.balance(bank) == -6_000, "in the transaction that saw two refusals"


@pytest.mark.parametrize(("amounts", "message"), [
    ((-100, 99), "leave -1 cash"), ((-100, True), "whole numbers"), ((-1.5, 1.5), "whole numbers"),
    (("-1", "1"), "whole numbers"), ((-(10**16), 10**16), "at most"),
])  # fmt: skip
def test_legs_that_are_no_balanced_chips_are_refused(post, wallets, amounts, message):
    refused(Invalid, message, lambda: post(legs=list(zip(wallets, amounts, strict=True))))
    assert not Transfer.objects.filter(reference="gift:1").exists()


def test_a_transfer_balances_in_every_unit(post, wallets, south):
    play = ledger.wallet(south, unit="tournament:1")
    refused(Invalid, "-100 cash", post, legs=[(wallets[0], -100), (play, 100)])
    refused(NotFound, "no account 999999", post, legs=[(wallets[0], -1), (999_999, 1)])
    refused(NotFound, ledger.balance, 999_999)
    for reference in ("", "x" * 201):
        refused(Invalid, "reference", post, reference=reference)
    refused(Invalid, "time zone", post, at=datetime(2030, 1, 1))


def test_a_player_has_one_wallet_and_many_stacks_and_what_cannot_be_is_refused(north):
    assert ledger.wallet(north) == ledger.open_account(kind="wallet", owner=north)
    stacks = [ledger.open_account(kind="stack", owner=north, label="table:1:seat:1") for _ in range(2)]
    assert stacks[0] != stacks[1]
    for kind in ("wallet", "purse"):
        refused(Refusal, ledger.open_account, kind=kind)
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.create(kind="stack", label="table:1:seat:1")


def test_a_post_of_many_legs_is_three_statements(post, bank, django_user_model):
    players = [django_user_model.objects.create_user(f"seat{n}") for n in range(8)]
    legs = [(ledger.wallet(player), 10) for player in players]
    with transaction.atomic(), CaptureQueriesContext(connection) as statements:
        post(legs=[(bank, -80), *legs], passage=leave(80))
    assert (len(statements), Entry.objects.filter(transfer__reference="gift:1").count()) == (3, 9)


def test_a_reversal_is_the_mirror_and_says_who_and_why(post, wallets, south, now):
    wrong = post(60)
    back = ledger.reverse(transfer=wrong, reason="pushed to the wrong seat", at=now, by=south)
    assert dict(back.entries.values_list("account", "amount")) == {wallets[0].pk: 60, wallets[1].pk: -60}
    assert (back.reference, back.reason, back.by) == ("reversal:gift:1", "pushed to the wrong seat", south)
    assert Transfer.objects.filter(pk=wrong.pk).exists()
    assert core_audit.check() == []


def test_one_transfer_of_two_units_adds_up_to_nothing_in_each(post, wallets, north):
    """A tournament is bought into with cash and played with its own chips."""
    fees = ledger.open_account(kind="house", label="tournament:1")
    issue = ledger.open_account(kind="house", label="tournament:1", unit="tournament:1")
    stack = ledger.open_account(kind="stack", owner=north, label="entry:1", unit="tournament:1")
    legs = [(wallets[0], -100), (fees, 100), (issue, -1_500), (stack, 1_500)]
    post(legs=legs, passage=leave(1_500))
    assert [ledger.balance(account) for account in (wallets[0], fees, stack)] == [400, 100, 1_500]
    assert core_audit.check() == []


@pytest.fixture
def unguarded(north, funded):
    """The books of one wallet, in a database that lets anything be written. Rolled back after the test."""
    wallet = funded(north, 500)
    connection.check_constraints()  # PostgreSQL drops no trigger while one of its checks is still to come
    guards.lift(connection)
    return wallet


def faults() -> list[str]:
    return [fault for fault in core_audit.check() if not fault.startswith("guards in place")]


def test_balances_and_transfers_off_their_entries_are_found(unguarded, south, now):
    Account.objects.filter(pk=unguarded.pk).update(balance=600)
    other = Account.objects.create(kind="wallet", owner=south, balance=7)
    assert faults() == [
        f"balances equal entries: account {unguarded.pk}, wallet of north (cash), says 600; its entries add up to 500",
        f"balances equal entries: account {other.pk}, wallet of south (cash), says 7; its entries add up to 0",
    ]
    other.delete()
    transfer = Transfer.objects.create(reference="by-hand", reason="by hand", at=now)
    Entry.objects.create(transfer=transfer, account=unguarded, amount=25)
    Account.objects.filter(pk=unguarded.pk).update(balance=525)
    assert faults() == ["transfers balance: by-hand is off by +25 cash"]


def test_chips_left_behind_on_a_seat_that_was_taken_again_are_found(north, south, funded, now):
    first, second = (ledger.open_account(kind="stack", owner=who, label="table:1:seat:1") for who in (north, south))
    legs = [(funded(north, 500), -80), (first, 50), (second, 30)]
    ledger.post(reference="buy-in", reason="buy-in", legs=legs, at=now)
    assert core_audit.check() == [
        f"no orphan stacks: account {first.pk}, stack of north table:1:seat:1 (cash), still holds 50 "
        "though the seat was taken again"
    ]


def test_the_audit_command_prints_every_fault(north, funded, capsys):
    def broken():
        raise RuntimeError("As Kd")

    funded(north, 500)
    count = len(core_audit.run().checks)
    call_command("audit")
    assert capsys.readouterr().out.splitlines()[-1] == f"{count} checks, 0 faults"
    core_audit.register("broken", broken)
    core_audit.register("stacks equal hands", lambda: ["table 1 is off by 5"])
    refused(ValueError, "already", core_audit.register, "stacks equal hands", list)
    found = ["broken: the check itself failed; the log says why", "stacks equal hands: table 1 is off by 5"]
    assert core_audit.check() == found
    assert refused(SystemExit, call_command, "audit").code == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("Note: ")]
    assert lines == [*found, f"{count + 2} checks, 2 faults"]
