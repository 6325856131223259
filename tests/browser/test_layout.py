"""What a table looks like: nothing covers a stack, tens can be read in any font, a ruling moves nothing, and the head
of a page is whole."""

import pytest
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.redis,
    pytest.mark.long("looks of the table on seven screens; test_cash_pages.py has every page at a phone's width"),
]

#: A desk, a small laptop, both at twice their size, a tablet, a phone, and a phone on its side.
SCREENS = [(1280, 800), (1024, 768), (640, 400), (960, 540), (820, 1180), (390, 844), (844, 390)]

#: Seats are placed anew in the frame after the window has another size.
COVERED = """
async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return [...document.querySelectorAll(".seat .plate__stack")].flatMap((stack) => {
    const box = stack.getBoundingClientRect();
    const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const by = seen?.closest(".seat, .card");
    return by && by !== stack.closest(".seat") ? [`${stack.closest(".seat").innerText} under ${seen.outerHTML}`] : [];
  });
}
"""
RULED = """
async () => {
  const boxes = [".felt", ".deck"].map((name) => document.querySelector(name));
  const place = () => JSON.stringify(boxes.map((box) => box.getBoundingClientRect()));
  const ruling = document.querySelector("[data-page=ruling]");
  const before = place();
  document.querySelector(".toasts")?.replaceChildren();
  const words = `<strong class="ruling__title">Action out of turn</strong> ${"Words. ".repeat(60)}`;
  ruling.querySelector("ol").innerHTML = `<li>${words}</li>`;
  ruling.hidden = false;
  await null; // the place of notices has seen it
  const after = place();
  const close = ruling.querySelector("button").getBoundingClientRect();
  const over = document.elementFromPoint(close.x + close.width / 2, close.y + close.height / 2);
  ruling.hidden = true;
  return { moved: before !== after, over: ruling.contains(over) ? "" : over?.outerHTML };
}
"""
TENS = """
async (font) => {
  document.documentElement.style.setProperty("--font-cards", font);
  const { drawCard } = await import("/static/games/cards.js");
  const holder = document.body.appendChild(document.createElement("div"));
  holder.style.cssText = "position: fixed; inset: 0 auto auto 0; z-index: 99";
  const faults = [28, 46, 96].filter((width) => {
    const card = drawCard("Td");
    card.style.setProperty("--w", `${width}px`);
    holder.replaceChildren(card);
    const [rank, suit] = [card.querySelector(".card__rank"), card.querySelector(".card__suit")];
    const words = document.createRange();
    words.selectNodeContents(rank);
    const lines = new Set([...words.getClientRects()].map((box) => Math.round(box.top)));
    return lines.size !== 1 || rank.getBoundingClientRect().bottom > suit.getBoundingClientRect().top + 1;
  });
  holder.remove();
  document.documentElement.style.removeProperty("--font-cards");
  return faults;
}
"""


def test_a_table_is_laid_out_well_on_every_screen_and_in_every_font(open_table, come_in):
    ada = come_in("Ada")
    ada.sit(8, at=open_table("Layout", bots=7, act_seconds=120))
    ada.wait_for_cards()
    page = ada.page
    expect(page.locator(".seat .plate__stack")).to_have_count(8)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED) == [], (width, height)
        assert page.evaluate(RULED) == {"moved": False, "over": ""}, (width, height)
    assert page.evaluate("""() => document.fonts.check('700 20px "Card Faces"', "10♠")""")
    for font in ('"Card Faces"', "monospace", "Verdana, 'DejaVu Sans'"):
        assert page.evaluate(TENS, font) == [], font


def test_the_head_of_every_page_is_whole_on_the_smallest_phone(come_in):
    for somebody in (None, "Flo"):
        page = come_in(somebody, role="floor", width=360, height=740).page
        page.goto("/lobby/")
        assert page.locator(".site-head__row").evaluate("row => row.scrollWidth <= innerWidth")
        page.locator("summary", has_text="Menu").click()
        page.get_by_role("link", name="Rules", exact=True).click()
        expect(page.get_by_role("heading", name="Rules", level=1)).to_be_visible()
