"""Pages asked for as a browser does, with everything that is between it and the database, and what they cost."""

from __future__ import annotations

import time
from contextlib import contextmanager
from statistics import median
from typing import TYPE_CHECKING, Any

from cardroom.core.database.temporary import CannotRun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardroom.core.models import User

ROUNDS = 7


class Asking:
    """A browser of this user's, in this process."""

    def __init__(self, user: User) -> None:
        from django.test import Client

        self.client = Client(SERVER_NAME="localhost")
        self.client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")

    def costs(self, address: str, rounds: int = ROUNDS) -> dict[str, Any]:
        """Statements; milliseconds of this process's CPU and by the clock, medians; kilobytes. Asked for once before,
        for what is worked out on first sight."""
        self.get(address)
        statements: list[str] = []
        with _counting(statements):
            size = len(self.get(address))
        spent = [self._timed(address) for _ in range(rounds)]
        return {
            "queries": len(statements),
            "cpu_ms": round(median(cpu for cpu, _ in spent), 1),
            "ms": round(median(clock for _, clock in spent), 1),
            "kb": round(size / 1024),
        }

    def statements(self, address: str) -> list[tuple[str, Any]]:
        """What is asked of the database: statements with what they are given."""
        self.get(address)
        asked: list[tuple[str, Any]] = []
        with _counting(asked, lambda sql, params: (sql, params)):
            self.get(address)
        return asked

    def get(self, address: str) -> bytes:
        answer = self.client.get(address)
        if answer.status_code != 200:
            raise CannotRun(f"{address} answered {answer.status_code}: {answer.content[:300]!r}")
        return bytes(answer.content)

    def _timed(self, address: str) -> tuple[float, float]:
        cpu, clock = time.process_time(), time.perf_counter()
        self.get(address)
        return (time.process_time() - cpu) * 1000, (time.perf_counter() - clock) * 1000


@contextmanager
def _counting(into: list[Any], kept: Any = lambda sql, params: sql) -> Iterator[None]:
    from django.db import connection

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        into.append(kept(sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield
