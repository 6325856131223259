"""The socket of a tournament: everybody is told what is public, and a player what is theirs.

One pass reads the event once for all its viewers, encodes each part of it once (sentences once a language), and sends
everybody those parts that are new to them. The room and a viewer exchange JSON, one object a message, named by its
``type``.

The room says, each with ``seq`` (the number of the last fact it speaks of) and ``now`` (the server's clock):

``snapshot``  everything: one field for each of ``PARTS``, and ``you``
``moved``     ``changed``: those of the parts that are new, whole; ``you``, if that is
``notice``    something for this player: ``id``, ``kind``, ``text``, ``data`` (as of its kind) and ``at``
``pong``      to a ``ping``; ``sent`` comes back as it came, for measuring the way
``done``, ``refused``

What the parts hold is said in `tournaments.prizes.board`; ``you`` is the player's own part, null for anybody else.
Times are milliseconds since the epoch, or so many milliseconds where they say so; chips, money and places are ints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from django.dispatch import receiver
from django.urls import URLPattern, re_path
from django.utils import timezone, translation

from cardroom.core import notices, topics
from cardroom.core.errors import NotFound
from cardroom.realtime import hubs, layer
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.layer import Subscription
from cardroom.realtime.messages import CatchUp, Id, Key, Mark, Reader, encoded, milliseconds, text
from cardroom.realtime.sockets import NOWHERE, SpeakingConsumer, TurnedAway
from tournaments.events import signals as event_signals
from tournaments.prizes import board, board_parts
from tournaments.prizes.board import Board

#: What changes by itself, and is told again, whole, when it has.
PARTS = ("event", "clock", "levels", "counts", "payouts", "tables", "moves", "deal")


class Ping(msgspec.Struct, tag="ping", frozen=True):
    """What time is it? ``sent``: the asker's own mark of the moment, any number."""

    sent: float | None = None


class Seen(msgspec.Struct, tag="seen", frozen=True):
    """This notice was shown to me: do not tell me again."""

    notice: Id
    command_id: Key | None = None


Message = Ping | CatchUp | Seen

parse = Reader(Message)


def snapshot(*, seq: int, now: datetime, parts: Mapping[str, bytes], you: bytes) -> str:
    return text(type="snapshot", seq=seq, now=milliseconds(now), **_raw(parts), you=msgspec.Raw(you))


def moved(*, seq: int, now: datetime, changed: Mapping[str, bytes], you: bytes | None = None) -> str:
    """``you`` None: nothing new about the player themselves."""
    own = {} if you is None else {"you": msgspec.Raw(you)}
    return text(type="moved", seq=seq, now=milliseconds(now), changed=_raw(changed), **own)


def notice(*, seq: int, now: datetime, told: Mapping[str, Any]) -> str:
    return text(type="notice", seq=seq, now=milliseconds(now), **told)


def pong(*, seq: int, now: datetime, sent: float | None) -> str:
    return text(type="pong", seq=seq, now=milliseconds(now), sent=sent)


def _raw(parts: Mapping[str, bytes]) -> dict[str, msgspec.Raw]:
    return {name: msgspec.Raw(part) for name, part in parts.items()}


# What one process tells the others of a tournament: ids and numbers.


@dataclass(frozen=True, slots=True)
class Moved:
    """Something happened in a tournament: facts up to ``seq`` are there, or its row has changed."""

    tournament: int
    seq: int = 0

    @property
    def group(self) -> str:
        return group_of(self.tournament)

    @property
    def slot(self) -> tuple[object, ...]:
        return "tournament", self.tournament


@dataclass(frozen=True, slots=True)
class Noticed:
    """A player has something to read."""

    player: int

    @property
    def group(self) -> str:
        return layer.EVERYBODY

    @property
    def slot(self) -> tuple[object, ...]:
        return "noticed", self.player


def group_of(tournament: int) -> str:
    return f"tournament.{tournament}"


layer.register("tournament-moved", Moved)
layer.register("noticed", Noticed)


# The feed of one tournament in this process


class Viewer(hubs.Viewer):
    """One socket at one tournament, and what it was told last; one that fell behind gets everything anew."""

    def __init__(self, user: Any, send: Any) -> None:
        super().__init__(user, send)
        #: The parts as they were told last, encoded; of what did not change all who read one language hold the same
        #: bytes.
        self.told: dict[str, bytes] = {}
        self.you: bytes | None = None
        #: The last notice that was told.
        self.noticed = 0

    @property
    def is_new(self) -> bool:
        """Nothing was told yet that can be built on."""
        return not self.told

    def start_over(self) -> None:
        """Tell this viewer everything with the next pass."""
        self.told, self.you = {}, None

    def go_back(self, mark: Mark) -> None:
        # What was dropped may have been a notice.
        self.start_over()
        self.noticed = 0


#: Between two passes, at least; what happens meanwhile is told with the next one.
PAUSE_SECONDS = 0.2
#: So many viewers are told within a second, so that a great event with a great crowd leaves time for the rest.
VIEWERS_PER_SECOND = 4000
NOBODY = b"null"


