"""A room of its own for a measurement: a scratch database on the server of ``DATABASE_URL``, gone afterwards."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from cardroom.core import seals


class CannotRun(Exception):
    """The measurement needs something that is not here; the message says what."""


def load() -> float:
    """How many processes have been running or waiting for a core, on average over the last minute: figures that were
    measured beside others are worse."""
    return round(os.getloadavg()[0], 1)


@contextmanager
def room(what: str, **environment: str) -> Iterator[dict[str, str]]:
    """The environment of processes on a new database, which has no tables yet. ``what`` wants it, for the refusal.
    Raises ``CannotRun`` where there is no PostgreSQL."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith(("postgres:", "postgresql:")):
        raise CannotRun(f"{what} measures PostgreSQL: set DATABASE_URL to a server where databases may be created.")
    home = urlsplit(url)
    name = f"bench_{uuid.uuid4().hex[:12]}"
    try:
        connection = psycopg.connect(home._replace(path="/postgres").geturl(), autocommit=True, connect_timeout=5)
    except psycopg.Error as error:
        raise CannotRun(f"PostgreSQL does not answer: {error}") from None
    with connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield {
                **os.environ,
                "DATABASE_URL": home._replace(path=f"/{name}").geturl(),
                "REDIS_URL": "",
                "CARDROOM_EMBEDDED": "true",
                "LOG_LEVEL": "WARNING",
                "CARDROOM_STAFF_FACTOR": "false",
                # A room of several processes deals no hand without one.
                "CARDROOM_CARDS_KEY": os.environ.get("CARDROOM_CARDS_KEY") or seals.with_new_key(""),
                **environment,
            }
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
