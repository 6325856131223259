"""What many readers are shown alike: rendered once and kept as bytes, with nothing of one reader in it."""

import gzip
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.utils import timezone, translation

from cardroom.core import topics
from cardroom.core.web import shared
from cardroom.realtime.room import RoomHub, TopicChanged
from tests.support.crowd import a_full_room, an_offer
from tests.support.models import Favourite, ListEntry, Offer, Table, User
from tests.support.offers import staff
from tests.support.pages import assert_hides, assert_shows, get, html_of

LOBBY, PART, BOARD = "/", "/lobby/", "/board/"


@pytest.fixture
def clock(monkeypatch):
    """What is kept grows old only when the test says so."""
    clock = SimpleNamespace(monotonic=lambda: 0.0)
    monkeypatch.setattr(topics, "time", clock)
    shared.forget()
    cache.clear()
    yield clock
    shared.forget()


@pytest.fixture
def table(transactional_db, clock):
    (table, *_) = a_full_room(tables=2, seated=3, offer=an_offer("Small Stud", 5, 10))
    return table


def renamed(table, name):
    """Changed behind the back of those who tell of changes."""
    Table.objects.filter(pk=table.pk).update(name=name)


def unpacked(answer):
    assert answer["Content-Encoding"] == "gzip"
    return gzip.decompress(answer.content).decode()


@pytest.mark.parametrize("address", [LOBBY, PART, BOARD, "/board/screens/"])
def test_a_change_is_on_the_next_page_and_nothing_is_rendered_before(table, browse, address):
    before = get(browse(), address)
    an_offer("Big Razz", 75, 150, game="razz")
    assert_hides(get(browse(), address), "Big Razz")
    topics.tell("lobby", "board")
    assert_hides(before, "Big Razz")
    assert_shows(get(browse(), address), "Big Razz")


def test_what_nobody_told_of_is_shown_after_seconds(table, browse, clock):
    get(browse(), PART)
    renamed(table, "Willow")
    assert_hides(get(browse(), PART), "Willow")
    clock.monotonic = lambda: 5.0
    assert_shows(get(browse(), PART), "Willow")


@pytest.mark.parametrize("hears_by", ["the cache", "the hub"])
def test_a_change_in_another_process_is_shown_at_once(table, browse, hears_by):
    get(browse(), PART)
    renamed(table, "Willow")
    if hears_by == "the cache":
        cache.set("version-lobby", "moved", None)
    else:
        hub = SimpleNamespace(_news={}, _resting={"lobby": False}, loop=SimpleNamespace(time=lambda: 0.0))
        RoomHub.pass_on(hub, TopicChanged("lobby"), is_from_here=False)
    assert_shows(get(browse(), PART), "Willow")


def test_who_has_the_list_already_is_not_sent_it_again(table, browse):
    first = browse().get(PART)
    known = {"if-none-match": first["ETag"]}
    again = browse().get(PART, headers=known)
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    renamed(table, "Willow")
    topics.tell("lobby")
    assert_shows(html_of(browse().get(PART, headers=known)), "Willow")
    player = browse(User.objects.create_user("ann"))
    assert_shows(html_of(player.get(PART, headers=known)), "Join")


def test_a_compressed_page_is_the_page_and_each_has_a_token_of_their_own(table, browse):
    pages = []
    for _ in range(2):
        browser = browse(enforce_csrf_checks=True)
        page = unpacked(browser.get(LOBBY, headers={"accept-encoding": "gzip"}))
        token = page.partition('"X-CSRFToken": "')[2].partition('"')[0]
        pages.append((page.replace(token, ""), token))
        answer = browser.post("/language/", {"language": "de", "next": "/", "csrfmiddlewaretoken": token})
        assert answer.status_code == 302
    (page, token), (other_page, other_token) = pages
    assert page == other_page
    assert token != other_token
    assert_hides(page, shared.TOKEN, shared.KEY)
    assert get(browse(), LOBBY).partition("<main")[2].partition("</main>")[0] in page


