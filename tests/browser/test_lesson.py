"""The first hand that teaches, by keyboard alone: a poor choice is explained, the right one goes on to the end."""

from playwright.sync_api import expect

from games.training.lessons import lessons

KEYS = {"fold": "f", "check": "c", "call": "c", "complete": "b", "bet": "b", "raise": "r"}


def test_the_first_lesson_is_played_to_its_end_and_a_poor_choice_may_be_tried_again(come_in):
    guest = come_in(None)
    page = guest.page
    page.emulate_media(reduced_motion="reduce")
    page.goto("/learn/first-hand/")
    said, go_on = page.locator("[data-page=says]"), page.get_by_role("button", name="Go on")
    bar = page.get_by_role("group", name="Your legal actions")
    is_first = True
    for stop in lessons()["first-hand"].parts[0].stops:
        if not stop.best:
            expect(said).to_contain_text(stop.says)
            expect(go_on).to_be_focused()
            page.keyboard.press("Enter")
            continue
        expect(said).to_have_text(stop.says)
        expect(bar.get_by_role("button").first).to_be_enabled()
        if is_first:
            bar.get_by_role("button", name="Fold").click()
            expect(said).to_have_text(f"{stop.poor['fold']} Try again.")
            expect(bar.get_by_role("button").first).to_be_enabled()
            is_first = False
        page.keyboard.press(KEYS[stop.best])
        expect(said).to_have_text(stop.then)
        expect(bar).to_be_hidden()
        page.keyboard.press("Enter")
    expect(said).to_contain_text("That is the end of this lesson.")
    expect(page.get_by_role("link", name="Next: Third street")).to_be_focused()
    assert guest.complaints == []
