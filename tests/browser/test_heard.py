"""A hand and its replay as a blind player has them: what is announced, word for word, and what the table is made of.

The words are kept beside this module. Who changes them reads the whole text aloud first: is it short, in order, and
said once?
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.support import decks
from tests.support.evening import Evening
from tests.support.hands import automatic, shuffled_deck
from tests.support.models import User
from tests.support.parts.cardroom import chat
from tests.support.parts.games import table_chat
from tests.support.parts.stud import BringIn, Call, Check, Fold, Wager, base

pytestmark = pytest.mark.browser

#: Four sit down: the second brings it in, two fold, the third bets into the first, who wins at the showdown.
SEED = 364
_FIRST, _FOURTH, _FIFTH = (BringIn, Wager, Fold, Call, Fold), (Check, Wager, Call), (Wager, Wager, Call)
ACTS = (*_FIRST, *_FOURTH, *_FIFTH, *(Check, Check), *(Check, Check))
#: The part of `told_hand` with which the first seat's first turn comes.
OWN_TURN = 3
#: Keeps in `window.heard` what is announced from now on; what is to interrupt begins with "!".
#: A status or an alert is told whole (they are atomic), of any other region only what is new; what comes into sight is
#: told as if it were new; what is hidden, or is drawn for the eyes only, is told to nobody.
LISTEN = """
(() => {
  window.heard = [];
  const LIVE = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]";
  const isKept = (node) => node.getAttribute("aria-hidden") === "true" || !node.checkVisibility();
  const words = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || isKept(node)) return "";
    if (node.ariaLabel) return ` ${node.ariaLabel} `;
    const inner = [...node.childNodes].map(words).join("");
    return getComputedStyle(node).display.startsWith("inline") ? inner : ` ${inner} `;
  };
  const isWhole = (region) => (region.ariaAtomic ?? String(["status", "alert"].includes(region.role))) === "true";
  const hear = (region, text) => {
    const said = text.replace(/\\s+/g, " ").replace(/ (?=[.,;:!?)](?: |[.]|$))/g, "").replaceAll("( ", "(").trim();
    const isUrgent = region.role === "alert" || region.ariaLive === "assertive";
    if (said) window.heard.push(isUrgent ? `! ${said}` : said);
  };
  const take = (records) => {
    const told = new Set();
    for (const { type, target, addedNodes, oldValue } of records) {
      const at = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
      const isShown = type === "attributes" && oldValue !== null && !target.hidden;
      if (type === "attributes" && !isShown) continue;
      const added = type === "childList" ? [...addedNodes].filter((node) => node.isConnected) : [at];
      const region = at?.closest(LIVE);
      if (region && (isKept(region) || region.closest("[aria-hidden=true]"))) continue;
      if (region && isWhole(region)) {
        if (added.length && !told.has(region)) hear(region, words(region));
        told.add(region);
      } else if (region) {
        for (const node of added) if (!told.has(node)) hear(region, words(node));
        for (const node of added) told.add(node);
      } else {
        for (const node of added) {
          const alerts = node.querySelectorAll ? [node, ...node.querySelectorAll("[role=alert]")] : [];
          for (const alert of alerts) if (alert.role === "alert") hear(alert, words(alert));
        }
      }
    }
  };
  const listen = () => new MutationObserver(take).observe(document.documentElement, {
    subtree: true, childList: true, characterData: true, attributeFilter: ["hidden"], attributeOldValue: true,
  });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", listen);
  else listen();
})();
"""


def told_hand() -> Iterator[list[base.Fact]]:
    hand, done = automatic(dict.fromkeys(range(1, 5), 2000), SEED), 0
    for act in [*ACTS, None]:
        yield list(hand.facts[done:])
        done = len(hand.facts)
        if act:
            hand.play(act(hand.turn.seat))


def heard(page) -> str:
    """What was announced since `LISTEN`, or since it was asked last."""
    return "".join(f"{line}\n" for line in page.evaluate("window.heard.splice(0)"))


def file_text(name: str) -> str:
    return (Path(__file__).parent / name).read_text()


def looked_over(page) -> str:
    """What a screen reader finds on the table and below it, as it goes from one thing to the next."""
    found = [page.locator(part).aria_snapshot() for part in ("[data-page=felt]", ".deck")]
    return re.sub(r"\b\d+s\b", "…s", "\n".join(found)) + "\n"


def is_heard(page, words: str) -> None:
    page.wait_for_function("(words) => window.heard.some((line) => line.includes(words))", arg=words)


def test_a_hand_is_heard_from_its_antes_to_the_reason_why_it_was_won(told, direct):
    table = told(seats=range(1, 5), script=LISTEN)
    page, looks = table.page, []
    heard(page)

    def hand():
        for at, part in enumerate(told_hand()):
            yield part
            if at == OWN_TURN:
                is_heard(page, "Your turn.")
                expect(page.locator(".act").first).to_be_enabled()
                looks.append(looked_over(page))
                page.keyboard.press("t")
                is_heard(page, "Your turn:")
            elif at == OWN_TURN + 1:
                direct(somebody_says, table.number, "Nice call.")
                page.evaluate("document.body.dispatchEvent(new CustomEvent('seat-taken'))")  # it asks for new lines
                is_heard(page, "says")

    table.hand(hand())
    is_heard(page, "beats")
    looks.append(looked_over(page))
    assert file_text("heard_hand.txt") == heard(page)
    assert file_text("heard_table.txt") == "\n".join(looks)


def somebody_says(table: int, text: str) -> None:
    guest, _ = User.objects.get_or_create(username="Guest 2")
    chat.say(by=guest, text=text, place=table_chat.place_of(table), now=timezone.now())


def play_known_cards() -> tuple[int, User]:
    """A hand, and one of its players."""
    evening = Evening(name="Juniper", seat_count=4)
    ines, *_ = (evening.sit(name, number) for number, name in enumerate(("Ines", "Otto", "Rosa", "Udo"), 1))
    evening.deal()
    hand = evening.table.hand_id
    evening.play_out()
    return hand, ines


def test_a_replay_is_heard_step_by_step(direct, come_in, monkeypatch):
    decks.deal_from(monkeypatch, lambda: shuffled_deck(SEED))
    hand, ines = direct(play_known_cards)
    page = come_in(ines).page
    page.add_init_script(LISTEN)
    page.goto(f"/hands/{hand}/")
    expect(page.locator("[data-page=said]")).to_have_text("Before the deal.")
    heard(page)
    last = page.get_by_role("button", name="To the end")
    while last.is_enabled():
        page.keyboard.press("ArrowRight")
    expect(page.locator(".pot")).to_be_hidden()  # it fades once it is won
    assert file_text("heard_replay.txt") == heard(page)
    assert file_text("heard_replay_page.txt") == page.get_by_role("region", name="Replay").aria_snapshot() + "\n"
