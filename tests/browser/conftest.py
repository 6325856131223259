"""A real room, a real browser, and people who click.

Chromium and a room stay as long as modules of this folder follow each other (scope "package"): a test's people and
tables are its own, and what others left in the room is none of its business. A module that counts what is in the whole
room has a `room` of its own, and says why.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect, sync_playwright

from games.play import opening
from tests.browser.modules import Modules, page_without_server
from tests.browser.player import Player
from tests.browser.staff import STAKES, is_there, session_of, signed_up
from tests.browser.told import SEATS, Told
from tests.support import static_files
from tests.support.database import speaking_to
from tests.support.models import User
from tests.support.room import Room, own_room

# Generous, for two slow cores: nothing waits it out but a fault.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)

_ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
_numbers = count(1)


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=_ARGUMENTS)
        yield opened
        opened.close()


@contextmanager
def new_room(folder: Path, template: str, **options: Any) -> Iterator[Room]:
    """A room with the static files of `make run`. One process is web, worker and beat, unless they are apart."""
    built = {"CARDROOM_STATIC_BUILT": "true", "CARDROOM_STATIC_ROOT": str(static_files.laid_out())}
    with own_room(folder, template, CARDROOM_BOT_THINKS="0.2", **built, **options) as room:
        for role in ("web", "worker", "beat") if options.get("is_apart") else ("web",):
            room.start(role)
        yield room


@pytest.fixture(scope="package")
def room(tmp_path_factory: pytest.TempPathFactory, _migrated_database: str) -> Iterator[Room]:
    with new_room(tmp_path_factory.mktemp("room"), _migrated_database) as room:
        yield room


@contextmanager
def directing(room: Room, blocker: Any) -> Iterator[Callable[..., Any]]:
    """The test directs the room from a thread of its own: the browser's loop lives in this one."""
    held = ExitStack()
    with ThreadPoolExecutor(max_workers=1) as thread:

        def direct(do: Callable[..., Any], *given: Any, **named: Any) -> Any:
            return thread.submit(do, *given, **named).result()

        direct(held.enter_context, blocker.unblock())
        direct(held.enter_context, speaking_to(room.environment["DATABASE_URL"]))
        yield direct
        direct(held.close)


@pytest.fixture
def direct(room: Room, django_db_blocker: Any) -> Iterator[Callable[..., Any]]:
    """`direct(do, ...)`: what a service of the room answers."""
    with directing(room, django_db_blocker) as direct:
        yield direct


@pytest.fixture
def open_table(direct: Callable[..., Any]) -> Callable[..., int]:
    """`open_table("Larch", bots=1)`: the id of a new table."""

    def opened(name: str, **options: Any) -> int:
        return int(direct(opening.open_table, name=name, **STAKES, now=timezone.now(), **options).pk)

    return opened


@pytest.fixture
def come_in(
    browser: Browser, room: Room, direct: Callable[..., Any], tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Player]]:
    """`come_in("Ada")`: a new person with a browser of their own, who is logged in; their name gets a number, for the
    room is not new. Or a user that is there already; or None, who only looks in. `width=390` for one with a phone,
    `role="floor"` for one who works here. What their page complains of fails the test.
    """
    people: list[Player] = []

    def came(who: str | User | None, *, role: str = "", width: int = 1280, height: int = 800, **options: Any) -> Player:
        is_phone = width < 640
        context = browser.new_context(
            base_url=room.url,
            viewport={"width": width, "height": height},
            has_touch=is_phone,
            device_scale_factor=2 if is_phone else 1,
            **{"reduced_motion": "reduce", "color_scheme": "dark", "service_workers": "block"} | options,
        )
        context.set_default_timeout(PATIENCE)
        people.append(player := Player(context))
        if who:
            user = direct(signed_up, f"{who}{next(_numbers)}", role) if isinstance(who, str) else who
            is_there(player, user, direct(session_of, user), url=room.url)
        return player

    yield came
    complaints = [f"{player.name}: {words}" for player in people for words in player.complaints]
    for player in people:
        if request.session.testsfailed:  # what a failed test looked like at its end
            # Without hiding the caret: for that every input is given a style, which the room's policy refuses to copy.
            player.page.screenshot(path=tmp_path / f"last-{player.name or 'rail'}.png", caret="initial")
        player.context.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def two_sit(open_table: Callable[..., int], come_in: Callable[..., Player]) -> Callable[..., tuple[Player, Player]]:
    """`two_sit("Free")`: Ada and Bert in seats 1 and 2 of a new table, at the first turn of a hand."""

    def sat(name: str, **options: Any) -> tuple[Player, Player]:
        table = open_table(name, pause_seconds=1)
        ada, bert = come_in("Ada", **options), come_in("Bert")
        ada.sit(1, at=table)
        bert.sit(2, at=table)
        for player in (ada, bert):
            player.wait_for_cards()
            player.wait_for_news()
        return ada, bert

    return sat


@pytest.fixture
def told(open_table: Callable[..., int], come_in: Callable[..., Player]) -> Callable[..., Told]:
    """`told()`: the page of somebody whose table is told what the test wants. `script`: what the page begins with; the
    rest goes to `come_in`."""

    def opened(*, seats: range = SEATS, script: str = "", **options: Any) -> Told:
        player = come_in("Ada", **options)
        player.page.add_init_script(script)
        number = open_table(f"Table of {player.name}", act_seconds=120, seat_count=len(seats))
        return Told(player, number, seats=seats)

    return opened


@pytest.fixture(scope="package")
def modules(browser: Browser) -> Iterator[Modules]:
    """For what needs neither a document nor a clock of its own: a module is read once."""
    with page_without_server(browser) as page:
        yield Modules(page)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without a server, that can import the room's own modules from their folder."""
    with page_without_server(browser) as page:
        yield page
