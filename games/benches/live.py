"""How many actions a second one web process carries from socket to sockets, beside what its database could commit.

A real room: one uvicorn process with its own worker and beat, PostgreSQL, and a second process of players with a socket
for every seat. The two rates are measured in turns, so that a slow moment of the machine falls on both. Everything
happens in a scratch database on the server of ``DATABASE_URL``, which is dropped in the end, and on the loopback.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack
from statistics import median, quantiles
from typing import Any

from django.conf import settings

from cardroom.core.database import temporary

TABLES, SEATS, OPEN_TABLES = 24, 6, 200
#: Of the bare commits; as many as the room's own threads for such work.
CONNECTIONS = 8
ROUNDS = 4
_SCENE = {"tables": TABLES, "seats": SEATS, "open_tables": OPEN_TABLES, "bare_connections": CONNECTIONS}


def run(seconds: float = 24.0) -> dict[str, Any]:
    """Plays for ``seconds`` in all. Rates are medians over the rounds, times those of all actions; ``rss_mb`` is the
    web process's with 200 tables open, each with a hand and a socket for every player."""
    with ExitStack() as stack:
        environment = stack.enter_context(temporary.room("bench live"))
        rows = json.loads(_part(environment, "lay-out", TABLES, SEATS, OPEN_TABLES - TABLES))
        web = stack.enter_context(_Web(environment))
        players = stack.enter_context(_Players(environment, web.port))
        players.do(rows[:TABLES])
        players.do(1.0)  # what is worked out on first sight is not counted
        bare, rounds = [_bare(environment)], []
        for _ in range(ROUNDS):
            rounds.append(_round(web, players, seconds / ROUNDS))
            bare.append(_bare(environment))
        players.do(rows[TABLES:])
        return _report(rounds, bare) | {"rss_mb": web.told()["rss_mb"]} | _SCENE


def _round(web: _Web, players: _Players, seconds: float) -> dict[str, Any]:
    before = web.told()
    played = players.do(seconds)
    after = web.told()
    if played["refused"]:
        raise temporary.CannotRun(f"an action of the benchmark was refused: {played['refused'][0]}")
    sent = after["statements"].get("live", 0) - before["statements"].get("live", 0)
    return {**played, "statements": sent, "cpu_s": after["cpu_s"] - before["cpu_s"]}


def _report(rounds: list[dict[str, Any]], bare: list[dict[str, float]]) -> dict[str, Any]:
    rate = median(len(played["times"]) / played["seconds"] for played in rounds)
    bare_rate = median(measured["rate"] for measured in bare)
    actions = sum(played["all"] for played in rounds)
    cuts = quantiles(sorted(second for played in rounds for second in played["times"]), n=100)
    return {
        "actions_per_s": round(rate, 1),
        "p50_ms": round(cuts[49] * 1000, 2),
        "p99_ms": round(cuts[98] * 1000, 2),
        "bare_commits_per_s": round(bare_rate, 1),
        "ratio": round(rate / bare_rate, 3),
        "sql_per_action": round(sum(played["statements"] for played in rounds) / actions, 2),
        "cpu_ms_per_action": round(sum(played["cpu_s"] for played in rounds) * 1000 / actions, 3),
        "cpu_ms_per_bare_commit": round(median(measured["cpu_ms"] for measured in bare), 3),
        "hands": sum(played["hands"] for played in rounds),
    }


# -- the processes ---------------------------------------------------------------------------------------------------


def _command(module: str, *arguments: object) -> list[str]:
    return [sys.executable, "-m", f"games.benches.{module}", *map(str, arguments)]


def _part(environment: dict[str, str], *arguments: object) -> str:
    done = subprocess.run(  # noqa: S603, our own modules
        _command("live_room", *arguments),
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise temporary.CannotRun(f"a part of the benchmark failed ({arguments[0]}); what it said is above")
    return done.stdout


def _bare(environment: dict[str, str]) -> dict[str, float]:
    return json.loads(_part(environment, "bare", 2.0, CONNECTIONS))


class _Web:
    """The web process, on a free port of the loopback."""

    def __init__(self, environment: dict[str, str]) -> None:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        self._process = subprocess.Popen(  # noqa: S603, our own modules
            _command("live_room", "serve", self.port), cwd=settings.BASE_DIR, env=environment
        )

    def told(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/bench", timeout=10) as answer:
            return json.load(answer)

    def __enter__(self) -> _Web:
        for _ in range(300):
            if self._process.poll() is not None:
                break
            try:
                self.told()
            except OSError:
                time.sleep(0.1)
            else:
                return self
        self.__exit__()
        raise temporary.CannotRun("the web process did not come up")

    def __exit__(self, *error: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class _Players:
    """The process of the players: ``do`` a list of tables (sit down at them), or seconds (play)."""

    def __init__(self, environment: dict[str, str], port: int) -> None:
        self._process = subprocess.Popen(  # noqa: S603, our own modules
            _command("live_players", port),
            cwd=settings.BASE_DIR,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def do(self, order: object) -> Any:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps(order) + "\n")
        stdin.flush()
        answer = stdout.readline()
        if not answer:
            raise temporary.CannotRun("the players' process ended before its time")
        return json.loads(answer)

    def __enter__(self) -> _Players:
        return self

    def __exit__(self, *error: object) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
