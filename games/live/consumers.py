"""The sockets of a table and of the floor: they hand messages on to services, and feeds send what has changed."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver
from django.urls import URLPattern, re_path
from django.utils import timezone

from cardroom.core import access, topics
from cardroom.core.errors import Forbidden, Invalid, NotFound
from cardroom.realtime import layer
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.messages import Ping
from cardroom.realtime.sockets import FORBIDDEN, NOWHERE, SpeakingConsumer, TurnedAway
from games.dealing import dealer, entries
from games.floor import rulings
from games.live import hub
from games.live import messages as live_messages
from games.live.feed import FloorViewer, TableViewer
from games.live.messages import (
    ActMessage,
    AnswerCallMessage,
    CallFloorMessage,
    CatchUpMessage,
    ComeBackMessage,
    CutMessage,
    DealerMessage,
    FloorOrderMessage,
    Message,
    Nudge,
    SitOutMessage,
)
from games.play import cutting, hands, seats
from games.tables import journal, locking
from games.tables import signals as table_signals
from games.tables.queries import tables as table_queries

#: The entry by which a dealer starts a hand; it names no hand, for there is none yet.
START = "start-hand"


class TableConsumer(SpeakingConsumer):
    """The socket of a viewer of a table, who may also play there, deal, or rule."""

    here = staticmethod(hub.here)
    parse = live_messages.parse

    async def admit(self) -> None:
        self.table = int(self.scope["url_route"]["kwargs"]["table_id"])
        position = await layer.run(locking.position, self.table)
        if position is None:
            raise TurnedAway(NotFound("no-such-table", "There is no such table."), NOWHERE)
        if position.has_no_rail:
            try:
                await layer.run(table_queries.visible_table, self.table, self.user)
            except NotFound as error:
                raise TurnedAway(error, NOWHERE) from error
        viewer = TableViewer(self.user, self.line)
        minding = {"is_of_event": position.is_of_event, "minds_presence": position.minds_presence}
        self.feed: Any = hub.here().join(self.table, viewer, **minding)
        self.enter(viewer)

    async def answer(self, viewer: TableViewer, message: Message) -> None:
        match message:
            case ActMessage():
                await self.act(message)
            case CatchUpMessage():
                self.feed.ask(viewer, hand=message.hand, after=message.after)
            case SitOutMessage():
                await self.do(seats.sit_out, message)
            case ComeBackMessage():
                await self.do(seats.come_back, message)
            case CutMessage():
                await self.cut(message)
            case DealerMessage():
                await self.deal(message)
            case FloorOrderMessage():
                await self.order(message)
            case CallFloorMessage():
                await self.call_floor(message)
            case AnswerCallMessage():
                raise Invalid("wrong-socket", "Calls are answered at the floor's own socket.")
            case _:
                self.tell(realtime_messages.pong(seq=self.seq, now=timezone.now()))

    async def act(self, message: ActMessage) -> None:
        """Act in the hand at this table."""
        player = self.player()
        await self.check_hand(message.hand)
        receipt = await layer.run(
            hands.act,
            hand_id=message.hand,
            player=player,
            action=message.action,
            amount=message.amount,
            expected_seq=message.seq,
            command_id=message.command_id,
        )
        self.tell(realtime_messages.done(seq=receipt.seq, command_id=message.command_id))

    async def do(self, verb: Any, message: SitOutMessage | ComeBackMessage) -> None:
        """A command about the player's own seat."""
        key = message.command_id or ""
        await layer.run(verb, table_id=self.table, by=self.player(), key=key)
        self.tell(realtime_messages.done(seq=self.seq, command_id=message.command_id))

    async def cut(self, message: CutMessage) -> None:
        """Cut the deck of the next hand."""
        await layer.run(cutting.cut, table_id=self.table, by=self.player(), root=message.root, words=message.words)
        self.tell(realtime_messages.done(seq=self.seq, command_id=message.command_id))

    async def deal(self, message: DealerMessage) -> None:
        """Start a hand at this table, or enter what was done in the one being played."""
        by = self.player("direct")
        if message.what == START:
            started = await layer.run(self.start_hand, by, message)
            self.tell(realtime_messages.done(seq=started.seq, command_id=message.command_id))
            return
        if message.hand is None:
            raise Invalid("no-hand", "Say in which hand this was done.")
        await self.check_hand(message.hand)
        receipt = await layer.run(
            dealer.command,
            hand_id=message.hand,
            by=by,
            what=message.what,
            fields=message.fields,
            expected_seq=message.seq,
            command_id=message.command_id,
        )
        self.tell(realtime_messages.done(seq=receipt.seq, command_id=message.command_id))

    def start_hand(self, by: Any, message: DealerMessage) -> dealer.StartedHand:
        absent = entries.read_start(message.fields)
        return dealer.start_hand(table_id=self.table, by=by, absent=absent, command_id=message.command_id)

    async def order(self, message: FloorOrderMessage) -> None:
        by = self.player("direct")
        await self.check_hand(message.hand)
        receipt = await layer.run(rulings.order, **live_messages.order_of(message), by=by)
        self.tell(realtime_messages.done(seq=receipt.seq, command_id=message.command_id))

    async def call_floor(self, message: CallFloorMessage) -> None:
        arguments = {"note": message.note, "kind": message.kind, "key": message.command_id or ""}
        await layer.run(rulings.call, table_id=self.table, by=self.player(), **arguments)
        self.tell(realtime_messages.done(seq=self.seq, command_id=message.command_id))

    async def check_hand(self, hand: int) -> None:
        """`NotFound` for a hand of another table."""
        if not self.feed.knows(hand) and not await layer.run(journal.is_hand_of, hand, self.table):
            raise NotFound("no-such-hand", "There is no such hand at this table.")


