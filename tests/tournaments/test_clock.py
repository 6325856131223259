"""The director's hand on the clock."""

import pytest

from cardroom.services.errors import Forbidden, Illegal, Invalid
from tests.support.events import Event, order
from tests.support.worlds import world
from tournaments.services import clock, floor

MINUTE = 60_000


@world
def event():
    """Four players; levels of 15 minutes, the break is the third entry."""
    return Event().started(4)


def shown(event):
    """(level, minutes left, does it stand)"""
    reading = event.state.reading(int(event.now.timestamp() * 1000))
    return reading.level, reading.remaining_ms / MINUTE, reading.is_paused


def test_a_pause_stops_time_and_the_clock_goes_on_from_there(event):
    event.wait(minutes=5)
    clock.pause(**order(event))
    assert (event.row.state, event.row.wake_at) == ("paused", None)
    event.wait(hours=3)
    assert shown(event) == (0, 10, True)
    clock.resume(**order(event))
    event.wait(minutes=4)
    assert (event.row.state, shown(event)) == ("running", (0, 6, False))
    with pytest.raises(Illegal, match="runs already"):
        clock.resume(**order(event))


def test_time_is_given_and_taken_and_the_alarm_follows(event):
    clock.add_time(ms=5 * MINUTE, **order(event))
    assert shown(event) == (0, 20, False)
    assert (event.row.wake_at - event.now).total_seconds() == 20 * 60
    clock.set_remaining(ms=2 * MINUTE, **order(event))
    assert shown(event) == (0, 2, False)
    clock.add_time(ms=-3 * MINUTE, **order(event))
    assert shown(event) == (1, 15, False)
    with pytest.raises(Invalid, match="whole number"):
        clock.add_time(ms=1.5, **order(event))


@pytest.mark.smoke
def test_levels_are_gone_to_forward_and_back(event):
    clock.next_level(**order(event))
    clock.next_level(**order(event))
    assert (shown(event), event.row.level) == ((2, 10, False), 2)
    clock.previous_level(**order(event))
    assert shown(event) == (1, 15, False)
    clock.go_to(level=4, **order(event))
    assert shown(event) == (4, 15, False)
    with pytest.raises(Illegal, match="last level"):
        clock.next_level(**order(event))
    floor.undo(**order(event))
    assert shown(event) == (1, 15, False)


def test_only_levels_that_were_not_played_are_edited(event):
    event.wait(minutes=20)
    longer = {"minutes": 30, "ante": 20, "bring_in": 40, "small_bet": 160, "big_bet": 320}
    clock.edit_levels(from_level=3, levels=[longer], **order(event))
    assert [level.minutes for level in event.state.structure.levels] == [15, 15, 10, 30]
    with pytest.raises(Illegal, match="Level 1 has been played"):
        clock.edit_levels(from_level=0, levels=[longer], **order(event))
    with pytest.raises(Illegal, match="falls from"):
        clock.edit_levels(from_level=3, levels=[longer | {"ante": 1}], **order(event))
    with pytest.raises(Invalid, match="level"):
        clock.edit_levels(from_level=3, levels=[longer | {"anti": 1}], **order(event))
    assert shown(event) == (1, 10, False)


def test_a_clock_that_does_not_start_by_itself_is_started_by_the_director(make_event):
    event = make_event(auto_start=False).started(3)
    event.wait(minutes=30)
    assert shown(event) == (0, 15, True)
    clock.start(**order(event))
    event.wait(minutes=1)
    assert shown(event) == (0, 14, False)


def test_the_clock_is_for_directors(event):
    for role in ("dealer", "floor", "cashier"):
        with pytest.raises(Forbidden):
            clock.pause(**order(event, by=event.staff(role)))


def test_before_registration_opens_there_is_no_clock(make_event):
    event = make_event()
    with pytest.raises(Illegal, match="not opened yet"):
        clock.pause(**order(event))
