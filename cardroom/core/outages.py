"""The room's own outages cost nobody anything: deadlines count only the time in which the room could hear people.

People are heard by a web process with a database. So each of these notes twice a second, in one row of that database,
that it is there (`beat`). Worker and beat do not: a room in which only they run hears nobody. While that row is old no
alarm rings (`alarms.claim_due`). The first beat afterwards finds out how long the room was away, and in the same
transaction every clock that ran gets that time back, and `GRACE` at least: each room registers what has one
(`register`). It is all the same whether processes were stopped, killed, suspended with their
machine, or begin on a database that was restored.

Where no web process ever noted anything, as in a command or a test, the room counts as there.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import structlog
from django.db import OperationalError, transaction
from django.utils import timezone

from cardroom.core import audit_log
from cardroom.core.models import Heartbeat, Outage
from cardroom.core.sentences import Wording

log = structlog.get_logger(__name__)

BEAT = timedelta(seconds=0.5)
#: After so long without a beat the room counts as away. A busy process is late now and then, and that is no outage.
AWAY_AFTER = timedelta(seconds=3)
#: A process that begins is not late: what it finds older than this is an outage.
_AT_THE_START = timedelta(seconds=1.5)
#: The least time that everybody has after an outage, to come back.
GRACE = timedelta(seconds=10)

#: The order in which the room locks.
APPROVALS, EVENTS, LISTS, TABLES = range(4)

#: What the audit log says of an outage.
AWAY = Wording("room.away", "Nobody could be heard; every clock got it back.")

GiveBack = Callable[[Outage], None]

_ROW = 1
_givers: list[tuple[int, str, GiveBack]] = []


def register(name: str, give_back: GiveBack, *, locks: int) -> None:
    """Have `give_back(outage)` called in the transaction that ends an outage: it moves each deadline of its room to
    `due_again(deadline, outage)`. `locks`: what it locks, of `APPROVALS`, `EVENTS`, `LISTS`, `TABLES`."""
    if name not in {registered for _, registered, _ in _givers}:
        _givers.append((locks, name, give_back))
        _givers.sort(key=lambda giver: giver[:2])


def due_again(due: datetime, outage: Outage) -> datetime:
    """The new deadline in place of `due`, for a clock that ran when the outage began."""
    return max(due + (outage.ended_at - outage.began_at), outage.ended_at + GRACE)


def lengthen_by_outages(since: datetime, until: datetime) -> datetime:
    """The end of a time from `since` to `until`, lengthened by outages in between. One query."""
    for outage in Outage.objects.filter(ended_at__gt=since).order_by("began_at"):
        if outage.began_at >= until:
            break
        lost = outage.ended_at - max(since, outage.began_at)
        until = max(until + lost, outage.ended_at + GRACE)
    return until


def is_away(*, now: datetime) -> bool:
    """Whether the room is away, or was a moment ago and its clocks have not had their time back yet. One query."""
    return Heartbeat.objects.filter(pk=_ROW, at__lt=now - AWAY_AFTER).exists()


def was_there(moment: datetime) -> bool:
    """Whether the room was heard of at this moment or later: until then it may be an outage that has just begun. One
    query."""
    return not Heartbeat.objects.filter(pk=_ROW, at__lt=moment).exists()


def beat(*, is_first: bool = False) -> Outage | None:
    """A web process notes that it is there; the outage that this ends, if there was one. One statement, as a rule.

    `is_first`: of a process that begins.
    """
    now, allowed = timezone.now(), _AT_THE_START if is_first else AWAY_AFTER
    if Heartbeat.objects.filter(pk=_ROW, at__gte=now - allowed, at__lte=now).update(at=now):
        return None
    return _return(allowed)


@transaction.atomic
def _return(allowed: timedelta) -> Outage | None:
    Heartbeat.objects.get_or_create(pk=_ROW, defaults={"at": timezone.now()})
    row = Heartbeat.objects.select_for_update().get(pk=_ROW)
    began, now = row.at, timezone.now()
    outage = None
    if now - began > allowed:
        outage = Outage.objects.create(began_at=began, ended_at=now)
        for _, name, give_back in _givers:
            with apart(name):
                give_back(outage)
        seconds = round((now - began).total_seconds(), 1)
        log.warning("the room was away", seconds=seconds, since=began.isoformat())
        details = {"seconds": seconds, "since": began.isoformat()}
        audit_log.note(verb="room.away", subject="room", by=None, now=now, reason=AWAY(), **details)
    row.at = now
    row.save(update_fields=["at"])
    return outage


@contextmanager
def apart(name: str) -> Iterator[None]:
    """For the clocks of `name`: what fails here keeps neither the room nor other clocks; a database that fails ends
    it all, to be tried again."""
    try:
        with transaction.atomic():
            yield
    except OperationalError:
        raise
    except Exception:
        log.exception("time could not be given back", to=name)
