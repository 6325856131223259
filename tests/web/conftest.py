"""Pages looked at by people: `browse(user)` is a browser of theirs, `browse()` one of nobody."""

import copy
import functools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.backends import ModelBackend
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test import client as test_client
from django.test.client import ClientHandler
from django.urls import get_resolver

from cardroom.core.models import User
from cardroom.core.web import problems
from tests.support import decks
from tests.support.evening import Evening
from tests.support.events import Event
from tests.support.pages import form_of, get, words
from tests.support.parts.cardroom import access, people, sessions
from tests.support.parts.games import floor_queries, table_journal
from tests.support.worlds import world

Browse = Callable[..., Client]
#: When it is for `staff`.
NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
_NAMES = {"player": "pia", "dealer": "dan", "floor": "flo", "cashier": "cay", "manager": "mia", "auditor": "aud"}


@pytest.fixture(scope="session", autouse=True)
def _loaded_and_resolved_once() -> Iterator[None]:
    """Each client would load the middleware again, which looks through all static files: the first one's serves all.
    An address is looked for in a list of hundreds: most are asked for many times."""
    names = ("_view_middleware", "_template_response_middleware", "_exception_middleware", "_middleware_chain")
    loaded: dict[str, Any] = {}
    load = ClientHandler.load_middleware

    def load_once(handler: ClientHandler) -> None:
        if not loaded:
            load(handler)
            loaded.update({name: getattr(handler, name) for name in names})
        vars(handler).update(loaded)

    resolver = get_resolver()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientHandler, "load_middleware", load_once)
        patch.setattr(resolver, "resolve", functools.cache(resolver.resolve))
        yield


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Every test of this folder may use it, without a mark."""


@pytest.fixture
def open_table(db) -> Iterator[Callable[..., Evening]]:
    """`open_table(name=...)`: a table with the world's clock at its own beginning, and standing still."""
    with time_machine.travel(0, tick=False) as clock:

        def opened(**options: Any) -> Evening:
            evening = Evening(**options)
            clock.move_to(evening.now)
            evening.clock = clock
            return evening

        yield opened


@pytest.fixture
def _remembered_logins(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tables that ask many addresses and take back what each did: who is logged in, and what they may do, is read
    once, not each time; the page of a refusal is drawn once for each status and person, then its status is enough."""
    session, user, roles = sessions.SessionStore._get_session_from_db, ModelBackend.get_user, access.roles_of
    found: dict[tuple[str, Any], Any] = {}

    def remembered(kind: str, key: Any, read: Callable[[], Any]) -> Any:
        if (kind, key) not in found:
            found[kind, key] = read()
        return copy.copy(found[kind, key])

    def get_session(store: sessions.SessionStore) -> Any:
        return remembered("session", store.session_key, lambda: session(store))

    def get_user(backend: ModelBackend, user_id: Any) -> Any:
        return remembered("user", user_id, lambda: user(backend, user_id))

    def roles_of(viewer: access.Viewer) -> frozenset[str]:
        held = remembered("roles", viewer.pk, lambda: roles(viewer))
        viewer.roles_on_this_page = held  # type: ignore[union-attr]
        return held

    refuse, drawn = problems.answer, set()

    def refused(request: HttpRequest, problem: problems.Problem) -> HttpResponse:
        one = (problem["status"], request.user.pk)
        if one in drawn and not problems._wants_json(request):
            return HttpResponse(status=problem["status"])
        drawn.add(one)
        return refuse(request, problem)

    monkeypatch.setattr(test_client, "store_rendered_templates", lambda *given, **named: None)
    monkeypatch.setattr(problems, "answer", refused)
    monkeypatch.setattr(access, "roles_of", roles_of)
    monkeypatch.setattr(sessions.SessionStore, "_get_session_from_db", get_session)
    monkeypatch.setattr(ModelBackend, "get_user", get_user)


@pytest.fixture
def _same_cards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No hand in memory, no request counted, and the same cards in every run."""
    decks.same_in_every_run(monkeypatch)
    table_journal.forget()
    floor_queries.forget()
    cache.clear()
    yield
    table_journal.forget()
    floor_queries.forget()


@world
def two_at_a_table() -> Evening:
    with time_machine.travel(NOW, tick=False):
        table = Evening(name="Larch")
        table.ann, table.bob = table.sit("ann", 1), table.sit("bob", 2)
        table.deal()
    return table


@pytest.fixture
def evening(two_at_a_table: Evening, _same_cards: None) -> Iterator[Evening]:
    """A table with two people and a hand dealt: ann in seat 1, bob in seat 2, 500 chips each; time stands still."""
    with time_machine.travel(two_at_a_table.now, tick=False) as clock:
        two_at_a_table.clock = clock
        yield two_at_a_table


@pytest.fixture
def finished(evening: Evening) -> Evening:
    """The same after a hand played to the showdown; `hand` is its id."""
    evening.hand = evening.table.hand_id
    evening.play_out()
    evening.clock.move_to(evening.now)
    return evening


@world
def open_event() -> Event:
    """An event in the room, on the next hour, for which one may register."""
    return Event(name="Friday Stud").open()


@pytest.fixture
def at(time_machine: Any) -> Callable[[Event], Event]:
    """`at(event)`: the event, with the room's clock where the event's is."""

    def moved(event: Event) -> Event:
        time_machine.move_to(event.now, tick=False)
        return event

    return moved


@world
def running() -> Event:
    return Event(seats=4, final_seats=4).started(6)


@pytest.fixture
def event(running: Event, at: Callable[[Event], Event]) -> Event:
    """An event of six at two tables in the room, just begun; modules have others of this name."""
    return at(running)


@pytest.fixture
def director(event: Event, browse: Browse) -> Client:
    """The browser of the director of the module's `event`."""
    return browse(event.director)


@pytest.fixture
def now() -> datetime:
    """The moment it is, with no request counted yet."""
    cache.clear()
    return datetime.now(UTC)


@pytest.fixture
def pia(now: datetime) -> User:
    """A player with a password."""
    return people.make_player(name="pia", password="all-the-burns", now=now)


@pytest.fixture
def browse() -> Browse:
    """A browser of this person. Nobody has logged in: their session says not when and from where, no visit begins."""

    def client(user: User | None = None, **options: bool) -> Client:
        browser = Client(**options)
        if user is not None:
            session = sessions.SessionStore()
            session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
            session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
            session.create()
            browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
        return browser

    return client


@pytest.fixture
def press(browse: Browse) -> Callable[..., str]:
    """Fill in the form with this button and send it: what the next page says."""

    def send(user: User, address: str, button: str, **said: str) -> str:
        browser = browse(user)
        action, fields = form_of(get(browser, address), button)
        assert not set(said) - set(fields) - {"text", "sure"}, fields
        answer = browser.post(action or address, fields | said)
        return words(get(browser, answer["Location"])) if answer.status_code == 302 else words(answer)

    return send


@world
@time_machine.travel(NOW, tick=False)
def hired() -> dict[str, User]:
    made = {}
    for role, name in _NAMES.items():
        made[role] = User.objects.create_user(name, password="seven-cards", date_joined=NOW)
        people.sign_up_bonus(user=made[role], now=NOW)
        if role != "player":
            access.grant_role(user=made[role], role=role, by=None)
    return made


@pytest.fixture
def staff(hired: dict[str, User], _same_cards: None) -> Iterator[dict[str, User]]:
    """One of each role, by its name, and a player who holds none; time stands still."""
    with time_machine.travel(NOW, tick=False):
        yield hired
