"""Several tables at once: a bar with every seat on every page, all tables in one window, the turn in front."""

import re

import pytest
from playwright.sync_api import expect

#: Two tiles have half the window each, once they have been laid out.
HALVES = """
() => {
  const [one, other] = [...document.querySelectorAll("iframe.tile")].map((tile) => tile.getBoundingClientRect().x);
  return Math.abs(one - other) >= 600;
}
"""
HAS_KEYS = "[...document.querySelectorAll('iframe')].find((tile) => tile.contentDocument.hasFocus())?.title"


def sit_at_new_tables(player, open_table, *names: str) -> list[int]:
    """The player sits down at new tables of these names, in seat 4."""
    tables = [open_table(name, bots=1, extra_seconds=[30], extra_cap_seconds=60) for name in names]
    for table in tables:
        player.sit(4, at=table)
    return tables


@pytest.mark.long("the bar on any page; the second test and the first evening go to tables by it")
def test_every_page_has_the_seats_one_has_elsewhere_and_tells_of_a_turn_there(come_in, open_table):
    ada = come_in("Ada")
    yarrow, _ = sit_at_new_tables(ada, open_table, "Yarrow", "Bryony")
    page = ada.page
    bar = page.get_by_role("navigation", name="Your tables")
    expect(bar.get_by_role("link", name="Yarrow")).to_be_visible()
    expect(bar.get_by_role("link", name="Bryony")).to_be_hidden()
    page.goto("/rules/")
    # No page of a table is open now: the room itself tells of the turn.
    expect(bar.get_by_role("link", name="Bryony your turn")).to_be_visible()
    other = ada.context.new_page()
    other.goto(f"/tables/{yarrow}/")
    act = other.get_by_role("group", name="Your legal actions").get_by_role("button", name=re.compile("^(Fold|Bring)"))
    expect(act.first).to_be_visible()
    expect(bar.get_by_role("link", name="Yarrow your turn")).to_be_visible()
    act.first.click()
    expect(bar.get_by_role("link", name="Yarrow", exact=True)).to_be_visible()


def test_all_tables_stand_in_one_window_and_the_turn_comes_to_the_front(come_in, open_table):
    ada = come_in("Ada")
    names = ("Campion", "Sedge")
    tables = sit_at_new_tables(ada, open_table, *names)
    page = ada.page
    page.get_by_role("navigation", name="Your tables").get_by_role("link", name="Side by side").click()
    tiles = page.locator("iframe.tile")
    expect(tiles).to_have_count(2)
    expect(page.get_by_role("button", name="Tiled")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function(HALVES)
    page.get_by_role("button", name="Stacked").click()
    for name in names:  # else the one whose turn comes first takes the place of what is chosen
        expect(page.get_by_role("button", name=f"{name}: your turn")).to_be_visible()
    inside = {name: page.frame_locator(f"iframe[title={name}]") for name in names}
    acts = {name: tile.get_by_role("group", name="Your legal actions") for name, tile in inside.items()}
    for name in names:
        page.get_by_role("button", name=name).click()
        expect(page.locator("iframe.is-focused")).to_have_attribute("title", name)
        expect(acts[name].get_by_role("button").first).to_be_visible()
    expect(page).to_have_title(re.compile("^● Your turn · (Campion|Sedge)$"))  # either: whose turn came first
    # At Sedge a key acts, and the other table that waits comes to the front by itself.
    first = acts["Sedge"].get_by_role("button").first
    expect(first).to_be_enabled()
    first.focus()
    page.keyboard.press("c")
    expect(page.locator("iframe.is-focused")).to_have_attribute("title", "Campion")
    page.keyboard.press("]")
    expect(page.locator("iframe.is-focused")).to_have_attribute("title", "Sedge")
    assert page.locator("iframe.is-focused").bounding_box()["width"] > 1200, "stacked, a table has the whole window"
    # A click into a table takes the keys there, and they go with the table that comes to the front after it.
    page.get_by_role("button", name="Tiled").click()
    for clicked, then in (("Campion", "Sedge"), ("Campion", "Sedge"), ("Sedge", "Campion")):
        inside[clicked].locator(".felt__oval").click(position={"x": 295, "y": 200})
        expect(page.locator("iframe.is-focused")).to_have_attribute("title", clicked)
        page.keyboard.press("]")
        expect(page.locator("iframe.is-focused")).to_have_attribute("title", then)
        assert page.evaluate(HAS_KEYS) == then
    token = page.evaluate("JSON.parse(document.body.getAttribute('hx-headers'))['X-CSRFToken']")
    page.request.post(f"/api/v1/tables/{tables[0]}/seats/leave", headers={"X-CSRFToken": token})
    expect(tiles).to_have_count(1)
