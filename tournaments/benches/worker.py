"""A worker of the bots' benchmark that writes down how late each alarm was: ``python -m`` this with a file.

Where there is a Redis it is Celery's own, as in any room, and somebody else beats; otherwise it is the worker and the
beat of a room in one process.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")

_THREADS = 4


def main(path: str) -> None:
    django.setup()
    from django.conf import settings

    with Path(path).open("a", encoding="ascii", buffering=1) as late:
        _watch(late)
        if settings.REDIS_URL:
            _work()
        else:
            _work_and_beat()


def _watch(late: TextIO) -> None:
    """Every alarm of a table that is due when its task begins, in seconds after its moment."""
    from games.play import pacing

    note = pacing.note_alarm

    def noted(due: datetime, *, now: datetime) -> None:
        late.write(f"{(now - due).total_seconds():.4f}\n")
        note(due, now=now)

    pacing.note_alarm = noted


def _work() -> None:
    from celery.bin.celery import main as celery

    options = ["--pool", "threads", "--concurrency", str(_THREADS), "--loglevel", "WARNING"]
    sys.argv = ["celery", "-A", "cardroom", "worker", "--hostname", f"bench-{os.getpid()}@%h", *options]
    celery()


def _work_and_beat() -> None:
    from cardroom.embedded import Embedded

    ended = threading.Event()

    def end(*_: Any) -> None:
        ended.set()

    signal.signal(signal.SIGTERM, end)
    room = Embedded(threads=_THREADS)
    room.start()
    ended.wait()
    room.stop()


if __name__ == "__main__":
    main(sys.argv[1])
