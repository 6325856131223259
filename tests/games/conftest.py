import random
from collections.abc import Callable, Iterator

import pytest

from cardroom.core.models import User
from games.play.bots import house_bots
from tests.support import decks
from tests.support.evening import Evening
from tests.support.event_tables import Director, directed
from tests.support.offers import staff
from tests.support.parts.games import seating
from tests.support.timing import TimedTable
from tests.support.worlds import world


@pytest.fixture(autouse=True)
def _database(db) -> None:
    """Every test of this folder may use it, without a mark."""


@pytest.fixture(autouse=True)
def _seeded_decks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cards in every run."""
    decks.same_in_every_run(monkeypatch)


@pytest.fixture
def seeded_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same whims and pauses of the house's bots in every run."""
    chance = random.Random(5)
    monkeypatch.setattr(house_bots, "_chance", lambda: chance)
    monkeypatch.setattr(random, "uniform", chance.uniform)


@pytest.fixture
def open_table() -> Callable[..., Evening]:
    """`open_table(bots=3)`: a table nobody but its bots sits at."""
    return Evening


@world
def floor() -> User:
    return staff("floor", "flo")


@world
def evening() -> Evening:
    """A table with two people and a hand dealt: ann in seat 1, bob in seat 2, 500 chips each."""
    table = Evening()
    table.ann, table.bob = table.sit("ann", 1), table.sit("bob", 2)
    return table.deal()


@world
def felt(floor) -> TimedTable:
    """A table in the room where time is collected: ann in seat 1 and bob in seat 2, 500 chips each."""
    table = TimedTable(is_physical=True)
    table.ann, table.bob = table.player("ann"), table.player("bob")
    for number, player in enumerate((table.ann, table.bob), 1):
        seating.seat(table_id=table.pk, player=player, number=number, buy_in=500, by=floor, now=table.now)
    return table


@pytest.fixture
def director() -> Iterator[Director]:
    with directed() as one:
        yield one
