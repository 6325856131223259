"""A player's evening in the cash room, in a browser: they find a game, wait for it, are called, play, and read what
it cost; the wall's board hears of all of it with no reload."""

import re

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.staff import signed_up
from tests.support.models import User
from tests.support.parts.cardroom import core_audit
from tests.support.parts.games import drop_schedules, offers, opening, seats

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long("a list and a statement; test_first_evening.py is a player's journey, test_cash_floor.py lists"),
]


def full_table() -> list[User]:
    """A raked game with one table, where two sit out, so that it is full and no hand begins; and one that does not go.
    Who sits there."""
    now = timezone.now()
    manager, *seated = (signed_up(name, role) for name, role in (("manager", "manager"), ("Bert", ""), ("Cara", "")))
    rake = drop_schedules.save(by=manager, now=now, name="Rake 10 %", rake_permille=100, caps=[[2, 50]])
    stakes = {"ante": 5, "bring_in": 10, "small_bet": 15, "big_bet": 30, "min_buy_in": 300, "max_buy_in": 1500}
    stud = {"name": "Stud 15/30", "drop_id": rake.pk, "seat_count": 2, "comp_per_hour": 10, "pause_seconds": 1}
    offer = offers.create(by=manager, now=now, **stud, **stakes)
    offers.create(by=manager, now=now, name="Razz 15/30", game="razz", **stakes)
    with transaction.atomic():
        table = opening.open_for(offer_id=offer.pk, by=manager, now=now, name="Regent")
        for number, player in enumerate(seated, 1):
            seats.sit(table_id=table.pk, by=player, number=number, buy_in=600, now=now)
            seats.sit_out(table_id=table.pk, by=player, now=now)
    return seated


def test_a_player_s_evening_from_the_lobby_to_the_statement(direct, come_in):
    bert, cara = map(come_in, direct(full_table))
    ada, wall = come_in("Ada"), come_in(None).page
    wall.goto("/board/?screens=games,lists&seconds=120")
    expect(wall.locator("body")).to_have_attribute("data-room-state", "open")

    find_the_game(ada)
    join_the_list(ada)
    expect(wall.locator("[data-screen=games] tr", has_text="Stud 15/30").locator("td").last).to_have_text("1")

    give_the_seat_up(cara)
    lists = wall.locator("[data-screen=lists] .wall-list", has_text=ada.name)
    expect(lists.locator(".is-called")).to_contain_text(f"{ada.name} Regent")
    answer_the_call(ada)
    expect(lists).to_have_text(re.compile("^Razz"))

    add_chips(ada, 200)
    expect(ada.mine.locator("[data-part=stack]")).to_have_text("800")
    play_one_raked_hand(ada, bert)
    sit_out_and_leave(ada)

    read_the_statement(ada)
    assert direct(core_audit.check) == []


def find_the_game(ada):
    """The filters change what is listed, and nothing else."""
    page = ada.page
    page.goto("/")
    expect(page.locator(".offer", has_text="Stud 15/30")).to_contain_text("1 going")
    page.get_by_label("Game", exact=True).select_option("razz")
    expect(page.locator(".offer", has_text="Stud 15/30")).to_have_count(0)
    expect(page.locator(".offer", has_text="Razz 15/30")).to_contain_text("no table yet")
    page.get_by_label("Game", exact=True).select_option("")
    page.get_by_label("Free seat", exact=True).click()
    expect(page.locator(".table-card", has_text="Regent")).to_have_count(0)
    page.get_by_label("Free seat", exact=True).click()
    expect(page.locator(".table-card", has_text="Regent")).to_contain_text("2 of 2 seats")


def join_the_list(ada):
    page = ada.page
    page.get_by_role("link", name=re.compile("^Join the list.*Stud")).click()
    page.get_by_label("A note for the floor").fill("back to the wall")
    page.get_by_role("button", name="Join the list").click()
    expect(page.get_by_text("You are on the waiting list of Stud 15/30.")).to_be_visible()
    expect(page.locator(".names__row")).to_contain_text("Stud 15/30")
    # A second list does no harm to the first.
    page.goto("/")
    page.get_by_role("link", name=re.compile("^Join the list.*Razz")).click()
    page.get_by_role("button", name="Join the list").click()
    expect(page.locator(".names__row")).to_have_count(2)