def test_what_is_a_readers_own_is_on_nobody_elses_page(table, browse):
    ann, bea = (User.objects.create_user(name) for name in ("ann", "bea"))
    table.seats.filter(number=3).update(player=ann)
    Favourite.objects.create(player=ann, kind="table", number=table.pk)
    own = ("ann", 'aria-pressed="true"', "Return", "Your seats", f"player:{ann.pk}")
    for address, seen in ((LOBBY, own), (PART, own[1:4]), (LOBBY, own)):
        assert_shows(get(browse(ann), address), *seen)
        assert_hides(get(browse(bea), address) + get(browse(), address), *seen)
    assert_shows(get(browse(), LOBBY), "Sign up and play")
    assert_hides(get(browse(bea), LOBBY), "Sign up and play")


def test_a_message_for_somebody_is_on_their_page_alone(table, browse):
    leaving = browse(User.objects.create_user("ann"))
    leaving.post("/accounts/logout/")
    assert_shows(get(leaving, LOBBY), "You have signed out")
    assert_hides(get(browse(), LOBBY), "You have signed out")


def test_each_language_and_zone_has_its_own(table, browse):
    def seen(address, **headers):
        return html_of(browse().get(address, headers=headers))

    english = seen(LOBBY)
    german = seen(LOBBY, **{"accept-language": "de"})
    assert 'lang="en"' in english
    assert 'lang="de"' in german
    assert seen(LOBBY).count("free seats") == english.count("free seats") > german.count("free seats")
    assert seen(PART) != seen(PART, **{"accept-language": "de"})
    tokyo = browse()
    tokyo.cookies["zone"] = "Asia/Tokyo"
    assert 'data-zone="Asia/Tokyo"' in get(tokyo, LOBBY)
    assert 'data-zone="Asia/Tokyo"' not in get(browse(), LOBBY)


def test_one_renders_while_others_wait(db):
    begun, go_on, calls = Event(), Event(), []

    def render():
        calls.append(1)
        begun.set()
        assert go_on.wait(10)
        return shared.PagePart("drawn")

    def part():
        with translation.override("en"):
            return shared.once("waited for", version="1", render=render)

    with ThreadPoolExecutor(4) as threads:
        first = threads.submit(part)
        assert begun.wait(10)
        others = [threads.submit(part) for _ in range(3)]
        go_on.set()
        parts = [future.result(10) for future in [first, *others]]
    assert calls == [1]
    assert {id(part) for part in parts} == {id(parts[0])}


def test_what_could_not_be_rendered_is_tried_again(db):
    with pytest.raises(ZeroDivisionError):
        shared.once("broken", version="1", render=lambda: 1 // 0)
    assert shared.once("broken", version="1", render=lambda: shared.PagePart("mended")).size == 6


def test_the_oldest_go_when_there_is_too_much(db, monkeypatch):
    shared.forget()
    monkeypatch.setattr(shared, "MOST_BYTES", 250)
    parts = [
        shared.once("long", number, version="1", render=lambda: shared.PagePart("x" * 100)) for number in (1, 2, 3)
    ]
    kept = [
        shared.once("long", number, version="1", render=lambda: shared.PagePart("other")) is parts[number - 1]
        for number in (3, 2, 1)
    ]
    assert kept == [True, True, False]


def test_the_floor_shares_map_and_lists_and_each_has_keys_of_their_own(table, browse):
    floor = [browse(staff("floor", name)) for name in ("flo", "fred")]
    waits = User.objects.create_user("walter")
    Offer.objects.update(is_physical=True)
    Table.objects.update(is_physical=True)
    ListEntry.objects.create(offer=table.offer, player=waits, source="web", place=1, joined_at=timezone.now())
    for address in ("/floor/", "/floor/map/", "/floor/lists/", "/floor/lists/side/"):
        pages = [html_of(browser.get(address, headers={"hx-request": "true"})) for browser in floor]
        assert_shows(pages[0], "Small Stud")
        assert_hides("".join(pages), shared.TOKEN, shared.KEY)
        keys = [set(re.findall(r'name="key" value="(\w\S+)"', page)) for page in pages]
        assert keys[0].isdisjoint(keys[1])
        assert bool(keys[0]) is ("lists" in address)
    User.objects.filter(pk=waits.pk).update(username="willa")
    assert_hides(get(floor[0], "/floor/lists/"), "willa")
    topics.tell("lists")
    assert_shows(get(floor[1], "/floor/lists/"), "willa", but=["walter"])
    assert browse(waits).get("/floor/map/").status_code == 403
