"""Parts of a benchmark in processes of their own: ``python -m`` this with a module, a function of it and what that is
given, in JSON; it prints what the function answers."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import django
from django.conf import settings

from tests.benches.temporary import CannotRun

_BEGAN = time.monotonic()


def of(function: Callable[..., Any], *given: object) -> list[str]:
    """What ``python -m`` is asked to call this function."""
    return [__spec__.name, function.__module__, function.__name__, *map(json.dumps, given)]


def call(environment: Mapping[str, str], function: Callable[..., Any], *given: object) -> Any:
    """What the function answers in a process with this environment."""
    with _started(environment, of(function, *given), stdout=subprocess.PIPE, text=True) as process:
        told, _ = process.communicate()
    if process.returncode:
        raise CannotRun(f"a part of the benchmark failed ({function.__name__}); what it said is above")
    return json.loads(told)


def note(step: str) -> None:
    """Print to stderr what is done now, behind the seconds since the benchmark began."""
    print(f"{time.monotonic() - _BEGAN:6.1f} s  {step}", file=sys.stderr, flush=True)


def order(process: subprocess.Popen[str], words: object, *, step: str, seconds: float = 120.0) -> Any:
    """Give a part an order, a line of JSON; its answer, another line. `step`: what it does meanwhile, for people.
    Raises ``CannotRun`` where it ends, or does not answer within ``seconds``."""
    assert process.stdin is not None
    assert process.stdout is not None
    note(step)
    try:
        process.stdin.write(json.dumps(words) + "\n")
        process.stdin.flush()
    except BrokenPipeError:
        raise CannotRun(f"a part of the benchmark ended before its time ({step}); what it said is above") from None
    # It answers each order by one line, so nothing waits in the buffer that is read through.
    if not select.select([process.stdout], [], [], seconds)[0]:
        raise CannotRun(f"a part of the benchmark gave no answer within {seconds:.0f} s ({step})")
    answer = process.stdout.readline()
    if not answer:
        raise CannotRun(f"a part of the benchmark ended before its time ({step}); what it said is above")
    return json.loads(answer)


def cpu_s(process: subprocess.Popen[str]) -> float:
    """Seconds of CPU that a process has used, without its children."""
    fields = Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(environment: Mapping[str, str], *command: str, **pipes: Any) -> Iterator[subprocess.Popen[str]]:
    """What ``python -m`` runs meanwhile, and is ended afterwards."""
    with _started(environment, command, **pipes) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def _started(environment: Mapping[str, str], command: Sequence[str], **pipes: Any) -> Any:
    return subprocess.Popen([sys.executable, "-m", *command], cwd=settings.BASE_DIR, env=dict(environment), **pipes)


def main(module: str, function: str, *given: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")
    django.setup()
    answer = getattr(import_module(module), function)(*map(json.loads, given))
    if answer is not None:
        print(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
