"""Whatever players do, time costs them what somebody with pencil and paper comes to, and no chip is lost."""

from collections import Counter
from datetime import datetime, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.models import Alarm, Entry, User
from tests.support.offers import staff
from tests.support.parts.games import collection, tables
from tests.support.tiers import many
from tests.support.timing import EACH, TimedTable

NAMES = ("ann", "bob", "cid", "dan", "eve", "fay")
STEPS = st.lists(
    st.tuples(
        st.integers(1, 25),  # minutes until it happens
        st.sampled_from(("sit", "sit", "leave", "pause", "resume", "pause-table", "resume-table")),
        st.sampled_from(NAMES),
    ),
    max_size=14,
)


class Paper:
    """Who sits and who is paused, kept with a pencil; at each half hour it writes down what everybody pays."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.seated: set[str] = set()
        self.paused: set[str] = set()
        self.is_table_paused = False
        self.charged: Counter[str] = Counter()
        self.left: dict[str, datetime] = {}
        self.begun: datetime | None = None  # the period that runs, and whether the table stood still when it began
        self.was_table_paused = False
        self.in_this: set[str] = set()

    def until(self, moment: datetime) -> None:
        """The half hours up to this moment, which itself comes before what happens then."""
        end = self.now.replace(minute=self.now.minute // 30 * 30, second=0) + timedelta(minutes=30)
        while end <= moment:
            paying = self.seated - self.paused
            each = [0, *(chips for least, chips in EACH if least <= len(paying))][-1]
            self.begun, self.was_table_paused = end, self.is_table_paused
            self.in_this = set(self.seated) if each else set()
            if not self.is_table_paused:
                self.charged.update(dict.fromkeys(paying, each))
            end += timedelta(minutes=30)
        self.now = moment

    def do(self, what: str, name: str) -> bool:
        """Note it, where it can be done."""
        if what == "sit" and name not in self.seated:
            self.seated.add(name)
            self.back(name)
        elif what == "leave" and name in self.seated:
            self.left[name] = self.now
            self.seated.discard(name)
            self.paused.discard(name)
        elif (what == "pause" and name in self.seated - self.paused) or (what == "resume" and name in self.paused):
            self.paused ^= {name}
        elif what == ("resume-table" if self.is_table_paused else "pause-table"):
            self.is_table_paused = not self.is_table_paused
        else:
            return False
        return True

    def back(self, name: str) -> None:
        """Who left within half an hour before the half hour, and is back after it, pays for it."""
        left = self.left.get(name)
        if self.begun is None or left is None or self.was_table_paused or name in self.in_this:
            return
        if not self.begun - timedelta(minutes=30) < left <= self.begun:
            return
        each = [0, *(chips for least, chips in EACH if least <= len(self.seated - self.paused))][-1]
        if each:
            self.charged[name] += each
            self.in_this.add(name)


@settings(
    max_examples=many(4, long=30), deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(steps=STEPS)
def test_the_charges_are_what_pencil_and_paper_come_to(steps):
    table = TimedTable()
    floor = staff("floor", f"floor of {table.pk}")
    people = {name: table.player(f"{name} of {table.pk}", 10_000) for name in NAMES}
    paper = Paper(table.now)
    for minutes, what, name in [*steps, (60, "", "")]:
        moment = table.now + timedelta(minutes=minutes, seconds=1)
        while table.clock is not None and table.clock.due_at <= moment:
            assert table.ring()
        paper.until(moment)
        table.now = moment
        if paper.do(what, name):
            _do(table, floor, people.get(name), what)
    for name, player in people.items():
        paid = sum(charge.paid for charge in table.charges(player))
        assert paid == paper.charged[name]
        on_table = table.stack(player) if name in paper.seated else 0
        assert table.wallet(player) + on_table == 10_000 - paid
    assert table.house() + table.house("promo") == paper.charged.total()
    mine = Entry.objects.filter(transfer__reference__startswith="time:", account__label__endswith=f"table:{table.pk}")
    assert sum(mine.values_list("amount", flat=True)) == paper.charged.total()
    assert Alarm.objects.filter(kind="time-collection", key=str(table.pk)).count() == (table.clock is not None)


def _do(table: TimedTable, floor: User, player: User | None, what: str) -> None:
    verb, _, of_the_table = what.partition("-")
    given = {"table_id": table.pk, "by": floor, "now": table.now}
    if verb in ("sit", "leave"):
        getattr(table, verb)(player)
    elif not of_the_table:
        getattr(collection, verb)(player=player, **given)
    else:
        getattr(tables, verb)(**given, **({"reason": "a break"} if verb == "pause" else {}))
