"""Redis as the broker of a room that may lose it at any moment."""

from kombu.transport import TRANSPORT_ALIASES, redis


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


def use() -> None:
    """Have every address of a Redis mean this transport."""
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"
