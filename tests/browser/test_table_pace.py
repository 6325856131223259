"""What a table costs a browser: eight who act at once, an evening in one tab, and how still everything lies.

The page is the room's own; what its connection tells is a hand of the engine as the first seat sees it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.player import Player
from tests.support.hands import automatic, passive
from tests.support.parts.stud import Hand, base

pytestmark = [pytest.mark.browser, pytest.mark.redis]

SEATS = range(1, 9)
#: A frame is dropped, microseconds.
LONG_TASK = 50_000
#: What may have moved that nobody touched.
STILL = 0.02
MEGABYTE = 1_000_000

OBSERVE = """
(() => {
  window.moved = 0;
  const take = (shift) => (window.moved += shift.hadRecentInput ? 0 : shift.value);
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type: "layout-shift", buffered: true });
})()
"""


class Told:
    """A table whose page is told what this test wants."""

    def __init__(self, player: Player, table: int) -> None:
        self.page: Page = player.page
        self._sockets: list[WebSocketRoute] = []
        self._hand = 1000
        self.page.add_init_script(OBSERVE)
        self.page.route_web_socket(re.compile("/ws/tables/"), self._connected)
        self.page.goto(f"/tables/{table}/")
        expect(player.mine).to_be_visible()

    def _connected(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        self._sockets.append(socket)
        server.on_message(lambda said: socket.send(_seated(said)))

    def hand(self, parts: Iterator[list[base.Fact]], *, is_watched: bool = True) -> None:
        """A hand, told in `parts`; watched, each is drawn before the next is told."""
        self._hand += 1
        seq = 0
        for part in parts:
            facts = []
            for fact in part:
                seq += 1
                facts.append([seq, fact.kind, base.to_json(base.redact(fact, 1))])
            message = {"type": "facts", "hand": self._hand, "number": self._hand, "facts": facts, "clock": None}
            self._sockets[-1].send(json.dumps(message))
            if is_watched:
                self.wait(seq)

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
        pages = {
            (event["pid"], event["tid"])
            for event in events
            if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
        }
        tasks = [
            e["tdur"] for e in events if e["name"].endswith("RunTask") and "tdur" in e and (e["pid"], e["tid"]) in pages
        ]
        assert tasks
        return max(tasks)

    def heap(self) -> int:
        devtools = self.page.context.new_cdp_session(self.page)
        devtools.send("HeapProfiler.collectGarbage")
        return int(devtools.send("Runtime.getHeapUsage")["usedSize"])


def _seated(said: str | bytes) -> str:
    message = json.loads(said)
    if message["type"] in ("snapshot", "table"):
        table = message["table"]
        row = {"is_bot": False, "avatar": "", "stack": 2000, "state": "playing", "is_gone": False}
        table["seats"] = [row | {"number": seat, "name": f"Guest {seat}"} for seat in SEATS]
        message["you"] = {"seat": 1, "name": "Guest 1", "state": "playing", "top_up_queued": 0}
    return json.dumps(message)


def played(seed: int) -> Iterator[list[base.Fact]]:
    """A hand that everybody plays to its showdown: what is new after each action."""
    hand: Hand = automatic(dict.fromkeys(SEATS, 2000), seed)
    done = 0
    while True:
        yield list(hand.facts[done:])
        done = len(hand.facts)
        if hand.is_over:
            return
        hand.play(passive(hand))


@pytest.fixture
def told(open_table, come_in) -> Callable[[], Told]:
    def opened() -> Told:
        player = come_in("Ada")
        return Told(player, open_table(f"Pace of {player.name}", act_seconds=120))

    return opened


def test_nothing_on_the_table_moves_by_itself_in_the_course_of_a_hand(told):
    table = told()
    parts = list(played(1))
    table.hand(iter([[fact for part in parts[i : i + 9] for fact in part] for i in range(0, len(parts), 9)]))
    assert table.page.evaluate("window.moved") < STILL


def test_the_lobby_lies_still_from_the_start(come_in, open_table):
    open_table("Still", bots=3)
    page = come_in("Ada").page
    page.add_init_script(OBSERVE)
    page.goto("/", wait_until="networkidle")
    expect(page.locator("body")).to_have_attribute("data-room-state", "open")
    assert page.evaluate("window.moved") < STILL


def test_a_round_of_actions_that_comes_at_once_holds_up_no_frame(told):
    table = told()
    dealt, *actions = (part for part, _ in zip(played(1), range(9), strict=False))
    assert table.longest_task(iter([dealt, [fact for part in actions for fact in part]])) < LONG_TASK


@pytest.mark.long("500 hands through one page; those above are played in every run")
def test_five_hundred_hands_in_one_tab_leave_no_more_than_ten_megabytes(told):
    table = told()
    hands = [[fact for part in played(seed) for fact in part] for seed in range(10)]
    for i in range(20):
        table.hand(iter([hands[i % 10]]), is_watched=False)
    table.wait()
    before = table.heap()
    for i in range(500):
        table.hand(iter([hands[i % 10]]), is_watched=False)
    table.wait()
    assert table.heap() - before < 10 * MEGABYTE
