"""A web process's heartbeat: it queues for no connection, and whether the process lives is answered without it."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from threading import Event, Thread

import pytest
from django.db import connection
from django.utils import timezone
from psycopg_pool import PoolTimeout

from cardroom.core.models import Heartbeat
from tests.support.parts.cardroom import heartbeat, outages
from tests.support.waiting import soon


@contextmanager
def beating(heart: heartbeat.Heartbeat) -> Iterator[None]:
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
    with beating(heartbeat.Heartbeat()):
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
        heart = heartbeat.Heartbeat()
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
