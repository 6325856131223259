"""Who is at the other end of a socket, by the session he comes with."""

from __future__ import annotations

import logging
from typing import Any

from channels.auth import AuthMiddleware
from channels.sessions import CookieMiddleware, SessionMiddleware
from django.db import Error

from cardroom.live.sockets import LATER, RoomConsumer, Unavailable

logger = logging.getLogger(__name__)


class AwayConsumer(RoomConsumer):
    """Nothing can be served just now."""

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        await self.turn_away(Unavailable("The room cannot be reached just now. Try again shortly."), LATER)


class _Callers(AuthMiddleware):
    _away = staticmethod(AwayConsumer.as_asgi())

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        scope = dict(scope)
        self.populate_scope(scope)
        try:
            await self.resolve_scope(scope)
        except Error as error:
            logger.warning("a socket could not be served: %s", type(error).__name__)
            await self._away(scope, receive, send)
        else:
            await self.inner(scope, receive, send)


def known_by_session(inner: Any) -> Any:
    """Have `inner` find the session and the user in its scope. Whoever calls while the database does not answer is told
    to come back later, and not, as Channels would, that there is a fault."""
    return CookieMiddleware(SessionMiddleware(_Callers(inner)))
