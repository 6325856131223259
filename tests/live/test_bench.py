"""The live benchmark needs PostgreSQL, and says so; what it measures is looked at by hand."""

import pytest
from django.core.management import CommandError, call_command

from games.management.commands import bench


@pytest.mark.parametrize(("asked", "words"), [
    (["live"], "PostgreSQL"),
    (["everything"], "invalid choice"),
    *((["evaluate", f"--seconds={seconds}"], "at most") for seconds in (0, -1, 100_000)),
])  # fmt: skip
def test_a_benchmark_that_cannot_be_made_says_why(monkeypatch, asked, words):
    monkeypatch.setenv("DATABASE_URL", "sqlite:///room.sqlite3")
    with pytest.raises(CommandError, match=words):
        call_command("bench", *asked)


def test_what_was_measured_is_one_json_object_or_lines_for_people(monkeypatch, capsys):
    measured = {"seats": 8, "uniform": {"ratio": 5.5, "oracle": None}}
    monkeypatch.setattr("tests.benches.engine.run", lambda seconds=1.0: measured)
    assert call_command("bench", "engine", "--json") is None
    assert call_command("bench", "engine", "--seconds=2") is None
    assert capsys.readouterr().out.splitlines() == [
        '{"seats": 8, "uniform": {"ratio": 5.5, "oracle": null}}', "seats: 8", "uniform:", "  ratio: 5.5",
        "  oracle: None",
    ]  # fmt: skip
    assert set(bench.benches()) == {"bots", "engine", "evaluate", "live", "room", "tournament"}
