"""The sockets of a table and of the floor: services do what comes in, and feeds send what goes out."""

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
from games.live.feed import FloorViewer, Viewer
from games.live.messages import (
    Act,
    AnswerCall,
    CallFloor,
    CatchUp,
    ComeBack,
    Cut,
    Dealt,
    Message,
    Nudge,
    Ordered,
    SitOut,
)
from games.play import cutting, hands, seats
from games.tables import journal, locking
from games.tables import signals as table_signals
from games.tables.queries import tables as table_queries

#: What a dealer says to begin a hand; there is none yet to name.
START = "start-hand"


class TableConsumer(SpeakingConsumer):
    """A viewer of a table, who may also play there, deal, or rule."""

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
        viewer = Viewer(self.user, self.line)
        minding = {"is_of_event": position.is_of_event, "minds_presence": position.minds_presence}
        self.feed: Any = hub.here().join(self.table, viewer, **minding)
        self.enter(viewer)

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
            case Cut():
                await self.cut(said)
            case Dealt():
                await self.deal(said)
            case Ordered():
                await self.order(said)
            case CallFloor():
                await self.call_floor(said)
            case AnswerCall():
                raise Invalid("wrong-socket", "Calls are answered at the floor's own socket.")
            case _:
                self.tell(realtime_messages.pong(seq=self.seq, now=timezone.now()))

    async def act(self, said: Act) -> None:
        """Act in the hand at this table."""
        player = self.player()
        await self.check_hand(said.hand)
        receipt = await layer.run(
            hands.act,
            hand_id=said.hand,
            player=player,
            action=said.action,
            amount=said.amount,
            expected_seq=said.seq,
            command_id=said.command_id,
        )
        self.tell(realtime_messages.done(seq=receipt.seq, command_id=said.command_id))

    async def do(self, verb: Any, said: SitOut | ComeBack) -> None:
        """A command about the player's own seat."""
        key = said.command_id or ""
        await layer.run(verb, table_id=self.table, by=self.player(), key=key)
        self.tell(realtime_messages.done(seq=self.seq, command_id=said.command_id))

    async def cut(self, said: Cut) -> None:
        """Cut the deck of the next hand."""
        await layer.run(cutting.cut, table_id=self.table, by=self.player(), root=said.root, words=said.words)
        self.tell(realtime_messages.done(seq=self.seq, command_id=said.command_id))

    async def deal(self, said: Dealt) -> None:
        """Start a hand at this table, or enter what was done in the one being played."""
        by = self.player("direct")
        if said.what == START:
            started = await layer.run(self.start_hand, by, said)
            self.tell(realtime_messages.done(seq=started.seq, command_id=said.command_id))
            return
        if said.hand is None:
            raise Invalid("no-hand", "Say in which hand this was done.")
        await self.check_hand(said.hand)
        receipt = await layer.run(
            dealer.command,
            hand_id=said.hand,
            by=by,
            what=said.what,
            fields=said.fields,
            expected_seq=said.seq,
            command_id=said.command_id,
        )
        self.tell(realtime_messages.done(seq=receipt.seq, command_id=said.command_id))

    def start_hand(self, by: Any, said: Dealt) -> dealer.Started:
        absent = entries.read_start(said.fields)
        return dealer.start_hand(table_id=self.table, by=by, absent=absent, command_id=said.command_id)

    async def order(self, said: Ordered) -> None:
        by = self.player("direct")
        await self.check_hand(said.hand)
        receipt = await layer.run(rulings.order, **live_messages.order_of(said), by=by)
        self.tell(realtime_messages.done(seq=receipt.seq, command_id=said.command_id))

    async def call_floor(self, said: CallFloor) -> None:
        asked = {"note": said.note, "kind": said.kind, "key": said.command_id or ""}
        await layer.run(rulings.call, table_id=self.table, by=self.player(), **asked)
        self.tell(realtime_messages.done(seq=self.seq, command_id=said.command_id))

    async def check_hand(self, hand: int) -> None:
        """Only hands of this table are acted in here."""
        if not self.feed.knows(hand) and not await layer.run(journal.is_hand_of, hand, self.table):
            raise NotFound("no-such-hand", "There is no such hand at this table.")


# The floor: all tables, open calls, and orders


class FloorConsumer(SpeakingConsumer):
    """Somebody of the floor, who sees what the rail of every table sees."""

    here = staticmethod(hub.here)
    parse = live_messages.parse

    async def admit(self) -> None:
        if self.user is None or not await layer.run(access.has_role, self.user, rulings.ROLE):
            raise TurnedAway(Forbidden("role-required", "This is for the floor."), FORBIDDEN)
        viewer = FloorViewer(self.user, self.line)
        hub.here().join(hub.FLOOR, viewer)
        self.enter(viewer)

    async def answer(self, viewer: FloorViewer, said: Message) -> None:
        match said:
            case Ordered():
                receipt = await layer.run(rulings.order, **live_messages.order_of(said), by=self.player("direct"))
                self.tell(realtime_messages.done(seq=receipt.seq, command_id=said.command_id))
            case AnswerCall():
                await layer.run(rulings.answer, call_id=said.call, by=self.player("direct"))
                self.tell(realtime_messages.done(seq=self.seq, command_id=said.command_id))
            case Ping():
                self.tell(realtime_messages.pong(seq=self.seq, now=timezone.now()))
            case _:
                raise Invalid(
                    "wrong-socket", "The floor orders and answers here; the rest is said at a table's socket."
                )


# Addresses


websocket_urlpatterns: list[URLPattern] = [
    re_path(r"^ws/tables/(?P<table_id>[0-9]{1,18})/$", TableConsumer.as_asgi()),
    re_path(r"^ws/floor/$", FloorConsumer.as_asgi()),
]


# From the room's signals to its sockets. Imported once, when the app is ready; the services know nothing of it.


@receiver(table_signals.hand_moved)
def tell_of_facts(sender: Any, *, table_id: int, hand_id: int, seq: int, **more: Any) -> None:
    hub.tell(Nudge(table_id, hand_id, seq))


@receiver(table_signals.table_changed)
def tell_of_table(sender: Any, *, table_id: int, **more: Any) -> None:
    hub.tell(Nudge(table_id, is_table_due=True))
    topics.tell("lobby", "floor", "board")


@receiver(table_signals.hand_ended)
def tell_of_stacks(sender: Any, *, table_id: int, **more: Any) -> None:
    """Tells the topic "hands", at most every few seconds, as hands end all the time."""
    topics.tell("hands")
