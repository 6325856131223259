"""A table that a person deals: a dealer with a tablet, players with screens of their own, and what goes wrong."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.play import seats
from tests.browser.player import OVERHEAR, Player

pytestmark = pytest.mark.browser
_long = pytest.mark.long(
    "further scenes at the console; the first test plays a hand with mistakes, test_dealer_modules.py the code"
)

BOOK = "Robert's Rules of Poker v4"
_IDLE = """
() => {
  const page = document.querySelector("[data-table]");
  return page.dataset.busy !== "true" && page.dataset.step !== "wait";
}
"""
_OUT_OF_REACH = """
() => [...document.querySelectorAll(".console :is(.go, .act, .declare button)")].filter((button) => {
  const box = button.getBoundingClientRect();
  const seen = document.elementFromPoint(box.x + box.width / 2, box.bottom - 4);
  return box.height && !button.contains(seen);
}).map((button) => button.innerText)
"""


class Dealer:
    """They see their console and nothing behind it."""

    def __init__(self, person: Player, table: int) -> None:
        self.person = person
        self.page: Page = person.page
        self.page.goto(f"/tables/{table}/deal/")
        expect(person.main).to_have_attribute("data-connection", "open")
        #: The one big button.
        self.step = self.page.locator("[data-page=go]")

    def has_all_in_reach(self) -> None:
        """On a tablet on its side nothing lies over what is to be entered, and nothing is offered twice."""
        before = self.page.viewport_size
        self.page.set_viewport_size({"width": 1180, "height": 820})
        self.wait()
        assert self.page.evaluate(_OUT_OF_REACH) == []
        # The big button only tells what the player to act may do.
        offers = self.page.locator(".console button:not(.go):visible", has_text=re.compile("all-in", re.I))
        assert len(offers.all_inner_texts()) <= 1, offers.all_inner_texts()
        self.page.set_viewport_size(before)

    def wait(self) -> None:
        self.page.wait_for_function(_IDLE)

    def go(self, *steps: str | re.Pattern[str]) -> None:
        """Press the big button, once or when it says each of these."""
        for words in steps or [""]:
            expect(self.step).to_contain_text(words)
            expect(self.step).to_be_enabled()
            self.step.click()

    def went_wrong(self, what: str, *answers: int | str) -> None:
        """The mistake, and what is asked about it: a seat, or a button that begins so."""
        self.page.get_by_role("button", name=what, exact=True).click()
        for answer in answers:
            words = f"Seat {answer}, " if isinstance(answer, int) else answer
            self.page.get_by_role("button", name=re.compile(f"^{words}")).click()

    def button(self) -> int:
        """The seat that has the dealer's button: the last to receive."""
        return int(self.page.locator(".tile:has(.tile__button:visible)").get_attribute("data-seat") or 0)

    def enter(self) -> None:
        """Enter the cheapest way in for the player to act."""
        seq = self.person.seq
        self.page.locator(".act--check, .act--call, .act--bring-in").first.click()
        self.moved_on(seq)

    def moved_on(self, seq: int) -> None:
        """Wait until the hand is past fact `seq`."""
        self.page.wait_for_function(
            "(seq) => Number(document.querySelector('[data-table]').dataset.seq) > seq", arg=seq
        )
        self.wait()

    def play_the_round(self) -> None:
        """Enter everybody's cheapest way to the end of the betting."""
        self.wait()
        while self.person.main.get_attribute("data-step") == "act":
            self.enter()


@pytest.fixture
def seated(open_table, come_in, direct):
    """`seated("Larch")`: the dealer at their console, Ada in seat 1 and Bert in seat 3, and nothing dealt yet."""

    def open_dealer_table(name, *, width=1024, height=768, **options):
        table = open_table(name, dealt_by="person", **options)
        size = {"width": width, "height": height}
        dee, ada, bert = come_in("Dee", role="dealer", **size), come_in("Ada", **size), come_in("Bert", **size)
        for player, seat in ((ada, 1), (bert, 3)):
            sits = {"table_id": table, "by": player.user, "number": seat, "buy_in": 600, "key": ""}
            direct(seats.sit, **sits, now=timezone.now())
            player.go_to(table)
        return Dealer(dee, table), ada, bert

    return open_dealer_table


