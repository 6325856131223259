"""The spectators of the benchmark: one process with many sockets that nobody is logged in at, all at one table.
``python -m`` this, with the port and the table.

It reads lines of JSON: how many sockets to open besides those that are open; after each it prints what all of them have
got since the last line. It reads no message but the last of each socket, so that it takes little of the machine.
"""

from __future__ import annotations

import asyncio
import json
import sys
from base64 import b64encode
from os import urandom
from typing import Any

import uvloop

#: Sockets that are being opened at the same time.
AT_ONCE = 20
#: Seconds for a socket to get its first message.
PATIENCE = 60.0


class Spectator(asyncio.Protocol):
    """One socket, and the messages it has got."""

    def __init__(self, port: int, table: int) -> None:
        self.port, self.table = port, table
        self.has_begun = asyncio.get_running_loop().create_future()
        self.rest = b""
        self.is_open = False
        self.messages = self.bytes = 0
        self.last = b"{}"

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        lines = (
            f"GET /ws/tables/{self.table}/ HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Origin: http://127.0.0.1:{self.port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {b64encode(urandom(16)).decode()}",
        )
        transport.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    def data_received(self, data: bytes) -> None:
        self.bytes += len(data)
        data = self.rest + data if self.rest else data
        place = 0
        if not self.is_open:
            head, ending, _ = data.partition(b"\r\n\r\n")
            if not ending:
                self.rest = data
                return
            self.is_open = head.startswith(b"HTTP/1.1 101")
            place = len(head) + len(ending)
        while (frame := _frame(data, place)) is not None:
            start, place = frame
            self._read(data, start, place)
        self.rest = data[place:]

    def _read(self, data: bytes, start: int, end: int) -> None:
        code = data[start - (2 if end - start < 126 else 4 if end - start < 2**16 else 10)] & 15
        if code == 9:  # a ping, answered by a pong of the same words; the mask is four zeros
            self.transport.write(bytes((0x8A, 0x80 | end - start)) + bytes(4) + data[start:end])
        if code == 1:
            self.messages += 1
            self.last = data[start:end]
            if not self.has_begun.done():
                self.has_begun.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.has_begun.done():
            self.has_begun.set_exception(ConnectionError("a spectator was turned away"))


def _frame(data: bytes, place: int) -> tuple[int, int] | None:
    """Where the message of the frame at ``place`` starts and ends; None: it has not all come yet."""
    if len(data) < place + 2:
        return None
    size, start = data[place + 1], place + 2
    if size > 125:
        width = 2 if size == 126 else 8
        size, start = int.from_bytes(data[start : start + width], "big"), start + width
    return (start, start + size) if len(data) >= start + size else None


async def _open(port: int, table: int) -> Spectator:
    _, spectator = await asyncio.get_running_loop().create_connection(lambda: Spectator(port, table), "127.0.0.1", port)
    async with asyncio.timeout(PATIENCE):
        await spectator.has_begun
    return spectator


async def _report(spectators: list[Spectator]) -> dict[str, int]:
    """How many messages and bytes have come, once all spectators have got the same."""
    async with asyncio.timeout(PATIENCE):
        while len({json.loads(spectator.last).get("seq") for spectator in spectators}) > 1:
            await asyncio.sleep(0.05)
    report = {
        "messages": sum(spectator.messages for spectator in spectators),
        "bytes": sum(spectator.bytes for spectator in spectators),
    }
    for spectator in spectators:
        spectator.messages = spectator.bytes = 0
    return report


async def main(port: int, table: int) -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    spectators: list[Spectator] = []
    while line := await reader.readline():
        count = json.loads(line)
        for _ in range(0, count, AT_ONCE):
            spectators += await asyncio.gather(*(_open(port, table) for _ in range(AT_ONCE)))
        print(json.dumps(await _report(spectators)), flush=True)


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), int(sys.argv[2])))