class FloorConsumer(SpeakingConsumer):
    """The socket of a member of the floor staff: all tables as the rail sees them, open calls, and orders."""

    here = staticmethod(hub.here)
    parse = live_messages.parse

    async def admit(self) -> None:
        if self.user is None or not await layer.run(access.has_role, self.user, rulings.ROLE):
            raise TurnedAway(Forbidden("role-required", "This is for the floor."), FORBIDDEN)
        viewer = FloorViewer(self.user, self.line)
        hub.here().join(hub.FLOOR, viewer)
        self.enter(viewer)

    async def answer(self, viewer: FloorViewer, message: Message) -> None:
        match message:
            case FloorOrderMessage():
                receipt = await layer.run(rulings.order, **live_messages.order_of(message), by=self.player("direct"))
                self.tell(realtime_messages.done(seq=receipt.seq, command_id=message.command_id))
            case AnswerCallMessage():
                await layer.run(rulings.answer, call_id=message.call, by=self.player("direct"))
                self.tell(realtime_messages.done(seq=self.seq, command_id=message.command_id))
            case Ping():
                self.tell(realtime_messages.pong(seq=self.seq, now=timezone.now()))
            case _:
                raise Invalid(
                    "wrong-socket", "The floor orders and answers here; the rest is said at a table's socket."
                )


websocket_urlpatterns: list[URLPattern] = [
    re_path(r"^ws/tables/(?P<table_id>[0-9]{1,18})/$", TableConsumer.as_asgi()),
    re_path(r"^ws/floor/$", FloorConsumer.as_asgi()),
]


@receiver(table_signals.hand_moved)
def tell_of_facts(sender: Any, *, table_id: int, hand_id: int, seq: int, **more: Any) -> None:
    hub.tell(Nudge(table_id, hand_id, seq))


@receiver(table_signals.table_changed)
def tell_of_table(sender: Any, *, table_id: int, **more: Any) -> None:
    hub.tell(Nudge(table_id, is_table_due=True))
    topics.tell("lobby", "floor", "board")


@receiver(table_signals.hand_ended)
def tell_of_stacks(sender: Any, *, table_id: int, **more: Any) -> None:
    """Update the topic "hands"; it limits itself to once every few seconds, as hands end all the time."""
    topics.tell("hands")
