"""A manager writes a house rulebook in a browser and has a table play it; on a desk and on a phone."""

import re

import pytest
from playwright.sync_api import expect

from cardroom.models import User
from cardroom.services import access

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long("a manager's journey at two widths; tests/web/test_rulebook_pages.py has every step"),
]


@pytest.fixture
def manager(come_in, direct):
    def came(name, **options):
        somebody = come_in(name, **options)
        direct(_make_manager, somebody.name)
        return somebody

    return came


def _make_manager(name):
    access.grant_role(user=User.objects.get(username=name), role="manager", by=None)


def fits(page):
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


@pytest.mark.parametrize(("name", "width"), [("River", 1280), ("Brook", 390)])
def test_a_manager_writes_a_book_and_a_table_plays_it(manager, open_table, name, width):
    table = open_table(f"Elm {width}")
    mia = manager("Mia", width=width)
    page = mia.page
    page.goto("/rules/?only=differences")
    expect(page.get_by_role("rowheader", name="Raise cap")).to_be_visible()
    fits(page)
    mia.picture(f"rules-{width}")
    page.get_by_role("link", name="House rulebooks").click()
    page.get_by_role("link", name="New house rulebook").click()
    page.get_by_label("Robert's Rules of Poker v4").check()
    page.get_by_role("button", name="Go on").click()

    # What does not go together is told as soon as it is ticked, and taken back when it is mended.
    exposed = page.locator("#exposed_downcard")
    exposed.get_by_role("group", name="cash games").get_by_label("misdeal").check()
    status, draft = page.locator("#draft-status"), page.locator("#draft")
    expect(status).to_have_text("1 problem")
    expect(draft).to_contain_text("one downcard face up is a misdeal already")
    fits(page)
    mia.picture(f"house-refused-{width}")
    both = page.locator("#both_downcards_exposed")
    both.get_by_role("group", name="cash games").get_by_label("misdeal").check()
    expect(status).to_have_text("2 changed")
    draft.get_by_text("Downcard turned up").click()
    expect(draft).to_contain_text("the third comes down and the exposed card is the door card")
    expect(draft).to_contain_text("If one of the first two cards is dealt face up, it is a misdeal.")
    exposed.get_by_text("In the house’s own words").click()
    exposed.get_by_role("textbox").fill("A card face up in the deal, and the hand is dealt again.")
    page.get_by_label("What it is called").fill(f"{name} Room")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(rf"House rules {name} Room 20\d\d-\d\d-\d\d"))
    title = page.get_by_role("heading", level=1).inner_text()
    changed = page.get_by_role("region", name="What the house changed")
    expect(changed).to_contain_text("A card face up in the deal, and the hand is dealt again.")
    expect(changed).to_contain_text("the third comes down and the exposed card is the door card")
    fits(page)
    mia.picture(f"house-book-{width}")

    page.get_by_role("link", name="Have a table play it").click()
    page.get_by_role("link", name=f"Change what Elm {width} plays").click()
    page.get_by_label("From the next hand on it plays by").select_option(label=title)
    page.get_by_role("button", name="Play by this book").click()
    expect(page.get_by_role("main")).to_contain_text(f"plays by {title} from its next hand on")
    fits(page)
    page.goto(f"/tables/{table}/")
    played = page.get_by_role("link", name="The rules played here", include_hidden=True)
    expect(played).to_have_attribute("href", re.compile(rf"/rules/house/{name.lower()}-room/20\d\d-"))
    assert mia.complaints == []