def all_see(everybody, key, verdict, rule, says="", *, book=BOOK):
    """The ruling on the console and over the players' tables, with its rule; `says`: to the first of them."""
    cards = [one.page.locator(f"[data-page=ruling] [data-key={key}][data-verdict={verdict}]") for one in everybody]
    for card in cards:
        expect(card).to_be_visible()
        expect(card.locator("cite")).to_have_text(f"{book}, {rule}")
    expect(cards[0]).to_contain_text(says)


def test_mistakes_are_said_on_the_tablet_and_everybody_sees_the_ruling(seated):
    dealer, ada, bert = seated("Larch", is_spoken=True)
    people = {1: ada, 3: bert}

    # A downcard is turned up.
    dealer.go("Start hand 1")
    expect(dealer.step).to_contain_text("Deal third street")
    dealer.went_wrong("Turned up", "1st card of Bert")
    dealer.go("1st card turned up")
    everybody = dealer, ada, bert
    all_see(everybody, "exposed_downcard", "third-card-down", 5, "The third card there comes face down")
    expect(bert.mine.locator(".card.is-up")).to_have_count(1)

    # The wrong seat is named low, and brings it in.
    dealer.wait()
    low = int(dealer.person.turn)
    wrong = 4 - low
    dealer.went_wrong("Wrong low")
    if dealer.page.locator("[data-page=asking]").is_visible():
        dealer.page.get_by_role("button", name=re.compile(f"^Seat {wrong}, ")).click()
    people[wrong].page.locator(".act--bring-in").click()
    expect(dealer.page.get_by_role("button", name=f"Undo: Seat {wrong} brings it in")).to_be_visible()
    dealer.go(f"Seat {low} is low, not seat {wrong}")
    all_see(everybody, "wrong_lowcard", "corrected", 9, "Give 5 back")
    dealer.has_all_in_reach()
    people[low].page.locator(".act--bring-in").click()
    expect(dealer.step).to_contain_text(f"Seat {wrong} to act")
    people[wrong].page.locator(".act--call").click()

    # A card comes too soon.
    dealer.go("Burn and deal fourth street")
    dealer.enter()
    dealer.went_wrong("Dealt too early", 1, "One card dealt too early")
    expect(dealer.page.locator(".tile__early .card").first).to_be_visible()
    dealer.play_the_round()
    dealer.go("The cards dealt too soon are out")
    all_see(everybody, "premature_deal", "eliminated", 14, "Put 1 card more from the stub")

    # The last card comes face up; of two players only the second's leaves them a choice.
    dealer.play_the_round()
    dealer.go("Burn and deal sixth street")
    dealer.play_the_round()
    expect(dealer.step).to_contain_text("Burn and deal seventh street")
    second = dealer.button()
    dealer.went_wrong("Turned up", second)
    dealer.go()
    all_see(everybody, "final_card_faceup", "all-in-option", 17, "all-in, or play on?")
    dealer.has_all_in_reach()
    people[second].page.get_by_role("button", name="Declare all-in").click()
    expect(dealer.page.get_by_text("ran out")).to_have_count(0)
    dealer.page.wait_for_function("() => document.querySelector('[data-table]').dataset.handState === 'over'")
    dealer.go(re.compile(r"Push \d+ to seat [13]"))
    while "Push" in dealer.step.inner_text():  # a pot that was split
        dealer.go()
    expect(dealer.step).to_contain_text("Start hand 2")
    for player in everybody:
        assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_dealers_unsent_entry_is_kept_while_a_player_acts(seated):
    dealer, ada, bert = seated("Alder")
    people = {1: ada, 3: bert}
    dealer.go("Start hand 1", "Deal third street")
    dealer.wait()
    dealer.page.get_by_role("button", name="Dealt too early", exact=True).click()
    dealer.page.get_by_role("button", name=re.compile("^Seat 1, ")).click()
    asking = dealer.page.locator("[data-page=asking]")
    for how in ("bring-in", "call"):  # the betting is over before the dealer is ready
        seq = dealer.person.seq
        people[int(dealer.person.turn)].page.locator(f".act--{how}").click()
        dealer.moved_on(seq)
        expect(asking).to_contain_text("One card dealt too early")
    asking.get_by_role("button", name="One card dealt too early").click()
    expect(dealer.page.locator(".tile__early .card").first).to_be_visible()
    dealer.go("The cards dealt too soon are out")
    all_see((dealer, ada, bert), "premature_deal", "eliminated", 14)

    dealer.play_the_round()
    dealer.page.get_by_role("button", name="Off the table", exact=True).click()
    expect(asking).to_be_visible()
    dealer.page.evaluate("document.querySelector('[data-page=undo]').click()")
    expect(dealer.page.locator("#toasts")).to_contain_text("“Off the table” was not entered")


