"""Tells pages that something they show has changed: a topic and nothing else.

A page that hears of a topic asks again for what it shows, with its own reader's rights, so no message can reveal too
much, and a lost one costs only a moment. Topics: "lobby" (tables, states, free seats), "lists" and "list:<offer id>",
"floor", "board", "cage", "approvals", "jackpots", "shifts", "players", "tournaments", "chat", "chat:<table id>" and
"club:<club id>", "hands" (stacks moved somewhere, told seldom), and "player:<user id>" for what concerns one person.
Who may hear of which: `cardroom.realtime.room`.

What a topic's pages show may be drawn once for all their readers (`cardroom.core.web.shared`), as long as `version` of
it stays the same. Every process keeps a count of each topic's changes as far as it has heard of them, and there is a
word of each in the cache, which all processes change before they tell.
"""

import secrets
import time
from collections import Counter
from collections.abc import Iterable
from functools import partial

import structlog
from django.core.cache import cache
from django.db import connection, transaction
from django.dispatch import Signal
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

#: The topics that have a version: those of the whole room.
VERSIONED = frozenset({"board", "chat", "floor", "hands", "jackpots", "lists", "lobby", "tournaments"})
_OLDEST_SECONDS = 5

#: How often each topic has changed, as far as this process has heard.
_changes = Counter[str]()


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


def version(*topics: str) -> str | None:
    """A word that changes with every change of these topics, in every process, and after five seconds: data read after
    this call may be shown to all readers that get the same word. Where the cache is away other processes' changes take
    the five seconds.

    None where nothing may be shared: inside a transaction, which may see uncommitted rows.
    """
    if connection.in_atomic_block:
        return None
    known = ",".join(str(_changes[topic]) for topic in topics)
    return f"{known}-{_words(topics)}-{time.monotonic() // _OLDEST_SECONDS:.0f}"


def note(topics: Iterable[str]) -> None:
    """Another process says that what these topics show has changed: before anybody here is told."""
    _changes.update(VERSIONED.intersection(topics))


def _words(topics: Iterable[str]) -> str:
    keys = [f"version-{topic}" for topic in topics]
    try:
        words = cache.get_many(keys)
        for key in keys:
            if key not in words:
                words[key] = cache.get_or_set(key, secrets.token_hex(8), None)
    except (OSError, RedisError):
        return ""
    return ",".join(words[key] for key in keys)


def _send(topics: tuple[str, ...]) -> None:
    if moved := VERSIONED.intersection(topics):
        _changes.update(moved)
        try:
            cache.set_many({f"version-{topic}": secrets.token_hex(8) for topic in moved}, None)
        except (OSError, RedisError):
            log.warning("readers share an old page for a moment", seconds=_OLDEST_SECONDS)
    room_moved.send_robust(sender=None, topics=topics)
