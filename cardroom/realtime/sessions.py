"""Which sockets hang on which session, or on which token of a program: when it ends, so do they.

A session's key is a secret, so what is kept and sent around is a digest of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib import import_module

from channels.auth import get_user
from django.conf import settings
from django.utils import timezone

from cardroom.accounts import push, sessions, tokens
from cardroom.realtime import layer

OnEnd = Callable[[], None]


def digest_of(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


_BEFORE_ID = "token:"


def key_of_token(token_id: int) -> str:
    """What stands for a session where a program has called with a token. No session has such a key."""
    return f"{_BEFORE_ID}{token_id}"


class SessionRegister:
    """The sockets of one loop that somebody is logged in on. ``on_end`` closes one of them."""

    def __init__(self) -> None:
        self._ends: dict[tuple[str, int], set[OnEnd]] = {}
        self._keys: dict[str, str] = {}
        #: The users who look at a page now, by their sockets.
        self._in_sight: dict[OnEnd, int] = {}

    def add(self, key: str, user: int, on_end: OnEnd) -> None:
        self._keys[digest_of(key)] = key
        self._ends.setdefault((digest_of(key), user), set()).add(on_end)

    def look(self, user: int, on_end: OnEnd, *, is_hidden: bool) -> None:
        """The page of this socket is looked at, or no longer."""
        if is_hidden:
            self._in_sight.pop(on_end, None)
        else:
            self._in_sight[on_end] = user

    async def note_sight(self) -> None:
        """Have it written down who has a page in sight."""
        if self._in_sight:
            await layer.run(push.note_in_sight, players=set(self._in_sight.values()), now=timezone.now())

    def remove(self, key: str, user: int, on_end: OnEnd) -> None:
        self._in_sight.pop(on_end, None)
        digest = digest_of(key)
        ends = self._ends.get((digest, user), set())
        ends.discard(on_end)
        if not ends:
            self._ends.pop((digest, user), None)
        if all(known != digest for known, _ in self._ends):
            self._keys.pop(digest, None)

    def end(self, digest: str) -> None:
        """Close every socket of this session."""
        for (known, _), ends in list(self._ends.items()):
            if known == digest:
                for on_end in list(ends):
                    on_end()

    async def check(self) -> None:
        """Close the sockets of sessions that have ended, expired or changed hands without telling anybody, and have it
        written down which have some."""
        keys = [key for key in self._keys.values() if not key.startswith(_BEFORE_ID)]
        if keys:
            await layer.run(sessions.note_sockets, keys=keys, now=timezone.now())
        for digest, user in list(self._ends):
            key = self._keys.get(digest)
            if key is not None and not await _is_good(key, user):
                for on_end in list(self._ends.get((digest, user), ())):
                    on_end()


async def _is_good(key: str, user: int) -> bool:
    if key.startswith(_BEFORE_ID):
        return await layer.run(tokens.is_good, int(key.removeprefix(_BEFORE_ID)), now=timezone.now())
    store = import_module(settings.SESSION_ENGINE).SessionStore
    is_his: bool = (await get_user({"session": store(key)})).pk == user
    return is_his
