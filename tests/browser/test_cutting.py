"""A player cuts the decks of a table, and checks the deal of the hand on its page and with what they save there."""

import json

from playwright.sync_api import expect

from tests.support.models import Table
from tests.support.parts.games import verify_deal


def test_a_player_cuts_every_deck_and_saves_the_proof_of_a_hand(come_in, open_table, direct):
    table = open_table("Cuttings")
    ada, ben = (come_in(name) for name in ("Ada", "Ben"))
    ada.sit(1, at=table)
    ben.sit(2, at=table)
    expect(ada.main).to_have_attribute("data-hand-state", "playing")
    page = ada.page
    page.get_by_text("Options", exact=True).locator("..").click()
    page.get_by_text("Cut the deck", exact=True).click()
    page.get_by_label("With these words, and chance").fill("my own words")
    page.get_by_label("Cut every deck before it is dealt").check()
    note = page.locator("[data-page=cutNote]")
    expect(note).to_contain_text("You cut the next deck with: my own words ")
    hand = ada.hand
    for seat in ada.turns():
        (ada if seat == "1" else ben).check_or_call()
    page.goto(f"/hands/{hand}/")
    page.get_by_role("link", name="Check the deal").click()
    expect(page.get_by_role("status").first).to_contain_text("that the room committed to before the hand")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the proof").click()
    proof = json.loads(download.value.path().read_text())
    assert not verify_deal.check(proof).faults
    made = direct(lambda: Table.objects.get(pk=table).cuts)
    words = dict(page.evaluate("JSON.parse(localStorage['cardroom.cuts'])"))[made["root"]]
    assert words.startswith("my own words ")
    assert made["cuts"] == {"1": verify_deal.cut_hash(words)}
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the program").click()
    assert "cardroom-deal-1" in download.value.path().read_text()
