"""The parts of the live benchmark that run in processes of their own, on its scratch database: ``python -m`` this.

``lay-out TABLES SEATS OTHERS`` migrates, opens tables, fills them and prints the logins; ``serve PORT`` is the web
process, counting its statements; ``bare SECONDS CONNECTIONS`` is the machine's own limit.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")

#: Nobody runs out of time or chips while the clients are told to wait.
PATIENCE_SECONDS = 3600
CHIPS = 1_000_000


def lay_out(tables: int, seats: int, others: int) -> list[dict[str, Any]]:
    """Open ``tables`` with ``seats`` players each, and ``others`` with two; who sits where, by session."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    return [_table(f"Bench {number}", seats if number <= tables else 2) for number in range(1, tables + others + 1)]


def _table(name: str, seats: int) -> dict[str, Any]:
    from django.db import transaction
    from django.utils import timezone

    from games.play import opening
    from games.play import seats as play_seats

    with transaction.atomic():
        table = opening.open_table(
            name=name,
            stakes=opening.Stakes(ante=1, bring_in=5, small_bet=15, big_bet=30),
            min_buy_in=300,
            max_buy_in=CHIPS,
            now=timezone.now(),
            act_seconds=PATIENCE_SECONDS,
            pause_seconds=0,
        )
    sessions = []
    for number in range(1, seats + 1):
        player, session = _player(f"{name} {number}")
        play_seats.sit(table_id=table.pk, player=player, number=number, buy_in=CHIPS, now=timezone.now())
        sessions.append(session)
    return {"table": table.pk, "sessions": sessions}


def _player(name: str) -> tuple[Any, str | None]:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.utils import timezone

    from cardroom.accounts import people
    from cardroom.accounts.sessions import SessionStore
    from cardroom.core.models import User

    user = User.objects.create(username=name.replace(" ", "-"), password="!")  # noqa: S106, it is none
    people.issue_play_money(user=user, amount=CHIPS, reference=f"bench:{user.pk}", reason="bench", now=timezone.now())
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return user, session.session_key


def bare(seconds: float, connections: int) -> dict[str, float]:
    """Lock a row, insert one, update the first, commit: how many a second the ORM does on so many connections, each
    with a row of its own, as each table of the room has."""
    from games.tables.models.tables import Table

    rows = list(Table.objects.order_by("pk").values_list("pk", flat=True)[:connections])
    ready = threading.Barrier(connections)
    used = time.process_time()
    with ThreadPoolExecutor(connections) as pool:
        rate = sum(pool.map(lambda pk: _commits(pk, seconds, ready), rows))
    return {"rate": rate, "cpu_ms": (time.process_time() - used) * 1000 / (rate * seconds)}


def _commits(pk: int, seconds: float, ready: threading.Barrier) -> float:
    from django.contrib.sessions.models import Session
    from django.db import transaction
    from django.utils import timezone

    from games.tables.models.tables import Table

    now = timezone.now()
    done = 0
    ready.wait()
    started = time.perf_counter()
    while (passed := time.perf_counter() - started) < seconds:
        with transaction.atomic():
            row = Table.objects.select_for_update(no_key=True, of=("self",)).get(pk=pk)
            key = f"bare-{pk}-{threading.get_ident()}-{done}-{now.timestamp()}"[:40]
            Session.objects.bulk_create([Session(session_key=key, session_data="x" * 500, expire_date=now)])
            row.people_waiting = done % 8
            row.save(update_fields=["people_waiting", "deal_at", "clocks"])
        done += 1
    return done / passed


class Counting:
    """The room's ASGI application; at ``/bench`` it tells how many statements its threads have sent, by their kind."""

    def __init__(self, application: Any) -> None:
        from django.db.backends.signals import connection_created

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
        told = {"statements": dict(self.statements), "rss_mb": _rss_mb(), "cpu_s": time.process_time()}
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(told).encode()})


def _rss_mb() -> float:
    status = Path("/proc/self/status").read_text("ascii")
    return round(int(status.partition("VmRSS:")[2].split()[0]) / 1024, 1)


def serve(port: int) -> None:
    import uvicorn
    from django.conf import settings
    from django.utils.module_loading import import_string

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


def main(role: str, *numbers: str) -> None:
    django.setup()
    if role == "lay-out":
        print(json.dumps(lay_out(*map(int, numbers))))  # noqa: T201
    elif role == "bare":
        print(json.dumps(bare(float(numbers[0]), int(numbers[1]))))  # noqa: T201
    elif role == "serve":
        serve(int(numbers[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
