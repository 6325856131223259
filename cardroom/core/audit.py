"""Proof that the books are right, found out by adding up again and not by trusting what wrote them.

Each check is a function that yields its faults in words; each room's own are in its `audit.py` and register themselves.
A note is found in the same way and is no fault: what whoever reads the report should know.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

import structlog
from django.db import connection, transaction

log = structlog.get_logger(__name__)

Check = Callable[[], Iterable[str]]


class Note(str):
    """What a check yields beside faults: it is no fault, and whoever reads the report should know it."""

    __slots__ = ()


@dataclass(frozen=True)
class Report:
    checks: list[str]
    faults: list[str]
    notes: list[str] = field(default_factory=list)


_checks: dict[str, Check] = {}
_notes: dict[str, Check] = {}


def register(name: str, check: Check) -> None:
    """Add a check under a name of its own, such as "stacks equal replayed hands"."""
    if _checks.setdefault(name, check) is not check:
        raise ValueError(f"there is already a check named {name!r}")


def register_note(name: str, find: Check) -> None:
    """Add something to be told beside the faults, under a name of its own."""
    if _notes.setdefault(name, find) is not find:
        raise ValueError(f"there is already a note named {name!r}")


def register_all(checks: Mapping[str, Check]) -> None:
    """Add a room's checks by their names."""
    for name, each in checks.items():
        register(name, each)


def check() -> list[str]:
    """Run every check; the faults in words, none if all is well."""
    return run().faults


def run(*, only: Collection[str] = ()) -> Report:
    """Run every check (`only`: those of these names, without notes), and say which were run. A check that cannot be
    carried out is itself a fault.

    All of them look at one moment, and nobody waits for them: the room may be in play meanwhile.
    """
    checks = {name: _checks[name] for name in only or _checks}
    with one_moment():
        found = _all_of(checks)
        notes = [*(each for each in found if isinstance(each, Note)), *_all_of({} if only else _notes)]
    return Report(checks=list(checks), faults=[each for each in found if not isinstance(each, Note)], notes=notes)


def _all_of(checks: Mapping[str, Check]) -> list[str]:
    found = ((name, words) for name, find in checks.items() for words in _carried_out(name, find))
    return [(Note if isinstance(words, Note) else str)(f"{name}: {words}") for name, words in found]


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
            cursor.execute("BEGIN DEFERRED")  # Django's own would shut out whoever writes
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
