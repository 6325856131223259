"""The ledger's rules hold against raw SQL, on whichever database the suite runs."""

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import IntegrityError, connection, models, transaction
from django.db.migrations import Migration

from cardroom.ledger.models import Account, Entry, Transfer
from tests.support.parts.cardroom import access, account_receivers, core_audit, guards, ledger, sealed_views
from tests.support.refusals import refused
from tests.support.sealed import opened

pytestmark = pytest.mark.django_db(transaction=True)


def sql(statement: str, *parameters: object) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


def write_transfer(reference: str, *legs: tuple[Account, int]) -> None:
    """By hand, entry by entry, as somebody at a database prompt would."""
    sql(
        "INSERT INTO ledger_transfer (reference, reason, at) VALUES (%s, 'by hand', '2030-01-01 00:00:00+00')",
        reference,
    )
    for account, amount in legs:
        sql(
            "INSERT INTO ledger_entry (transfer_id, account_id, amount) "
            "SELECT id, %s, %s FROM ledger_transfer WHERE reference = %s",
            account.pk, amount, reference,
        )  # fmt: skip


@pytest.fixture
def wallets(north, south, funded):
    return funded(north, 500), funded(south, 500)


@pytest.fixture(autouse=True)
def books_are_right_at_the_end():
    yield
    assert core_audit.check() == []


def test_entries_written_by_hand_move_the_balances(wallets):
    with transaction.atomic():
        write_transfer("by-hand", (wallets[0], -70), (wallets[1], 70))
    assert [ledger.balance(wallet) for wallet in wallets] == [430, 570]


@pytest.mark.smoke
def test_a_transfer_off_balance_is_refused_at_commit(wallets, south):
    play = ledger.wallet(south, unit="tournament:1")  # units do not make up for each other
    for legs in ([(wallets[0], -70), (wallets[1], 71)], [(wallets[0], -70), (play, 70)]):
        with pytest.raises(IntegrityError), transaction.atomic():
            write_transfer("by-hand", *legs)
    assert not Transfer.objects.filter(reference="by-hand").exists()
    assert [ledger.balance(wallet) for wallet in wallets] == [500, 500]


def test_a_single_leg_is_refused_at_once_where_each_statement_commits(wallets, bank):
    refused(IntegrityError, write_transfer, "by-hand", (bank, -70))


def test_an_old_transfer_takes_no_further_leg(wallets):
    entry = Entry.objects.filter(account=wallets[0]).get()
    with pytest.raises(IntegrityError), transaction.atomic():
        sql(
            "INSERT INTO ledger_entry (transfer_id, account_id, amount) VALUES (%s, %s, 5)",
            entry.transfer_id, wallets[1].pk,
        )  # fmt: skip


def test_an_overdraft_and_an_entry_of_nothing_are_refused(wallets):
    for legs in ([(wallets[0], -501), (wallets[1], 501)], [(wallets[0], 0)]):
        with pytest.raises(IntegrityError), transaction.atomic():
            write_transfer("by-hand", *legs)


def test_what_is_posted_is_neither_changed_nor_deleted(wallets):
    for statement in (
        "UPDATE ledger_entry SET amount = amount * 2",
        "DELETE FROM ledger_entry",
        "UPDATE ledger_transfer SET reason = 'something else'",
        "DELETE FROM ledger_transfer",
    ):
        refused(IntegrityError, "stays as it is", sql, statement)


def test_an_account_is_changed_by_entries_only(wallets):
    changes = (
        "balance = balance + 1", "kind = 'house', owner_id = NULL", "unit = 'euro'", "label = 'x'",
        "id = id + 9",
    )  # fmt: skip
    for change in changes:
        refused(IntegrityError, sql, f"UPDATE ledger_account SET {change}")


def test_saving_a_stale_account_cannot_bring_back_its_old_balance(wallets, now):
    stale = Account.objects.get(pk=wallets[0].pk)
    ledger.post(reference="gift:1", reason="gift", legs=[(wallets[0], -1), (wallets[1], 1)], at=now)
    refused(IntegrityError, "by entries only", stale.save)


@pytest.mark.smoke
def test_an_account_opens_empty_and_is_not_deleted_with_entries(wallets, north):
    refused(IntegrityError, "opens empty", Account.objects.create, kind="stack", owner=north, balance=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        sql("DELETE FROM ledger_account WHERE id = %s", wallets[0].pk)


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


def test_lenient_inserts_do_not_get_round_it(wallets):
    for statement in LENIENT_INSERTS[connection.vendor]:
        with pytest.raises(IntegrityError), transaction.atomic():
            sql(statement)


def test_who_looked_at_sealed_cards_stays_on_record(north, now):
    view = opened(north, now=now)
    sealed_views.note_look(view=view, subject="hand:1", now=now)
    for statement in (
        "UPDATE accounts_sealedlook SET subject = 'hand:2'",
        "DELETE FROM accounts_sealedlook",
        "DELETE FROM accounts_sealedview",
        "UPDATE accounts_sealedview SET reason = 'another reason'",
        "UPDATE accounts_sealedview SET agreed_by_id = NULL",
        "UPDATE accounts_sealedview SET until = '2031-01-01 00:00:00+00'",
    ):
        refused(IntegrityError, "sealed cards", sql, statement)


def test_a_guard_that_is_missing_is_reported_and_put_back_by_migrate(wallets):
    assert guards.missing(connection) == []
    guards.lift(connection)
    assert "guards in place: the database's own guard cardroom_transfer_balances is missing" in "\n".join(
        core_audit.check()
    )
    call_command("migrate", verbosity=0)
    assert guards.missing(connection) == []


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
    with pytest.raises(IntegrityError), transaction.atomic():
        write_transfer("by-hand", (wallets[0], -70), (wallets[1], 71))


def test_the_room_can_be_emptied_as_a_whole(wallets):
    call_command("flush", interactive=False, verbosity=0)
    assert not Transfer.objects.exists()
    assert guards.missing(connection) == []
    assert Group.objects.filter(name__in=access.ROLES).count() == len(access.ROLES)
