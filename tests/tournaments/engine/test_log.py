"""The facts themselves: through JSON, strange ones refused, and thousands of them fast enough."""

import time
from typing import Any

import pytest

from tests.support.directing import NOON, begun, check, event_snapshot, play, terms
from tests.support.parts.event_rules import _PLAYS, APPLY, EventEngine, Paid, c, f
from tests.support.refusals import refused


def test_the_state_knows_every_kind_of_fact_and_plays_every_command_and_no_other() -> None:
    assert set(f.KINDS) == set(APPLY)
    assert all(kind == cls.kind == kind.lower() for kind, cls in f.KINDS.items())
    commands = {value for value in vars(c).values() if isinstance(value, type) and issubclass(value, c.Command)}
    assert commands - {c.Command} == set(_PLAYS)


@pytest.mark.parametrize(("kind", "data", "words"), [
    ("exploded", {"at": 1}, "there is no kind of fact called 'exploded'"),
    ("cancelled", {"at": 1}, "cancelled: the field 'reason' is missing"),
    ("cancelled", {"at": 1, "reason": "x", "by": 3}, "cancelled: there is no field 'by' here"),
    ("cancelled", {"at": "now", "reason": "x"}, "cancelled.at: a whole number is wanted, not 'now'"),
    ("seats-drawn", {"at": 1, "seed": 1, "seats": [[1, 2]]}, "seats-drawn.seats.1: a list of 3 is wanted"),
    ("began", {"at": 1, "clock": {"level": 0}}, "began.clock: one of Stopped, Running is wanted"),
    ("entry-kept", {"at": 1, "is_open": 3}, "entry-kept.is_open: true or false is wanted"),
])  # fmt: skip
def test_a_strange_fact_is_refused_by_what_is_wrong_with_it(kind: str, data: dict[str, Any], words: str) -> None:
    assert words in str(refused(ValueError, f.from_json, kind, data))


def test_a_copy_and_its_model_go_their_own_ways(checked: None) -> None:
    event = begun(12)
    twin = event.copy()
    before = event_snapshot(event)
    assert event_snapshot(twin) == before
    play(twin, NOON, c.Bust(((3, 900),)), c.Pause())
    assert event_snapshot(event) == before
    check(twin)


def test_ten_thousand_enter_sit_down_and_are_played_quickly() -> None:
    """Generous bounds: several times what a slow machine needs, and far from anything quadratic."""
    began = time.process_time()
    event = EventEngine.start(terms(conduct="online"), NOON)
    for player in range(1, 10_001):
        event.play(c.Register(player, f"P{player}", Paid(100, 10)), NOON)
    (drawn,) = event.play(c.SeatAll(8), NOON)
    assert len(drawn.seats) == 10_000
    event.play(c.Start(), NOON)
    for number, table in event.tables.items():
        loser, winner = list(table.seats.values())[:2]
        stacks = ((loser, 0), (winner, 10_000))
        event.play(c.HandDone(number, busts=((loser, 5000),), by=(winner,), stacks=stacks), NOON)
    assert event.left == 8750
    assert time.process_time() - began < 5
    began = time.process_time()
    again = EventEngine.replay(event.facts)
    assert (again.left, again.seq) == (8750, event.seq)
    assert time.process_time() - began < 2
    assert again.copy().left == 8750
