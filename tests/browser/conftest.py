"""A real room, a real browser, and people who click."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from games.services import tables
from tests.browser.direction import Direction
from tests.browser.player import Player
from tests.browser.staff import STAKES, is_there, session_of, signed_up
from tests.support.database import speaking_to
from tests.support.room import Room, empty_database

# Generous, for two slow cores: nothing waits it out but a fault.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)

_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_numbers = count(1)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=_ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, _migrated_database: str) -> Iterator[Room]:
    """A room in one process: web, worker and beat; one to a module of tests."""
    folder = tmp_path_factory.mktemp("room")
    with empty_database(folder, template=_migrated_database) as url:
        room = Room(folder, database_url=url, CARDROOM_BOT_THINKS="0.2")
        room.start()
        yield room
        room.close()


@pytest.fixture
def open_table(direct: Direction) -> Callable[..., int]:
    """`open_table("Larch", bots=1)`: the id of a new table."""

    def opened(name: str, **options: Any) -> int:
        return int(direct(tables.open_table, name=name, **STAKES, now=timezone.now(), **options).pk)

    return opened


@pytest.fixture
def come_in(
    browser: Browser, room: Room, direct: Direction, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Player]]:
    """`come_in("Ada")`: a new person with a browser of her own, who is logged in, or signs up (`signs_up=True`);
    `width=390` for one with a phone.

    Her name gets a number, for the room is not new.
    """
    people: list[Player] = []
    asked = os.environ.get("CARDROOM_SCREENSHOTS")

    def came(
        name: str | None, *, signs_up: bool = False, width: int = 1280, height: int = 800, **options: Any
    ) -> Player:
        is_phone = width < 640
        context = browser.new_context(
            base_url=room.url,
            viewport={"width": width, "height": height},
            has_touch=is_phone,
            device_scale_factor=2 if is_phone else 1,
            **{"reduced_motion": "reduce", "color_scheme": "dark"} | options,
        )
        context.set_default_timeout(PATIENCE)
        player = Player(context, f"{name}{next(_numbers)}" if name else None, pictures=Path(asked or tmp_path))
        people.append(player)
        if name and signs_up:
            player.sign_up()
        elif name:
            newcomer = direct(signed_up, player.name)
            is_there(player, newcomer, direct(session_of, newcomer), url=room.url).page.goto("/")
        return player

    yield came
    for player in people:
        if asked or request.session.testsfailed:  # what a failed test looked like at its end
            player.picture(f"last-{player.name or 'rail'}")
        player.context.close()


@pytest.fixture
def direct(room: Room, django_db_blocker: Any) -> Iterator[Direction]:
    held = ExitStack()
    with ThreadPoolExecutor(max_workers=1) as thread:
        thread.submit(held.enter_context, django_db_blocker.unblock()).result()
        thread.submit(held.enter_context, speaking_to(room.environment["DATABASE_URL"])).result()
        yield Direction(thread)
        thread.submit(held.close).result()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without a server, that can import the room's own modules from their folder."""
    context = browser.new_context()
    context.route("http://room.test/**", _serve)
    page = context.new_page()
    page.goto("http://room.test/")
    yield page
    context.close()


def _serve(route: Route) -> None:
    path = route.request.url.removeprefix("http://room.test/static/")
    found = finders.find(path) if path.startswith(("games/", "tournaments/", "cardroom/", "django_htmx/")) else None
    if found:
        route.fulfill(path=found, content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html><title>modules</title>", content_type="text/html")
