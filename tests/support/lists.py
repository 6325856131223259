"""A room with a game on offer, its tables and its lists: a clock of its own, alarms rung by the test."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from cardroom.core import alarms
from tests.support import evening
from tests.support.models import Alarm, ListEntry, ListMove, Offer, Seat, Table, User
from tests.support.offers import TERMS, staff
from tests.support.parts.games import Wishes, filling, holds, joining, moving, opening, receivers, seats, store

_numbers = count(1)
CHIPS = 10_000


class ListRoom:
    """`now` goes on only as the test says."""

    def __init__(self, *, seat_count: int = 4, count_tables: int = 1, is_physical: bool = False, **terms: Any) -> None:
        self.now = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
        defaults = {
            "name": f"Game {next(_numbers)}", "seat_count": seat_count, "is_physical": is_physical,
            "made_at": self.now, "tables_per_player": 1, **TERMS,
        }  # fmt: skip
        self.offer = Offer.objects.create(**{**defaults, **terms})
        self.floor = staff("floor", f"floor{next(_numbers)}")
        self.tables = [self.open() for _ in range(count_tables)]
        self.players: list[User] = []

    @property
    def table(self) -> Table:
        return Table.objects.get(pk=self.tables[0].pk)

    def open(self, **options: Any) -> Table:
        return opening.open_for(offer_id=self.offer.pk, by=None, now=self.now, **options)

    def feeder(self) -> Table:
        """A must-move game: its main game is the first table."""
        feeder = self.open()
        Table.objects.filter(pk=feeder.pk).update(must_move_to=self.table)
        return feeder

    def dealt_feeder(self) -> tuple[Table, User, User]:
        """A must-move game of dan and eve in the middle of a hand; the first of `players` leaves the main game."""
        feeder = self.feeder()
        dan, eve = (self.later(seconds=1).sit(name, None, feeder) for name in ("dan", "eve"))
        for _ in range(10):
            table = Table.objects.get(pk=feeder.pk)
            if table.hand_id is not None:
                break
            self.now = max(self.now, table.wake_at)
            receivers.wake(table_id=feeder.pk, fence=table.version, now=self.now)
        self.leave(self.players[0]).ring()
        return feeder, dan, eve

    def player(self, name: str, chips: int = CHIPS) -> User:
        return evening.player(name, chips, now=self.now)

    def join(self, player: User | str, **options: Any) -> ListEntry:
        user = self.player(player) if isinstance(player, str) else player
        wishes = Wishes(**options.pop("wishes", {}))
        arguments = {"offer_id": self.offer.pk, "player": user, "source": "web", "by": user, "now": self.now, **options}
        return joining.join(wishes=wishes, **arguments)

    def sit(self, player: User | str, number: int | None = None, table: Table | None = None, chips: int = 500) -> User:
        user = self.player(player) if isinstance(player, str) else player
        seats.sit(table_id=(table or self.tables[0]).pk, by=user, number=number, buy_in=chips, now=self.now)
        return user

    def full(self, table: Table | None = None, *, stem: str = "seated") -> list[User]:
        """Everybody in the seats of a table that was empty."""
        where = table or self.tables[0]
        return [self.sit(f"{stem}{next(_numbers)}", number, where) for number in range(1, where.seat_count + 1)]

    def leave(self, player: User, table: Table | None = None) -> ListRoom:
        seats.leave(table_id=(table or self.tables[0]).pk, by=player, now=self.now)
        return self

    def later(self, **by: float) -> ListRoom:
        self.now += timedelta(**by)
        return self

    def ring(self) -> ListRoom:
        """Whatever alarms of lists, holds and moves are due, again and again until none is."""
        for _ in range(50):
            due = Alarm.objects.filter(kind__in=RINGERS, due_at__lte=self.now).order_by("due_at", "pk").first()
            if due is None:
                return self
            Alarm.objects.filter(pk=due.pk).update(claimed_until=self.now)
            RINGERS[due.kind](due.key, due.fence, self.now)
            alarms.done(kind=due.kind, key=due.key, fence=due.fence)
        raise AssertionError("alarms without end")

    def entry(self, entry: ListEntry) -> ListEntry:
        return ListEntry.objects.get(pk=entry.pk)

    def state(self, entry: ListEntry) -> str:
        return self.entry(entry).state

    def moves(self, entry: ListEntry) -> list[str]:
        return list(ListMove.objects.filter(entry=entry).order_by("pk").values_list("verb", flat=True))

    def last_move(self, entry: ListEntry) -> ListMove:
        return ListMove.objects.filter(entry=entry).order_by("-pk")[0]

    def seat_of(self, player: User) -> tuple[int, int] | None:
        return Seat.objects.filter(player=player).values_list("table", "number").first()


def full_room() -> ListRoom:
    """One table of four seats, all taken by its `players`."""
    room = ListRoom()
    room.players = room.full()
    return room.ring()


RINGERS = {
    store.FILL_ALARM: lambda key, fence, now: filling.wake(key=key, now=now),
    store.CALL_ALARM: lambda key, fence, now: filling.wake_call(entry_id=int(key), fence=fence, now=now),
    holds.ALARM: lambda key, fence, now: holds.expire(hold_id=int(key), now=now),
    moving.ALARM: lambda key, fence, now: moving.wake(seat_id=int(key), now=now),
}
