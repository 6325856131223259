"""The whole first evening of somebody new, told as it goes: they sign up, learn, sit down, talk, play two tables at
once, have a friend in for a home game, share a hand and enter an event. Web, worker and beat are processes of their
own."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import test_first_evening as first
from tests.browser.player import Player
from tests.browser.test_side_by_side import HALVES

pytestmark = [
    pytest.mark.browser,
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.long("an evening in one go; test_first_evening.py walks it without chat, note and replay"),
]

#: One of its own, in which a person who signs up confirms their address by a mail.
room = first.room


def test_the_whole_first_evening_of_somebody_new(room, direct, open_table, come_in):
    for name in ("Alder", "Birch"):
        open_table(name, bots=3, **first.UNHURRIED)
    direct(first.open_an_event_for_two)
    ada, ben, guest = come_in(None), come_in(None), come_in(None)

    ada.page.goto("/")
    first.sign_up(ada, "Ada", mail=room.folder / "mail")
    expect(ada.page.get_by_role("heading", name="Lobby")).to_be_attached()
    first.learn_a_first_hand(ada.page)

    one = first.take_a_quick_seat(ada)
    say(ada.page, "Good evening")
    expect(ada.page.get_by_role("log", name="Chat at the table")).to_contain_text("Ada Good evening")
    note_on_an_opponent(ada.page, "Calls with anything")
    other = first.take_a_quick_seat(ada)
    assert {one, other} == {"Alder", "Birch"}
    have_both_side_by_side(ada.page, one, other)

    ben.page.goto(open_a_home_game(ada.page))
    first.sign_up(ben, "Ben", mail=room.folder / "mail")
    come_in_by_the_link(ben)
    ada.page.get_by_role("link", name="Take a seat").click()
    first.sit_down(ada)
    say(ben.page, "Thank you for having me")
    expect(ada.page.locator(".seat__bubble")).to_have_text("Thank you for having me")
    shared = share_the_hand(ada, play_a_hand(ada, ben))
    watch_it_again(guest, shared)

    first.enter_the_event(ada.page)
    ada.page.get_by_role("link", name=re.compile("^Return.*Ada’s game")).click()
    expect(ada.main).to_have_attribute("data-connection", "open")
    first.enter_the_event(ben.page, and_stay=True)
    table = ada.page.get_by_role("navigation", name="Your tables").get_by_role("link", name=re.compile(first.EVENT))
    table.click()
    expect(ada.page.get_by_role("heading", name=re.compile(first.EVENT))).to_be_visible()
    expect(ada.mine).to_be_visible()
    assert ada.complaints + ben.complaints + guest.complaints == []


def choices(page: Page) -> Locator:
    return page.get_by_role("group", name="Your legal actions")


def say(page: Page, words: str) -> None:
    page.get_by_role("tab", name="Chat").click()
    page.get_by_label("Message to the table").fill(words)
    page.keyboard.press("Enter")


def note_on_an_opponent(page: Page, words: str) -> None:
    name = page.locator("[data-player]").first.get_attribute("data-player") or ""
    page.get_by_role("button", name=f"Your notes on {name}").click()
    dialog = page.get_by_role("dialog", name=name)
    dialog.get_by_label("Note").fill(words)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name=re.compile(f"{name}.*{words}"))).to_be_visible()


def have_both_side_by_side(page: Page, *names: str) -> None:
    page.get_by_role("link", name="Side by side").click()
    expect(page.locator("iframe.tile")).to_have_count(len(names))
    expect(page.get_by_role("button", name="Tiled")).to_have_attribute("aria-pressed", "true")
    for name in names:
        expect(page.frame_locator(f"iframe[title={name}]").locator(".seat.is-you")).to_be_visible()
    page.wait_for_function(HALVES)


def open_a_home_game(page: Page) -> str:
    """Three clicks, and its link."""
    page.get_by_role("link", name="Lobby").first.click()
    page.get_by_role("link", name="Home game", exact=True).click()
    page.get_by_role("button", name="Open the game").click()
    return page.get_by_label("Link", exact=True).input_value()


def come_in_by_the_link(friend: Player) -> None:
    expect(friend.page.get_by_text("Ada invites you to a home game: Seven-Card Stud 5/10")).to_be_visible()
    friend.page.get_by_role("button", name="Join").click()
    first.sit_down(friend)


def play_a_hand(*both: Player) -> str:
    """To its showdown; its page."""
    one = both[0]
    one.wait_for_cards()
    hand, seq = one.hand, 0
    while True:
        one.wait_for_news(hand, seq)
        if one.is_over or one.hand != hand:
            return f"/hands/{hand}/"
        seq = one.seq
        next(each for each in both if each.seat() == one.turn).check_or_call()


def share_the_hand(somebody: Player, hand: str) -> str:
    page = somebody.page
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Last hand").click()
    replay = opened.value
    assert replay.url.endswith(hand)
    replay.get_by_role("button", name="Share").click()
    link = replay.get_by_label("Link").input_value()
    replay.close()
    return link


def watch_it_again(guest: Player, link: str) -> None:
    """As somebody who has no account, and is told no name."""
    page = guest.page
    page.goto(link)
    page.keyboard.press("End")
    expect(page.locator("[data-page=said]")).to_contain_text(re.compile(r"Seat \d (and Seat \d split|wins)"))
    expect(page.locator(".replay .plate__name", has_text=re.compile(r"^Seat \d$"))).to_have_count(2)
    assert not re.search("Ada|Ben", page.content())
