"""The ledger's rules hold against raw SQL, on whichever database the suite runs."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import IntegrityError, connection, models, transaction
from django.db.migrations import Migration

from cardroom.ledger.models import Account, Entry, Transfer
from tests.support.parts.cardroom import access, account_receivers, core_audit, guards, ledger, sealed_views
from tests.support.refusals import refused
from tests.support.sealed import open_view

pytestmark = pytest.mark.django_db(transaction=True)


def sql(statement: str, *parameters: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


def write_transfer(reference: str, *legs: tuple[Account, int]) -> None:
    """By hand, entry by entry, as somebody at a database prompt would."""
    made = "INSERT INTO ledger_transfer (reference, reason, at) VALUES (%s, '\"by hand\"', '2030-01-01 00:00:00+00')"
    sql(made, reference)
    pk = Transfer.objects.values_list("pk", flat=True).get(reference=reference)
    for account, amount in legs:
        write_entry(pk, account, amount)


def write_entry(transfer: int, account: Account, amount: int) -> None:
    entry = (transfer, account.pk, amount)
    sql("INSERT INTO ledger_entry (transfer_id, account_id, amount) VALUES (%s, %s, %s)", *entry)


def undone(act: Callable[..., None], *given: Any) -> None:
    """The database refuses it, at the latest when its transaction commits."""
    with pytest.raises(IntegrityError), transaction.atomic():
        act(*given)


OVERDRAW = (
    "INTO ledger_entry (transfer_id, account_id, amount) "
    "SELECT min(t.id), a.id, -501 FROM ledger_transfer t, ledger_account a WHERE a.label = '' GROUP BY a.id"
)
LENIENT_INSERTS = {
    "sqlite": [
        "INSERT OR REPLACE INTO ledger_entry SELECT id, amount * 2, account_id, transfer_id FROM ledger_entry",
        "INSERT OR REPLACE INTO ledger_account (id, kind, label, unit, balance) "
        "SELECT id, 'house', id, unit, 0 FROM ledger_account",
        f"INSERT OR IGNORE {OVERDRAW}",
    ],
    "postgresql": [
        "INSERT INTO ledger_entry SELECT * FROM ledger_entry ON CONFLICT (id) DO UPDATE SET amount = 1",
        "INSERT INTO ledger_account (id, kind, label, unit, balance) "
        "SELECT id, 'house', id, unit, 0 FROM ledger_account ON CONFLICT (id) DO UPDATE SET balance = 0",
        f"INSERT {OVERDRAW} ON CONFLICT DO NOTHING",
    ],
}


@pytest.fixture(autouse=True)
def books_are_right_at_the_end():
    yield
    assert core_audit.check() == []


@pytest.mark.smoke
def test_the_database_refuses_wrong_ledger_entries(wallets, south):
    one, other = wallets
    play = ledger.wallet(south, unit="tournament:1")  # units do not make up for each other
    for legs in ([(one, -70), (other, 71)], [(one, -70), (play, 70)], [(one, -501), (other, 501)], [(one, 0)]):
        undone(write_transfer, "by-hand", *legs)
    undone(write_entry, Entry.objects.get(account=one).transfer_id, other, 5)  # an old transfer takes no further leg
    assert not Transfer.objects.filter(reference="by-hand").exists()
    assert [ledger.balance(wallet) for wallet in wallets] == [500, 500]
    with transaction.atomic():
        write_transfer("by-hand", (one, -70), (other, 70))
    assert [ledger.balance(wallet) for wallet in wallets] == [430, 570]
    refused(IntegrityError, write_transfer, "alone", (one, -70))  # at once where each statement commits


def test_posted_rows_cannot_be_changed_deleted_or_replaced(wallets):
    for statement in (
        "UPDATE ledger_entry SET amount = amount * 2",
        "DELETE FROM ledger_entry",
        "UPDATE ledger_transfer SET reason = '\"something else\"'",
        "DELETE FROM ledger_transfer",
    ):
        refused(IntegrityError, "stays as it is", sql, statement)
    for statement in LENIENT_INSERTS[connection.vendor]:
        undone(sql, statement)


@pytest.mark.smoke
def test_only_entries_change_the_balance_of_an_account(wallets, north, now):
    refused(IntegrityError, "opens empty", Account.objects.create, kind="stack", owner=north, balance=1)
    undone(sql, "DELETE FROM ledger_account WHERE id = %s", wallets[0].pk)
    reowned = "kind = 'house', owner_id = NULL"
    for change in ("balance = balance + 1", reowned, "unit = 'euro'", "label = 'x'", "id = id + 9"):
        refused(IntegrityError, sql, f"UPDATE ledger_account SET {change}")
    stale = Account.objects.get(pk=wallets[0].pk)
    ledger.post(reference="gift:1", reason="gift", legs=[(wallets[0], -1), (wallets[1], 1)], at=now)
    refused(IntegrityError, "by entries only", stale.save)


def test_who_looked_at_sealed_cards_stays_on_record(north, now):
    sealed_views.note_look(view=open_view(north, now=now), subject="hand:1", now=now)
    for statement in (
        "UPDATE accounts_sealedlook SET subject = 'hand:2'",
        "DELETE FROM accounts_sealedlook",
        "DELETE FROM accounts_sealedview",
        "UPDATE accounts_sealedview SET reason = 'another reason'",
        "UPDATE accounts_sealedview SET agreed_by_id = NULL",
        "UPDATE accounts_sealedview SET until = '2031-01-01 00:00:00+00'",
    ):
        refused(IntegrityError, "sealed cards", sql, statement)


def test_a_missing_guard_is_reported_and_restored_by_migrate(wallets):
    assert guards.missing(connection) == []
    guards.lift(connection)
    missing = "guards in place: the database's own guard cardroom_transfer_balances is missing or changed"
    assert missing in "\n".join(core_audit.check())
    call_command("migrate", verbosity=0)
    assert guards.missing(connection) == []
    call_command("flush", interactive=False, verbosity=0)
    assert (Transfer.objects.exists(), guards.missing(connection)) == (False, [])
    assert Group.objects.filter(name__in=access.ROLES).count() == len(access.ROLES)


def test_a_migration_may_change_a_guarded_table_and_leaves_it_guarded(wallets):
    def change_label(was: int, will_be: int) -> None:
        fields = [models.CharField(max_length=length, blank=True) for length in (was, will_be)]
        for field in fields:
            field.set_attributes_from_name("label")
            field.model = Account
        with connection.schema_editor() as editor:
            editor.alter_field(Account, *fields)

    plan = [(Migration("0002_longer_labels", "cardroom"), False)]
    account_receivers.lift_guards(using="default", plan=plan)
    try:
        change_label(100, 120)
        change_label(120, 100)
    finally:
        account_receivers.furnish(using="default", plan=plan)
    undone(write_transfer, "by-hand", (wallets[0], -70), (wallets[1], 71))
