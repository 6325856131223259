"""What a table costs a browser: eight who act at once, an evening in one tab, and how still everything lies.

The page is the room's own; what its connection tells is a hand of the engine as the first seat sees it.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.told import OBSERVE, facts_by_action

pytestmark = [
    pytest.mark.browser,
    pytest.mark.redis,
    pytest.mark.long("how still and how quick a page is; test_heard.py plays a hand through the same page"),
]

#: A frame is dropped, microseconds.
LONG_TASK = 50_000
#: What may have moved that nobody touched.
STILL = 0.02
MEGABYTE = 1_000_000


def test_nothing_moves_by_itself_and_a_burst_of_actions_holds_up_no_frame(told):
    table = told()
    parts = list(facts_by_action(1))
    table.hand(iter([[fact for part in parts[i : i + 9] for fact in part] for i in range(0, len(parts), 9)]))
    assert table.page.evaluate("window.moved") < STILL
    dealt, *actions = parts[:9]
    assert table.longest_task(iter([dealt, [fact for part in actions for fact in part]])) < LONG_TASK


def test_the_lobby_lies_still_from_the_start(come_in, open_table):
    open_table("Still", bots=3)
    page = come_in("Ada").page
    page.add_init_script(OBSERVE)
    page.goto("/", wait_until="networkidle")
    expect(page.locator("body")).to_have_attribute("data-room-state", "open")
    assert page.evaluate("window.moved") < STILL


def test_five_hundred_hands_in_one_tab_leave_no_more_than_ten_megabytes(told):
    table = told()
    hands = [[fact for part in facts_by_action(seed) for fact in part] for seed in range(10)]
    for i in range(20):
        table.hand(iter([hands[i % 10]]), is_watched=False)
    table.wait()
    before = table.heap()
    for i in range(500):
        table.hand(iter([hands[i % 10]]), is_watched=False)
    table.wait()
    assert table.heap() - before < 10 * MEGABYTE
