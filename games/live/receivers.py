"""From the room's signals to its sockets. Imported once, when the app is ready; the services know nothing of it."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from cardroom.core import topics
from games.live import hub
from games.live.messages import Nudge
from games.tables import signals as table_signals


@receiver(table_signals.hand_moved)
def tell_of_facts(sender: Any, *, table_id: int, hand_id: int, seq: int, **more: Any) -> None:
    hub.tell(Nudge(table_id, hand_id, seq))


@receiver(table_signals.table_changed)
def tell_of_table(sender: Any, *, table_id: int, **more: Any) -> None:
    hub.tell(Nudge(table_id, is_table_due=True))
    topics.tell("lobby", "floor", "board")


@receiver(table_signals.hand_ended)
def tell_of_stacks(sender: Any, *, table_id: int, **more: Any) -> None:
    """Tells the topic "hands", at most every few seconds, as hands end all the time."""
    topics.tell("hands")
