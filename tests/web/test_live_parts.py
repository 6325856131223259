"""Every part of a page that draws itself anew hears of all that it shows.

What each service of the room changes is looked for in all parts: one that says something else after it, and listens to
none of the topics that were told, would show it to nobody until the page is loaded again.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from cardroom.core import topics
from cardroom.realtime import room
from tests.support.lists import ListRoom
from tests.support.models import User
from tests.support.pages import assert_shows, words
from tests.support.parts.games import seating, seats
from tests.web.conftest import NOW
from tests.web.test_room_repeats import ROOMS, _send

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
_TRIGGER = re.compile(r'hx-trigger="([^"]*\broom:[^"]*)"')
#: Told less often, by the load of what they show: stacks in the room, and the days of the reports.
SELDOM = {"hands", "tournaments"}


#: What an address answers to somebody whose account was closed: their sockets end with their session.
LOGGED_OUT = "(302)"


class Part(NamedTuple):
    """Where it is read, as whom, and the part of that page by id or class; "" where the answer is the part.
    `is_in_order`: not where what the test itself asks for changes the order."""

    address: str
    who: str = "manager"
    part: str = ""
    is_in_order: bool = True


#: By template, and which of its parts that listen to the room it is.
PARTS = {
    "_header.html:1": Part("/me/wallet/", "me"),
    "_approvals_waiting.html:1": Part("/me/approvals/", "manager"),
    "_my_calls.html:1": Part("/me/calls/", "me"),
    "cardroom/cage/approvals.html:1": Part("/cage/approvals/", "manager", "approvals"),
    "cardroom/cage/desk.html:1": Part("/cage/?player={player}", "cashier", "figures"),
    "cardroom/cage/desk.html:2": Part("/cage/", "cashier", "beside"),
    "cardroom/cage/drawers.html:1": Part("/cage/drawers/", "cashier", "drawers"),
    "cardroom/cage/mine.html:1": Part("/me/cashier/", "me", "figures-and-requests"),
    "cardroom/cage/session.html:1": Part("/cage/sessions/{session}/", "cashier", "session"),
    "cardroom/cage/slip.html:1": Part("/cage/slips/{slip}/", "cashier", "slip"),
    "cardroom/cage/slips.html:1": Part("/cage/slips/", "manager", "slips"),
    "cardroom/cage/vault.html:1": Part("/cage/vault/", "cashier", "counts"),
    "cardroom/office/chat/_log.html:1": Part("/chat/lines/", "me"),
    "cardroom/office/connections.html:1": Part("/staff/connections/", "manager", "connections", is_in_order=False),
    "cardroom/office/list.html:1": Part("/players/", "floor"),
    "cardroom/office/my_card.html:1": Part("/me/card/", "me", "my-card"),
    "cardroom/office/my_limits.html:1": Part("/me/limits/", "me", "my-limits"),
    "cardroom/office/player.html:1": Part("/players/{player}/", "manager", "player"),
    "games/clubs/club.html:1": Part("/clubs/{club}/", "me", "club-tables"),
    "games/clubs/club.html:2": Part("/clubs/{club}/", "me", "club-people"),
    "games/floor/_panel.html:1": Part("/floor/map/{table}/", "floor", "panel-table"),
    "games/floor/_panel.html:2": Part("/floor/tables/{table}/seats/", "floor"),
    "games/floor/_panel.html:3": Part("/floor/tables/{table}/actions/", "floor"),
    "games/floor/_panel_about.html:1": Part("/floor/map/{table}/", "floor", "panel-about"),
    "games/floor/board.html:1": Part("/board/screens/", "floor"),
    "games/floor/lobby.html:1": Part("/lobby/", "me"),
    "games/floor/lobby.html:2": Part("/", "me", "lobby-events"),
    "games/floor/lobby.html:3": Part("/jackpots/fragment/", "me"),
    "games/floor/offers/page.html:1": Part("/floor/offers/", "manager", "offer-list"),
    "games/floor/offers/schedules.html:1": Part("/floor/schedules/", "manager", "schedules"),
    "games/floor/offers/sections.html:1": Part("/floor/sections/", "manager", "sections"),
    "games/floor/room.html:1": Part("/floor/map/", "floor"),
    "games/floor/room.html:2": Part("/floor/lists/side/", "floor"),
    "games/floor/room.html:3": Part("/floor/dealers/", "floor"),
    "games/floor/seating/mine.html:1": Part("/me/seats/", "me"),
    "games/floor/seating/plan.html:1": Part("/floor/tables/{table}/seats/", "dealer"),
    "games/floor/shifts/page.html:1": Part("/shifts/", "floor", "rotation"),
    "games/floor/tablet.html:1": Part("/floor/tables/{table}/seats/", "dealer"),
    "games/floor/tablet.html:2": Part("/tables/{table}/tablet/", "dealer", "tablet-side"),
    "games/floor/window.html:1": Part("/cage/window/?player={player}", "cashier", "figures"),
    "games/rake/jackpots.html:1": Part("/jackpots/", "manager", "jackpots-all"),
    "games/rake/time.html:1": Part("/tables/{table}/time/", "floor", "time"),
    "games/reports/history.html:1": Part("/me/history/", "me", "history"),
    "games/reports/reports.html:1": Part("/reports/", "manager", "report"),
    "games/reports/statement.html:1": Part("/me/statement/", "me", "statement"),
    "games/waitlists/entry.html:1": Part("/me/lists/{called}/", "me"),
    "games/waitlists/entry_staff.html:1": Part("/floor/lists/{waiting}/", "floor"),
    "games/waitlists/every.html:1": Part("/lists/", "me"),
    "games/waitlists/kiosk.html:1": Part("/kiosk/", "floor"),
    "games/waitlists/list.html:1": Part("/lists/{offer}/", "me"),
    "games/waitlists/mine.html:1": Part("/me/lists/", "me"),
    "games/waitlists/staff.html:1": Part("/floor/lists/", "floor"),
    "tournaments/events/list.html:1": Part("/tournaments/", "me"),
}


def heard() -> dict[str, frozenset[str]]:
    """What each part listens to, by its template."""
    found = {}
    for path in sorted(TEMPLATES.rglob("*.html")):
        for number, trigger in enumerate(_TRIGGER.findall(path.read_text("utf-8")), 1):
            said = frozenset(re.findall(r"\broom:(\w+)", trigger.replace("{{ chat.news }}", "chat")))
            found[f"{path.relative_to(TEMPLATES)}:{number}"] = said
    return found


HEARD = heard()


def test_every_part_that_listens_to_the_room_is_walked():
    assert sorted(HEARD) == sorted(PARTS)


def test_what_a_part_listens_to_is_told_within_a_second_in_a_quiet_room():
    slow = {
        topic
        for topics_of_part in HEARD.values()
        for topic in topics_of_part
        if topic not in SELDOM and room.pause(topic) > 1
    }
    assert slow == set()


class _Within(HTMLParser):
    """The words inside the element with this id or class."""

    _EMPTY = frozenset({"input", "br", "img", "hr", "meta", "link", "source", "wbr", "col"})

    def __init__(self, part: str) -> None:
        super().__init__(convert_charrefs=False)
        self.part, self.depth, self.texts = part, 0, []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self._EMPTY:
            return
        names = dict(attrs)
        if self.depth or self.part in (names.get("id"), *(names.get("class") or "").split()):
            self.depth += 1

    def handle_endtag(self, tag: str) -> None:
        self.depth -= bool(self.depth)

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.texts.append(data)


def shown(client: Client, part: Part, places: dict[str, Any]) -> str | None:
    """What a part says; None where it is of something that is not here."""
    try:
        address = part.address.format_map(places)
    except KeyError:
        return None
    cache.clear()
    answer = client.get(address, headers={} if part.part else {"HX-Request": "true"})
    if answer.status_code != 200:
        return f"({answer.status_code})"
    if part.part:
        within = _Within(part.part)
        within.feed(answer.content.decode())
        said = " ".join(" ".join(within.texts).split())
    else:
        said = words(answer)
    return said if part.is_in_order else " ".join(sorted(said.split()))


class Walk:
    """One room, and its parts as they were before anything was done."""

    def __init__(self, places: dict[str, Any], people: dict[str, User], browse: Callable[..., Client]) -> None:
        self.places, self.people = places, people | {"me": people.get("ann", people["player"])}
        self.clients = {who: browse(user) for who, user in self.people.items()}
        self.cookies = {who: client.cookies.output(header="") for who, client in self.clients.items()}
        self.roles = room.roles_held([user.pk for user in self.people.values()])
        self.before = {name: self.shown(part) for name, part in PARTS.items()}

    def shown(self, part: Part) -> str | None:
        return shown(self.client(part.who), part, self.places)

    def hears(self, name: str, topics: set[str]) -> bool:
        """Whether this part, as its reader may listen, hears any of these topics."""
        reader = self.people[PARTS[name].who].pk
        asker = room.Asker(reader, self.roles[reader])
        heard = {topic.partition(":")[0] for topic in topics
                 if not topic.startswith("chat:") and room.refusal(topic, asker) is None}  # fmt: skip
        return bool(heard & HEARD[name])

    def client(self, who: str) -> Client:
        """The browser of one of them, logged in as before anything was done."""
        self.clients[who].cookies = SimpleCookie(self.cookies[who])
        return self.clients[who]

    def deaf(self, topics: set[str]) -> Iterator[str]:
        """Parts that say something else now, and did not hear of it."""
        for name, part in PARTS.items():
            if self.before[name] is None or self.hears(name, topics):
                continue
            now = self.shown(part)
            if now != self.before[name] and now != LOGGED_OUT:
                yield f"{name} listens to {sorted(HEARD[name])}: {_differ(self.before[name] or '', now or '')}"


def _differ(before: str, after: str) -> str:
    start = next((at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
    return f"…{before[max(0, start - 20) : start + 60]}… is …{after[max(0, start - 20) : start + 60]}…"


@pytest.fixture
def collect_topics(django_capture_on_commit_callbacks) -> Iterator[Callable[[Callable[[], Any]], tuple[Any, set[str]]]]:
    """`told(deed)`: what it returned, and the topics that were told of it after its commit."""
    found: set[str] = set()

    def note(*, topics: tuple[str, ...], **more: Any) -> None:
        found.update(topics)

    def done(deed: Callable[[], Any]) -> tuple[Any, set[str]]:
        found.clear()
        with django_capture_on_commit_callbacks(execute=True):
            made = deed()
        return made, set(found)

    topics.room_moved.connect(note)
    yield done
    topics.room_moved.disconnect(note)


@pytest.mark.parametrize("area", ROOMS)
def test_whatever_a_service_changes_the_parts_that_show_it_hear_of_it(
    area, staff, browse, collect_topics, time_machine
):
    time_machine.move_to(NOW, tick=False)
    asks, lay_out = ROOMS[area]
    places = lay_out(staff, NOW)
    walk = Walk(places, staff, browse)
    wrong = []
    for ask in asks:
        with transaction.atomic():
            answer, moved = collect_topics(partial(_send, walk.client(ask.who), ask, places, ask.data))
            assert 200 <= answer.status_code < 300, (ask, answer.content[:300])
            wrong += [f"{ask.method} {ask.path} tells {sorted(moved)}: {fault}" for fault in walk.deaf(moved)]
            transaction.set_rollback(True)
    assert not wrong, "\n".join(wrong)


# Beside what programs ask for: people who sit, leave and move, clubs, and events


Deeds = dict[str, Callable[[], Any]]


def must_move(staff: dict[str, User]) -> tuple[dict[str, Any], Deeds]:
    """A full game that another feeds, with a name on its list; somebody of the full one leaves it elsewhere."""
    main = ListRoom(seat_count=4)
    first, *_ = main.full()
    feeder = main.feeder()
    fed = main.later(seconds=1).sit("ann", 1, feeder)
    main.later(seconds=1).sit("bob", 2, feeder)
    called, waiting = main.join("cid"), main.join("dan2")
    staff["ann"] = fed
    places = {"table": main.table.pk, "offer": main.offer.pk, "waiting": waiting.pk, "called": called.pk}
    floor, now = staff["floor"], main.now
    return places, {
        "a seat comes free elsewhere": lambda: seats.leave(table_id=main.table.pk, by=first, now=now),
        "somebody who is fed leaves": lambda: seats.leave(table_id=feeder.pk, by=fed, now=now),
        "the must-move is called": lambda: (main.leave(first), main.ring()),
        "a seat is free, and the floor calls": lambda: seating.unseat(
            table_id=main.table.pk, player=first, by=floor, reason="Closing time", now=now
        ),
    }


def test_a_must_move_that_waits_for_a_hand_is_in_the_list_panel_of_the_map(browse, time_machine):
    game = ListRoom(seat_count=4)
    game.players = game.full()
    _, dan, _ = game.dealt_feeder()
    time_machine.move_to(game.now, tick=False)
    panel = words(browse(game.floor).get("/floor/lists/side/", headers={"HX-Request": "true"}))
    assert_shows(panel, f"{dan.username} must move at")


def test_a_page_asks_for_the_topics_that_its_parts_listen_to():
    wrong = []
    for path in sorted(TEMPLATES.rglob("*.html")):
        text = path.read_text("utf-8")
        asked = re.search(r"{% block topics %}(.*?){% endblock %}", text)
        heard = {name for trigger in _TRIGGER.findall(text) for name in re.findall(r"\broom:(\w+)", trigger)}
        if "{% extends" in text and (
            missing := heard - set(re.findall(r"\w+", asked[1] if asked else "")) - {"player"}
        ):
            wrong.append(f"{path.relative_to(TEMPLATES)} does not ask for {sorted(missing)}")
    assert wrong == []


AREAS: dict[str, Callable[[dict[str, User]], tuple[dict[str, Any], Deeds]]] = {"must-move": must_move}


@pytest.mark.parametrize("area", AREAS)
def test_whatever_people_do_the_parts_that_show_it_hear_of_it(area, staff, browse, collect_topics, time_machine):
    time_machine.move_to(NOW, tick=False)
    places, deeds = AREAS[area](staff)
    walk = Walk(places, staff, browse)
    wrong = []
    for name, deed in deeds.items():
        with transaction.atomic():
            _, moved = collect_topics(deed)
            wrong += [f"{name} tells {sorted(moved)}: {fault}" for fault in walk.deaf(moved)]
            transaction.set_rollback(True)
    assert not wrong, "\n".join(wrong)
