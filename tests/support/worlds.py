"""What many tests of a module begin with, laid out once; each test gets a copy, and what it writes goes back after it.

    @world
    def table() -> Evening:
        return Evening().deal()

This takes the place of `@pytest.fixture`, in a module or a conftest. The first test of a module that asks for it lays
the world out in a transaction that stays open until no further test of the module wants it. Every test works in a
savepoint of that transaction (the ordinary one of `django_db`, a mark that such a test need not carry), and it is given
a deep copy of what the function made, so that a clock put forward or a list added to is the test's own. Tests of one
module that want the same world run one after the other; a test that asks for none finds an empty database.

- The function's parameters are worlds, or other fixtures of a wider scope than a function: `def dealt(table): ...` is
  laid out on top of `table`, in a savepoint of it, and has a copy of `table` of its own.
- It runs before the fixtures of the test: what it needs patched it patches itself (`pytest.MonkeyPatch.context()`),
  and the time it needs it sets (`@time_machine.travel(...)`). Decks and keys are seeded here.
- A test with `transaction=True` gets a world that was laid out for it alone, and committed.
- Ask for a world in the parameters of a test or fixture, never by `request.getfixturevalue`.
"""

import copy
import inspect
import itertools
import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

import pytest
from django.db import DEFAULT_DB_ALIAS, connections, transaction

from games.rulebooks import queries as rulebook_queries
from games.tables import journal as hands
from games.tables import locking
from tests.support import decks
from tests.support.parts.games import clocks, floor_queries
from tournaments.events import journal as events

World = TypeVar("World")

#: The worlds whose transactions are open, each in a savepoint of the one before it: fixture, what it made, its end.
_open: list[tuple[Callable[..., Any], Any, ExitStack]] = []
_fixtures: set[Callable[..., Any]] = set()


def world(build: Callable[..., World]) -> Any:
    """A fixture that gives each test a copy of what `build` made once; see above."""

    # Outside a class this scope is a single test, but begins before the test's own savepoint.
    def given(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any, **below: Any) -> World:
        if not isinstance(request.node, pytest.Function):
            raise pytest.UsageError("A world is a test function's: in a class its tests would share one copy.")
        if _is_transactional(request.node):
            with django_db_blocker.unblock(), seeded():
                return build(**below)
        for fixture, built, _ in _open:
            if fixture is given:
                return copy.deepcopy(built)
        if not _open:
            request.node.getparent(pytest.Module).addfinalizer(_close)
        end = ExitStack()
        built = end.enter_context(laid_out(lambda: build(**below), blocker=django_db_blocker))
        _open.append((given, built, end))
        return copy.deepcopy(built)

    own = list(inspect.signature(given).parameters.values())[:-1]
    parameters = [*own, *inspect.signature(build).parameters.values()]
    given.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    given.__doc__ = build.__doc__
    _fixtures.add(given)
    return pytest.fixture(scope="class")(given)


def close_unless_wanted(item: pytest.Item | None) -> None:
    """End the worlds that the next test does not ask for."""
    wanted = _worlds_of(item) if item else ()
    _close(next((i for i, (fixture, *_) in enumerate(_open) if fixture not in wanted), len(_open)))


def gather(items: list[pytest.Item]) -> None:
    """Put the tests of a module that want the same world one after the other."""
    ordered: list[pytest.Item] = []
    for _, group in itertools.groupby(items, key=lambda item: item.getparent(pytest.Module)):
        alike: dict[tuple[Callable[..., Any], ...], list[pytest.Item]] = {}
        for item in group:
            alike.setdefault(worlds := _worlds_of(item), []).append(item)
            if worlds and not item.get_closest_marker("django_db"):
                item.add_marker(pytest.mark.django_db)
        ordered += itertools.chain.from_iterable(alike.values())
    items[:] = ordered


def forget() -> None:
    """Whatever this process remembers of rows: other tests have other rows with the same numbers."""
    for memory in (hands, events, locking, floor_queries, rulebook_queries, clocks):
        memory.forget()


@contextmanager
def laid_out(build: Callable[[], World], *, blocker: Any) -> Iterator[World]:
    """What `build` makes, until this is over: then every row it and the tests within wrote goes back."""
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]  # within it a durable block may begin
    with blocker.unblock():
        block.__enter__()
        try:
            with seeded():
                built = build()
        except BaseException:
            _end(block)
            raise
    forget()
    with _kept_open():
        yield built
    with blocker.unblock():
        _end(block)


def _end(block: transaction.Atomic) -> None:
    transaction.set_rollback(True)
    block.__exit__(None, None, None)


@contextmanager
def seeded() -> Iterator[None]:
    """The same chance in every run."""
    with pytest.MonkeyPatch.context() as patch:
        random.seed(2030)
        decks.same_in_every_run(patch)
        # Other numbers than the tests': what a world drew once, a card's say, is not drawn again.
        patch.setattr(secrets, "randbits", random.Random(2029).getrandbits)
        yield


@contextmanager
def _kept_open() -> Iterator[None]:
    """Django lets go of the connection after every test, and with it would go the transaction."""
    own = connections[DEFAULT_DB_ALIAS]
    close, own.close = own.close, lambda: None
    yield
    own.close = close


def _close(down_to: int = 0) -> None:
    while len(_open) > down_to:
        _open.pop()[2].close()


def _worlds_of(item: pytest.Item) -> tuple[Callable[..., Any], ...]:
    if _is_transactional(item):
        return ()
    named = getattr(item, "_fixtureinfo", None)
    definitions = named.name2fixturedefs.values() if named else ()
    return tuple(fixtures[-1].func for fixtures in definitions if fixtures and fixtures[-1].func in _fixtures)


def _is_transactional(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("django_db")
    is_marked = mark is not None and (mark.kwargs.get("transaction", False) or any(mark.args[:1]))
    return is_marked or not {"transactional_db", "live_server"}.isdisjoint(getattr(item, "fixturenames", ()))
