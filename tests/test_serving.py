"""The room as a process: does it come up, say how it is, and go down in good order."""

import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable

import pytest

from tests.support.room import PROJECT, Room


def test_a_room_comes_up_and_says_that_it_is_well(open_room: Callable[..., Room]) -> None:
    room = open_room()
    room.start()

    with urllib.request.urlopen(f"{room.url}/healthz") as answer:
        assert json.load(answer) == {"status": "ok", "database": "ok"}
    assert f"Cardroom serves on {room.url}/" in room.log()


def test_a_room_alone_runs_its_worker_and_ends_in_good_order(open_room: Callable[..., Room]) -> None:
    room = open_room()
    room.start()

    assert "worker and beat run inside the web process" in room.log()
    assert room.stop() in {0, -signal.SIGTERM}
    assert "did not end" not in room.log()
    assert "Traceback" not in room.log()


@pytest.mark.redis
def test_a_room_of_several_processes_says_that_redis_is_well(open_room: Callable[..., Room]) -> None:
    room = open_room(is_apart=True)
    room.start()

    with urllib.request.urlopen(f"{room.url}/healthz") as answer:
        assert json.load(answer) == {"status": "ok", "database": "ok", "redis": "ok"}
    assert "inside the web process" not in room.log()


SET_ALARM = """
from django.utils import timezone
from cardroom.services import alarms
alarms.set(kind="of-nobody", key="1", due_at=timezone.now(), fence=1)
"""


def test_an_alarm_set_before_the_web_was_killed_rings_after_its_restart(open_room: Callable[..., Room]) -> None:
    room = open_room()
    room.start()
    room.kill()
    assert room.manage("shell", "-c", SET_ALARM).returncode == 0
    room.start()

    room.wait_for_log("alarm without a handler")


@pytest.mark.redis
def test_worker_and_beat_apart_ring_the_alarms(open_room: Callable[..., Room]) -> None:
    room = open_room(is_apart=True)
    assert room.manage("shell", "-c", SET_ALARM).returncode == 0
    room.start("worker")
    room.start("beat")

    room.wait_for_log("alarm without a handler", "worker")
    assert room.stop("beat") == 0
    assert room.stop("worker") == 0


def test_a_room_whose_redis_is_gone_says_so(open_room: Callable[..., Room]) -> None:
    room = open_room(REDIS_URL="redis://127.0.0.1:1/0", CARDROOM_EMBEDDED="false")
    room.start(expect_well=False)

    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{room.url}/healthz")
    assert refused.value.code == 503
    assert json.load(refused.value) == {"status": "down", "database": "ok", "redis": "does not answer"}


def test_a_taken_port_is_said_in_words() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        serve = subprocess.run(
            [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(port)],
            cwd=PROJECT,
            capture_output=True,
            text=True,
            check=False,
        )

    assert serve.returncode == 1
    assert f"Cannot listen on 127.0.0.1:{port}: Address already in use." in serve.stderr
    assert f"make run PORT={port + 1}" in serve.stderr
    assert "Traceback" not in serve.stderr


def test_static_files_are_served_without_debug_and_without_collecting_them(open_room: Callable[..., Room]) -> None:
    room = open_room()
    room.start()

    with urllib.request.urlopen(f"{room.url}/static/admin/css/base.css") as answer:
        assert answer.headers["Content-Type"].startswith("text/css")
        assert b"body" in answer.read()
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{room.url}/static/no-such-file.js")
