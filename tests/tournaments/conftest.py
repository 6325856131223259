from collections.abc import Callable, Iterator

import pytest

from cardroom.core import audit as core_audit
from cardroom.core.models import User
from games.play import audit as play_audit
from games.play.bots import pot_share
from tests.support import decks
from tests.support.events import Event
from tests.support.worlds import world
from tournaments.directing import audit as directing_audit

BOOKS = ("transfers balance", "balances equal entries", "nobody owes", "no orphan stacks", "nothing stands still")


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Every test of this folder may use it, without a mark."""


@pytest.fixture(autouse=True)
def _same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cards in every run."""
    decks.same_in_every_run(monkeypatch)


@pytest.fixture(autouse=True)
def _bots_that_think_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """How well they play is tested with the games."""
    monkeypatch.setattr(pot_share, "MOST_TRIALS", 4)


@pytest.fixture
def audited(db: None) -> Iterator[None]:
    """The books and the events are without fault when the test is over; it has no cage and no cash game."""
    yield
    assert core_audit.run(only=[*BOOKS, *play_audit.CHECKS, *directing_audit.CHECKS]).faults == []


@world
def event() -> Event:
    """An event that has opened; modules that want another one lay out their own."""
    return Event().open()


@world
def ana(event: Event) -> User:
    return event.player("ana")


@pytest.fixture
def make_event(db) -> Callable[..., Event]:
    """`make_event(conduct="online", late_level=2, when_short="cancel")`: a draft; see `tests.support.events`."""
    return Event
