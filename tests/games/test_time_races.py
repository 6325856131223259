"""Two who wait for each other have their times in the order in which they were done, not in which they asked."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from threading import Thread
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from tests.cardroom.cage_desk import person
from tests.support import waiting
from tests.support.models import Down, Slip, Table, TimePause, User
from tests.support.parts.cardroom import cage_books, drawers, second_factor, slips, tokens, vault
from tests.support.parts.games import collection, downs, locking, tables
from tests.support.racing import race
from tests.support.tiers import many
from tests.support.timing import TimedTable

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

_WAITS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def ask(by: User, path: str, **body: Any) -> int:
    """A program of the player asks this of the room; the status of the answer."""
    client = APIClient()
    scopes = tokens.SCOPES if second_factor.is_staff_person(by) else ["read", "play"]
    _, secret = tokens.issue(by=by, name=path, scopes=scopes, now=timezone.now())
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    return client.post(f"/api/v1/{path}", body, format="json").status_code


def asked_first_but_done_second(lock: Callable[[], Any], first: Callable[[], int], second: Callable[[], Any]) -> int:
    """`first` is asked for and waits, for `second` has the lock and is done now; how `first` was answered."""
    answers: list[int] = []

    def run() -> None:
        try:
            answers.append(first())
        finally:
            connections.close_all()

    asker = Thread(target=run)
    with transaction.atomic():
        lock()
        asker.start()
        waiting.soon(is_waiting, "nobody waits for the lock")
        second()
    asker.join()
    return answers[0]


def is_waiting() -> bool:
    with connection.cursor() as cursor:
        # Within a transaction the list of connections is that of the first look; somebody may have connected since.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(_WAITS)
        return bool(cursor.fetchone()[0])


@pytest.fixture
def table() -> TimedTable:
    made = TimedTable()
    made.ann, made.bob = made.sit("ann"), made.sit("bob")
    made.flo, made.max = person("flo", "floor"), person("max", "floor", "manager")
    return made


def test_time_resumed_while_it_is_being_paused_was_paused_before(table):
    ann = table.ann
    for player, path, body, pause in (
        (None, "resume", {}, tables.pause),
        (ann, "time/resume", {"player": ann.pk}, partial(collection.pause, player=ann)),
    ):
        status = asked_first_but_done_second(
            lambda: locking.table(table.pk),
            partial(ask, table.flo, f"tables/{table.pk}/{path}", **body),
            partial(pause, table_id=table.pk, by=table.max, reason="a fire drill"),
        )
        assert status == 200
        paused = TimePause.objects.get(table=table.pk, player=player)
        assert paused.since < paused.until


def test_slips_have_times_in_the_order_of_their_numbers(table):
    cay, cal, dee = person("cay", "cashier"), person("cal", "cashier"), person("dee", "dealer")
    vault.vault(amount=10_000, by=table.max, reason="what lies there on the first day", now=timezone.now())
    for number, cashier in enumerate((cay, cal), 1):
        drawer = drawers.make_drawer(name=f"Window {number}", by=table.max)
        drawers.open_drawer(drawer_id=drawer.pk, counted=5_000, from_vault=5_000, by=cashier)
    status = asked_first_but_done_second(
        cage_books.lock_books,
        lambda: ask(cay, "cage/slips", kind="deposit", player=table.ann.pk, amount=100),
        lambda: slips.deposit(player=table.bob, amount=200, by=cal),
    )
    assert status == 201
    times = list(Slip.objects.order_by("pk").values_list("at", flat=True))
    assert times == sorted(times)
    Table.objects.filter(pk=table.pk).update(is_physical=True)
    downs.start(dealer=dee, by=dee)
    status = asked_first_but_done_second(
        lambda: downs._duty(dee),
        lambda: ask(table.flo, f"dealers/{dee.pk}/home"),
        lambda: downs.clock_in(dealer=dee, by=dee, table_id=table.pk),
    )
    assert status == 200
    down = Down.objects.get()
    assert down.since < down.until


def test_pauses_and_resumes_that_race_are_all_answered_and_leave_spans_in_order(table):
    """Of a whole table, and of a player's time, by four people at once."""
    by_turns = ((tables.pause, tables.resume), (tables.resume, tables.pause))

    def press(verbs: Any, by: User) -> list[str]:
        codes = []
        for number in range(many(8, long=200)):
            try:
                verbs[number % 2](table_id=table.pk, by=by, reason="back and forth")
            except Exception as error:
                codes.append(getattr(error, "code", repr(error)))
        return codes

    outcomes = race(
        *[lambda verbs=verbs, by=by: press(verbs, by) for verbs in by_turns for by in (table.flo, table.max)]
    )
    assert not [each for each in outcomes if isinstance(each, Exception)]
    assert not [code for codes in outcomes for code in codes]
    spans = list(TimePause.objects.filter(table=table.pk, player=None).order_by("since").values_list("since", "until"))
    assert all(until is None or since <= until for since, until in spans)
    assert all(earlier[1] <= later[0] for earlier, later in pairwise(spans))
