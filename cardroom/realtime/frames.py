"""Text frames that are put together once and written to many sockets, without the server's `send` for every socket.

What the server writes to a websocket is the same for all that read the same message: its frames are not masked, and
the room negotiates no compression. Writing goes to the transport of uvicorn's protocol, which is no public interface of
uvicorn: so `line_to` knows the versions it was tested with, and answers None for any other, for another server, and for
a socket whose messages are compressed. The server's own `send` does the same for those.
"""

from __future__ import annotations

import sys
from typing import Any

#: The versions of uvicorn and websockets whose `send` was compared with what is done here.
TESTED = ("0.54.0", "17.4")
_MODULE, _CLASS = "uvicorn.protocols.websockets.websockets_sansio_impl", "WebSocketsSansIOProtocol"
#: The first byte of a frame that is a whole text message.
_WHOLE_TEXT = 0x81


def frame_of(text: str) -> bytes:
    """The message as one unmasked text frame, as in RFC 6455, section 5.2."""
    data = text.encode()
    size = len(data)
    if size < 126:
        return bytes((_WHOLE_TEXT, size)) + data
    if size < 2**16:
        return bytes((_WHOLE_TEXT, 126)) + size.to_bytes(2, "big") + data
    return bytes((_WHOLE_TEXT, 127)) + size.to_bytes(8, "big") + data


class SocketLine:
    """The way to one open socket."""

    __slots__ = ("_connection", "_open", "_protocol", "_transport", "_writable")

    def __init__(self, protocol: Any) -> None:
        self._protocol, self._connection = protocol, protocol.conn
        self._transport, self._writable = protocol.transport, protocol.writable
        self._open = type(protocol.conn.state).OPEN

    def write(self, frame: bytes) -> bool:
        """Write the frame, unless the socket takes nothing at the moment: False then, and nothing is written. What is
        written leaves with all that is written before the loop goes round."""
        connection = self._connection
        if (
            self._protocol.close_sent
            or connection.state is not self._open
            or connection.writes
            or not self._writable.is_set()
            or self._transport.is_closing()
        ):
            return False
        self._transport.write(frame)
        return True


def line_to(send: Any) -> SocketLine | None:
    """The line to the accepted socket that `send`, the server's own, writes to; None where only `send` will do."""
    protocol = getattr(send, "__self__", None)
    if type(protocol).__module__ != _MODULE or type(protocol).__name__ != _CLASS or versions() != TESTED:
        return None
    return None if protocol.conn.extensions or not protocol.handshake_complete else SocketLine(protocol)


def versions() -> tuple[str, str]:
    """The versions of uvicorn and websockets that this process has loaded."""
    return sys.modules["uvicorn"].__version__, sys.modules["websockets"].__version__
