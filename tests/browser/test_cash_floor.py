"""An evening of the floor in the room: tables, lists, seats, and the wall's board that follows with no reload."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from cardroom.core import audit as core_audit
from tests.browser.staff import House
from tests.support.waiting import soon

pytestmark = pytest.mark.browser


@pytest.fixture
def floor(come_in, direct):
    """`floor("Oak")`: a house of this stem, and its floor at the map of the room."""

    def came(stem: str):
        house = direct(House, stem)
        flo = come_in(house.flo)
        flo.page.goto("/floor/")
        _follows(flo.page)
        return house, flo

    return came


def _follows(page: Page) -> None:
    expect(page.locator("body")).to_have_attribute("data-room-state", "open")


def _load_until_shown(page: Page, shown: Locator) -> None:
    """Without Redis the room does not hear what this process does, and shares its map for some seconds."""
    soon(lambda: page.reload() and shown.count(), "the map never showed it")
    _follows(page)


def _on_the_map(page: Page, table: str) -> Locator:
    return page.locator(".mt", has=page.locator(f'[data-name="{table.lower()}"]'))


def _line(page: Page, game: str) -> Locator:
    """The game's cells on the board: stakes, tables, open seats, waiting."""
    return page.locator(".wall tr", has=page.get_by_role("rowheader", name=re.compile(f"^{game}"))).locator("td")


def test_a_table_is_opened_and_filled_from_the_list_while_the_wall_follows(floor, come_in, direct):
    house, flo = floor("Oak")
    page = flo.page
    direct(house.offer, name="Alder online", is_physical=False)
    direct(house.offer, seat_count=2)
    direct(house.free_tables, "Oak 1")
    direct(house.guests, "Oakley", "Oakum")
    wall = come_in(None).page
    wall.goto("/board/?screens=games,lists")
    _follows(wall)

    page.get_by_role("link", name="Open a table").click()
    page.get_by_role("row", name=re.compile("Oak live")).get_by_role("link", name="Open a table").click()
    page.get_by_label("At table").select_option(label="Oak 1")
    page.get_by_role("button", name="Open the table").click()
    expect(_on_the_map(page, "Oak 1").locator(".mt__phase")).to_have_text("open")
    expect(_line(wall, "Oak live")).to_have_text(["20/40", "–", "2", "–"])

    page.get_by_role("link", name="Lists", exact=True).click()
    _follows(page)
    for name in ("Oakley", "Oakum"):
        page.keyboard.press("a")
        page.keyboard.type(name)
        if name == "Oakley":  # the second name is for the same game
            page.get_by_label("Game", exact=True).first.select_option(label="Oak live")
        page.get_by_role("button", name="Add to the list").click()
        expect(page.locator(".names__link", has_text=name)).to_be_visible()
    expect(_line(wall, "Oak live").last).to_have_text("2")

    page.keyboard.press("Escape")
    page.get_by_role("button", name="Call Oakley to Oak 1").click()
    expect(wall.locator(".wall-list li.is-called")).to_contain_text("Oakley")
    row = page.locator(".names__row", has_text="Oakley")
    expect(row.locator(".names__state")).to_contain_text("Oak 1, ")
    row.locator(".names__link").click()
    panel = page.locator("#list-panel")
    panel.get_by_label("Buy-in").fill("800")
    panel.get_by_role("button", name=re.compile("^Seat in")).click()
    expect(page.locator(".names__link", has_text="Oakley")).to_have_count(0)
    expect(_line(wall, "Oak live")).to_have_text(["20/40", "–", "1", "1"])
    expect(panel).to_contain_text("the first who waits")


