"""An evening at the window of the cage: a drawer opened, players served, a second person asked, a count to close."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.staff import House

pytestmark = pytest.mark.browser


def _figure(page: Page, name: str) -> Locator:
    """One of the figures of the player at the window."""
    return page.locator("#figures .figures > div", has_text=name).locator("dd")


def _writes(page: Page, what: str, amount: int, reason: str = "") -> None:
    page.locator(".cage-form .pill").get_by_text(what, exact=True).click()
    page.get_by_label("Amount").fill(str(amount))
    page.get_by_label("Reason").fill(reason)
    page.get_by_label("Reason").press("Enter")


def test_a_cashier_serves_a_manager_approves_and_the_drawer_is_closed_by_its_count(come_in, direct):
    house = direct(House, "Fern")
    drawer, (pia,) = direct(house.drawer, "Fern window"), direct(house.guests, "Fernanda")
    number = direct(house.card, pia)
    cay, mia = come_in(house.cay), come_in(house.mia)
    page = cay.page
    mia.page.goto("/cage/approvals/")
    expect(mia.page.locator("body")).to_have_attribute("data-room-state", "open")

    page.goto("/cage/")
    page.get_by_role("link", name="Drawers").click()
    box = page.locator(".cage-drawer", has_text=drawer.name)
    box.locator("details").evaluate("details => { details.open = true }")  # it is where there is one drawer alone
    box.get_by_label("Fill from the vault").fill("8000")
    box.get_by_label("How many of 5000", exact=True).fill("1")
    box.get_by_label("How many of 1000", exact=True).fill("3")
    expect(box.locator("output")).to_have_text("8,000")
    box.get_by_role("button", name=f"Open {drawer.name}").click()

    page.get_by_role("link", name="Desk", exact=True).click()
    page.get_by_label("Card, number or name").fill(number)
    page.get_by_label("Card, number or name").press("Enter")
    expect(page.get_by_role("heading", name=pia.username)).to_be_visible()
    _writes(page, "Deposit", 7_000)
    expect(_figure(page, "Wallet")).to_have_text("12,000")
    with cay.context.expect_event("response", lambda answer: answer.url.endswith("/receipt/")) as printed:
        page.get_by_role("button", name="Print the receipt").click()
    assert printed.value.headers["content-type"] == "application/pdf"
    _writes(page, "Credit", 300, "till tomorrow")
    expect(_figure(page, "Owes")).to_contain_text("300")
    expect(_figure(page, "Wallet")).to_have_text("12,300")

    _writes(page, "Repayment", 300)
    expect(_figure(page, "Wallet")).to_have_text("12,000")
    _writes(page, "Withdrawal", 11_700, "going home")
    expect(page.get_by_text(re.compile("approval is requested"))).to_be_visible()
    expect(page.locator("#beside")).to_contain_text("Withdrawal of 11,700")
    asked = mia.page.locator(".panel--mark", has_text=f"Withdrawal of 11,700 for {pia.username}")
    expect(asked).to_contain_text("going home")
    asked.get_by_role("button", name="Approve").click()
    expect(_figure(page, "Wallet")).to_have_text("300")
    expect(page.locator("#beside")).not_to_contain_text("Withdrawal of 11,700")

    cay.expected.append("422")
    _writes(page, "Withdrawal", 400)
    expect(page.get_by_role("alert")).to_contain_text("300 in the wallet")
    expect(page.get_by_label("Amount")).to_have_value("400")
    _writes(page, "Deposit", 400)
    expect(_figure(page, "Wallet")).to_have_text("700")
    page.get_by_role("row", name=re.compile("Deposit .*400")).get_by_role("link").first.click()
    page.get_by_text("Reverse the slip", exact=True).click()
    page.get_by_label("Why").fill("it was for somebody else")
    page.get_by_role("button", name="Reverse").click()
    expect(page.get_by_text(re.compile("approval is requested"))).to_be_visible()
    mia.page.locator(".panel--mark", has_text="Reverse slip").get_by_role("button", name="Approve").click()
    expect(mia.page.locator(".panel--mark", has_text="Reverse slip")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("Reversed by")).to_be_visible()

    page.goto("/cage/drawers/")
    page.get_by_label("How many of 500", exact=True).fill("5")
    page.get_by_label("How many of 100", exact=True).fill("8")
    page.get_by_role("button", name="Close the drawer").click()
    expect(page.get_by_role("heading", name=re.compile(drawer.name))).to_be_visible()
    expect(page.get_by_text("5 × 500")).to_be_visible()
