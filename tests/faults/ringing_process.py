"""A process that rings whatever alarm is due and does at once what it is about, to be killed at any moment; it says how
many it saw to, or what went wrong."""

import os
import signal
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from multiprocessing.connection import Connection
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.support.settings")
django.setup()

import time_machine  # noqa: E402
from celery import current_app  # noqa: E402
from django.db import connection  # noqa: E402

from cardroom.core import alarms  # noqa: E402
from tests.support.cash_evening import tasks_run_where_they_are_sent  # noqa: E402
from tests.support.database import speaking_to  # noqa: E402

current_app.loader.import_default_modules()  # once, and not in each of the processes

#: Of those that are due at once, so many are claimed by one process.
_AT_ONCE = 2


def ring(url: str, moment: datetime, dies_at: int | None, told: Connection) -> None:
    """Ring at this moment until nothing is due that nobody else has claimed; kill -9 before statement `dies_at`."""
    with ExitStack() as stack:
        stack.enter_context(speaking_to(url))
        stack.enter_context(tasks_run_where_they_are_sent())
        stack.enter_context(time_machine.travel(moment, tick=False))
        stack.enter_context(connection.execute_wrapper(_Death(dies_at)))
        try:
            while sent := alarms.ring(now=moment, limit=_AT_ONCE):
                told.send(sent)
        except Exception as error:
            told.send(f"{type(error).__name__}: {error}")
        else:
            told.send(0)


class _Death:
    """Counts the statements of a connection, and ends the process before one of them."""

    def __init__(self, dies_at: int | None) -> None:
        self.dies_at, self.count = dies_at, 0

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        self.count += 1
        if self.count == self.dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*arguments)
