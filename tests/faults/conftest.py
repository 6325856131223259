"""Rooms whose processes and servers are killed while people play in them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.faults import servers
from tests.faults.game import Game, Play
from tests.faults.servers import Server, copy_tables
from tests.support import settings
from tests.support.database import speaking_to
from tests.support.room import Room, empty_database, own_room

APART = ("web", "worker", "beat")
QUICK = {"CARDROOM_BOT_THINKS": "0.05"}


@pytest.fixture(scope="session")
def _redis() -> Iterator[tuple[Server | None, str]]:
    """A Redis that may be killed; the suite's own, with None before it, where the program for one is missing."""
    if servers.redis_server() is None:
        yield None, str(settings.REDIS.address)
        return
    with servers.own_redis() as (server, url):
        yield server, url


@pytest.fixture(scope="session")
def _room_apart(
    tmp_path_factory: pytest.TempPathFactory, _migrated_database: str, _redis: tuple[Server | None, str]
) -> Iterator[Room]:
    options = QUICK | {"REDIS_URL": _redis[1], "CARDROOM_BOT_TURNS": "32"}
    with own_room(tmp_path_factory.mktemp("apart"), _migrated_database, is_apart=True, **options) as room:
        yield room


@pytest.fixture
def room_apart(_room_apart: Room, django_db_blocker: Any) -> Iterator[Room]:
    """Web, worker and beat as processes of their own, all of them running; what a test killed is started for the
    next. The test's own queries go to its database."""
    for role in APART:
        if not _room_apart.is_running(role):
            _room_apart.start(role)
    with django_db_blocker.unblock(), speaking_to(_room_apart.environment["DATABASE_URL"]):
        yield _room_apart


@pytest.fixture
def apart_redis(_redis: tuple[Server | None, str]) -> Server:
    """The Redis of `room_apart`, to be killed."""
    if _redis[0] is None:
        pytest.skip("needs a Redis of its own to kill, and there is no redis-server here")
    return _redis[0]


@pytest.fixture
def room_alone(open_room: Callable[..., Room], django_db_blocker: Any) -> Iterator[Room]:
    """A room in one process, which runs; the test's own queries go to its database."""
    room = open_room(**QUICK)
    room.start()
    with django_db_blocker.unblock(), speaking_to(room.environment["DATABASE_URL"]):
        yield room


@pytest.fixture
def url(open_room: Callable[..., Room], django_db_blocker: Any) -> Iterator[str]:
    """A database of this test's own, as other processes must see what is written there."""
    address = open_room().environment["DATABASE_URL"]
    with django_db_blocker.unblock(), speaking_to(address):
        yield address


@pytest.fixture
def postgresql() -> Iterator[tuple[Server, str]]:
    """A PostgreSQL to be killed, and the address of the empty database in it."""
    if not settings.POSTGRESQL:
        pytest.skip(settings.POSTGRESQL.wanting)
    if servers.postgresql_home() is None:
        pytest.skip("needs a PostgreSQL of its own to kill, and there is no initdb here that this user may run")
    with servers.own_postgresql() as found:
        yield found


@pytest.fixture
def room_on(
    postgresql: tuple[Server, str], tmp_path: Path, _migrated_database: str, django_db_blocker: Any
) -> Iterator[tuple[Room, Server]]:
    """A room in one process on a PostgreSQL that may be killed; the test's own queries go there too."""
    server, url = postgresql
    room = Room(tmp_path, database_url=url, **QUICK)
    try:
        with empty_database(tmp_path, template=_migrated_database) as copied:  # nobody speaks to the template
            copy_tables(copied, to=url)
        room.start()
        with django_db_blocker.unblock(), speaking_to(url):
            yield room, server
    finally:
        room.close()


@pytest.fixture
def play() -> Iterator[Play]:
    with ExitStack() as stack:

        def began(room: Room, **options: Any) -> Game:
            game = Game(room, **options)
            stack.callback(game.close)
            return game

        yield began
