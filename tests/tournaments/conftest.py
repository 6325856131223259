import random
from collections.abc import Callable

import pytest

from cardroom.models import User
from games.bots import equity
from games.engine.cards import DECK
from games.services import deck
from tests.support.events import Event
from tests.support.worlds import world


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Every test of this folder may use it, without a mark."""


@pytest.fixture(autouse=True)
def _same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cards in every run."""
    chance = random.Random(2030)
    monkeypatch.setattr(deck, "shuffled", lambda: tuple(chance.sample(DECK, len(DECK))))


@pytest.fixture(autouse=True)
def _bots_that_think_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """How well they play is tested with the games."""
    monkeypatch.setattr(equity, "MOST_TRIALS", 4)


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
