"""One's own keys, taken from the keyboard; and which bets are asked about once more."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_bet_is_confirmed_always_never_all_in_or_from_some_big_bets_on(modules):
    asked = {
        ("never", 500, 500, 10): False, ("always", 5, 500, 10): True,
        ("all-in", 499, 500, 10): False, ("all-in", 500, 500, 10): True,
        ("2", 19, 500, 10): False, ("2", 20, 500, 10): True, ("2", 15, 15, 10): True,
        ("10", 99, 500, 10): False, ("10", 100, 500, 10): True, ("10", 100, 500, 0): False,
    }  # fmt: skip
    given = [[wish, cost, {"stack": stack, "bigBet": big_bet}] for wish, cost, stack, big_bet in asked]
    assert modules.each("games/play/actions.js", "isBig", given) == list(asked.values())


def test_keys_are_chosen_kept_with_the_player_and_shown_on_the_buttons(come_in, open_table):
    ada = come_in("Ada")
    ada.expected += ["400", "409"]
    page = ada.page
    page.goto("/me/#keys")
    said, bet = page.locator("[data-keys-said]"), page.get_by_label("Bet or complete")
    bet.press("q")
    expect(said).to_have_text("“Bet or complete” is Q now.")
    bet.press("7")
    expect(said).to_contain_text("Choose one letter or sign")
    bet.press("c")
    expect(said).to_contain_text("C is the key for “Check, call or bring in” already")
    expect(bet).to_have_value("Q")

    ada.sit(7, at=open_table("Comfrey", bots=2))
    expect(page.locator(".actions")).to_be_visible()
    page.locator(".options > summary").click()
    page.locator(".options summary", has_text="Keys").click()
    expect(page.get_by_label("Bet or complete")).to_have_value("Q")
    page.get_by_label("Check, call or bring in").press("v")
    expect(page.locator(".actions [aria-keyshortcuts=V]").locator("kbd")).to_have_text("V")
    hand, seq = ada.hand, ada.seq
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    assert (ada.hand, ada.seq) == (hand, seq), "it is no key any more"
    page.keyboard.press("v")
    ada.wait_for_news(hand, seq)

    page.goto("/me/#keys")
    page.get_by_role("button", name="Use the usual keys").click()
    expect(page.get_by_label("Bet or complete")).to_have_value("B")
    expect(page.get_by_label("Check, call or bring in")).to_have_value("C")
