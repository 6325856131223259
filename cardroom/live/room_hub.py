"""Where the news of the room comes together: by topic, to each socket that wants it, and never in a flood.

A topic that was just told rests for a moment; what happens meanwhile is told once when the moment is over, so the last
word is never lost. Roles are looked at again with each heartbeat: who lost their hears no more of what took it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from cardroom.live import hubs, layer, messages, threads
from cardroom.live.outbox import Mark, Outbox
from cardroom.live.room_topics import Asker, is_staffs, pause, refusal, roles_held
from cardroom.live.sockets import FORBIDDEN

HEARTBEAT_SECONDS = 3.0
GROUP = "room"


@dataclass(frozen=True, slots=True)
class Told:
    """What this topic shows has changed."""

    topic: str

    @property
    def group(self) -> str:
        return GROUP

    @property
    def slot(self) -> tuple[object, ...]:
        return GROUP, self.topic


layer.register("room-told", Told)


class Listener:
    """One socket that hears of some topics."""

    seq = 0

    def __init__(self, asker: Asker, topics: Collection[str], send: Callable[[dict[str, Any]], Any]) -> None:
        self.asker = asker
        self.topics = set(topics)
        self.outbox = Outbox(send, on_room=self._go_back)

    def tell(self, text: str) -> None:
        self.outbox.put(text)

    def tell_everything(self) -> None:
        """Whatever it shows may be old."""
        self.tell(moved(self.topics))

    def _go_back(self, mark: Mark) -> None:
        self.tell_everything()


class Hub(hubs.Hub):
    """The listeners of one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop, heartbeat_seconds=HEARTBEAT_SECONDS)
        self.listeners: set[Listener] = set()
        #: Topics that were told a moment ago, and whether there is something new of them since.
        self._resting: dict[str, bool] = {}
        self.subscription.want(GROUP)
        self._is_cut_off = False

    def join(self, listener: Listener) -> None:
        self.listeners.add(listener)

    def leave(self, listener: Listener) -> None:
        listener.outbox.stop()
        self.listeners.discard(listener)

    def tell_everything(self) -> None:
        """News may have been lost: everybody looks again."""
        for listener in self.listeners:
            listener.tell_everything()

    def pass_on(self, news: object, *, is_from_here: bool) -> None:
        if not isinstance(news, Told):
            return
        if news.topic in self._resting:
            self._resting[news.topic] = True
        else:
            self._tell(news.topic)

    def _tell(self, topic: str) -> None:
        text = moved([topic])
        concerned = [listener for listener in self.listeners if topic in listener.topics]
        for listener in concerned:
            listener.tell(text)
        self._resting[topic] = False
        self.loop.call_later(pause(topic, len(concerned)), self._rested, topic)

    def _rested(self, topic: str) -> None:
        if self._resting.pop(topic):
            self._tell(topic)

    async def heartbeat(self) -> None:
        """Give up sockets that take nothing, take topics from who lost the role for them, and after other processes
        could not be heard have everybody look again."""
        for listener in [listener for listener in self.listeners if listener.outbox.is_stuck]:
            self.leave(listener)
        was_cut_off, self._is_cut_off = self._is_cut_off, not await layer.is_up()
        if was_cut_off and not self._is_cut_off:
            self.tell_everything()
        staff = [listener for listener in self.listeners if any(map(is_staffs, listener.topics))]
        if not staff:
            return
        held = await threads.run(roles_held, {listener.asker.user for listener in staff if listener.asker.user})
        for listener in staff:
            if listener.asker.user in held:
                _look_again(listener, held[listener.asker.user])


def _look_again(listener: Listener, roles: frozenset[str]) -> None:
    """The listener holds these roles now: end what is for them no more, and the socket where nothing of staff is
    left."""
    asker = Asker(listener.asker.user, roles)
    listener.asker = asker
    lost = {topic: error for topic in listener.topics if (error := refusal(topic, asker))}
    if not lost:
        return
    listener.topics -= lost.keys()
    for error in lost.values():
        listener.tell(messages.refused(error, seq=0))
    if not any(map(is_staffs, listener.topics)):
        listener.outbox.end(FORBIDDEN, "role-required")


def moved(topics: Collection[str]) -> str:
    return messages.text(type="moved", topics=sorted(topics))


_hubs = hubs.Hubs(Hub)
here = _hubs.here
tell = _hubs.tell
