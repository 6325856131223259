"""The map of the room and the wall board: what they show, to whom, and what they cost with a room full."""

from datetime import timedelta
from types import SimpleNamespace

from django.utils import timezone, translation

from games.floor.sections import SeatGlance
from games.templatetags.room import seat_cells
from tests.support.crowd import a_full_room, an_offer, drawn_cheaply
from tests.support.models import FloorCall, ListEntry, Seat, SeatHold, Section, Table, User
from tests.support.offers import staff
from tests.support.pages import get, hides, says
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
    away = {"state": Seat.State.SITTING_OUT, "out_since": now - timedelta(minutes=9)}
    Seat.objects.filter(table=table, number=2).update(**away)
    called, waits = (User.objects.create_user(name) for name in ("<b>wanda", "walter"))
    until = now + timedelta(minutes=5)
    SeatHold.objects.create(table=table, number=7, player=called, why="called", until=until, at=now)
    FloorCall.objects.create(table=table, player=waits, seat=3, note="Who opens?", at=now)
    one = {"offer": offer, "source": "web", "joined_at": now}
    call = {"state": "called", "called_to": table, "called_number": 7, "call_until": until}
    ListEntry.objects.create(player=called, place=1, **call, **one)
    ListEntry.objects.create(player=waits, place=2, **one)
    return table


def test_the_map_shows_seats_as_they_are_calls_not_answered_tables_in_use_and_alone_one_section(table, flo, browse):
    browser, tile = browse(flo), f'id="mt-{table.pk}"'
    page = get(browser, "/floor/")
    says(page, '<section class="map-section" aria-label="Window">', "Who opens?", "1 call<", "2 waiting")
    says(page, 'class="fs fs--held" title="seat 7 called from the list: &lt;b&gt;wanda"', "<b>1</b> going")
    hides(page, "<b>wanda")
    assert (page.count('class="fs fs--in"'), page.count("<em>4,200</em>")) == (5, 5)
    assert (page.count('class="fs fs--away"'), page.count('class="fs fs--free"')) == (1, 1)
    elsewhere = get(browser, f"/floor/map/?section={Section.objects.create(name='Bar').pk}")
    hides(elsewhere, tile)
    says(elsewhere, "Who opens?")  # a call is for whoever of the floor is nearest
    for section in (table.section_id, "bar"):
        says(get(browser, f"/floor/map/?section={section}"), tile)
    says(get(browser, f"/floor/map/{table.pk}/"), "Big Razz", "Window", "2 waiting", f"/floor/tables/{table.pk}/seats/")
    browser.post(f"/floor/calls/{FloorCall.objects.get().pk}/answer/")
    assert FloorCall.objects.get().answered_by == flo
    (free,) = a_full_room(tables=1, seated=0, state=Table.State.FREE)
    (gone,) = a_full_room(tables=1, seated=0, state=Table.State.CLOSED)
    says(get(browser, "/floor/map/"), free.name, "mt--free", but=["Who opens?", gone.name])


def test_a_list_in_the_room_asks_the_floor_for_a_table_when_enough_names_wait(flo, browse):
    offer = an_offer("Stud live", 10, 20, is_physical=True, opens_with=2)
    pages, link = browse(flo), f"/floor/offers/{offer.pk}/open/"
    one = {"offer": offer, "kind": "interest", "source": "desk", "joined_at": timezone.now()}
    for place, name in enumerate(("uma", "vic")):
        hides(get(pages, "/floor/map/") + get(pages, "/floor/lists/"), link)
        ListEntry.objects.create(player=User.objects.create_user(name), place=place, **one)
    assert all(link in get(pages, page) for page in ("/floor/map/", "/floor/lists/"))
    assert "enough for a table" in get(browse(), "/board/")
    (wanted,) = pages.get("/api/v1/floor/map").json()["wanted"]
    assert wanted == {"offer": offer.pk, "name": "Stud live", "opens_with": 2, "waiting": 2}
    (opened,) = a_full_room(tables=1, seated=7, offer=offer)
    assert link not in get(pages, "/floor/map/"), "a seat is free: they are called to it"
    Seat.objects.filter(table=opened, number=1).update(number=8)
    SeatHold.objects.create(table=opened, number=1, player=flo, why="reserved", at=timezone.now())
    assert link in get(pages, "/floor/map/")


def test_the_board_shows_anybody_games_names_and_who_is_called_on_the_screens_asked_for(table, browse):
    page = get(browse(), "/board/")
    says(
        page,
        "Big Razz",
        '<td class="number is-open">1</td><td class="number">2</td>',
        f'<li class="is-called">&lt;b&gt;wanda <span class="wall__call">{table.name}</span></li><li>walter</li>',
        'data-topics="board lobby lists jackpots tournaments"',
    )
    hides(page, "site-head")
    page = get(browse(), "/board/?screens=lists,nothing&seconds=1")
    says(page, 'data-screen="lists"', 'data-seconds="4"', but=['data-screen="games"'])
    hides(get(browse(), "/board/screens/?where=online"), "walter")
    Table.objects.update(is_private=True)
    hides(get(browse(), "/board/"), '<td class="number is-open">')


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
