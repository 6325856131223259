"""Tells pages that something they show has changed: a topic and nothing else.

A page that hears of a topic asks again for what it shows, with its own reader's rights, so no message can reveal too
much, and a lost one costs only a moment. Topics: "lobby" (tables, states, free seats), "lists" and "list:<offer id>",
"floor", "board", "cage", "approvals", "jackpots", "shifts", "players", "tournaments", "chat", "chat:<table id>" and
"club:<club id>", "hands" (stacks moved somewhere, told seldom), and "player:<user id>" for what concerns one person.
Who may hear of which: `cardroom.realtime.room`.
"""

import secrets
import time
from functools import partial

import structlog
from django.core.cache import cache
from django.db import connection, transaction
from django.dispatch import Signal
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

_VERSION = "version-of-the-lobby"
_OF_THE_LOBBY = frozenset({"lobby", "lists"})
_OLDEST_SECONDS = 5


class Announcement(Signal):
    """What happened, by ids and numbers, never a card. A receiver that fails is logged and stops nobody."""

    def after_commit(self, **what: int) -> None:
        """Send it once the transaction at hand has been committed; not at all if it is rolled back."""
        transaction.on_commit(partial(self.send_robust, sender=None, **what), robust=True)


room_moved = Announcement()
"""(topics): a tuple of topics whose pages are out of date. Sent after the commit."""


def tell(*topics: str) -> None:
    """Once the transaction at hand is committed, say that what these topics show has changed."""
    transaction.on_commit(partial(_send, topics), robust=True)


def version() -> str | None:
    """A word that changes with every change of the lobby, in every process, and after five seconds: data read after
    this call may be shown to all readers that get the same word.

    None where nothing may be shared: inside a transaction, which may see uncommitted rows, and without the cache.
    """
    if connection.in_atomic_block:
        return None
    try:
        word = cache.get(_VERSION) or cache.get_or_set(_VERSION, secrets.token_hex(8), None)
    except (OSError, RedisError):
        return None
    return f"{word}-{time.monotonic() // _OLDEST_SECONDS:.0f}"


def _send(topics: tuple[str, ...]) -> None:
    if not _OF_THE_LOBBY.isdisjoint(topics):
        try:
            cache.set(_VERSION, secrets.token_hex(8), None)
        except (OSError, RedisError):
            log.warning("the lobby's readers share an old page for a moment", seconds=_OLDEST_SECONDS)
    room_moved.send_robust(sender=None, topics=topics)
