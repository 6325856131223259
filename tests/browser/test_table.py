"""What one person at one table meets: bots, keys, a phone, the rail, refusals, the way out."""

import re

import pytest
from playwright.sync_api import expect

from cardroom.core import audit as core_audit
from tests.browser.player import OVERHEAR

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long(
        "scenes at tables that deal; test_cash_player.py is a player's journey, the modules are tested alone"
    ),
]


def whose_turn(*people):
    return {player.seat(): player for player in people}[people[0].turn]


def test_a_player_with_a_phone_is_dealt_in_and_the_rail_is_asked_to_sit(open_table, come_in):
    table = open_table("Pond", bots=2, pause_seconds=1, bots_wait_for_people=False)
    ada, rail = come_in("Ada", width=390, height=844), come_in(None)
    ada.sit(5, at=table)
    ada.wait_for_cards()
    for turn in ada.turns():
        if turn != ada.seat():
            continue
        for box in ada.fits(".act"):
            assert box["y"] > 844 / 2, "within reach of the thumb"
            assert box["y"] + box["height"] <= 844
        ada.check_or_call()
    ada.page.get_by_role("button", name="Announcements and chat").tap()
    expect(ada.page.locator(".log__list")).to_be_visible()
    expect(ada.page.get_by_text("Third street").first).to_be_visible()
    rail.go_to(table)
    expect(rail.page.locator(".seat .card").first).to_be_visible()
    while not rail.turn:  # after the showdown, where downcards are shown
        rail.wait_for_news(rail.hand, rail.seq)
    assert not rail.cards("[data-turn]:not([data-turn='']) .card.is-down[data-card]"), "the rail sees no downcard"
    expect(rail.page.get_by_text("watching")).to_be_visible()
    rail.page.get_by_role("button", name="Log in to sit down").click()
    expect(rail.page).to_have_url(re.compile(r"/accounts/login/\?next=/tables/\d+/"))


def test_two_presses_are_one_action_and_a_stale_one_is_refused(two_sit):
    ada, bert = two_sit("Free")
    ada.page.get_by_role("button", name="Leave").first.click()
    asks = ada.page.get_by_role("alertdialog", name="Leave now?")
    expect(asks).to_contain_text("Your hand will be folded and you lose what you have bet.")
    asks.get_by_role("button", name="Not now").click()
    expect(asks).to_have_count(0)
    player, hand, seq = whose_turn(ada, bert), ada.hand, ada.seq
    twin, is_deaf = player.context.new_page(), []

    def hears_nothing_later(window):
        server = window.connect_to_server()
        server.on_message(lambda text: None if is_deaf and '"type":"facts"' in text else window.send(text))

    twin.route_web_socket("**/ws/tables/**", hears_nothing_later)
    twin.goto(player.page.url)
    expect(twin.locator(".act").first).to_be_enabled()
    is_deaf.append(True)
    player.page.evaluate(OVERHEAR)
    button = player.page.locator(".act--bring-in")
    expect(button).to_be_enabled()
    button.evaluate("button => { button.click(); button.click(); button.click() }")
    ada.wait_for_news(hand, seq)
    assert player.page.evaluate("window.sent") == [["act", "bring-in"]]
    # A second window of the same player acts on what the first has already done: that changes and closes nothing.
    twin.locator(".act").first.click()
    expect(twin.locator(".toast--refused")).to_contain_text("moved on")

    while not (first := whose_turn(ada, bert)).page.locator(".act--check").count():
        seq = ada.seq
        first.check_or_call()
        ada.wait_for_news(hand, seq)
    seq = ada.seq
    first.page.locator(".act--fold").click()
    assert ada.seq == seq, "nothing was folded yet"
    first.page.get_by_role("button", name="Fold anyway?").click()
    ada.wait_for_news(hand, seq)
    assert ada.is_over or ada.hand != hand, "with one player left the hand is over, and the next may be dealt already"


