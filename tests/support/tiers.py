"""Which tests run when. `make test` is what every change runs; `make test-long` runs everything, in its long form.

A test belongs to `make test` because its folder (or module) is named here, and leaves it by a mark with a reason:
`@pytest.mark.long("200 random evenings; test_evening.py plays one")`. A test that is in neither tier fails the
collection. A number of examples, kills or courses that the tier decides comes from `many`.
"""

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]

#: What `make test` runs, and what it is there for.
EVERY_CHANGE = {
    "tests/engine": "the rules of a hand: scenarios, perft, playouts, secrecy, recorded hands",
    "tests/cardroom": "the house: ledger, cage, people, alarms, the audit log",
    "tests/games": "tables, lists, rake, dealing, reports: services on the database",
    "tests/tournaments": "events: their engine, services, clocks, prizes",
    "tests/web": "pages and REST, permissions, the OpenAPI contract",
    "tests/live": "sockets against rooms that run",
    "tests/browser": "one journey for each kind of person in Chromium, and the JavaScript modules",
    "tests/faults": "one kill for each kind of process, and one tournament with kills",
    "tests/flows": "a whole evening with its books",
    "tests/test_architecture.py": "who imports whom",
    "tests/test_time_under_lock.py": "where services have their time from",
    "tests/test_docs.py": "the commands of the documentation, and what it names",
    "tests/test_embedded.py": "worker and beat as threads",
    "tests/test_house.py": "what `make house` measures",
    "tests/test_logs.py": "log lines",
    "tests/test_plain_words.py": "words of the code that a reader stumbles over",
    "tests/test_serving.py": "the room as a process",
    "tests/test_settings.py": "settings",
    "tests/test_tiers.py": "this page's own rules",
}


def is_long() -> bool:
    return os.environ.get("CARDROOM_SUITE") == "long"


def many(few: int, *, long: int) -> int:
    """How many examples, kills or courses: `few` in `make test`, `long` in `make test-long`."""
    return long if is_long() else few


def check(items: list[pytest.Item]) -> None:
    """Refuse a test that is in no tier, or that leaves `make test` without a reason."""
    faults = [f"{item.nodeid}: {fault}" for item in items if (fault := _fault(item))]
    if faults:
        raise pytest.UsageError("\n".join(faults))


def _fault(item: pytest.Item) -> str:
    mark = item.get_closest_marker("long")
    if mark is not None:
        has_reason = len(mark.args) == 1 and isinstance(mark.args[0], str) and mark.args[0].strip()
        return "" if has_reason else 'say why it is long: @pytest.mark.long("...")'
    place = item.nodeid.split("::")[0]
    if any(place == name or place.startswith(f"{name}/") for name in EVERY_CHANGE):
        return ""
    return "in no tier: name its folder in tests/support/tiers.py, or mark it long with a reason"
