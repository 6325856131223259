"""What a copy of the tree calls before each mutated statement while `mutants record` runs; and, as a plugin of pytest,
how long each test takes."""

import os
from typing import Any

_seen: set[tuple[int, str]] = set()


def hit(number: int) -> None:
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if test and (number, test) not in _seen:
        _seen.add((number, test))
        _append("MUTANT_HITS", f"{number}\t{test}")


def pytest_runtest_logreport(report: Any) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        _append("MUTANT_TIMES", f"{report.nodeid}\t{report.duration}")


def _append(variable: str, text: str) -> None:
    with open(os.environ[variable], "a") as file:
        file.write(text + "\n")
