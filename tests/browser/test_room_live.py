"""Pages of the room that follow it by themselves: the lobby and the board hear, and say when they do not."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long(
        "test_cash_player.py and test_cash_floor.py follow the wall's board, tests/live the room's socket"
    ),
]


@pytest.fixture(scope="module")
def room(own_room):
    """The board counts the open seats of the whole room."""
    return own_room


def test_lobby_and_board_follow_a_player_who_sits_down(come_in, open_table):
    table = open_table("Lark")
    ada, wall = come_in("Ada"), come_in("Wall")
    wall.page.goto("/board/?screens=games")
    expect(wall.page.locator("body")).to_have_attribute("data-room-state", "open")
    expect(wall.page.locator(".is-open")).to_have_text("8")
    lobby = ada.context.new_page()
    lobby.goto("/")
    expect(lobby.locator("body")).to_have_attribute("data-room-state", "open")
    expect(lobby.locator(".table-card", has_text="Lark")).to_contain_text("0 of 8 seats")
    ada.page.goto("/")
    status = ada.page.evaluate(
        """async (table) => {
          const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
          const body = new URLSearchParams({ buy_in: "500" });
          const headers = { "X-CSRFToken": token };
          return (await fetch(`/tables/${table}/sit/`, { method: "POST", headers, body })).status;
        }""",
        table,
    )
    assert status == 200
    expect(lobby.locator(".table-card:not(.table-card--mine)", has_text="Lark")).to_contain_text("1 of 8 seats")
    expect(lobby.get_by_role("heading", name="Your seats")).to_be_visible()
    expect(wall.page.locator(".is-open")).to_have_text("7")


def test_a_page_says_when_it_is_cut_off_and_comes_back(come_in, open_table):
    open_table("Wren")
    bob = come_in("Bob")
    bob.page.goto("/")
    body, line = bob.page.locator("body"), bob.page.locator("#room-line")
    expect(body).to_have_attribute("data-room-state", "open")
    expect(line).to_be_hidden()
    bob.context.set_offline(True)
    expect(line).to_have_text(re.compile("what you see may be old"))
    bob.context.set_offline(False)
    expect(line).to_be_hidden()
    expect(body).to_have_attribute("data-room-state", "open")
