"""Finds tables and events that are stuck: live, no hand in progress, nobody to act, and no alarm that would wake them.

It should never happen, and is looked for all the same. Each room registers finders for what is its own
(`register`); they go by the database alone. The task queue's own clock calls `look`, not an alarm, for alarms are
what is watched here. `/healthz` and `/metrics` count what is found, and the audit names it.

Each alarm notes in one row that beat, the broker, a worker and the database work. Without them people play on while
bots and clocks wait, so a web process stays in service.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import connection, transaction

from cardroom.core import audit as core_audit
from cardroom.core import notices
from cardroom.core.models import Clockwork, User

log = structlog.get_logger(__name__)

#: Gets the notice where nobody has one of the roles.
_AT_LAST = "manager"


@dataclass(frozen=True, slots=True)
class Stall:
    """`key` names what stands still, and how far it had come, so that the next time is a new notice; `what`: a sentence
    for the staff; `roles`: the staff that see to it."""

    key: str
    what: str
    roles: tuple[str, ...] = ("floor", "manager")


Finder = Callable[[], Iterable[Stall]]

_finders: dict[str, Finder] = {}


def register(kind: str, finder: Finder) -> None:
    """Register `finder` for what stands still of one kind, such as "table"."""
    if _finders.setdefault(kind, finder) is not finder:
        raise ValueError(f"somebody looks for {kind!r} already")


def find_stalls() -> dict[str, list[Stall]]:
    """What stands still now, by kind; every kind that is watched is there. A finder that fails counts as one fault."""
    with core_audit.one_moment():
        return {kind: _asked(kind, finder) for kind, finder in _finders.items()}


def count_stalls() -> Counter[str]:
    """How many of each kind stand still."""
    return Counter({kind: len(stalls) for kind, stalls in find_stalls().items()})


def tell_staff(*, now: datetime) -> int:
    """Tell the staff what stands still, each thing once; returns how many there are."""
    stalls = [stall for of_kind in find_stalls().values() for stall in of_kind]
    for stall in stalls:
        log.error("stands still", key=stall.key, what=stall.what)
        for player in _to_tell(stall.roles):
            notices.tell(player=player, kind="stands-still", text=stall.what, key=f"still:{stall.key}", now=now)
    return len(stalls)


def _asked(kind: str, finder: Finder) -> list[Stall]:
    try:
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            return list(finder())
    except Exception:
        log.exception("it could not be found out what stands still", kind=kind)
        return [Stall(f"{kind}:finder", f"It could not be found out whether a {kind} stands still: see the log.")]


def _to_tell(roles: Iterable[str]) -> list[User]:
    people = User.objects.filter(is_active=True)
    return list(people.filter(groups__name__in=roles).distinct()) or list(people.filter(groups__name=_AT_LAST))


def _faults() -> Iterable[str]:
    return [stall.what for of_kind in find_stalls().values() for stall in of_kind]


core_audit.register("nothing stands still", _faults)


# Whether alarms ring


#: After so long without a note alarms ring late, or not at all.
LATE_AFTER = timedelta(seconds=10)
_NOTED_EVERY = 1.0  # seconds, in each worker
_ROW = 1
_noted = -_NOTED_EVERY


def note(*, now: datetime) -> None:
    """Record that an alarm tick was carried out. One statement, once a second."""
    global _noted
    if time.monotonic() - _noted < _NOTED_EVERY:
        return
    if not Clockwork.objects.filter(pk=_ROW).update(at=now):
        Clockwork.objects.bulk_create([Clockwork(pk=_ROW, at=now)], ignore_conflicts=True)
    _noted = time.monotonic()


def stands_since(*, now: datetime) -> timedelta | None:
    """How long ago it last ran; None where it never did. One query."""
    at = Clockwork.objects.filter(pk=_ROW).values_list("at", flat=True).first()
    return None if at is None else max(now - at, timedelta(0))
