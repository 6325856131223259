"""The live benchmark needs PostgreSQL, and says so; what it measures is looked at by hand."""

import pytest
from django.core.management import CommandError, call_command

from games.management.commands import bench


def test_the_live_benchmark_says_what_it_needs(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "sqlite:///room.sqlite3")
    with pytest.raises(CommandError, match="PostgreSQL"):
        call_command("bench", "live")


def test_a_benchmark_is_one_of_those_there_are():
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("bench", "everything")


@pytest.mark.parametrize("seconds", ["0", "-1", "100000"])
def test_a_benchmark_ends(seconds):
    with pytest.raises(CommandError, match="at most"):
        call_command("bench", "evaluate", f"--seconds={seconds}")


def test_what_was_measured_is_one_json_object_or_lines_for_people(monkeypatch, capsys):
    measured = {"seats": 8, "uniform": {"ratio": 5.5, "oracle": None}}
    monkeypatch.setattr("games.benches.engine.run", lambda seconds=1.0: measured)
    assert call_command("bench", "engine", "--json") is None
    assert call_command("bench", "engine", "--seconds=2") is None
    assert capsys.readouterr().out.splitlines() == [
        '{"seats": 8, "uniform": {"ratio": 5.5, "oracle": null}}',
        "seats: 8",
        "uniform:",
        "  ratio: 5.5",
        "  oracle: None",
    ]
    assert set(bench.benches()) == {"engine", "evaluate", "live", "room", "tournament"}
