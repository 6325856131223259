"""The order in which workers take the modules of tests."""

from collections import OrderedDict
from types import SimpleNamespace

import pytest

from tests.support.lanes import LongestFirst

MODULES = {
    "tests/browser/test_a.py": 5.0,
    "tests/faults/test_b.py": 20.0,
    "tests/games/test_c.py": 3.0,
    "tests/games/test_d.py": 9.0,
    "tests/browser/test_e.py": 7.0,
}


@pytest.fixture
def lanes() -> LongestFirst:
    made = LongestFirst.__new__(LongestFirst)
    made._seconds = MODULES
    made.workqueue = OrderedDict((name, {f"{name}::test": False}) for name in sorted(MODULES))
    made.assigned_work = {}
    return made


def taken_by(lanes: LongestFirst, *workers: SimpleNamespace) -> list[str]:
    """What the workers take in turn; nothing is ever finished."""
    found = []
    for worker in workers:
        name = lanes.next_module(worker)
        lanes.assigned_work.setdefault(worker, {})[name] = lanes.workqueue.pop(name)
        found.append(name.partition("_")[2][0])
    return found


class Worker(SimpleNamespace):
    __hash__ = object.__hash__
    __eq__ = object.__eq__


def test_one_worker_takes_what_waits_folder_by_folder_and_the_others_the_longest_of_the_rest(lanes) -> None:
    first, second = Worker(), Worker()

    assert taken_by(lanes, first, second, second, first, first) == ["e", "d", "c", "a", "b"]


def test_when_nothing_else_is_left_others_help_with_what_waits(lanes) -> None:
    first, second = Worker(), Worker()

    assert taken_by(lanes, first, second, second, second) == ["e", "d", "c", "a"]
