"""Pages looked at by people: `browse(user)` is a browser of his, `browse()` one of nobody."""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.test.client import ClientHandler

from cardroom.models import User
from cardroom.services import access, people
from games import journal
from games.engine.cards import DECK
from games.selectors import floor
from games.services import deck
from tests.support.evening import Evening

Browse = Callable[..., Client]
#: When it is for `staff`.
NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
_NAMES = {"player": "pia", "dealer": "dan", "floor": "flo", "cashier": "cay", "manager": "mia", "auditor": "aud"}


@pytest.fixture(scope="session", autouse=True)
def _middleware_loaded_once() -> Iterator[None]:
    """Each client would load the middleware again, which looks through all static files: the first one's serves all."""
    names = ("_view_middleware", "_template_response_middleware", "_exception_middleware", "_middleware_chain")
    loaded: dict[str, Any] = {}
    load = ClientHandler.load_middleware

    def load_once(handler: ClientHandler) -> None:
        if not loaded:
            load(handler)
            loaded.update({name: getattr(handler, name) for name in names})
        vars(handler).update(loaded)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientHandler, "load_middleware", load_once)
        yield


@pytest.fixture
def _same_cards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No hand in memory, no request counted, and the same cards in every run."""
    chance = random.Random(2030)
    monkeypatch.setattr(deck, "shuffled", lambda: tuple(chance.sample(DECK, len(DECK))))
    journal.forget()
    floor.forget()
    cache.clear()
    yield
    journal.forget()
    floor.forget()


@pytest.fixture
def evening(db, _same_cards) -> Iterator[Evening]:
    """A table with two people and a hand dealt: ann in seat 1, bob in seat 2, 500 chips each; time stands still."""
    with time_machine.travel(0, tick=False) as clock:
        table = Evening(name="Larch")
        clock.move_to(table.now)
        table.ann, table.bob = table.sit("ann", 1), table.sit("bob", 2)
        table.deal()
        clock.move_to(table.now)
        table.clock = clock
        yield table


@pytest.fixture
def finished(evening: Evening) -> Evening:
    """The same after a hand played to the showdown; `hand` is its id."""
    evening.hand = evening.table.hand_id
    while evening.table.hand_id == evening.hand:
        turn = evening.turn
        evening.act("bring-in" if turn.bring_in else "check" if turn.can_check else "call")
    evening.clock.move_to(evening.now)
    return evening


@pytest.fixture
def browse() -> Browse:
    def client(user: User | None = None, **options: bool) -> Client:
        browser = Client(**options)
        if user is not None:
            browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return browser

    return client


@pytest.fixture
def staff(db: None, _same_cards: None) -> Iterator[dict[str, User]]:
    """One of each role, by its name, and a player who holds none; time stands still."""
    with time_machine.travel(NOW, tick=False):
        made = {}
        for role, name in _NAMES.items():
            made[role] = User.objects.create_user(name, date_joined=NOW)
            people.sign_up_bonus(user=made[role], now=NOW)
            if role != "player":
                access.grant_role(user=made[role], role=role, by=None)
        yield made
