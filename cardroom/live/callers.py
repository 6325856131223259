"""Who is at the other end of a socket: somebody with a session, or a program with a token of his."""

from __future__ import annotations

import logging
from typing import Any

from channels.auth import AuthMiddleware
from channels.security.websocket import AllowedHostsOriginValidator
from channels.sessions import CookieMiddleware, SessionMiddleware
from django.db import Error
from django.utils import timezone

from cardroom.live import threads
from cardroom.live.sockets import FORBIDDEN, LATER, SIGNED_OUT, NotLoggedIn, RoomConsumer, Unavailable, lacking
from cardroom.services import tokens
from cardroom.services.errors import CardroomError

logger = logging.getLogger(__name__)


class _TurnedAway(RoomConsumer):
    """Who cannot be served, and is told why."""

    def __init__(self, error: CardroomError, code: int) -> None:
        super().__init__()
        self._error, self._code = error, code

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        await self.turn_away(self._error, self._code)


def _away(error: CardroomError, code: int) -> Any:
    return _TurnedAway.as_asgi(error=error, code=code)


def _unreachable(error: Error) -> Any:
    logger.warning("a socket could not be served: %s", type(error).__name__)
    return _away(Unavailable("The room cannot be reached just now. Try again shortly."), LATER)


class _People(AuthMiddleware):
    """By the session."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        scope = dict(scope)
        self.populate_scope(scope)
        try:
            await self.resolve_scope(scope)
        except Error as error:
            await _unreachable(error)(scope, receive, send)
        else:
            await self.inner(scope, receive, send)


class _Programs:
    """By the token: `token` in the scope, and its owner as the `user`. Cookies are not looked at."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            token = await threads.run(tokens.bearer_of, _secret(scope) or "", now=timezone.now())
        except Error as error:
            await _unreachable(error)(scope, receive, send)
            return
        if token is None:
            refusal = NotLoggedIn("This token is not good (any more). Make a new one.", "bad-token")
            await _away(refusal, SIGNED_OUT)(scope, receive, send)
        elif not token.allows("read"):
            await _away(lacking("read"), FORBIDDEN)(scope, receive, send)
        else:
            await self.inner(dict(scope, user=token.user, token=token), receive, send)


def known(inner: Any) -> Any:
    """Have `inner` find in its scope who calls.

    A browser sends its cookie to us from whatever page it shows, so it has to come from one of ours; a token comes in a
    header (`Authorization: Token <secret>`) that no page can set, and therefore from anywhere. Whoever calls while the
    database does not answer is told to come back later, and not, as Channels would, that there is a fault.
    """
    people = AllowedHostsOriginValidator(CookieMiddleware(SessionMiddleware(_People(inner))))
    programs = _Programs(inner)

    async def door(scope: Any, receive: Any, send: Any) -> None:
        await (people if _secret(scope) is None else programs)(scope, receive, send)

    return door


def _secret(scope: Any) -> str | None:
    """What was sent as a token; None where nothing was."""
    sent = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    word, _, secret = sent.strip().partition(b" ")
    return secret.strip().decode("latin-1") if word.lower() == b"token" else None
