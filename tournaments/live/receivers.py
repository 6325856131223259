"""From the events' signals to their sockets. Imported once, when the app is ready; the services know nothing of it."""

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


@receiver(user_logged_out)
def close_the_sockets(sender: Any, *, request: Any, **more: Any) -> None:
    """Sent before the session is flushed, so its key is still there."""
    key = getattr(getattr(request, "session", None), "session_key", None)
    if key:
        feed.tell(SignedOut(digest_of(key)))


@receiver(post_delete, sender=ApiToken)
def close_the_sockets_of_a_token(sender: Any, *, instance: ApiToken, **more: Any) -> None:
    """Revoked, or gone with its owner."""
    news = SignedOut(digest_of(key_of_token(instance.pk)))
    transaction.on_commit(partial(feed.tell, news), robust=True)
