"""The clock is a moment that was written down: every reader finds the same level from it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import (
    MINUTE,
    NOON,
    STRUCTURE,
    begun,
    bust,
    event_with_entries,
    level,
    play,
    refused,
    refuses,
    rest,
)
from tests.support.parts.event_rules import AddOnTerms, Clock, Reading, Running, Stopped, Structure, c, clocks

BY_HANDS = Structure((level(1, minutes=0, hands=10), level(2), rest(), level(3)))
BEGUN = clocks.begin(STRUCTURE, NOON)


def read(clock: Clock, minutes: float) -> Reading:
    return clocks.read(clock, STRUCTURE, NOON + round(minutes * MINUTE))


@pytest.mark.parametrize(("minutes", "index", "left"), [
    (0, 0, 20), (19.99, 0, 0.01), (20, 1, 20), (40, 2, 10), (49, 2, 1), (50, 3, 20), (70, 4, 20), (89, 4, 1),
])  # fmt: skip
def test_levels_follow_one_another_without_anything_being_written(minutes: float, index: int, left: float) -> None:
    reading = read(BEGUN, minutes)
    assert (reading.level, reading.remaining_ms, reading.is_break) == (index, round(left * MINUTE), index == 2)
    assert not reading.is_overtime


def test_overtime_of_the_last_level_counts_up_until_it_is_given_time() -> None:
    reading, now = read(BEGUN, 95), NOON + 95 * MINUTE
    assert (reading.level, reading.remaining_ms, reading.next_level) == (4, 0, None)
    assert (reading.is_overtime, reading.overtime_ms) == (True, 5 * MINUTE)
    stopped = clocks.pause(BEGUN, STRUCTURE, now)
    assert read(stopped, 300).overtime_ms == 5 * MINUTE
    assert read(clocks.resume(stopped, STRUCTURE, NOON + 300 * MINUTE), 301).overtime_ms == 6 * MINUTE
    assert read(clocks.add(BEGUN, STRUCTURE, now, 4 * MINUTE), 95).remaining_ms == 4 * MINUTE
    assert read(clocks.add(BEGUN, STRUCTURE, now, -MINUTE), 95).overtime_ms == 6 * MINUTE
    assert read(clocks.set_remaining(BEGUN, STRUCTURE, now, 0), 95).is_overtime


def test_after_a_pause_the_clock_goes_on_with_the_time_that_was_left() -> None:
    stopped = clocks.pause(BEGUN, STRUCTURE, NOON + 25 * MINUTE)
    assert stopped == Stopped(1, 15 * MINUTE)
    assert (read(stopped, 500).remaining_ms, read(stopped, 500).is_paused) == (15 * MINUTE, True)
    on = clocks.resume(stopped, STRUCTURE, NOON + 60 * MINUTE)
    assert (read(on, 60).remaining_ms, read(on, 75).level) == (15 * MINUTE, 2)
    with refused("clock-runs"):
        clocks.resume(BEGUN, STRUCTURE, NOON)
    with refused("clock-paused"):
        clocks.pause(stopped, STRUCTURE, NOON)


def test_time_is_added_and_taken_away_and_with_none_left_the_next_level_begins_whole() -> None:
    now = NOON + 5 * MINUTE
    assert read(clocks.add(BEGUN, STRUCTURE, now, 3 * MINUTE), 5).remaining_ms == 18 * MINUTE
    assert read(clocks.add(BEGUN, STRUCTURE, now, -3 * MINUTE), 5).remaining_ms == 12 * MINUTE
    with refused("clock-range", "0 to 24 hours left"):
        clocks.set_remaining(BEGUN, STRUCTURE, now, -1)
    with refused("clock-range"):
        clocks.add(BEGUN, STRUCTURE, now, 24 * 60 * MINUTE)
    for clock in (clocks.add(BEGUN, STRUCTURE, now, -16 * MINUTE), clocks.set_remaining(BEGUN, STRUCTURE, now, 0)):
        assert clock == Running(1, now + 20 * MINUTE)
    stopped = clocks.pause(BEGUN, STRUCTURE, now)
    assert clocks.add(stopped, STRUCTURE, now, -60 * MINUTE) == Stopped(1, 20 * MINUTE)


def test_any_level_can_be_gone_to_and_a_stopped_clock_stays_stopped() -> None:
    now = NOON + 5 * MINUTE
    assert clocks.jump(BEGUN, STRUCTURE, now, 3) == Running(3, now + 20 * MINUTE)
    assert clocks.jump(Stopped(0, 7), STRUCTURE, now, 2) == Stopped(2, 10 * MINUTE)
    assert clocks.next_level(BEGUN, STRUCTURE, NOON + 45 * MINUTE) == Running(3, NOON + 65 * MINUTE)
    assert clocks.previous_level(BEGUN, STRUCTURE, NOON + 45 * MINUTE) == Running(1, NOON + 65 * MINUTE)
    for wrong in (-1, 5):
        with refused("no-such-level"):
            clocks.jump(BEGUN, STRUCTURE, now, wrong)
    with refused("no-such-level"):
        clocks.previous_level(BEGUN, STRUCTURE, now)
    with refused("no-such-level"):
        clocks.next_level(BEGUN, STRUCTURE, NOON + 200 * MINUTE)


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


def test_the_clock_tells_the_next_break_and_the_next_change_of_stakes() -> None:
    assert (read(BEGUN, 5).next_break_in_ms, read(BEGUN, 45).next_break_in_ms) == (35 * MINUTE, None)
    structure = Structure((level(1), level(2, minutes=0, hands=5), rest(), level(3)))
    clock = clocks.begin(structure, NOON)
    assert clocks.read(clock, structure, NOON).next_break_in_ms is None
    by_hands = clocks.next_level(clock, structure, NOON)
    assert clocks.fit(by_hands, structure, structure, NOON) == by_hands
    assert clocks.next_change(BEGUN, STRUCTURE, NOON + 25 * MINUTE) == NOON + 40 * MINUTE
    assert clocks.next_change(BEGUN, STRUCTURE, NOON + 75 * MINUTE) is None
    assert clocks.next_change(Stopped(0, 5), STRUCTURE, NOON) is None
    assert clocks.next_change(clocks.begin(BY_HANDS, NOON), BY_HANDS, NOON) is None


def test_an_edited_level_keeps_the_time_that_has_passed() -> None:
    now = NOON + 5 * MINUTE
    for changes, ends_at in (
        ({"minutes": 30}, NOON + 30 * MINUTE), ({"minutes": 3}, now), ({"minutes": 0, "hands": 7}, now),
    ):  # fmt: skip
        edited = Structure((level(1, **changes), *STRUCTURE.levels[1:]))
        assert clocks.fit(BEGUN, STRUCTURE, edited, now) == Running(0, ends_at)
    assert clocks.fit(Running(0, now), BY_HANDS, STRUCTURE, now) == Running(0, now + 20 * MINUTE)
    more, late = Structure((*STRUCTURE.levels, level(5), level(6))), NOON + 200 * MINUTE
    reading = clocks.read(clocks.fit(BEGUN, STRUCTURE, more, late), more, late)
    assert (reading.level, reading.remaining_ms) == (5, 20 * MINUTE)


@given(st.lists(st.integers(0, 40 * MINUTE), max_size=12), st.integers(0, 3 * 60 * MINUTE))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_looking_at_a_clock_on_the_way_changes_nothing(looks: list[int], until: int) -> None:
    clock = BEGUN
    for now in sorted(looks):
        clock = clocks.clock_at(clock, STRUCTURE, NOON + now)
    late = NOON + max([until, *looks])
    assert clocks.read(clock, STRUCTURE, late) == clocks.read(BEGUN, STRUCTURE, late)


def test_the_clock_runs_from_the_first_card_or_waits_and_an_undone_pause_was_none(checked: None) -> None:
    event = begun(4)
    assert event.clock == Running(0, NOON + 20 * MINUTE)
    event.play(c.Pause(), NOON + 5 * MINUTE)
    event.play(c.Undo(), NOON + 25 * MINUTE)
    assert event.reading(NOON + 25 * MINUTE).level == 1
    event = begun(4, auto_start=False)
    assert event.clock == Stopped(0, 20 * MINUTE)
    event.play(c.Resume(), NOON + 7 * MINUTE)
    assert event.reading(NOON + 8 * MINUTE).remaining_ms == 19 * MINUTE


@pytest.mark.parametrize(("command", "label", "left"), [
    (c.Pause(), "Clock stopped", (0, 15)), (c.AddTime(90_000), "Clock +1:30", (0, 16.5)),
    (c.AddTime(-60_000), "Clock -1:00", (0, 14)), (c.SetRemaining(3 * MINUTE), "Clock set to 3:00", (0, 3)),
    (c.GoTo(3), "Level 3 begins", (3, 20)), (c.NextLevel(), "Level 2 begins", (1, 20)),
    (c.GoTo(2), "Break 1 begins", (2, 10)), (c.GoTo(0), "Level 1 begins", (0, 20)),
])  # fmt: skip
def test_every_order_about_the_clock_has_its_label_and_can_be_undone(command, label, left, checked: None) -> None:
    event = begun(4)
    now = NOON + 5 * MINUTE
    event.play(command, now)
    reading = event.reading(now)
    assert (event.undo_label, (reading.level, reading.remaining_ms / MINUTE)) == (label, left)
    event.play(c.Undo(), now)
    assert event.clock == Running(0, NOON + 20 * MINUTE)


def test_the_clock_stands_still_before_the_start_and_after_the_end() -> None:
    event = event_with_entries(2)
    reading = event.reading(NOON - 5 * MINUTE)
    assert (reading.level, reading.remaining_ms, reading.is_paused) == (0, 20 * MINUTE, True)
    refuses(event, c.Pause(), NOON, "is-registering", "not in the air yet")
    play(event, NOON, c.SeatAll(1), c.Start())
    refuses(event, c.AddTime(0), NOON, "nothing-to-do")
    bust(event, 1, now=NOON + 25 * MINUTE)
    assert (event.level(NOON + 500 * MINUTE), event.reading(NOON + 500 * MINUTE).remaining_ms) == (1, 15 * MINUTE)
    event.play(c.Undo(), NOON + 30 * MINUTE)
    assert event.reading(NOON + 30 * MINUTE).remaining_ms == 10 * MINUTE


def test_a_hand_is_played_for_the_level_in_which_it_begins() -> None:
    event = begun(4)
    stakes = [event.stakes(NOON + minutes * MINUTE).small_bet for minutes in (19, 20, 45)]
    assert stakes == [100, 200, 300]
    event.play(c.PreviousLevel(), NOON + 25 * MINUTE)
    assert event.clock == Running(0, NOON + 45 * MINUTE)


def test_levels_by_hands_are_counted(checked: None) -> None:
    event = begun(4, structure=Structure((level(1, minutes=0, hands=3), level(2))))
    event.play(c.HandsPlayed(2), NOON)
    assert event.reading(NOON).hands_left == 1
    event.play(c.HandsPlayed(), NOON + MINUTE)
    assert (event.reading(NOON + MINUTE).level, event.play(c.HandsPlayed(), NOON + MINUTE)) == (1, ())
    refuses(event, c.HandsPlayed(0), NOON + MINUTE, "nothing-to-do")


def test_levels_to_come_are_edited_and_played_ones_stay(checked: None) -> None:
    event = begun(4)
    now = NOON + 25 * MINUTE
    refuses(event, c.EditLevels(0, STRUCTURE.levels), now, "level-played", "Level 1 has been played")
    for levels in ((), (rest(), level(3))):
        refuses(event, c.EditLevels(1, levels), now, "level-played", "Level 2 is being played")
    event.play(c.EditLevels(1, (level(2, minutes=30), level(3))), now)
    assert event.undo_label == "Levels edited from Level 2"
    assert (event.reading(now).level, event.reading(now).remaining_ms) == (1, 25 * MINUTE)
    assert len(event.structure.levels) == 3
    event.play(c.Undo(), now)
    assert event.structure == STRUCTURE


def test_an_edit_that_cannot_be_played_is_refused() -> None:
    event = begun(4, add_on=AddOnTerms(1000))
    refuses(event, c.EditLevels(3, (level(1),)), NOON, "structure-fall", "Level 3")
    refuses(event, c.EditLevels(6, (level(9),)), NOON, "no-such-level")
    refuses(event, c.EditLevels(2, (level(3),)), NOON, "config", "break 1; the structure has 0")
    event.play(c.EditLevels(5, (level(5), level(6))), NOON)
    assert event.undo_label == "Levels edited from the end"


def test_before_the_start_every_level_is_free(checked: None) -> None:
    event = event_with_entries(3)
    event.play(c.EditLevels(0, (level(1, minutes=5), level(2))), NOON - MINUTE)
    play(event, NOON, c.SeatAll(1), c.Start())
    assert event.clock == Running(0, NOON + 5 * MINUTE)


def test_a_level_edited_away_after_it_began_stops_the_undo_of_what_made_it(checked: None) -> None:
    event = begun(4, conduct="online")
    play(event, NOON, c.EditLevels(5, (level(5),)), c.GoTo(5), c.Undo(), c.Undo())
    assert event.structure == STRUCTURE
