"""What spectators of a table cost its web process: a real room with one table of six that play as fast as they are told
what happens, without spectators and with 1,000 that are not logged in."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack
from statistics import quantiles
from subprocess import PIPE, Popen
from typing import Any

from tests.benches import live, parts, temporary

SPECTATORS = 1_000


def figures(seconds: float = 12.0) -> dict[str, float]:
    """Plays for ``seconds`` in all, half of them without spectators. ``spectators_0_ms`` and ``spectators_1000_ms``:
    CPU time of the web process an action; ``kb_per_socket``: by how much a spectator's socket makes it larger;
    ``messages_per_spectator``: of those that an action leads to, as what happens quickly may go into one; and how long
    the players waited for what follows from an action. Raises ``CannotRun``."""
    with ExitStack() as stack:
        environment = stack.enter_context(
            temporary.room("bench crowd", CARDROOM_SOCKETS="0", CARDROOM_SOCKETS_ANONYMOUS="0")
        )
        rows = parts.call(environment, live.lay_out, 1, live.SEATS, 0)
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        live._wait_for(stack.enter_context(parts.running(environment, *parts.of(live.serve, port))), port)
        pipes: dict[str, Any] = {"stdin": PIPE, "stdout": PIPE, "text": True}
        command = ("tests.benches.live_players", str(port))
        players = stack.enter_context(parts.running(environment, *command, **pipes))
        command = ("tests.benches.spectator_sockets", str(port), str(rows[0]["table"]))
        spectators = stack.enter_context(parts.running(environment, *command, **pipes))
        _order(players, rows)
        _order(players, 1.0)  # what is worked out on first sight is not counted
        alone = _play(port, players, spectators, seconds / 2)
        before = live._told(port)
        _order(spectators, SPECTATORS)
        after = live._told(port)
        watched = _play(port, players, spectators, seconds / 2)
        return {
            "spectators_0_ms": alone["cpu_ms"],
            "spectators_1000_ms": watched["cpu_ms"],
            "kb_per_socket": round((after["rss_mb"] - before["rss_mb"]) * 1024 / SPECTATORS, 1),
            "connecting_ms": round((after["cpu_s"] - before["cpu_s"]) * 1000 / SPECTATORS, 2),
            "messages_per_spectator": round(watched["messages"] / SPECTATORS / watched["actions"], 2),
            "bytes_per_action": round(watched["bytes"] / SPECTATORS / watched["actions"]),
            "actions_per_s_0": alone["actions_per_s"],
            "actions_per_s_1000": watched["actions_per_s"],
            "p50_0_ms": alone["p50_ms"],
            "p50_1000_ms": watched["p50_ms"],
            "p99_0_ms": alone["p99_ms"],
            "p99_1000_ms": watched["p99_ms"],
        }


def _play(port: int, players: Popen[str], spectators: Popen[str], seconds: float) -> dict[str, Any]:
    """What an action cost while the players played for so long."""
    before, played, after = live._told(port), _order(players, seconds), live._told(port)
    if played["refused"]:
        raise temporary.CannotRun(f"an action of the benchmark was refused: {played['refused'][0]}")
    cuts = quantiles(sorted(played["times"]), n=100)
    return {
        **_order(spectators, 0),
        "actions": played["all"],
        "actions_per_s": round(len(played["times"]) / played["seconds"], 1),
        "cpu_ms": round((after["cpu_s"] - before["cpu_s"]) * 1000 / played["all"], 2),
        "p50_ms": round(cuts[49] * 1000, 1),
        "p99_ms": round(cuts[98] * 1000, 1),
    }


def _order(process: Popen[str], order: object) -> Any:
    """Give a part of the benchmark an order; its answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(order) + "\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise temporary.CannotRun("a part of the benchmark ended before its time; what it printed is above")
    return json.loads(answer)
