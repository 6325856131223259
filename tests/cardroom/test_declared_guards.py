"""Every model says which of its rows may change, and the database holds it to that."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from cardroom.core.database.guards_postgresql import TRIGGERS
from tests.support.models import Approval
from tests.support.parts.cardroom import approvals, core_audit, guards
from tests.support.refusals import refused
from tests.support.unguarded import need_superuser

PRODUCT = ("cardroom", "games", "tournaments")


def models_of_the_product():
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model.__module__.split(".")[0] in PRODUCT and model._meta.managed and not model._meta.proxy
    ]


def sql(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_every_model_declares_whether_its_rows_stay_have_a_life_or_are_free():
    declared = guards.GUARDED.keys() | guards.FREE.keys()
    tables = {model._meta.db_table for model in models_of_the_product()}
    assert sorted(tables - declared) == []
    assert sorted(declared - tables) == []
    assert not guards.GUARDED.keys() & guards.FREE.keys()
    assert all(len(reason) > 5 for reason in guards.FREE.values())


@pytest.mark.postgres
@pytest.mark.django_db
def test_no_guarded_table_is_emptied():
    for table in guards.GUARDED:
        refused(IntegrityError, sql, f"TRUNCATE {table} CASCADE")
    refused(IntegrityError, sql, "TRUNCATE core_user CASCADE")


@pytest.mark.django_db
def test_a_guard_that_is_switched_off_is_missing():
    if connection.vendor == "sqlite":
        pytest.skip("SQLite switches no trigger off")
    sql("ALTER TABLE ledger_transfer DISABLE TRIGGER ledger_transfer_is_not_emptied")
    assert guards.missing(connection) == ["ledger_transfer_is_not_emptied"]
    sql("ALTER TABLE ledger_transfer ENABLE ALWAYS TRIGGER ledger_transfer_is_not_emptied")
    assert guards.missing(connection) == []
    need_superuser()
    sql("SET LOCAL session_replication_role = replica")
    assert "switched off for the room" in "".join(core_audit.run(only=["guards in place"]).faults)


@pytest.mark.django_db
@pytest.mark.parametrize("change", [
    "CREATE OR REPLACE FUNCTION cardroom_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
    "DROP TRIGGER core_approval_keeps ON core_approval; CREATE TRIGGER core_approval_keeps BEFORE INSERT ON "
    "core_approval FOR EACH ROW EXECUTE FUNCTION cardroom_refuse('')",
])  # fmt: skip
def test_a_guard_that_was_made_harmless_is_missing(change):
    if connection.vendor == "sqlite":
        change = "DROP TRIGGER core_approval_keeps"
    sql(change)
    assert "core_approval_keeps" in guards.missing(connection)


@pytest.mark.django_db
def test_what_was_asked_for_and_decided_stays(north, south, now):
    approvals.register("guards.test", lambda approval, by, now: None, roles=())
    made = approvals.ask(what="guards.test", words="Do it", payload={"chips": 5}, by=north, now=now)
    rows = Approval.objects.filter(pk=made.pk)
    for change in ({"payload": {"chips": 6}}, {"asked_by": south}, {"amount": 7}, {"words": "Do more"}):
        refused(IntegrityError, "decided once", _update, rows, change)
    rows.update(until=now + timedelta(days=1))
    rows.update(verdict="refused", decided_at=now, decided_by=south)
    for change in ({"verdict": "approved"}, {"decided_by": None}, {"answer": 1}, {"until": now}):
        refused(IntegrityError, "decided once", _update, rows, change)
    refused(IntegrityError, "decided once", _delete, rows)


def _update(rows, change) -> None:
    with transaction.atomic():
        rows.update(**change)


def _delete(rows) -> None:
    with transaction.atomic():
        rows._raw_delete(rows.db)


def test_every_guarded_table_has_guards_of_its_own():
    guarded = {table for table, _ in TRIGGERS.values()}
    assert sorted(guards.GUARDED.keys() - guarded) == []
