"""An online event of bots and people, played as the test moves the clock: every alarm rings when it is due, in order."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import count
from typing import Any

from cardroom.models import Account, Alarm, User
from games import bots, journal
from games.engine.hand import Hand as Engine
from games.models import Hand, Seat, Table
from games.services import hands, tables
from tests.support.events import Event
from tests.support.event_tables import new_bot
from tournaments.engine.structure import Level, Structure
from tournaments.models import TournamentEntry
from tournaments.services import registration, tournaments, waking

_numbers = count(1)
#: Half of the stack goes with every bet: a few hands, and it is over.
QUICK = Structure(
    tuple(Level(minutes=2, ante=10 * n, bring_in=20 * n, small_bet=100 * n, big_bet=200 * n) for n in range(1, 6))
)


class OnlineEvent(Event):
    """`OnlineEvent(bots=12, seats=4)`: bots have entered; `start`, then `play_on` until something holds."""

    def __init__(self, *, bots: int = 0, people: int = 0, **options: Any) -> None:
        given = {"structure": QUICK, "starting_stack": 400, "conduct": "online", "price": {}}
        options = given | options
        options["options"] = {"pause_seconds": 0} | options.get("options", {})
        super().__init__(**options)
        self.chance = random.Random(7)
        self.open()
        self.bots = [self.enter_bot() for _ in range(bots)]
        self.people = [self.enter().player for _ in range(people)]

    # -- people ------------------------------------------------------------------------------------------------------

    def enter_bot(self) -> User:
        bot = new_bot(self.now)
        registration.register(tournament_id=self.pk, by=None, player=bot, method="house", now=self.now)
        return bot

    def start(self) -> OnlineEvent:
        tournaments.start(tournament_id=self.pk, by=self.director, now=self.now)
        return self

    # -- looking -----------------------------------------------------------------------------------------------------

    @property
    def tables(self) -> dict[int, Table]:
        """Open tables of the room, by the event's number."""
        rows = Table.objects.filter(event=self.row.unit, state=Table.State.OPEN)
        return {int(row.name.rpartition(" ")[2]): row for row in rows}

    @property
    def seats(self) -> dict[int, tuple[int, int, int]]:
        """Player -> (the event's number of his table, seat, chips)."""
        numbers = {table.pk: number for number, table in self.tables.items()}
        rows = Seat.objects.filter(table__event=self.row.unit).select_related("account")
        return {row.player_id: (numbers[row.table_id], row.number, row.account.balance) for row in rows}

    def in_event(self) -> dict[int, tuple[int, int, int]]:
        """The same, as the event has it."""
        return {one.player: (one.table, one.seat, one.stack) for one in self.state.in_play() if one.table}

    @property
    def issued(self) -> int:
        """Chips of the event that are in play."""
        found = Account.objects.filter(kind="house", unit=self.row.unit, label="chips")
        return -(found.values_list("balance", flat=True).first() or 0)

    def hands(self) -> int:
        return Hand.objects.filter(table__event=self.row.unit).count()

    # -- going on ----------------------------------------------------------------------------------------------------

    def ring(self) -> bool:
        """The next alarm of the event or one of its tables rings; False where there is none."""
        mine = {str(pk) for pk in Table.objects.filter(event=self.row.unit).values_list("pk", flat=True)}
        due = [
            alarm
            for alarm in Alarm.objects.order_by("due_at", "pk")
            if (alarm.kind == "table" and alarm.key in mine) or (alarm.kind, alarm.key) == ("tournament", str(self.pk))
        ]
        if not due:
            return False
        alarm = due[0]
        self.now = max(self.now, alarm.due_at)
        if alarm.kind == "table":
            tables.wake(table_id=int(alarm.key), fence=alarm.fence, now=self.now)
        else:
            waking.wake(tournament_id=self.pk, fence=alarm.fence, now=self.now)
        return True

    def play_on(self, until=lambda event: event.row.is_over, *, most: int = 5000) -> OnlineEvent:
        """Ring what is due until `until(event)` holds."""
        for _ in range(most):
            if until(self):
                return self
            assert self.ring(), "nothing is due, and the event has not come to that"
        raise AssertionError(f"not after {most} alarms")
