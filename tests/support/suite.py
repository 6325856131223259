"""What `make test` and `make test-long` run: style, types, migrations, then the tests on each database.

    python -m tests.support.suite [--long] [--workers N] [what pytest takes: folders, modules, -k ...]

Everything of the tier runs on the best services here, with `--long` on SQLite before that. Beside it, one after the
other, so that no core idles while the workers begin: the database that they copy is made, types and migrations are
checked, and some thirty tests run on SQLite. What is wrong there is told at once.
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

#: Checked beside the tests, one after the other: what, and by which command.
_BESIDE = {
    "that a database can be made": [*PYTHON, "tests.support.templates"],
    "the types of the engines": [*PYTHON, "mypy", "games/engine", "tournaments/engine"],
    "that no migration is missing": [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"],
}
_NEEDS_NO_SERVICE = "not postgres and not redis and not browser"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help="everything, in its long form")
    parser.add_argument("--workers", type=int, default=(os.cpu_count() or 1) * 3 // 2)
    chosen, selection = parser.parse_known_args()
    environment = _that_keeps_what_is_compiled() | ({"CARDROOM_SUITE": "long"} if chosen.long else {})
    on_sqlite = environment | {"CARDROOM_TESTS_ON": "sqlite"}
    has_both = bool(services.find_postgresql()) and not services.keeps_to_sqlite()
    in_parallel = ["--numprocesses", str(chosen.workers), "--dist", "loadfile", "-p", "tests.support.lanes"]
    in_parallel += ["--max-worker-restart", "2"]
    began, outcomes = time.monotonic(), []
    with ThreadPoolExecutor(1) as beside:
        checks = [beside.submit(_check, what, command, environment) for what, command in _BESIDE.items()]
        if has_both and chosen.long:
            print("First on SQLite, all that needs no service:", flush=True)
            outcomes.append(_pytest([*in_parallel, "-m", _NEEDS_NO_SERVICE, *selection], on_sqlite))
            print("\nThen on PostgreSQL:", flush=True)
        elif has_both:
            command = [*PYTHON, "pytest", "-p", "no:cacheprovider", "-m", f"smoke and {_NEEDS_NO_SERVICE}"]
            kinds = [*command, *(selection or _modules_with_smoke())]
            checks.append(beside.submit(_check, "a test of each kind on SQLite", kinds, on_sqlite))
        outcomes.append(_pytest([*in_parallel, *([] if chosen.long else ["-m", "not long"]), *selection], environment))
        outcomes += [check.result() for check in checks]
    print(f"({time.monotonic() - began:.0f} s)", flush=True)
    return int(any(outcomes))  # a process that a signal ended has a negative one


def _check(what: str, command: Sequence[str], environment: Mapping[str, str]) -> int:
    # But for those that make databases none is asked: neither that of DATABASE_URL nor the one of `make run`.
    is_own = "templates" in command[-1] or "pytest" in command
    own = environment if is_own else {**environment, "DATABASE_URL": "sqlite:///:memory:"}
    done = subprocess.run(command, cwd=PROJECT, env=own, check=False, capture_output=True, text=True)
    if not done.returncode or ("pytest" in command and done.returncode == NO_TESTS):
        return 0
    print(f"\nChecking {what}:\n{done.stdout}{done.stderr}", flush=True)
    return done.returncode


def _modules_with_smoke() -> list[str]:
    """Those alone: to find thirty tests, three hundred modules would be read."""
    modules = (PROJECT / "tests").rglob("test_*.py")
    return sorted(str(path) for path in modules if "mark.smoke" in path.read_text("utf-8"))


def _that_keeps_what_is_compiled() -> dict[str, str]:
    """The environment of the suite: its processes, and the rooms they start, would each compile everything again."""
    for folder in ("cardroom", "games", "tournaments"):
        compileall.compile_dir(PROJECT / folder, quiet=2, workers=0)
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _pytest(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    command = [*PYTHON, "pytest", "--quiet", *arguments]
    return subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
