"""A table in a room, two people at their sockets, and bots between them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from websockets.exceptions import ConnectionClosed

from games.engine.facts.base import Fact
from games.engine.facts.play import ActionOn
from games.engine.hand import Hand as Engine
from tests.live.socket import Message, Socket
from tests.support.evening import STAKES
from tests.support.evening import player as newcomer
from tests.support.models import Heartbeat, Table, TablePlay
from tests.support.parts.games import opening, seats, table_journal, tables
from tests.support.room import Room

_numbers = count(1)
ACT_SECONDS = 300


@dataclass(frozen=True)
class Standing:
    """What must be the same before and after: the hand, who sits where, every card that lies, whose turn, until when.

    `cards` are the facts as they are written down, the deck among them; `stories` and `clocks` what each of the people
    was told.
    """

    hand: int
    seq: int
    to_act: int
    deadline: datetime
    sitters: dict[int, table_journal.Sitter]
    cards: list[Fact]
    stories: list[list[Fact]]
    clocks: list[tuple[int, int]]


class Game:
    """People in seats 1 and 2, bots after them; nobody is in a hurry unless `options` of the table say so."""

    def __init__(self, room: Room, *, bots: int = 1, **options: Any) -> None:
        self.room = room
        given = {"act_seconds": ACT_SECONDS, "time_bank_seconds": 0, "bank_refill_seconds": 0, "pause_seconds": 0}
        given |= {"min_buy_in": 300, "max_buy_in": 1500} | options
        with transaction.atomic():  # at once, for the bots would take the seats and begin with the first of them
            name, now = f"Table {next(_numbers)}", timezone.now()
            self.pk = opening.open_table(name=name, stakes=STAKES, bots=bots, now=now, **given).pk
            self.players = [newcomer(f"player{next(_numbers)}", now=timezone.now()) for _ in range(2)]
            for number, player in enumerate(self.players, 1):
                seats.sit(table_id=self.pk, by=player, number=number, buy_in=500, now=timezone.now())
        self.sockets = [Socket(room, self.pk, player) for player in self.players]

    def close(self) -> None:
        for socket in self.sockets:
            socket.close()
        tables.close(table_id=self.pk, now=timezone.now())

    # -- looking -----------------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        return Table.objects.select_related("play__hand").get(pk=self.pk)

    @property
    def ahead(self) -> Socket:
        """The socket that has heard most."""
        return max(self.sockets, key=lambda socket: (socket.hand, socket.seq))

    @property
    def standing(self) -> Standing:
        """By the database, and by what the people have been told."""
        table = self.table
        assert table.hand is not None
        assert table.deadline is not None
        return Standing(
            hand=table.hand.pk, seq=table.seq, to_act=table.to_act, deadline=table.deadline,
            sitters=table_journal.sitters(table.hand), cards=list(table_journal.facts(table.hand.pk)),
            stories=[list(socket.story) for socket in self.sockets],
            clocks=[(socket.clock["seat"], socket.clock["deadline"]) for socket in self.sockets if socket.clock],
        )  # fmt: skip

    # -- playing -----------------------------------------------------------------------------------------------------

    def until_a_person_acts(self) -> Socket:
        """Listen until it is a person's turn in a hand of all who sit here, and they have heard so; their socket."""
        self._listen(lambda: 0 < self.ahead.to_act <= len(self.sockets))
        player = self.sockets[self.ahead.to_act - 1]
        player.until_at(self.ahead.hand, self.ahead.seq)
        return player

    def until_a_person_opens(self) -> Socket:
        """Until it is a person's turn in a hand in which no bot has acted, so that all the bots' turns are to come."""
        while True:
            self._listen(lambda: self.ahead.to_act > 0)
            if self.ahead.to_act <= len(self.sockets) and not self._has_a_bot_acted():
                return self.sockets[self.ahead.to_act - 1]
            self._to_the_end(self.ahead.hand, "fold")

    def until_a_bot_acts(self) -> None:
        """Play on from there until it is a bot's turn."""
        self._listen(lambda: self.ahead.to_act > 0)
        while self.ahead.to_act <= len(self.sockets):
            self.act()
            self._listen(lambda: self.ahead.to_act > 0)

    def act(self, action: str = "") -> Message:
        """The person whose turn it is does this, or checks or calls."""
        player = self.until_a_person_acts()
        answer = player.answer_to(player.act(action or player.quiet_action))
        assert answer["type"] == "done", answer
        player.until_at(player.hand, answer["seq"])
        return answer

    def play_out(self, begun: Standing) -> None:
        """The people check and call, and the bots do as they please, until the hand is over; all hear the same."""
        self._to_the_end(begun.hand)
        self._level()
        cards = list(table_journal.facts(begun.hand))
        assert cards[: begun.seq] == begun.cards, "what was written down has changed"
        for socket in self.sockets:
            assert [fact.kind for fact in socket.facts[begun.hand]] == [fact.kind for fact in cards]

    def _to_the_end(self, hand: int, action: str = "") -> None:
        while not self.is_over(hand):
            self._listen(lambda: self.is_over(hand) or 0 < self.ahead.to_act <= len(self.sockets))
            if not self.is_over(hand):
                self.act(action)

    # -- waiting -----------------------------------------------------------------------------------------------------

    def until_cut_off(self) -> None:
        for socket in self.sockets:
            with suppress(ConnectionClosed):
                while socket.next():
                    pass

    def let_pass(self, span: timedelta) -> None:
        """So much time goes by at this table, and for its alarm: as if everything in their rows were so much ago."""
        names = ("wake_at", "claimed_until", "deal_at", "turn_at", "deadline")
        TablePlay.objects.filter(pk=self.pk).update(**{name: F(name) - span for name in names})

    def let_the_room_be_away(self, span: timedelta) -> None:
        """The same while no web process works: nobody is heard for so long."""
        Heartbeat.objects.update(at=F("at") - span)
        self.let_pass(span)

    def assert_stands_as(self, before: Standing) -> None:
        """The hand stands where it stood, and whose turn it is has no less time than before an outage."""
        now = self.standing
        assert replace(now, deadline=before.deadline, clocks=before.clocks) == before
        assert now.deadline >= before.deadline

    def until(self, holds: Callable[[Socket], bool]) -> None:
        """Listen until it holds for the socket that has heard most."""
        self._listen(lambda: holds(self.ahead))

    def is_over(self, hand: int) -> bool:
        stories = [socket.facts[hand] for socket in self.sockets if socket.facts.get(hand)]
        return any(Engine.replay(story).is_over for story in stories)

    def _has_a_bot_acted(self) -> bool:
        return any(isinstance(fact, ActionOn) and fact.seat > len(self.sockets) for fact in self.ahead.story)

    def reconnect(self) -> None:
        """Every socket opened anew, and told where the hand stands."""
        for socket in self.sockets:
            socket.close()
            socket.open().until_type("snapshot")

    def _listen(self, holds: Callable[[], bool]) -> None:
        """Until it holds for what the sockets know, and each of them knows as much as the others."""
        while not holds():
            self.sockets[0].next()
            self._level()
        self._level()

    def _level(self) -> None:
        ahead = self.ahead
        for socket in self.sockets:
            socket.until_at(ahead.hand, ahead.seq)


#: `play(room)`: a new table in the room, with people and bots; they get up when the test is over.
Play = Callable[..., Game]


def assert_books_are_clean(room: Room) -> None:
    audit = room.manage("audit")
    assert audit.returncode == 0, audit.stdout + audit.stderr
    assert audit.stdout.strip().endswith(" 0 faults")
