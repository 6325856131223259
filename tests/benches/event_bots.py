"""Bots that play an online event to its end, every move and every deal by an alarm and a task.

Alarms are rung by workers that write down how late each was: where there is a Redis they are Celery's own, as in any
room, and somebody else beats; otherwise there is one, the worker and the beat of a room in one process.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from statistics import quantiles
from subprocess import DEVNULL
from typing import Any, TextIO

from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from cardroom.core import audit as core_audit
from cardroom.embedded import Embedded
from games.play import clocks
from tests.benches import parts, temporary
from tournaments.directing import bots_entering, tournaments
from tournaments.engine import config
from tournaments.engine.clock import Level, Structure
from tournaments.engine.facts import HandFinished
from tournaments.events import journal as event_journal
from tournaments.events import playing
from tournaments.events.models import Tournament

_WORKERS, _THREADS = 2, 4
_LOOK_EVERY = 2.0
_BUSY = 0.85
#: Bets of a twelfth of the stack, half as much again after every fourth hand of the table that is ahead.
_STACK, _FIRST_BET, _LEVELS, _HANDS = 2_400, 200, 40, 4
_MOST_FAULTS = 5


def run(environment: Mapping[str, str], bots: int, seconds: float) -> dict[str, Any]:
    """An event of so many bots on an empty database; ends after ``seconds`` at the latest."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cardroom-bench-")))
        event = parts.call(environment, lay_out, bots)
        late = [folder / f"late-{number}" for number in range(_WORKERS if environment["REDIS_URL"] else 1)]
        if environment["REDIS_URL"]:
            beat = ("celery", "-A", "cardroom", "beat", "--pidfile", "", "--loglevel", "WARNING")
            stack.enter_context(parts.running(environment, *beat, stdout=DEVNULL))
        for path in late:
            path.touch()
            stack.enter_context(parts.running(environment, *parts.of(work, str(path)), stdout=DEVNULL))
        began, before = time.monotonic(), _ticks()
        told: dict[str, Any] = {"is_over": False}
        while not told["is_over"] and time.monotonic() - began < seconds:
            time.sleep(_LOOK_EVERY)
            told = parts.call(environment, look, event)
        busy = _busy(before, _ticks())
        seconds_late = [float(line) for path in late for line in path.read_text("ascii").split()]
    if not told["is_over"]:
        raise temporary.CannotRun(
            f"after {seconds:.0f} s {told['left']} of {bots} bots were left: give it more --seconds"
        )
    return _report(bots, told, busy, seconds_late)


def _report(bots: int, told: Mapping[str, Any], busy: float, late: Sequence[float]) -> dict[str, Any]:
    cuts = quantiles(late, n=100)
    limit = f"the bots' own pace, and few tables near the end: the cores were busy {busy:.0%} of the time"
    if busy >= _BUSY:
        limit = f"the machine: its {os.cpu_count()} cores were busy {busy:.0%} of the time, and the bots yielded"
    return {
        "entrants": bots,
        "tables": -(-bots // 8),
        "seconds": round(told["played_s"], 1),
        "hands": told["hands"],
        "hands_per_s": round(told["hands"] / told["played_s"], 2),
        "alarms": len(late),
        "alarm_late_p50_ms": round(cuts[49] * 1000, 1),
        "alarm_late_p99_ms": round(cuts[98] * 1000, 1),
        "cores_busy": round(busy, 2),
        "limited_by": limit,
        "faults": told["faults"],
    }


def _ticks() -> list[int]:
    """Of all cores since the machine started: user, nice, system, idle, iowait, ...; none where they are not told."""
    stat = Path("/proc/stat")
    return [int(word) for word in stat.read_text("ascii").partition("\n")[0].split()[1:]] if stat.exists() else []


def _busy(before: Sequence[int], after: Sequence[int]) -> float:
    spent = [later - earlier for earlier, later in zip(before, after, strict=True)]
    return 1 - sum(spent[3:5]) / max(1, sum(spent)) if spent else 0.0


def lay_out(bots: int) -> int:
    """Has so many bots enter, and leaves the start to the event's alarm; the number of the event."""
    call_command("migrate", verbosity=0, interactive=False)
    row = tournaments.create(
        by=None,
        now=timezone.now(),
        name="Bench",
        conduct="online",
        config=_config(bots),
        price={"entry": {"pool": 100, "fee": 10}},
        bots=bots,
        starts_when_full=True,
        options={"pause_seconds": 0},
    )
    tournaments.open_registration(tournament_id=row.pk, by=None, now=timezone.now())
    _enter(row.pk)
    return row.pk


def _enter(tournament_id: int) -> None:
    """All of them, some at a time as the event's alarm would; but none of it is left for the alarm."""
    while True:
        with playing.holding(tournament_id, now=timezone.now()) as locked:
            entered = bots_entering.enter_next_bots(locked, now=timezone.now())
        if not entered:
            return


def _config(bots: int) -> dict[str, Any]:
    bets = [_FIRST_BET * 3**n // 2**n // 20 * 20 for n in range(_LEVELS)]
    levels = [Level(hands=_HANDS, ante=bet // 5, bring_in=bet // 4, small_bet=bet, big_bet=2 * bet) for bet in bets]
    terms = config.EventConfig(structure=Structure(tuple(levels)), starting_stack=_STACK, max_entrants=bots)
    return config.to_json(terms)


def look(tournament_id: int) -> dict[str, Any]:
    """Hands played, who is left, and the faults of the audit once it is over and paid."""
    row = Tournament.objects.get(pk=tournament_id)
    told = {"is_over": row.paid_at is not None, "left": row.players_left, "started": row.started_at is not None}
    if not told["is_over"]:
        return told
    state = event_journal.read(row.pk)
    ended, began = row.ended_at, row.started_at
    return told | {
        "hands": sum(isinstance(fact, HandFinished) for fact in state.facts),
        "played_s": (ended - began).total_seconds(),
        "faults": core_audit.check()[:_MOST_FAULTS],
    }


def work(path: str) -> None:
    """A worker that writes down to this file how late each alarm is."""
    with Path(path).open("a", encoding="ascii", buffering=1) as late:
        _watch(late)
        if settings.REDIS_URL:
            _work()
        else:
            _work_and_beat()


def _watch(late: TextIO) -> None:
    """Every alarm of a table that is due when its task begins, in seconds after its moment."""
    note = clocks.note_alarm

    def noted(due: datetime, *, now: datetime) -> None:
        late.write(f"{(now - due).total_seconds():.4f}\n")
        note(due, now=now)

    clocks.note_alarm = noted


def _work() -> None:
    from celery.bin.celery import main as celery

    options = ["--pool", "threads", "--concurrency", str(_THREADS), "--loglevel", "WARNING"]
    sys.argv = ["celery", "-A", "cardroom", "worker", "--hostname", f"bench-{os.getpid()}@%h", *options]
    celery()


def _work_and_beat() -> None:
    ended = threading.Event()

    def end(*_: Any) -> None:
        ended.set()

    signal.signal(signal.SIGTERM, end)
    room = Embedded(threads=_THREADS)
    room.start()
    ended.wait()
    room.stop()
