"""The page of a table of an event: no buying in, no leaving, and a place for the event's bar."""

import pytest

from tests.support.evening import Evening
from tests.support.event_tables import EVENT, open_event
from tests.support.pages import html_of


@pytest.fixture
def table():
    (one,) = open_event(8)
    one.ann, _ = one.seat_people("ann", "bob")
    return one


def test_its_page_says_which_event_it_is_of_and_offers_no_chips(client, table):
    client.force_login(table.ann)
    page = client.get(f"/tables/{table.pk}/").content.decode()
    assert f'data-event="{EVENT}"' in page
    assert page.count('id="event-bar"') == 1
    for words in ("Buy in", "Add chips", "Sit down", 'data-control="leave"'):
        assert words not in page
    for words in ('data-control="sit-out"', 'data-control="come-back"', 'id="floor-dialog"'):
        assert words in page


def test_a_table_of_no_event_has_no_place_for_one(client):
    table = Evening()
    page = client.get(f"/tables/{table.pk}/").content.decode()
    assert "data-event" not in page
    assert "event-bar" not in page


def test_the_lobby_shows_neither_the_table_nor_the_seat(client, table):
    client.force_login(table.ann)
    for page in ("/", "/lobby/"):
        assert table.table.name not in client.get(page).content.decode()


@pytest.mark.parametrize(("move", "words"), [("sit-out", "You are away"), ("come-back", "You are back")])
def test_away_and_back_by_the_buttons(client, table, move, words):
    client.force_login(table.ann)
    for each in ("sit-out", "come-back"):
        answer = client.post(f"/tables/{table.pk}/{each}/", HTTP_HX_REQUEST="true")
        assert answer.status_code == 204
        if each == move:
            assert words in answer["HX-Trigger"]


def test_leaving_is_refused_in_words(client, table):
    client.force_login(table.ann)
    page = html_of(client.post(f"/tables/{table.pk}/leave/", HTTP_HX_REQUEST="true"), 422)
    assert "The seats of a tournament are drawn" in page
