"""Company at the table: what one says is seen by the other over the seat and beside the felt, and what one keeps about
another player stays on their plate."""

import pytest
from playwright.sync_api import expect


def test_two_players_talk_before_a_spectator_and_one_reports_the_other(come_in, open_table):
    table = open_table("Sorrel")
    ada, ben = (come_in(name) for name in ("Ada", "Ben"))
    a, b = ada.page, ben.page
    a.goto("/me/")
    with a.expect_response("**/me/look/"):
        a.get_by_role("radio", name="Face 3", exact=True).check()
    ada.sit(1, at=table)
    ben.sit(2, at=table)
    face = a.locator(".is-you .plate__face")
    expect(face).to_be_visible()
    assert face.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 96

    a.get_by_role("tab", name="Chat").click()
    a.get_by_label("Message to the table").fill("Good evening <b>all</b>")
    a.get_by_role("button", name="Send").click()
    expect(b.locator(".seat__bubble")).to_have_text("Good evening <b>all</b>")
    expect(b.locator("#chat-tab .unread")).to_have_text("1")
    b.get_by_role("tab", name="Chat").click()
    expect(b.locator("#chat-tab .unread")).to_be_hidden()
    a.get_by_label("Message to the table").fill("half a sen")
    a.locator(".emotes summary").click()
    a.locator(".emotes").get_by_role("button", name="Good luck").click()
    expect(b.get_by_role("log", name="Chat at the table").locator("li").nth(1)).to_contain_text("Good luck")
    expect(a.get_by_label("Message to the table")).to_have_value("half a sen")
    watcher = come_in("Cleo", width=390)
    watcher.go_to(table)
    watcher.page.get_by_role("button", name="Announcements and chat").click()
    watcher.page.get_by_role("tab", name="Dealer").press("ArrowRight")
    expect(watcher.page.get_by_role("tab", name="Chat")).to_be_focused()
    expect(watcher.page.get_by_text("Sit down to talk.")).to_be_visible()
    expect(watcher.page.get_by_label("Message to the table")).to_be_hidden()

    b.locator(".chat__line").first.hover()
    b.get_by_role("button", name="Report the message of").first.click()
    b.get_by_label("Reason", exact=True).fill("Sells chips")
    b.get_by_role("button", name="Report to the floor").click()
    expect(b.get_by_text("The floor looks at the message.")).to_be_visible()
    b.get_by_role("button", name=f"Your notes on {ada.name}").click()
    dialog = b.get_by_role("dialog", name=ada.name)
    dialog.get_by_role("radio", name="Green").check()
    dialog.get_by_label("Note").fill("Talks on big hands")
    dialog.get_by_label("Hide their messages").check()
    dialog.get_by_role("button", name="Save").click()
    expect(b.locator(".plate[data-colour=green]")).to_contain_text(ada.name)
    expect(b.get_by_role("button", name=f"{ada.name}, marked green, Talks on big hands")).to_be_visible()
    expect(b.get_by_role("log", name="Chat at the table").locator("li")).to_have_count(0)
    b.goto("/me/players/")
    expect(b.get_by_role("heading", name=ada.name)).to_contain_text("messages hidden")
    expect(b.locator("#main").get_by_role("link", name="Sorrel")).to_be_visible()


@pytest.mark.long("emotes by a thumb and by a key; the first test says one from its menu, among the words of a chat")
def test_an_emote_is_one_press_from_the_table_for_who_sits_there_and_one_key(come_in, open_table):
    table = open_table("Sage")
    ada, ben = come_in("Ada"), come_in("Ben", width=390, height=844)
    a, b = ada.page, ben.page
    for player, seat in ((ada, 1), (ben, 2)):
        player.go_to(table)
        expect(player.page.get_by_role("group", name="Emotes", exact=True)).to_be_hidden()
        player.sit(seat)
    b.get_by_role("group", name="Emotes", exact=True).get_by_role("button", name="Ha ha").tap()
    expect(b.locator(".is-you .seat__bubble .emote")).to_be_visible()
    expect(a.locator(".seat__bubble .emote")).to_be_visible()
    a.locator(".felt").click(position={"x": 5, "y": 5})
    a.keyboard.press("e")
    emotes = a.get_by_role("group", name="Emotes", exact=True)
    expect(emotes.get_by_role("button", name="Well played")).to_be_focused()
    a.keyboard.press("Enter")
    expect(b.locator(".seat:not(.is-you) .seat__bubble")).to_contain_text("Well played")
    # What one said oneself is not unread.
    expect(b.get_by_role("button", name="Announcements and chat").locator(".unread")).to_have_text("1")


def test_a_seat_taken_before_another_page_listens_is_shown_there(come_in, open_table):
    table, ada, lines = open_table("Teasel"), come_in("Ada"), []
    other = ada.context.new_page()
    other.route_web_socket("**/ws/room/**", lambda line: lines.append(line))
    with other.expect_response("**/me/calls/"):
        other.goto("/lists/")
    ada.sit(1, at=table)
    lines[-1].connect_to_server()
    expect(other.get_by_role("navigation", name="Your tables")).to_contain_text("Teasel")
