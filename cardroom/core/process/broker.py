"""Redis as the Celery broker of a room that may lose it at any moment: how Celery's processes live through that."""

from typing import Any

import kombu
from celery.app.amqp import AMQP as CeleryAMQP
from kombu.transport import redis

RETRY_SECONDS = 1.0


class Channel(redis.Channel):
    """Kombu's, which on being closed gives back what was taken and not done. Where its connection has been lost and
    cleared away before, there is nobody to give it to, and the error of trying would end the worker. Nothing is lost
    with what is not given back: the alarms ring again."""

    def close(self) -> None:
        if self.connection is not None and self.connection.client is not None:
            super().close()
            return
        self.closed = True
        if self._qos is not None:
            self._qos._on_collect.cancel()  # it would try once more when the process ends


class Transport(redis.Transport):
    Channel = Channel


class Connection(kombu.Connection):
    """Asks a Redis that is away every second; Kombu's waits ever longer, and clocks that ran out would wait with it."""

    def get_transport_cls(self) -> type:
        transport = super().get_transport_cls()
        return Transport if transport is redis.Transport else transport

    def ensure_connection(self, *args: Any, **kwargs: Any) -> Any:
        pauses = {"interval_start": RETRY_SECONDS, "interval_step": 0, "interval_max": RETRY_SECONDS}
        return super().ensure_connection(*args, **(pauses | kwargs))


class AMQP(CeleryAMQP):
    Connection = Connection