@_long
def test_two_burned_and_what_a_player_does_with_their_cards_is_entered_in_two_taps(seated):
    dealer, ada, bert = seated("Beech")
    dealer.page.evaluate(OVERHEAR)
    expect(dealer.step).to_contain_text("Start hand 1")
    expect(dealer.step).to_have_attribute("aria-disabled", "false")
    dealer.step.evaluate("button => { button.click(); button.click(); button.click() }")
    expect(dealer.step).to_contain_text("Deal third street")
    assert dealer.page.evaluate("window.sent") == [["dealer", "start-hand"]]
    dealer.go()
    dealer.play_the_round()
    dealer.went_wrong("Burned two")
    dealer.go("two burned")  # and it is ruled on at once
    all_see((dealer, ada, bert), "burn_error", "corrected", 13, "Move every card one place on")
    dealer.play_the_round()
    dealer.go("Burn and deal fifth street")
    dealer.wait()
    dealer.went_wrong("Reordered", 1)
    all_see((ada, bert), "upcard_order", "warning", "intro")
    seq = dealer.person.seq
    # The floor's order of things: an entry that was a slip is taken back.
    dealer.page.get_by_role("button", name=re.compile("^Undo: Seat 1")).click()
    dealer.moved_on(seq)
    expect(ada.page.locator("[data-page=ruling]")).to_be_hidden()
    expect(ada.page.locator(".log__list")).to_contain_text("was a mistake and is taken back")
    # Somebody picks their cards up in front of a bet.
    first = int(dealer.person.turn)
    dealer.page.locator(".act--wager").first.click()
    expect(dealer.step).to_contain_text(f"Seat {4 - first} to act")
    dealer.went_wrong("Picked up", 4 - first)
    all_see((ada, bert), "picked_up_upcards", "folded", 10)
    expect(dealer.step).to_contain_text(f"to seat {first}")


@_long
def test_a_seat_passed_over_or_given_too_many_is_put_right_on_every_street_by_phone(seated):
    dealer, ada, bert = seated("Rowan", width=390, height=844)
    dealer.go("Start hand 1")
    expect(dealer.step).to_contain_text("Deal third street")
    dealer.went_wrong("Two cards", "2nd card of Bert")
    dealer.go("two 2nd cards to Bert", "Wrong number of starting cards: misdeal")
    expect(dealer.page.locator("[data-page=ruling]")).to_contain_text("By analogy with")
    dealer.go("Give every chip back")
    for player in (ada, bert):
        expect(player.mine.locator("[data-part=stack]")).to_have_text("600")
    dealer.go("Start hand 2", "Deal third street")
    dealer.play_the_round()
    dealer.went_wrong("Skipped", 3)
    expect(dealer.step).to_contain_text("skipped")
    dealer.go("Burn and deal fourth street", "Put the number of cards right")
    expect(dealer.page.locator("[data-page=ruling]")).to_contain_text("Each card goes to the player who was due it")
    all_see((ada, bert), "wrong_card_count", "corrected", 13, book=f"By analogy with {BOOK}")
    for _ in range(2):
        dealer.went_wrong("Dealt too early", 1, "One card dealt too early")
        expect(dealer.page.locator("[data-page=asking]")).to_be_hidden()
        dealer.wait()
    dealer.play_the_round()
    dealer.went_wrong("Two cards", 1)
    dealer.go("The cards dealt too soon are out")
    dealer.enter()
    dealer.went_wrong("Count was wrong")
    expect(dealer.page.locator("[data-page=ruling]")).to_contain_text("the number at the showdown counts")


