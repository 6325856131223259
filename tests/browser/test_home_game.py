"""A home game: opened in three clicks, joined by its link in another browser, and closed by its host."""

from playwright.sync_api import expect


def test_a_link_brings_a_friend_to_a_table_that_a_player_opened(come_in):
    ada, ben = come_in("Ada"), come_in("Ben")
    page, friend = ada.page, ben.page
    page.goto("/lobby/")
    page.get_by_role("link", name="Home game", exact=True).click()
    page.get_by_label("Game", exact=True).select_option("Razz")
    page.get_by_role("button", name="Open the game").click()
    link = page.get_by_label("Link", exact=True).input_value()
    expect(page.get_by_role("heading", name=f"{ada.name}’s game")).to_be_visible()

    friend.goto(link)
    expect(friend.get_by_text(f"{ada.name} invites you to a home game: Razz 5/10")).to_be_visible()
    friend.get_by_role("button", name="Come in").click()
    friend.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    page.get_by_role("link", name="Take a seat").click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(friend.locator("[data-hand-state=playing]")).to_be_visible()
    # Nobody but those who sit there reads what is said.
    page.get_by_role("tab", name="Chat").click()
    page.get_by_label("Message to the table").fill("Thursday again")
    page.keyboard.press("Enter")
    expect(friend.locator(".seat__bubble")).to_have_text("Thursday again")

    page.locator(".options > summary").click()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Your home game").click()
    host = opened.value
    expect(host.get_by_text(f"{ada.name}, {ben.name}")).to_be_visible()
    host.get_by_role("button", name="Close the game").click()
    expect(host.get_by_text("This game is over.")).to_be_visible()
    friend.goto(link)
    expect(friend.get_by_text("This link leads to no game")).to_be_visible()
    assert ada.complaints == []
