"""An evening in the room: an event of four tables, from its flyer to the payout, run at the director's console."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from cardroom.ledger import ledger
from tests.support import evening, room_event, tiers
from tests.support.models import Payout, Tournament, User
from tests.support.parts.tournaments import event_clock, event_journal, hands, registration
from tests.support.tills import open_till
from tournaments.engine.config import PayoutTerms

pytestmark = pytest.mark.browser

ENTRIES, TABLES = tiers.many(28, long=60), tiers.many(4, long=8)
PRICE = {"entry": {"pool": 100, "fee": 10, "staff": 5}}


def prepared() -> Tournament:
    """Nobody has been told of it yet."""
    event = room_event.draft(minutes=(20, 20, -10, 20, 20, 20), seats=8, payout=PayoutTerms(places=8))
    Tournament.objects.filter(pk=event.pk).update(price=PRICE, name="Stud on Friday")
    return event


def open_drawer(director: User) -> None:
    """Cash needs one."""
    open_till(director, now=timezone.now())


def fill(event: Tournament, director: User, count: int) -> None:
    for number in range(1, count + 1):
        registration.register(tournament_id=event.pk, now=timezone.now(), by=director, guest=f"Guest {number:02}")


def enter(event: Tournament, dealer: User, verb: Callable[..., Any], **what: Any) -> None:
    """As a dealer does at the tablet."""
    verb(tournament_id=event.pk, by=dealer, now=timezone.now(), **what)


def bust(event: Tournament, dealer: User, down_to: int) -> None:
    """Guests go out at the tables until so many are left."""
    state = event_journal.read(event.pk)
    sized = {table.number: list(table.seats.values()) for table in state.in_use()}
    for _ in range(state.left - down_to):
        seated = max(sized.values(), key=len)
        enter(event, dealer, hands.bust, busts=[(seated.pop(), None)], eliminators=(seated[0],))


def enter_late(event: Tournament, director: User) -> User:
    """Entry is kept open, and somebody enters who did not mean to."""
    wrong = evening.player("wrong", 1000, now=timezone.now())
    event_clock.keep_entry_open(tournament_id=event.pk, by=director, now=timezone.now(), on=True)
    registration.register(tournament_id=event.pk, by=wrong, player=wrong, now=timezone.now())
    return wrong


def balance_of(player: User) -> int:
    return ledger.wallet(player).balance


def go_to(page: Page, event: Tournament, place: str = "run") -> None:
    page.goto(f"/tournaments/{event.pk}/{place}/")
    expect(page.locator("[data-run]")).to_have_attribute("data-connection", "open")


def in_every_width(page: Page) -> None:
    """Nothing sticks out of a desk's screen, a tablet's, a phone's."""
    before = page.viewport_size
    for width in (1280, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{page.url} at {width}"
    page.set_viewport_size(before)


def stat(page: Page, name: str) -> Locator:
    return page.locator(".stat").filter(has_text=name).locator(".stat__value")


def button(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("button", name=name)


def test_an_event_from_the_flyer_to_the_payout(direct, come_in):
    event: Tournament = direct(prepared)
    marta, nils = come_in("Marta", role="director"), come_in("Nils", role="dealer", width=768, height=1024)
    page = marta.page

    # Before: the flyer, entries by hand, and the rest.
    page.goto(f"/tournaments/{event.pk}/")
    button(page, "Open registration").click()
    ada = come_in("Ada")
    ada.page.goto(f"/tournaments/{event.pk}/")
    button(ada.page, re.compile("^Register")).click()
    expect(ada.page.get_by_text("You are in, with entry 1")).to_be_visible()
    direct(open_drawer, marta.user)
    page.goto(f"/tournaments/{event.pk}/desk/?q=Bruno")
    button(page, re.compile("^Cash 115.*guest Bruno")).click()
    expect(page.get_by_text("Bruno is in")).to_be_visible()
    direct(fill, event, marta.user, ENTRIES - 2)

    # The start, and the clock on a second screen.
    go_to(page, event)
    expect(stat(page, "Left")).to_have_text(f"{ENTRIES} of {ENTRIES}")
    button(page, "Draw the seats").click()
    expect(page.locator(".run-table")).to_have_count(TABLES)
    button(page, "Cards in the air").click()
    wall = come_in(None).page
    wall.goto(f"/tournaments/{event.pk}/clock/")
    expect(wall.locator("[data-part=time]")).to_have_text(re.compile(r"^(20:00|19:\d\d)$"))
    button(page, "Stop the clock").click()
    expect(wall.locator("[data-part=note]")).to_have_text("The clock is paused")
    button(page, "A minute more").click()
    # What is left is rounded up: 21:00 where it was stopped in its first second.
    expect(wall.locator("[data-part=time]")).to_have_text(re.compile(r"^(21:00|20:\d\d)$"))
    in_every_width(page)
    page.keyboard.press("p")
    expect(button(page, "Stop the clock")).to_be_visible()

    # A bust by a tap, taken back and done again.
    page.locator("a.run-seat").filter(has_text="Guest 07").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    in_every_width(page)
    page.get_by_role("dialog").locator("label.pill").first.click()
    button(page, "Guest 07 is out").click()
    expect(stat(page, "Left")).to_have_text(f"{ENTRIES - 1} of {ENTRIES}")
    expect(wall.locator("[data-part=players]")).to_contain_text(str(ENTRIES - 1))
    page.keyboard.press("u")
    expect(stat(page, "Left")).to_have_text(f"{ENTRIES} of {ENTRIES}")
    expect(wall.locator("[data-part=players]")).to_contain_text(str(ENTRIES))
    button(page, re.compile("^Redo Bust of Guest 07")).click()
    expect(stat(page, "Left")).to_have_text(f"{ENTRIES - 1} of {ENTRIES}")

    # A late entry in the wrong event: undo opens its refund, and a reason posts it.
    wrong = direct(enter_late, event, marta.user)
    expect(page.locator("#undo")).to_contain_text("Entry of wrong")
    page.keyboard.press("u")
    expect(page.get_by_role("dialog")).to_contain_text("Refund 115 to wrong, to the wallet")
    in_every_width(page)
    page.keyboard.type("The wrong event")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#undo")).to_contain_text("Entry kept open")
    expect(page.locator(".run-undo__slips")).to_contain_text("Receipt")
    assert direct(balance_of, wrong) == 1000
    page.keyboard.press("u")
    expect(page.locator("#undo")).to_contain_text("Bust of Guest 07")

    # A dealer at the tablet; the console hears of it.
    go_to(nils.page, event, "tables/1")
    nils.page.locator(".seat-tile__tap").nth(1).click()
    in_every_width(nils.page)
    button(nils.page, "Yes, out").click()
    expect(nils.page.get_by_text("Call the floor")).to_be_visible()
    expect(stat(page, "Left")).to_have_text(f"{ENTRIES - 2} of {ENTRIES}")

    # Tables break and balance as the director says, then by themselves.
    direct(bust, event, nils.user, ENTRIES - 6)
    expect(stat(page, "Left")).to_have_text(f"{ENTRIES - 6} of {ENTRIES}")
    todo = page.locator(".todo__one").first
    expect(todo).to_contain_text("Break table")
    button(todo, "Confirm").click()
    expect(page.locator(".run-table")).to_have_count(TABLES - 1)
    button(page, "Automatic moves: off").click()
    expect(button(page, "Automatic moves: on")).to_be_visible()
    direct(bust, event, nils.user, 9)
    expect(stat(page, "Left")).to_have_text(f"9 of {ENTRIES}")

    # Hand-for-hand before the money; two tables.
    expect(page.locator(".run-table")).to_have_count(2)
    button(page, "Lock them").click()
    expect(page.locator("#lock")).to_have_text("Locked")
    button(page.locator(".todo__one").filter(has_text="Start hand-for-hand"), "Confirm").click()
    expect(page.get_by_role("heading", name="Hand-for-hand, hand 1")).to_be_visible()
    in_every_width(page)
    page.locator("a.run-seat").first.click()
    button(page, re.compile("is out, when the hand is over")).click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    at_play = page.locator(".hfh__table:not([disabled])")
    for others in reversed(range(at_play.count())):
        at_play.first.click()
        expect(at_play).to_have_count(others)
    expect(stat(page, "Left")).to_have_text(f"8 of {ENTRIES}")
    expect(page.locator(".run-table")).to_have_count(1)

    # Three are left and make a deal, with something to play for.
    direct(bust, event, nils.user, 3)
    left = direct(event_journal.read, event.pk).in_play()
    for entrant, part in zip(left, (500, 300, 200), strict=True):
        direct(enter, event, nils.user, hands.count, entrant=entrant.number, chips=ENTRIES * part)
    page.goto(f"/tournaments/{event.pk}/deal/?play_for=500")
    in_every_width(page)
    button(page, re.compile("^Propose: ICM")).click()
    button(page, "Everybody at the table has accepted").click()
    expect(page.get_by_text("The deal is made").first).to_be_visible()

    # To the winner, and the money.
    go_to(page, event)
    for _ in range(2):
        page.locator("a.run-seat").last.click()
        button(page, re.compile("is out$")).click()
        expect(page.get_by_role("dialog")).to_be_hidden()
    expect(wall.locator("[data-part=time]")).to_have_text("The end")
    page.get_by_role("link", name="Pay…").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    button(page, "Pay everybody, cash included").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    paid = direct(lambda: list(Payout.objects.filter(tournament=event.pk).values_list("state", "amount")))
    assert sum(amount for _, amount in paid) == ENTRIES * 100
    assert {state for state, _ in paid} == {Payout.State.PAID}
    page.goto(f"/tournaments/{event.pk}/results/")
    expect(page.get_by_text("1st").first).to_be_visible()


@pytest.mark.long("two directors at once; the first test plays an evening of one, from the flyer to the payout")
def test_two_directors_hear_of_each_other_and_lose_nothing_they_typed(direct, come_in):
    event: Tournament = direct(room_event.open_event, entrants=9)
    direct(room_event.start, event)
    late, other = (come_in(name, role="director", color_scheme="light") for name in ("Olga", "Piet"))
    olga, piet = late.page, other.page
    for page in (olga, piet):
        go_to(page, event)
    in_every_width(piet)
    olga.locator("a.run-seat").first.click()
    dialog = olga.get_by_role("dialog")
    dialog.get_by_text("Penalty", exact=True).click()
    dialog.get_by_label("Reason").fill("A phone at the table")
    button(piet, "A minute more").click()
    expect(olga.locator("#undo")).to_contain_text("Clock +1:00")
    expect(dialog.get_by_label("Reason")).to_have_value("A phone at the table")
    late.expected.append("409")
    button(dialog, "Give penalty").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Clock +1:00")
    expect(dialog.get_by_role("alert")).to_contain_text("reload")
    expect(dialog.get_by_label("Reason")).to_have_value("A phone at the table")
    button(dialog, "Give penalty").click()
    expect(dialog).to_be_hidden()
    expect(piet.locator("#undo")).to_contain_text("warning")

    # Quick taps all count; by keyboard a player is found and opened, and Escape leaves them.
    for _ in range(3):
        button(piet, "A minute more").click()
    expect(olga.locator(".run-log").last).to_contain_text(re.compile("(Clock .1:00.*){4}", re.DOTALL))
    piet.keyboard.press("/")
    piet.keyboard.type(f"Guest {event.pk}.4")
    expect(piet.locator("a.run-seat.is-found")).to_have_count(1)
    piet.keyboard.press("Enter")
    expect(piet.get_by_role("dialog")).to_contain_text(f"Guest {event.pk}.4, entry 4")
    piet.keyboard.press("Escape")
    expect(piet.get_by_role("dialog")).to_be_hidden()


def test_at_the_desk_a_name_and_enter_is_an_entry_and_the_next_is_typed_at_once(direct, come_in):
    event = direct(prepared)
    marta = come_in("Marta", role="director")
    page = marta.page
    direct(open_drawer, marta.user)
    page.goto(f"/tournaments/{event.pk}/")
    button(page, "Open registration").click()
    expect(button(page, "Open registration")).to_have_count(0)
    page.goto(f"/tournaments/{event.pk}/desk/")
    page.evaluate("document.body.dataset.same = 'yes'")
    name, told = page.locator("#q"), page.locator("#told")
    expect(name).to_be_focused()
    for number, who in enumerate(("Ann Archer", "Ben Baker"), 1):
        page.keyboard.type(who)
        page.keyboard.press("Enter")
        expect(told).to_contain_text(f"{who} is in, with entry {number}")
        expect(name).to_be_focused()
        expect(name).to_have_value("")
    expect(page.locator("#entries")).to_contain_text("Ann Archer")
    button(page, "Undo").click()
    expect(told).not_to_contain_text("Ben Baker is in")
    expect(page.locator("#entries tbody tr")).to_have_count(1)
    for names in ("Cyd Carver\nDot Dean", "Eli East\nFay Fox"):
        page.get_by_text("Paste a list").click()
        page.locator("#desk-names").fill(names)
        button(page, "Enter all").click()
        expect(told).to_contain_text("2 entered")
        expect(page.locator("#desk-names")).to_be_hidden()
        expect(page.locator("#entries")).to_contain_text(names.split("\n")[1])
    # A director who types on while the answer is awaited loses nothing, and Enter twice is one entry.
    page.get_by_text("Paste a list").click()
    page.locator("#desk-names").fill("Later List")
    name.focus()
    page.keyboard.type("Gus Gray")
    page.keyboard.press("Enter")
    page.keyboard.type("Hal Hope")
    expect(told).to_contain_text("Gus Gray is in")
    expect(name).to_have_value("Hal Hope")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(told).to_contain_text("Hal Hope is in")
    expect(name).to_have_value("")
    expect(page.locator("#desk-names")).to_have_value("Later List")
    # What is refused is there again, to be mended.
    marta.expected += ["status of 422", "Error Code 422"]
    page.keyboard.type("hal hope")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Hal Hope is in already")).to_be_visible()
    expect(name).to_have_value("hal hope")
    name.fill("")
    assert page.evaluate("document.body.dataset.same") == "yes", "no page was loaded"
    in_every_width(page)
    expect(page.locator("#desk-count")).to_contain_text("7 entries")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/tournaments/{event.pk}/run/")
    page.locator(".run-print summary").click()
    box = page.locator(".run-print .menu__list").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
