"""The clock and the levels as the director changes them, in a tournament that is being played."""

import pytest

from tests.support.directing import MINUTE, NOON, STRUCTURE, begun, bust, check, entered, level, play, refuses, rest
from tests.support.parts.event_rules import AddOn, Running, Stopped, Structure, c


def test_the_clock_runs_from_the_first_card_or_waits_for_the_director() -> None:
    assert begun(4).clock == Running(0, NOON + 20 * MINUTE)
    event = begun(4, auto_start=False)
    assert event.clock == Stopped(0, 20 * MINUTE)
    event.play(c.Resume(), NOON + 7 * MINUTE)
    assert event.reading(NOON + 8 * MINUTE).remaining_ms == 19 * MINUTE


def test_undoing_a_pause_goes_on_as_if_there_had_been_none(checked: None) -> None:
    event = begun(4)
    event.play(c.Pause(), NOON + 5 * MINUTE)
    event.play(c.Undo(), NOON + 25 * MINUTE)
    assert event.reading(NOON + 25 * MINUTE).level == 1


@pytest.mark.parametrize(("command", "label", "left"), [
    (c.Pause(), "Clock stopped", (0, 15)), (c.AddTime(90_000), "Clock +1:30", (0, 16.5)),
    (c.AddTime(-60_000), "Clock -1:00", (0, 14)), (c.SetRemaining(3 * MINUTE), "Clock set to 3:00", (0, 3)),
    (c.GoTo(3), "Level 3 begins", (3, 20)), (c.NextLevel(), "Level 2 begins", (1, 20)),
    (c.GoTo(2), "Break 1 begins", (2, 10)), (c.GoTo(0), "Level 1 begins", (0, 20)),
])  # fmt: skip
def test_every_order_about_the_clock_has_its_label_and_can_be_undone(
    command: c.Command, label: str, left: tuple[int, float]
) -> None:
    event = begun(4)
    now = NOON + 5 * MINUTE
    event.play(command, now)
    reading = event.reading(now)
    assert (event.undo_label, (reading.level, reading.remaining_ms / MINUTE)) == (label, left)
    event.play(c.Undo(), now)
    assert event.clock == Running(0, NOON + 20 * MINUTE)
    check(event)


def test_the_wall_shows_the_first_level_before_the_start_and_stands_still_after_the_end() -> None:
    event = entered(2)
    reading = event.reading(NOON - 5 * MINUTE)
    assert (reading.level, reading.remaining_ms, reading.is_paused) == (0, 20 * MINUTE, True)
    refuses(event, c.Pause(), NOON, "is-registering", "not in the air yet")
    play(event, NOON, c.SeatAll(1), c.Start())
    refuses(event, c.AddTime(0), NOON, "nothing-to-do")
    bust(event, 1, now=NOON + 25 * MINUTE)
    assert (event.level(NOON + 500 * MINUTE), event.reading(NOON + 500 * MINUTE).remaining_ms) == (1, 15 * MINUTE)
    event.play(c.Undo(), NOON + 30 * MINUTE)
    assert event.reading(NOON + 30 * MINUTE).remaining_ms == 10 * MINUTE


def test_a_hand_is_played_for_the_level_in_which_it_begins_and_a_level_can_be_begun_again() -> None:
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
    event = begun(4, add_on=AddOn(1000))
    refuses(event, c.EditLevels(3, (level(1),)), NOON, "structure-fall", "Level 3")
    refuses(event, c.EditLevels(6, (level(9),)), NOON, "no-such-level")
    refuses(event, c.EditLevels(2, (level(3),)), NOON, "config", "break 1; the structure has 0")
    event.play(c.EditLevels(5, (level(5), level(6))), NOON)
    assert event.undo_label == "Levels edited from the end"


def test_before_the_start_every_level_is_free(checked: None) -> None:
    event = entered(3)
    event.play(c.EditLevels(0, (level(1, minutes=5), level(2))), NOON - MINUTE)
    play(event, NOON, c.SeatAll(1), c.Start())
    assert event.clock == Running(0, NOON + 5 * MINUTE)


def test_a_level_edited_away_after_it_began_stops_the_undo_of_what_made_it(checked: None) -> None:
    event = begun(4, conduct="online")
    play(event, NOON, c.EditLevels(5, (level(5),)), c.GoTo(5), c.Undo(), c.Undo())
    assert event.structure == STRUCTURE
