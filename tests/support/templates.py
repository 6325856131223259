"""The one migrated database that all processes of a run of the suite copy."""

import fcntl
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.room import Room, drop_database, new_database

_NAME = "template.json"


def name_of(url: str) -> str:
    """The database's name on its server, or the path of its file."""
    return url.removeprefix("sqlite:///") if url.startswith("sqlite") else urlsplit(url).path.strip("/")


@contextmanager
def shared(folder: Path, *, user: str) -> Iterator[str]:
    """The address of the template of this run, whose processes share the folder."""
    with _told(folder) as told:
        if not told:
            told["url"] = new_database(folder)
            done = Room(folder, database_url=told["url"]).manage("migrate", "--verbosity", "0")
            assert done.returncode == 0, done.stderr
        told.setdefault("users", []).append(user)
        url = told["url"]
    try:
        yield url
    finally:
        with ExitStack() as stack:
            told = stack.enter_context(_told(folder))
            told["users"].remove(user)
            if not told["users"]:
                drop_database(told.pop("url"))
                told.clear()


@contextmanager
def _told(folder: Path) -> Iterator[dict]:
    """What the processes tell each other, one at a time."""
    with (folder / _NAME).open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        told = json.loads(file.read() or "{}")
        yield told
        file.seek(0)
        file.truncate()
        json.dump(told, file)
