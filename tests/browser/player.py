"""A person at a browser: what they click and what they see, nothing behind the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.support.models import User

PASSWORD = "a-long-evening-of-stud"
THUMB = 44  # the least height of what a thumb should hit, in CSS pixels
#: A turn, or the end of the hand, has come: what `wait_for_news` waits for.
_NEWS = """
([hand, seq]) => {
  const page = document.querySelector("[data-table]");
  const isNew = page.dataset.hand !== hand || Number(page.dataset.seq) > seq;
  return isNew && (page.dataset.turn !== "" || page.dataset.handState === "over");
}
"""
#: Keeps what the page says to the room, in `window.sent`: what kind of thing, and what is to be done.
OVERHEAR = """() => {
  window.sent = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    const said = JSON.parse(data);
    if (said.type !== "ping") window.sent.push([said.type, said.action ?? said.what ?? ""]);
    send.call(this, data);
  };
}"""
#: A connection that was cut on purpose complains, and should; so does a part that was being fetched when its page is
#: left (one that fails says `htmx:sendError` or `htmx:responseError` as well), and the worker that is kept from tests.
_EXPECTED = (
    *("WebSocket", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION"),
    *("htmx:sendAbort", "htmx:afterRequest", "Service Worker registration blocked"),
)


class Player:
    """`user` None: somebody who only looks in. What their page complains of fails the test, but for what is `expected`
    (parts of such words)."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.name = ""
        self.user: User | None = None
        self.complaints: list[str] = []
        self.expected = list(_EXPECTED)
        self.page: Page = context.new_page()
        self.page.on("console", lambda message: message.type in ("error", "warning") and self._note(message.text))
        self.page.on("pageerror", lambda error: self._note(str(error)))

    def _note(self, text: str) -> None:
        if not any(words in text for words in self.expected):
            self.complaints.append(text)

    # -- getting there -----------------------------------------------------------------------------------------------

    def go_to(self, table: int) -> None:
        self.page.goto(f"/tables/{table}/")
        expect(self.main).to_have_attribute("data-connection", "open")

    def sit(self, seat: int, *, at: int = 0, buy_in: int = 600) -> None:
        """Take a seat through its dialog; `at`: of a table that they go to first."""
        if at:
            self.go_to(at)
        self.page.get_by_role("button", name=f"Sit here: seat {seat}").click()
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_label("Buy-in in chips").fill(str(buy_in))
        dialog.get_by_role("button", name="Sit down").click()
        expect(dialog).to_be_hidden()
        expect(self.mine).to_be_visible()

    # -- what there is to see ----------------------------------------------------------------------------------------

    @property
    def main(self) -> Locator:
        return self.page.locator("[data-table]")

    @property
    def mine(self) -> Locator:
        return self.page.locator(".seat.is-you")

    @property
    def banner(self) -> Locator:
        return self.page.locator("[data-page=banner]")

    @property
    def hand(self) -> str:
        return self.main.get_attribute("data-hand") or ""

    @property
    def seq(self) -> int:
        return int(self.main.get_attribute("data-seq") or 0)

    @property
    def turn(self) -> str:
        return self.main.get_attribute("data-turn") or ""

    @property
    def is_over(self) -> bool:
        return self.main.get_attribute("data-hand-state") == "over"

    def seat(self) -> str:
        return self.mine.get_attribute("data-seat") or ""

    def my_downcards(self) -> list[str]:
        return self.cards(".seat.is-you .card.is-down[data-card]")

    def cards(self, which: str = ".card[data-card]") -> list[str]:
        """The faces on the page; read at once, for the table moves on."""
        return self.page.eval_on_selector_all(which, "cards => cards.map(card => card.dataset.card)")

    def wait_for_cards(self) -> None:
        expect(self.mine.locator(".card").first).to_be_visible()

    def turns(self) -> Iterator[str]:
        """The seat that has each turn from now to the end of the hand."""
        hand, seq = self.hand, 0
        while True:
            self.wait_for_news(hand, seq)
            if self.is_over or self.hand != hand:
                return
            seq = self.seq
            yield self.turn

    def wait_for_news(self, hand: str = "", seq: int = 0) -> None:
        """Wait for a turn, or the end of a hand, later than fact `seq` of `hand`."""
        self.page.wait_for_function(_NEWS, arg=[hand, seq])

    def fits(self, buttons: str) -> list[Any]:
        """Nothing sticks out, and each of these is whole on the screen and large enough for a thumb; where they are."""
        page = self.page
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        boxes = [button.bounding_box() for button in page.locator(buttons).all()]
        assert boxes
        for box in boxes:
            assert box["height"] >= THUMB
            assert 0 <= box["x"] <= page.viewport_size["width"] - box["width"]
        return boxes

    # -- playing -----------------------------------------------------------------------------------------------------

    def action(self, name: str) -> Locator:
        return self.page.locator(".actions").get_by_role("button", name=re.compile(f"^{name}"))

    def check_or_call(self) -> None:
        """The cheapest way to stay in, by a real click."""
        self.page.locator(".act--check, .act--call, .act--bring-in").first.click()
