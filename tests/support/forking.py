"""Processes that begin at once: a helper process has imported everything, and forks them.

It is the fork server of `multiprocessing`, one to a process of the suite: it starts when it is first needed, reaps what
it forked, and ends with the process that started it, however that ends; rooms that it forked end with it.
"""

import multiprocessing
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

#: What it imports is in `preloaded`.
processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["tests.support.preloaded"])


def telling(target: Callable[..., None], *given: Any) -> tuple[Connection, BaseProcess]:
    """A new process that does this, and has a line to us as its last argument; our end of it."""
    ours, theirs = processes.Pipe(duplex=False)
    process = processes.Process(target=target, args=(*given, theirs))
    process.start()
    theirs.close()
    return ours, process


def told_by(line: Connection) -> Iterator[Any]:
    """Everything until the process has ended."""
    with line, suppress(EOFError, OSError):
        while True:
            yield line.recv()


class Forked:
    """`python <arguments>` with this environment: a `subprocess.Popen` as far as a room needs one."""

    def __init__(self, arguments: Sequence[str], *, environment: Mapping[str, str], out: str, errors: str) -> None:
        given = (list(arguments), dict(environment), out, errors)
        self._process = processes.Process(target=_run, args=given, daemon=True)  # ended, not waited for, at the exit
        self._process.start()

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout or 0)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        if self._process.exitcode is None:
            os.kill(self._process.pid or 0, number)


def _run(arguments: list[str], environment: dict[str, str], out: str, errors: str) -> None:
    from tests.support import preloaded  # in the fork, where it is there already

    preloaded.run(arguments, environment, out=out, errors=errors)
