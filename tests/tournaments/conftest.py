import random
from collections.abc import Callable

import pytest

from games.engine.cards import DECK
from games.services import deck
from tests.support.events import Event


@pytest.fixture(autouse=True)
def _same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cards in every run."""
    chance = random.Random(2030)
    monkeypatch.setattr(deck, "shuffled", lambda: tuple(chance.sample(DECK, len(DECK))))


@pytest.fixture
def make_event(db) -> Callable[..., Event]:
    """`make_event(conduct="online", late_level=2, when_short="cancel")`: a draft; see `tests.support.events`."""
    return Event
