"""Staff show their second factor before chips of others move: the ledger says so, and no verb can pass it by."""

import re

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client

from cardroom.accounts import second_factor
from cardroom.accounts.pages import factors
from cardroom.core import step_up
from cardroom.core.web.api import keys
from tests.support.events import START
from tests.support.models import Entry, TournamentFact, Transfer
from tests.web.conftest import NOW
from tests.web.room_rows import areas, filled_in
from tests.web.test_event_permissions import ROWS as EVENT_ROWS
from tests.web.test_event_permissions import lay_out
from tournaments.events import journal as event_journal

WRITES = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)"?')


@pytest.fixture(autouse=True)
def _factor_is_stale(settings, monkeypatch):
    """Every member of staff has a second factor, and has shown it long ago."""
    settings.CARDROOM_STAFF_FACTOR = True
    monkeypatch.setattr(second_factor, "require_factor", lambda user: None)
    monkeypatch.setattr(factors, "did_lately", lambda request: False)
    monkeypatch.setattr(factors, "_once_more", _asked_again)
    cache.clear()


def _asked_again(request):
    return HttpResponse("once more", status=428)


def faults_of(rows, role, client: Client, places, *, user, headers=None) -> list[str]:
    """What changed money, or what decides about it, although the factor was not asked for again."""
    faults, written = [], set()

    def note(execute, sql, *arguments):
        if found := WRITES.match(sql):
            written.add(found[1])
        return execute(sql, *arguments)

    protected = {model._meta.db_table for model in step_up.MODELS}
    about_money = TournamentFact.objects.filter(kind__in=event_journal.MONEY).exclude(by=None)
    for row in rows:
        if row.method == "GET" or getattr(row, role) >= 400:
            continue
        path = row.path.format_map(places)
        form = {"content_type": "application/json"} if path.startswith("/api/") else {}
        written.clear()
        before = transaction.savepoint()
        facts = about_money.count()
        last = Transfer.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        with connection.execute_wrapper(note):
            answer = getattr(client, row.method.lower())(
                path, data=filled_in(row.data, places), headers=headers, **form
            )
        moved = [each for each in Transfer.objects.filter(pk__gt=last) if not is_free(each, user)]
        decided = about_money.count() > facts
        transaction.set_rollback(False)
        transaction.savepoint_rollback(before)
        event_journal.forget()
        if answer.status_code == 428:
            continue
        faults += [f"{role}: {row.method} {path}: {each.reference} moved chips" for each in moved]
        faults += [f"{role}: {row.method} {path}: wrote {table}" for table in written & protected]
        faults += [f"{role}: {row.method} {path}: decided what is paid"] if decided else []
    return faults


def is_free(transfer, user) -> bool:
    """Whether nobody has to show a factor for it: these chips were the mover's own, or stay with their owner."""
    entries = list(Entry.objects.filter(transfer=transfer).select_related("account"))
    sums: dict[object, int] = {}
    for entry in entries:
        owner = entry.account.owner_id
        whose = owner if owner is not None else f"account {entry.account_id}"
        sums[whose] = sums.get(whose, 0) + entry.amount
    spends_own = all(entry.account.owner_id == user.pk for entry in entries if entry.amount < 0)
    return spends_own or not any(sums.values())


@pytest.mark.parametrize("area", list(areas()), ids=lambda area: area.__name__.rpartition(".")[2])
def test_no_address_of_the_room_moves_chips_of_others_without_the_factor(area, staff, browse):
    places = area.room(staff, NOW)
    faults = []
    for role in ("dealer", "floor", "cashier", "manager"):
        faults += faults_of(area.ROWS, role, browse(staff[role]), places, user=staff[role])
    assert not faults, "\n".join(faults)


@time_machine.travel(START, tick=False)
def test_no_address_of_an_event_moves_chips_of_others_without_the_factor(browse):
    event = lay_out()
    faults = []
    for role in ("floor", "director"):
        user = event.people[role]
        headers = {keys.HEADER: "once"}
        faults += faults_of(EVENT_ROWS, role, browse(user), event.ids, user=user, headers=headers)
    assert not faults, "\n".join(faults)


def test_the_walk_finds_what_moves_chips_where_the_ledger_does_not_ask(staff, browse, monkeypatch):
    """The walk itself can fail."""
    monkeypatch.setattr(step_up, "require", lambda: None)
    (area,) = (area for area in areas() if area.__name__.endswith("seating"))
    faults = faults_of(area.ROWS, "floor", browse(staff["floor"]), area.room(staff, NOW), user=staff["floor"])
    assert any("moved chips" in fault for fault in faults)
