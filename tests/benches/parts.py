"""Parts of a benchmark in processes of their own: ``python -m`` this with a module, a function of it and what that is
given, in JSON; it prints what the function answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import django
from django.conf import settings

from tests.benches.temporary import CannotRun


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
