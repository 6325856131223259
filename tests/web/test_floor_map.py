"""The map of the room and the wall board: what they show, to whom, and what they cost with a room full."""

from datetime import timedelta
from types import SimpleNamespace

from django.utils import timezone, translation

from games.floor.sections import SeatGlance
from games.templatetags.room import seat_cells
from tests.support.crowd import a_full_room, an_offer, drawn_cheaply
from tests.support.models import FloorCall, ListEntry, Seat, SeatHold, Section, Table, User
from tests.support.offers import staff
from tests.support.pages import get, says
from tests.support.worlds import world


@world
def flo():
    return staff("floor", "flo")


@world
def table(flo):
    """A physical table in a section: seat 2 away, 7 held, 8 free, a call, and two on the list, one of them called."""
    now = timezone.now()
    offer = an_offer("Big Razz", 75, 150, game="razz", is_physical=True)
    (table,) = a_full_room(tables=1, seated=6, offer=offer, section=Section.objects.create(name="Window"))
    Table.objects.filter(pk=table.pk).update(dealer_on=User.objects.create_user("dan"))
    Seat.objects.filter(table=table).update(counted=4200)
    Seat.objects.filter(table=table, number=2).update(
        state=Seat.State.SITTING_OUT, out_since=now - timedelta(minutes=9)
    )
    called, waits = (User.objects.create_user(name) for name in ("<b>wanda", "walter"))
    until = now + timedelta(minutes=5)
    SeatHold.objects.create(table=table, number=7, player=called, why="called", until=until, at=now)
    FloorCall.objects.create(table=table, player=waits, seat=3, note="Who opens?", at=now)
    one = {"offer": offer, "source": "web", "joined_at": now}
    ListEntry.objects.create(
        player=called, place=1, state="called", called_to=table, called_number=7, call_until=until, **one
    )
    ListEntry.objects.create(player=waits, place=2, **one)
    return table


def test_the_map_shows_each_seat_as_it_is_and_alone_can_be_one_section(table, flo, browse):
    page = get(browse(flo), "/floor/")
    assert '<section class="map-section" aria-label="Window">' in page
    assert (page.count('class="fs fs--in"'), page.count("<em>4,200</em>")) == (5, 5)
    assert (page.count('class="fs fs--away"'), page.count('class="fs fs--free"')) == (1, 1)
    assert 'class="fs fs--held" title="seat 7 called from the list: &lt;b&gt;wanda"' in page
    assert "<b>wanda" not in page
    says(page, "Who opens?", "1 call<", "2 waiting", "<b>1</b> going")
    browser, other = browse(flo), Section.objects.create(name="Bar")
    tile = f'id="mt-{table.pk}"'
    assert tile in get(browser, f"/floor/map/?section={table.section_id}")
    elsewhere = get(browser, f"/floor/map/?section={other.pk}")
    assert tile not in elsewhere
    assert "Who opens?" in elsewhere  # a call is for whoever of the floor is nearest
    assert tile in get(browser, "/floor/map/?section=bar")


def test_a_list_in_the_room_asks_the_floor_for_a_table_when_enough_names_wait(flo, browse):
    offer = an_offer("Stud live", 10, 20, is_physical=True, opens_with=2)
    pages, link = browse(flo), f"/floor/offers/{offer.pk}/open/"
    for place, name in enumerate(("uma", "vic")):
        assert not [page for page in ("/floor/map/", "/floor/lists/") if link in get(pages, page)]
        player = User.objects.create_user(name)
        ListEntry.objects.create(
            offer=offer, player=player, kind="interest", source="desk", place=place, joined_at=timezone.now()
        )
    assert all(link in get(pages, page) for page in ("/floor/map/", "/floor/lists/"))
    assert "enough for a table" in get(browse(), "/board/")
    (wanted,) = pages.get("/api/v1/floor/map").json()["wanted"]
    assert wanted == {"offer": offer.pk, "name": "Stud live", "opens_with": 2, "waiting": 2}
    (opened,) = a_full_room(tables=1, seated=7, offer=offer)
    assert link not in get(pages, "/floor/map/"), "a seat is free: they are called to it"
    Seat.objects.filter(table=opened, number=1).update(number=8)
    SeatHold.objects.create(table=opened, number=1, player=flo, why="reserved", at=timezone.now())
    assert link in get(pages, "/floor/map/")


def test_the_panel_tells_of_one_table_and_a_call_is_answered_on_the_map(table, flo, browse):
    page = get(browse(flo), f"/floor/map/{table.pk}/")
    says(page, "Big Razz", "Window", "2 waiting", f"/floor/tables/{table.pk}/seats/")
    call = FloorCall.objects.get()
    browse(flo).post(f"/floor/calls/{call.pk}/answer/")
    call.refresh_from_db()
    assert call.answered_by == flo
    assert "Who opens?" not in get(browse(flo), "/floor/map/")


def test_a_free_table_is_on_the_map_and_one_out_of_use_is_not(flo, browse):
    (free,) = a_full_room(tables=1, seated=0, state=Table.State.FREE)
    (gone,) = a_full_room(tables=1, seated=0, state=Table.State.CLOSED)
    page = get(browse(flo), "/floor/")
    says(page, free.name, "mt--free")
    assert gone.name not in page


def test_the_board_shows_anybody_games_names_and_who_is_called_on_the_screens_asked_for(table, browse):
    page = get(browse(), "/board/")
    says(
        page,
        "Big Razz",
        '<td class="number is-open">1</td><td class="number">2</td>',
        f'<li class="is-called">&lt;b&gt;wanda <span class="wall__call">{table.name}</span></li><li>walter</li>',
        'data-topics="board lobby lists jackpots tournaments"',
    )
    assert "site-head" not in page
    page = get(browse(), "/board/?screens=lists,nothing&seconds=1")
    assert 'data-screen="lists"' in page
    assert 'data-screen="games"' not in page
    assert 'data-seconds="4"' in page
    assert "walter" not in get(browse(), "/board/screens/?where=online")
    Table.objects.update(is_private=True)
    assert '<td class="number is-open">' not in get(browse(), "/board/")


def test_two_hundred_tables_and_two_thousand_people_take_few_queries_and_little_time(flo, browse):
    for number in range(10):
        offer = an_offer(f"Offer {number}", number + 5, 2 * (number + 5))
        a_full_room(tables=25, seated=8, offer=offer, section=Section.objects.create(name=f"Section {number}"))
    browser = browse(flo)
    for address, statements in (("/floor/", 14), ("/floor/map/", 14), ("/board/", 14), ("/", 19)):
        page = drawn_cheaply(browser, address, statements=statements)
        assert "Offer 9" in page
    assert page.count('<li class="table-card" ') == 250


def test_words_of_another_language_end_no_attribute(monkeypatch):
    monkeypatch.setattr(translation._trans, "gettext", lambda text: f'"{text}"')
    held, away = SeatGlance(7, "held", name="<b>wanda", held_why="called"), SeatGlance(2, "sitting-out", name="ann")
    cells = seat_cells(SimpleNamespace(seats=[held, away]))
    assert 'title="&quot;seat 7 called: &lt;b&gt;wanda&quot;"' in cells
    assert cells.count('title="&quot;') == 2
