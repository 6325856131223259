"""Buy-ins, top-ups, moves, leaving, charges, hands, breaking and closing over many tables, in any order: no chip is
lost or made, nobody sits twice at a table, and the books agree. `CARDROOM_SEAT_STORMS` asks for more of them."""

import os
import random

from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from games.tables import journal as table_journal
from tests.support.seat_storm import AMOUNTS, BUY_INS, Room
from tests.support.tiers import many

STORMS = int(os.environ.get("CARDROOM_SEAT_STORMS", many(2, long=6)))
STEPS = 25 if STORMS < 10 else 60

WHO = st.integers(0, 5)
WHERE = st.sampled_from([0, 0, 1, 1, 2, 3, 4, 5])
ONLINE = st.sampled_from([0, 0, 1, 1, 2, 3])
PHYSICAL = st.sampled_from([4, 5])


class Storm(RuleBasedStateMachine):
    """Every example in a savepoint of its own."""

    def __init__(self) -> None:
        super().__init__()
        table_journal.forget()
        self.undo = transaction.atomic()
        self.undo.__enter__()
        self.room = Room()
        for who in range(4):
            self.room.sit(who, 0, 500)

    def teardown(self) -> None:
        try:
            self.room.check_books()
        finally:
            transaction.set_rollback(True)
            self.undo.__exit__(None, None, None)
            table_journal.forget()

    @rule(who=WHO, where=WHERE, buy_in=st.sampled_from(BUY_INS))
    def sit(self, who: int, where: int, buy_in: int) -> None:
        self.room.sit(who, where, buy_in)

    @rule(who=WHO, where=WHERE, amount=st.sampled_from(AMOUNTS))
    def top_up(self, who: int, where: int, amount: int) -> None:
        self.room.top_up(who, where, amount)

    @rule(who=WHO, where=WHERE)
    def leave(self, who: int, where: int) -> None:
        self.room.leave(who, where)

    @rule(who=WHO, where=ONLINE, is_back=st.booleans())
    def go_and_come(self, who: int, where: int, is_back: bool) -> None:
        self.room.go_and_come(who, where, is_back=is_back)

    @rule(who=WHO, where=WHERE, to=WHERE, number=st.none() | st.integers(1, 8))
    def move(self, who: int, where: int, to: int, number: int | None) -> None:
        self.room.move(who, where, to, number)

    @rule(who=WHO, other=WHO, where=WHERE)
    def swap(self, who: int, other: int, where: int) -> None:
        self.room.swap(who, other, where)

    @rule(who=WHO, where=ONLINE)
    def unseat(self, who: int, where: int) -> None:
        self.room.unseat(who, where)

    @rule(who=WHO, where=WHERE, number=st.integers(1, 8))
    def hold(self, who: int, where: int, number: int) -> None:
        self.room.hold(who, where, number)

    @rule(where=ONLINE, actions=st.sampled_from([1, 4, 40]), seed=st.integers(0, 99))
    def play(self, where: int, actions: int, seed: int) -> None:
        self.room.play(where, actions, random.Random(seed))

    @rule()
    def ring(self) -> None:
        self.room.ring()

    @rule(where=ONLINE)
    def charge(self, where: int) -> None:
        self.room.charge(where)

    @rule(where=PHYSICAL)
    def count(self, where: int) -> None:
        self.room.count(where)

    @rule(where=ONLINE, is_broken=st.booleans())
    def shut(self, where: int, is_broken: bool) -> None:
        self.room.shut(where, is_broken=is_broken)

    @rule(where=ONLINE)
    def reopen(self, where: int) -> None:
        self.room.reopen(where)

    @invariant()
    def nothing_is_lost(self) -> None:
        self.room.check()


def test_whatever_is_done_in_whatever_order_no_chip_is_lost_or_made():
    run_state_machine_as_test(
        Storm,
        settings=settings(
            max_examples=STORMS, stateful_step_count=STEPS, deadline=None, derandomize=STORMS < 10,
            database=None, phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip
