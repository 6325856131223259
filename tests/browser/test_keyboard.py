"""A hand and its replay by keyboard alone: no mouse, and nothing that a script does for them. Wherever they are they
see it, and they are never nowhere."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.waiting import soon

pytestmark = pytest.mark.browser

#: What has the focus: its name, whether that can be seen (by a ring of its own, or of what it stands in), and whether
#: it is nowhere.
_HERE = """
() => {
  const at = document.activeElement ?? document.body;
  const rings = (node) => {
    const look = getComputedStyle(node);
    return look.outlineStyle !== "none" && parseFloat(look.outlineWidth) > 0;
  };
  const isAround = at.parentElement?.closest(":has(:focus-visible)");
  const by = at.getAttribute("aria-labelledby");
  const named = by?.split(" ").map((id) => document.getElementById(id)?.textContent).join(" ");
  const label = at.labels?.[0]?.textContent;
  return {
    name: (at.ariaLabel ?? named ?? label ?? at.innerText ?? at.textContent ?? "").replace(/\\s+/g, " ").trim(),
    tag: at.tagName.toLowerCase(),
    isNowhere: at === document.body,
    isSeen: rings(at) || Boolean(isAround && rings(isAround)),
  };
}
"""
#: More stops than any page has on the way.
MOST = 120


class Keys:
    """A person who has a keyboard and nothing else: what they press, and where they are after it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def here(self) -> dict[str, str | bool]:
        """Where they are; they see it, and are never nowhere."""
        here = self.page.evaluate(_HERE)
        assert not here["isNowhere"], f"the focus is lost: {here}"
        assert here["isSeen"], f"nobody sees that the focus is on {here['tag']} {here['name']!r}"
        return dict(here)

    def is_at(self, name: str) -> bool:
        return bool(re.search(name, str(self.here()["name"])))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def to(self, name: str, *, key: str = "Tab", tag: str = "") -> "Keys":
        """On to what is called so (a pattern), unless they are there; every stop of the way is in sight."""
        passed = []
        here = self.page.evaluate(_HERE)
        for _ in range(MOST):
            if re.search(name, str(here["name"])) and tag in ("", here["tag"]):
                return self
            self.press(key)
            here = self.here()
            passed.append(f"{here['tag']} {here['name']}")
        raise AssertionError(f"{name!r} is not come to by {key}: {passed}")

    def waits_until_found(self) -> None:
        """What had the focus is gone: they are somewhere else, and see where."""
        self.page.wait_for_function("() => document.activeElement !== document.body")
        self.here()


def test_a_player_without_a_mouse_sits_down_plays_a_hand_and_looks_it_over(open_table, come_in):
    open_table("Hornbeam", bots=1, pause_seconds=1)
    ada = come_in("Ada")
    keys = Keys(ada.page)
    # The test opened it past the room's process, whose lobby is read anew every five seconds.
    soon(lambda: ">Hornbeam<" in ada.page.request.get("/").text(), "Hornbeam is in the lobby")
    ada.page.goto("/")
    (join := ada.page.get_by_role("link", name="Join Hornbeam")).focus()
    with ada.page.expect_response("**/lobby/*"):
        ada.page.evaluate("document.body.dispatchEvent(new CustomEvent('room:lobby'))")
    expect(join).to_be_focused()
    ada.page.goto("/")
    sits_down(ada, keys)
    plays_a_hand(ada, keys)
    reads_and_changes_the_table(ada, keys)
    replays_it(ada, keys)


def sits_down(ada, keys):
    keys.to("^Hornbeam$", tag="a").press("Enter")
    # The seats come with the socket's first message, not when it opens.
    expect(ada.page.get_by_role("button", name="Sit here: seat 3")).to_be_visible()
    keys.to("^Sit here: seat 3").press("Enter")
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    keys.here()
    keys.press("Escape")
    expect(dialog).to_be_hidden()
    assert keys.is_at("^Sit here: seat 3"), "back where they were"
    keys.press("Enter")
    expect(dialog).to_be_visible()
    keys.to("^Buy-in in chips$")
    ada.page.keyboard.type("600")
    keys.to("^Sit down$").press("Enter")
    expect(ada.mine).to_be_visible()
    expect(dialog).to_be_hidden()
    keys.waits_until_found()


def plays_a_hand(ada, keys):
    """One turn by a hot key, the next by Tab and Enter, and so on."""
    ada.wait_for_cards()
    turns = 0
    for turn in ada.turns():
        if turn != ada.seat():
            continue
        expect(ada.page.locator(".act").first).to_be_enabled()
        if turns % 2:
            keys.to("^(Check|Call|Bring in)").press("Enter")
        else:
            keys.press("c")
        turns += 1
        keys.waits_until_found()
    assert turns


def reads_and_changes_the_table(ada, keys):
    keys.press("t")
    expect(ada.page.locator("[data-page=voice]")).to_contain_text("You, ")
    keys.to("^Options$", key="Shift+Tab").press("Enter")
    keys.to("^Deck$")
    with ada.page.expect_response("**/me/look/"):
        keys.press("f")  # a list goes to what begins so: four colours
    expect(ada.page.locator("html")).to_have_attribute("data-look-deck", "four")
    keys.press("Escape")
    assert keys.is_at("^Options$")
    keys.to("^Sit out$", key="Shift+Tab").press("Enter")
    expect(ada.page.get_by_role("button", name="I’m back")).to_be_visible()
    keys.waits_until_found()


def replays_it(ada, keys):
    keys.to("^Last hand$", key="Shift+Tab")
    with ada.context.expect_page() as opened:
        keys.press("Enter")
    page = opened.value
    replay = Keys(page)
    said, count = page.locator("[data-page=said]"), page.locator("[data-page=count]")
    expect(said).to_have_text("Before the deal.")
    replay.press("ArrowRight")
    expect(said).to_contain_text("Antes are in")

    replay.to("^Play$").press("Enter")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    replay.press("Enter")
    assert replay.is_at("^Play$")
    replay.to("^Forward$")
    last = page.get_by_role("button", name="To the end")
    while last.is_enabled():
        replay.press("Enter")
    expect(said).to_contain_text("wins")
    assert replay.is_at("^Forward$"), "at the end of the hand too"
    replay.to("^Speed", tag="select").press("ArrowDown")
    expect(page.get_by_label("Speed")).to_have_value("2")
    replay.to("^To 3rd street$").press("Enter")
    expect(said).to_contain_text("Dealt up")
    replay.to("^What were the odds").press("Enter")
    expect(page.locator("[data-page=oddsNote]")).not_to_be_empty()
    replay.waits_until_found()
    replay.to("^Step of the hand$", key="Shift+Tab")
    at = count.text_content()
    replay.press("ArrowRight")
    expect(count).not_to_have_text(at)
    replay.to("^Share$", key="Shift+Tab").press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    replay.here()
    replay.press("Escape")
    assert replay.is_at("^Share$")

    finds_it_among_their_hands(page, replay)
    replay.to("^Hornbeam$").press("Enter")
    expect(page.locator("[data-table]")).to_have_attribute("data-connection", "open")


def finds_it_among_their_hands(page, keys):
    hand = page.get_by_role("heading", level=1).inner_text()
    keys.to("Your account and wallet", key="Shift+Tab", tag="summary").press("Enter")
    keys.to("^Hands$", key="ArrowDown", tag="a").press("Enter")
    expect(page.get_by_role("heading", name="Your hands")).to_be_visible()
    keys.to(f"^{hand}$", tag="a").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(hand)
