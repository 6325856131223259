"""What the suite may lean on: PostgreSQL, Redis, Chromium; where they were found, and what to say if they were not.

`DATABASE_URL`, `REDIS_URL` and `CHROMIUM` name them; unset, the usual places on this machine are tried. With `CI=true`
a test that needs one which is missing fails, elsewhere it skips and says so. `CARDROOM_TESTS_ON=sqlite` keeps to
SQLite and the in-memory channel layer although services are there.
"""

import getpass
import os
import shutil
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import redis

_REDIS = "redis://127.0.0.1:6379/9"


@dataclass(frozen=True)
class Service:
    """`address` is None when there is none; `wanting` tells the reader of a skipped test how to mend it."""

    name: str
    address: str | None
    wanting: str

    def __bool__(self) -> bool:
        return self.address is not None


def is_ci() -> bool:
    return os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def keeps_to_sqlite() -> bool:
    return os.environ.get("CARDROOM_TESTS_ON", "") == "sqlite"


def find_postgresql() -> Service:
    given = os.environ.get("DATABASE_URL", "")
    candidates = [given] if given else _usual_databases()
    for url in candidates:
        if url.startswith(("postgres:", "postgresql:")) and _may_create_databases(url):
            return Service("PostgreSQL", url, "")
    wanting = "no PostgreSQL with a role that may create databases here: set DATABASE_URL"
    if given.startswith("postgres"):
        wanting = f"the PostgreSQL of DATABASE_URL does not answer, or may not create databases ({_place(given)})"
    return Service("PostgreSQL", None, wanting)


def find_redis() -> Service:
    given = os.environ.get("REDIS_URL", "")
    url = given or _REDIS
    client = redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=1)
    try:
        client.ping()
    except redis.RedisError:
        wanting = (
            f"the Redis of REDIS_URL does not answer ({_place(given)})" if given else "no Redis here: set REDIS_URL"
        )
        return Service("Redis", None, wanting)
    finally:
        client.close()
    return Service("Redis", url, "")


def forget(prefix: str, *, redis_url: str) -> None:
    """Clear what a room or a run with this `REDIS_PREFIX` left in Redis."""
    with redis.Redis.from_url(redis_url) as client:
        for key in client.scan_iter(match=f"{prefix}:*", count=1000):
            client.delete(key)


def find_chromium() -> Service:
    given = os.environ.get("CHROMIUM", "")
    # The first is the same browser without windows of its own, which take time and memory.
    names = [given] if given else ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
    for name in names:
        if path := shutil.which(name):
            return Service("Chromium", path, "")
    return Service("Chromium", None, "no Chromium here: install it, or set CHROMIUM to its path")


def find_spectral() -> str:
    """The linter of OpenAPI documents, as `npm install --prefix .venv/npm @stoplight/spectral-cli` puts it there; "":
    it is not."""
    project = Path(__file__).parents[2]
    return shutil.which("spectral", path=str(project / ".venv/npm/node_modules/.bin")) or shutil.which("spectral") or ""


def free_port() -> int:
    """A port of the loopback that nobody held a moment ago."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _usual_databases() -> list[str]:
    local = [f"postgres://{role}@127.0.0.1:5432/cardroom" for role in ("postgres", getpass.getuser())]
    return [*local, "postgres:///cardroom"]


def _may_create_databases(url: str) -> bool:
    """Whether this role can, asked of the database every cluster has; the one named in `url` need not exist."""
    parts = urlsplit(url)
    try:
        with psycopg.connect(parts._replace(path="/postgres").geturl(), connect_timeout=2) as connection:
            query = "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
            row = connection.execute(query).fetchone()
    except psycopg.Error:
        return False
    return bool(row and row[0])


def _place(url: str) -> str:
    """Host and database of an address, without its password."""
    parts = urlsplit(url)
    return f"{parts.hostname or 'local socket'}{parts.path}"
