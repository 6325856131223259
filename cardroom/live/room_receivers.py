"""From the house's news to the room's sockets. Imported once, when the app is ready; services know nothing of it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver

from cardroom.live import room_hub
from cardroom.live.layer import SignedOut
from cardroom.live.room_hub import Told
from cardroom.live.sessions import digest_of, key_of_token
from cardroom.models import ApiToken
from cardroom.services import news


@receiver(news.room_moved)
def tell_of_topics(sender: Any, *, topics: tuple[str, ...], **more: Any) -> None:
    for topic in dict.fromkeys(topics):
        room_hub.tell(Told(topic))


@receiver(user_logged_out)
def close_the_sockets(sender: Any, *, request: Any, **more: Any) -> None:
    """Sent before the session is flushed, so its key is still there."""
    key = getattr(getattr(request, "session", None), "session_key", None)
    if key:
        room_hub.tell(SignedOut(digest_of(key)))


@receiver(post_delete, sender=ApiToken)
def close_the_sockets_of_a_token(sender: Any, *, instance: ApiToken, **more: Any) -> None:
    """Revoked, or gone with its owner."""
    signed_out = SignedOut(digest_of(key_of_token(instance.pk)))
    transaction.on_commit(partial(room_hub.tell, signed_out), robust=True)
