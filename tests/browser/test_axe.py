"""What axe-core finds on a table as it is played at, on its replay, and on pages that no table of permissions has.

Every other page is looked at by the walk of `test_cash_pages.py`.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import SCHEMES, findings
from tests.browser.test_heard import OWN_TURN, told_hand
from tests.support import tiers

pytestmark = pytest.mark.browser

DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
#: On which screen in which colours each scene is looked at; every screen in every colour in the long suite.
LOOKS = [(DESK, SCHEMES), (PHONE, SCHEMES)] if tiers.is_long() else [(DESK, ("light",))]


def faults(page, scene, sizes=(DESK, PHONE)):
    """What is wrong, on these screens."""
    found = []
    for size, schemes in LOOKS:
        if size in sizes:
            page.set_viewport_size(size)
            found += [f"{scene} at {size['width']}: {fault}" for fault in findings(page, schemes)]
    page.set_viewport_size(DESK)
    return found


def test_axe_finds_nothing_on_a_table_while_a_hand_is_played(told):
    table = told(seats=range(1, 5))
    page, wrong = table.page, []

    def hand():
        for at, part in enumerate(told_hand()):
            yield part
            if at == OWN_TURN:
                expect(page.locator(".act").first).to_be_enabled()
                wrong.extend(faults(page, "the viewer's turn"))
            elif at == OWN_TURN + 1:
                wrong.extend(faults(page, "another's turn"))
        wrong.extend(faults(page, "the showdown"))

    table.hand(hand())
    page.get_by_role("tab", name="Chat").click()
    wrong += faults(page, "the chat", [DESK])
    page.locator(".options > summary").click()
    for group in page.locator(".options__group > summary").all()[1:]:
        group.click()
    wrong += faults(page, "the options", [DESK])
    page.keyboard.press("Escape")
    for name in ("Your notes on Guest 2", "Call the floor"):
        page.get_by_role("button", name=name).first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        wrong += faults(page, name)
        page.keyboard.press("Escape")
    assert not wrong, "\n".join(wrong)


@pytest.mark.long("dialogs, a replay and a lesson; the walk in test_cash_pages.py looks at a page of each kind")
def test_axe_finds_nothing_on_the_way_to_a_seat_in_a_replay_and_on_refusals(open_table, come_in):
    ada = come_in("Ada")
    page, wrong = ada.page, []
    ada.go_to(open_table("Medick", bots=2, pause_seconds=1, bots_wait_for_people=False))
    wrong += faults(page, "a free seat")
    page.get_by_role("button", name="Sit here").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    wrong += faults(page, "the dialog to sit down")
    page.keyboard.press("Escape")
    hand = page.get_by_role("link", name="Last hand")
    expect(hand).to_be_visible(timeout=90_000)
    page.goto(hand.get_attribute("href"))
    page.keyboard.press("End")
    page.get_by_role("button", name="What were the odds?").click()
    expect(page.locator("[data-page=oddsNote]")).not_to_be_empty()
    wrong += faults(page, "a replay")
    page.get_by_role("button", name="Share").click()
    wrong += faults(page, "sharing it", [DESK])
    page.goto("/learn/first-hand/")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    wrong += faults(page, "a lesson")
    page.goto("/api/v1/tokens")
    page.get_by_text("Headers").click()
    wrong += faults(page, "a resource of the API")
    for path, status in (("/nowhere/", 404), ("/floor/", 403)):
        ada.expected.append(f"status of {status}")
        assert page.goto(path).status == status
        wrong += faults(page, path)
    assert not wrong, "\n".join(wrong)