@pytest.mark.long("two names at once; the first test adds two one by one, test_page_modules.py sends a form once")
def test_a_name_typed_while_another_is_sent_is_added_too(floor, direct):
    house, flo = floor("Elm")
    page = flo.page
    direct(house.offer, seat_count=2)
    held: list[Route] = []
    page.goto("/floor/lists/")
    _follows(page)
    page.route("**/floor/lists/add/", lambda route: held.append(route))
    who, add = page.get_by_label("Card, barcode or name"), page.get_by_role("button", name="Add to the list")
    page.get_by_label("Game", exact=True).first.select_option(label="Elm live")
    for name in ("Elmer", "Elmira"):
        who.fill(name)
        add.click()
        add.click()  # the second click of a double click
        expect(who).to_have_value("" if name == "Elmer" else name)
    with page.expect_request("**/floor/lists/add/"):
        held.pop().continue_()
    expect(page.locator(".names__link", has_text="Elmer")).to_be_visible()
    held.pop().continue_()
    expect(page.locator(".names__link", has_text="Elmira")).to_be_visible()
    expect(page.locator(".names__link", has_text="Elm")).to_have_count(2)

    page.unroute("**/floor/lists/add/")
    flo.expected.append("400")
    who.fill("\u0007")
    page.get_by_label("Note").fill("by the door")
    add.click()
    expect(page.locator(".toast--refused")).to_be_visible()
    expect(page.get_by_label("Note")).to_have_value("by the door")


@pytest.mark.long("the floor's journey is the first test; tests/web has these pages")
def test_a_game_breaks_up_and_a_table_is_counted_to_the_chip_and_free_again(floor, direct):
    house, flo = floor("Ash")
    page = flo.page
    offer = direct(house.offer, seat_count=4)
    first, second = (direct(house.open, offer, table) for table in direct(house.free_tables, "Ash 1", "Ash 2"))
    ashby, ashley = direct(house.guests, "Ashby", "Ashley")
    direct(house.seat, first, ashby)
    direct(house.seat, second, ashley)
    panel, toasts = page.locator("#panel"), page.locator("#toasts")
    _load_until_shown(page, _on_the_map(page, "Ash 2").locator(".fs", has_text="Ashley"))

    def open_beside(table):
        page.keyboard.press("Escape")
        _on_the_map(page, table).locator(".mt__link").click()
        expect(panel.get_by_role("heading", name=re.compile(f"^{table}"))).to_be_visible()
        expect(panel.locator(".seat-plan")).to_be_visible()

    def chair(player):
        """What staff does to this player's seat."""
        seat = panel.locator(f'.seat-do[data-part="{player.pk}"]')
        seat.locator("summary").click()
        return seat

    def count(reason, told):
        """Nothing is on the table; what the room says to that."""
        panel.get_by_label("Total counted").fill("0")
        panel.get_by_label("Reason (if over or short)").fill(reason)
        panel.get_by_role("button", name="Record the count").click()
        expect(toasts).to_contain_text(told)

    open_beside("Ash 1")
    seat = chair(ashby)
    seat.get_by_label("Seat", exact=True).select_option("4")
    seat.get_by_label("Balancing tables").check()
    seat.get_by_role("button", name="Move", exact=True).click()
    expect(_on_the_map(page, "Ash 1").locator(".fs").nth(3)).to_contain_text("Ashby")
    open_beside("Ash 2")
    panel.locator(".table-acts").get_by_label("Too few players").check()
    panel.get_by_role("button", name="Break the table").click()
    expect(_on_the_map(page, "Ash 2").locator(".mt__phase")).to_have_text("breaking")
    expect(_on_the_map(page, "Ash 1").locator(".fs--held")).to_contain_text("Ashley")
    seat = chair(ashley)
    seat.get_by_label("Chips counted").fill("650")
    seat.get_by_label("To table").select_option(label="Ash 1")
    seat.get_by_role("button", name="Move", exact=True).click()
    expect(_on_the_map(page, "Ash 1").locator(".fs", has_text="Ashley")).to_contain_text("650")

    open_beside("Ash 1")
    chair(ashley)  # open for all that comes: news draws nothing anew meanwhile
    for wallet in (4_100, 4_000):  # the same twice, both meant
        seat = chair(ashby)
        seat.get_by_label("Chips to bring").fill("100")
        seat.get_by_role("button", name="From their balance").click()
        expect(seat).not_to_have_attribute("open", "")
        assert direct(house.wallet_of, ashby) == wallet
    chair(ashley)
    for player, chips in ((ashby, 1_000), (ashley, 640)):
        seat = chair(player)
        seat.get_by_label("Chips counted").fill(str(chips))
        seat.get_by_role("button", name="Cash out").click()
        expect(seat).to_have_count(0)
    flo.expected += ["409", "422"]
    panel.get_by_role("button", name="Close", exact=True).click()
    expect(toasts).to_contain_text("The book balance of Ash 1 is not 0")
    panel.get_by_text("Count the chips on the table").click()
    count("", "0 is recorded: count again")
    count("", "it differs from the book balance")
    count("two chips of five are missing", "0 chips counted, -10.")
    panel.get_by_role("button", name="Close", exact=True).click()
    expect(_on_the_map(page, "Ash 1").locator(".mt__phase")).to_have_text("free")
    # What was counted short on the way is put right too: the books of this room are others' as well.
    open_beside("Ash 2")  # which breaks: its count is open already
    count("", "0 is recorded: count again")
    count("Ashley was counted short by these", "0 chips counted, -150.")
    assert not [fault for fault in direct(core_audit.check) if "Ash" in fault]
    assert [direct(house.wallet_of, player) for player in (ashby, ashley)] == [5_000, 4_840]


