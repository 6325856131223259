"""What a manager ticks in a house rulebook is weighed while they write, on a phone; `tests/web` has the other steps."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long("a form that asks while it is filled in; tests/web/test_rulebook_pages.py has every step"),
]


def test_what_does_not_go_together_is_told_as_soon_as_it_is_ticked(come_in):
    page = come_in("Mia", role="manager", width=390).page
    page.goto("/rules/house/new/?base=roberts-v4")
    exposed = page.locator("#exposed_downcard")
    exposed.get_by_role("group", name="cash games").get_by_label("misdeal").check()
    status, draft = page.locator("#draft-status"), page.locator("#draft")
    expect(status).to_have_text("1 problem")
    expect(draft).to_contain_text("one downcard face up is a misdeal already")
    both = page.locator("#both_downcards_exposed")
    both.get_by_role("group", name="cash games").get_by_label("misdeal").check()
    expect(status).to_have_text("2 changed")
    draft.get_by_text("Downcard turned up").click()
    expect(draft).to_contain_text("the third comes down and the exposed card is the door card")
    expect(draft).to_contain_text("If one of the first two cards is dealt face up, it is a misdeal.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    exposed.get_by_text("Text of the house").click()
    exposed.get_by_role("textbox").fill("A card face up in the deal, and the hand is dealt again.")
    page.get_by_label("Name").fill("River Room")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"House rules River Room 20\d\d-\d\d-\d\d"))
    changed = page.get_by_role("region", name="What the house changed")
    expect(changed).to_contain_text("A card face up in the deal, and the hand is dealt again.")
