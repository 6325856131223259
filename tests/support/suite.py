"""`make test`'s last step: on SQLite what must hold on both databases, then everything on the best services here."""

import os
import subprocess
import sys
from collections.abc import Sequence

from tests.support import services

NO_TESTS = 5  # pytest's own word for "nothing was selected"


def main(arguments: Sequence[str]) -> int:
    outcomes = []
    if services.find_postgresql() and not services.keeps_to_sqlite():
        print("First on SQLite and in one process, what uses the database and needs no service:", flush=True)
        chosen = [*arguments, "-m", "both_databases and not postgres and not redis and not browser"]
        outcome = _pytest(chosen, {**os.environ, "CARDROOM_TESTS_ON": "sqlite"})
        outcomes.append(0 if outcome == NO_TESTS else outcome)
        print("\nThen everything, on PostgreSQL:", flush=True)
    outcomes.append(_pytest(arguments, os.environ))
    return max(outcomes)


def _pytest(arguments: Sequence[str], environment: dict[str, str] | os._Environ[str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
