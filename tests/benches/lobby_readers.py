"""The readers of the crowd benchmark: one process with a connection for every one. ``python -m`` this, with the port.

It reads lines of JSON: how many readers there are from now on. Each opens the lobby over HTTP without being logged in,
and again as soon as all of it has come. One that is turned away, as the room is busy, waits as long as the answer says
(``Retry-After``). After each line it prints what was opened since the line before; to the line 0 it answers when the
last page has come.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from statistics import median
from typing import Any

import uvloop

PAGE = "/"
_BUSY = 503


class Reader:
    """Opens the lobby over and over while `is_reading`, on a connection that it keeps as a browser does."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.is_reading = True
        self.times: list[float] = []
        self.bytes = 0
        self.turned_away = 0

    async def read(self) -> None:
        """Raises ``ConnectionError`` where the room answers anything but the page."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = (f"GET {PAGE} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Accept-Encoding: gzip", "Accept: text/html")
        request = ("\r\n".join(lines) + "\r\n\r\n").encode()
        while self.is_reading:
            began = time.perf_counter()
            writer.write(request)
            status, size, wait = await _page(reader)
            if status == _BUSY:
                self.turned_away += 1
                await asyncio.sleep(wait)
                continue
            if status != 200:
                raise ConnectionError(f"the lobby answered {status}")
            self.bytes += size
            self.times.append(time.perf_counter() - began)
        writer.close()


async def _page(reader: asyncio.StreamReader) -> tuple[int, int, int]:
    """Read an answer: its status, the size of the page, and how many seconds to wait before the next."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    status = int(first.split()[1])
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    wait = int(headers.get("retry-after", 1))
    if "content-length" in headers:
        return status, len(await reader.readexactly(int(headers["content-length"]))), wait
    size = 0
    while length := int(await reader.readline(), 16):
        size += len(await reader.readexactly(length + 2)) - 2
    await reader.readline()
    return status, size, wait


def _report(readers: list[Reader], seconds: float) -> dict[str, Any]:
    times = [second for reader in readers for second in reader.times]
    size, turned_away = sum(reader.bytes for reader in readers), sum(reader.turned_away for reader in readers)
    for reader in readers:
        reader.times, reader.bytes, reader.turned_away = [], 0, 0
    return {
        "openings": len(times),
        "turned_away": turned_away,
        "openings_per_s": round(len(times) / seconds, 1),
        "p50_ms": round(median(times) * 1000, 1) if times else None,
        "kb": round(size / len(times) / 1024, 1) if times else None,
    }


async def main(port: int) -> None:
    orders = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    readers: list[Reader] = []
    tasks: list[asyncio.Task[None]] = []
    began = time.perf_counter()
    while line := await orders.readline():
        count = json.loads(line)
        for reader in readers[count:]:
            reader.is_reading = False
        await asyncio.gather(*tasks[count:])
        report = _report(readers, time.perf_counter() - began)
        del readers[count:], tasks[count:]
        for task in tasks:
            if task.done():
                task.result()
        readers += [Reader(port) for _ in range(count - len(readers))]
        tasks += [asyncio.create_task(reader.read()) for reader in readers[len(tasks) :]]
        began = time.perf_counter()
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
