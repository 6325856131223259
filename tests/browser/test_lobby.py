"""The lobby as a reader finds it: their own times at the first look, many tables on a small screen, one header."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_times_are_in_the_browsers_zone_at_the_first_look(come_in):
    rail = come_in(None, timezone_id="Asia/Tokyo").page
    loads = []
    rail.on("framenavigated", lambda frame: loads.append(frame.url))
    rail.goto("/tournaments/")
    expect(rail.locator("html")).to_have_attribute("data-zone", "Asia/Tokyo")
    expect(rail.locator(".site-foot")).to_contain_text("Times are JST (Asia/Tokyo)")
    loads.clear()
    rail.goto("/tournaments/?show=finished")
    expect(rail.locator("html")).to_have_attribute("data-zone", "Asia/Tokyo")
    assert len(loads) == 1, "a zone that is known costs no second load"
