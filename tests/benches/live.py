"""How many actions a second one web process carries from socket to sockets, beside what its database could commit.

A real room: one uvicorn process with its own worker and beat, PostgreSQL, and a second process of players with a socket
for every seat. The two rates are measured in turns, so that a slow moment of the machine falls on both. Everything
happens in a scratch database on the server of ``DATABASE_URL``, which is dropped in the end, and on the loopback.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from subprocess import PIPE, Popen
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection, transaction
from django.db.backends.signals import connection_created
from django.utils import timezone
from django.utils.module_loading import import_string

from cardroom.accounts import people
from cardroom.accounts.sessions import SessionStore
from cardroom.core.models import User
from games.play import opening
from games.play import seats as play_seats
from games.tables.models.tables import Table
from tests.benches import parts, temporary

TABLES, SEATS, OPEN_TABLES = 24, 6, 200
#: Of the bare commits; as many as the room's own threads for such work.
CONNECTIONS = 8
ROUNDS = 4
_SCENE = {"tables": TABLES, "seats": SEATS, "open_tables": OPEN_TABLES, "bare_connections": CONNECTIONS}
#: Nobody runs out of time or chips while the clients are told to wait.
PATIENCE_SECONDS = 3600
CHIPS = 1_000_000


def run(seconds: float = 24.0) -> dict[str, Any]:
    """Plays for ``seconds`` in all. Rates are medians over the rounds, times those of all actions; ``rss_mb`` is the
    web process's with 200 tables open, each with a hand and a socket for every player."""
    load_before = temporary.load()
    with ExitStack() as stack:
        environment = stack.enter_context(temporary.room("bench live"))
        parts.note(f"lays out {OPEN_TABLES} tables")
        rows = parts.call(environment, lay_out, TABLES, SEATS, OPEN_TABLES - TABLES)
        port = start_web(stack, environment)
        players = start_players(stack, environment, port, rows[:TABLES])
        bare, rounds = [bare_commits(environment)], []
        for _ in range(ROUNDS):
            rounds.append(_round(port, players, seconds / ROUNDS))
            bare.append(bare_commits(environment))
        sit_down(players, rows[TABLES:])
        report = _report(rounds, bare) | {"rss_mb": _told(port)["rss_mb"]} | _SCENE
        return report | {"load_before": load_before, "load_after": temporary.load()}


def start_web(stack: ExitStack, environment: Mapping[str, str]) -> int:
    """A web process of this room, which ends with the stack; its port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    parts.note("starts the web process")
    _wait_for(stack.enter_context(parts.running(environment, *parts.of(serve, port))), port)
    return port


def start_players(
    stack: ExitStack, environment: Mapping[str, str], port: int, rows: list[dict[str, Any]]
) -> Popen[str]:
    """The process of the players, at these tables, who have played for a moment; it ends with the stack."""
    command = ("tests.benches.live_players", str(port))
    players = stack.enter_context(parts.running(environment, *command, stdin=PIPE, stdout=PIPE, text=True))
    sit_down(players, rows)
    parts.order(players, 1.0, step="plays for a moment: what is worked out on first sight is not counted")
    return players


def sit_down(players: Popen[str], rows: list[dict[str, Any]]) -> None:
    sockets = sum(len(row["sessions"]) for row in rows)
    parts.order(players, rows, step=f"opens {sockets} sockets at {len(rows)} tables", seconds=300)


def bare_commits(environment: Mapping[str, str]) -> dict[str, float]:
    """What the database could commit, see ``commit``."""
    parts.note("commits without a room")
    measured: dict[str, float] = parts.call(environment, commit, 2.0, CONNECTIONS)
    return measured


def play(players: Popen[str], seconds: float) -> dict[str, Any]:
    """What came of playing for so long. Raises ``CannotRun`` where an action was refused."""
    played: dict[str, Any] = parts.order(players, seconds, step=f"plays for {seconds:.0f} s", seconds=seconds + 120)
    if played["refused"]:
        raise temporary.CannotRun(f"an action of the benchmark was refused: {played['refused'][0]}")
    return played


def _round(port: int, players: Popen[str], seconds: float) -> dict[str, Any]:
    before, played, after = _told(port), play(players, seconds), _told(port)
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


def _wait_for(web: Popen[str], port: int) -> None:
    for _ in range(900):
        if web.poll() is not None:
            break
        try:
            _told(port)
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise temporary.CannotRun("the web process did not come up")


def _told(port: int) -> dict[str, Any]:
    """What the web process says of itself."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/bench", timeout=30) as answer:
        return json.load(answer)


