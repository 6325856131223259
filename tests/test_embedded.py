"""Worker and beat as threads: alarms ring without a broker, and the threads end when the web process does."""

import threading
from datetime import timedelta

import pytest
from celery import shared_task
from django.utils import timezone

from cardroom import embedded
from cardroom.core import alarms

rung: list[tuple[str, str, int]] = []
has_rung = threading.Event()


@shared_task(name="tests.knock")
def knock(kind: str, key: str, fence: int) -> None:
    rung.append((kind, key, fence))
    alarms.done(kind=kind, key=key, fence=fence)
    has_rung.set()


@pytest.mark.smoke
@pytest.mark.django_db(transaction=True)
def test_an_alarm_that_is_due_rings_by_itself_and_worker_and_beat_end_when_told_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(alarms.handlers, "knock", "tests.knock")
    before = set(threading.enumerate())
    both = embedded.Embedded()
    both.start()
    try:
        alarms.set(kind="knock", key="7", due_at=timezone.now() + timedelta(milliseconds=300), fence=3)
        assert has_rung.wait(60)
        assert rung == [("knock", "7", 3)]
    finally:
        both.stop()
    names = {thread.name for thread in set(threading.enumerate()) - before}
    assert not {name for name in names if name.startswith("embedded")}
