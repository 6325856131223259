"""Tables of an event, and a director of the test's own who runs them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from typing import Any

from django.db import transaction

from cardroom.accounts import people
from games.play.bots import choosing as bots
from games.tables.hosts import TableHost
from tests.support.evening import STAKES, Evening
from tests.support.models import Account, Seat, Table, User
from tests.support.parts.games import event_seats, event_tables

PREFIX = "rehearsal"
EVENT = "rehearsal:7"
UNIT = "rehearsal:7"
STACK = 1000
_numbers = count(1)


class Director:
    """Takes the busted out and deals whenever a table asks, unless it `is_holding`; remembers who asked."""

    def __init__(self) -> None:
        self.is_holding = False
        self.asked: list[int] = []
        self.said: list[event_seats.DealtHand] = []
        self.outcomes: dict[int, event_tables.HandOutcome] = {}

    def __call__(self, *, table_id: int, version: int, now: datetime) -> bool:
        self.asked.append(table_id)
        with transaction.atomic():
            self._note(table_id, now)
            if self.is_holding:
                event_seats.hold(table_ids=[table_id], now=now)
                return True
            left = Seat.objects.filter(table__event=EVENT).count()
            self.said.append(event_seats.deal(table_id=table_id, players_left=left, now=now))
            if self.said[-1].hand is None:
                event_seats.hold(table_ids=[table_id], now=now)
        return True

    def _note(self, table_id: int, now: datetime) -> None:
        outcome = event_tables.outcome(table_id=table_id)
        if outcome is None or outcome.hand in self.outcomes:
            return
        self.outcomes[outcome.hand] = outcome
        busted = [(table_id, outcome.players[seat]) for seat in outcome.busted]
        event_seats.remove_players(players=busted, reference=f"{EVENT}:out:{outcome.hand}", now=now)


directors: list[Director] = []
"""Those of the events of tests; the last one runs them."""


class RehearsalHost(TableHost):
    """Leaves the tables of the event to the last of the test's directors."""

    def next_hand(self, table: Table, *, now: datetime) -> bool:
        if not directors:
            return False
        return directors[-1](table_id=table.pk, version=table.version, now=now)


@contextmanager
def directed() -> Iterator[Director]:
    """A director for the tables of the event."""
    director = Director()
    directors.append(director)
    try:
        yield director
    finally:
        directors.remove(director)


class EventTable(Evening):
    """A table of the event, driven by hand as an evening is."""

    def __init__(self, pk: int, now: datetime) -> None:
        self.pk, self.now, self.chance = pk, now, random.Random(7)

    def seat_people(self, *names: str, chips: int = STACK) -> list[User]:
        """People in the seats from 1 on."""
        users = [User.objects.create_user(name, password="seven-cards") for name in names]
        self._seat(users, chips)
        return users

    def seat_bots(self, many: int, chips: int = STACK) -> list[User]:
        users = [new_bot(self.now) for _ in range(many)]
        self._seat(users, chips)
        return users

    def release(self) -> EventTable:
        """Have the director asked from now on."""
        with transaction.atomic():
            event_seats.release(table_ids=[self.pk], at=self.now, now=self.now)
        return self

    def _seat(self, users: Sequence[User], chips: int) -> None:
        first = Seat.objects.filter(table=self.pk).count() + 1
        seats = [(self.pk, number, user.pk, chips) for number, user in enumerate(users, first)]
        seat(seats, now=self.now)


def seat(seats: Sequence[tuple[int, int, int, int]], *, now: datetime) -> None:
    reference = f"{EVENT}:seats:{next(_numbers)}"
    with transaction.atomic():
        event_seats.seat_players(unit=UNIT, seats=seats, time_bank_ms=60_000, reference=reference, now=now)


def move(*moves: tuple[int, int, int, int], now: datetime) -> None:
    with transaction.atomic():
        event_seats.move_players(moves=moves, reference=f"{EVENT}:moves:{next(_numbers)}", now=now)


def new_bot(now: datetime) -> User:
    number = next(_numbers)
    personalities = list(bots.PERSONALITIES)
    return people.make_bot(name=f"Bot-{number}", personality=personalities[number % len(personalities)], now=now)


def open_event(*sizes: int, **options: Any) -> list[EventTable]:
    """Tables of the event, one for each size, with nobody at them."""
    now = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
    specs = [(f"Event table {next(_numbers)}", size) for size in sizes]
    options = {"event": EVENT, "unit": UNIT, "stakes": STAKES, "now": now, **options}
    with transaction.atomic():
        return [EventTable(table.pk, now) for table in event_tables.open_tables(specs=specs, **options)]


def chips_of(user: User) -> int:
    """The chips of a player at the event's tables."""
    return Seat.objects.select_related("account").get(player=user, table__event=EVENT).account.balance


def issued() -> int:
    """All the chips of the event that are in play."""
    return -Account.objects.get(kind=Account.Kind.HOUSE, unit=UNIT, label="chips").balance
