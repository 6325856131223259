"""The watchdog over events: what stands still is told to directors, counted for operators and named by the audit."""

from datetime import timedelta

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from cardroom.realtime import health as health_checks
from games.play import event_seats
from tests.support.models import Alarm, Notice, Table, TablePlay
from tests.support.online import QUICK, OnlineEvent
from tests.support.parts.cardroom import core_audit, watchdog
from tests.support.parts.event_rules import Level, Pause, Structure
from tests.support.worlds import world


@world
def event():
    """Two tables between two hands, and their alarms."""
    rest = Structure((QUICK.levels[0], Level(kind="break", minutes=5), *QUICK.levels[1:]))
    return OnlineEvent(4, seats=2, structure=rest, starting_stack=40_000, options={"pause_seconds": 30}).start()


def stalls_found():
    return [stall.what for of_kind in watchdog.find_stalls().values() for stall in of_kind]


def hold(*tables, now):
    """As a director who forgets them."""
    with transaction.atomic():
        event_seats.hold(table_ids=[table.pk for table in tables], now=now)


def test_tables_that_wait_for_one_another_are_told_to_the_directors_once(event, client, settings, monkeypatch):
    assert stalls_found() == core_audit.check() == []
    hold(*event.tables.values(), now=event.now)
    (what,) = stalls_found()
    assert f"event {event.pk}" in what
    assert core_audit.check() == [f"nothing stands still: {what}"]
    assert (watchdog.tell_staff(now=event.now), watchdog.tell_staff(now=event.now)) == (1, 1)
    notice = Notice.objects.get(kind="stands-still")
    assert (notice.player, notice.text) == (event.director, what)
    settings.METRICS_TOKEN = "sesame"
    # Counted anew every five seconds: both ask in the same ones.
    monkeypatch.setattr(health_checks, "_COUNTED_EVERY", float("inf"))
    health_checks._standing_still.cache_clear()
    health = client.get("/healthz")
    assert (health.status_code, health.json()["standing_still"]) == (200, 1)
    with CaptureQueriesContext(connection) as asked:
        assert client.get("/healthz").json() == health.json()
    assert len(asked) <= 2, "asking again costs the database next to nothing"
    metrics = client.get("/metrics", headers={"authorization": "Bearer sesame"}).content
    assert b'cardroom_standing_still{kind="event"} 1.0' in metrics


def test_a_table_held_back_for_nothing_is_reported_as_a_stall(event):
    event.play_on(lambda event: event.tables[1].hand_id or event.tables[2].hand_id)
    idle = next(table for table in event.tables.values() if not table.hand_id)
    hold(idle, now=event.now)
    assert f"holds {idle.name} back for nothing" in stalls_found()[0]
    TablePlay.objects.filter(table__event=event.row.unit).update(hand=None, wake_at=None)
    Table.objects.filter(event=event.row.unit).update(state=Table.State.CLOSED)
    assert "runs, and has no table" in stalls_found()[0]


def test_a_break_a_pause_and_hand_for_hand_are_no_stall(event):
    event.play_until(event.row.started_at + timedelta(minutes=3))
    assert ({table.wake_at for table in event.tables.values()}, stalls_found()) == ({None}, [])
    Alarm.objects.filter(kind="tournament").delete()
    assert "its alarm is not set" in stalls_found()[0], "nothing would end the break"
    paused = OnlineEvent(4, seats=2).start()
    paused.play(Pause())
    paused.play_on(lambda event: not event.due())
    assert len(stalls_found()) == 1
