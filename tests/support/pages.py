"""Answers as people and programs read them."""

import re
import time
from collections.abc import Iterable
from html import unescape
from typing import Any

from django.http import HttpResponse
from django.test import Client


def words(page: str | HttpResponse, status: int | None = None) -> str:
    """What a page says, without its tags; answered with this status, where one is named."""
    html = page if isinstance(page, str) else page.content.decode()
    text = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html)))
    shown = re.sub(r"\s+([.,:])", r"\1", text).strip()
    assert isinstance(page, str) or status in (None, page.status_code), (page.status_code, shown[-600:])
    return shown


def html_of(answer: HttpResponse, status: int = 200) -> str:
    """A page with its tags, answered with this status."""
    assert answer.status_code == status, words(answer)[-600:]
    return answer.content.decode()


def json_of(answer: Any, status: int = 200) -> Any:
    """What a program is told, answered with this status."""
    assert answer.status_code == status, answer.content
    return answer.json()


def get(browser: Client, address: str = "/", status: int = 200) -> str:
    """The page at this address."""
    return html_of(browser.get(address), status)


def assert_shows(page: str, *texts: str, but: Iterable[str] = ()) -> None:
    """Each of these stands on the page, and nothing of `but`."""
    missing = [text for text in map(str, texts) if text not in page]
    assert not missing, (missing, words(page)[-600:])
    assert_hides(page, *but)


def assert_hides(page: str, *kept: str) -> None:
    """None of these stands on the page."""
    shown = [text for text in kept if text in page]
    assert not shown, shown


def form_of(page: str, button: str) -> tuple[str, dict[str, str]]:
    """Where the form with this button posts to ("": to its own page), and what it sends as it stands."""
    forms = []
    for head, body in re.findall(r"<form([^>]*)>(.*?)</form>", page, re.DOTALL):
        pressed = re.search(r"<button[^>]*>(.*?)</button>", body, re.DOTALL)
        if 'method="post"' not in head or pressed is None or words(pressed[1]) != button:
            continue
        fields = [_attributes(tag) for tag in re.findall(r"<input([^>]*)>", body)]
        sent = {field["name"]: field.get("value", "") for field in fields if field.get("type") != "checkbox"}
        for name, options in re.findall(r'<select[^>]* name="(\w+)"[^>]*>(.*?)</select>', body, re.DOTALL):
            chosen = re.search(r"<option([^>]*) selected", options) or re.search(r"<option([^>]*)>", options)
            sent[name] = _attributes(chosen[1]).get("value", "") if chosen else ""
        forms.append((_attributes(head).get("action", ""), sent))
    assert forms, (button, words(page)[-600:])
    return forms[0]


def _attributes(tag: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}


def confirmed(browser: Client) -> Client:
    """The browser, in which its owner has just confirmed their password."""
    session = browser.session
    session["account_authentication_methods_user"] = session["_auth_user_id"]
    session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "reauthenticated": True}]
    session.save()
    return browser
