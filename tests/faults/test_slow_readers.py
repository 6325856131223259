"""Readers who are slow, or many, beside people who play: an action, a ping and the probes do not wait for them."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from io import BytesIO
from time import monotonic
from uuid import uuid4

import psycopg
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from PIL import Image

from tests.faults.game import Play
from tests.live.socket import session_of
from tests.support.models import User
from tests.support.room import Room
from tests.support.waiting import soon

pytestmark = pytest.mark.postgres

READERS = 40
#: So many connections pages have.
PAGES = 10
#: Seconds in which somebody who plays is answered, no matter how many read.
AT_ONCE = 1.0


def answer_to(url: str, session: str = "") -> tuple[int, str]:
    """The status and the `Retry-After` of the answer."""
    try:
        request = urllib.request.Request(url, headers={"Cookie": f"sessionid={session}"} if session else {})
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()
            return answer.status, ""
    except urllib.error.HTTPError as refusal:
        refusal.close()
        return refusal.code, refusal.headers.get("Retry-After", "")


@contextmanager
def nobody_reads_pictures(room: Room) -> Iterator[psycopg.Connection]:
    """Who asks for a player's picture waits in the database, until the block ends."""
    with psycopg.connect(room.environment["DATABASE_URL"]) as connection:
        connection.execute("LOCK TABLE accounts_picture IN ACCESS EXCLUSIVE MODE")
        yield connection


def waiting_in(connection: psycopg.Connection) -> int:
    count = connection.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
    assert count is not None
    return int(count[0])


@contextmanager
def slow_readers(room: Room) -> Iterator[list[Future[tuple[int, str]]]]:
    """Readers of pages who hold every connection that pages have, until the block ends."""
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(READERS))
        lock = stack.enter_context(nobody_reads_pictures(room))
        session = session_of(User.objects.create_user(f"reader{uuid4().hex[:8]}")).cookies["sessionid"].value
        addresses = [f"{room.url}/pictures/{'0' * 30}{number:02}.webp" for number in range(READERS)]
        yield [pool.submit(answer_to, url, session if number % 2 else "") for number, url in enumerate(addresses)]
        lock.rollback()


def test_slow_readers_keep_nobody_from_acting(room_alone: Room, play: Play) -> None:
    game = play(room_alone)
    game.until_a_person_acts()
    with slow_readers(room_alone) as answers:
        soon(lambda: any(answer.done() for answer in answers), "readers never used up the connections of pages")
        player = game.until_a_person_acts()
        begun = monotonic()
        player.say({"type": "ping"})
        player.until_type("pong")
        pinged = monotonic()
        answer = player.answer_to(player.act(player.quiet_action))
        acted = monotonic()
        health = [room_alone.get_json(path)[0] for path in ("/healthz", "/healthz/live", "/healthz/clockwork")]
        probed = monotonic()
    assert answer["type"] == "done"
    assert health == [200, 200, 200]
    assert max(pinged - begun, acted - pinged, probed - acted) < AT_ONCE
    found = {answer.result() for answer in answers}
    assert found == {(404, ""), (503, "2")}, "what the database had no connection for is busy, and no fault"
    assert "Traceback" not in room_alone.log()


def test_pictures_of_many_pixels_keep_nobody_from_acting(room_alone: Room, play: Play) -> None:
    """A kilobyte each: some with more pixels than any may have, some with as many as they may."""
    game = play(room_alone)
    player = game.until_a_person_acts()
    painters = [User.objects.create_user(f"painter{number}") for number in range(8)]
    files = [black(5_000), black(3_150)] * 4
    with ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(bring, room_alone, *each) for each in zip(painters, files, strict=True)]
        while not all(answer.done() for answer in sent):
            answer = player.answer_to(player.act(player.quiet_action))
            assert (answer["type"], room_alone.get_json("/healthz")[0]) == ("done", 200)
            player.until_at(player.hand, answer["seq"])
            player = game.until_a_person_acts()
    found = [answer.result() for answer in sent]
    assert {status for status, _ in found[::2]} == {400}
    assert all("at most 10 million pixels, a JPEG 25 million" in page for _, page in found[::2])
    assert {status for status, _ in found[1::2]} <= {200, 503}


def black(side: int) -> bytes:
    """A lossless picture of so many pixels each way."""
    out = BytesIO()
    Image.new("RGB", (side, side)).save(out, "WEBP", lossless=True)
    return out.getvalue()


def bring(room: Room, player: User, file: bytes) -> tuple[int, str]:
    """The status and the page of the answer."""
    session = session_of(player).cookies["sessionid"].value
    body = encode_multipart(BOUNDARY, {"picture": SimpleUploadedFile("me.webp", file, "image/webp")})
    headers = {"Origin": room.url, "X-CSRFToken": "c" * 32, "Content-Type": MULTIPART_CONTENT}
    headers["Cookie"] = f"sessionid={session}; csrftoken={'c' * 32}"
    request = urllib.request.Request(f"{room.url}/me/picture/", method="POST", data=body, headers=headers)
    try:
        answer = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as refusal:
        answer = refusal
    with answer:
        return answer.status, answer.read().decode()


def test_pages_that_were_not_found_give_their_connections_back(room_alone: Room) -> None:
    session = session_of(User.objects.create_user("lost")).cookies["sessionid"].value
    with ThreadPoolExecutor(READERS) as pool:
        answers = list(pool.map(answer_to, [f"{room_alone.url}/no/such/page/"] * READERS, [session] * READERS))
    assert set(answers) == {(404, "")}
    with slow_readers(room_alone) as waiting, psycopg.connect(room_alone.environment["DATABASE_URL"]) as connection:
        soon(lambda: waiting_in(connection) == PAGES or all(reader.done() for reader in waiting))
        assert waiting_in(connection) == PAGES
