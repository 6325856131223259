"""The API's docs and its pages to click through work under the Content-Security-Policy, with nothing from elsewhere."""

import json
import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_docs_and_browsable_pages_work_in_a_browser(come_in, room):
    ada = come_in("Ada")
    page = ada.page
    asked = []
    page.on("request", lambda request: asked.append(request.url))

    page.route("**/api/schema/*", _short)
    page.goto("/api/docs/#/me/me")  # what is far down is drawn when it is come to
    operation = page.locator("#operations-me-me")
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table")).to_contain_text(f'"name": "{ada.name}"')

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


def _short(route):
    """One address of them all, and what it speaks of: Swagger takes many seconds to draw the whole."""
    answer = route.fetch()
    schema = answer.json()
    schema["paths"] = {"/api/v1/me": schema["paths"]["/api/v1/me"]}
    every, schema["components"]["schemas"] = schema["components"]["schemas"], {}
    while missing := set(re.findall(r"schemas/(\w+)", json.dumps(schema))) - set(schema["components"]["schemas"]):
        schema["components"]["schemas"] |= {name: every[name] for name in missing}
    route.fulfill(response=answer, json=schema)
