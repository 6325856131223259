"""The feeds of tournaments in this process, and the signals that wake them."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from cardroom.core import topics
from cardroom.realtime import hubs
from tournaments.events import signals as event_signals
from tournaments.live.feed import EventFeed
from tournaments.live.news import EventMoved, Noticed
from tournaments.prizes import board


class EventHub(hubs.FeedHub[EventFeed]):
    """The feeds of one loop."""

    def make(self, of: int, **known: Any) -> EventFeed:
        return EventFeed(of, self.subscription)

    def read(self, of: list[int]) -> dict[int, int]:
        return board.versions(of)

    def pass_on(self, message: object, *, is_from_here: bool) -> None:
        if isinstance(message, EventMoved) and message.tournament in self.feeds:
            self.feeds[message.tournament].wake()
        elif isinstance(message, Noticed):
            for feed in self.feeds.values():
                if feed.has(message.player):
                    feed.wake()


_hubs = hubs.Hubs(EventHub)
here = _hubs.here
tell = _hubs.tell


@receiver(event_signals.tournament_moved)
def tell_of_tournament(sender: Any, *, tournament_id: int, seq: int, **more: Any) -> None:
    tell(EventMoved(tournament_id, seq))
    topics.tell("tournaments", "board")


@receiver(event_signals.notice_given)
def tell_of_notice(sender: Any, *, player_id: int, **more: Any) -> None:
    tell(Noticed(player_id))