#: What can be tapped in the page and is smaller than a finger, by its words and size.
SMALL = """() => [...document.querySelectorAll("main :is(a, button, summary, select, input, label.pill)")]
  .filter((it) => it.checkVisibility() && !(it.closest("label.pill") && !it.matches("label.pill")))
  .filter((it) => !it.closest(".visually-hidden"))
  .map((it) => [it.textContent.trim().slice(0, 30), it.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 1 && (width < 43.5 || height < 43.5))
  .map(([words, { width, height }]) => [words, width, height])"""


def test_a_tap_on_a_seat_opens_its_player_and_a_missing_count_is_asked_for(floor, direct):
    house, flo = floor("Elm")
    page = flo.page
    page.set_viewport_size({"width": 1024, "height": 768})
    offer = direct(house.offer, seat_count=4)
    first, second = (direct(house.open, offer, table) for table in direct(house.free_tables, "Elm 1", "Elm 2"))
    elmer, elmo = direct(house.guests, "Elmer", "Elmo")
    direct(house.seat, first, elmer)
    direct(house.seat, second, elmo)
    seat = _on_the_map(page, "Elm 1").locator(".fs", has_text="Elmer").first
    _load_until_shown(page, seat)
    seat.click()
    chair = page.locator("#panel .seat-do").first
    expect(chair).to_have_attribute("data-part", str(elmer.pk))
    expect(chair).to_have_attribute("open", "")
    expect(chair.get_by_role("link", name="Player's page")).to_be_visible()
    expect(page.locator("#panel .table-acts")).to_be_visible()
    assert page.evaluate(SMALL) == []

    chair.get_by_label("To table").select_option(label="Elm 2")
    chair.get_by_role("button", name="Move", exact=True).click()
    count = chair.get_by_label("Chips counted")
    assert count.evaluate("(field) => field.validationMessage") == "Count their chips first, and enter them here."
    count.fill("800")
    chair.get_by_role("button", name="Move", exact=True).click()
    expect(_on_the_map(page, "Elm 2").locator(".fs", has_text="Elmer")).to_contain_text("800")

    _on_the_map(page, "Elm 1").locator(".fs").nth(2).click()
    form = page.locator("#panel .seat-do").first
    expect(form.get_by_label("Seat", exact=True)).to_have_value("3")
    form.get_by_label("Who").fill("Seán O’Brien")
    form.get_by_label("New guest").check()
    expect(form.get_by_role("button", name="Hold the seat")).to_be_disabled()
    form.get_by_role("button", name="Seat for cash").click()
    expect(page.locator("#toasts")).to_contain_text("a cashier is asked")
    expect(_on_the_map(page, "Elm 1").locator(".fs--held")).to_be_visible()
