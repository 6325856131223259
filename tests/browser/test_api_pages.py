"""The docs of the API work under the Content-Security-Policy, with nothing from elsewhere."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def open_docs(page) -> None:
    """Open the docs; the first reader waits until the room has written the document."""
    page.goto("/api/docs/")
    page.locator(".opblock-tag").first.wait_for(timeout=90_000)


def test_the_docs_send_a_request_from_a_browser(come_in, room):
    ada = come_in("Ada")
    page = ada.page
    addresses = []
    page.on("request", lambda request: addresses.append(request.url))

    open_docs(page)
    page.get_by_placeholder("Filter by tag").fill("hands")
    page.locator("#operations-tag-hands").click()
    page.locator(".opblock-summary-path", has_text="/api/v1/hands/{hand_id}/facts").click()
    facts = page.locator(".opblock.is-open")
    facts.get_by_role("button", name="Try it out").click()
    facts.get_by_placeholder("hand_id").fill("999999")
    ada.expected.append("status of 404")
    facts.get_by_role("button", name="Execute").click()
    expect(facts.locator(".live-responses-table")).to_contain_text("no-such-hand")
    assert {url for url in addresses if not url.startswith((room.url, "data:"))} == set()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_docs_follow_the_theme_of_the_device(come_in, theme):
    page = come_in("Ada").page
    page.emulate_media(color_scheme=theme)
    page.goto("/api/docs/")
    expect(page.locator("html.dark-mode")).to_have_count(1 if theme == "dark" else 0)


def test_the_docs_fit_every_window(come_in):
    page = come_in("Ada").page
    open_docs(page)
    for width in (1280, 1024, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
