"""kill -9 of Redis and PostgreSQL, in mid-hand or mid-message: what they had to tell is late, and nothing is lost."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import kombu
import psycopg
import pytest
import redis
from kombu.simple import SimpleQueue

from cardroom.celery import app
from cardroom.core import audit as core_audit
from cardroom.core.process import heartbeat
from tests.faults.game import Play
from tests.faults.servers import Server, own_redis, redis_server
from tests.support.database import hang_up
from tests.support.room import Room
from tests.support.waiting import soon

LATER = 1013  # the code of a socket that is closed with "try again"


@pytest.mark.postgres
@pytest.mark.redis
def test_people_play_on_without_redis_and_bots_when_it_is_back(
    room_apart: Room, apart_redis: Server, play: Play
) -> None:
    game = play(room_apart)
    game.until_a_person_opens()
    apart_redis.kill()
    status, told = room_apart.get_json("/healthz")
    assert (status, told["status"], told["redis"]) == (200, "impaired", "does not answer"), "people play on"
    game.until_a_bot_acts()
    before = game.standing
    apart_redis.start()

    game.play_out(before)
    soon(lambda: room_apart.get_json("/healthz/clockwork")[0] == 200)
    with redis.Redis.from_url(room_apart.environment["REDIS_URL"]) as client:
        soon(lambda: client.pubsub_channels(f"*table.{game.pk}"), "the web does not listen to this table any more")
    assert core_audit.check() == []


@pytest.mark.postgres
def test_the_same_hand_goes_on_after_postgresql_was_down(room_on: tuple[Room, Server], play: Play) -> None:
    room, server = room_on
    game = play(room)
    player = game.until_a_person_acts()
    before, action = game.standing, player.quiet_action
    hang_up()
    server.kill()
    soon(lambda: room.get_json("/healthz")[0] == 503)  # what it was doing for us it may still bring to an end
    with ThreadPoolExecutor() as pool:  # at once, for each waits for the server in vain
        told = pool.map(room.get_json, ("/healthz/live", "/healthz/clockwork", f"/tables/{game.pk}/"))
        assert [status for status, _ in told] == [200, 503, 503], "nothing is mended by ending the process"
    command = player.act(action)
    assert_unavailable(player.answer_to(command))
    other = game.sockets[2 - before.to_act]
    other.close()
    assert_unavailable(other.open().until_type("refused"))
    assert other.closing_code() == LATER

    server.start()
    game.assert_stands_as(before)
    player.act(action, command_id=command, seq=before.seq)
    answer = player.answer_to(command)
    assert answer["type"] == "done"
    player.until_at(before.hand, answer["seq"])  # it may be told before what it led to
    other.open()
    game.play_out(before)
    assert core_audit.check() == []


@pytest.mark.postgres
def test_a_database_that_cannot_be_written_is_no_room_to_play_in(room_on: tuple[Room, Server]) -> None:
    room, _ = room_on
    url = room.environment["DATABASE_URL"]
    assert room.get_json("/healthz")[1]["database"] == "ok"
    set_read_only(url, "on")
    # It does not answer at all for as long as its connections are cut off.
    down = ("down", "cannot be written: it is read-only")
    soon(lambda: health(room) == down, "a database that takes nothing is told to be well")
    set_read_only(url, "off")
    soon(lambda: room.get_json("/healthz")[0] == 200)


def health(room: Room) -> tuple[str, str]:
    answer = room.get_json("/healthz")[1]
    return answer["status"], answer["database"]


def set_read_only(url: str, how: str) -> None:
    """Of every connection from now on; those that are open are cut off."""
    with psycopg.connect(url, autocommit=True, options="-c default_transaction_read_only=off") as connection:
        connection.execute(f"ALTER DATABASE cardroom SET default_transaction_read_only = {how}")
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")


def assert_unavailable(message: dict[str, Any]) -> None:
    assert (message["type"], message["code"], message["status"]) == ("refused", "unavailable", 503)


def hold_a_message(connection: kombu.Connection) -> None:
    """Take one and not be done with it, and wait for more on two channels, as a worker and its remote control do."""
    work = SimpleQueue(connection.default_channel, "work")
    work.put("knock")
    assert work.get(timeout=10).payload == "knock"
    for queue in (work, SimpleQueue(connection.channel(), "control")):
        with pytest.raises(queue.Empty):
            queue.get(timeout=0.1)


@pytest.mark.skipif(redis_server() is None, reason="needs a redis-server to kill")
def test_a_connection_that_was_lost_is_cleared_away_without_an_error() -> None:
    with own_redis() as (server, url):
        connection = app.connection_for_read(url)
        assert isinstance(connection.transport, heartbeat.Transport)
        hold_a_message(connection)
        server.kill()

        connection.collect()  # this and the next line are what a worker does before it tries to connect again
        connection.close()

        server.start()
        with app.connection_for_read(url) as again, SimpleQueue(again, "work") as queue:
            queue.put("knock")
            assert queue.get(timeout=10).payload == "knock"
