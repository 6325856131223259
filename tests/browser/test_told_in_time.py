"""What is told at a table comes when it is seen, and stays in sight: words with cards, the dealer's lines at their end,
amounts in one unit, a ruling once.
"""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.told import YOU, facts_by_action
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
      const name = part?.className || part?.dataset.page;
      if (part && isFlying()) window.early.push(`${type} in ${name}: ${part.textContent.slice(-60)}`);
    }
  };
  const page = document.querySelector("[data-table]");
  new MutationObserver(note).observe(page, { subtree: true, childList: true, characterData: true });
  const turns = () => isFlying() && window.early.push("turn");
  new MutationObserver(turns).observe(page, { attributeFilter: ["data-turn"] });
}"""


def test_words_of_a_deal_come_with_its_cards_and_not_before_them(told):
    table = told(reduced_motion="no-preference")
    table.page.evaluate(WATCH)
    table.hand(iter(list(facts_by_action(1))[:14]))  # to fourth street
    assert table.page.evaluate("window.flights") > 24
    assert table.page.evaluate("window.early") == []
    expect(table.page.locator(".seat.is-you .seat__made")).not_to_be_empty()


def test_the_dealers_lines_follow_their_end_until_somebody_scrolls(told):
    table = told()
    page, lines = table.page, table.page.locator(".log__list")
    parts = list(facts_by_action(1))
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


def test_the_same_ruling_is_told_in_full_once_a_session_and_is_a_mark_after_that(page):
    told = page.evaluate(
        """async () => {
          const { connectRulings } = await import("/static/games/play/rulingbar.js");
          const bar = document.createElement("section");
          bar.innerHTML = "<ol></ol><button hidden>§</button><button>x</button>";
          document.body.append(bar);
          const [rulingList, rulingMark, rulingDone] = bar.children;
          const parts = { ruling: bar, rulingList, rulingMark, rulingDone };
          const join = () => connectRulings(parts, { bookOf: () => ({ title: "Home", url: "/" }) });
          const ruling = { key: "exposed_downcard", verdict: "third-card-down", words: "It goes down.", seats: [1] };
          const other = { ...ruling, key: "wrong_card_count", verdict: "corrected", words: "It is put right." };
          const mark = () => `mark: ${!rulingMark.hidden && rulingMark.title}`;
          const seen = () => (bar.hidden ? mark() : `full: ${rulingMark.hidden}`);
          const of = (seq, each) => [{ seq, ruling: each }];
          const story = [];
          let rulings = join();
          const draw = (list) => {
            rulings.draw(list);
            story.push(seen());
          };
          draw(of(5, ruling));
          draw(of(5, ruling));
          rulings.forget();
          draw(of(7, ruling));
          rulingMark.click();
          story.push(seen());
          rulings.forget();
          draw([...of(3, ruling), ...of(4, other)]);
          rulings = join(); // the page is loaded again
          draw(of(9, other));
          bar.remove();
          return story;
        }"""
    )
    assert told[:2] == ["full: true", "full: true"], "it stays as it was told"
    assert told[2].lower() == "mark: downcard turned up: third card down"
    assert told[3:5] == ["full: true", "full: true"]
    assert told[5].startswith("mark: ")
    assert "corrected" in told[5]


def test_amounts_are_in_big_bets_on_the_felt_and_in_the_lines_or_nowhere(told):
    table = told()
    page = table.page
    parts = list(facts_by_action(1))
    table.hand(iter(parts[:9]))
    lines = page.locator(".log__list")
    expect(lines).to_contain_text("Antes are in: 8.")
    page.locator(".options > summary").click()
    page.get_by_label("Amounts").select_option("In big bets")
    expect(lines).to_contain_text("Antes are in: 0.27 BB.")
    expect(lines).not_to_contain_text("Antes are in: 8.")
    table.hand(iter(parts[:9]))
    expect(page.locator("[data-page=potAmount]")).to_contain_text("BB")
    sums = lines.evaluate("list => [...list.querySelectorAll('.log__line')].map((line) => line.textContent)")
    assert [text for text in sums if re.search(r"\b(bets|calls|Antes|for|Pot)\b", text) and "BB" not in text] == []
    page.get_by_label("Amounts").select_option("In chips")
    expect(lines).not_to_contain_text("BB")


def test_a_table_is_dark_unless_its_player_or_device_chose_light(told):
    table = told(color_scheme="light")
    page = table.page
    scheme = "getComputedStyle(document.documentElement).colorScheme"
    surface = "getComputedStyle(document.querySelector('.table-bar')).backgroundColor"
    dark, light = "rgb(27, 33, 36)", "rgb(255, 255, 255)"
    assert page.evaluate(surface) == dark
    page.locator(".options > summary").click()
    theme = page.get_by_label("Theme")
    for choice, colour in (("Light", light), ("Dark", dark), ("As the device", light)):
        with page.expect_response("**/me/look/"):  # else the answer to this one is taken for that to the last
            theme.select_option(choice)
        assert page.evaluate(surface) == colour, choice
    with page.expect_response("**/me/look/"):
        theme.select_option("Dark")
    page.goto("/lobby/")
    assert page.evaluate(scheme) == "dark", "it is kept, for all pages"


def test_the_language_is_chosen_in_the_menu_of_a_table(told):
    table = told()
    page = table.page
    page.locator(".options > summary").click()
    page.locator(".options summary", has_text="Language").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("[data-table]")).to_be_visible()


def test_a_page_whose_script_does_not_come_says_so_after_ten_seconds(come_in):
    ada = come_in("Ada")
    ada.expected.append("ERR_FAILED")
    page = ada.page
    late = page.get_by_role("alert").filter(has_text="Part of this page has not arrived.")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("data-script", "here")
    expect(page.locator(".late")).to_be_hidden()
    assert page.locator(".late").evaluate("each => getComputedStyle(each).display") == "none"
    page.route(re.compile(r"/page[.\w]*\.js"), lambda route: route.abort())
    page.goto("/")
    expect(page.locator(".late")).to_be_hidden()
    page.evaluate("document.querySelector('.late').getAnimations().forEach((each) => (each.currentTime = 9_900))")
    expect(late.get_by_role("link", name="Load it again")).to_have_attribute("href", "/")
    expect(late).to_be_visible()


def test_who_sits_out_among_bots_and_who_may_not_look_on_are_told_what_is_so(told):
    table = told(seats=range(1, 4))
    status = table.page.locator("[data-page=status]")

    def tell(you, **changes):
        seats = [row | {"is_bot": row["number"] > 1} for row in table._table["seats"]]
        seats[0] |= {"state": "sitting-out"}
        view = table._table | {"seats": seats, "bots_wait_for_people": True} | changes
        table._sockets[-1].send(json.dumps({"type": "table", "seq": 0, "table": view, "you": YOU | you}))

    tell({"state": "sitting-out"})
    expect(status).to_have_text("You are sitting out. The bots wait until you are back.")
    tell({"state": "sitting-out"}, bots_wait_for_people=False)
    expect(status).to_have_text("You are sitting out.")
    tell({"seat": None}, is_shown=False)
    expect(status).to_have_text("Sit down to see the hands.")
    expect(table.page.locator("[data-page=houseLine]")).to_contain_text("This table has no spectators")
    tell({"seat": None})
    expect(status).to_have_text("You are watching from the rail.")


def test_a_rebuy_offers_what_its_player_came_in_with(told):
    table = told()
    table.page.route(
        "**/buy-in", lambda route: route.fulfill(json={"least": 300, "most": 1500, "rule": "", "last": 450})
    )
    table.own_seat(stack=0, state="sitting-out")
    table.page.get_by_role("region", name="Your move").get_by_role("button", name="Add chips").click()
    expect(table.page.get_by_label("Chips to add, as a number")).to_have_value("450")


def test_my_seats_ask_before_one_leaves(two_sit):
    ada, _ = two_sit("Firm")
    page = ada.page
    page.goto("/me/seats/")
    leave = page.get_by_role("button", name="Leave")
    leave.click()
    asks = page.get_by_role("alertdialog", name="Leave now?")
    asks.get_by_role("button", name="Not now").click()
    expect(asks).to_have_count(0)
    leave.click()
    asks.get_by_role("button", name="Leave").click()
    expect(page.get_by_text("You leave when this hand is over.")).to_be_visible()
