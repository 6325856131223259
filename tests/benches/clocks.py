"""How late clocks run out, and what a bot's turn costs the worker.

A real room of processes on PostgreSQL and Redis: web, one worker with eight threads, and beat. There are 20 tables of
people who never act, so that each of their clocks of two seconds runs out, and beside them 50 tables of six bots, then
200. What happened, and when, is read off the facts of the hands.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import quantiles
from subprocess import DEVNULL, Popen
from typing import Any, NamedTuple

import redis
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from cardroom.core.models import User
from games.engine.facts.play import ActionOn, TimedOut
from games.play import opening, receivers
from games.play import seats as play_seats
from games.play.bots.choosing import PERSONALITIES
from games.tables import journal as table_journal
from games.tables.models.tables import Hand, Table, TablePlay
from tests.benches import live, parts, temporary

PEOPLE_TABLES, SEATS = 20, 6
#: So many tables of bots, one after the other.
BOT_TABLES = (50, 200)
ACT_SECONDS, THINKS = 2, 1.0
WORKER_THREADS = 8
#: Before anything is measured: what is worked out on first sight, and tables that began at the same moment.
WARMING_SECONDS = 6.0
#: Tables that are not to play yet are due later than any measurement lasts; the watchdog sees nothing amiss.
_ASLEEP = timedelta(minutes=50)
#: A player whose clock runs out at every turn keeps their seat.
_MOST_MISSED = 32_000
_STAKES = opening.TableStakes(ante=1, bring_in=5, small_bet=15, big_bet=30)
_STACK = 3_000


def run(seconds: float = 50.0) -> dict[str, Any]:
    """Measures for ``seconds`` in all, the first fifth of them without bots. By the number of bot tables:
    ``people_p50_ms`` and ``people_p99_ms``, by how much a time-out is later than its deadline; ``bot_turns_per_s``;
    ``bot_cpu_ms``, the worker's CPU a bot's turn, less what it uses for the people's tables alone."""
    if not settings.REDIS_URL:
        raise temporary.CannotRun("bench clocks needs a worker of its own: set REDIS_URL to a Redis.")
    load_before = temporary.load()
    prefix = f"bench-{os.getpid()}"
    options = {"REDIS_URL": settings.REDIS_URL, "REDIS_PREFIX": prefix, "CARDROOM_EMBEDDED": ""}
    options["CARDROOM_BOT_THINKS"] = str(THINKS)
    report: dict[str, Any] = {}
    with _forgotten(prefix), temporary.room("bench clocks", **options) as environment, ExitStack() as stack:
        parts.note(f"lays out {PEOPLE_TABLES} tables of people")
        parts.call(environment, lay_out_people, PEOPLE_TABLES)
        parts.note(f"lays out {max(BOT_TABLES)} tables of bots")
        bot_tables = parts.call(environment, lay_out_bots, max(BOT_TABLES))
        worker = _start(stack, environment)
        length = seconds / (len(BOT_TABLES) + 0.5)
        alone = _measure(environment, worker, length / 2, "people alone")
        for count in BOT_TABLES:
            parts.call(environment, let_play, bot_tables[:count])
            measured = _measure(environment, worker, length, f"{count} tables of bots")
            bots_cpu = max(0.0, measured["worker_cores"] - alone["worker_cores"])
            measured["bot_cpu_ms"] = round(bots_cpu * 1000 / max(0.1, measured["bot_turns_per_s"]), 2)
            report[f"bot_tables_{count}"] = measured
    report |= {"people_alone": alone, "people_tables": PEOPLE_TABLES, "worker_threads": WORKER_THREADS}
    return report | {"load_before": load_before, "load_after": temporary.load()}


def _start(stack: ExitStack, environment: dict[str, str]) -> Popen[str]:
    """Beat, worker and web, which end with the stack; the worker."""
    celery = ("celery", "-A", "cardroom")
    threads = ("--pool", "threads", "--concurrency", str(WORKER_THREADS))
    beat = (*celery, "beat", "--pidfile", "", "--loglevel", "WARNING")
    hostname = f"bench-{os.getpid()}@%h"
    parts.note("starts worker and beat")
    worker = stack.enter_context(
        parts.running(
            environment, *celery, "worker", "--hostname", hostname, *threads, "--loglevel", "WARNING", stdout=DEVNULL
        )
    )
    stack.enter_context(parts.running(environment, *beat, stdout=DEVNULL))
    live.start_web(stack, environment)
    return worker


def _measure(environment: dict[str, str], worker: Popen[str], seconds: float, what: str) -> dict[str, Any]:
    parts.note(f"warms up: {what}")
    time.sleep(WARMING_SECONDS)
    parts.note(f"measures for {seconds:.0f} s: {what}")
    since, cpu, began = timezone.now(), parts.cpu_s(worker), time.perf_counter()
    time.sleep(seconds)
    cores = (parts.cpu_s(worker) - cpu) / (time.perf_counter() - began)
    parts.note("reads what happened")
    return {
        **parts.call(environment, look, since.isoformat(), timezone.now().isoformat()),
        "worker_cores": round(cores, 3),
    }


