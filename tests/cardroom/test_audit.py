"""The audit finds what is wrong with the books, and says so in words a cashier understands."""

import pytest
from django.core.management import call_command
from django.db import connection

from cardroom.ledger.models import Account, Entry, Transfer
from tests.support.parts.cardroom import core_audit, guards, ledger
from tests.support.refusals import refused


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


def test_an_app_adds_its_own_checks_one_that_breaks_is_a_fault_and_the_command_prints_each_and_exits_with_1(
    north, funded, capsys
):
    def broken():
        raise RuntimeError("As Kd")

    funded(north, 500)
    count = len(core_audit.run().checks)
    call_command("audit")
    assert capsys.readouterr().out == f"{count} checks, 0 faults\n"
    core_audit.register("broken", broken)
    core_audit.register("stacks equal hands", lambda: ["table 1 is off by 5"])
    refused(ValueError, "already", core_audit.register, "stacks equal hands", list)
    found = ["broken: the check itself failed; the log says why", "stacks equal hands: table 1 is off by 5"]
    assert core_audit.check() == found
    assert refused(SystemExit, call_command, "audit").code == 1
    assert capsys.readouterr().out.splitlines() == [*found, f"{count + 2} checks, 2 faults"]