class EventFeed(hubs.Feed[Viewer]):
    """The viewers of one tournament in this process."""

    kind = "tournament"

    def __init__(self, of: int, subscription: Subscription) -> None:
        super().__init__(of, subscription)
        self.listen({group_of(of)})
        self.version = -1
        #: As they were told last, by language.
        self._parts: dict[str, dict[str, bytes]] = {}

    def heartbeat(self, version: int) -> None:
        if version != self.version:
            self.wake()

    def failed(self) -> None:
        self.version = -1

    def pause(self) -> float:
        return max(PAUSE_SECONDS, len(self.viewers) / VIEWERS_PER_SECOND)

    def has(self, player: int) -> bool:
        """Whether this player looks on."""
        return any(viewer.user_id == player for viewer in self.viewers)

    async def catch_up(self) -> None:
        viewers = [viewer for viewer in self.viewers if not viewer.outbox.is_behind]
        after = _read_up_to(viewers)
        read = await layer.run(board.read, self.of, notices_after=after, now=timezone.now())
        if read is None:
            for viewer in self.viewers:
                with translation.override(viewer.language):
                    refusal = NotFound("no-such-event", "There is no such tournament.")
                viewer.dismiss(refusal, NOWHERE)
            return
        self.version = read.version
        self._parts = self._encoded(read, {viewer.language for viewer in viewers})
        own = {player: encoded(part) for player, part in read.own.items()}
        for viewer in viewers:
            if viewer in self.viewers:
                self._tell(viewer, read, own)

    def _encoded(self, read: Board, languages: set[str]) -> dict[str, dict[str, bytes]]:
        """The parts in each language, each the very bytes of the last pass where nothing changed: so comparing them
        costs nothing."""
        same = {name: encoded(part) for name, part in read.parts.items()}
        told = {}
        for language in languages:
            with translation.override(language):
                parts = same | {name: encoded(part) for name, part in board_parts.spoken(read.parts).items()}
            had = self._parts.get(language, {})
            told[language] = {name: had[name] if had.get(name) == parts[name] else parts[name] for name in PARTS}
        return told

    def _tell(self, viewer: Viewer, read: Board, own: dict[int, bytes]) -> None:
        you = own.get(viewer.user_id, NOBODY) if viewer.user_id is not None else NOBODY
        now, viewer.seq = read.now, read.seq
        parts = self._parts[viewer.language]
        if viewer.is_new:
            viewer.tell(snapshot(seq=read.seq, now=now, parts=parts, you=you))
        else:
            changed = {name: part for name, part in parts.items() if viewer.told[name] is not part}
            is_own_new = you != viewer.you
            if changed or is_own_new:
                viewer.tell(moved(seq=read.seq, now=now, changed=changed, you=you if is_own_new else None))
        viewer.told, viewer.you = parts, you
        for told in read.notices.get(viewer.user_id or 0, ()):
            if told["id"] > viewer.noticed:
                viewer.noticed = told["id"]
                viewer.tell(notice(seq=read.seq, now=now, told=told))


def _read_up_to(viewers: list[Viewer]) -> dict[int, int]:
    """The players among them, each with the last notice that all their windows were told."""
    after: dict[int, int] = {}
    for viewer in viewers:
        if viewer.user_id is not None:
            after[viewer.user_id] = min(viewer.noticed, after.get(viewer.user_id, viewer.noticed))
    return after


class Hub(hubs.FeedHub[EventFeed]):
    """The feeds of one loop."""

    def make(self, of: int, **known: Any) -> EventFeed:
        return EventFeed(of, self.subscription)

    def read(self, of: list[int]) -> dict[int, int]:
        return board.versions(of)

    def pass_on(self, message: object, *, is_from_here: bool) -> None:
        if isinstance(message, Moved) and message.tournament in self.feeds:
            self.feeds[message.tournament].wake()
        elif isinstance(message, Noticed):
            for feed in self.feeds.values():
                if feed.has(message.player):
                    feed.wake()


_hubs = hubs.Hubs(Hub)
here = _hubs.here
tell = _hubs.tell


# From the events' signals to the feeds


@receiver(event_signals.tournament_moved)
def tell_of_tournament(sender: Any, *, tournament_id: int, seq: int, **more: Any) -> None:
    tell(Moved(tournament_id, seq))
    topics.tell("tournaments", "board")


@receiver(event_signals.notice_given)
def tell_of_notice(sender: Any, *, player_id: int, **more: Any) -> None:
    tell(Noticed(player_id))


class TournamentConsumer(SpeakingConsumer):
    """Somebody who follows an event; anybody may."""

    here = staticmethod(here)
    parse = parse

    async def admit(self) -> None:
        tournament = int(self.scope["url_route"]["kwargs"]["tournament_id"])
        if not await layer.run(board.versions, [tournament]):
            raise TurnedAway(NotFound("no-such-event", "There is no such tournament."), NOWHERE)
        viewer = Viewer(self.user, self.line)
        here().join(tournament, viewer)
        self.enter(viewer)

    async def answer(self, viewer: Viewer, said: Message) -> None:
        match said:
            case CatchUp():
                viewer.start_over()
                viewer.feed.wake()
            case Seen():
                await layer.run(notices.read, notice_id=said.notice, by=self.player())
                self.tell(realtime_messages.done(seq=self.seq, command_id=said.command_id))
            case _:
                self.tell(pong(seq=self.seq, now=timezone.now(), sent=said.sent))


websocket_urlpatterns: list[URLPattern] = [
    re_path(r"^ws/tournaments/(?P<tournament_id>[0-9]{1,18})/$", TournamentConsumer.as_asgi())
]
