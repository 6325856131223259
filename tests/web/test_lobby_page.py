"""The lobby, the map of the room and the wall board: what they show to whom, what may be asked of them, and what they
cost with a room full."""

from datetime import timedelta
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from redis.exceptions import RedisError

from cardroom.core import topics
from cardroom.core.errors import NotFound
from cardroom.realtime import room as room_topics
from games.floor.board import board
from games.floor.lobby import LobbyFilter, room_lobby
from games.floor.room_map import SeatGlance, room_map
from games.play import home_games
from games.tables import favourites
from games.templatetags.room import seat_cells
from tests.support.crowd import a_full_room, an_offer, drawn_cheaply
from tests.support.evening import player
from tests.support.models import Favourite, FloorCall, ListEntry, Offer, Seat, SeatHold, Section, Table, User
from tests.support.offers import staff
from tests.support.pages import assert_hides, assert_shows, get, html_of, words
from tests.support.parts.games import opening, seats
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def room():
    """Two games on offer: three tables online, one in the room with a held seat and two names on its list."""
    now = timezone.now()
    small = an_offer("Small Stud", 5, 10)
    large = an_offer("Big Razz", 75, 150, game="razz", is_physical=True)
    a_full_room(tables=3, seated=2, offer=small)
    (table,) = a_full_room(tables=1, seated=8, offer=large)
    table.seats.filter(number=8).delete()
    people = [User.objects.create_user(name) for name in ("wanda", "walter")]
    held = {"why": "called", "until": now + timedelta(minutes=5), "at": now}
    SeatHold.objects.create(table=table, number=8, player=people[0], **held)
    for place, person in enumerate(people):
        ListEntry.objects.create(offer=large, player=person, source="web", place=place, joined_at=now)
    return table


def test_tables_come_under_their_game_and_a_player_sees_their_lists(room, browse):
    page = words(get(browse()))
    assert page.index("Small Stud") < page.index("Big Razz")
    assert_shows(page, "18 free seats 0 waiting", "0 free seats 2 waiting")
    assert_shows(page, "7 of 8 seats, 1 held")
    assert_shows(get(browse(User.objects.get(username="wanda"))), "Your seats and lists", "Waiting list, since")
    assert_hides(get(browse(User.objects.create_user("else"))), "Your seats")
    Offer.objects.filter(name="Small Stud").update(is_listed=False)
    Table.objects.filter(offer__name="Small Stud").update(state=Table.State.FREE)
    assert_shows(get(browse()), "Big Razz", but=["Small Stud"])


def test_a_quick_seat_is_at_the_fullest_open_table_of_the_nearest_stakes(open_table, browse):
    small, busy = open_table(name="Small"), open_table(name="Busy")
    paul = small.player("paul", 1000)

    def quick(**asked):
        return browse(paul).get("/quick-seat/", asked).get("Location", "no seat")

    stakes = {"ante": 5, "bring_in": 20, "small_bet": 60, "big_bet": 120}
    large = open_table(name="Large", stakes=opening.TableStakes(**stakes), min_buy_in=600, max_buy_in=6000)
    razz = open_table(name="Razz", game="razz")
    busy.sit("ann"), busy.sit("bob"), [large.sit(name, buy_in=800) for name in ("cec", "dot", "eve")]
    seat = "/tables/{}/#sit".format
    assert quick(stakes="15/30") == seat(busy.pk)
    assert quick(stakes="20/40") == seat(busy.pk)
    assert quick(stakes="50/100") == seat(large.pk)
    assert quick(game="razz", stakes="1,000/2,000") == seat(razz.pk)
    assert quick(game="stud-eight") == "no seat"
    Table.objects.filter(pk=busy.pk).update(seat_count=2)
    assert quick(stakes="15/30", game="seven-card-stud") == seat(small.pk)
    Table.objects.filter(pk=small.pk).update(is_private=True)
    assert quick(stakes="15/30", game="seven-card-stud") == seat(large.pk)
    Table.objects.filter(pk=large.pk).update(min_buy_in=1001)
    assert quick(stakes="15/30", game="seven-card-stud") == "no seat"
    assert_shows(get(browse(paul)), "Quick seat")
    page = get(browse(paul), "/quick-seat/?game=stud-eight&stakes=15/30")
    assert_shows(page, "No free seat now", "near 15/30", "Seven-Card Stud Eight-or-Better 10/20 with 4 bots")
    assert "/accounts/login/" in browse().get("/quick-seat/")["Location"]


def test_a_home_game_in_which_one_sits_is_among_ones_seats_and_not_there_twice(browse):
    now = timezone.now()
    ann = player("ann", now=now)
    game = home_games.open_one(by=ann, game="razz", stakes="5/10", rulebook="home", now=now)
    assert_shows(get(browse(ann)), "Home game of yours")
    seats.sit(table_id=game.table_id, by=ann, number=1, buy_in=200, now=now)
    page = get(browse(ann))
    assert_shows(page, f'Return<span class="visually-hidden"> to table {game.table.name}', but=["Home game of yours"])


