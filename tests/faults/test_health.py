"""What the room says of itself while its processes stand still. What passes is written back in the row."""

from datetime import timedelta

import pytest
from django.utils import timezone

from cardroom.core.models import Clockwork
from tests.support.room import Room
from tests.support.waiting import soon

pytestmark = [pytest.mark.postgres, pytest.mark.redis]


def test_frozen_clockwork_is_told_apart_from_a_room_in_which_nobody_can_play(room_apart: Room) -> None:
    soon(lambda: room_apart.asked("/healthz")[1]["status"] == "ok", "the clockwork never ran")
    room_apart.freeze("worker")
    try:
        Clockwork.objects.update(at=timezone.now() - timedelta(minutes=1))
        soon(lambda: room_apart.asked("/healthz/clockwork")[0] == 503)
        status, told = room_apart.asked("/healthz")
        assert (status, told["status"], told["database"], told["redis"]) == (200, "impaired", "ok", "ok")
        assert told["clockwork"].startswith("late by ")
        assert room_apart.asked("/healthz/live") == (200, {"status": "ok"})
    finally:
        room_apart.go_on("worker")
    soon(lambda: room_apart.asked("/healthz/clockwork") == (200, {"status": "ok"}))


def test_a_probe_reaches_a_process_by_any_name(room_apart: Room) -> None:
    for path in ("/healthz", "/healthz/live", "/healthz/clockwork"):
        soon(lambda path=path: room_apart.asked(path, Host="10.1.2.3:8000")[0] == 200, path)