def test_a_hand_outlives_a_reload_a_lost_connection_and_a_server_that_dies(room, direct, two_sit):
    ada, bert = two_sit("Bay")
    hand = ada.hand

    def lose_the_connection():
        ada.context.set_offline(True)
        expect(ada.banner).to_contain_text("Reconnecting")
        ada.context.set_offline(False)

    def kill_the_server():
        room.kill()
        expect(ada.banner).to_contain_text("Reconnecting")
        room.start()

    for disturb in (ada.page.reload, lose_the_connection, kill_the_server):
        cards, seq = ada.my_downcards(), ada.seq
        disturb()
        expect(ada.banner).to_be_hidden()
        ada.wait_for_cards()
        assert (ada.hand, ada.my_downcards()[: len(cards)]) == (hand, cards)
        expect(bert.banner).to_be_hidden()
        whose_turn(ada, bert).check_or_call()
        ada.wait_for_news(hand, seq)
    while not ada.is_over and ada.hand == hand:
        expect(bert.main).to_have_attribute("data-seq", str(seq := ada.seq))
        for one, other in ((ada, bert), (bert, ada)):
            assert len(one.my_downcards()) >= 2
            assert not set(one.my_downcards()) & set(other.cards())
        whose_turn(ada, bert).check_or_call()
        ada.wait_for_news(hand, seq)
    expect(ada.page.get_by_role("link", name="Last hand")).to_have_attribute("href", f"/hands/{hand}/")
    ada.page.goto(f"/hands/{hand}/")
    expect(ada.page.get_by_role("heading", name="Showdown")).to_be_visible()
    expect(ada.page.get_by_text("as seen from seat 1")).to_be_visible()
    assert direct(core_audit.check) == []


def test_a_seat_just_taken_is_named_in_the_dialog_and_the_lobby_follows(open_table, come_in):
    table = open_table("Lark", pause_seconds=1)
    ada, bert = come_in("Ada"), come_in("Bert")
    lobby = ada.context.new_page()
    lobby.goto("/")
    body, line, card = lobby.locator("body"), lobby.locator("#room-line"), lobby.locator(".table-card", has_text="Lark")
    expect(body).to_have_attribute("data-room-state", "open")
    expect(card).to_contain_text("0 of 8 seats")
    ada.go_to(table)
    ada.page.get_by_role("button", name="Sit here: seat 3").click()
    bert.sit(3, at=table)
    expect(card).to_contain_text("1 of 8 seats")
    dialog = ada.page.get_by_role("dialog")
    ada.expected += ["409", "htmx:sendError"]  # the lobby asks while it is cut off
    dialog.get_by_role("button", name="Sit down").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Seat 3 was taken a moment ago")
    dialog.get_by_label("Buy-in in chips").fill("700")
    dialog.get_by_role("button", name="Not now").click()
    expect(ada.page.locator("[data-ask-sounds]")).not_to_have_attribute("hidden", "")
    ada.sit(4)
    ada.go_to(table)
    expect(ada.page.locator("[data-ask-sounds]")).to_have_attribute("hidden", "")  # asked once
    expect(lobby.locator(".table-card:not(.table-card--mine)", has_text="Lark")).to_contain_text("2 of 8 seats")
    expect(lobby.get_by_role("heading", name="Your seats")).to_be_visible()
    expect(line).to_be_hidden()
    ada.context.set_offline(True)
    expect(line).to_have_text(re.compile("what you see may be old"))
    ada.context.set_offline(False)
    expect(line).to_be_hidden()
    expect(body).to_have_attribute("data-room-state", "open")


def test_a_turn_that_came_while_the_connection_was_lost_can_be_played(two_sit):
    ada, bert = two_sit("Gap", reduced_motion="no-preference")
    lines = []
    ada.page.on("websocket", lambda line: "/tables/" in line.url and lines.append(line))  # not the room's
    ada.page.reload()
    ada.wait_for_cards()
    ada.wait_for_news()
    hand, losses = bert.hand, 0
    while losses < 3:
        assert bert.hand == hand
        seq = bert.seq
        if bert.turn == ada.seat():
            expect(ada.page.locator(".act").first).to_be_enabled()
            ada.check_or_call()
            bert.wait_for_news(hand, seq)
            continue
        # What Bert does reaches her page, and is drawn on it when the connection is gone.
        with lines[-1].expect_event("framereceived", lambda frame: '"type":"facts"' in frame):
            bert.check_or_call()
        ada.context.set_offline(True)
        expect(ada.banner).to_contain_text("Reconnecting")
        bert.wait_for_news(hand, seq)
        expect(ada.main).to_have_attribute("data-seq", str(bert.seq))
        expect(ada.page.locator(".actions")).to_be_hidden()
        ada.context.set_offline(False)
        expect(ada.banner).to_be_hidden()
        losses += 1
    ada.wait_for_news(hand, seq)
    if ada.turn == ada.seat():
        expect(ada.page.locator(".act").first).to_be_enabled()
