"""What is told at a table comes when it is seen, and stays in sight: words with their cards, the dealer's lines at their end."""

import pytest
from playwright.sync_api import expect

from tests.browser.told import played
from tests.support.waiting import soon

pytestmark = pytest.mark.browser

#: Keeps in `window.early` what was written of a hand while its cards were on their way.
WATCH = """() => {
  window.early = [];
  window.flights = 0;
  const isFlying = () => [...document.querySelectorAll(".seat .card")].some((card) => card.getAnimations().length);
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    if (this.matches(".seat .card")) window.flights += 1;
    return animate.apply(this, given);
  };
  const WORDS = ".log__list, .caption, .help, [data-page=voice], .actions, .intents, .deck__status, .seat__made";
  const note = (records) => {
    for (const { target, type } of records) {
      const part = (target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement)?.closest(WORDS);
      if (part && isFlying()) window.early.push(`${type} in ${part.className || part.dataset.page}: ${part.textContent.slice(-60)}`);
    }
  };
  new MutationObserver(note).observe(document.querySelector("[data-table]"), { subtree: true, childList: true, characterData: true });
  const turns = () => isFlying() && window.early.push("turn");
  new MutationObserver(turns).observe(document.querySelector("[data-table]"), { attributeFilter: ["data-turn"] });
}"""


def test_words_of_a_deal_come_with_its_cards_and_not_before_them(told):
    table = told(reduced_motion="no-preference")
    table.page.evaluate(WATCH)
    table.hand(iter(list(played(1))[:14]))  # to fourth street
    assert table.page.evaluate("window.flights") > 24
    assert table.page.evaluate("window.early") == []
    expect(table.page.locator(".seat.is-you .seat__made")).not_to_be_empty()


def test_the_dealers_lines_follow_their_end_in_a_long_evening_and_after_a_small_window_until_somebody_scrolls(told):
    table = told()
    page, lines = table.page, table.page.locator(".log__list")
    parts = list(played(1))
    rest = "list => list.scrollHeight - list.scrollTop - list.clientHeight"

    def are_at_end():
        soon(lambda: lines.evaluate(rest) < 2)

    def evening(hands):
        for _ in range(hands):
            table.hand(iter(parts), is_watched=False)
            table.wait()
            are_at_end()

    table.hand(iter(parts[:9]))
    for width, height in ((390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        table.hand(iter(parts[:3]))
        page.set_viewport_size({"width": 1280, "height": 800})
        are_at_end()
    evening(5)
    assert lines.evaluate("list => list.childElementCount") == 400, "old lines go, and those that stay are moved"
    evening(1)
    lines.hover()
    page.mouse.wheel(0, -400)
    soon(lambda: lines.evaluate(rest) > 100)
    table.hand(iter(parts[:1]))
    assert lines.evaluate(rest) > 100, "who reads back is left where they read"
    page.mouse.wheel(0, 4000)
    are_at_end()
    evening(1)
