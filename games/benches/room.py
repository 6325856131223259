"""What the pages of a cash room cost: crowded, with 2,000 people in their seats; and old, with ten years of entries in
the ledger.

Everything happens in scratch databases on the server of ``DATABASE_URL``, which are dropped in the end; pages are asked
for in one process, without a socket between. Writing the years takes some minutes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from cardroom.core.database import temporary

#: What a page may cost: statements and CPU where the room is crowded, time by the clock where it is old.
MOST_QUERIES, MOST_CPU_MS, MOST_MS = 14, 150, 300


def run(entries: int = 10_000_000, plan: bool = False) -> dict[str, Any]:
    """Costs by address, medians. ``over``: addresses that cost more than they may. ``plan``: the database's own account
    of every statement of the statement page and of a day's report as well."""
    with temporary.room("bench room", ALLOWED_HOSTS="localhost") as environment:
        crowded = _part("room_crowd", environment)
    with temporary.room("bench room", ALLOWED_HOSTS="localhost") as environment:
        old = _part("room_books", environment, entries, "plan" if plan else "")
    over = [
        address for address, cost in crowded.items() if cost["queries"] > MOST_QUERIES or cost["cpu_ms"] >= MOST_CPU_MS
    ]
    over += [address for address, cost in old["pages"].items() if cost["ms"] >= MOST_MS]
    return {"crowded": crowded, "old": old, "over": ", ".join(over) or "none"}


def _part(name: str, environment: Mapping[str, str], *arguments: object) -> Any:
    """What ``python -m games.benches.<name>`` prints."""
    done = subprocess.run(  # noqa: S603, our own modules
        [sys.executable, "-m", f"games.benches.{name}", *map(str, arguments)],
        cwd=settings.BASE_DIR,
        env=dict(environment),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise temporary.CannotRun(f"a part of the benchmark failed ({name}); what it said is above")
    return json.loads(done.stdout)
