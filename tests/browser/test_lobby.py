"""The lobby as a reader finds it: their own times at the first look, many tables on a small screen, one header."""

import pytest
from playwright.sync_api import expect

from tests.browser.staff import House
from tests.support.waiting import soon

pytestmark = pytest.mark.browser

SCREENS = [(1920, 1080), (1280, 800), (1024, 768), (844, 390), (390, 844), (320, 640)]
#: Of the lobby: how high its tables and its filters are, what of a table's line is not on one line with the rest, how
#: many tables are on the first screen, how wide list and side are together, and what is wider than the page.
SEEN = """
() => {
  const box = (node) => node.getBoundingClientRect();
  const isShown = (node) => box(node).width > 1 && box(node).height > 1;
  const rows = [...document.querySelectorAll(".offers .table-card")];
  const middle = (node) => (box(node).top + box(node).bottom) / 2;
  const lobby = box(document.querySelector(".lobby"));
  return {
    heights: rows.map((row) => Math.round(box(row).height)),
    bar: Math.round(box(document.querySelector(".lobby-bar")).height),
    apart: rows.flatMap((row) => {
      const apart = [...row.children].filter((node) => isShown(node) && Math.abs(middle(node) - middle(row)) > 4);
      return apart.map((node) => node.className);
    }),
    first: rows.filter((row) => box(row).bottom <= innerHeight).length,
    width: lobby.width,
    wider: document.documentElement.scrollWidth - innerWidth,
  };
}
"""
#: Counts of games and facts of events that are neither whole nor out of sight, and so are cut in a word.
CUT = """
() => [...document.querySelectorAll(".offer__count > span, .lobby__side .event-card__fact > *")].flatMap((node) => {
  const words = document.createRange();
  words.selectNodeContents(node);
  const [box, frame] = [words.getBoundingClientRect(), node.parentElement.getBoundingClientRect()];
  const isOut = !box.height || box.top >= frame.bottom - 1;
  const isIn = box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.bottom <= frame.bottom + 2;
  return isOut || isIn ? [] : [node.textContent.trim()];
})
"""
HEAD = "() => document.querySelector('.site-head, .table-bar').getBoundingClientRect().height"


def test_times_are_in_the_browsers_zone_at_the_first_look(come_in):
    rail = come_in(None, timezone_id="Asia/Tokyo").page
    loads = []
    rail.on("framenavigated", lambda frame: loads.append(frame.url))
    rail.goto("/tournaments/")
    expect(rail.locator("html")).to_have_attribute("data-zone", "Asia/Tokyo")
    expect(rail.locator(".site-foot")).to_contain_text("Times are JST (Asia/Tokyo)")
    loads.clear()
    rail.goto("/tournaments/?show=finished")
    expect(rail.locator("html")).to_have_attribute("data-zone", "Asia/Tokyo")
    assert len(loads) == 1, "a zone that is known costs no second load"


def test_a_table_is_one_line_and_a_phone_shows_five_under_a_header_of_one_height(come_in, open_table):
    tables = [open_table(f"Larkspur {number}", bots=number) for number in range(1, 7)]
    page = come_in("Ada").page
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        heads = set()
        for address in (f"/tables/{tables[0]}/", "/tournaments/", "/me/", "/"):
            page.goto(address)
            heads.add(page.evaluate(HEAD))
        assert len(heads) == 1, (width, heads)
        seen = page.evaluate(SEEN)
        assert max(seen["heights"]) <= 52, (width, seen)
        assert seen["bar"] <= 56, (width, seen)
        assert seen["apart"] == [], (width, seen)
        assert seen["wider"] <= 0, (width, seen)
        assert seen["width"] >= width - 40, (width, seen)
        if height >= 640:
            assert seen["first"] >= 5, (width, seen)
    rail = come_in(None, width=390, height=844).page
    rail.goto("/")
    assert rail.evaluate(SEEN)["first"] >= 5


def test_no_count_of_a_game_on_offer_is_cut_in_a_word(come_in, direct):
    house = direct(House, "Lobby")
    names = ("Stud 20/40 live", "Stud Eight-or-Better 10/20 live", "Razz 10/20 upstairs")
    for name in names:
        offer = direct(house.offer, name=name)
        direct(house.open, offer, *direct(house.free_tables, f"Of {name}"))
    page = come_in("Ada").page
    # The room keeps what is on offer for a moment, and did not hear of these.
    offers = [page.locator(".offer", has_text=name) for name in names]
    soon(lambda: page.goto("/") and all(offer.count() for offer in offers), "the games are not in the lobby")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/")
        assert page.evaluate(CUT) == [], width


def test_a_bot_has_a_face_and_always_the_same(come_in, open_table):
    table = open_table("Faces", bots=2)
    page = come_in(None).page
    faces = []
    for _ in range(2):
        page.goto(f"/tables/{table}/")
        shown = page.locator(".seat [data-part=face]:not([hidden])")
        expect(shown).to_have_count(2)
        faces.append(shown.evaluate_all("(all) => all.map((each) => each.getAttribute('src'))"))
    assert faces[0] == faces[1]
    assert len(set(faces[0])) == 2
