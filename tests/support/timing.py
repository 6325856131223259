"""A table where time is collected, its bell rung by the test."""

from datetime import datetime
from typing import Any

from cardroom.ledger import ledger
from games.rake import time_charges
from tests.support.evening import Evening
from tests.support.models import Account, DropSchedule, Offer, Table, TimeCharge, TimeClock, User
from tests.support.offers import TERMS

EACH = ((2, 10), (5, 8))


class TimedTable(Evening):
    """An evening at a table that takes 10 chips each for two to four players and 8 from five on, 1 of them for the
    promotional fund, by the half hour; it begins at 20:00."""

    def __init__(self, *, comp_per_hour: int = 0, is_physical: bool = False, **schedule: Any) -> None:
        super().__init__()
        terms = {"time_charges": [list(pair) for pair in EACH], "time_promo": 1, **schedule}
        self.schedule = DropSchedule.objects.create(name="Time", kind="time", made_at=self.now, **terms)
        given = {"comp_per_hour": comp_per_hour, "drop": self.schedule, "rathole_minutes": 0, "made_at": self.now}
        self.offer = Offer.objects.create(name=f"Game {self.pk}", **TERMS, **given)
        Table.objects.filter(pk=self.pk).update(offer=self.offer, drop=self.schedule, is_physical=is_physical)

    @property
    def clock(self) -> TimeClock | None:
        return TimeClock.objects.filter(pk=self.pk).first()

    def at(self, hour: int, minute: int = 0, second: int = 0) -> datetime:
        """Go on to this time of the day; the bell is not rung on the way."""
        self.now = self.now.replace(hour=hour, minute=minute, second=second)
        return self.now

    def ring(self) -> bool:
        """The bell, as it is set, at its time or now if that is over."""
        clock = self.clock
        assert clock is not None, "no time is collected here"
        self.now = max(self.now, clock.due_at)
        return time_charges.ring(table_id=self.pk, fence=clock.fence, now=self.now)

    def charges(self, player: User) -> list[TimeCharge]:
        return list(TimeCharge.objects.filter(table=self.pk, player=player).order_by("period_start"))

    def house(self, what: str = "time") -> int:
        """What the table brought in."""
        account = Account.objects.filter(kind="house", label=f"{what}:table:{self.pk}").first()
        return ledger.balance(account) if account else 0
