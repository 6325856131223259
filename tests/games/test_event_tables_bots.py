"""Bots at the tables of an event: several turns at a ringing where nobody looks, and slower when the house is busy."""

import math
from datetime import timedelta

import pytest

from games.engine import commands
from games.tables.models.tables import HandFact
from tests.support.event_tables import directed, open_event
from tests.support.parts.games import choosing, clocks, table_journal
from tests.support.worlds import world

pytestmark = pytest.mark.usefixtures("director", "seeded_bots")


@world
def table():
    """A table of four bots, a hand dealt."""
    (one,) = open_event(8)
    one.seat_bots(4)
    with directed():
        return one.release().deal()


def turns_taken(table):
    """How many commands were played in the hands so far."""
    return HandFact.objects.filter(hand__table=table.pk).exclude(command_id="").values("hand", "command_id").distinct()


@pytest.mark.parametrize("turns", [1, 4, 50])
def test_where_nobody_looks_so_many_turns_are_taken_at_one_ringing(table, settings, turns, audited):
    settings.CARDROOM_BOT_TURNS = turns
    rings, hand = 0, table.table.hand_id
    while table.table.hand_id == hand:
        assert table.wake()
        rings += 1
    assert rings == math.ceil(turns_taken(table).count() / turns)
    while table.hands_ended < 2:
        assert table.wake()


def test_bots_play_one_by_one_while_somebody_looks(table):
    clocks.note([table.pk], now=table.now)
    table.wake()
    assert turns_taken(table).count() == 1
    table.later(minutes=1).wake()
    assert turns_taken(table).count() > 1, "the reader is gone by now"
    for seconds in (0, 3, 3):
        clocks.note([table.pk], now=table.later(seconds=seconds).now)
    assert clocks.is_watched(table.pk, now=table.now)
    assert not clocks.is_watched(table.pk, now=table.now + timedelta(minutes=1))


def test_with_a_person_in_the_hand_the_bots_play_one_by_one(director):
    (one,) = open_event(8)
    one.seat_bots(3)
    one.seat_people("ann")
    one.release().deal()
    while not one.to_act.is_bot:
        one.check_or_call()
    before = turns_taken(one).count()
    one.wake()
    assert turns_taken(one).count() == before + 1


def test_a_bot_that_fails_in_the_middle_is_left_to_its_clock(table, monkeypatch, audited):
    real, asked = choosing.choose, []

    def choose(**given):
        asked.append(given["seat"])
        if len(asked) < 3:
            return real(**given)
        return commands.BringIn(given["seat"])  # which was posted long ago

    monkeypatch.setattr(choosing, "choose", choose)
    assert table.wake()
    assert turns_taken(table).count() == 2
    row = table.table
    assert row.wake_at == row.deadline
    monkeypatch.setattr(choosing, "choose", real)
    assert table.wake()
    assert "timed-out" in [fact.kind for fact in table_journal.facts(row.hand_id)]


def ring(table, *, late, times, every=1.0):
    """So many alarms of an event, one every second or so, each so late."""
    for _ in range(times):
        table.later(seconds=every)
        clocks.note_alarm(table.now - timedelta(seconds=late), now=table.now)


def test_late_alarms_make_only_event_bots_think_longer(table, settings, open_table):
    room = open_table(bots=3, bots_wait_for_people=False).deal()

    def longest(at=table):
        return max(clocks.thinks(at.table) for _ in range(50))

    ring(table, late=0.2, times=50)
    assert longest() <= timedelta(seconds=1.5), "so late is every alarm"
    ring(table, late=0.6, times=3)
    assert timedelta(seconds=2) < longest() < timedelta(seconds=4)
    ring(table, late=3600, times=200)
    assert clocks.slowness() == settings.CARDROOM_BOT_SLOWEST
    assert longest(at=room) <= timedelta(seconds=1.5)
    ring(table, late=0.1, times=600)
    assert clocks.slowness() < 1.01, "the house has caught up"
    ring(table, late=0.6, times=100, every=0.001)
    assert clocks.slowness() < 1.4, "alarms that were late together are one warning"
