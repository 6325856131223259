"""Buy-ins, top-ups, moves, leaving, charges, hands, breaking and closing over many tables, in any order: no chip is
lost or made, nobody sits twice at a table, and the books agree. `CARDROOM_SEAT_STORMS` asks for more of them."""

import os
import random
from typing import Any

from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from games.tables import journal as table_journal
from tests.support.seat_storm import AMOUNTS, BUY_INS, Room
from tests.support.tiers import many

STORMS = int(os.environ.get("CARDROOM_SEAT_STORMS", many(2, long=6)))
STEPS = 25 if STORMS < 10 else 60


def act(verb: str, **said: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return st.tuples(st.just(verb), st.fixed_dictionaries(said))


WHO, SEAT = st.integers(0, 5), st.integers(1, 8)
WHERE = st.sampled_from([0, 0, 1, 1, 2, 3, 4, 5])
ONLINE = st.sampled_from([0, 0, 1, 1, 2, 3])
ACTS = st.one_of(
    act("sit", who=WHO, where=WHERE, buy_in=st.sampled_from(BUY_INS)),
    act("top_up", who=WHO, where=WHERE, amount=st.sampled_from(AMOUNTS)),
    act("leave", who=WHO, where=WHERE),
    act("go_and_come", who=WHO, where=ONLINE, is_back=st.booleans()),
    act("move", who=WHO, where=WHERE, to=WHERE, number=st.none() | SEAT),
    act("swap", who=WHO, other=WHO, where=WHERE),
    act("unseat", who=WHO, where=ONLINE),
    act("hold", who=WHO, where=WHERE, number=SEAT),
    act("play", where=ONLINE, actions=st.sampled_from([1, 4, 40]), chance=st.integers(0, 99).map(random.Random)),
    act("ring"),
    act("charge", where=ONLINE),
    act("count", where=st.sampled_from([4, 5])),
    act("shut", where=ONLINE, is_broken=st.booleans()),
    act("reopen", where=ONLINE),
)


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

    @rule(act=ACTS)
    def act(self, act: tuple[str, dict[str, Any]]) -> None:
        verb, said = act
        getattr(self.room, verb)(**said)

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
