"""The clock on the wall: any number of screens, right on all of them, whatever happens to them and to the room."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support import room_event
from tests.support.waiting import soon
from tournaments.engine import commands as c
from tournaments.events.models import Tournament

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long(
        "real seconds on screens; the clock's modules are tested alone, and the director's evening has a screen"
    ),
]

#: As far as a screen may be from the room, and so two of them from each other, ms.
CLOSE = 250
LOOKS = {"Plain": "plain", "Dark felt": "felt", "Big time": "time", "Payouts": "payouts", "Scoreboard": "score"}
#: A machine whose clock is seven minutes fast, and can be set.
FAST = "const real = Date.now; window.ahead = 420000; Date.now = () => real() + window.ahead;"
#: What is shown, and when that was by the machine's own clock, which the server goes by here.
SHOWN = """async () => {
  await new Promise(requestAnimationFrame);
  const [level, remaining] = document.querySelector(".wall").dataset.shown.split(" ").map(Number);
  const text = document.querySelector("[data-part=time]").textContent;
  return { level, remaining, text, at: performance.timeOrigin + performance.now() };
}"""
#: Parts that are not whole on the screen; on a phone it may scroll down.
STICKING_OUT = """(isWall) => [...document.querySelectorAll(".wall [data-part]")].filter((part) => {
  const { width, left, right, bottom } = part.getBoundingClientRect();
  return width && (left < 0 || right > innerWidth + 1 || (isWall && bottom > innerHeight + 1));
}).map((part) => part.dataset.part)"""
#: Whether the screen's own worker has kept the page and all that it names.
IS_KEPT = """async () => {
  const parts = [...document.querySelectorAll("script[src], link[href]")];
  const named = parts.map((one) => new URL(one.src ?? one.href).pathname);
  const kept = (await (await caches.open("cardroom.clock")).keys()).map(({ url }) => new URL(url).pathname);
  return [location.pathname, ...named.filter((path) => /[.](css|js)$/.test(path))].every((path) => kept.includes(path));
}"""
#: A window tells its console when it has rung.
TELLS = """() => {
  const wall = document.querySelector(".wall");
  new MutationObserver(() => console.log(wall.dataset.rang)).observe(wall, { attributeFilter: ["data-rang"] });
}"""


@pytest.fixture
def event(direct) -> Tournament:
    """Nine are playing."""
    made: Tournament = direct(room_event.open_event, entrants=9)
    direct(room_event.start, made)
    return made


@pytest.fixture
def screen(come_in) -> Callable[..., Page]:
    """`screen(event)`: a screen of its own with the clock on it, which has been told of the event."""

    def opened(event: Tournament, *, look: str = "plain", script: str = "") -> Page:
        # A wall clock is reloaded without the room by its own worker.
        page: Page = come_in(None, service_workers="allow").page
        page.add_init_script(script)
        page.goto(f"/tournaments/{event.pk}/clock/?look={look}")
        return in_touch(page)

    return opened


def in_touch(page: Page) -> Page:
    """Connected, drawn, and the server's time measured."""
    expect(page.locator(".wall")).to_have_attribute("data-connection", "open")
    expect(page.locator(".wall")).to_have_attribute("data-shown", re.compile(r"\d+ \d+ \d+"))
    expect(page.locator(".wall__offline").first).to_be_hidden()
    return page


def ends_at(direct, event: Tournament) -> int:
    """When the level does that was last set, ms."""
    direct(event.refresh_from_db)
    return int(event.clock["ends_at"])


def error_of(page: Page, ends: float) -> float:
    """How far what is shown is from what the room would say in that moment, ms."""
    shown = page.evaluate(SHOWN)
    left = ends - shown["at"]
    minutes, seconds = map(int, shown["text"].split(":"))
    assert abs(1000 * (60 * minutes + seconds) - left) < 1000 + CLOSE, "the figure rounds up to whole seconds"
    return shown["remaining"] - left


