"""The room's heartbeat: how long nobody could be heard, and what that does to what is due. That of a web process queues
for no connection, and whether the process lives is answered without it."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from threading import Event, Thread

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from psycopg_pool import PoolTimeout

from cardroom.core import alarms, approvals, outages
from cardroom.core.models import Alarm, Approval, Heartbeat, Outage, StaffAction
from tests.support.parts.cardroom import heartbeat
from tests.support.racing import race
from tests.support.refusals import refused
from tests.support.waiting import soon

SECOND = timedelta(seconds=1)


@pytest.fixture
def given_back(monkeypatch: pytest.MonkeyPatch) -> list[Outage]:
    """The outages that were given back."""
    found: list[Outage] = []
    monkeypatch.setattr(outages, "_givers", [])
    outages.register("test", found.append, locks=outages.TABLES)
    return found


def last_beat(*, ago: float) -> None:
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": timezone.now() - ago * SECOND})


@pytest.mark.parametrize(("ago", "is_first", "is_outage"), [
    *[(ago, False, False) for ago in (0.5, 2, -5)], (2, True, True), (4, False, True), (86_400, True, True),
])  # fmt: skip
def test_a_beat_after_too_long_a_silence_ends_an_outage(
    given_back, ago: float, is_first: bool, is_outage: bool
) -> None:
    last_beat(ago=ago)
    outage = outages.beat(is_first=is_first)
    assert (outage is not None, given_back) == (is_outage, [outage] if outage else [])
    if outage:
        assert abs((outage.ended_at - outage.began_at).total_seconds() - ago) < 1
        assert StaffAction.objects.get(verb="room.away").details["seconds"] == pytest.approx(ago, abs=1)
    assert outages.beat() is None
    assert not outages.is_away(now=timezone.now())


def test_no_alarm_rings_while_the_room_is_away(given_back) -> None:
    assert (outages.beat(is_first=True), Heartbeat.objects.count(), given_back) == (None, 1, [])
    now = timezone.now()
    alarms.set(kind="act-clock", key="7", due_at=now - SECOND, fence=1)
    last_beat(ago=4)
    assert outages.is_away(now=now)
    assert alarms.claim_due(now=now) == []
    outages.beat()
    assert [alarm.key for alarm in alarms.claim_due(now=now)] == ["7"]


def test_clocks_get_the_time_of_an_outage_back() -> None:
    since = timezone.now()
    outage = Outage(began_at=since, ended_at=since + 25 * SECOND)
    for left, expected in ((30, 30), (4, 10)):  # seconds; ten at least
        assert outages.due_again(since + left * SECOND, outage) == outage.ended_at + expected * SECOND
    for began, ended in ((-20, -10), (-5, 5), (15, 45), (200, 210)):
        Outage.objects.create(began_at=since + began * SECOND, ended_at=since + ended * SECOND)
    for counted, lasts in ((10, 15), (20, 55), (120, 155)):
        assert outages.lengthen_by_outages(since, since + counted * SECOND) == since + lasts * SECOND


def test_one_that_cannot_give_back_keeps_the_others_from_nothing(given_back) -> None:
    def fail(outage: Outage) -> None:
        StaffAction.objects.create(verb="half", subject="done", at=outage.ended_at)
        raise ValueError("a fault")

    outages.register("broken", fail, locks=outages.APPROVALS)
    last_beat(ago=25)
    assert [outages.beat()] == given_back
    assert not StaffAction.objects.filter(verb="half").exists()


@pytest.mark.django_db(transaction=True)
def test_a_database_that_fails_meanwhile_leaves_the_outage_to_the_next_beat(given_back, monkeypatch) -> None:
    def fail(outage: Outage) -> None:
        raise OperationalError("a deadlock")

    last_beat(ago=25)
    with monkeypatch.context() as patch:
        patch.setattr(outages, "_givers", [(0, "test", fail)])
        refused(OperationalError, outages.beat)
    assert outages.is_away(now=timezone.now())
    outages.beat()
    assert len(given_back) == Outage.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_processes_that_come_back_at_once_give_the_time_back_once(given_back) -> None:
    last_beat(ago=25)
    race(*[outages.beat] * 4)
    assert len(given_back) == Outage.objects.count() == 1


def test_what_waits_for_a_second_person_waits_so_much_longer(monkeypatch) -> None:
    now = timezone.now()
    approvals.register("test.act", lambda approval, by, at: None)
    row = approvals.ask(what="test.act", words="an act", payload={}, by=None, now=now, lasts=60 * SECOND)
    approvals.give_back(Outage(began_at=now, ended_at=now + 50 * SECOND))
    assert Approval.objects.get(pk=row.pk).until == now + 110 * SECOND
    assert Alarm.objects.get(kind=approvals.ALARM).due_at == now + 110 * SECOND


@contextmanager
def beating(heart: heartbeat.HeartbeatThread) -> Iterator[None]:
    """The heart in the loop of a process of its own, as far as a test has one."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(heart.start(), loop).result(20)
        yield
        asyncio.run_coroutine_threadsafe(heart.stop(), loop).result(20)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_it_beats_on_while_requests_hold_every_connection_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "BEAT", timedelta(milliseconds=10))
    connection.ensure_connection()  # the test's own, which it looks with
    held = []
    with beating(heartbeat.HeartbeatThread()):
        try:
            with suppress(PoolTimeout):
                while True:
                    held.append(connection.pool.getconn(timeout=0.1))
            assert held
            begun = timezone.now()
            soon(lambda: Heartbeat.objects.filter(at__gt=begun).exists(), "no beat without a free connection")
        finally:
            for each in held:
                connection.pool.putconn(each)


def test_whether_the_process_lives_is_answered_while_the_database_answers_nothing(monkeypatch) -> None:
    is_back = Event()

    def beat(*, is_first: bool = False) -> None:
        if not is_first:
            is_back.wait(20)

    monkeypatch.setattr(outages, "beat", beat)
    answered: list[str] = []

    async def pages(scope, receive, send) -> None:
        answered.append(scope["path"])

    async def course() -> None:
        heart = heartbeat.HeartbeatThread()
        await heart.start()
        heart._last = time.time() - 60
        room = heart.hearing(pages, but={"/healthz/live"})
        other = asyncio.create_task(room({"path": "/"}, None, None))
        await asyncio.wait_for(room({"path": "/healthz/live"}, None, None), 5)
        assert answered == ["/healthz/live"]
        is_back.set()
        await other
        await heart.stop()

    asyncio.run(course())
    assert answered == ["/healthz/live", "/"]
