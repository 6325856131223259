"""The test's own process at another room's database, to lay out what is played there and to see what came of it."""

from collections.abc import Iterator
from contextlib import contextmanager

import environ
from django.db import connection, connections

from games.tables import journal as table_journal

_PLACE = ("NAME", "USER", "PASSWORD", "HOST", "PORT")


@contextmanager
def speaking_to(url: str) -> Iterator[None]:
    """Have this process's own queries go to another database, of the same kind as the suite's."""
    before = {name: connection.settings_dict[name] for name in _PLACE}
    _point_to({name: value for name, value in environ.Env.db_url_config(url).items() if name in _PLACE})
    try:
        yield
    finally:
        _point_to(before)


def hang_up() -> None:
    """Let go of every connection this thread and its pool hold, as their server is about to die."""
    connections.close_all()
    if connection.vendor == "postgresql":
        connection.close_pool()


def _point_to(place: dict[str, str]) -> None:
    hang_up()
    connection.settings_dict.update(place)
    table_journal.forget()
