"""The clock is a moment that was written down: every reader finds the same level from it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import MINUTE, NOON, STRUCTURE, level, refused, rest
from tests.support.parts.event_rules import Clock, Reading, Running, Stopped, Structure, clocks

BY_HANDS = Structure((level(1, minutes=0, hands=10), level(2), rest(), level(3)))


def read(clock: Clock, minutes: float) -> Reading:
    return clocks.read(clock, STRUCTURE, NOON + round(minutes * MINUTE))


def begun() -> Clock:
    return clocks.begin(STRUCTURE, NOON)


@pytest.mark.parametrize(("minutes", "index", "left"), [
    (0, 0, 20), (19.99, 0, 0.01), (20, 1, 20), (40, 2, 10), (49, 2, 1), (50, 3, 20), (70, 4, 20), (89, 4, 1),
])  # fmt: skip
def test_levels_follow_one_another_without_anything_being_written(minutes: float, index: int, left: float) -> None:
    reading = read(begun(), minutes)
    assert (reading.level, reading.remaining_ms, reading.is_break) == (index, round(left * MINUTE), index == 2)
    assert not reading.is_overtime


def test_the_last_level_stays_and_its_overtime_counts_up_until_it_is_given_time_and_not_in_a_pause() -> None:
    reading, now = read(begun(), 95), NOON + 95 * MINUTE
    assert (reading.level, reading.remaining_ms, reading.next_level) == (4, 0, None)
    assert (reading.is_overtime, reading.overtime_ms) == (True, 5 * MINUTE)
    stopped = clocks.pause(begun(), STRUCTURE, now)
    assert read(stopped, 300).overtime_ms == 5 * MINUTE
    assert read(clocks.resume(stopped, STRUCTURE, NOON + 300 * MINUTE), 301).overtime_ms == 6 * MINUTE
    assert read(clocks.add(begun(), STRUCTURE, now, 4 * MINUTE), 95).remaining_ms == 4 * MINUTE
    assert read(clocks.add(begun(), STRUCTURE, now, -MINUTE), 95).overtime_ms == 6 * MINUTE
    assert read(clocks.set_remaining(begun(), STRUCTURE, now, 0), 95).is_overtime


def test_a_pause_keeps_what_is_left_and_the_clock_goes_on_with_it_and_neither_is_done_twice() -> None:
    stopped = clocks.pause(begun(), STRUCTURE, NOON + 25 * MINUTE)
    assert stopped == Stopped(1, 15 * MINUTE)
    assert (read(stopped, 500).remaining_ms, read(stopped, 500).is_paused) == (15 * MINUTE, True)
    on = clocks.resume(stopped, STRUCTURE, NOON + 60 * MINUTE)
    assert (read(on, 60).remaining_ms, read(on, 75).level) == (15 * MINUTE, 2)
    with refused("clock-runs"):
        clocks.resume(begun(), STRUCTURE, NOON)
    with refused("clock-paused"):
        clocks.pause(stopped, STRUCTURE, NOON)


def test_time_is_added_and_taken_away_and_with_none_left_the_next_level_begins_whole() -> None:
    now = NOON + 5 * MINUTE
    assert read(clocks.add(begun(), STRUCTURE, now, 3 * MINUTE), 5).remaining_ms == 18 * MINUTE
    assert read(clocks.add(begun(), STRUCTURE, now, -3 * MINUTE), 5).remaining_ms == 12 * MINUTE
    with refused("clock-range", "0 to 24 hours left"):
        clocks.set_remaining(begun(), STRUCTURE, now, -1)
    with refused("clock-range"):
        clocks.add(begun(), STRUCTURE, now, 24 * 60 * MINUTE)
    for clock in (clocks.add(begun(), STRUCTURE, now, -16 * MINUTE), clocks.set_remaining(begun(), STRUCTURE, now, 0)):
        assert clock == Running(1, now + 20 * MINUTE)
    stopped = clocks.pause(begun(), STRUCTURE, now)
    assert clocks.add(stopped, STRUCTURE, now, -60 * MINUTE) == Stopped(1, 20 * MINUTE)


def test_any_level_can_be_gone_to_and_a_stopped_clock_stays_stopped() -> None:
    now = NOON + 5 * MINUTE
    assert clocks.jump(begun(), STRUCTURE, now, 3) == Running(3, now + 20 * MINUTE)
    assert clocks.jump(Stopped(0, 7), STRUCTURE, now, 2) == Stopped(2, 10 * MINUTE)
    assert clocks.next_level(begun(), STRUCTURE, NOON + 45 * MINUTE) == Running(3, NOON + 65 * MINUTE)
    assert clocks.previous_level(begun(), STRUCTURE, NOON + 45 * MINUTE) == Running(1, NOON + 65 * MINUTE)
    for wrong in (-1, 5):
        with refused("no-such-level"):
            clocks.jump(begun(), STRUCTURE, now, wrong)
    with refused("no-such-level"):
        clocks.previous_level(begun(), STRUCTURE, now)
    with refused("no-such-level"):
        clocks.next_level(begun(), STRUCTURE, NOON + 200 * MINUTE)


def test_a_level_by_hands_does_not_end_by_time() -> None:
    clock = clocks.begin(BY_HANDS, NOON)
    assert clocks.read(clock, BY_HANDS, NOON + 900 * MINUTE) == Reading(
        0, 0, False, False, False, 0, 1, None, hands_left=10
    )
    clock = clocks.count_hands(clock, BY_HANDS, NOON + MINUTE, 9)
    clock = clocks.resume(clocks.pause(clock, BY_HANDS, NOON + MINUTE), BY_HANDS, NOON + MINUTE)
    assert clocks.read(clock, BY_HANDS, NOON + MINUTE).hands_left == 1
    clock = clocks.count_hands(clock, BY_HANDS, NOON + 2 * MINUTE, 1)
    assert clock == Running(1, NOON + 22 * MINUTE)
    assert clocks.count_hands(clock, BY_HANDS, NOON + 3 * MINUTE, 5) == clock
    with refused("level-by-hands"):
        clocks.add(clocks.begin(BY_HANDS, NOON), BY_HANDS, NOON, MINUTE)


def test_the_next_break_is_told_until_there_is_none_and_not_beyond_a_level_by_hands() -> None:
    assert (read(begun(), 5).next_break_in_ms, read(begun(), 45).next_break_in_ms) == (35 * MINUTE, None)
    structure = Structure((level(1), level(2, minutes=0, hands=5), rest(), level(3)))
    clock = clocks.begin(structure, NOON)
    assert clocks.read(clock, structure, NOON).next_break_in_ms is None
    by_hands = clocks.next_level(clock, structure, NOON)
    assert clocks.fit(by_hands, structure, structure, NOON) == by_hands


def test_the_next_change_is_known_or_there_is_none() -> None:
    assert clocks.next_change(begun(), STRUCTURE, NOON + 25 * MINUTE) == NOON + 40 * MINUTE
    assert clocks.next_change(begun(), STRUCTURE, NOON + 75 * MINUTE) is None
    assert clocks.next_change(Stopped(0, 5), STRUCTURE, NOON) is None
    assert clocks.next_change(clocks.begin(BY_HANDS, NOON), BY_HANDS, NOON) is None


def test_an_edited_level_keeps_what_has_passed_of_it_and_one_added_in_overtime_begins_now() -> None:
    now = NOON + 5 * MINUTE
    for changes, ends_at in (
        ({"minutes": 30}, NOON + 30 * MINUTE), ({"minutes": 3}, now), ({"minutes": 0, "hands": 7}, now),
    ):  # fmt: skip
        edited = Structure((level(1, **changes), *STRUCTURE.levels[1:]))
        assert clocks.fit(begun(), STRUCTURE, edited, now) == Running(0, ends_at)
    assert clocks.fit(Running(0, now), BY_HANDS, STRUCTURE, now) == Running(0, now + 20 * MINUTE)
    more, late = Structure((*STRUCTURE.levels, level(5), level(6))), NOON + 200 * MINUTE
    reading = clocks.read(clocks.fit(begun(), STRUCTURE, more, late), more, late)
    assert (reading.level, reading.remaining_ms) == (5, 20 * MINUTE)


@given(st.lists(st.integers(0, 40 * MINUTE), max_size=12), st.integers(0, 3 * 60 * MINUTE))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_looking_at_a_clock_on_the_way_changes_nothing(looks: list[int], until: int) -> None:
    clock = begun()
    for now in sorted(looks):
        clock = clocks.walked(clock, STRUCTURE, NOON + now)
    late = NOON + max([until, *looks])
    assert clocks.read(clock, STRUCTURE, late) == clocks.read(begun(), STRUCTURE, late)
