"""The room's socket: which topics there are (`cardroom.core.topics`), who may follow each, and how often it is told.

A message says only that something changed, so everybody who may open the page that shows it may follow its topic. A
topic that was just told rests for a moment; what happens meanwhile is told once when the moment is over, so the last
change is never lost. Roles are checked again with each heartbeat.

At `/ws/room/?topics=lobby,lists` the room sends ``hello`` (``topics``: what will be told), ``moved`` (``topics``),
``pong``, and ``refused`` once for each topic that the user may not follow; with none left the socket closes. It accepts
``ping`` and ``catch_up``: send all topics once; with an ``age`` those of few people that changed in so many ms, as a
page was drawn before it began to listen.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import parse_qs

import msgspec
from django.dispatch import receiver
from django.urls import URLPattern, re_path
from django.utils import timezone, translation
from django.utils.translation import gettext, gettext_noop

from cardroom.core import topics
from cardroom.core.access import ROLES, role_name
from cardroom.core.errors import Forbidden, Invalid, NotFound, Refusal, Verbatim
from cardroom.core.models import User
from cardroom.core.private_places import private_places
from cardroom.realtime import hubs, layer
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.frames import frame_of
from cardroom.realtime.hubs import Viewer
from cardroom.realtime.messages import Mark, Ping, Reader
from cardroom.realtime.sockets import FORBIDDEN, NOWHERE, SpeakingConsumer, TurnedAway

_OPEN = frozenset({"lobby", "lists", "board", "jackpots", "tournaments"})
#: For everybody who is logged in.
_PEOPLES = frozenset({"chat"})
_LIST = re.compile(r"list:[0-9]{1,18}")
#: For some people only (`cardroom.core.private_places`): members of a club, those who may read the chat of a table.
_PLACE = re.compile(r"(?:club|chat):[0-9]{1,18}")
_PLAYER = re.compile(r"player:([0-9]{1,18})")

_DESK = frozenset({"floor", "cashier", "manager", "auditor"})
_STAFF = {
    "floor": frozenset({"floor", "dealer", "cashier", "manager", "auditor"}),
    "hands": frozenset({"floor", "dealer", "manager", "auditor"}),
    "shifts": frozenset({"floor", "dealer", "manager", "auditor"}),
    "cage": frozenset({"cashier", "manager", "auditor"}),
    "approvals": _DESK,
    "players": _DESK,
}

#: Seconds between two messages about a topic; changes meanwhile go with the next one.
PAUSE_SECONDS = 0.25
_SLOWER = {"lobby": 1.0, "board": 1.0, "floor": 0.5, "chat": 0.5, "hands": 4.0, "tournaments": 3.0}

#: Many listeners get fewer messages, so that their requests take no more than a sixth of a core.
SECONDS_A_LISTENER = 0.1
MOST_PAUSE_SECONDS = 15.0

MOST_TOPICS = 40
#: A page that is older than this when it begins to listen gets all its topics.
MOST_AGE_SECONDS = 60.0
#: How long the first listener of a process waits for the subscription to other processes.
BEGIN_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Asker:
    """A person who wants to follow topics: `user` None where nobody is logged in; `places`: the private topics they may
    follow."""

    user: int | None
    roles: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()


def pause(topic: str, listeners: int = 0) -> float:
    """Seconds between two messages about this topic to this many listeners: each of them reads the page again, and
    players come first."""
    return max(_SLOWER.get(topic, PAUSE_SECONDS), min(listeners * SECONDS_A_LISTENER, MOST_PAUSE_SECONDS))


def refusal(topic: str, asker: Asker) -> Refusal | None:
    """Why this caller may not follow the topic; None where they may."""
    if topic in _OPEN or _LIST.fullmatch(topic):
        return None
    if topic in _PEOPLES:
        words = gettext("Log in to subscribe to {topic!r}.").format(topic=topic)
        return None if asker.user is not None else Forbidden("login-required", Verbatim(words))
    if own := _PLAYER.fullmatch(topic):
        if asker.user == int(own[1]):
            return None
        return Forbidden("not-yours", "The topic {topic!r} is only for that player.", topic=topic)
    if _PLACE.fullmatch(topic):
        if topic in asker.places:
            return None
        if topic.startswith("chat:"):
            return Forbidden("forbidden", "The topic {topic!r} is for those who may read that chat.", topic=topic)
        return Forbidden("members-only", "The topic {topic!r} is for members.", topic=topic)
    if topic not in _STAFF:
        known = ", ".join(
            [*sorted(_OPEN | _PEOPLES), "chat:<table>", "club:<club>", "list:<offer>", "player:<user>", *sorted(_STAFF)]
        )
        words = gettext("There is no topic {topic!r}. The topics are: {known}.")
        return NotFound("no-such-topic", Verbatim(words.format(topic=topic[:40], known=known)))
    if asker.roles.isdisjoint(_STAFF[topic]):
        words = gettext("The topic {topic!r} is for staff ({roles}).")
        roles = ", ".join(role_name(role) for role in sorted(_STAFF[topic]))
        return Forbidden("role-required", Verbatim(words.format(topic=topic, roles=roles)))
    return None


def is_staffs(topic: str) -> bool:
    """Whether following it takes a role."""
    return topic in _STAFF


def is_kept(topic: str) -> bool:
    """Whether the right to follow it depends on a role or a membership, and can end."""
    return is_staffs(topic) or bool(_PLACE.fullmatch(topic))


def places_held(users: Collection[int], topics: Collection[str]) -> dict[int, frozenset[str]]:
    """The private topics of these that these users, by id, may follow now."""
    places = frozenset(topic for topic in topics if _PLACE.fullmatch(topic))
    answers = [sort.readable(users, places) for sort in private_places()] if places else []
    return {user: frozenset().union(*(answer.get(user, ()) for answer in answers)) for user in users}


def roles_held(users: Iterable[int]) -> dict[int, frozenset[str]]:
    """The roles these users, by id, hold now. One query."""
    roles_by_user: dict[int, set[str]] = {user: set() for user in users}
    held = User.objects.filter(pk__in=roles_by_user, is_active=True, groups__name__in=ROLES).values_list(
        "pk", "groups__name"
    )
    for user, role in held:
        roles_by_user[user].add(role)
    return {user: frozenset(roles) for user, roles in roles_by_user.items()}


# The hub: from topics to sockets


GROUP = "room"


@dataclass(frozen=True, slots=True)
class TopicChanged:
    """Something that a topic's pages show has changed."""

    topic: str

    @property
    def group(self) -> str:
        return GROUP

    @property
    def slot(self) -> tuple[object, ...]:
        return GROUP, self.topic


