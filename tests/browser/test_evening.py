"""A whole evening with real clicks: ten showdowns, a reload, a lost connection, a server that dies."""

import pytest
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long("ten hands to the showdown; test_cash_player.py plays one, tests/faults kills rooms in play"),
]


@pytest.fixture(scope="module")
def room(own_room):
    """Its books are audited, and it is killed."""
    return own_room


SHOWDOWNS = 10


def play_to_the_end(players):
    """Everybody stays in as cheaply as can be until the hand at the table is over; who saw it, told by the first."""
    first = players[0]
    seats = {player.seat(): player for player in players}
    hand, seq = first.hand, 0
    while True:
        first.wait_for_news(hand, seq)
        if first.is_over or first.hand != hand:
            return
        seq = first.seq
        if first.turn in seats:
            seats[first.turn].check_or_call()


def wait_until_all_are_dealt_in(first, other):
    """The bot may have been dealt a hand with whoever sat down first."""
    wait_for_the_next_deal(first, "")
    while True:
        hand = first.hand
        expect(other.main).to_have_attribute("data-hand", hand)
        if other.mine.locator(".card").count():
            return
        play_to_the_end([first])
        wait_for_the_next_deal(first, hand)


def wait_for_the_next_deal(player, hand):
    player.page.wait_for_function(
        "hand => { const page = document.querySelector('[data-table]');"
        " return page.dataset.hand !== hand && page.dataset.turn !== '' }",
        arg=hand,
    )


def test_two_people_and_a_bot_play_ten_hands_to_the_showdown(room, open_table, come_in):
    open_table("Larch", bots=1, pause_seconds=1)
    ada, bert = come_in("Ada", signs_up=True), come_in("Bert")
    for player, seat in ((ada, 3), (bert, 4)):
        player.open_table("Larch")
        player.sit(seat, buy_in=1500)
    wait_until_all_are_dealt_in(ada, bert)

    for number in range(SHOWDOWNS):
        hand = ada.hand
        if number == 2:
            reload_in_the_middle(ada)
        if number == 4:
            lose_the_connection(ada)
        if number == 6:
            kill_the_server(room, ada)
        assert ada.hand == hand, "the hand that was being played goes on"
        expect(bert.main).to_have_attribute("data-hand", hand)
        bert.wait_for_cards()
        nobody_sees_the_others_downcards(ada, bert)
        play_to_the_end([ada, bert])
        assert ada.page.locator(".seat__made:not([hidden])").count(), "a showdown names the hands"
        assert ada.page.locator(".card.plays").count() >= 5, "and shows the five that play"
        if number == 1:
            ada.picture("showdown-1280")
        if number < SHOWDOWNS - 1:
            wait_for_the_next_deal(ada, hand)

    ada.page.get_by_role("link", name="Last hand").click()
    expect(ada.page.get_by_role("heading", name="Showdown")).to_be_visible()
    expect(ada.page.get_by_text("as seat 3 saw it")).to_be_visible()
    ada.picture("hand-1280")
    assert ada.complaints == []
    assert bert.complaints == []
    told = room.manage("audit")
    assert told.returncode == 0, told.stdout + told.stderr


def reload_in_the_middle(player):
    cards, hand = player.my_downcards(), player.hand
    player.page.reload()
    player.wait_for_cards()
    assert player.hand == hand
    assert player.my_downcards()[: len(cards)] == cards


def lose_the_connection(player):
    cards, hand = player.my_downcards(), player.hand
    player.context.set_offline(True)
    expect(player.banner).to_contain_text("Reconnecting")
    player.picture("reconnecting-1280")
    player.context.set_offline(False)
    expect(player.banner).to_be_hidden()
    assert player.hand == hand
    assert player.my_downcards()[: len(cards)] == cards


def kill_the_server(room, player):
    cards, hand = player.my_downcards(), player.hand
    room.kill()
    expect(player.banner).to_contain_text("Reconnecting")
    room.start()
    expect(player.banner).to_be_hidden(timeout=30_000)
    assert player.hand == hand
    assert player.my_downcards()[: len(cards)] == cards


def nobody_sees_the_others_downcards(one, other):
    assert len(one.my_downcards()) >= 2
    assert len(other.my_downcards()) >= 2
    assert not set(one.my_downcards()) & set(other.cards())
    assert not set(other.my_downcards()) & set(one.cards())