@_long
def test_a_fouled_deck_voids_the_hand_of_a_physical_deck_in_two_taps(seated):
    dealer, ada, bert = seated("Elm", deck="typed")
    dealer.go("Start hand 1")
    dealer.wait()
    dealer.went_wrong("Fouled deck")
    asking = dealer.page.locator("[data-page=asking]")
    expect(asking).to_contain_text("the hand is void and every chip goes back")
    dealer.page.get_by_role("button", name="Cancel", exact=True).click()
    expect(asking).to_be_hidden()
    dealer.went_wrong("Fouled deck")
    dealer.page.get_by_role("button", name="Void the hand", exact=True).click()
    ruling = dealer.page.locator("[data-page=ruling]")
    expect(ruling).to_contain_text("TDA 2024, rule 35E")
    expect(ruling).to_contain_text("Take the deck out of play")
    expect(dealer.step).to_contain_text("Bring another deck")
    dealer.go("Give every chip back")
    for player in (ada, bert):
        expect(player.mine.locator("[data-part=stack]")).to_have_text("600")


@_long
def test_cards_of_a_physical_deck_are_scanned(seated):
    dealer, ada, bert = seated("Oak", deck="typed")
    dealer.go("Start hand 1")
    expect(dealer.page.locator("[data-page=scanFor]")).to_contain_text("1st card")
    keys = dealer.page.keyboard
    last = dealer.button()
    first = 4 - last  # receives first
    for card in ("As", "Kd", "2c", "10h"):  # the downcards; a reader types and presses Enter
        keys.type(f"{card}\n")
    keys.type("As\n")
    expect(dealer.page.get_by_text("A♠ is already out")).to_be_visible()
    assert dealer.page.locator("[data-card=As]").count() == 0, "a downcard does not lie open on the tablet"
    dealer.page.get_by_role("button", name="All cards").click()
    for card in ("7♣", "4♦"):
        dealer.page.get_by_role("button", name=card, exact=True).click()
    dealer.go("Deal third street")
    expect(dealer.step).to_contain_text(f"Seat {last} ")
    people = {1: ada, 3: bert}
    assert sorted(people[first].my_downcards()) == ["2c", "As"]
    assert sorted(people[last].my_downcards()) == ["Kd", "Th"]
    # A card that is out already is refused by the room as well, and nothing has changed.
    dealer.play_the_round()
    keys.type("7c\n")
    expect(dealer.page.get_by_text("7♣ is already out")).to_be_visible()
    for card in ("8s", "9s"):
        keys.type(f"{card}\n")
    keys.press("Enter")
    expect(dealer.step).to_contain_text(f"Seat {last} ")
    # The cards were typed the wrong way round: the entry is taken back and made again.
    dealer.page.get_by_role("button", name=re.compile("^Undo: Dealt up")).click()
    expect(dealer.step).to_contain_text("Burn and deal fourth street")


@_long
def test_the_console_works_with_keys_is_read_out_and_fits_every_screen(seated):
    dealer, ada, _ = seated("Ash")
    expect(dealer.step).to_be_enabled()
    dealer.step.focus()
    dealer.page.keyboard.press("Enter")
    expect(dealer.step).to_contain_text("Deal third street")
    expect(dealer.page.locator("[data-page=voice]")).to_contain_text("Next: Deal third street")
    dealer.went_wrong("Turned up", "2nd card of Ada")
    expect(dealer.step).to_be_enabled()
    dealer.step.focus()
    dealer.page.keyboard.press("Enter")
    expect(dealer.step).to_contain_text("bring in 5")
    all_see([dealer], "exposed_downcard", "third-card-down", 5)
    dealer.wait()
    for width, height in [(768, 1024), (390, 844), (1280, 800), (1024, 768)]:
        for page in (dealer.page, ada.page):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for button in dealer.page.locator(".console button:visible").all():
            box = button.bounding_box()
            assert box["height"] >= 36
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
    seen = ada.page.locator("[data-page=ruling]")
    seen.get_by_role("button").click()
    expect(seen).to_be_hidden()

    expect(dealer.page.locator(".act--bring-in")).to_be_enabled()
    dealer.page.keyboard.press("c")
    expect(dealer.step).to_contain_text("call 5")
    dealer.page.get_by_role("button", name="Player left", exact=True).focus()
    dealer.page.keyboard.press("Enter")
    expect(dealer.page.locator("[data-page=askingWords]")).to_be_visible()
    dealer.page.keyboard.press("Escape")
    expect(dealer.page.locator("[data-page=askingWords]")).to_be_hidden()


