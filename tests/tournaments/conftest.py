from collections.abc import Callable, Iterator

import pytest

from tests.support.events import Event
from tournaments import journal


@pytest.fixture(autouse=True)
def _nothing_in_memory() -> Iterator[None]:
    journal.forget()
    yield
    journal.forget()


@pytest.fixture
def make_event(db) -> Callable[..., Event]:
    """`make_event(conduct="online", late_level=2, when_short="cancel")`: a draft; see `tests.support.events`."""
    return Event
