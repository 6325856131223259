"""Heavy work: at a gate, without a database connection, and not too often."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from allauth.core import context
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.test import RequestFactory

from cardroom.core.errors import Busy, TooMany
from cardroom.core.web import drawn, heavy
from tests.support.models import User
from tests.support.refusals import refused
from tests.support.waiting import soon


@pytest.fixture(autouse=True)
def _nobody_was_counted() -> None:
    cache.clear()


@contextmanager
def until_the_end() -> Iterator[threading.Event]:
    """Set when the block ends, however it does: nothing waits for it any longer."""
    event = threading.Event()
    try:
        yield event
    finally:
        event.set()


@contextmanager
def full(gate: heavy.Gate) -> Iterator[None]:
    """Somebody is at work at the one place of the gate, until the block ends."""

    def heavily() -> None:
        with gate.passed():
            stopped.wait()

    with ThreadPoolExecutor(1) as pool, until_the_end() as stopped:
        work = pool.submit(heavily)
        soon(lambda: gate._places._value == 0)
        yield
    work.result(30)


def test_more_than_the_gate_holds_are_told_to_try_again():
    gate = heavy.Gate(places=2, queue=3, patience=3_600)
    begun = threading.Semaphore(0)

    def heavily() -> None:
        with gate.passed():
            begun.release()
            stopped.wait()

    with ThreadPoolExecutor(6) as pool, until_the_end() as stopped:
        works = [pool.submit(heavily) for _ in range(5)]
        assert begun.acquire(timeout=30)
        assert begun.acquire(timeout=30)
        soon(lambda: gate._queue._value == 0)
        assert not begun.acquire(blocking=False), "the third waits for a place"
        one_more = pool.submit(heavily)
        assert refused(Busy, "has much to do", one_more.result, 30).retry_after == 2
    for work in works:
        work.result(30)
    with gate.passed():
        pass


def test_nobody_waits_at_the_gate_for_ever():
    gate = heavy.Gate(places=1, queue=3, patience=0.01)
    with full(gate), pytest.raises(Busy), gate.passed():
        pass


def test_work_within_work_passes_the_gate_once():
    gate = heavy.Gate(places=1, queue=0, patience=0.01)
    with gate.passed(), gate.passed():
        pass


@pytest.mark.django_db(transaction=True)
def test_the_connection_goes_back_before_the_work_begins():
    assert User.objects.count() == 0
    assert connection.connection is not None
    assert heavy.work(lambda: connection.connection) is None


@pytest.mark.django_db
def test_a_transaction_keeps_its_connection_and_never_waits():
    gate = heavy.Gate(places=1, queue=3, patience=3_600)
    with full(gate), pytest.raises(Busy), gate.passed():
        pass
    assert connection.connection is not None


def asked_by(user, address: str, times: int) -> int:
    """How often they may, of so many times at once."""
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    request.user = user
    with context.request_context(request):
        for time in range(times):
            try:
                heavy.work(int)
            except TooMany:
                return time
    return times


def test_a_person_and_an_address_may_ask_for_so_much_a_minute(monkeypatch):
    monkeypatch.setattr(heavy, "PER_PERSON", "3/min")
    monkeypatch.setattr(heavy, "PER_ADDRESS", "5/min")
    ann, bob, cora = (User(pk=number, username=f"player{number}") for number in range(3))
    assert asked_by(ann, "192.0.2.1", 9) == 3
    assert asked_by(bob, "192.0.2.1", 9) == 2, "all that one address may"
    assert asked_by(cora, "192.0.2.2", 9) == 3
    assert asked_by(AnonymousUser(), "192.0.2.1", 9) == 3
    assert asked_by(AnonymousUser(), "2001:db8::1", 2) == 2
    assert asked_by(AnonymousUser(), "2001:db8::2", 9) == 1, "one network is one address"


def test_a_picture_is_drawn_once_for_all_who_ask_meanwhile(settings, tmp_path, monkeypatch):
    settings.CARDROOM_DRAWN_ROOT = tmp_path
    draws, waiting = [], []
    monkeypatch.setattr(
        heavy, "give_back", lambda: waiting.append(1) or True
    )  # a request that draws, or waits for a picture

    def draw() -> bytes:
        draws.append(1)
        stopped.wait()
        return b"picture"

    with ThreadPoolExecutor(8) as pool, until_the_end() as stopped:
        answers = [pool.submit(drawn.once, "0a", draw) for _ in range(8)]
        soon(lambda: draws and len(waiting) == 8)
    assert {answer.result(30) for answer in answers} == {b"picture"}
    assert drawn.once("0a", lambda: pytest.fail("drawn again")) == b"picture"
    assert len(draws) == 1


def test_the_oldest_pictures_go_where_there_is_no_room_for_more(settings, tmp_path, monkeypatch):
    settings.CARDROOM_DRAWN_ROOT = tmp_path
    monkeypatch.setattr(drawn, "MOST_BYTES", 25)
    for number in range(5):
        assert drawn.once(f"{number}", lambda: b"ten bytes.") == b"ten bytes."
    assert len(list(tmp_path.iterdir())) == 2


def test_a_picture_that_cannot_be_kept_is_drawn_all_the_same(settings, tmp_path):
    (tmp_path / "file").write_text("no folder")
    settings.CARDROOM_DRAWN_ROOT = tmp_path / "file" / "drawn"
    assert [drawn.once("0a", lambda: b"picture") for _ in range(2)] == [b"picture"] * 2


def test_a_picture_that_failed_is_drawn_anew(settings, tmp_path):
    settings.CARDROOM_DRAWN_ROOT = tmp_path

    def fail() -> bytes:
        raise Busy("busy", "Too much to do.")

    refused(Busy, "Too much", drawn.once, "0a", fail)
    assert drawn.once("0a", lambda: b"picture") == b"picture"
