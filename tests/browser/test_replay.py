"""A hand played again on its page: step by step, by keys, by itself; its odds; and shared."""

import re

import pytest
from playwright.sync_api import expect

STEPS = """async ([facts, told]) => {
  const replay = await import("/static/games/play/replay.js");
  const steps = replay.stepsOf(facts, new Set(told));
  return [steps, replay.streetsOf(facts), steps.map(({ upto }) => replay.handAt(7, facts, upto).pot)];
}"""
FACTS = [
    [1, "hand-started", {"rulebook": "roberts-v4", "rulebook_version": "4", "game": "seven-card-stud",
                         "structure": "fixed-limit", "big_bet": 10, "players_left": 0, "stacks": [[1, 100], [2, 100]],
                         "order": [1, 2], "dealer": 2, "absent": []}],
    [2, "deck-shuffled", {}], [3, "antes-posted", {"antes": [[1, 1], [2, 1]]}],
    [4, "cards-dealt", {"street": 3, "cards": [[1, None, False], [1, "As", True], [2, None, False], [2, "2c", True]]}],
    [5, "action-on", {"seat": 2}], [6, "bring-in-posted", {"seat": 2, "amount": 2, "level": 2}],
    [7, "action-on", {"seat": 1}], [8, "folded", {"seat": 1}],
]  # fmt: skip


def test_a_step_takes_along_what_follows_it_unsaid(modules):
    steps, streets, pots = modules.evaluate(STEPS, [FACTS, [3, 4, 6, 8]])
    assert [(step["seq"], step["upto"]) for step in steps] == [(1, 2), (3, 3), (4, 5), (6, 7), (8, 8)]
    assert streets == [[3, 4]]
    assert pots == [0, 2, 2, 4, 4]


@pytest.mark.long(
    "a replay by mouse, by itself and shared; test_keyboard.py walks through one, test_heard.py hears one"
)
def test_a_replay_goes_by_keys_from_any_fact_plays_by_itself_and_is_shared(open_table, come_in):
    rail = come_in(None)
    page = rail.page
    rail.go_to(open_table("Medlar", bots=3, pause_seconds=1, bots_wait_for_people=False))
    last = page.get_by_role("link", name="Last hand")
    expect(last).to_be_visible(timeout=90_000)
    hand = last.get_attribute("href")
    page.goto(hand)
    said, count = page.locator("[data-page=said]"), page.locator("[data-page=count]")
    expect(said).to_have_text("Before the deal.")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("Antes are in")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("Dealt up")
    seats = page.locator(".told__list .boards").first.locator("li").count()
    expect(page.locator(".replay .seat .card")).to_have_count(3 * seats)
    expect(page.locator("[data-now]")).to_have_text(re.compile("Dealt up"))
    page.keyboard.press("End")
    expect(said).to_contain_text("wins")
    expect(page.locator(".replay .seat__won:visible").first).to_be_visible()
    expect(page.get_by_role("button", name="Forward")).to_be_disabled()
    page.get_by_role("button", name="To 3rd street").click()
    expect(said).to_contain_text("Dealt up")
    page.locator(".told__list .fact").nth(3).get_by_role("link").first.click()
    expect(count).to_have_text(re.compile("^5 of"))
    page.get_by_role("button", name="What were the odds?").click()
    expect(page.locator("[data-page=odds] li").first).to_contain_text("%")

    names = [*filter(None, page.locator(".replay .plate__name").all_inner_texts())]
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link").input_value()
    assert "shared" in link
    other = come_in(None, width=390, height=844).page
    other.clock.pause_at("2099-01-05")
    other.goto(link)
    count = other.locator("[data-page=count]")
    expect(count).to_have_text(re.compile("^5 of"))
    expect(other.locator(".replay .plate__name", has_text=re.compile(r"^Seat \d$"))).to_have_count(len(names))
    assert not [name for name in names if name in other.content()], "who is shown a hand is told no name"
    other.get_by_role("button", name="What were the odds?").click()
    expect(other.locator("[data-page=odds] li").first).to_contain_text("Seat ")

    other.goto(hand)
    other.get_by_role("button", name="Play").click()
    other.clock.run_for(1200)
    expect(count).to_have_text(re.compile("^2 of"))
    other.get_by_role("button", name="Pause").click()
    other.clock.run_for(60_000)
    expect(count).to_have_text(re.compile("^2 of"))
    other.get_by_label("Speed").select_option("Very fast")
    other.get_by_role("button", name="Play").click()
    other.clock.run_for(200_000)
    expect(other.get_by_role("button", name="Play")).to_be_visible()
    expect(other.locator("[data-page=said]")).to_contain_text("wins")
    assert other.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.long("one's hands played one after the other; test_own_hands.py has them in their order")
def test_ones_hands_of_an_evening_are_played_one_after_the_other(two_sit):
    ada, bert = two_sit("Quince")
    people = {player.seat(): player for player in (ada, bert)}
    for _ in range(2):
        hand = ada.hand
        for seat in ada.turns():
            people[seat].check_or_call()
        ada.wait_for_news(hand, 10_000)  # of the next one, which may have begun by now
    page = ada.page
    page.clock.install()
    page.goto("/me/hands/")
    page.locator(".session a").click()
    page.get_by_role("link", name="Play them in turn").click()
    for place in ("1", "2"):
        expect(page.get_by_text(f"hand {place} of 2")).to_be_visible()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()  # its script has begun
        page.clock.run_for(200_000)
    expect(page.locator("[data-page=said]")).to_contain_text("wins")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.get_by_text("hand 1 of 2")).to_be_visible()
