"""What `make test` and `make test-long` run: style, types, migrations, then the tests on each database.

    python -m tests.support.suite [--long] [--workers N] [what pytest takes: folders, modules, -k ...]

First some thirty tests on SQLite, in one process, while types and migrations are checked and the database that the rest
copies is made; then everything of the tier on the best services here. `--long` runs everything on both databases.
"""

import argparse
import compileall
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support import services

NO_TESTS = 5  # pytest's own word for "nothing was selected"
PROJECT = Path(__file__).parents[2]
PYTHON = [sys.executable, "-m"]

#: Checked beside the first tests, one after the other, as they keep one core busy: what, and by which command.
_BESIDE = {
    "the types of the engines": [*PYTHON, "mypy", "games/engine", "tournaments/engine"],
    "that no migration is missing": [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"],
    "that a database can be made": [*PYTHON, "tests.support.templates"],
}
_NEEDS_NO_SERVICE = "not postgres and not redis and not browser"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help="everything, in its long form")
    parser.add_argument("--workers", type=int, default=(os.cpu_count() or 1) * 3 // 2)
    chosen, selection = parser.parse_known_args()
    environment = _that_keeps_what_is_compiled() | ({"CARDROOM_SUITE": "long"} if chosen.long else {})
    outcomes: list[int] = []
    in_parallel = ["--numprocesses", str(chosen.workers), "--dist", "loadfile", "-p", "tests.support.lanes"]
    in_parallel += ["--max-worker-restart", "2"]
    with ThreadPoolExecutor(1) as beside:
        checked = beside.submit(_check_beside, environment)
        if services.find_postgresql() and not services.keeps_to_sqlite():
            on_sqlite = environment | {"CARDROOM_TESTS_ON": "sqlite"}
            if chosen.long:
                print("First on SQLite and in one process, all that needs no service:", flush=True)
                outcomes.append(_pytest([*in_parallel, "-m", _NEEDS_NO_SERVICE, *selection], on_sqlite))
            else:
                print("First on SQLite and in one process, a test of each kind:", flush=True)
                outcome = _pytest(["-m", f"smoke and {_NEEDS_NO_SERVICE}", *selection], on_sqlite)
                outcomes.append(0 if selection and outcome == NO_TESTS else outcome)
            print("\nThen on PostgreSQL:", flush=True)
        outcomes.append(checked.result())
    outcomes.append(_pytest([*in_parallel, *([] if chosen.long else ["-m", "not long"]), *selection], environment))
    return int(any(outcomes))  # a process that a signal ended has a negative one


def _check_beside(environment: Mapping[str, str]) -> int:
    for what, command in _BESIDE.items():
        # But for the one that makes it no database is asked: neither that of DATABASE_URL nor the one of `make run`.
        own = environment if "templates" in command[-1] else {**environment, "DATABASE_URL": "sqlite:///:memory:"}
        done = subprocess.run(command, cwd=PROJECT, env=own, check=False, capture_output=True, text=True)
        if done.returncode:
            print(f"Checking {what}:\n{done.stdout}{done.stderr}", flush=True)
            return done.returncode
    return 0


def _that_keeps_what_is_compiled() -> dict[str, str]:
    """The environment of the suite: its processes, and the rooms they start, would each compile everything again."""
    for folder in ("cardroom", "games", "tournaments"):
        compileall.compile_dir(PROJECT / folder, quiet=2)
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _pytest(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    began = time.monotonic()
    command = [*PYTHON, "pytest", "--quiet", *arguments]
    outcome = subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode
    print(f"({time.monotonic() - began:.0f} s)", flush=True)
    return outcome


if __name__ == "__main__":
    sys.exit(main())
