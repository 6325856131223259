"""A real room in processes of its own, for tests that kill them, connect to them or look at them in a browser.

They are forked by a process that has imported everything, or started by their commands, as an operator starts them.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests.support import services, settings
from tests.support.forking import Forked

PROJECT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0  # seconds until a process that does not come up is a fault: generous, as nothing waits it out

COMMANDS = {
    "web": ("manage.py", "serve", "--host", "127.0.0.1", "--port"),
    "worker": ("-m", "celery", "-A", "cardroom", "worker", "--pool", "threads", "--concurrency", "4"),
    "beat": ("-m", "celery", "-A", "cardroom", "beat", "--pidfile", ""),
}
OTHER_WEB = "web-2"
COMMANDS[OTHER_WEB] = COMMANDS["web"]


class Room:
    """One database and its processes: `web` does all the work, unless the room is apart (which takes Redis). They are
    forked, unless they are to be `by_command`."""

    def __init__(
        self, folder: Path, *, database_url: str, is_apart: bool = False, by_command: bool = False, **environment: str
    ) -> None:
        self.folder = folder
        self._ports = {"web": services.free_port(), OTHER_WEB: services.free_port()}
        self.port = self._ports["web"]
        self.url = f"http://127.0.0.1:{self.port}"
        self._begin = _by_command if by_command else Forked
        self._running: dict[str, subprocess.Popen[bytes] | Forked] = {}
        self.environment = {
            **os.environ, "DJANGO_SETTINGS_MODULE": "cardroom.settings", "DATABASE_URL": database_url,
            "REDIS_URL": str(settings.REDIS.address) if is_apart else "",
            "REDIS_PREFIX": f"room-{uuid.uuid4().hex[:8]}", "LOG_LEVEL": "INFO", "PYTHONUNBUFFERED": "1", **environment,
        }  # fmt: skip

    def start(self, role: str = "web", *, expect_well: bool = True) -> None:
        """Start a process (of `COMMANDS`); returns when a web says that it is well, or answers at all."""
        arguments = [*COMMANDS[role], *([str(self._ports[role])] if role in self._ports else [])]
        log = self.log_path(role)
        log.touch()
        self._running[role] = self._begin(arguments, environment=self.environment, out=str(log), errors=str(log))
        if role in self._ports:
            self._wait_until_it_answers(role, expect_well=expect_well)

    def kill(self, role: str = "web") -> None:
        """kill -9: no farewell, nothing flushed."""
        self._end(role, signal.SIGKILL)

    def freeze(self, *roles: str) -> None:
        """SIGSTOP: they keep what they have open, and do nothing, until `go_on`."""
        for role in roles:
            self._running[role].send_signal(signal.SIGSTOP)

    def go_on(self, *roles: str) -> None:
        for role in roles:
            self._running[role].send_signal(signal.SIGCONT)

    def stop(self, role: str = "web") -> int:
        """Ask it to end (SIGTERM) and give its exit code."""
        return self._end(role, signal.SIGTERM)

    def is_running(self, role: str = "web") -> bool:
        return role in self._running and self._running[role].poll() is None

    def close(self) -> None:
        for role in list(self._running):
            self.kill(role)
        if settings.REDIS and self.environment["REDIS_URL"] == settings.REDIS.address:
            services.forget(self.environment["REDIS_PREFIX"], redis_url=settings.REDIS.address)

    def get_json(self, path: str, **headers: str) -> tuple[int, dict[str, Any]]:
        """The status of what the web answers to a plain GET, and its JSON, if that is what it is."""
        try:
            query = urllib.request.Request(f"{self.url}{path}", headers=headers)
            answer = urllib.request.urlopen(query, timeout=PATIENCE)
        except urllib.error.HTTPError as refused:
            answer = refused
        with answer:
            is_json = answer.headers.get_content_type() == "application/json"
            return answer.status, json.load(answer) if is_json else {}

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `manage.py` on this room's database."""
        with TemporaryDirectory() as folder:
            out, errors = Path(folder, "out"), Path(folder, "errors")
            command = ["manage.py", *arguments]
            code = self._begin(command, environment=self.environment, out=str(out), errors=str(errors)).wait()
            return subprocess.CompletedProcess(command, code, out.read_text("utf-8"), errors.read_text("utf-8"))

    def log_path(self, role: str = "web") -> Path:
        return self.folder / f"{role}.log"

    def log(self, role: str = "web") -> str:
        return self.log_path(role).read_text("utf-8", "replace")

    def wait_for_log(self, words: str, role: str = "web") -> None:
        """Return once the process has written `words`; a fault if it ends or takes too long."""
        self._wait_until(lambda: words in self.log(role), role, f"never wrote {words!r}")

    def _end(self, role: str, signal_number: int) -> int:
        process = self._running.pop(role)
        process.send_signal(signal_number)
        return process.wait(PATIENCE)

    def _wait_until_it_answers(self, role: str, *, expect_well: bool) -> None:
        def answers() -> bool:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self._ports[role]}/healthz", timeout=5):
                    return True
            except urllib.error.HTTPError as answer:
                answer.close()
                return not expect_well
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                return False

        self._wait_until(answers, role, "did not come up")

    def _wait_until(self, is_so: Callable[[], bool], role: str, complaint: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            try:
                code = self._running[role].wait(0.05)
            except subprocess.TimeoutExpired:
                code = None
            if code is not None and not is_so():
                raise AssertionError(f"{role} ended with {code}:\n{self.log(role)}")
            if time.monotonic() > deadline:
                raise AssertionError(f"{role} {complaint}:\n{self.log(role)}")


def _by_command(
    arguments: Sequence[str], *, environment: Mapping[str, str], out: str, errors: str
) -> subprocess.Popen[bytes]:
    with open(out, "ab") as output, open(errors, "ab") as complaints:
        command = [sys.executable, *arguments]
        return subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=output, stderr=complaints)


