from collections.abc import Iterator

import pytest

from tests.support.directing import check
from tournaments.engine.config import EventConfig
from tournaments.engine.tournament import EventEngine


@pytest.fixture(autouse=True)
def _database() -> None:
    """The engine knows of none."""


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What must hold of an event at any time holds of each that the test began, when the test is over."""
    events: list[EventEngine] = []
    start = EventEngine.start

    def started(config: EventConfig, now: int) -> EventEngine:
        events.append(start(config, now))
        return events[-1]

    monkeypatch.setattr(EventEngine, "start", started)
    yield
    assert events
    for event in events:
        check(event)
