"""`make test`'s last step: the whole suite on the best services there are, then on SQLite what must hold on both."""

import os
import subprocess
import sys
from collections.abc import Sequence

from tests.support import services

NO_TESTS = 5  # pytest's own word for "nothing was selected"


def main(arguments: Sequence[str]) -> int:
    outcomes = [_pytest(arguments, os.environ)]
    if services.find_postgresql() and not services.keeps_to_sqlite():
        print("\nOnce more on SQLite, in one process, what must hold on both databases:", flush=True)
        again = _pytest([*arguments, "-m", "both_databases"], {**os.environ, "CARDROOM_TESTS_ON": "sqlite"})
        outcomes.append(0 if again == NO_TESTS else again)
    return max(outcomes)


def _pytest(arguments: Sequence[str], environment: dict[str, str] | os._Environ[str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
