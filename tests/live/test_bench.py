"""Benchmarks say why they cannot run, and their parts measure what they say; the figures are looked at by hand."""

import os
from contextlib import ExitStack
from datetime import timedelta
from subprocess import PIPE
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from games.management.commands import bench
from games.play import receivers
from games.tables.models.tables import Table
from tests.benches import clocks, crowd, live, parts, storage
from tests.support.database import speaking_to
from tests.support.serving import served_here


@pytest.mark.parametrize(("asked", "words"), [
    *(([name], "PostgreSQL") for name in ("crowd", "live", "storage")),
    (["clocks"], "REDIS_URL|PostgreSQL"),
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
    names = {"bots", "clocks", "crowd", "engine", "evaluate", "live", "room", "storage", "tournament"}
    assert set(bench.benches()) == names


@pytest.fixture
def migrated(monkeypatch):
    """The suite's own database has every table already."""
    for module in (live, clocks):
        monkeypatch.setattr(module, "call_command", lambda *arguments, **options: None)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_what_a_hand_writes_is_counted_by_hand_and_by_action(migrated):
    storage.lay_out(1, 3)
    before = storage.sizes()
    played = storage.play(2)
    report = storage.compare(before, storage.sizes(), played)
    assert report["hands"] == 2
    assert report["kb_per_hand"] >= 0, "two hands may fit where earlier rows left room"
    assert played["facts"] > played["actions"] > 4
    assert storage.oldest_transaction() >= 0
    after = {"play": [16384, 0, 40, 30], "hand": [4096, 2, 0, 0], "fact": [20480, 130, 0, 0], "other": [4096, 1, 1, 0]}
    report = storage.compare({"other": [4096, 1, 0, 0]}, after, {"hands": 2, "actions": 40, "facts": 130})
    assert report["kb_by_table"] == {"fact": 10.0, "hand": 2.0}
    assert (report["kb_per_hand"], report["kb_of_updates"], report["hot_share"]) == (12.0, 8.0, 0.75)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_lateness_of_clocks_and_turns_of_bots_are_read_off_the_facts(migrated):
    since = timezone.now()
    clocks.lay_out_people(1)
    assert clocks.let_play(clocks.lay_out_bots(1)) == 1
    people, bots = Table.objects.order_by("bots")
    wake(people, 0)
    for late_ms in (100, 300):
        wake(people, late_ms)
    for _ in range(3):
        wake(bots, 0)
    until = since + timedelta(minutes=1)
    report = clocks.look(since.isoformat(), until.isoformat())
    assert (report["time_outs"], report["people_p50_ms"], report["bot_turns_per_s"]) == (2, 200, 0.1)
    assert report["people_p99_ms"] >= 300
    assert clocks.look(until.isoformat(), (until + timedelta(minutes=1)).isoformat())["time_outs"] == 0


def wake(table, late_ms):
    """The table's alarm rings, so late."""
    row = Table.objects.get(pk=table.pk)
    assert receivers.wake(table_id=row.pk, fence=row.version, now=row.wake_at + timedelta(milliseconds=late_ms))


@pytest.fixture
def own_database(open_room, django_db_blocker):
    """A migrated database that goes with all connections to it: threads that serve keep some."""
    with django_db_blocker.unblock(), speaking_to(open_room().environment["DATABASE_URL"]):
        yield


@pytest.mark.postgres
def test_players_and_readers_of_the_crowd_are_counted_side_by_side(migrated, own_database):
    rows = live.lay_out(1, 2, 0)
    wake(Table.objects.get(), 0)
    with served_here() as room, ExitStack() as stack:
        port = urlsplit(room.url).port
        players = live.start_players(stack, os.environ, port, rows)
        command = ("tests.benches.lobby_readers", str(port))
        readers = stack.enter_context(parts.running(os.environ, *command, stdin=PIPE, stdout=PIPE, text=True))
        wake(Table.objects.get(), 0)
        measured = crowd.play_beside(players, readers, 2, 0.5)
    report = crowd.report_of([dict.fromkeys(crowd.READERS, measured)], [live.commit(0.1, 1)["rate"]])
    assert 0 not in [report[name] for name in ("play_alone", "play_beside_16", "play_beside_200", "bare")]
    assert (report["beside"]["40"]["openings_per_s"] > 0, report["beside"]["40"]["turned_away"]) == (True, 0)
