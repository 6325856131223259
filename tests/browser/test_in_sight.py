"""What must be read at a table lies open: every corner of a card, every stack and bet, inside the felt, on every screen
and with cards of every size; and no notice of any kind lies on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import expect

from games.rulebooks.queries import load
from tests.browser.told import SEATS, Told
from tests.support.hands import STAKES, passive, shuffled_deck
from tests.support.parts.stud import Hand, HandConfig, IllegalAction, c
from tests.support.tiers import many

pytestmark = [pytest.mark.browser, pytest.mark.redis]

#: A desk, a phone, one on its side, a small laptop, the smallest phone, a tile of one window; in the long form more of
#: each, a tablet and the widest.
SCREENS = [
    *((1280, 800), (390, 844), (844, 390), (1024, 768), (320, 568), (628, 343)),
    *((320, 640), (360, 740), (568, 320), (628, 690), (820, 1180), (960, 540), (1920, 1080)),
][: many(6, long=13)]
SIZES = ["normal", "largest", "large"][: many(2, long=3)]

#: What a look at the page finds: points of what must be read at which something else is painted, and what sticks out.
IN_SIGHT = """
async ([size, wanted]) => {
  document.documentElement.dataset.lookCards = size;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (const node of document.querySelectorAll(".felt *")) node.style.pointerEvents = "auto";
  const isBare = (node) => node.matches(".seat, .seats, .bets, .middle, .seat__cards, .bet, .plate__open, .caption");
  const shown = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length;
  const CORNERS = [[0.5, 0.5], [0.08, 0.1], [0.92, 0.1], [0.08, 0.9], [0.92, 0.9]];
  const ROUND = [[0.5, 0.5], [0.12, 0.5], [0.88, 0.5], [0.5, 0.08], [0.5, 0.92]];
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const faults = [];
  for (const [name, owner, within] of wanted) {
    for (const node of [...document.querySelectorAll(name)].filter(shown)) {
      const box = node.getBoundingClientRect();
      const mine = node.closest(owner);
      if (within) {
        const frame = within === "window" ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : felt;
        const over = [frame.left - box.left, frame.top - box.top, box.right - frame.right, box.bottom - frame.bottom];
        if (Math.max(...over) > 0.5) faults.push(`${name} ${node.textContent.trim()} sticks out: ${over}`);
      }
      const isRound = parseFloat(getComputedStyle(node).borderTopLeftRadius) * 3 > Math.min(box.width, box.height);
      for (const [x, y] of isRound ? ROUND : CORNERS) {
        const at = [box.left + box.width * x, box.top + box.height * y];
        const over = document.elementsFromPoint(...at).find((each) => mine.contains(each) || !isBare(each));
        if (over && mine.contains(over)) continue;
        const what = `${name} ${node.textContent.trim()} of ${node.closest("[data-seat]")?.dataset.seat ?? "the page"}`;
        faults.push(`${what} is under ${over?.className || over?.tagName} ${over?.textContent.trim().slice(0, 30)}`);
        break;
      }
    }
  }
  return faults;
}
"""
ON_THE_FELT = [
    *([".seat__cards .card__rank", ".card", ""], [".seat__cards .card__suit", ".card", ""]),
    *([".seat__cards .card", ".seat", "felt"], [".common .card__rank", ".card", "felt"], [".plate", ".seat", "felt"]),
    *([".plate__stack", ".plate", ""], [".seat__made", ".seat", "felt"], [".seat__say", ".seat", "felt"]),
    *([".seat__won", ".seat", "felt"], [".seat__dealer", ".seat", "felt"], [".bet__amount", ".bet", "felt"]),
    *([".bet .pile", ".bet", "felt"], [".pot", ".pot", "felt"], [".caption > *", ".caption", "felt"]),
]


def _street(hand: Hand) -> int:
    return max((fact.street for fact in hand.facts if fact.kind == "cards-dealt"), default=3)


def _hand(scene: str, *, folders: frozenset[int], stack: int) -> Hand:
    """Everybody stays in but these. "seventh": bets are on the table, and the first seat has the turn. "showdown": all
    are all-in on fourth street, so that every hand is shown."""
    deck = shuffled_deck(3)
    stacks, book = dict.fromkeys(SEATS, stack), load("roberts-v4")
    hand = Hand.start(HandConfig(stacks=stacks, deck=deck, scramble=deck, stakes=STAKES, dealer=8, rulebook=book))
    betting = {"seventh": 7, "showdown": 4}[scene]
    while not hand.is_over:
        turn = hand.turn
        if scene == "seventh" and _street(hand) == 7 and turn.seat == 1:
            break
        if turn.seat in folders and not turn.can_check and not turn.bring_in:
            hand.play(c.Fold(turn.seat))
        elif not turn.can_check or _street(hand) != betting or not _bets(hand):
            hand.play(passive(hand))
    return hand


def _bets(hand: Hand) -> bool:
    try:
        hand.play(c.Wager(hand.turn.seat))
    except IllegalAction:
        return False
    return True


SCENES = {
    "seventh": lambda: _hand("seventh", folders=frozenset({3, 6}), stack=2000),
    "common": lambda: _hand("seventh", folders=frozenset(), stack=2000),
    "showdown": lambda: _hand("showdown", folders=frozenset({3, 6}), stack=21),
}


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_lies_on_what_must_be_read_on_any_screen_with_cards_of_any_size(told, scene):
    table = told()
    table.hand(iter([list(SCENES[scene]().facts)]))
    expect(table.page.locator(".seat.is-you .card[data-card]")).to_have_count(6 if scene == "common" else 7)
    table.page.evaluate("document.getElementById('toasts').replaceChildren()")
    faults = {}
    for width, height in SCREENS:
        table.page.set_viewport_size({"width": width, "height": height})
        for size in SIZES:
            if found := table.page.evaluate(IN_SIGHT, [size, ON_THE_FELT]):
                faults[width, height, size] = found
    assert not faults, "\n".join(f"{at}: {each}" for at, found in faults.items() for each in found)


LONGEST = """(name) => {
  for (const made of document.querySelectorAll(".seat__made:not([hidden])")) made.textContent = name;
}"""
#: How far above one's own cards the dealer's lines end, in CSS pixels; nothing where they are not shown.
ABOVE_ONES_OWN = """() => {
  const boxes = (name) => [...document.querySelectorAll(name)].map((node) => node.getBoundingClientRect());
  const lines = boxes(".caption > *").filter((box) => box.height);
  const top = Math.min(...boxes(".seat.is-you .card").map((box) => box.top));
  return lines.length ? top - Math.max(...lines.map((box) => box.bottom)) : null;
}"""


@pytest.mark.parametrize("scene", ["common", "showdown"])
def test_the_longest_name_of_a_hand_and_why_it_won_have_room_on_any_screen(told, scene):
    table = told()
    facts = list(SCENES[scene]().facts)
    table.hand(iter([facts]))
    table.page.evaluate("document.getElementById('toasts').replaceChildren()")
    faults = {}
    for width, height in SCREENS:
        table.page.set_viewport_size({"width": width, "height": height})
        table.page.evaluate(LONGEST, "full house, queens over sevens")
        for size in SIZES:
            found = table.page.evaluate(IN_SIGHT, [size, ON_THE_FELT])
            gap = table.page.evaluate(ABOVE_ONES_OWN)
            if found or (gap is not None and gap < 8):
                faults[width, height, size] = [*found, f"{gap} px above the cards"]
    assert not faults, "\n".join(f"{at}: {each}" for at, found in faults.items() for each in found)


#: What must stay in sight and in reach around the felt, whatever is told.
AROUND = [
    *(
        [".act", ".act", "window"],
        [".deck__clock", ".deck__clock", "window"],
        [".deck__price strong", ".deck__price", ""],
    ),
    *([".table-bar h1", ".table-bar", "window"], [".table-bar__back", ".table-bar__back", "window"]),
    *([".table-bar__icon", ".table-bar__icon", "window"], [".quick-emotes button", ".quick-emotes", "window"]),
    *([".event-bar__clock", ".event-bar", "window"], [".notices .is-first", ".notices", "window"]),
]
LONG = "Paused for a word with the floor about the last hand, which will take a few minutes more than it should have."
CALL = {
    "id": 7, "called_to": "Larch", "called_number": 3, "offer_name": "Stud 15/30", "state": "called", "until": None,
    "buy_in": (300, 600), "kind": "list",
}  # fmt: skip


def _toast(table: Told, message: str) -> None:
    detail = {"message": message, "rule": "Robert's Rules of Poker v4, 15", "isRefusal": True}
    table.page.evaluate("(detail) => dispatchEvent(new CustomEvent('toast', { detail }))", detail)


def _calls(table: Told, **shown: Any) -> None:
    """The part of the page that tells of calls, as the room answers for it."""
    context = {"calls": [], "notices": [], "opened": [], "seats": [], "key": "k", "here": "/", **shown}
    html = render_to_string("games/waitlists/_calls.html", context)
    table.page.evaluate(DRAWN, html)


def _ruling(table: Told) -> None:
    table.hand(iter([list(SCENES["seventh"]().facts)]))
    table.page.locator("[data-page=rulingMark]").click()  # told in full once before, it is a mark now


DRAWN = """(html) => {
  const calls = document.getElementById("my-calls");
  calls.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.children);
  calls.dispatchEvent(new CustomEvent("htmx:afterSwap"));
}"""
OPENED = [{"pk": 9, "number": 3, "table_id": 77, "table": {"name": "Sunday Quarter-Hour Stud, table 12"}}]
NOTICE = {"pk": 5, "kind": "staff", "text": "Your phone was found at the bar. Ask the floor for it before you go."}
#: Each kind of notice, and words of it that can be read.
KINDS: dict[str, tuple[Callable[[Told], None], str]] = {
    "ruling": (_ruling, "The deck runs short"),
    "answer": (lambda table: _toast(table, "Seat 2 has acted: the table has moved on."), "Seat 2 has acted"),
    "answers": (lambda table: [_toast(table, f"{LONG} {i}") for i in range(3)] and None, "Paused for a word"),
    "call": (lambda table: _calls(table, calls=[CALL]), "Your seat is ready"),
    "open table": (lambda table: _calls(table, opened=OPENED), "Your table is open"),
    "notice": (lambda table: _calls(table, notices=[NOTICE]), "Your phone was found"),
    "house": (lambda table: table.house(paused={"reason": LONG}, notice="The bar closes at two."), "Paused"),
    "connection": (lambda table: table.page.evaluate(LOST), "Connection lost"),
}
LOST = """() => {
  document.querySelector("[data-page=bannerText]").textContent = "Connection lost. Reconnecting…";
  document.querySelector("[data-page=banner]").hidden = false;
}"""
CLEARED = """() => {
  document.getElementById("toasts").replaceChildren();
  document.querySelector("[data-page=banner]").hidden = true;
  const ruling = document.querySelector("[data-page=rulingDone]");
  if (ruling.checkVisibility()) ruling.click();
}"""


#: The line that the dealer said last is whole in its list.
LAST_LINE = """() => {
  const [list, line] = [".log__list", ".log__list > :last-child"].map((name) => document.querySelector(name));
  const [frame, box] = [list, line].map((node) => node.getBoundingClientRect());
  return box.top >= frame.top - 0.5 && box.bottom <= frame.bottom + 0.5;
}"""


def test_no_notice_of_any_kind_lies_on_what_is_played_with_in_any_layout(told):
    table = told()
    table.hand(iter([list(SCENES["seventh"]().facts)]))
    faults = {}
    for kind, (tell, words) in KINDS.items():
        shown = table.page.locator(".notices .is-first")
        for width, height in SCREENS[: many(4, long=13)]:
            table.page.set_viewport_size({"width": width, "height": height})
            table.page.evaluate(CLEARED)
            _calls(table)
            table.house()
            tell(table)  # on each screen anew: an answer goes after a while
            expect(shown).to_contain_text(words)
            found = table.page.evaluate(IN_SIGHT, ["normal", ON_THE_FELT + AROUND])
            if width > 960 and not table.page.evaluate(LAST_LINE):
                found.append("the dealer's last line is out of sight")
            if found:
                faults[kind, width, height] = found
    assert not faults, "\n".join(f"{at}: {each}" for at, found in faults.items() for each in found)


def test_the_line_of_notices_opens_for_the_rest_and_closes(told):
    table = told()
    page = table.page
    page.set_viewport_size({"width": 390, "height": 844})
    table.house(notice="The bar closes at two.")
    _calls(table, calls=[CALL], notices=[NOTICE])
    notices = page.get_by_role("region", name="Notices")
    expect(notices.get_by_text("Your seat is ready")).to_be_visible()
    expect(notices.get_by_text("The bar closes at two.")).to_be_hidden()
    more = notices.get_by_role("button", name="Show all notices")
    more.click()
    for words in ("Your seat is ready", "Your phone was found", "The bar closes at two."):
        expect(notices.get_by_text(words)).to_be_visible()
    expect(notices.get_by_role("button", name="Take the seat")).to_be_visible()
    page.keyboard.press("Escape")
    expect(notices.get_by_text("The bar closes at two.")).to_be_hidden()
    expect(more).to_be_focused()
    table.house()
    _calls(table)
    expect(more).to_be_hidden()


#: Whether the notices and the tables of one window share a point.
OVERLAP = """() => {
  const boxes = [...document.querySelectorAll(".side__tables iframe")].map((tile) => tile.getBoundingClientRect());
  const box = document.querySelector(".notices").getBoundingClientRect();
  const isApart = ({ left, right, top, bottom }) =>
    box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom;
  return boxes.length === 0 || box.height === 0 || !boxes.every(isApart);
}"""


def test_notices_of_several_tables_in_one_window_stand_in_its_bar(come_in, open_table):
    ada = come_in("Ada")
    for name in ("Tansy", "Nettle"):
        ada.sit(4, at=open_table(name))
    # Whenever the page asks for its calls, it gets this one.
    called = render_to_string("games/waitlists/_calls.html", {"calls": [CALL], "key": "k"})
    ada.page.route("**/me/calls/", lambda route: route.fulfill(body=called, content_type="text/html"))
    ada.page.goto("/me/tables/")
    for width, height in [(1280, 800), (844, 390), (390, 844)]:
        ada.page.set_viewport_size({"width": width, "height": height})
        expect(ada.page.locator(".notices .is-first")).to_contain_text("Your seat is ready")
        assert not ada.page.evaluate(OVERLAP), (width, height)