def test_screens_agree_with_the_room_and_each_other_after_a_restart(room, direct, event, screen):
    first, other = screens = [screen(event), screen(event, look="score", script=FAST)]
    # Changed by somebody else, and so noticed by the room's next look at its events.
    direct(room_event.play, event, c.SetRemaining(754_000))
    ends = ends_at(direct, event)

    def agree() -> None:
        errors = [error_of(page, ends) for page in screens]
        assert max(map(abs, errors)) < CLOSE, errors
        assert abs(errors[0] - errors[1]) < CLOSE

    for page in screens:
        expect(page.locator("[data-part=time]")).to_have_text(re.compile("12:"))
    agree()
    first.reload()
    in_touch(first)
    agree()
    soon(lambda: first.evaluate(IS_KEPT))
    room.kill("web")
    for page in screens:
        told = re.compile("Offline since.*continues from the last update", re.DOTALL)
        expect(page.locator(".wall__offline").first).to_contain_text(told)
    agree()
    first.reload()
    expect(first.locator(".wall__offline").first).to_contain_text("Offline since")
    agree()
    room.start("web")
    in_touch(first)
    in_touch(other)
    agree()


def test_a_screen_that_froze_or_lost_the_room_is_right_again(direct, event, screen):
    page = screen(event, script=FAST)
    ends = ends_at(direct, event)
    session = page.context.new_cdp_session(page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    session.send("Page.setWebLifecycleState", {"state": "active"})
    assert abs(error_of(page, ends)) < CLOSE
    page.evaluate("window.ahead += 3600000")
    # It looks as if the machine had slept an hour; so the room is asked, and knows better.
    is_right = (
        f"async (ends) => {{ const at = await ({SHOWN})(); return Math.abs(at.remaining - (ends - at.at)) < {CLOSE}; }}"
    )
    page.wait_for_function(is_right, arg=ends)

    direct(room_event.play, event, c.SetRemaining(9_000))
    expect(page.locator("[data-part=time]")).to_have_text(re.compile(r"^0:0\d$"))
    page.context.set_offline(True)
    expect(page.locator(".wall__offline").first).to_contain_text("Offline")
    expect(page.locator("[data-part=level]")).to_have_text("Level 2")  # by the levels it knows
    expect(page.locator("[data-part=next]")).to_have_text("Break 1: 10 minutes")
    assert abs(error_of(page, ends_at(direct, event) + 20 * 60_000)) < CLOSE
    page.context.set_offline(False)
    in_touch(page)
    direct(room_event.play, event, c.Cancel("The river came up."))
    expect(page.locator("[data-part=state]")).to_have_text("Cancelled")


def test_one_of_two_windows_rings_in_the_last_minute_and_at_the_end_of_a_level(direct, event, screen):
    page = screen(event)
    windows = [page, page.context.new_page()]
    windows[1].goto(page.url)
    for window in windows:
        in_touch(window).get_by_label("Sound").check()
        window.evaluate(TELLS)
    for remaining, what in ((62_000, "0:minute"), (3_000, "1:end")):
        with page.context.expect_console_message(lambda said, what=what: what in said.text):
            direct(room_event.play, event, c.SetRemaining(remaining))
    for window in windows:
        expect(window.locator("[data-part=level]")).to_have_text("Level 2")
    heard = [window.locator(".wall").get_attribute("data-rang") or "" for window in windows]
    assert sorted(" ".join(heard).split()) == ["0:minute", "1:end"]


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (390, 844)])
def test_every_look_fits_every_screen(event, come_in, width, height):
    page = come_in(None, width=width, height=height).page
    page.goto(f"/tournaments/{event.pk}/clock/?look=neon")
    in_touch(page)
    for words, look in LOOKS.items():
        page.get_by_role("link", name=words, exact=True).click()
        expect(page.locator(".wall")).to_have_attribute("data-look", look)
        expect(page).to_have_url(re.compile(f"look={look}"))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.wait_for_function(f"(isWall) => !({STICKING_OUT})(isWall).length", arg=width > 640)


def test_before_the_start_it_counts_down_to_it(direct, screen):
    page = screen(direct(room_event.open_event, starts_in=3600))
    expect(page.locator("[data-part=level]")).to_have_text("Starts in")
    expect(page.locator("[data-part=time]")).to_have_text(re.compile(r"(59|1:00):\d\d"))
