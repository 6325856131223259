"""A room of several tables where anything that can be done with seats is done, in any order, and nothing may be lost.

`Room` does one thing at a time, and takes any refusal of the house for an answer; whatever else is raised is a fault.
"""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db.models import Sum

from tests.support.evening import Evening
from tests.support.models import Account, Alarm, DropSchedule, Offer, Seat, SeatHold, Table, TablePlay, TimeClock
from tests.support.offers import TERMS, person
from tests.support.parts.cardroom import Refusal, core_audit, people
from tests.support.parts.games import holds, moving, physical, seating, seats, tables, time_charges

BUY_INS = (300, 500, 1500, 900)
AMOUNTS = (1, 200, 700, 1500)


class Room:
    """Three tables of one game online, where time is collected, one of another game, and two in the room."""

    ONLINE, OTHER, IN_THE_ROOM = (0, 1, 2), 3, (4, 5)

    def __init__(self, players: int = 6) -> None:
        self.tables = [Evening() for _ in range(4)] + [Evening(dealt_by="person") for _ in range(2)]
        first = self.tables[0]
        self.now = first.now
        Table.objects.filter(pk=self.tables[self.OTHER].pk).update(small_bet=20, big_bet=40)
        schedule = DropSchedule.objects.create(
            name="Time", kind="time", period_minutes=30, time_charges=[[2, 7], [4, 5]], time_promo=1, made_at=self.now
        )
        offer = Offer.objects.create(name="Stud", drop=schedule, made_at=self.now, **TERMS)
        mine = [self.tables[place].pk for place in self.ONLINE]
        Table.objects.filter(pk__in=mine).update(offer=offer, drop=schedule)
        in_room = [self.tables[place].pk for place in self.IN_THE_ROOM]
        Table.objects.filter(pk__in=in_room).update(is_physical=True)
        TablePlay.objects.filter(pk__in=in_room).update(wake_at=None)
        self.players = [first.player(f"p{number}", 6000) for number in range(players)]
        self.issued = 6000 * players
        self.floor = person("flo", "floor", "manager")
        self.done = 0
        self.refused = 0

    def sit(self, who: int, where: int, buy_in: int, key: str = "") -> None:
        table, player = self.tables[where], self.players[who]
        least, rule = seats.least_buy_in(table.table, player, self.now)
        verb = seating.seat if where in self.IN_THE_ROOM else seats.sit
        who_asks = {"player": player, "by": self.floor} if where in self.IN_THE_ROOM else {"by": player}
        move = self._try(verb, table_id=table.pk, buy_in=buy_in, key=key, **who_asks)
        if move is not None and not key:
            assert least <= move.amount <= max(least, 1500), f"{move.amount} is no buy-in here ({rule})"

    def top_up(self, who: int, where: int, amount: int) -> None:
        verb = physical.top_up if where in self.IN_THE_ROOM else seats.top_up
        player = self.players[who]
        who_asks = {"player": player, "by": self.floor} if where in self.IN_THE_ROOM else {"by": player}
        self._try(verb, table_id=self.tables[where].pk, amount=amount, **who_asks)

    def leave(self, who: int, where: int) -> None:
        arguments: dict[str, Any] = {"table_id": self.tables[where].pk, "player": self.players[who]}
        if where in self.IN_THE_ROOM:
            seat = Seat.objects.filter(table=self.tables[where].pk, player=self.players[who]).first()
            self._try(physical.cash_out, count=seat.counted if seat else 0, by=self.floor, **arguments)
        else:
            self._try(seats.leave, table_id=arguments["table_id"], by=arguments["player"])

    def go_and_come(self, who: int, where: int, *, is_back: bool) -> None:
        verb = seats.come_back if is_back else seats.sit_out
        self._try(verb, table_id=self.tables[where].pk, by=self.players[who])

    def move(self, who: int, where: int, to: int, number: int | None = None, key: str = "") -> None:
        seat = Seat.objects.filter(table=self.tables[where].pk, player=self.players[who]).first()
        count = seat.counted if seat is not None and where in self.IN_THE_ROOM else None
        arguments = {"number": number, "count": count, "by": self.floor, "why": "for a test", "key": key}
        ids = {"table_id": self.tables[where].pk, "to_table_id": self.tables[to].pk}
        self._try(moving.move, player=self.players[who], **ids, **arguments)

    def swap(self, who: int, other: int, where: int) -> None:
        arguments = {"player": self.players[who], "other": self.players[other], "by": self.floor}
        self._try(moving.swap, table_id=self.tables[where].pk, **arguments)

    def unseat(self, who: int, where: int) -> None:
        arguments = {"player": self.players[who], "by": self.floor, "reason": "for a test"}
        self._try(seating.unseat, table_id=self.tables[where].pk, **arguments)

    def hold(self, who: int, where: int, number: int) -> None:
        until = self.now + timedelta(minutes=5)
        arguments = {"player": self.players[who], "number": number, "why": "lock-up", "until": until, "by": self.floor}
        self._try(holds.hold, table_id=self.tables[where].pk, **arguments)

    def play(self, where: int, actions: int, chance: random.Random) -> None:
        """Deal, if a hand is due, and so many actions of it."""
        table = self.tables[where]
        table.chance = chance
        for _ in range(actions):
            table.now = self.now
            row = table.table
            is_in_time = row.deadline is None or self.now < row.deadline
            if row.hand_id is not None and row.to_act and is_in_time:
                table.act_any()
            elif row.wake_at is None or not table.wake():
                break
            self.now = max(self.now, table.now)

    def ring(self) -> None:
        """Whatever alarm is due for moves and holds."""
        for alarm in Alarm.objects.filter(due_at__lte=self.now, kind__in=[moving.ALARM, holds.ALARM]):
            ring = {moving.ALARM: moving.wake, holds.ALARM: holds.expire}[alarm.kind]
            ring(**{"seat_id" if alarm.kind == moving.ALARM else "hold_id": int(alarm.key)}, now=self.now)
            alarm.delete()

    def charge(self, where: int) -> None:
        """The period is over at a table where time is collected."""
        clock = TimeClock.objects.filter(table=self.tables[where].pk).first()
        if clock is not None:
            self.now = max(self.now, clock.due_at)
            time_charges.ring(table_id=self.tables[where].pk, fence=clock.fence, now=self.now)

    def shut(self, where: int, *, is_broken: bool) -> None:
        verb = tables.break_up if is_broken else tables.close
        arguments = {"by": self.floor, "reason": "for a test"}
        self._try(verb, table_id=self.tables[where].pk, **arguments)

    def reopen(self, where: int) -> None:
        self._try(tables.reopen, table_id=self.tables[where].pk, by=self.floor)

    def count(self, where: int) -> None:
        """The stacks of a table in the room, a few chips passed from one to the other since the last time."""
        table = self.tables[where].pk
        rows = list(Seat.objects.filter(table=table).order_by("number"))
        if len(rows) > 1 and rows[0].counted > 10:
            counts = {rows[0].number: rows[0].counted - 10, rows[1].number: rows[1].counted + 10}
            self._try(physical.count, table_id=table, counts=counts, by=self.floor)

    def _try(self, verb: Callable[..., Any], **arguments: Any) -> Any:
        try:
            result = verb(**arguments, now=self.now)
        except Refusal:
            self.refused += 1
            return None
        self.done += 1
        return result

    def chips(self) -> int:
        """All chips that people, tables and the house's takings hold."""
        accounts = Account.objects.filter(unit="cash").exclude(kind="house", label=people.PLAY_MONEY)
        return accounts.aggregate(total=Sum("balance"))["total"] or 0

    def check(self) -> None:
        assert self.chips() == self.issued, "chips were lost or made"
        assert not Account.objects.filter(kind="stack", seat=None).exclude(balance=0).exists(), "chips of nobody"
        for seat in Seat.objects.select_related("account", "table"):
            table = seat.table
            assert table.state != Table.State.CLOSED, f"{seat} is at a closed table"
            assert seat.account.label == f"table:{table.pk}:seat:{seat.number}"
            assert 1 <= seat.number <= table.seat_count
            if seat.state == Seat.State.MOVING:
                held = SeatHold.objects.filter(table=seat.moving_to, player=seat.player_id).first()
                assert held is not None, f"{seat} moves to a seat that is not held"
                assert held.number == seat.moving_number
            if not table.is_in_hand(seat.number) and not table.is_physical and table.hand_id is None:
                assert seat.state not in (Seat.State.LEAVING, Seat.State.REMOVED), f"{seat} should be gone"
        taken = set(Seat.objects.values_list("table", "number"))
        held = set(SeatHold.objects.filter(until__gt=self.now).values_list("table", "number"))
        assert not taken & held, "a seat is taken and held"

    def check_books(self) -> None:
        left = "nobody sits there: count what is left"
        assert [fault for fault in core_audit.check() if left not in fault] == []
        wallets = Account.objects.filter(kind="wallet", unit="cash").aggregate(total=Sum("balance"))["total"]
        assert wallets <= self.issued
