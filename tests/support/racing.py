"""Several actors at once, each on a database connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connections

LONGEST_WAIT = 30


def race(*actors: Callable[[], Any]) -> list[Any]:
    """Start every actor at the same moment; what each returned, or the exception it raised, in their order."""
    start = Barrier(len(actors))

    def run(actor: Callable[[], Any]) -> Any:
        try:
            start.wait(LONGEST_WAIT)
            return actor()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actors)) as pool:
        return list(pool.map(run, actors))


def in_step(read: Callable[..., Any], readers: int) -> Callable[..., Any]:
    """`read`, after which so many readers wait for each other."""
    have_read = Barrier(readers)

    def together(*given: Any, **named: Any) -> Any:
        result = read(*given, **named)
        have_read.wait(LONGEST_WAIT)
        return result

    return together


def refusals(outcomes: list[Any], kind: type[Exception] | tuple[type[Exception], ...]) -> int:
    """How many of the actors were refused so; any other exception is raised, for the test did not expect it."""
    for outcome in outcomes:
        if isinstance(outcome, Exception) and not isinstance(outcome, kind):
            raise outcome
    return sum(isinstance(outcome, kind) for outcome in outcomes)
