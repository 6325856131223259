"""Bots that play an online event to its end, every move and every deal by an alarm and a task."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

from django.conf import settings

from cardroom.core.database import temporary

_WORKERS = 2
_LOOK_EVERY = 2.0
_BUSY = 0.85


def run(environment: Mapping[str, str], bots: int, seconds: float) -> dict[str, Any]:
    """An event of so many bots on an empty database; ends after ``seconds`` at the latest."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cardroom-bench-")))
        event = _room(environment, "lay-out", bots)["id"]
        late = [folder / f"late-{number}" for number in range(_WORKERS if environment["REDIS_URL"] else 1)]
        if environment["REDIS_URL"]:
            stack.enter_context(_process(environment, "celery", "-A", "cardroom", "beat", "--pidfile", "", *_QUIET))
        for path in late:
            path.touch()
            stack.enter_context(_process(environment, "tournaments.benches.worker", str(path)))
        began, before = time.monotonic(), _ticks()
        told: dict[str, Any] = {"is_over": False}
        while not told["is_over"] and time.monotonic() - began < seconds:
            time.sleep(_LOOK_EVERY)
            told = _room(environment, "look", event)
        busy = _busy(before, _ticks())
        seconds_late = [float(line) for path in late for line in path.read_text("ascii").split()]
    if not told["is_over"]:
        raise temporary.CannotRun(
            f"after {seconds:.0f} s {told['left']} of {bots} bots were left: give it more --seconds"
        )
    return _report(bots, told, busy, seconds_late)


_QUIET = ("--loglevel", "WARNING")


def _report(bots: int, told: Mapping[str, Any], busy: float, late: Sequence[float]) -> dict[str, Any]:
    cuts = quantiles(late, n=100)
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
        "limited_by": _limit(busy),
        "faults": told["faults"],
    }


def _limit(busy: float) -> str:
    if busy >= _BUSY:
        return f"the machine: its {os.cpu_count()} cores were busy {busy:.0%} of the time, and the bots yielded"
    return f"the bots' own pace, and few tables near the end: the cores were busy {busy:.0%} of the time"


def _ticks() -> list[int]:
    """Of all cores since the machine started: user, nice, system, idle, iowait, ...; none where they are not told."""
    stat = Path("/proc/stat")
    return [int(word) for word in stat.read_text("ascii").partition("\n")[0].split()[1:]] if stat.exists() else []


def _busy(before: Sequence[int], after: Sequence[int]) -> float:
    spent = [later - earlier for earlier, later in zip(before, after, strict=True)]
    return 1 - sum(spent[3:5]) / max(1, sum(spent)) if spent else 0.0


@contextmanager
def _process(environment: Mapping[str, str], *arguments: str) -> Iterator[None]:
    process = subprocess.Popen(  # noqa: S603, our own modules
        [sys.executable, "-m", *arguments], cwd=settings.BASE_DIR, env=dict(environment), stdout=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _room(environment: Mapping[str, str], *arguments: object) -> dict[str, Any]:
    done = subprocess.run(  # noqa: S603, our own modules
        [sys.executable, "-m", "tournaments.benches.bots_room", *map(str, arguments)],
        cwd=settings.BASE_DIR,
        env=dict(environment),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise temporary.CannotRun(f"a part of the benchmark failed ({arguments[0]}); what it said is above")
    told: dict[str, Any] = json.loads(done.stdout)
    return told
