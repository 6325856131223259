"""One socket at one table: what comes in is checked, done by a service and answered; what goes out is the feed's."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from channels.consumer import AsyncConsumer
from channels.exceptions import StopConsumer
from django.utils import timezone

from cardroom.services.errors import CardroomError, NotFound
from games import watching
from games.live import hub, protocol, threads
from games.live.feed import NO_TABLE
from games.live.pace import PER_SECOND, Pace
from games.live.protocol import Act, CatchUp, ComeBack, Malformed, Message, SitOut
from games.live.viewer import Viewer
from games.services import hands, seats

logger = logging.getLogger(__name__)

#: Close codes: come back logged in; come back later.
SIGNED_OUT, LATER = 4401, 1013


class NotLoggedIn(CardroomError):
    """Only players act, and a player is somebody."""

    status = 401
    code = "not-logged-in"


class TooFast(CardroomError):
    """More messages than anybody types."""

    status = 429
    code = "too-fast"


class Unavailable(CardroomError):
    """Something of ours is broken or away."""

    status = 503
    code = "unavailable"


class RoomConsumer(AsyncConsumer):
    """A socket of ours. It is always accepted, so that whoever cannot be served is told why."""

    channel_layer_alias = ""  # none of its own: the hub has one subscription to a table for all its sockets

    async def dispatch(self, message: dict[str, Any]) -> None:
        # Channels' own visits a thread with every message, to tidy connections that are not used here.
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await self.send({"type": "websocket.accept"})

    async def websocket_receive(self, message: dict[str, Any]) -> None:
        """Whatever it says: nobody is listening."""

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        raise StopConsumer

    async def turn_away(self, error: CardroomError, code: int) -> None:
        await self.send({"type": "websocket.send", "text": protocol.refused(error, seq=0)})
        await self.send({"type": "websocket.close", "code": code, "reason": error.code})


class NowhereConsumer(RoomConsumer):
    """There is nothing at this address."""

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        await self.turn_away(NotFound("There is nothing at this address."), NO_TABLE)


class TableConsumer(RoomConsumer):
    """A viewer of a table, who may also play there."""

    viewer: Viewer | None = None

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        self.table = int(self.scope["url_route"]["kwargs"]["table_id"])
        try:
            standing = await threads.run(watching.standing, self.table)
        except Exception:
            logger.exception("a socket could not be served")
            await self.turn_away(Unavailable("The room cannot be reached just now. Try again shortly."), LATER)
            return
        if standing is None:
            await self.turn_away(NotFound("There is no such table.", "no-such-table"), NO_TABLE)
            return
        self.join()

    def join(self) -> None:
        user = self.scope["user"]
        self.user = user if user.is_authenticated else None
        self.session = self.scope["session"].session_key
        self.pace = Pace(time.monotonic())
        self.hub = hub.here()
        self.viewer = Viewer(self.user, self.send, on_room=lambda: self.feed.has_room())
        self.feed = self.hub.join(self.table, self.viewer)
        if self.user is not None:
            self.hub.sessions.add(self.session, self.user.pk, self.sign_out)

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        viewer, self.viewer = self.viewer, None
        if viewer is not None:
            self.hub.leave(self.table, viewer)
            if self.user is not None:
                self.hub.sessions.remove(self.session, self.user.pk, self.sign_out)
        raise StopConsumer

    def sign_out(self) -> None:
        """The session has ended."""
        if self.viewer is not None:
            self.refuse(NotLoggedIn("You are logged out.", "signed-out"))
            self.viewer.outbox.end(SIGNED_OUT, "signed-out")

    # -- what comes in -----------------------------------------------------------------------------------------------

    async def websocket_receive(self, message: dict[str, Any]) -> None:
        if self.viewer is None or self.viewer.outbox.is_ending:
            return
        command_id = None
        is_too_fast = not self.pace.allows(time.monotonic())
        if is_too_fast:
            await asyncio.sleep(1 / PER_SECOND)  # nothing more is read from this socket meanwhile
        try:
            said = protocol.parse(message.get("text"))
            command_id = getattr(said, "command_id", None)
            if is_too_fast:
                raise TooFast("Too many messages at once: this one was passed over. Wait a second.")
            await self.answer(said)
        except Malformed as error:
            self.refuse(error, error.command_id)
        except CardroomError as error:
            self.refuse(error, command_id)
        except Exception:
            logger.exception("a command failed")
            self.refuse(Unavailable("The room could not do this just now; nothing was changed."), command_id)

    async def answer(self, said: Message) -> None:
        match said:
            case Act():
                await self.act(said)
            case CatchUp():
                self.feed.ask(self.viewer, hand=said.hand, after=said.after)
            case SitOut():
                await self.do(seats.sit_out, said)
            case ComeBack():
                await self.do(seats.come_back, said)
            case _:
                self.viewer.tell(protocol.pong(seq=self.viewer.seq, now=timezone.now()))

    async def act(self, said: Act) -> None:
        """Act in the hand at this table."""
        player = self.player()
        if not self.feed.knows(said.hand) and not await threads.run(watching.is_hand_of, said.hand, self.table):
            raise NotFound("There is no such hand at this table.", "no-such-hand")
        receipt = await threads.run(
            hands.act,
            hand_id=said.hand,
            player=player,
            action=said.action,
            amount=said.amount,
            expected_seq=said.seq,
            command_id=said.command_id,
            now=timezone.now(),
        )
        self.tell(protocol.done(seq=receipt.seq, command_id=said.command_id))

    async def do(self, verb: Any, said: SitOut | ComeBack) -> None:
        """Something about one's seat."""
        key = said.command_id or ""
        await threads.run(verb, table_id=self.table, player=self.player(), now=timezone.now(), key=key)
        self.tell(protocol.done(seq=self.viewer.seq if self.viewer else 0, command_id=said.command_id))

    def player(self) -> Any:
        if self.user is None:
            raise NotLoggedIn("You are watching from the rail. Log in and sit down to play.")
        return self.user

    # -- what goes out -----------------------------------------------------------------------------------------------

    def refuse(self, error: CardroomError, command_id: str | None = None) -> None:
        self.tell(protocol.refused(error, seq=self.viewer.seq if self.viewer else 0, command_id=command_id))

    def tell(self, text: str) -> None:
        if self.viewer is not None:
            self.viewer.tell(text)