def lay_out(tables: int, seats: int, others: int) -> list[dict[str, Any]]:
    """Open ``tables`` with ``seats`` players each, and ``others`` with two; who sits where, by session."""
    call_command("migrate", verbosity=0, interactive=False)
    return [_table(f"Bench {number}", seats if number <= tables else 2) for number in range(1, tables + others + 1)]


@transaction.atomic  # one wait for the disk a table
def _table(name: str, seats: int) -> dict[str, Any]:
    table = opening.open_table(
        name=name,
        stakes=opening.TableStakes(ante=1, bring_in=5, small_bet=15, big_bet=30),
        min_buy_in=300,
        max_buy_in=CHIPS,
        now=timezone.now(),
        act_seconds=PATIENCE_SECONDS,
        pause_seconds=0,
    )
    sessions = []
    for number in range(1, seats + 1):
        user, session = player(f"{name} {number}")
        play_seats.sit(table_id=table.pk, by=user, number=number, buy_in=CHIPS, now=timezone.now())
        sessions.append(session)
    return {"table": table.pk, "sessions": sessions}


def player(name: str) -> tuple[User, str | None]:
    """A player with chips, and the key of a session of theirs."""
    name = name.replace(" ", "-")
    user = User.objects.create(username=name, password="!", email=f"{name}@bench.invalid")
    people.issue_play_money(user=user, amount=CHIPS, reference=f"bench:{user.pk}", reason="bench", now=timezone.now())
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return user, session.session_key


def commit(seconds: float, connections: int) -> dict[str, float]:
    """Lock a table's row, insert one, update the table's play row, commit: how many a second the ORM does on so many
    connections, each with a table of its own."""
    rows = list(Table.objects.order_by("pk").values_list("pk", flat=True)[:connections])
    ready = threading.Barrier(connections)
    used = time.process_time()
    with ThreadPoolExecutor(connections) as pool:
        rate = sum(pool.map(lambda pk: _commits(pk, seconds, ready), rows))
    return {"rate": rate, "cpu_ms": (time.process_time() - used) * 1000 / (rate * seconds)}


def _commits(pk: int, seconds: float, ready: threading.Barrier) -> float:
    now = timezone.now()
    done = 0
    connection.ensure_connection()
    ready.wait()
    started = time.perf_counter()
    while (passed := time.perf_counter() - started) < seconds:
        with transaction.atomic():
            row = Table.objects.select_for_update(no_key=True, of=("self",)).get(pk=pk)
            key = f"bare-{pk}-{threading.get_ident()}-{done}-{now.timestamp()}"[:40]
            Session.objects.bulk_create([Session(session_key=key, session_data="x" * 500, expire_date=now)])
            row.people_waiting = done % 8
            row.play.save(update_fields=["people_waiting", "deal_at", "clocks"])
        done += 1
    connection.close()
    return done / passed


class Counting:
    """The room's ASGI application; at ``/bench`` it tells how many statements its threads have sent, by their kind."""

    def __init__(self, application: Any) -> None:
        self.application = application
        self.statements: Counter[str] = Counter()
        connection_created.connect(self._count, weak=False)

    def _count(self, connection: Any, **more: Any) -> None:
        if self._counted not in connection.execute_wrappers:
            connection.execute_wrappers.append(self._counted)

    def _counted(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.statements[threading.current_thread().name.partition("_")[0]] += 1
        return execute(sql, params, many, context)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"] != "/bench":
            await self.application(scope, receive, send)
            return
        kilobytes = int(Path("/proc/self/status").read_text("ascii").partition("VmRSS:")[2].split()[0])
        told = {"statements": dict(self.statements), "rss_mb": round(kilobytes / 1024, 1)}
        told["cpu_s"] = time.process_time()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(told).encode()})


def serve(port: int) -> None:
    import uvicorn

    # A busy room turns readers away; they are counted where that is measured.
    logging.getLogger("django.request").setLevel(logging.ERROR)
    uvicorn.run(
        Counting(import_string(settings.ASGI_APPLICATION)),
        port=port,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        lifespan="on",
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=5,
    )
