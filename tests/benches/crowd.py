"""What readers of the lobby cost those who play, and spectators of a table its web process.

A real room: one web process with its own worker and beat, 224 open tables with a hand at each, players at four of them
who act as soon as they know what happened, and beside them no reader, then 16, 40 and 200 who open the lobby over HTTP
in a loop. The rates are measured in turns, with the bare commits of the database among them, so that a slow moment of
the machine falls on all. Players and readers are processes of their own, and take their share of the machine.
"""

from __future__ import annotations

from contextlib import ExitStack
from statistics import median, quantiles
from subprocess import PIPE, Popen
from typing import Any

from tests.benches import live, parts, spectators, temporary

TABLES, OPEN_TABLES = 4, 224
READERS = (0, 16, 40, 200)
ROUNDS = 3


def run(seconds: float = 36.0) -> dict[str, Any]:
    """Plays beside readers for ``seconds`` in all, then beside spectators for a third of that. ``play_alone``,
    ``play_beside_16`` and so on: actions a second, medians over the rounds; ``bare``: bare commits a second;
    ``beside``: by the number of readers how long players waited for what follows from an action, and what the readers
    had of it; of spectators see ``spectators.figures``."""
    load_before = temporary.load()
    report = _beside_readers(seconds)
    parts.note(f"plays one table without spectators, then with {spectators.SPECTATORS:,}")
    report |= spectators.figures(seconds / 3)
    return report | {"load_before": load_before, "load_after": temporary.load()}


def _beside_readers(seconds: float) -> dict[str, Any]:
    with ExitStack() as stack:
        environment = stack.enter_context(temporary.room("bench crowd", LOG_LEVEL="ERROR"))
        parts.note(f"lays out {OPEN_TABLES} tables")
        rows = parts.call(environment, live.lay_out, TABLES, live.SEATS, OPEN_TABLES - TABLES)
        port = live.start_web(stack, environment)
        players = live.start_players(stack, environment, port, rows[:TABLES])
        command = ("tests.benches.lobby_readers", str(port))
        readers = stack.enter_context(parts.running(environment, *command, stdin=PIPE, stdout=PIPE, text=True))
        bare, rounds = [live.bare_commits(environment)["rate"]], []
        for _ in range(ROUNDS):
            length = seconds / ROUNDS / len(READERS)
            rounds.append({count: play_beside(players, readers, count, length) for count in READERS})
            bare.append(live.bare_commits(environment)["rate"])
    return report_of(rounds, bare)


def play_beside(players: Popen[str], readers: Popen[str], count: int, seconds: float) -> dict[str, Any]:
    """What came of playing for so long beside so many readers."""
    parts.order(readers, count, step=f"lets {count} readers in")
    played = live.play(players, seconds)
    opened = parts.order(readers, 0, step="waits for the readers' last pages")
    return {"rate": len(played["times"]) / played["seconds"], "times": played["times"], "opened": opened}


def report_of(rounds: list[dict[int, dict[str, Any]]], bare: list[float]) -> dict[str, Any]:
    """The medians over the rounds; ``rounds``: what came of each, by the number of readers."""
    report: dict[str, Any] = {}
    beside = {}
    for count in READERS:
        several = [measured[count] for measured in rounds]
        cuts = quantiles(sorted(second for measured in several for second in measured["times"]), n=100)
        report[f"play_beside_{count}" if count else "play_alone"] = round(median(row["rate"] for row in several), 1)
        beside[str(count)] = {"p50_ms": round(cuts[49] * 1000, 1), "p99_ms": round(cuts[98] * 1000, 1)}
        if count:
            openings = [measured["opened"] for measured in several]
            beside[str(count)] |= {
                "openings_per_s": round(median(row["openings_per_s"] for row in openings), 1),
                "opening_p50_ms": round(median(row["p50_ms"] or 0.0 for row in openings), 1),
                "turned_away": sum(row["turned_away"] for row in openings),
                "opening_kb": max(row["kb"] or 0.0 for row in openings),
            }
    report["bare"] = round(median(bare), 1)
    return report | {"tables": TABLES, "open_tables": OPEN_TABLES, "beside": beside}
