"""The migrated database that all processes of the suite copy: made once, and kept for the next runs of the suite until
a migration is another, or a day has passed."""

import fcntl
import hashlib
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests.support import settings
from tests.support.room import PROJECT, Room, drop_database, new_database

_STEM = "cardroom_template_"
_KEPT_SECONDS = 24 * 60 * 60
#: What a database looks like once it was migrated hangs on these.
_SOURCES = (
    "*/*/migrations/*.py", "*/*/models.py", "*/*/models/*.py", "*/apps.py", "*/*/apps.py",
    "cardroom/accounts/receivers.py", "cardroom/core/access.py", "cardroom/core/database/*.py",
    "requirements.lock",
)  # fmt: skip


def name_of(url: str) -> str:
    """The database's name on its server, or the path of its file."""
    return url.removeprefix("sqlite:///") if url.startswith("sqlite") else urlsplit(url).path.strip("/")


def migrated() -> str:
    """The address of a database on which every migration has run. Who asks first makes it while the others wait."""
    name = f"{_STEM}{_fingerprint()}"
    with (Path(tempfile.gettempdir()) / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _on_postgresql(name) if settings.POSTGRESQL else _on_sqlite(name)


def _fingerprint() -> str:
    # A role copies the databases that it owns.
    digest = hashlib.sha256(str(urlsplit(settings.POSTGRESQL.address or "").username).encode())
    for path in sorted(path for pattern in _SOURCES for path in PROJECT.glob(pattern) if ".venv" not in path.parts):
        digest.update(str(path.relative_to(PROJECT)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _on_postgresql(name: str) -> str:
    home = urlsplit(str(settings.POSTGRESQL.address))
    url = home._replace(path=f"/{name}").geturl()
    with psycopg.connect(home._replace(path="/postgres").geturl(), autocommit=True) as connection:
        rows = connection.execute(
            "SELECT datname, shobj_description(oid, 'pg_database') FROM pg_database WHERE starts_with(datname, %s)",
            [_STEM],
        )
        made_at = {existing_name: float(at or 0) for existing_name, at in rows}
        for old, at in made_at.items():
            if at < time.time() - _KEPT_SECONDS and old != name:
                connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(old)))
        if name not in made_at:
            fresh = name_of(_made(Path(tempfile.gettempdir())))
            is_now = sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(fresh), sql.Identifier(name))
            connection.execute(is_now)
            at = sql.Literal(str(time.time()))
            # Nobody speaks to it, as it cannot be copied meanwhile.
            connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(name)))
            connection.execute(sql.SQL("COMMENT ON DATABASE {} IS {}").format(sql.Identifier(name), at))
    return url


def _on_sqlite(name: str) -> str:
    folder = Path(tempfile.gettempdir())
    for old in folder.glob(f"{_STEM}*.sqlite3"):
        if old.stat().st_mtime < time.time() - _KEPT_SECONDS:
            old.unlink(missing_ok=True)
    path = folder / f"{name}.sqlite3"
    if not path.exists():
        Path(name_of(_made(folder))).rename(path)
    return f"sqlite:///{path}"


def _made(folder: Path) -> str:
    url = new_database(folder)
    done = Room(folder, database_url=url, by_command=True).manage("migrate", "--verbosity", "0")
    if done.returncode:
        drop_database(url)
        raise AssertionError(done.stderr)
    return url


if __name__ == "__main__":
    migrated()
