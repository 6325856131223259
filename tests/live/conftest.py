"""Real rooms for the live tests: all modules share one to a kind of channel layer, on a database of its own that the
tests write to as well; every test has tables and people of its own in it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from typing import Any

import pytest
import redis
from django.conf import settings as room_settings
from django.utils import timezone

from cardroom.core import access
from games.play import opening, seats
from tests.live.socket import Line, Socket
from tests.support.database import speaking_to
from tests.support.evening import STAKES
from tests.support.evening import player as newcomer
from tests.support.models import Table, User
from tests.support.room import Room, own_room
from tests.support.settings import POSTGRESQL, REDIS

_numbers = count(1)

#: The marks of modules for which one kind of room is enough.
_APART = pytest.mark.parametrize("room", ["processes apart"], indirect=True, scope="module")
APART = [pytest.mark.postgres, pytest.mark.redis, _APART]
#: Where there are services the rooms are apart; `make test-long` has them in one process on SQLite as well.
ROOMS = [
    *([] if POSTGRESQL and REDIS else [pytest.param("one process")]),
    pytest.param("processes apart", marks=[pytest.mark.postgres, pytest.mark.redis]),
]


@contextmanager
def a_room(
    factory: pytest.TempPathFactory, template: str, *, roles: tuple[str, ...] = ("web",), **options: Any
) -> Iterator[Room]:
    """A room on a database of its own, with these processes."""
    with own_room(factory.mktemp("room"), template, **options) as here:
        for role in roles:
            here.start(role)
        yield here


@contextmanager
def written_to(room: Room, blocker: Any) -> Iterator[Room]:
    """What this process writes is in the room's database, until the block ends."""
    with blocker.unblock(), speaking_to(room.environment["DATABASE_URL"]):
        yield room


@pytest.fixture(scope="package")
def rooms(tmp_path_factory: pytest.TempPathFactory, _migrated_database: str) -> Iterator[Callable[[bool], Room]]:
    """`rooms(True)`: the room with web, worker and beat apart, and Redis; `rooms(False)`: the one that is one process.
    The first test that asks starts it."""
    with ExitStack() as stack:

        @cache
        def started(is_apart: bool) -> Room:
            roles = ("web", "worker", "beat") if is_apart else ("web",)
            # The prefix is this process's own, so that what the tests commit is news to the room.
            given = {"is_apart": is_apart, "REDIS_PREFIX": room_settings.REDIS_PREFIX}
            return stack.enter_context(a_room(tmp_path_factory, _migrated_database, roles=roles, **given))

        yield started


@pytest.fixture(scope="module", params=ROOMS)
def room(request: pytest.FixtureRequest, rooms: Callable[[bool], Room], django_db_blocker: Any) -> Iterator[Room]:
    """A room that serves: all in one process with the in-memory layer, or web, worker and beat apart with Redis."""
    with written_to(rooms(request.param == "processes apart"), django_db_blocker) as here:
        yield here


@pytest.fixture
def somebody(room: Room) -> Callable[..., User]:
    """`somebody("dealer")`: a person with a wallet who holds this role."""

    def new_user(*roles: str) -> User:
        user = newcomer(f"player{next(_numbers)}", now=timezone.now())
        for role in roles:
            access.grant_role(user=user, role=role, by=None)
        return user

    return new_user


@pytest.fixture
def open_table(room: Room) -> Callable[..., Table]:
    def opened(**options: Any) -> Table:
        given = {"pause_seconds": 0, "min_buy_in": 300, "max_buy_in": 1500} | options
        return opening.open_table(name=f"Table {next(_numbers)}", stakes=STAKES, now=timezone.now(), **given)

    return opened


@pytest.fixture
def connected(room: Room) -> Iterator[Callable[..., Any]]:
    """`connected(EventSocket, event.pk, user)`: a socket, closed when the test is over."""
    with ExitStack() as stack:

        def opened(kind: type[Line], *given: Any, **options: Any) -> Line:
            socket = kind(room, *given, **options)
            stack.callback(socket.close)
            return socket

        yield opened


@pytest.fixture
def watch(connected: Callable[..., Socket]) -> Callable[..., Socket]:
    """`watch(table, user)`: the socket of a table."""

    def opened(table: Table | int | str, user: User | None = None, **options: Any) -> Socket:
        return connected(Socket, table.pk if isinstance(table, Table) else table, user, **options)

    return opened


@pytest.fixture
def overheard(room: Room) -> Iterator[list[bytes]]:
    """Everything that passes through Redis for this room's sockets while the test runs."""
    heard: list[bytes] = []
    with redis.Redis.from_url(room.environment["REDIS_URL"]) as client:
        channel = client.pubsub(ignore_subscribe_messages=True)
        channel.psubscribe(**{f"{room_settings.REDIS_PREFIX}__group__*": lambda message: heard.append(message["data"])})
        thread = channel.run_in_thread(sleep_time=0.05, daemon=True)
        try:
            yield heard
        finally:
            thread.stop()
            thread.join()


@pytest.fixture
def seated(
    open_table: Callable[..., Table], somebody: Callable[..., User], watch: Callable[..., Socket]
) -> Callable[..., list[Socket]]:
    """`seated(3)`: the sockets of three players at a new table, in seats 1 to 3, each at the first turn of a hand."""

    def sat(number: int, **options: Any) -> list[Socket]:
        table = open_table(**options)
        players = [somebody() for _ in range(number)]
        sockets = [watch(table, player) for player in players]
        for seat, player in enumerate(players, 1):
            seats.sit(table_id=table.pk, by=player, number=seat, buy_in=500, now=timezone.now())
        for socket in sockets:
            socket.until(lambda message, socket=socket: bool(socket.to_act))
        return sockets

    return sat
