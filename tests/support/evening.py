"""A table driven by hand: a clock of its own, players in its seats, and its alarm rung by the test."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from django.db import connection

from games.engine.facts.play import ActionOn
from games.engine.hand import Hand as Engine
from tests.support.models import Seat, SeatMove, Table, TablePlay, User
from tests.support.parts.cardroom import ledger, people
from tests.support.parts.games import Receipt, hands, opening, receivers, seats, table_journal

STAKES = opening.TableStakes(ante=1, bring_in=5, small_bet=15, big_bet=30)
_numbers = count(1)


def player(name: str, chips: int = 10_000, *, now: datetime) -> User:
    """A person with a wallet."""
    user = User.objects.create_user(name, password="seven-cards")
    if chips:
        people.issue_play_money(user=user, amount=chips, reference=f"test:{user.pk}", reason="for a test", now=now)
    return user


class Evening:
    """`now` goes on only as the test says, or to when the table's alarm is due (`wake`)."""

    def __init__(self, **options: Any) -> None:
        self.now = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
        self.chance = random.Random(7)
        defaults = {"name": f"Table {next(_numbers)}", "stakes": STAKES, "min_buy_in": 300, "max_buy_in": 1500}
        self.pk = opening.open_table(**{**defaults, "now": self.now, **options}).pk

    @property
    def table(self) -> Table:
        return Table.objects.get(pk=self.pk)

    @property
    def engine(self) -> Engine:
        """The hand being played, folded from the database."""
        return table_journal.engine_of(table_journal.facts(self.table.hand_id))

    @property
    def turn(self) -> ActionOn:
        return turn_of(self.engine)

    @property
    def to_act(self) -> User:
        return self.seat(self.table.to_act).player

    @property
    def hands_ended(self) -> int:
        return self.table.hands.filter(ended_at__isnull=False).count()

    def seat(self, number: int) -> Seat:
        return Seat.objects.select_related("player", "account").get(table=self.pk, number=number)

    def seat_of(self, player: User) -> Seat:
        return Seat.objects.select_related("player", "account").get(table=self.pk, player=player)

    def stack(self, player: User) -> int:
        return self.seat_of(player).account.balance

    def player(self, name: str, chips: int = 10_000) -> User:
        return player(name, chips, now=self.now)

    def sit(self, player: User | str, number: int | None = None, buy_in: int = 500, key: str = "") -> User:
        user = self.player(player) if isinstance(player, str) else player
        seats.sit(table_id=self.pk, by=user, number=number, buy_in=buy_in, now=self.now, key=key)
        return user

    def leave(self, player: User, key: str = "") -> SeatMove:
        return seats.leave(table_id=self.pk, by=player, now=self.now, key=key)

    @staticmethod
    def wallet(player: User) -> int:
        return ledger.balance(ledger.wallet(player))

    def later(self, **by: float) -> Evening:
        self.now += timedelta(**by)
        return self

    def wake(self) -> bool:
        """Ring the table's alarm when it is due; False where nothing is."""
        table = self.table
        if table.wake_at is None:
            return False
        self.now = max(self.now, table.wake_at)
        return receivers.wake(table_id=self.pk, fence=table.version, now=self.now)

    def deal(self) -> Evening:
        """On to the first turn of the next hand."""
        for _ in range(10):
            if self.table.hand_id is not None:
                return self
            assert self.wake(), "nothing is due at this table"
        raise AssertionError("no hand was dealt")

    def act(self, action: str, amount: int | None = None, **options: Any) -> Receipt:
        """The player to act acts."""
        if "hand_id" not in options or "player" not in options:
            table = self.table
            options = {"hand_id": table.hand_id, **options}
            if "player" not in options:
                options["player"] = self.seat(table.to_act).player
        return hands.act(action=action, amount=amount, now=self.now, **options)

    def act_any(self, table: Table | None = None) -> Receipt:
        """The player to act (`table`: as it stands) does one of the things they may, by the test's own chance."""
        return self._choose(lambda turn: any_action(turn, self.chance), table or self.table)

    def check_or_call(self, table: Table | None = None) -> Receipt:
        return self._choose(_check_or_call, table or self.table)

    def _choose(self, choose: Callable[[ActionOn], tuple[str, int | None]], table: Table) -> Receipt:
        action, amount = choose(turn_of(playing(table)))
        return self.act(action, amount, hand_id=table.hand_id, player=self.seat(table.to_act).player)

    def on_to(self, player: User) -> Evening:
        """The others check and call until it is this player's turn, in the next hand if need be."""
        for _ in range(60):
            if not self.table.hand_id:
                self.deal()
            if self.to_act == player:
                return self
            self.check_or_call()
        raise AssertionError("their turn never comes")

    def play_out(self, act: str = "check_or_call") -> Evening:
        """Play the hand to its end."""
        table = self.table
        hand = table.hand_id
        while table.hand_id == hand:
            getattr(self, act)(table)
            table = self.table
        return self


def playing(table: Table) -> Engine:
    """The hand of a table, to be looked at: the services' own copy where nobody else can play on it meanwhile."""
    if connection.in_atomic_block:
        return table_journal.load(table.hand_id, seq=table.seq).engine
    return table_journal.engine_of(table_journal.facts(table.hand_id, upto=table.seq))


def turn_of(engine: Engine) -> ActionOn:
    """What the player to act in a hand may do."""
    option = engine.options(engine.to_act)
    assert option is not None
    return option


def _check_or_call(turn: ActionOn) -> tuple[str, None]:
    return "check" if turn.can_check else "call" if turn.call else "bring-in", None


def in_the_room(**options: Any) -> Evening:
    """A table with chips of its own, where a person deals."""
    table = Evening(dealt_by="person", **options)
    Table.objects.filter(pk=table.pk).update(is_physical=True)
    TablePlay.objects.filter(pk=table.pk).update(wake_at=None)
    return table


def any_action(turn: ActionOn, chance: random.Random) -> tuple[str, int | None]:
    """One of the actions that are open, as a player would say it; folding comes seldom."""
    choices: list[tuple[str, int | None]] = [("raise", size) for size in turn.sizes]
    if turn.can_fold and chance.random() < 0.5:
        choices.append(("fold", None))
    if turn.can_check:
        choices.append(("check", None))
    if turn.call:
        choices += [("call", None)] * 2
    if turn.bring_in:
        choices.append(("bring-in", None))
    return chance.choice(choices)
