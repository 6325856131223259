"""The page of a table of an event: no buying in, no leaving, and a place for the event's bar."""

import re

from django.utils import timezone

from cardroom.core import topics
from games.play import event_seats
from tests.support.evening import Evening
from tests.support.event_tables import EVENT, chips_of, open_event
from tests.support.models import Table
from tests.support.pages import assert_hides, assert_shows, get, html_of, words
from tests.support.worlds import world


@world
def table():
    (one,) = open_event(8)
    one.ann, _ = one.seat_people("ann", "bob")
    return one


def test_the_page_of_an_event_table_offers_no_chips_and_no_leaving(client, table):
    client.force_login(table.ann)
    page = get(client, f"/tables/{table.pk}/")
    controls = ('data-control="sit-out"', 'data-control="come-back"', 'id="floor-dialog"')
    assert_shows(
        page, f'data-event="{EVENT}"', *controls, but=["Buy in", "data-top-up", "Sit down", 'data-control="leave"']
    )
    assert page.count('id="event-bar"') == 1
    bar = page.partition("<header")[2].partition("</header>")[0]
    for name in ("Last hand", "Rules of this table"):
        assert 'target="_blank"' in re.search(rf"<a [^>]*>{name}", bar)[0], name
    assert_hides(get(client, f"/tables/{Evening().pk}/"), "data-event", "event-bar")
    for move, said in (("sit-out", "You are away"), ("come-back", "You are back")):
        answer = client.post(f"/tables/{table.pk}/{move}/", HTTP_HX_REQUEST="true")
        assert (answer.status_code, said in answer["HX-Trigger"]) == (204, True)
    refusal = html_of(client.post(f"/tables/{table.pk}/leave/", HTTP_HX_REQUEST="true"), 422)
    assert_shows(refusal, "In a tournament seats are drawn")


def test_the_lobby_leads_to_ones_own_seat_in_an_event_and_offers_the_table_to_nobody(client, table):
    for page in ("/", "/lobby/"):
        assert_hides(get(client, page), table.table.name)
    client.force_login(table.ann)
    for page in ("/", "/lobby/"):
        html = get(client, page)
        assert html.count(f'href="/tables/{table.pk}/"') == 2, "its name and its button, under the viewer's own seats"
        assert f"{table.table.name} Seat 1 · tournament" in words(html)
        assert "<b>0</b> tables" in html


def test_a_player_who_is_out_or_whose_table_is_closed_is_not_told_that_it_is_open(client, table):
    client.force_login(table.ann)
    assert "Your table is open" in html_of(client.get("/me/calls/"))
    Table.objects.filter(pk=table.pk).update(state=Table.State.CLOSED)
    assert "Your table is open" not in html_of(client.get("/me/calls/"))
    Table.objects.filter(pk=table.pk).update(state=Table.State.OPEN)
    lost = {"player_id": table.ann.pk, "chips": chips_of(table.ann), "reference": "test:all-gone"}
    event_seats.take_chips(table_id=table.pk, now=timezone.now(), **lost)
    assert "Your table is open" not in html_of(client.get("/me/calls/"))


def test_every_page_links_to_an_event_seat_until_its_table_was_opened(
    client, table, django_capture_on_commit_callbacks
):
    client.force_login(table.ann)
    (seat,) = table.ann.seats.all()
    elsewhere, there, beside_others = (
        html_of(client.get("/me/calls/", HTTP_HX_REQUEST="true", HTTP_HX_CURRENT_URL=f"http://testserver{page}"))
        for page in ("/lobby/", f"/tables/{table.pk}/", "/me/tables/")
    )
    assert_shows(elsewhere, "Your table is open: seat 1", f'data-opens="{seat.pk}"', f'href="/tables/{table.pk}/"')
    for page in (there, beside_others):
        assert_shows(page, f'data-opened="{seat.pk}"', but=["<section"])

    heard = []
    topics.room_moved.connect(hear := lambda topics, **more: heard.extend(topics))
    with django_capture_on_commit_callbacks(execute=True):
        (cat,) = table.seat_people("cat")
    topics.room_moved.disconnect(hear)
    assert [topic for topic in heard if topic.startswith("player:")] == [f"player:{cat.pk}"]
