"""`make test`'s last step: on SQLite what must hold on both databases, then everything on the best services here."""

import compileall
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support import services

NO_TESTS = 5  # pytest's own word for "nothing was selected"
PROJECT = Path(__file__).parents[2]

#: The module left out makes a test of each address while it is collected.
_ON_SQLITE = ["--ignore=tests/web/api/test_schema.py", "-m", "smoke and not postgres and not redis and not browser"]
_EVERY_CHANGE = ["-m", "not long"]


def main(arguments: Sequence[str]) -> int:
    environment = _that_keeps_what_is_compiled()
    outcomes = []
    if services.find_postgresql() and not services.keeps_to_sqlite():
        print("First on SQLite and in one process, what uses the database and needs no service:", flush=True)
        # Meanwhile the other half's database is made: one process migrates for everybody, and leaves a core idle.
        template = subprocess.Popen([sys.executable, "-m", "tests.support.templates"], env=environment)
        outcome = _pytest([*arguments, *_ON_SQLITE], environment | {"CARDROOM_TESTS_ON": "sqlite"})
        outcomes.append(template.wait())
        outcomes.append(0 if outcome == NO_TESTS else outcome)
        print("\nThen everything, on PostgreSQL:", flush=True)
    outcomes.append(_pytest([*arguments, *_EVERY_CHANGE], environment))
    return max(outcomes)


def _that_keeps_what_is_compiled() -> dict[str, str]:
    """The environment of the suite: its processes, and the rooms they start, would each compile everything again."""
    for folder in ("cardroom", "games", "tournaments"):
        compileall.compile_dir(PROJECT / folder, quiet=2)
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _pytest(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
