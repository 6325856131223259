"""One socket at one table: what comes in is done by a service and answered; what goes out is the feed's."""

from __future__ import annotations

import logging
from typing import Any

from django.utils import timezone

from cardroom.live import messages, threads
from cardroom.live.sessions import Register
from cardroom.live.sockets import LATER, SpeakingConsumer, Unavailable
from cardroom.services.errors import Invalid, NotFound
from games import watching
from games.live import hub, protocol
from games.live.feed import NO_TABLE
from games.live.protocol import Act, AnswerCall, CallFloor, CatchUp, ComeBack, Dealt, Message, Ordered, SitOut
from games.live.viewer import Viewer
from games.services import dealer, entries, floor, hands, seats

logger = logging.getLogger(__name__)

#: What a dealer says to begin a hand; there is none yet to name.
START = "start-hand"


class TableConsumer(SpeakingConsumer):
    """A viewer of a table, who may also play there, deal, or rule."""

    viewer: Viewer | None = None

    def sessions_here(self) -> Register:
        return hub.here().sessions

    def read(self, text: str | None) -> Message:
        message: Message = protocol.parse(text)
        return message

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
        user = self.scope["user"]
        viewer = Viewer(user if user.is_authenticated else None, self.line, on_room=lambda: self.feed.has_room())
        minding = {"is_of_event": standing.is_of_event, "minds_presence": standing.minds_presence}
        self.feed = hub.here().join(self.table, viewer, **minding)
        self.enter(viewer)

    def leave(self, viewer: Viewer) -> None:
        hub.here().leave(self.table, viewer)

    # -- what comes in -----------------------------------------------------------------------------------------------

    async def answer(self, viewer: Viewer, said: Message) -> None:
        match said:
            case Act():
                await self.act(said)
            case CatchUp():
                self.feed.ask(viewer, hand=said.hand, after=said.after)
            case SitOut():
                await self.do(seats.sit_out, said)
            case ComeBack():
                await self.do(seats.come_back, said)
            case Dealt():
                await self.deal(said)
            case Ordered():
                await self.order(said)
            case CallFloor():
                await self.call_floor(said)
            case AnswerCall():
                raise Invalid("Calls are answered at the floor's own socket.", "wrong-socket")
            case _:
                self.tell(messages.pong(seq=self.seq, now=timezone.now()))

    async def act(self, said: Act) -> None:
        """Act in the hand at this table."""
        player = self.player()
        await self.check_hand(said.hand)
        receipt = await threads.run(
            hands.act,
            hand_id=said.hand,
            player=player,
            action=said.action,
            amount=said.amount,
            expected_seq=said.seq,
            command_id=said.command_id,
        )
        self.tell(messages.done(seq=receipt.seq, command_id=said.command_id))

    async def do(self, verb: Any, said: SitOut | ComeBack) -> None:
        """Something about one's seat."""
        key = said.command_id or ""
        await threads.run(verb, table_id=self.table, player=self.player(), key=key)
        self.tell(messages.done(seq=self.seq, command_id=said.command_id))

    async def deal(self, said: Dealt) -> None:
        """Start a hand at this table, or enter what was done in the one being played."""
        by = self.player("direct")
        if said.what == START:
            started = await threads.run(self.start_hand, by, said)
            self.tell(messages.done(seq=started.seq, command_id=said.command_id))
            return
        if said.hand is None:
            raise Invalid("Say in which hand this was done.", "no-hand")
        await self.check_hand(said.hand)
        receipt = await threads.run(
            dealer.command,
            hand_id=said.hand,
            by=by,
            what=said.what,
            fields=said.fields,
            expected_seq=said.seq,
            command_id=said.command_id,
        )
        self.tell(messages.done(seq=receipt.seq, command_id=said.command_id))

    def start_hand(self, by: Any, said: Dealt) -> dealer.Started:
        absent = entries.read_start(said.fields)
        return dealer.start_hand(table_id=self.table, by=by, absent=absent, command_id=said.command_id)

    async def order(self, said: Ordered) -> None:
        by = self.player("direct")
        await self.check_hand(said.hand)
        receipt = await threads.run(floor.order, **protocol.order_of(said), by=by)
        self.tell(messages.done(seq=receipt.seq, command_id=said.command_id))

    async def call_floor(self, said: CallFloor) -> None:
        asked = {"note": said.note, "kind": said.kind, "key": said.command_id or ""}
        await threads.run(floor.call, table_id=self.table, by=self.player(), **asked)
        self.tell(messages.done(seq=self.seq, command_id=said.command_id))

    async def check_hand(self, hand: int) -> None:
        """Only hands of this table are acted in here."""
        if not self.feed.knows(hand) and not await threads.run(watching.is_hand_of, hand, self.table):
            raise NotFound("There is no such hand at this table.", "no-such-hand")
