"""The worker's connection to Redis, lost while it holds messages it has not done with."""

import kombu
import pytest
from kombu.simple import SimpleQueue

from cardroom.celery import app
from cardroom.core.process import heartbeat
from tests.faults.servers import own_redis, redis_server

pytestmark = pytest.mark.skipif(redis_server() is None, reason="needs a redis-server to kill")


def hold_a_message(connection: kombu.Connection) -> None:
    """Take one and not be done with it, and wait for more on two channels, as a worker and its remote control do."""
    work = SimpleQueue(connection.default_channel, "work")
    work.put("knock")
    assert work.get(timeout=10).payload == "knock"
    for queue in (work, SimpleQueue(connection.channel(), "control")):
        with pytest.raises(queue.Empty):
            queue.get(timeout=0.1)


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
