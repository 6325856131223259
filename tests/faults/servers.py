"""A Redis and a PostgreSQL of a test's own, to be killed without harm to anybody else's."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import redis

from tests.support import services
from tests.support.waiting import soon


class Server:
    """A server's process; what it has stored outlives it."""

    def __init__(self, command: list[str], *, folder: Path, answers: Callable[[], bool]) -> None:
        self.folder = folder
        self._command, self._answers = command, answers
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when it answers. PostgreSQL refuses to start while orphans of a killed one hold its memory, and is
        then started again."""

        def is_up() -> bool:
            if self._process is None or self._process.poll() is not None:
                with (self.folder / "server.log").open("ab") as log:
                    self._process = subprocess.Popen(self._command, cwd=self.folder, stdout=log, stderr=log)
            return self._answers()

        soon(is_up, lambda: f"{self._command} did not come up:\n{(self.folder / 'server.log').read_text('utf-8')}")

    def stop(self) -> None:
        """The end of it, in good order where that takes no time; a killed PostgreSQL would leave memory behind."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self.kill()

    def kill(self) -> None:
        """kill -9: no farewell, nothing flushed."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()


@contextmanager
def own_redis() -> Iterator[tuple[Server, str]]:
    """A Redis that keeps nothing, and its address."""
    port = services.free_port()
    url = f"redis://127.0.0.1:{port}/0"

    def answers() -> bool:
        with suppress(redis.RedisError), redis.Redis.from_url(url, socket_timeout=2) as client:
            return bool(client.ping())
        return False

    with _folder() as folder:
        command = [str(redis_server()), "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"]
        yield from _served(Server(command, folder=folder, answers=answers), url)


@contextmanager
def own_postgresql() -> Iterator[tuple[Server, str]]:
    """A cluster with an empty database, and the address of that."""
    port = services.free_port()
    url = f"postgres://cardroom@127.0.0.1:{port}/cardroom"

    def answers() -> bool:
        with suppress(psycopg.Error):
            psycopg.connect(_maintenance(url), connect_timeout=2).close()
            return True
        return False

    with _folder(owner="postgres" if os.geteuid() == 0 else None) as folder:
        home, data = postgresql_home(), str(folder / "data")
        initdb = [f"{home}/initdb", "--pgdata", data, "--username", "cardroom", "--auth", "trust", "--encoding", "UTF8"]
        made = subprocess.run(
            [*_as_owner(), *initdb, "--no-sync"], cwd=folder, capture_output=True, text=True, check=False
        )
        assert made.returncode == 0, made.stderr
        # What a killed process has written is the system's to keep: only a machine that falls needs `fsync`.
        options = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": "", "fsync": "off"}
        settings = [f"--{name}={value}" for name, value in options.items()]
        command = [*_as_owner(), f"{home}/postgres", "-D", data, *settings]
        for server, address in _served(Server(command, folder=folder, answers=answers), url):
            with psycopg.connect(_maintenance(url), autocommit=True) as connection:
                connection.execute("CREATE DATABASE cardroom")
            yield server, address


def copy_tables(source: str, *, to: str) -> None:
    """Everything that is in one database into an empty one, on whatever servers they are."""
    home = postgresql_home()
    dump = subprocess.run(
        [f"{home}/pg_dump", "--no-owner", "--no-privileges", source], capture_output=True, text=True, check=False
    )
    assert dump.returncode == 0, dump.stderr
    load = [f"{home}/psql", "--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", to]
    loaded = subprocess.run(load, input=dump.stdout, capture_output=True, text=True, check=False)
    assert loaded.returncode == 0, loaded.stderr


def redis_server() -> str | None:
    return shutil.which("redis-server")


def postgresql_home() -> Path | None:
    """The folder of the newest PostgreSQL's programs, where they can be run: never by the superuser of the machine."""
    if os.geteuid() == 0 and not _as_owner():
        return None
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if on_path := shutil.which("initdb"):
        found.append(Path(on_path).parent)
    return max(found, key=_version, default=None)


def _version(home: Path) -> float:
    with suppress(ValueError):
        return float(home.parent.name)
    return 0.0


def _as_owner() -> list[str]:
    """What to put before a command of PostgreSQL's; it becomes that command, so that its process is the server's."""
    if os.geteuid() != 0:
        return []
    setpriv = shutil.which("setpriv")
    is_there = setpriv and subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode == 0
    return [str(setpriv), "--reuid=postgres", "--regid=postgres", "--init-groups"] if is_there else []


def _maintenance(url: str) -> str:
    return f"{url.rpartition('/')[0]}/postgres"


@contextmanager
def _folder(owner: str | None = None) -> Iterator[Path]:
    # Not pytest's own: only its user may look into that.
    folder = Path(tempfile.mkdtemp(prefix="cardroom-"))
    try:
        if owner:
            shutil.chown(folder, owner, owner)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _served(server: Server, url: str) -> Iterator[tuple[Server, str]]:
    try:
        server.start()
        yield server, url
    finally:
        server.stop()
