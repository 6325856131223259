"""The players of the live benchmark: one process with a real socket for every seat. ``python -m`` this, with the port.

It reads lines of JSON: first the tables and sessions, then how long to play each time; after each it prints what came
of it. An action counts when every seat of its table has been told what followed from it.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Mapping
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin


class Seen(msgspec.Struct):
    """The fields of a message that every seat reads."""

    type: str
    hand: Any = None
    seq: int = 0


_seen = msgspec.json.Decoder(Seen).decode
_whole = msgspec.json.Decoder().decode


class Table:
    """Plays on as soon as all seats know as much as each other, while ``is_open``."""

    def __init__(self, seats: int, chance: random.Random) -> None:
        self.lines: list[ClientConnection | None] = [None] * seats
        self.told = [(0, 0)] * seats
        self.chance = chance
        self.turn: dict[str, Any] | None = None
        self.sent_at = 0.0
        self.sending: asyncio.Task[None] | None = None
        self.is_open = False
        self.is_waiting = False
        self.times: list[float] = []
        self.hands = 0
        self.refused: list[str] = []

    def hear(self, seat: int, text: str | bytes) -> None:
        message = _seen(text)
        if message.type == "refused":
            self.refused.append(str(text))
        if message.type not in {"facts", "snapshot"}:
            return
        hand = message.hand["id"] if isinstance(message.hand, dict) else message.hand or 0
        self.told[seat] = (hand, message.seq)
        if seat == 0:
            self._look(_whole(text))
        if self.told.count(self.told[0]) == len(self.told):
            self._all_know()

    def _look(self, message: dict[str, Any]) -> None:
        for _, kind, fact in message["facts"]:
            self.turn = fact if kind == "action-on" else None
            self.hands += kind == "hand-ended"

    def _all_know(self) -> None:
        if self.is_waiting:
            self.is_waiting = False
            self.times.append(time.perf_counter() - self.sent_at)
        self.go_on()

    def go_on(self) -> None:
        if not self.is_open or self.is_waiting or self.turn is None or self.told.count(self.told[0]) < len(self.told):
            return
        turn, self.turn = self.turn, None
        action, amount = choose(turn, self.chance)
        hand, seq = self.told[0]
        command = {"type": "act", "hand": hand, "seq": seq, "command_id": f"bench-{seq}", "action": action}
        line = self.lines[turn["seat"] - 1]
        assert line is not None
        self.is_waiting = True
        self.sent_at = time.perf_counter()
        self.sending = asyncio.ensure_future(line.send(json.dumps({**command, "amount": amount})))


def choose(turn: Mapping[str, Any], chance: random.Random) -> tuple[str, int | None]:
    """An action of the player to act, and the total of a wager. ``turn``: the fields of the fact that says whose turn
    it is."""
    part = chance.random()
    if turn["sizes"] and part < 0.15:
        return "raise" if turn["verb"] == "raise-to" else turn["verb"].removesuffix("-to"), turn["sizes"][0]
    if turn["can_check"]:
        return "check", None
    if turn["bring_in"]:
        return "bring-in", None
    return ("fold", None) if turn["can_fold"] and part > 0.7 else ("call", None)


async def listen(port: int, table: Table, seat: int, number: int, session: str, is_there: asyncio.Event) -> None:
    address = f"ws://127.0.0.1:{port}/ws/tables/{number}/"
    headers = {"Cookie": f"sessionid={session}"}
    origin = Origin(f"http://127.0.0.1:{port}")
    async with connect(address, additional_headers=headers, origin=origin, max_size=None) as line:
        table.lines[seat] = line
        async for text in line:
            is_there.set()
            table.hear(seat, text)


async def play(tables: list[Table], seconds: float) -> dict[str, Any]:
    for table in tables:
        table.times.clear()
        table.hands = 0
        table.is_open = True
        table.go_on()
    started = time.perf_counter()
    await asyncio.sleep(seconds)
    passed = time.perf_counter() - started
    times = [second for table in tables for second in table.times]
    hands = sum(table.hands for table in tables)
    for table in tables:
        table.is_open = False
    while any(table.is_waiting for table in tables):
        await asyncio.sleep(0.01)
    refused = [text for table in tables for text in table.refused]
    after = sum(len(table.times) for table in tables)
    return {"seconds": passed, "times": times, "hands": hands, "all": after, "refused": refused[:3]}


async def sit_down(port: int, table: Table, row: Mapping[str, Any]) -> list[asyncio.Task[None]]:
    """Open the sockets of a table, all at once; they stay open as long as these tasks go on. Raises what one of them
    failed with."""
    arrivals = [asyncio.Event() for _ in row["sessions"]]
    sockets = [
        asyncio.create_task(listen(port, table, seat, row["table"], session, arrivals[seat]))
        for seat, session in enumerate(row["sessions"])
    ]
    everybody = asyncio.gather(*(is_there.wait() for is_there in arrivals))
    # A socket that is turned away ends its task, and nobody would ever be there.
    await asyncio.wait([everybody, *sockets], return_when=asyncio.FIRST_COMPLETED)
    for socket in sockets:
        if socket.done():
            everybody.cancel()
            socket.result()
            raise ConnectionError(f"a socket of table {row['table']} was closed")
    return sockets


async def main(port: int) -> None:
    reader = asyncio.StreamReader(limit=2**24)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    tables: list[Table] = []
    sockets: list[asyncio.Task[None]] = []
    while line := await reader.readline():
        order = json.loads(line)
        if isinstance(order, list):  # tables to sit down at
            for row in order:
                tables.append(Table(len(row["sessions"]), random.Random(row["table"])))
                sockets += await sit_down(port, tables[-1], row)
            answer: Any = len(sockets)
        else:
            answer = await play(tables, order)
        print(json.dumps(answer), flush=True)
    for socket in sockets:
        socket.cancel()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