layer.register("room-told", TopicChanged)


class RoomCatchUp(msgspec.Struct, tag="catch_up", frozen=True):
    """The client asks for all topics again; ``age``: only those that changed in the last so many ms."""

    age: Annotated[float, msgspec.Meta(ge=0)] | None = None


class Listener(Viewer):
    """One socket that hears of some topics."""

    def __init__(self, asker: Asker, topics: Collection[str], send: Callable[[dict[str, Any]], Any]) -> None:
        super().__init__(None, send)
        self.asker = asker
        self.language = translation.get_language()
        self.topics = set(topics)

    def tell_everything(self) -> None:
        """Tell all topics: the page may be out of date."""
        self.tell(topics_message(self.topics))

    def has_room(self, mark: Mark) -> None:
        self.tell_everything()


class RoomHub(hubs.Hub):
    """The listeners of one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.listeners: set[Listener] = set()
        #: Topics with a message a moment ago, and whether they have changed since.
        self._resting: dict[str, bool] = {}
        #: When a topic last changed.
        self._news: dict[str, float] = {}
        self.subscription.want(GROUP)
        self._is_cut_off = False

    def join(self, listener: Listener) -> None:
        self.listeners.add(listener)

    def leave(self, listener: Listener) -> None:
        listener.outbox.stop()
        self.listeners.discard(listener)

    def tell_everything(self) -> None:
        """Tell everybody all topics: messages may have been lost."""
        for listener in self.listeners:
            listener.tell_everything()

    def pass_on(self, message: object, *, is_from_here: bool) -> None:
        if not isinstance(message, TopicChanged):
            return
        if not is_from_here:
            topics.note([message.topic])
        self._news[message.topic] = self.loop.time()
        if message.topic in self._resting:
            self._resting[message.topic] = True
        else:
            self._tell(message.topic)

    async def begin(self) -> None:
        """Wait until messages of other processes arrive; not long where they cannot."""
        with suppress(TimeoutError):
            async with asyncio.timeout(BEGIN_SECONDS):
                await self.subscription.has_begun.wait()

    def missed(self, topics: set[str], seconds: float) -> set[str]:
        """Those of the topics that have changed within the last `seconds`, as far as is known. Not those of the whole
        room, which change again soon: to redraw them at once would take the focus from a reader who has begun to use
        the page by keyboard."""
        topics = topics - _SLOWER.keys()
        since, began = self.loop.time() - seconds, self.subscription.since
        if began is None or since < began or seconds > MOST_AGE_SECONDS:
            return topics
        return {topic for topic in topics if self._news.get(topic, since) > since}

    def _tell(self, topic: str) -> None:
        text = topics_message([topic])
        frame = frame_of(text)
        concerned = [listener for listener in self.listeners if topic in listener.topics]
        for listener in concerned:
            listener.tell(text, frame)
        self._resting[topic] = False
        self.loop.call_later(pause(topic, len(concerned)), self._rested, topic)

    def _rested(self, topic: str) -> None:
        if self._resting.pop(topic):
            self._tell(topic)

    async def heartbeat(self) -> None:
        """Give up sockets that take nothing, note who has a page in sight, take topics from users who lost the role for
        them, and refresh everybody after other processes could not be heard."""
        for listener in [listener for listener in self.listeners if listener.outbox.is_stuck]:
            self.leave(listener)
        since = self.loop.time() - MOST_AGE_SECONDS
        self._news = {topic: at for topic, at in self._news.items() if at > since}
        await self.sessions.note_sight()
        was_cut_off, self._is_cut_off = self._is_cut_off, not await layer.is_up()
        if was_cut_off and not self._is_cut_off:
            self.tell_everything()
        staff = [listener for listener in self.listeners if any(map(is_kept, listener.topics))]
        if not staff:
            return
        users = {listener.asker.user for listener in staff if listener.asker.user}
        followed = set().union(*(listener.topics for listener in staff))
        held, places = await layer.run(roles_held, users), await layer.run(places_held, users, followed)
        for listener in staff:
            if (user := listener.asker.user) in held:
                _look_again(listener, Asker(user, held[user], places[user]))


def _look_again(listener: Listener, asker: Asker) -> None:
    """The listener holds these roles now: end what is for them no more, and the socket where nothing of staff is
    left."""
    listener.asker = asker
    with translation.override(listener.language):
        lost = {topic: error for topic in listener.topics if (error := refusal(topic, asker))}
    if not lost:
        return
    listener.topics -= lost.keys()
    for error in lost.values():
        listener.tell(realtime_messages.refusal_message(error, seq=0))
    if any(map(is_staffs, lost)) and not any(map(is_staffs, listener.topics)):
        listener.outbox.end(FORBIDDEN, "role-required")


def topics_message(topics: Collection[str]) -> str:
    return realtime_messages.text(type="moved", topics=sorted(topics))


_hubs = hubs.Hubs(RoomHub)
here = _hubs.here
tell = _hubs.tell


# The socket


logger = logging.getLogger(__name__)


class NewsConsumer(SpeakingConsumer):
    """The socket of a page or a program that follows topics of the room."""

    here = staticmethod(here)
    parse = Reader(Ping | RoomCatchUp)

    async def admit(self) -> None:
        wanted = _topics(self.scope)
        if not 1 <= len(wanted) <= MOST_TOPICS:
            words = gettext_noop("Send 1 to {most} topics, separated by commas: /ws/room/?topics=lobby,lists.")
            raise TurnedAway(Invalid("bad-topics", words, most=MOST_TOPICS), NOWHERE)
        asker = await self._asker(wanted)
        refused = {topic: error for topic in wanted if (error := refusal(topic, asker))}
        if len(refused) == len(wanted):
            raise TurnedAway(next(iter(refused.values())), FORBIDDEN)
        listener = Listener(asker, wanted - refused.keys(), self.line)
        await here().begin()
        here().join(listener)
        self.enter(listener)
        listener.tell(realtime_messages.text(type="hello", topics=sorted(listener.topics)))
        for _, error in sorted(refused.items()):
            listener.tell(realtime_messages.refusal_message(error, seq=0))

    async def _asker(self, wanted: set[str]) -> Asker:
        """Roles are read only where a topic takes one."""
        if self.user is None:
            return Asker(None)
        who, nothing = self.user.pk, frozenset[str]()
        held = await layer.run(roles_held, [who]) if any(map(is_staffs, wanted)) else {}
        places = await layer.run(places_held, [who], wanted) if any(map(_PLACE.fullmatch, wanted)) else {}
        return Asker(who, held.get(who, nothing), places.get(who, nothing))

    async def answer(self, viewer: Any, message: Ping | RoomCatchUp) -> None:
        match message:
            case RoomCatchUp(age=None):
                viewer.tell_everything()
            case RoomCatchUp(age=age):
                if missed := here().missed(viewer.topics, age / 1000):
                    viewer.tell(topics_message(missed))
            case _:
                if self.user is not None and message.hidden is not None:
                    self.sessions.look(self.user.pk, self.sign_out, is_hidden=message.hidden)
                self.tell(realtime_messages.pong(seq=0, now=timezone.now()))


def _topics(scope: Any) -> set[str]:
    values = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("topics", [])
    return {topic.strip() for part in values for topic in part.split(",") if topic.strip()}


# Signal receivers. Imported when the app is ready


@receiver(topics.room_moved)
def tell_of_topics(sender: Any, *, topics: tuple[str, ...], **more: Any) -> None:
    for topic in dict.fromkeys(topics):
        tell(TopicChanged(topic))


# Addresses


websocket_urlpatterns: list[URLPattern] = [re_path(r"^ws/room/$", NewsConsumer.as_asgi())]
