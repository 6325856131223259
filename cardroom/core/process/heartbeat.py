"""A web process's heartbeat: it notes that the room can hear people (`core.outages`), as long as its loop turns.

From the loop and not from a thread that would go on by itself: what hears people is the loop. And nobody is heard
before the time of an outage was given back: what comes in when a process goes on waits for its next beat.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import kombu
from celery.app.amqp import AMQP as CeleryAMQP
from django.db import Error, connections
from kombu.transport import redis

from cardroom.core import outages

logger = logging.getLogger(__name__)


#: The answers to whether anything can be written. PostgreSQL's codes and SQLite's names of what is in the way.
NO_ANSWER, NOT_WRITTEN = "does not answer", "cannot be written: {why}"
_WHY = {
    "25006": "it is read-only", "53100": "the disk is full", "58030": "the disk fails", "42501": "it is not permitted",
    "SQLITE_READONLY": "it is read-only", "SQLITE_FULL": "the disk is full", "SQLITE_IOERR": "the disk fails",
}  # fmt: skip
_running: HeartbeatThread | None = None


def fault_of_database() -> str | None:
    """What kept this process from writing its last heartbeat, "" where it was written; None where it has no heart."""
    return None if _running is None else _running.fault()


class HeartbeatThread:
    """The heartbeat of one process: `start` and `stop` once each; `hearing` wraps what serves requests."""

    def __init__(self) -> None:
        # A thread of its own, with a connection that it keeps: one that waits for others' work, or in their queue for a
        # connection, would tell of an outage where there is none.
        self._thread: ThreadPoolExecutor | None = None
        self._task: asyncio.Task[None] | None = None
        self._beating: asyncio.Future[None] | None = None
        self._last = 0.0
        self._is_first, self._has_failed, self._fault = True, False, ""

    async def start(self) -> None:
        """Returns after the first beat, whether the database answered or not."""
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="heartbeat")
        await self._beat()
        self._task = asyncio.create_task(self._go_on())
        _set_running(self)

    async def stop(self) -> None:
        if self._task is not None and self._thread is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            await asyncio.get_running_loop().run_in_executor(self._thread, connections.close_all)
            self._thread.shutdown()
            self._task = self._thread = None
            _set_running(None)

    def fault(self) -> str:
        """What kept the last beat from being written, "" where nothing did."""
        is_late = time.time() - self._last > outages.AWAY_AFTER.total_seconds()
        return self._fault or (NO_ANSWER if is_late else "")

    def hearing(self, inner: Any, *, but: Collection[str] = ()) -> Any:
        """`inner` hears of nothing that came in during an outage before the outage is over for everybody; `but` these
        addresses, which only ask how the room is."""

        async def application(scope: Any, receive: Any, send: Any) -> None:
            if scope.get("path") in but:
                await inner(scope, receive, send)
                return

            async def received() -> Any:
                message = await receive()
                await self._catch_up()
                return message

            await self._catch_up()
            await inner(scope, received, send)

        return application

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(outages.BEAT.total_seconds())
            await self._beat()

    async def _catch_up(self) -> None:
        """Measured by the wall clock: other clocks stop while a machine is suspended."""
        if self._thread is not None and time.time() - self._last > outages.AWAY_AFTER.total_seconds():
            await self._beat()

    async def _beat(self) -> None:
        """Write a heartbeat; a caller that comes while one is being written waits for it."""
        if self._beating is None:
            self._beating = asyncio.get_running_loop().run_in_executor(self._thread, self._note)
            self._beating.add_done_callback(self._is_over)
        await asyncio.shield(self._beating)

    def _is_over(self, beating: asyncio.Future[None]) -> None:
        self._beating = None

    def _note(self) -> None:
        begun = time.time()
        try:
            outages.beat(is_first=self._is_first)
        except Error as error:
            if not self._has_failed:
                logger.warning("the room cannot note that it is there: %s", type(error).__name__)
            self._has_failed, self._fault = True, _in_words(error)
            connections.close_all()
        except Exception:
            logger.exception("the room cannot note that it is there")
            self._fault = NO_ANSWER
            connections.close_all()
        else:
            self._last, self._is_first, self._has_failed, self._fault = begun, False, False, ""


def _set_running(heartbeat: HeartbeatThread | None) -> None:
    global _running
    _running = heartbeat


def _in_words(error: Error) -> str:
    """Why a heartbeat was not written: the database is away, or takes no more."""
    cause = error.__cause__
    code = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", "")
    return NOT_WRITTEN.format(why=_WHY[code]) if code in _WHY else NO_ANSWER


# Redis as the Celery broker of a room that may lose it at any moment: how Celery's processes live through that.


RETRY_SECONDS = 1.0


class SteadyChannel(redis.Channel):
    """Kombu's, which on being closed gives back what was taken and not done. Where its connection has been lost and
    cleared away before, there is nobody to give it to, and the error of trying would end the worker. Nothing is lost
    with what is not given back: the alarms ring again."""

    def close(self) -> None:
        if self.connection is not None and self.connection.client is not None:
            super().close()
            return
        self.closed = True
        if self._qos is not None:
            self._qos._on_collect.cancel()  # it would try once more when the process ends


class Transport(redis.Transport):
    Channel = SteadyChannel


class SteadyConnection(kombu.Connection):
    """Asks a Redis that is away every second; Kombu's waits ever longer, and clocks that ran out would wait with it."""

    def get_transport_cls(self) -> type:
        transport = super().get_transport_cls()
        return Transport if transport is redis.Transport else transport

    def ensure_connection(self, *args: Any, **kwargs: Any) -> Any:
        pauses = {"interval_start": RETRY_SECONDS, "interval_step": 0, "interval_max": RETRY_SECONDS}
        return super().ensure_connection(*args, **(pauses | kwargs))


class AMQP(CeleryAMQP):
    Connection = SteadyConnection
