"""A process that dies in the middle of what it does: at a statement, nothing of its transaction stays."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

MOST = 2_000


class Killed(BaseException):
    """Nobody catches it: the process is gone."""


@contextmanager
def dying_at(number: int) -> Iterator[None]:
    """The process dies before statement `number` of what is done within; savepoints and their ends are none, for the
    last of them stands for the commit, after which nothing is taken back."""
    seen = 0

    def execute(run: Callable[..., Any], sql: str, *rest: Any) -> Any:
        nonlocal seen
        if "SAVEPOINT" not in sql:
            seen += 1
            if seen == number:
                raise Killed(sql)
        return run(sql, *rest)

    with connection.execute_wrapper(execute):
        yield


def again_and_again(act: Callable[[], Any], *, step: int, between: Callable[[], None] = lambda: None) -> int:
    """Do it, killed at its first statement, then `step` statements later, and so on, until it gets to its end; how
    often it was killed. `between`: what must hold after each death."""
    for killed, number in enumerate(range(1, MOST, step)):
        try:
            with dying_at(number):
                act()
        except Killed:
            between()
            continue
        return killed
    raise AssertionError("it never came to its end")
