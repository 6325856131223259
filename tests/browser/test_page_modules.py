"""What every page's own script does: an order is given once, letters at the cage, a call is told in the title."""

from contextlib import suppress
from itertools import count
from urllib.parse import parse_qs

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Error, Page, expect

pytestmark = pytest.mark.browser

BASE = '<div id="toasts"></div><div class="my-calls" id="my-calls"></div>'
FORM = """
<form method="post" action="/do" {htmx}><input name="method"><button name="verb" value="pay">Pay</button></form>
"""
#: By the second click the browser is on its way (its answer never comes), or htmx has what would wait behind the first.
TWICE = """async (isHtmx) => {
  const button = document.querySelector("button");
  const turn = () => fetch("/turn"); // there and back: what was sent before it is known to have been
  const over = isHtmx && new Promise((done) => addEventListener("htmx:afterRequest", done));
  button.click();
  if (!isHtmx) await turn();
  button.click();
  await over;
  for (let again = 0; again < 3; again++) await turn();
}"""
CONSOLE = """
<div data-run data-socket="/ws" hx-target="#run-parts" hx-swap="outerHTML settle:0ms"><b data-run-state></b>
<b id="run-badge"></b><form hx-get="/parts?q"></form>{}</div>
"""
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

GIVEN = """<section data-call="seat:{0}" data-opens="{0}" hidden><strong>Your table is open</strong>
<a href="/tables/{0}/">To your table</a><button type="button" data-put-away>×</button></section>"""
DRAWN = """(html) => {
  const calls = document.getElementById("my-calls");
  calls.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.children);
  calls.dispatchEvent(new CustomEvent("htmx:afterSwap"));
  return [document.title.slice(2), localStorage.getItem("calls-told")];
}"""


def parts(seq: int, *, is_answer: bool = True) -> str:
    """The console's parts, and over them the state of the event, as an answer brings both."""
    badge = f'<b id="run-badge" hx-swap-oob="true">at {seq}</b>' if is_answer else ""
    return f"""{badge}<div id="run-parts" data-seq="{seq}" hx-get="/parts" hx-trigger="event-moved" hx-target="this">
        <button hx-post="/do">Stop the clock</button></div>"""


def load(page: Page, body: str, *names: str) -> None:
    page.set_content(BASE + body)
    for name in names:
        page.evaluate("(name) => import(`/static/${name}`)", name)


@pytest.mark.parametrize("htmx", ["", 'hx-post="/do" hx-swap="none"'])
def test_a_form_that_is_sent_by_two_clicks_is_sent_once(page, htmx):
    sent = []

    def answer(route):
        sent.append(route.request.post_data)
        if htmx:
            route.fulfill(status=204)

    page.route("**/do", answer)
    load(page, FORM.format(htmx=htmx), "django_htmx/htmx-2.js", "cardroom/page.js")
    page.evaluate(TWICE, bool(htmx))
    assert sent == ["method=&verb=pay"]


@pytest.mark.parametrize(("code", "is_kept"), [("count-again", False), ("count-differs", False), ("no-chips", True)])
def test_a_count_that_is_refused_is_made_again_under_another_key(page, code, is_kept):
    sent = []

    def answer(route):
        sent.append(route.request.post_data)
        problem = {"code": code, "detail": "Count again", "rule": None}
        route.fulfill(status=422, body=render_to_string("_problem.html", {"problem": problem}))

    page.route("**/do", answer)
    form = '<form hx-post="/do" hx-swap="none"><input type="hidden" name="key" value="k1"><button>Count</button></form>'
    load(page, form, "django_htmx/htmx-2.js", "cardroom/page.js")
    for _ in range(2):
        page.get_by_role("button", name="Count", exact=True).click()
        page.get_by_text("Count again").last.wait_for()
        page.wait_for_function("!document.querySelector('.htmx-request')")
        page.evaluate("document.getElementById('toasts').replaceChildren()")
    assert (sent[0], sent[1] == sent[0], len(sent)) == ("key=k1", is_kept, 2)


def test_letters_pick_what_is_done_at_the_cage_outside_the_fields_for_words(page):
    load(page, CAGE, "cardroom/cage/cage.js")
    kind = page.locator("[name=kind]:checked")
    page.locator("#amount").press("w")
    assert (kind.get_attribute("value"), page.locator("#amount").input_value()) == ("withdrawal", "")
    page.locator("#reason").press("d")
    assert (kind.get_attribute("value"), page.locator("#reason").input_value()) == ("withdrawal", "d")
    page.locator("#amount").press("f")
    assert page.evaluate("document.activeElement.id") == "q"


def test_a_call_is_in_the_title_while_it_stands_and_told_once_whatever_tabs_are_open(page):
    load(page, "", "cardroom/calls.js")
    words = "Your seat is ready: Larch, seat 3"
    assert page.evaluate(DRAWN, CALL.format("7:Larch:3")) == [words, '["7:Larch:3"]']
    page.goto("http://room.test/")
    load(page, "", "cardroom/calls.js")  # before it has asked who is called
    assert page.evaluate("localStorage.getItem('calls-told')") == '["7:Larch:3"]'
    assert (page.evaluate(DRAWN, "")[1], page.title()) == ("[]", "")
    # It gives back the title that the page has by then.
    page.evaluate("document.title = '● Your turn · Larch'")
    page.evaluate(DRAWN, "")
    assert page.title() == "● Your turn · Larch"
    page.evaluate(DRAWN, CALL.format("7:Larch:3"))
    page.evaluate(DRAWN, "")
    assert page.title() == "● Your turn · Larch"