@contextmanager
def empty_database(folder: Path, *, template: str | None = None) -> Iterator[str]:
    """The address of a new database of the kind this run is on, a copy of `template` if given; gone afterwards."""
    url = new_database(folder, template=template)
    try:
        yield url
    finally:
        drop_database(url)


@contextmanager
def own_room(folder: Path, template: str, **options: Any) -> Iterator[Room]:
    """A room on a database of its own, nothing started yet; it is cleared away after."""
    with empty_database(folder, template=template) as url:
        room = Room(folder, database_url=url, **options)
        try:
            yield room
        finally:
            room.close()


def new_database(folder: Path, *, template: str | None = None) -> str:
    """The same for a test that drops it itself; on SQLite it is a file in the folder."""
    name = f"room_{uuid.uuid4().hex[:12]}"
    if not settings.POSTGRESQL:
        path = folder / f"{name}.sqlite3"
        if template:
            shutil.copy(template.removeprefix("sqlite:///"), path)
        return f"sqlite:///{path}"
    create = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
    if template:
        create += sql.SQL(" TEMPLATE {}").format(sql.Identifier(urlsplit(template).path.strip("/")))
    _on_the_server(create)
    commit_early(name)
    return urlsplit(str(settings.POSTGRESQL.address))._replace(path=f"/{name}").geturl()


def commit_early(name: str) -> None:
    """Have commits to this database answered before they are on the disk: only a server that falls would lose one, and
    tests that kill a server have one of their own."""
    _on_the_server(sql.SQL("ALTER DATABASE {} SET synchronous_commit = off").format(sql.Identifier(name)))


def drop_database(url: str) -> None:
    """Take it away, even where something may still speak to it; a file goes with its folder."""
    if not url.startswith("sqlite"):
        _on_the_server(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(urlsplit(url).path.strip("/"))))


def _on_the_server(statement: sql.Composable) -> None:
    home = urlsplit(str(settings.POSTGRESQL.address))._replace(path="/postgres")
    with psycopg.connect(home.geturl(), autocommit=True) as connection:
        connection.execute(statement)