def look(since: str, until: str) -> dict[str, Any]:
    """What happened between two moments: how late the clocks of people ran out, and how many turns bots took."""
    first, last = datetime.fromisoformat(since), datetime.fromisoformat(until)
    clock = timedelta(seconds=ACT_SECONDS)
    late = [
        (turn.ended_at - turn.began_at - clock).total_seconds()
        for turn in turns(first, last, bots=0)
        if turn.is_timed_out
    ]
    bot_turns = sum(not turn.is_timed_out for turn in turns(first, last, bots__gt=0))
    cuts = quantiles(late, n=100) if len(late) > 1 else None
    return {
        "people_p50_ms": round(cuts[49] * 1000) if cuts else None,
        "people_p99_ms": round(cuts[98] * 1000) if cuts else None,
        "time_outs": len(late),
        "bot_turns_per_s": round(bot_turns / (last - first).total_seconds(), 1),
    }


class Turn(NamedTuple):
    """A turn of a seat; `is_timed_out`: its clock ended it."""

    began_at: datetime
    ended_at: datetime
    is_timed_out: bool


def turns(first: datetime, last: datetime, **tables: Any) -> Iterator[Turn]:
    """The turns at these tables that ended between two moments."""
    played = Hand.objects.filter(**{f"table__{name}": value for name, value in tables.items()}, started_at__lt=last)
    for hand in played.filter(Q(ended_at=None) | Q(ended_at__gte=first)).order_by("pk").values_list("pk", flat=True):
        moments = table_journal.times(hand)
        facts = table_journal.facts(hand, upto=len(moments))
        for (began_at, fact), (ended_at, outcome) in pairwise(zip(moments, facts, strict=True)):
            if isinstance(fact, ActionOn) and first <= ended_at < last:
                yield Turn(began_at, ended_at, isinstance(outcome, TimedOut))


def lay_out_people(tables: int) -> int:
    """Tables of people whose clock always runs out; how many."""
    call_command("migrate", verbosity=0, interactive=False)
    for number in range(1, tables + 1):
        name = f"People {number}"
        terms = {"time_bank_seconds": 0, "bank_refill_seconds": 0, "missed_clocks_allowed": _MOST_MISSED}
        with transaction.atomic():
            table = _open(name, act_seconds=ACT_SECONDS, **terms)
            for seat in range(1, SEATS + 1):
                player, _ = live.player(f"{name} {seat}")
                play_seats.sit(table_id=table.pk, by=player, number=seat, buy_in=_STACK, now=timezone.now())
    return tables


def lay_out_bots(tables: int) -> list[int]:
    """Tables of bots, dealt, at which nothing happens before `let_play`."""
    people = list(PERSONALITIES)
    User.objects.bulk_create(
        User(username=f"bot-{number}", is_bot=True, personality=people[number % len(people)], password="!")
        for number in range(3 * SEATS * tables)
    )
    pks = []
    for number in range(1, tables + 1):
        with transaction.atomic():
            # A clock that does not run out before it is their time to play.
            terms = {"bots": SEATS, "bots_wait_for_people": False, "act_seconds": live.PATIENCE_SECONDS}
            table = _open(f"Bots {number}", seat_count=SEATS + 1, **terms)
            receivers.wake(table_id=table.pk, fence=None)
            TablePlay.objects.filter(table=table).update(wake_at=timezone.now() + _ASLEEP)
        pks.append(table.pk)
    return pks


def let_play(tables: list[int]) -> int:
    """Let those of these tables that still stand go on, one after the other within the time that a bot thinks; how
    many there were."""
    now = timezone.now()
    still = list(TablePlay.objects.filter(table__in=tables, wake_at__gt=now + _ASLEEP / 2).order_by("pk"))
    for number, play in enumerate(still):
        play.wake_at = now + timedelta(seconds=THINKS) * number / len(still)
    return TablePlay.objects.bulk_update(still, ["wake_at"])


def _open(name: str, **terms: Any) -> Table:
    fixed = {"stakes": _STAKES, "min_buy_in": _STACK, "max_buy_in": _STACK, "pause_seconds": 0}
    return opening.open_table(name=name, now=timezone.now(), **fixed, **terms)


@contextmanager
def _forgotten(prefix: str) -> Iterator[None]:
    """What the room leaves in Redis goes with it."""
    try:
        yield
    finally:
        with redis.Redis.from_url(settings.REDIS_URL) as client:
            for key in client.scan_iter(match=f"{prefix}*", count=1000):
                client.delete(key)
