"""From the room's signals to its sockets. Imported once, when the app is ready; the services know nothing of it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver

from cardroom.accounts.models import ApiToken
from cardroom.core import topics
from cardroom.realtime.layer import SignedOut
from cardroom.realtime.sessions import digest_of, key_of_token
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
    """A topic of its own, told seldom: hands end all the time."""
    topics.tell("hands")


@receiver(user_logged_out)
def close_the_sockets(sender: Any, *, request: Any, **more: Any) -> None:
    """Sent before the session is flushed, so its key is still there."""
    key = getattr(getattr(request, "session", None), "session_key", None)
    if key:
        hub.tell(SignedOut(digest_of(key)))


@receiver(post_delete, sender=ApiToken)
def close_the_sockets_of_a_token(sender: Any, *, instance: ApiToken, **more: Any) -> None:
    """Revoked, or gone with its owner."""
    news = SignedOut(digest_of(key_of_token(instance.pk)))
    transaction.on_commit(partial(hub.tell, news), robust=True)
