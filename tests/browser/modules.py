"""A page without a server, to test the room's own JavaScript modules in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.contrib.staticfiles import finders
from django.utils.html import json_script
from playwright.sync_api import Browser, Page, Route

from games.rulebooks import words as rulebook_words

ADDRESS = "http://room.test/"
_APPS = ("games/", "tournaments/", "cardroom/", "django_htmx/")


@contextmanager
def page_without_server(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.route(f"{ADDRESS}**", _serve)
    page = context.new_page()
    page.goto(ADDRESS)
    yield page
    context.close()


def _serve(route: Route) -> None:
    path = route.request.url.partition("?")[0].removeprefix(f"{ADDRESS}static/")
    found = finders.find(path) if path.startswith(_APPS) else None
    if found:
        route.fulfill(path=found, content_type="text/javascript")
    else:
        words = json_script(rulebook_words.words(), "ruling-words")
        body = f'<!doctype html><title>modules</title>{words}<div id="toasts"></div>'  # as every page has it
        route.fulfill(body=body, content_type="text/html")


class Modules:
    """Calls functions of modules in a page that all tests share, so nothing may be left in its document."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def evaluate(self, script: str, given: Any = None) -> Any:
        """As the page's own `evaluate`, but with JSON both ways: a long list is read many times faster."""
        call = f"async (given) => JSON.stringify(await ({script})(JSON.parse(given)) ?? null)"
        return json.loads(self._page.evaluate(call, json.dumps(given)))

    def each(self, module: str, function: str, given: Iterable[Sequence[Any]]) -> list[Any]:
        """What a function of a module answers to each of these arguments."""
        script = """async ([module, name, given]) => {
          const { [name]: answer } = await import(`/static/${module}`);
          return given.map((each) => answer(...each));
        }"""
        return list(self.evaluate(script, [module, function, list(given)]))