def test_a_star_puts_a_table_first_is_asked_for_alone_and_a_quick_seat_prefers_it(open_table, browse):
    first, second = open_table(name="Alpha"), open_table(name="Beta")
    first.sit("ann")
    paul = first.player("paul", 1000)
    shown, mark = browse(paul), {"kind": "table", "number": second.pk}
    assert get(shown).index("Alpha") < get(shown).index("Beta")
    assert shown.get("/quick-seat/")["Location"] == f"/tables/{first.pk}/#sit"
    star = shown.post("/me/favourites/", mark | {"name": "Beta"}, headers={"hx-request": "true"})
    assert_shows(html_of(star), 'aria-pressed="true"', "Favourite: Beta")
    assert get(shown).index("Beta") < get(shown).index("Alpha")
    assert_hides(get(shown, "/lobby/?starred=1"), "Alpha")
    assert shown.get("/quick-seat/")["Location"] == f"/tables/{second.pk}/#sit"
    assert_shows(get(browse(first.player("quin", 10)), "/lobby/?starred=1"), "No favourite here yet")
    shown.post("/me/favourites/", mark | {"is_marked": "false"})
    assert not Favourite.objects.exists()
    for kind in Favourite.Kind.values:
        refused(NotFound, favourites.mark, by=paul, kind=kind, number=999, now=timezone.now())


def test_the_lobby_shows_what_the_filter_says_and_remembers_the_sorting(room, browse):
    for asked, tables in (
        ("", 4), ("?game=razz", 1), ("?game=stud-eight", 0), ("?stakes=5/10", 3), ("?stakes=<script>", 0),
        ("?structure=fixed-limit&where=room", 1), ("?structure=no-limit", 0), ("?where=online", 3),
        ("?has_seat=1", 3), ("?where=room&has_seat=1", 0), ("?name=table 2", 1),
    ):  # fmt: skip
        for address in ("/", "/lobby/"):
            page = get(browse(), address + asked)
            assert page.count('<li class="table-card"') == tables, asked
            assert ("No tables match your filter" in page) is (tables == 0), asked
            assert "<script>" not in page.partition("<main")[2] or address == "/lobby/"
    shown = browse()
    for address in ("/lobby/?sort=name&view=grid", "/"):
        assert_shows(get(shown, address), "offers--grid")
    for sort, first in (("players", "Big Razz"), ("seats", "Small Stud")):
        for page in (get(shown, f"/?sort={sort}"), get(shown)):
            assert min(("Small Stud", "Big Razz"), key=lambda name: page.index(f">{name}</h")) == first
    assert_hides(get(shown, "/?view=<list>&sort=no") + get(browse()), "offers--grid")


def test_a_table_of_bots_says_that_they_wait_for_players(open_table, browse):
    open_table(name="Birds", bots=3)
    assert_shows(get(browse()), "Bots play when you sit", but=["Waiting for players"])
    table = open_table(name="Glass")
    table.sit("ann"), table.sit("bob")
    table.deal()
    address = f"/lobby/tables/{table.pk}/"

    def shown(to: User | None = None) -> str:
        return html_of(browse(to).get(address, headers={"hx-request": "true"}))

    page = shown()
    assert_shows(page, "Glass", "ann", "bob", "in the pot", "to act")
    assert page.count('class="card card--') == 2, "the door cards, and nothing that is face down"
    assert page == shown(User.objects.get(username="ann")).replace("Go to the table", "To the table")
    Table.objects.filter(pk=table.pk).update(has_spectators=False)
    assert_shows(shown(), "No spectators", "ann", but=["card--"])


def test_a_game_is_going_in_the_lobby_on_the_board_and_on_the_floors_map_alike(room):
    for changed, going in (
        ({"dealer_on": None}, 3),
        ({"dealer_on": User.objects.get(username="wanda")}, 4),
        ({"paused_at": timezone.now()}, 3),
        ({"paused_at": None, "state": Table.State.BREAKING}, 3),
    ):
        Table.objects.filter(pk=room.pk).update(**changed)
        now = timezone.now()
        assert sum(group.going for group in room_lobby(viewer=None, wanted=LobbyFilter(), now=now).groups) == going
        assert sum(line.tables for line in board(now=now).lines) == going
        assert room_map(now=now).phases["going"] == going


