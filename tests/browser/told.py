"""A table of the room whose page is told what a test wants: hands of the engine as the first seat sees them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.player import Player
from tests.support.hands import automatic, passive
from tests.support.parts.stud import Hand, base

SEATS = range(1, 9)
YOU = {"seat": 1, "name": "Guest 1", "state": "playing", "top_up_queued": 0}
#: What is left of a turn of the first seat when it is told, ms: the page says it in full fives of seconds.
TURN = 124_000

OBSERVE = """
(() => {
  window.moved = 0;
  const take = (shift) => (window.moved += shift.hadRecentInput ? 0 : shift.value);
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type: "layout-shift", buffered: true });
})()
"""


class Told:
    """A table whose page is told what this test wants."""

    def __init__(self, player: Player, table: int, *, seats: range = SEATS) -> None:
        self.page: Page = player.page
        self.number = table
        self._seats = seats
        self._sockets: list[WebSocketRoute] = []
        self._hand = 1000
        self._table: dict[str, Any] = {}
        self._own: dict[str, Any] = {}
        self._house: dict[str, Any] = {}
        self.page.add_init_script(OBSERVE)
        self.page.route_web_socket(re.compile("/ws/tables/"), self._connected)
        self.page.goto(f"/tables/{table}/")
        expect(player.mine).to_be_visible()

    def _connected(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        self._sockets.append(socket)
        server.on_message(lambda said: socket.send(self._seated(said)))

    def hand(self, parts: Iterator[list[base.Fact]], *, is_watched: bool = True) -> None:
        """A hand, told in `parts`; watched, each is drawn before the next is told."""
        self._hand += 1
        seq = 0
        for part in parts:
            facts = []
            for fact in part:
                seq += 1
                facts.append([seq, fact.kind, base.to_json(base.redact(fact, 1))])
            clock = self._clock() if part[-1].kind == "action-on" and part[-1].seat == 1 else None
            message = {"type": "facts", "hand": self._hand, "number": self._hand, "facts": facts, "clock": clock}
            self._sockets[-1].send(json.dumps(message))
            if is_watched:
                self.wait(seq)

    def _clock(self) -> dict[str, int]:
        """The first seat has the turn from now on."""
        now = int(time.time() * 1000)
        return {"seat": 1, "now": now, "bank_from": now + TURN, "deadline": now + TURN, "extra": 0}

    def wait(self, seq: int = 0) -> None:
        page = f'[data-table][data-hand="{self._hand}"]'
        end = f'{page}[data-seq="{seq}"]' if seq else f'{page}[data-hand-state="over"]'
        self.page.wait_for_selector(end, timeout=180_000)

    def longest_task(self, parts: Iterator[list[base.Fact]]) -> int:
        """Of the page's own time, whatever else the machine does meanwhile."""
        browser = self.page.context.browser
        assert browser
        browser.start_tracing(page=self.page, categories=["toplevel"])
        self.hand(parts)
        events = json.loads(browser.stop_tracing())["traceEvents"]
        named = [event for event in events if event["name"] == "thread_name"]
        pages = {(each["pid"], each["tid"]) for each in named if each["args"]["name"] == "CrRendererMain"}
        tasks = [each for each in events if each["name"].endswith("RunTask") and (each["pid"], each["tid"]) in pages]
        return max(task["tdur"] for task in tasks if "tdur" in task)

    def heap(self) -> int:
        devtools = self.page.context.new_cdp_session(self.page)
        devtools.send("HeapProfiler.collectGarbage")
        return int(devtools.send("Runtime.getHeapUsage")["usedSize"])

    def _seated(self, said: str | bytes) -> str:
        message = json.loads(said)
        if message["type"] in ("snapshot", "table"):
            row = {"is_bot": False, "avatar": "", "stack": 2000, "state": "playing", "is_gone": False}
            first, *others = [row | {"number": seat, "name": f"Guest {seat}"} for seat in self._seats]
            message["table"]["seats"] = [first | self._own, *others]
            message["you"] = YOU | {"state": self._own.get("state", "playing")}
            self._table = message["table"] = message["table"] | self._house
        return json.dumps(message)

    def house(self, **says: Any) -> None:
        """What the house has to say about the table from now on: paused, a notice, its state."""
        self._house = says
        self.own_seat(**self._own)

    def own_seat(self, **is_now: Any) -> None:
        """What the first seat is from now on, also when the room tells of its table."""
        self._own = is_now
        self._sockets[-1].send(self._seated(json.dumps({"type": "table", "seq": 0, "table": self._table})))


def facts_by_action(seed: int) -> Iterator[list[base.Fact]]:
    """A hand that everybody plays to its showdown: what is new after each action."""
    hand: Hand = automatic(dict.fromkeys(SEATS, 2000), seed)
    done = 0
    while True:
        yield list(hand.facts[done:])
        done = len(hand.facts)
        if hand.is_over:
            return
        hand.play(passive(hand))
