"""The first evening of somebody new, told as it goes: they sign up, learn, sit down at two tables, have a friend in for
a home game and enter an event. Web, worker and beat are processes of their own.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.training.lessons import lessons
from tests.browser.conftest import new_room
from tests.browser.player import PASSWORD, Player
from tests.browser.test_problem import KEYS
from tests.support import room_event
from tests.support.parts.event_rules import EventConfig, Structure, terms
from tests.support.parts.tournaments import tournaments
from tests.support.room import Room
from tests.support.waiting import soon

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.redis]

#: Long enough for a player who has three tables, a friend and a chat.
UNHURRIED = {"act_seconds": 120, "bots_wait_for_people": False, "pause_seconds": 1}
EVENT = "Stud for two"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, _migrated_database: str) -> Iterator[Room]:
    """One of its own: people who sign up confirm their address by a mail."""
    folder = tmp_path_factory.mktemp("evening")
    mail = {"ACCOUNT_EMAIL_VERIFICATION": "mandatory", "EMAIL_URL": f"filemail:///{folder}/mail"}
    with new_room(folder, _migrated_database, is_apart=True, **mail) as room:
        yield room


def test_the_first_evening_of_somebody_new(room, direct, open_table, come_in):
    for name in ("Alder", "Birch"):
        open_table(name, bots=3, **UNHURRIED)
    direct(open_an_event_for_two)
    ada, ben = come_in(None), come_in(None)

    ada.page.goto("/")
    sign_up(ada, "Ada", mail=room.folder / "mail")
    expect(ada.page.get_by_role("heading", name="Lobby")).to_be_attached()
    learn_a_first_hand(ada.page)
    assert {take_a_quick_seat(ada), take_a_quick_seat(ada)} == {"Alder", "Birch"}

    link = open_a_home_game(ada.page)
    ben.page.goto(link)
    sign_up(ben, "Ben", mail=room.folder / "mail")
    come_in_by_the_link(ben)
    ada.page.get_by_role("link", name="Take a seat").click()
    sit_down(ada)
    ben.page.get_by_role("tab", name="Chat").click()
    ben.page.get_by_label("Message to the table").fill("Thank you for having me")
    ben.page.keyboard.press("Enter")
    expect(ada.page.locator(".seat__bubble")).to_have_text("Thank you for having me")
    ada.wait_for_cards()
    people = {player.seat(): player for player in (ada, ben)}
    for seat in ada.turns():
        people[seat].check_or_call()
    close_the_home_game(ada.page)
    assert "This link leads to no game" in ben.page.request.get(link).text()

    enter_the_event(ada.page)
    ada.page.get_by_role("link", name="Return to table Alder").click()
    expect(ada.main).to_have_attribute("data-connection", "open")
    enter_the_event(ben.page, and_stay=True)
    table = ada.page.get_by_role("navigation", name="Your tables").get_by_role("link", name=re.compile(EVENT))
    table.click()
    expect(ada.page.get_by_role("heading", name=re.compile(EVENT))).to_be_visible()
    expect(ada.mine).to_be_visible()
    # Who is at no other table is brought to theirs, and may leave it.
    expect(ben.page).to_have_url(ada.page.url)
    ben.page.goto("/tournaments/")
    bar = ben.page.get_by_role("navigation", name="Your tables")
    bar.get_by_role("link", name=re.compile(EVENT)).click()
    expect(ben.page).to_have_url(ada.page.url)


def open_an_event_for_two() -> None:
    """Online, and it starts when both are in."""
    config = EventConfig(Structure(room_event.levels(20)), 1000, max_entrants=2)
    price = {"entry": {"pool": 100, "fee": 10}}
    given: dict[str, Any] = {"conduct": "online", "starts_when_full": True, "price": price}
    event = tournaments.create(by=None, now=timezone.now(), name=EVENT, config=terms.to_json(config), **given)
    tournaments.open_registration(tournament_id=event.pk, by=None, now=timezone.now())


def sign_up(somebody: Player, name: str, *, mail: Path) -> None:
    """From a page that asks for it, by way of the mail, back to that page."""
    page = somebody.page
    somebody.name = name
    page.get_by_role("link", name="Sign up and play").click()
    page.get_by_label("Username").fill(name)
    page.get_by_label("Email").fill(f"{name}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    soon(lambda: links_mailed_to(f"{name}@example.org", mail), f"no mail to {name}")
    page.goto(links_mailed_to(f"{name}@example.org", mail)[0])
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".nav-wallet")).to_contain_text(f"{name} Your account and wallet: 10,000")


def links_mailed_to(address: str, folder: Path) -> list[str]:
    mails = [mail.read_text("utf-8") for mail in folder.glob("*")]
    ours = [mail for mail in mails if f"To: {address}".casefold() in mail.casefold()]
    return re.findall(r"http://\S+/confirm-email/\S+", "".join(ours))


def learn_a_first_hand(page: Page) -> None:
    """By keys alone; a poor choice is explained, and they try again."""
    page.get_by_role("link", name="Learn", exact=True).click()
    page.get_by_role("link", name="Your first hand").click()
    said, go_on = page.locator("[data-page=says]"), page.get_by_role("button", name="Go on")
    choices = page.get_by_role("group", name="Your legal actions")
    stops = lessons()["first-hand"].parts[0].stops
    first = next(stop for stop in stops if stop.best)
    for stop in stops:
        if stop.best:
            expect(said).to_have_text(stop.speech)
            expect(choices.get_by_role("button").first).to_be_enabled()
            if stop is first:
                page.keyboard.press("f")
                expect(said).to_have_text(f"{stop.poor['fold']} Try again.")
                expect(choices.get_by_role("button").first).to_be_enabled()
            page.keyboard.press(KEYS[stop.best])
            expect(said).to_have_text(stop.then)
            expect(choices).to_be_hidden()
        else:
            expect(said).to_contain_text(stop.speech)
        expect(go_on).to_be_focused()
        page.keyboard.press("Enter")
    expect(said).to_contain_text("That is the end of this lesson.")
    expect(page.get_by_role("link", name="Next: Third street")).to_be_focused()


def take_a_quick_seat(somebody: Player) -> str:
    """The name of the table that it is at."""
    page = somebody.page
    page.goto("/")
    page.get_by_role("button", name="Quick seat").click()
    sit_down(somebody)
    return page.get_by_role("heading", level=1).inner_text()


def sit_down(somebody: Player) -> None:
    """At a table that has asked for the buy-in."""
    dialog = somebody.page.get_by_role("dialog", name=re.compile("^Take seat"))
    dialog.get_by_role("button", name="Sit down").click()
    expect(dialog).to_be_hidden()
    expect(somebody.mine).to_be_visible()


def open_a_home_game(page: Page) -> str:
    """Three clicks, and its link."""
    page.get_by_role("link", name="Lobby").first.click()
    page.get_by_role("link", name="Home game", exact=True).click()
    page.get_by_label("Game", exact=True).select_option("Razz")
    page.get_by_role("button", name="Open the game").click()
    expect(page.get_by_role("heading", name="Ada’s game")).to_be_visible()
    return page.get_by_label("Link", exact=True).input_value()


def come_in_by_the_link(friend: Player) -> None:
    expect(friend.page.get_by_text("Ada invites you to a home game: Razz 5/10")).to_be_visible()
    friend.page.get_by_role("button", name="Join").click()
    sit_down(friend)


def close_the_home_game(page: Page) -> None:
    """Its host sees who has come in, on a page of the game's own."""
    page.locator(".options > summary").click()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Your home game").click()
    host = opened.value
    expect(host.get_by_text("Ada, Ben")).to_be_visible()
    host.get_by_role("button", name="Close the game").click()
    expect(host.get_by_text("This game is over.")).to_be_visible()
    host.close()


def enter_the_event(page: Page, *, and_stay: bool = False) -> None:
    """From its card in the lobby, and back there. Whose table opens at once stays: they may be on the way to it."""
    page.goto("/")
    page.get_by_role("link", name=re.compile(f"^Register.*{EVENT}")).click()
    page.get_by_role("button", name=re.compile("^Register")).click()
    expect(page.get_by_text(re.compile("^You are in, with entry"))).to_be_visible()
    if not and_stay:
        page.get_by_role("link", name="Lobby").first.click()