# -- the floor -------------------------------------------------------------------------------------------------------

#: A voice that writes down what it says.
VOICE = """
window.said = [];
Object.defineProperty(window, "speechSynthesis", { value: {
  speak: (words) => { window.said.push(words.text); words.dispatchEvent(new Event("end")); },
  cancel: () => {},
} });
"""


@_long
def test_announcements_are_spoken_until_muted_and_a_call_brings_the_floor(seated, come_in):
    dealer, ada, bert = seated("Maple", is_spoken=True)
    for player in (ada, bert):
        player.context.add_init_script(VOICE)
        player.page.reload()
        expect(player.main).to_have_attribute("data-connection", "open")
    bert.page.locator(".options > summary").click()
    bert.page.get_by_label("Speak the announcements").uncheck()
    flo = come_in("Flo", role="floor")
    flo.page.goto("/floor/rulings/")
    expect(flo.page.locator("[data-floor]")).to_have_attribute("data-connection", "open")
    dealer.go("Start hand 1")
    dealer.went_wrong("Turned up", "1st card of Ada")
    dealer.go()
    ada.page.wait_for_function("() => window.said.some((words) => words.includes('is low'))")
    said = ada.page.evaluate("window.said")
    assert any(words.startswith("Ruling. Downcard turned up") for words in said)
    assert not any("[" in words for words in said), "cards are spoken in words"
    assert bert.page.evaluate("window.said") == []

    ada.page.get_by_role("button", name="Call the floor").first.click()
    ada.page.get_by_label("Reason for the call").fill("Bert shows the cards around")
    ada.page.get_by_role("dialog").get_by_role("button", name="Call the floor").click()
    call = flo.page.locator(".call")
    expect(call).to_contain_text("Maple, seat 1")
    expect(call).to_contain_text("Bert shows the cards around")
    expect(flo.page).to_have_title(re.compile(r"^\(1\) "))
    call.get_by_role("link", name="Open the table").click()
    expect(flo.main).to_have_attribute("data-connection", "open")
    assert flo.page.locator(".tile__downs [data-card]").count() == 0, "the floor sees no downcard"

    # What the rules do not leave to the floor is not offered.
    expect(flo.page.get_by_role("radio", name="Rule a hand live")).to_be_disabled()
    order = flo.page.get_by_role("button", name=re.compile("^(Confirm the order|Kill a hand)$"))
    flo.page.get_by_role("radio", name="Kill a hand").check()
    flo.page.get_by_role("radio", name=re.compile("^3 Bert")).check()
    expect(order).to_be_disabled()  # without a reason nothing is ordered
    flo.page.get_by_label("Reason").fill("Cards shown to a neighbour")
    order.click()
    expect(flo.page.locator(".order-log")).to_contain_text("Cards shown to a neighbour")
    for player in (ada, bert):
        expect(player.page.locator(".log__list")).to_contain_text("The floor kills a hand")
        expect(player.page.locator(".log__list")).to_contain_text("Cards shown to a neighbour")
    expect(dealer.step).to_contain_text("to seat 1")
    answer = flo.page.get_by_role("button", name="Answer the call")
    answer.click()
    expect(answer).to_have_count(0)
    flo.page.get_by_role("link", name="Floor").click()
    expect(flo.page.get_by_text("No open calls.")).to_be_visible()
    flo.page.get_by_role("link", name="Floor orders").click()
    expect(flo.page.get_by_role("row", name=re.compile("Maple .* Hand killed, seat 3 Cards shown"))).to_be_visible()
