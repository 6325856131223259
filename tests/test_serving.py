"""The room as processes, begun by their real commands (worker and beat apart in `make test-long`): does it come up, say
how it is, and go down in good order."""

import signal
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from django.core.management import call_command

from cardroom.management.commands import serve
from tests.support import tiers
from tests.support.room import Room, empty_database
from tests.support.waiting import soon

WELL = {"status": "ok", "database": "ok", "clockwork": "ok", "standing_still": 0}

SET_ALARM = """
from django.utils import timezone
from cardroom.core import alarms
alarms.set(kind="of-nobody", key="1", due_at=timezone.now(), fence=1)
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, _migrated_database: str) -> Iterator[str]:
    with empty_database(tmp_path_factory.mktemp("serving"), template=_migrated_database) as address:
        yield address


@pytest.fixture
def make_room(tmp_path, url: str) -> Iterator[Callable[..., Room]]:
    """`make_room()`: a room on the module's database, nothing started yet."""
    with ExitStack() as stack:

        def open_room(**options) -> Room:
            room = Room(tmp_path, database_url=url, **options)
            stack.callback(room.close)
            return room

        yield open_room


@pytest.mark.smoke
def test_a_room_alone_comes_up_with_its_worker_and_its_files_and_ends_in_good_order(make_room) -> None:
    room = make_room(by_command=True)
    room.start()

    soon(lambda: room.get_json("/healthz") == (200, WELL))
    assert f"Cardroom serves on {room.url}/" in room.log()
    assert "worker and beat run inside the web process" in room.log()
    with urllib.request.urlopen(f"{room.url}/static/admin/css/base.css") as answer:  # without `collectstatic`
        assert answer.headers["Content-Type"].startswith("text/css")
        assert b"body" in answer.read()
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{room.url}/static/no-such-file.js")
    assert room.stop() in {0, -signal.SIGTERM}
    assert "did not end" not in room.log()
    assert "Traceback" not in room.log()


@pytest.mark.redis
def test_worker_and_beat_apart_ring_the_alarms_of_a_web_that_says_who_is_there(make_room) -> None:
    web = make_room(is_apart=True)
    web.manage(
        "shell", "-c", f"from cardroom.core.models import Clockwork; Clockwork.objects.all().delete()\n{SET_ALARM}"
    )
    web.start()
    told = WELL | {"status": "impaired", "redis": "ok", "clockwork": "has not run yet"}
    assert web.get_json("/healthz") == (200, told)
    assert "inside the web process" not in web.log()

    room = make_room(is_apart=True, by_command=tiers.is_long())
    room.start("worker")
    room.start("beat")
    room.wait_for_log("alarm without a handler", "worker")
    assert (room.stop("beat"), room.stop("worker")) == (0, 0)


def test_a_taken_port_is_said_in_words(make_room) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        serve = make_room().manage("serve", "--host", "127.0.0.1", "--port", str(port))

    assert serve.returncode == 1
    assert f"Cannot listen on 127.0.0.1:{port}: Address already in use." in serve.stderr
    assert f"make run PORT={port + 1}" in serve.stderr
    assert "Traceback" not in serve.stderr


@pytest.mark.parametrize("demo", [True, False])
def test_the_demo_alone_lets_staff_in_without_a_second_factor(settings, monkeypatch, demo) -> None:
    settings.CARDROOM_STAFF_FACTOR = True
    monkeypatch.delenv("CARDROOM_STAFF_FACTOR", raising=False)
    monkeypatch.setattr(serve.Command, "_lay_out_demo", lambda command: "")
    monkeypatch.setattr(serve, "listen", lambda host, port: None)
    monkeypatch.setattr(serve.Server, "run", lambda server, sockets: None)
    call_command("serve", demo=demo)
    assert settings.CARDROOM_STAFF_FACTOR is not demo
