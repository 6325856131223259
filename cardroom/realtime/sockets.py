"""The base of all sockets: each is accepted, gets a reason if it cannot be served, and its messages are checked,
carried out and answered.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

from channels.consumer import AsyncConsumer
from channels.exceptions import StopConsumer
from django.conf import settings
from django.utils import translation

from cardroom.core.errors import Forbidden, NotFound, Refusal, Unavailable
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.hubs import Hub, Viewer
from cardroom.realtime.messages import PER_SECOND, Malformed, Pace, Reader
from cardroom.realtime.sessions import key_of_token

logger = logging.getLogger(__name__)

#: Close codes: come back logged in; this is not for you; there is no such thing; come back later.
SIGNED_OUT, FORBIDDEN, NOWHERE, LATER = 4401, 4403, 4404, 1013


class NotLoggedIn(Refusal):
    """Acting needs a log-in."""

    status = 401
    code = "not-logged-in"


class TooFast(Refusal):
    """More messages than anybody types."""

    status = 429
    code = "too-fast"


def lacking(scope: str) -> Forbidden:
    """The refusal for a token without this scope."""
    return Forbidden("scope", "This token lacks the scope {scope!r}.", scope=scope)


class RoomConsumer(AsyncConsumer):
    """A socket. It is always accepted, so that a client that cannot be served gets the reason."""

    channel_layer_alias = ""  # none of its own: the hub has one subscription to a table for all its sockets

    async def dispatch(self, message: dict[str, Any]) -> None:
        # Channels' own visits a thread with every message, to tidy connections that are not used here.
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await self.send({"type": "websocket.accept"})

    async def websocket_receive(self, message: dict[str, Any]) -> None:
        """Ignores what the socket sends."""

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        raise StopConsumer

    @property
    def line(self) -> Any:
        """The server's own ``send``. Between it and this one Channels looks at every message whether the session is to
        be saved with it, which no message of ours is the moment for."""
        return getattr(getattr(self.base_send, "__self__", None), "real_send", self.base_send)

    async def turn_away(self, error: Refusal, code: int) -> None:
        await self.send({"type": "websocket.send", "text": realtime_messages.refusal_message(error, seq=0)})
        await self.send({"type": "websocket.close", "code": code, "reason": error.code})


class NowhereConsumer(RoomConsumer):
    """There is nothing at this address."""

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        await self.turn_away(NotFound("not-found", "There is nothing at this address."), NOWHERE)


class TurnedAway(Exception):
    """The client of a socket is not served: ``error`` is the reason, and it is closed with ``code``."""

    def __init__(self, error: Refusal, code: int) -> None:
        super().__init__(error.message)
        self.error, self.code = error, code


class SpeakingConsumer(RoomConsumer):
    """A socket whose messages are read. After `enter` its client is the `viewer`."""

    #: The hub of the running loop that it joins.
    here: Callable[[], Hub]
    #: Reads the messages of its protocol.
    parse: Reader
    viewer: Viewer | None = None

    async def admit(self) -> None:
        """Join the hub and `enter`; raises `TurnedAway`."""
        raise NotImplementedError

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        user = self.scope["user"]
        self.user = user if user.is_authenticated else None
        self.language = translation.get_language()
        try:
            await self.admit()
        except TurnedAway as away:
            await self.turn_away(away.error, away.code)
        except Exception:
            logger.exception("a socket could not be served")
            await self.turn_away(Unavailable("unavailable", "The room cannot be reached. Try again shortly."), LATER)

    def enter(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.token = self.scope.get("token")
        self.session = key_of_token(self.token.pk) if self.token else self.scope["session"].session_key
        rate = PER_SECOND if self.user is not None else settings.CARDROOM_ANONYMOUS_PACE or PER_SECOND
        self.pace = Pace(time.monotonic(), per_second=rate)
        self.sessions = self.here().sessions
        if self.user is not None:
            self.sessions.add(self.session, self.user.pk, self.sign_out)

    async def answer(self, viewer: Any, message: Any) -> None:
        """Carry out a message of the client and answer it."""
        raise NotImplementedError

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        viewer, self.viewer = self.viewer, None
        if viewer is not None:
            self.here().leave(viewer)
            if self.user is not None:
                self.sessions.remove(self.session, self.user.pk, self.sign_out)
        raise StopConsumer

    def sign_out(self) -> None:
        """The session has ended, or the token."""
        if self.viewer is not None:
            refusal = NotLoggedIn("signed-out", "You are logged out.")
            if self.token is not None:
                refusal = NotLoggedIn("signed-out", "This token has expired. Create a new one.")
            with translation.override(self.language):
                self.viewer.dismiss(refusal, SIGNED_OUT)

    async def websocket_receive(self, message: dict[str, Any]) -> None:
        viewer = self.viewer
        if viewer is None or viewer.outbox.is_ending:
            return
        command_id = None
        is_too_fast = not self.pace.allows(time.monotonic())
        if is_too_fast:
            await asyncio.sleep(1 / self.pace.per_second)  # nothing more is read from this socket meanwhile
        try:
            parsed = self.parse(message.get("text"))
            command_id = getattr(parsed, "command_id", None)
            if is_too_fast:
                raise TooFast("too-fast", "Too many messages at once: this one was ignored. Wait a second.")
            await self.answer(viewer, parsed)
        except Malformed as error:
            self.refuse(error, error.command_id)
        except Refusal as error:
            self.refuse(error, command_id)
        except Exception:
            logger.exception("a command failed")
            self.refuse(Unavailable("unavailable", "The room could not do this; nothing has changed."), command_id)

    def player(self, scope: str = "play") -> Any:
        """The caller; refused without a log-in, or with a token that lacks the scope."""
        if self.user is None:
            raise NotLoggedIn("not-logged-in", "You are watching. Log in and take a seat to play.")
        if self.token is not None and not self.token.allows(scope):
            raise lacking(scope)
        return self.user

    @property
    def seq(self) -> int:
        """The last fact its viewer was told."""
        return self.viewer.seq if self.viewer is not None else 0

    def refuse(self, error: Refusal, command_id: str | None = None) -> None:
        self.tell(realtime_messages.refusal_message(error, seq=self.seq, command_id=command_id))

    def tell(self, text: str) -> None:
        if self.viewer is not None:
            self.viewer.tell(text)
