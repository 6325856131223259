"""A session whose row is gone has no sockets any more: tells the sockets of every kind. Connects itself."""

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver

from cardroom.live import hubs
from cardroom.live.layer import SignedOut
from cardroom.live.sessions import digest_of
from cardroom.models import RoomSession


@receiver(post_delete, sender=RoomSession)
def close_the_sockets_of_a_session(sender: Any, *, instance: RoomSession, **more: Any) -> None:
    """Logged out, ended by staff, or ended by a ban."""
    news = SignedOut(digest_of(instance.session_key))
    transaction.on_commit(partial(hubs.tell_all, news), robust=True)