@pytest.mark.django_db(transaction=True)
def test_readers_share_what_is_drawn_until_there_is_news_and_each_sees_their_own(browse, monkeypatch):
    (table, *_) = a_full_room(tables=30, seated=3, offer=an_offer("Small Stud", 5, 10))
    ann, bea = (User.objects.create_user(name) for name in ("ann", "bea"))
    readers = [browse(ann), browse(bea), browse(), browse()]
    clock = SimpleNamespace(monotonic=lambda: 0.0)  # what is drawn grows old only when the test says so
    monkeypatch.setattr(topics, "time", clock)
    for reader in readers:
        assert_hides(get(reader, "/lobby/"), "4 free")

    def lobby_queries(reader):
        with CaptureQueriesContext(connection) as queries:
            get(reader, "/lobby/")
        return sum("tables_table" in each["sql"] for each in queries)

    # Of one's seats, the tables one is called to, home games, clubs.
    assert [lobby_queries(reader) for reader in readers] == [4, 4, 0, 0]
    clock.monotonic = lambda: 5.0
    assert [lobby_queries(reader) for reader in readers[2:]] == [2, 0], "read anew, and shared again"
    table.seats.filter(number=3).update(player=ann)
    topics.tell("lobby")
    back = f'Return<span class="visually-hidden"> {table.name}<'
    assert_shows(get(readers[0], "/lobby/"), back)
    assert_hides(get(readers[1], "/lobby/") + get(readers[2], "/lobby/"), back)
    answer = readers[2].get("/lobby/", headers={"accept-encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert len(answer.content) * 5 < len(get(readers[2], "/lobby/"))


@pytest.mark.django_db(transaction=True)
def test_the_lobby_is_there_without_the_cache(browse, monkeypatch):
    a_full_room(tables=1, seated=3, offer=an_offer("Small Stud", 5, 10))
    away = Mock(side_effect=RedisError("away"))
    monkeypatch.setattr(topics, "cache", SimpleNamespace(get_many=away, set_many=away))
    topics.tell("lobby")
    assert_shows(get(browse(), "/lobby/"), "Small Stud")


def test_a_crowd_is_told_less_often():
    assert [room_topics.pause("lobby", count) for count in (0, 16, 40, 1000)] == [1.0, 1.6, 4.0, 15.0]


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


def test_the_map_shows_seats_open_calls_and_tables_in_use(table, flo, browse):
    browser, tile = browse(flo), f'id="mt-{table.pk}"'
    page = get(browser, "/floor/")
    assert_shows(page, '<section class="map-section" aria-label="Window">', "Who opens?", "1 call<", "2 waiting")
    assert_shows(page, 'class="fs fs--held" title="seat 7 called from the list: &lt;b&gt;wanda"', "<b>1</b> going")
    assert_hides(page, "<b>wanda")
    assert (page.count('class="fs fs--in"'), page.count("<em>4,200</em>")) == (5, 5)
    assert (page.count('class="fs fs--away"'), page.count('class="fs fs--free"')) == (1, 1)
    elsewhere = get(browser, f"/floor/map/?section={Section.objects.create(name='Bar').pk}")
    assert_hides(elsewhere, tile)
    assert_shows(elsewhere, "Who opens?")  # a call is for the nearest person of the floor
    for section in (table.section_id, "bar"):
        assert_shows(get(browser, f"/floor/map/?section={section}"), tile)
    assert_shows(
        get(browser, f"/floor/map/{table.pk}/"), "Big Razz", "Window", "2 waiting", f"/floor/tables/{table.pk}/seats/"
    )
    browser.post(f"/floor/calls/{FloorCall.objects.get().pk}/answer/")
    assert FloorCall.objects.get().answered_by == flo
    (free,) = a_full_room(tables=1, seated=0, state=Table.State.FREE)
    (gone,) = a_full_room(tables=1, seated=0, state=Table.State.CLOSED)
    assert_shows(get(browser, "/floor/map/"), free.name, "mt--free", but=["Who opens?", gone.name])


def test_a_list_in_the_room_asks_the_floor_for_a_table_when_enough_names_wait(flo, browse):
    offer = an_offer("Stud live", 10, 20, is_physical=True, opens_with=2)
    pages, link = browse(flo), f"/floor/offers/{offer.pk}/open/"
    one = {"offer": offer, "kind": "interest", "source": "desk", "joined_at": timezone.now()}
    for place, name in enumerate(("uma", "vic")):
        assert_hides(get(pages, "/floor/map/") + get(pages, "/floor/lists/"), link)
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


def test_the_public_board_shows_games_lists_and_called_players(table, browse):
    page = get(browse(), "/board/")
    assert_shows(
        page,
        "Big Razz",
        '<td class="number is-open">1</td><td class="number">2</td>',
        f'<li class="is-called">&lt;b&gt;wanda <span class="wall__call">{table.name}</span></li><li>walter</li>',
        'data-topics="board lobby lists jackpots tournaments"',
    )
    assert_hides(page, "site-head")
    page = get(browse(), "/board/?screens=lists,nothing&seconds=1")
    assert_shows(page, 'data-screen="lists"', 'data-seconds="4"', but=['data-screen="games"'])
    assert_hides(get(browse(), "/board/screens/?where=online"), "walter")
    Table.objects.update(is_private=True)
    assert_hides(get(browse(), "/board/"), '<td class="number is-open">')


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
    cells = seat_cells(1, [held, away])
    assert 'title="&quot;seat 7 called: &lt;b&gt;wanda&quot;"' in cells
    assert cells.count('title="&quot;') == 2
