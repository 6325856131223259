"""What many tests of a module begin with: laid out once, and what each of them does to it goes back when it is over."""

import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

import pytest
from django.db import DEFAULT_DB_ALIAS, connections, transaction

from games.engine.cards import DECK
from games.services import deck

World = TypeVar("World")


@contextmanager
def laid_out(build: Callable[[], World], *, blocker: Any) -> Iterator[World]:
    """What `build` makes, until the module is over; for a fixture of that scope. A test that is given it, or that runs
    in the same module, is marked `django_db` without `transaction`: it works in a savepoint of this transaction."""
    held = ExitStack()
    with blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        chance = random.Random(2030)
        patch.setattr(deck, "shuffled", lambda: tuple(chance.sample(DECK, len(DECK))))
        patch.setattr(secrets, "randbits", chance.getrandbits)
        held.enter_context(transaction.atomic())
        try:
            made = build()
        except BaseException:
            transaction.set_rollback(True)
            held.close()
            raise
    with _kept_open():
        yield made
    with blocker.unblock():
        transaction.set_rollback(True)
        held.close()


@contextmanager
def _kept_open() -> Iterator[None]:
    """Django lets go of the connection after every test, and with it would go the transaction."""
    own = connections[DEFAULT_DB_ALIAS]
    close, own.close = own.close, lambda: None
    yield
    own.close = close
