from datetime import UTC, datetime

import pytest
import time_machine

from cardroom.core import audit as core_audit
from cardroom.core.database import roles
from cardroom.ledger import audit as ledger_audit
from cardroom.ledger import ledger, passages
from tests.cardroom.cage_desk import faults, furnished
from tests.support.models import Account, User
from tests.support.worlds import world

NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _database(db) -> None:
    """Every test of this folder may use it, without a mark."""


@pytest.fixture(autouse=True)
def _only_the_house_is_audited(monkeypatch):
    """The chips of these tests lie on tables that no app knows of."""
    of_the_house = {
        name: check
        for name, check in core_audit._checks.items()
        if check.__module__ in (ledger_audit.__name__, roles.__name__)
    }
    monkeypatch.setattr(core_audit, "_checks", of_the_house)


@pytest.fixture
def audited(db):
    """The books of the cage are without fault when the test is over."""
    yield
    assert faults() == []


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def north() -> User:
    return User.objects.create_user("north", password="seven-cards")


@pytest.fixture
def south() -> User:
    return User.objects.create_user("south", password="seven-cards")


@pytest.fixture
def bank() -> Account:
    """The account of the house that play money comes from."""
    return ledger.open_account(kind="house", label="play money")


@pytest.fixture
def funded(bank, now):
    """`funded(user, 500)`: the user's wallet, with that many chips put into it."""

    def fund(user: User, chips: int) -> Account:
        wallet = ledger.wallet(user)
        legs, leave = [(bank, -chips), (wallet, chips)], passages.rule_passage("demo", chips)
        ledger.post(reference=f"fund:{user.pk}", reason="funded", legs=legs, at=now, passage=leave)
        return wallet

    return fund


@pytest.fixture
def wallets(north, south, funded) -> tuple[Account, Account]:
    """Of north and south, with 500 in each."""
    return funded(north, 500), funded(south, 500)


@world
def furnished_desk():
    return furnished(NOW)


@pytest.fixture
def desk(furnished_desk):
    """A cage with a drawer open, cashiers, managers and players, see `cage_desk.furnished`; its time stands still."""
    with time_machine.travel(NOW, tick=False):
        yield furnished_desk
