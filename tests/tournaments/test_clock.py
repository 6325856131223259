"""The director's hand on the clock; what each order comes to is tested with the engine."""

import pytest

from cardroom.core.errors import Illegal, Invalid
from tests.support.events import Event, order
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.directing import hands, seats

MINUTE = 60_000


@world
def event():
    """Four players; levels of 15 minutes, the break is the third entry."""
    return Event().started(4)


def shown(event):
    """(level, minutes left, does it stand)"""
    reading = event.state.reading(int(event.now.timestamp() * 1000))
    return reading.level, reading.remaining_ms / MINUTE, reading.is_paused


def test_a_pause_stops_time_and_every_order_moves_the_alarm(event):
    event.wait(minutes=5)
    hands.pause(**order(event))
    assert (event.row.state, event.row.wake_at) == ("paused", None)
    event.wait(hours=3)
    assert shown(event) == (0, 10, True)
    hands.resume(**order(event))
    event.wait(minutes=4)
    assert (event.row.state, shown(event)) == ("running", (0, 6, False))
    hands.add_time(ms=5 * MINUTE, **order(event))
    assert (shown(event), (event.row.wake_at - event.now).total_seconds()) == ((0, 11, False), 11 * 60)
    hands.set_remaining(ms=2 * MINUTE, **order(event))
    assert shown(event) == (0, 2, False)
    hands.add_time(ms=-3 * MINUTE, **order(event))
    assert shown(event) == (1, 15, False)
    refused(Invalid, "whole number", lambda: hands.add_time(ms=1.5, **order(event)))


@pytest.mark.smoke
def test_levels_are_gone_to_forward_and_back_and_only_those_to_come_are_edited(event):
    hands.next_level(**order(event))
    hands.next_level(**order(event))
    assert (shown(event), event.row.level) == ((2, 10, False), 2)
    longer = {"minutes": 30, "ante": 20, "bring_in": 40, "small_bet": 160, "big_bet": 320}
    hands.edit_levels(from_level=3, levels=[longer], **order(event))
    assert [level.minutes for level in event.state.structure.levels] == [15, 15, 10, 30]
    for wrong, refusal, words in (({"ante": 1}, Illegal, "falls from"), ({"anti": 1}, Invalid, "level")):
        with pytest.raises(refusal, match=words):
            hands.edit_levels(from_level=3, levels=[longer | wrong], **order(event))
    hands.previous_level(**order(event))
    hands.go_to(level=3, **order(event))
    assert shown(event) == (3, 30, False)
    refused(Illegal, "last level", lambda: hands.next_level(**order(event)))
    seats.undo(**order(event))
    assert shown(event) == (1, 15, False)


def test_a_clock_that_does_not_start_by_itself_is_started_by_the_director(make_event):
    event = make_event(auto_start=False).started(3)
    event.wait(minutes=30)
    assert shown(event) == (0, 15, True)
    hands.start(**order(event))
    assert shown(event) == (0, 15, False)
