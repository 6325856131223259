"""What every page's own script does: an order is given once, letters at the cage, a call is told in the title."""

from itertools import count
from urllib.parse import parse_qs

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

BASE = '<div id="toasts"></div><div class="my-calls" id="my-calls"></div>'
FORM = """
<form method="post" action="/do" {htmx}><input name="method"><button name="verb" value="pay">Pay</button></form>
"""
TWICE = """async () => {
  const button = document.querySelector("button");
  button.click();
  await new Promise((done) => setTimeout(done, 60));
  button.click();
}"""
CAGE = """
<input id="q" aria-keyshortcuts="f"><input id="reason">
<label><input type="radio" name="kind" value="deposit" aria-keyshortcuts="d" checked>Deposit</label>
<label><input type="radio" name="kind" value="withdrawal" aria-keyshortcuts="w">Withdrawal</label>
<input id="amount" aria-keyshortcuts="a">
"""
TABLET = """
<div id="tablet-side" hx-get="/side" hx-select="#tablet-side" hx-trigger="seats-moved from:body"
 hx-swap="outerHTML" hx-disinherit="*"><form hx-post="/call" hx-swap="none">
<input type="hidden" name="key" value="{key}">{kinds}<button>Call the floor</button></form></div>
"""
CALL = '<section data-call="{}"><strong>Your seat is ready: Larch, seat 3</strong></section>'


def load(page: Page, body: str, *names: str) -> None:
    page.set_content(BASE + body)
    for name in names:
        page.evaluate("(name) => import(`/static/${name}`)", name)


@pytest.fixture
def orders(page):
    """What is sent to be done; the answer takes its time, and leaves the page as it is."""
    asked = []

    def answer(route):
        asked.append(route.request.post_data)
        page.wait_for_timeout(200)
        route.fulfill(status=204)

    page.route("**/do", answer)
    return asked


@pytest.mark.parametrize("htmx", ["", 'hx-post="/do" hx-swap="none"'])
def test_a_form_that_is_sent_by_two_clicks_is_sent_once(page, orders, htmx):
    load(page, FORM.format(htmx=htmx), "django_htmx/htmx-2.js", "cardroom/page.js")
    page.evaluate("globalThis.htmx?.process(document.body)")
    page.evaluate(TWICE)
    page.wait_for_timeout(600)
    assert orders == ["method=&verb=pay"]


def test_letters_pick_what_is_done_at_the_cage_outside_the_fields_for_words(page):
    load(page, CAGE, "cardroom/cage.js")
    kind = page.locator("[name=kind]:checked")
    page.locator("#amount").press("w")
    assert (kind.get_attribute("value"), page.locator("#amount").input_value()) == ("withdrawal", "")
    page.locator("#reason").press("d")
    assert (kind.get_attribute("value"), page.locator("#reason").input_value()) == ("withdrawal", "d")
    page.locator("#amount").press("f")
    assert page.evaluate("document.activeElement.id") == "q"


def test_a_call_is_in_the_title_while_it_stands_and_told_once_whatever_tabs_are_open(page):
    load(page, "", "cardroom/calls.js")
    drawn = """(html) => {
      const calls = document.getElementById("my-calls");
      calls.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.children);
      calls.dispatchEvent(new CustomEvent("htmx:afterSwap"));
      return [document.title.slice(2), localStorage.getItem("calls-told")];
    }"""
    words = "Your seat is ready: Larch, seat 3"
    assert page.evaluate(drawn, CALL.format("7:Larch:3")) == [words, '["7:Larch:3"]']
    page.goto("http://room.test/")
    load(page, "", "cardroom/calls.js")  # before it has asked who is called
    assert page.evaluate("localStorage.getItem('calls-told')") == '["7:Larch:3"]'
    assert page.evaluate(drawn, "")[1] == "[]"
    assert page.title() == ""


def test_what_a_dealer_marked_stays_when_another_order_of_his_redraws_it_and_a_second_call_is_a_second_call(page):
    served, sent = count(1), []

    def side(route=None):
        drawn = TABLET.format(kinds=render_to_string("games/_call_kinds.html"), key=f"k{next(served)}")
        return route.fulfill(body=drawn, content_type="text/html") if route else drawn

    def call(route):
        sent.append(parse_qs(route.request.post_data))
        route.fulfill(status=204, headers={"HX-Trigger": '{"seats-moved": {}}'})

    page.route("**/side", side)
    page.route("**/call", call)
    load(page, side(), "django_htmx/htmx-2.js", "games/seating.js")
    page.evaluate("globalThis.htmx?.process(document.body)")
    for word in ("Chips", "Drinks"):
        page.get_by_text(word).click()
        with page.expect_response("**/side"):
            page.evaluate("document.body.dispatchEvent(new Event('seats-moved'))")
        expect(page.locator("[name=key]")).to_have_value(f"k{len(sent) * 2 + 2}")
        with page.expect_response("**/side"):
            page.get_by_role("button").click()
    assert [each["kind"] for each in sent] == [["chips"], ["drinks"]]
    assert sent[0]["key"] != sent[1]["key"]
    assert page.locator("[name=kind]:checked").get_attribute("value") == "floor"
