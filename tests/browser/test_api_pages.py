"""The API's docs and its pages to click through work under the Content-Security-Policy, with nothing from elsewhere."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.support.models import RoomSession
from tests.support.parts.cardroom import sessions

pytestmark = pytest.mark.browser


def confirm_password(name: str) -> None:
    """This person has just confirmed their password in their browser, as a token takes."""
    row = RoomSession.objects.get(user__username=name)
    session = sessions.SessionStore(row.session_key)
    session["account_authentication_methods_user"] = str(row.user_id)
    session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "reauthenticated": True}]
    session.save()


def test_docs_and_browsable_pages_work_in_a_browser(come_in, direct, room):
    ada = come_in("Ada")
    page = ada.page
    direct(confirm_password, ada.name)
    asked = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto("/api/docs/")
    page.get_by_role("searchbox").fill("hands facts")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="/api/v1/hands/{hand_id}/facts").click()
    facts = page.get_by_role("region", name="/api/v1/hands/{hand_id}/facts")
    facts.get_by_text("Open it").first.click()
    facts.get_by_role("textbox", name="hand_id").fill("7")
    facts.get_by_role("textbox", name="after").fill("12")
    ada.expected.append("status of 404")
    facts.get_by_role("button", name="Open it").click()
    expect(page).to_have_url(re.compile(r"/api/v1/hands/7/facts\?after=12$"))
    page.go_back()
    page.get_by_role("link", name="401, 403").first.click()
    expect(page.get_by_text("Not logged in, or the token is invalid.")).to_be_visible()

    page.goto("/api/v1/")
    page.get_by_role("link", name="/api/v1/tokens").click()
    page.wait_for_url("**/api/v1/tokens", wait_until="load")  # the form sends JSON once its script runs
    create = page.get_by_role("region", name="POST")
    ada.expected.append("status of 400")
    create.get_by_role("textbox", name="Body, as JSON").fill('{"name": "notebook", "scopes": ["look"]}')
    create.get_by_role("button", name="POST").click()
    expect(create).to_contain_text("HTTP 400")
    expect(create).to_contain_text('"code": "invalid"')
    create.get_by_role("textbox", name="Body, as JSON").fill('{"name": "notebook", "scopes": ["read"]}')
    keys = []
    page.on("request", lambda asked: asked.method == "POST" and keys.append(asked.headers.get("idempotency-key")))
    page.route("**/api/v1/tokens", lambda route: route.abort(), times=1)
    ada.expected.append("net::ERR_FAILED")
    create.get_by_role("button", name="POST").click()
    expect(create.get_by_role("status")).to_contain_text("No answer came")
    create.get_by_role("button", name="POST").click()
    expect(create.get_by_role("status")).to_contain_text("HTTP 201 Created")
    assert len(keys) == 2
    assert keys[0] == keys[1], "what was sent again is not done twice"
    page.get_by_role("link", name="tokens", exact=True).click()
    expect(page.get_by_role("region", name="Answer")).to_contain_text('"name": "notebook"')

    assert {url for url in asked if not url.startswith((room.url, "data:"))} == set()
