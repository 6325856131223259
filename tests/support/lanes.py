"""In which order xdist's workers take the modules of tests: the longest first, so that no core idles at the end, and
modules that mostly wait (for browsers, for rooms that start or die) in a lane of their own, one at a time.

A module stays with one worker, so that a world, a room or a browser that it lays out once is laid out once.
"""

import fcntl
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

#: Seconds by module, of a run of `make test`; `make test` with `CARDROOM_KEEP_SECONDS=1` writes them anew. A module
#: that is missing is taken for a short one.
SECONDS = Path(__file__).with_name("seconds.json")
#: Folders and modules whose tests wait more than they work.
WAITING = ("tests/browser", "tests/faults", "tests/live", "tests/test_serving.py", "tests/test_embedded.py",
           "tests/test_docs.py")  # fmt: skip
#: But for those that keep a core busy, in a room of their own: they are taken like any other, beside the lane.
WORKING = ("tests/browser/test_cash_pages.py",)


def is_waiting(module: str) -> bool:
    return module not in WORKING and any(module == name or module.startswith(f"{name}/") for name in WAITING)


class LongestFirst(LoadFileScheduling):
    """One worker keeps to the modules that wait as long as there are any; the others take the rest."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        self._seconds: dict[str, float] = json.loads(SECONDS.read_text()) if SECONDS.exists() else {}

    def _assign_work_unit(self, node: WorkerController) -> None:
        self.workqueue.move_to_end(self.next_module(node), last=False)
        super()._assign_work_unit(node)

    def next_module(self, node: WorkerController) -> str:
        """The module that this worker takes next."""
        others = [work for other, work in self.assigned_work.items() if other is not node]
        is_lane_taken = any(self._pending_of({name: unit}) for work in others for name, unit in work.items()
                            if is_waiting(name))  # fmt: skip
        return min(
            self.workqueue,
            key=lambda name: (is_waiting(name) == is_lane_taken, _folder(name), -self._seconds.get(name, 0), name),
        )


def _folder(module: str) -> str:
    """Modules that wait follow each other by folder, so that a folder's browser and room are opened once."""
    return module.rpartition("/")[0] if is_waiting(module) else ""


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LongestFirst | None:
    return LongestFirst(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """The first worker compiles what the tests are; the others wait, and read that."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    settings.RUN_DIR.mkdir(exist_ok=True)
    with (settings.RUN_DIR / "collected.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if lock.read() != run:
            collected = yield
            lock.truncate(0)
            lock.write(run)
            return collected
    return (yield)


def pytest_configure(config: pytest.Config) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        config.pluginmanager.register(Clock(), "clock of the lanes")


class Clock:
    """How long each module's tests took, fixtures included, told by folder when all are over."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.tests: dict[str, set[str]] = defaultdict(set)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        module = report.nodeid.split("::")[0]
        self.seconds[module] += report.duration
        self.tests[module].add(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("seconds of the workers by folder")
        for folder, tests, seconds in self.by_folder():
            terminalreporter.line(f"{seconds:8.1f} s {tests:6} tests  {folder}")
        if os.environ.get("CARDROOM_KEEP_SECONDS") == "1":
            self.keep()

    def by_folder(self) -> Iterator[tuple[str, int, float]]:
        folders: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
        for module, seconds in self.seconds.items():
            folder = folders["/".join(module.split("/")[:2])]
            folder[0] += len(self.tests[module])
            folder[1] += seconds
        for folder, (tests, seconds) in sorted(folders.items(), key=lambda entry: -entry[1][1]):
            yield folder, int(tests), seconds

    def keep(self) -> None:
        kept = {module: round(seconds, 1) for module, seconds in sorted(self.seconds.items()) if seconds >= 0.5}
        SECONDS.write_text(json.dumps(kept, indent=0) + "\n")