def give_the_seat_up(cara):
    cara.page.goto("/me/seats/")
    cara.page.get_by_role("button", name="Leave").click()
    expect(cara.page.get_by_text("You have no seat.")).to_be_visible()


def answer_the_call(ada):
    """The banner comes by itself, on whatever page one is."""
    call = ada.page.locator("#my-calls .call-banner", has_text="seat 2")
    expect(call).to_contain_text("Your seat is ready: Regent, seat 2")
    call.get_by_role("button", name="More time").click()
    expect(call.get_by_role("button", name="More time")).to_have_count(0)
    call.get_by_role("button", name="Coming").click()
    expect(call).to_contain_text("Your seat is held: Regent, seat 2")
    call.get_by_label("Buy-in").fill("600")
    call.get_by_role("button", name="Take the seat").click()
    expect(ada.main).to_have_attribute("data-connection", "open")
    expect(ada.mine).to_be_visible()


def add_chips(player, chips):
    player.page.get_by_role("button", name="Add chips").first.click()
    dialog = player.page.get_by_role("dialog")
    dialog.get_by_label("Chips to add, as a number").fill(str(chips))
    dialog.get_by_role("button", name="Add chips").click()
    expect(dialog).to_be_hidden()


def play_one_raked_hand(ada, bert):
    """Both stay in to the end, so there is a call, and the house takes its part."""
    bert.page.goto("/")
    bert.page.get_by_role("link", name="Return to table").click()
    bert.page.get_by_role("button", name="I’m back").click()
    ada.wait_for_cards()
    people = {player.seat(): player for player in (ada, bert)}
    add_chips(ada, 100)  # in a hand: they wait until it is over
    expect(ada.page.get_by_text("100 chips come after this hand.")).to_be_visible()
    bert.page.get_by_role("button", name="Sit out").first.click()
    for seat in ada.turns():
        people[seat].check_or_call()


def sit_out_and_leave(ada):
    ada.page.get_by_role("button", name="Sit out").first.click()
    expect(ada.page.get_by_text("You are sitting out")).to_be_visible()
    ada.page.get_by_role("button", name="Leave").first.click()
    expect(ada.page.get_by_text(re.compile(r"You left with [\d,]+ chips\."))).to_be_visible()


def read_the_statement(ada):
    """Every step of the evening with its minute, and the stay with its sum and its share of the drop."""
    page = ada.page
    page.goto("/me/statement/")
    rows = page.locator(".statement tbody tr")
    for words in ("Buy-in at", "Chips added", "waiting list: called", "Welcome"):
        row = rows.filter(has_text=re.compile(words, re.IGNORECASE)).first
        expect(row.locator("time")).to_have_text(re.compile(r"^\d+ \w+ \d{4}, \d\d:\d\d$"))
    stay = page.locator(".statement__stay").first
    expect(stay.locator("summary")).to_contain_text("1 hand from")
    stay.locator("summary").click()
    assert int(stay.locator("dl > div", has_text="Your share of the drop").locator("dd").inner_text()) > 0
    expect(stay.locator("dl > div", has_text="Brought").locator("dd")).to_have_text("900")
    expect(stay.locator(".statement__hands tbody tr")).to_have_count(1)
    expect(stay.locator(".statement__hands tbody tr")).to_contain_text(re.compile(r"30\s+3 \([12]\)"))
    page.get_by_label("Hand by hand").check()
    page.get_by_role("button", name="Show").click()
    expect(rows.filter(has_text="by what you put in")).to_have_count(1)
    page.get_by_role("link", name="History").click()
    expect(page.locator(".stat", has_text="Hands").locator("dd")).to_have_text("1")
