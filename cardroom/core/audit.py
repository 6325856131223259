"""Proof that the books are right, found out by adding up again and not by trusting what wrote them.

Each check is a function that yields its faults in words; each room's own are in its `audit.py` and register themselves.
A check may yield a `Note` too, which is no fault: something that the reader of the report should know.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import structlog
from django.db import connection, transaction

log = structlog.get_logger(__name__)

Check = Callable[[], Iterable[str]]


class Note(str):
    """What a check yields beside faults: it is no fault, and the reader of the report should know it."""

    __slots__ = ()


@dataclass(frozen=True)
class Report:
    checks: list[str]
    faults: list[str]
    notes: list[str]


_checks: dict[str, Check] = {}


def register(name: str, check: Check) -> None:
    """Add a check under a name of its own, such as "stacks equal replayed hands"."""
    if _checks.setdefault(name, check) is not check:
        raise ValueError(f"there is already a check named {name!r}")


def register_all(checks: Mapping[str, Check]) -> None:
    """Add a room's checks by their names."""
    for name, check in checks.items():
        register(name, check)


def check() -> list[str]:
    """Run every check; the faults in words, none if all is well."""
    return run().faults


def run(*, only: Collection[str] = ()) -> Report:
    """Run every check (`only`: those of these names), and say which were run. A check that cannot be carried out is
    itself a fault.

    All of them see the database at one moment and block nobody: the room may be in play meanwhile.
    """
    checks = {name: _checks[name] for name in only or _checks}
    with one_moment():
        lines = [line for name, check in checks.items() for line in _with_check_name(name, _carried_out(name, check))]
    return Report(list(checks), *split_notes(lines))


def split_notes(lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """What checks yield, as faults and notes."""
    faults: list[str] = []
    notes: list[str] = []
    for line in lines:
        (notes if isinstance(line, Note) else faults).append(line)
    return faults, notes


def _with_check_name(name: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield (Note if isinstance(line, Note) else str)(f"{name}: {line}")


def _carried_out(name: str, find_faults: Check) -> list[str]:
    try:
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            return list(find_faults())
    except Exception:
        log.exception("audit check failed", check=name)
        return ["the check itself failed; the log says why"]


@contextmanager
def one_moment() -> Iterator[None]:
    """A transaction that sees the database as it is when it begins, and writes nothing; the caller's own, if any."""
    connection.ensure_connection()
    is_begun = connection.vendor == "sqlite" and connection.connection.in_transaction
    if connection.in_atomic_block or is_begun:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")  # Django's own would lock out writers
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
