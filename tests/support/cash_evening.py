"""A whole evening in a room of cash games: its staff, its players, its games; a clock that goes on as the test says,
and every alarm that is due on the way rung as the room rings it."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from typing import Any

from celery import current_app
from django.utils import timezone

from games.engine.cards import DECK
from tests.support import decks
from tests.support.models import (
    Account,
    Alarm,
    DropSchedule,
    ListEntry,
    Offer,
    Seat,
    SeatMove,
    Slip,
    Table,
    TablePlay,
    User,
)
from tests.support.offers import TERMS, person
from tests.support.parts.cardroom import alarms, ledger, members, slips
from tests.support.parts.games import Wishes, drop_schedules, filling, hands, joining, offers, seats, table_journal

#: A turn lasts this long: nobody is hurried where the test lets an hour go by in the middle of a hand.
SLOW = {"act_seconds": 600, "time_bank_seconds": 3600}
_STAFF = {
    "flo": ("floor",), "cay": ("cashier",), "cal": ("cashier",), "mia": ("manager",), "max": ("manager",),
    "aud": ("auditor",),
}  # fmt: skip


class CashEvening:
    """`clock` is the traveller of time_machine; `decks` are dealt before those that chance makes."""

    def __init__(self, clock: Any, monkeypatch: Any) -> None:
        self.clock = clock
        self.decks: deque[tuple[str, ...]] = deque()
        chance, self._numbers = random.Random(2030), count(1)
        at_random = partial(chance.sample, DECK, len(DECK))
        decks.deal_from(monkeypatch, lambda: self.decks.popleft() if self.decks else tuple(at_random()))
        for name, roles in _STAFF.items():
            setattr(self, name, person(name, *roles))

    flo: User
    cay: User
    cal: User
    mia: User
    max: User
    aud: User

    @property
    def now(self) -> datetime:
        return timezone.now()

    def go_on(self, **by: float) -> CashEvening:
        """So much time goes by, and whatever is due rings at its moment."""
        end = self.now + timedelta(**by)
        for _ in range(2000):
            due = self._next_due()
            if due is None or due > end:
                self.clock.move_to(end, tick=False)
                return self
            self.clock.move_to(max(due, self.now), tick=False)
            alarms.ring(now=self.now)
        raise AssertionError("alarms without end")

    def until(self, hour: int, minute: int = 0) -> CashEvening:
        """To this time of the day; after midnight of the next one."""
        end = self.now.replace(hour=hour, minute=minute, second=0, microsecond=0)
        if end < self.now:
            end += timedelta(days=1)
        return self.go_on(seconds=(end - self.now).total_seconds())

    def settle(self) -> CashEvening:
        """What is due at this moment rings."""
        return self.go_on(seconds=0)

    @staticmethod
    def _next_due() -> datetime | None:
        rows = [
            *Alarm.objects.values_list("due_at", "claimed_until"),
            *TablePlay.objects.filter(wake_at__isnull=False).values_list("wake_at", "claimed_until"),
        ]
        return min((max(due, claimed or due) for due, claimed in rows), default=None)

    def key(self) -> str:
        return f"key-{next(self._numbers)}"

    def offer(self, name: str, **terms: Any) -> Offer:
        return offers.create(by=self.mia, now=self.now, **{**TERMS, "name": name, **terms})

    def schedule(self, name: str, **terms: Any) -> DropSchedule:
        return drop_schedules.save(by=self.mia, now=self.now, name=name, **terms)

    def player(self, name: str, money: int = 3000, cashier: User | None = None) -> User:
        """Somebody who comes with money, and changes it at the cage."""
        user = User.objects.filter(username=name).first() or User.objects.create_user(name, password="seven-cards")
        self.deposit(user, money, cashier)
        return user

    def deposit(self, user: User, money: int, cashier: User | None = None) -> Slip:
        return slips.deposit(player=user, amount=money, by=cashier or self.cay, now=self.now, key=self.key())

    def member(self, name: str, **options: Any) -> str:
        """What the card of a new member says to a scanner."""
        user = self.player(name, **options)
        return members.register(player=user, by=self.cay, now=self.now, name=f"{name.title()} of the town").barcode

    def join(self, player: User, offer: Offer, **options: Any) -> ListEntry:
        wishes = Wishes(**options.pop("wishes", {}))
        arguments = {"source": "web", "by": player, "now": self.now, "key": self.key(), **options}
        return joining.join(offer_id=offer.pk, player=player, wishes=wishes, **arguments)

    def take_seat(self, entry: ListEntry, buy_in: int = 600) -> ListEntry:
        """Called, they sit down by themselves."""
        return filling.take_seat(entry_id=entry.pk, by=entry.player, buy_in=buy_in, now=self.now, key=self.key())

    def leave(self, player: User) -> SeatMove:
        return seats.leave(table_id=self.seat(player).table_id, by=player, now=self.now, key=self.key())

    @staticmethod
    def seat(player: User) -> Seat:
        return Seat.objects.select_related("table", "account", "player").get(player=player)

    @staticmethod
    def is_seated(player: User) -> bool:
        return Seat.objects.filter(player=player).exists()

    @staticmethod
    def at(table: Table) -> list[str]:
        """Who sits there, by seat."""
        return list(Seat.objects.filter(table=table.pk).order_by("number").values_list("player__username", flat=True))

    @staticmethod
    def wallet(player: User, unit: str = "cash") -> int:
        return ledger.balance(ledger.wallet(player, unit=unit))

    @staticmethod
    def house(label: str, unit: str = "cash", kind: str = "house") -> int:
        row = Account.objects.filter(kind=kind, label=label, unit=unit).values_list("balance", flat=True).first()
        return row or 0

    @staticmethod
    def entry(row: ListEntry) -> ListEntry:
        return ListEntry.objects.select_related("player", "table", "called_to").get(pk=row.pk)

    def deal(self, table: Table) -> int:
        """The next hand of a table, once the pause is over; its number."""
        for _ in range(20):
            hand = TablePlay.objects.values_list("hand", flat=True).get(pk=table.pk)
            if hand is not None:
                return hand
            self.go_on(seconds=5)
        raise AssertionError(f"nothing is dealt at {table}")

    def play(self, table: Table) -> int:
        """The hand there is, or the next one, checked and called to its end."""
        hand = self.deal(table)
        while self.act(table, hand):
            pass
        return hand

    def act(self, table: Table, hand: int, action: str = "") -> bool:
        """The player to act checks, calls or brings in; False where the hand is over."""
        row = Table.objects.get(pk=table.pk)
        if row.hand_id != hand:
            return False
        engine = table_journal.engine_of(table_journal.facts(hand))
        turn = engine.options(engine.to_act)
        chosen = action or ("check" if turn.can_check else "call" if turn.call else "bring-in")
        player = row.seats.select_related("player").get(number=engine.to_act).player
        hands.act(hand_id=hand, player=player, action=chosen, now=self.now)
        return True

    def to_act(self, table: Table) -> User:
        row = Table.objects.get(pk=table.pk)
        return row.seats.select_related("player").get(number=row.to_act).player


@contextmanager
def tasks_run_where_they_are_sent() -> Iterator[None]:
    """What an alarm sends is done at once, and a fault in it is the test's."""
    current_app.loader.import_default_modules()
    conf = current_app.conf
    before = conf.task_always_eager, conf.task_eager_propagates
    conf.task_always_eager = conf.task_eager_propagates = True
    try:
        yield
    finally:
        conf.task_always_eager, conf.task_eager_propagates = before


def beaten_jacks(players: int) -> tuple[str, ...]:
    """A deck, top card first, that gives the first in the order of the deal four jacks, and the second four queens."""
    first, second = iter(["Js", "Jh", "Jd", "Jc"]), iter(["Qs", "Qh", "Qd", "Qc"])
    rest = iter(random.Random(5).sample([card for card in DECK if card[0] not in "JQ"], len(DECK) - 8))
    cards: list[str] = []
    for number in range(7):
        if number > 2:
            cards.append(next(rest))  # burned before every street but the first
        cards += [next(first, None) or next(rest), next(second, None) or next(rest)]
        cards += [next(rest) for _ in range(players - 2)]
    return (*cards, *rest)