def test_a_table_that_is_given_opens_by_itself_once_and_not_under_somebody_who_types(page):
    page.clock.install()

    def drawn(html, body=""):
        page.goto("http://room.test/lobby/")
        load(page, body, "cardroom/calls.js")
        page.evaluate("document.querySelector('input')?.focus()")
        page.evaluate(DRAWN, html)
        page.clock.run_for(4000)

    for busy in ('<input name="q">', '<main data-table="3"></main>', "<dialog open></dialog>"):
        drawn(GIVEN.format(7), busy)
        assert page.evaluate("[location.pathname, localStorage.getItem('tables-opened')]") == ["/lobby/", None]
    drawn(GIVEN.format(7))
    page.wait_for_url("**/tables/7/")
    drawn('<span data-opened="8"></span>')  # the page of that table, opened by hand
    for left in (7, 8):
        drawn(GIVEN.format(left))
        assert page.evaluate("[location.pathname, localStorage.getItem('tables-opened')]") == ["/lobby/", '["7","8"]']
    drawn(GIVEN.format(9))
    page.wait_for_url("**/tables/9/")


def test_an_open_table_is_announced_until_it_is_opened_or_dismissed_in_any_tab(page):
    def given(tab, *seats):
        tab.evaluate(DRAWN, "".join(GIVEN.format(seat) for seat in seats))
        return tab.locator("[data-opens]")

    other = page.context.new_page()
    for tab in (page, other):
        tab.goto("http://room.test/lobby/")
        load(tab, '<dialog open></dialog><main data-table="3"></main>', "cardroom/calls.js")  # nothing opens by itself
        tab.evaluate("document.title = 'Lobby'")
    told, told_there = given(page, 5, 6, 7), given(other, 5, 6, 7)
    expect(told).to_have_count(3)
    expect(told.first).to_be_visible()
    assert page.title() == "Lobby"
    told.first.get_by_role("button").click()
    expect(told).to_have_count(2)
    expect(told_there).to_have_count(2)
    other.evaluate(DRAWN, '<span data-opened="6"></span>')  # the page of that table
    expect(told).to_have_count(1)
    expect(given(page, 5, 6, 7)).to_have_count(1)
    assert page.evaluate("localStorage.getItem('tables-opened')") == '["5","6"]'


def test_a_dealers_marks_stay_when_an_order_redraws_the_page(page):
    served, sent = count(1), []

    def side(route=None):
        drawn = TABLET.format(kinds=render_to_string("games/floor/_call_kinds.html"), key=f"k{next(served)}")
        return route.fulfill(body=drawn, content_type="text/html") if route else drawn

    def call(route):
        sent.append(parse_qs(route.request.post_data))
        route.fulfill(status=204, headers={"HX-Trigger": '{"seats-moved": {}}'})

    page.route("**/side", side)
    page.route("**/call", call)
    load(page, side(), "django_htmx/htmx-2.js", "games/floor/seating.js")
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


def test_a_request_from_before_a_redraw_is_dropped_and_a_search_is_not(page):
    asked = []
    page.route("**/parts*", lambda route: asked.append(route))
    page.route("**/do", lambda route: route.fulfill(body=parts(2), content_type="text/html"))
    page.route_web_socket("**/ws", lambda line: None)
    load(page, CONSOLE.format(parts(1, is_answer=False)), "django_htmx/htmx-2.js", "tournaments/directing/main.js")
    page.evaluate("""() => {
      globalThis.faults = [];
      for (const kind of ["htmx:oobErrorNoTarget", "htmx:sendAbort"]) addEventListener(kind, () => faults.push(kind));
      document.getElementById("run-parts").dispatchEvent(new CustomEvent("event-moved"));
      document.querySelector("form").requestSubmit();
    }""")
    page.locator("button").click()
    expect(page.locator("#run-parts")).to_have_attribute("data-seq", "2")
    for late, seq in zip(asked, (2, 3), strict=True):
        with suppress(Error):  # nobody waits for the first one
            late.fulfill(body=parts(seq), content_type="text/html")
    expect(page.locator("#run-parts")).to_have_attribute("data-seq", "3")
    expect(page.locator("#run-badge")).to_have_text("at 3")
    assert page.evaluate("faults") == ["htmx:sendAbort"]


def test_news_from_before_the_scripts_is_told_and_a_lost_socket_opens_again(page):
    lines = []
    page.route_web_socket("**/ws", lambda line: lines.append(line) or line.send(f'"fact-{len(lines)}"'))
    page.evaluate("""async () => {
      const { Connection } = await import("/static/games/play/socket.js");
      const { Client } = await import("/static/games/play/client.js");
      const load = () => new Promise((onload) => {
        const src = "/static/games/play/first_socket.js";
        const script = Object.assign(document.createElement("script"), { onload, src });
        script.dataset.socket = "/ws";
        document.head.append(script);
      });
      await load();
      while (!(Date.now() - firstSocket.heard[0]?.at > 50)) await new Promise(requestAnimationFrame);
      const tell = (word, at) => document.body.append(` ${word}`, Date.now() - at > 50 ? "-late" : "");
      new Connection("ws://room.test/ws", { message: tell, open: () => tell("open"), lost: () => tell("lost") }).open();
      const client = new Client({ draw: () => tell(`clock-${Math.round(client.offset / 1e4)}`) });
      client.receive({ type: "clock", now: Date.now() - 6e4 }, Date.now() - 6e4);
      await load(); // too late
    }""")
    expect(page.locator("body")).to_have_text("open fact-1-late clock-0")
    assert len(lines) == 1
    lines[0].close()
    expect(page.locator("body")).to_have_text("open fact-1-late clock-0 lost open fact-2")
