"""From the events' signals to their sockets. Imported once, when the app is ready; the services know nothing of it."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from cardroom.core import topics
from tournaments.events import signals as event_signals
from tournaments.live import feed
from tournaments.live.messages import Moved, Noticed


@receiver(event_signals.tournament_moved)
def tell_of_tournament(sender: Any, *, tournament_id: int, seq: int, **more: Any) -> None:
    feed.tell(Moved(tournament_id, seq))
    topics.tell("tournaments", "board")


@receiver(event_signals.notice_given)
def tell_of_notice(sender: Any, *, player_id: int, **more: Any) -> None:
    feed.tell(Noticed(player_id))
