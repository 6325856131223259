"""However large the field: a few statements for each table that is drawn, evened or broken up, and few for one hand."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.play import receivers
from tests.support.online import OnlineEvent
from tests.support.parts.tournaments import Hall, playing, seating
from tests.support.worlds import world
from tournaments.engine.commands import Balance, BreakTable, Penalise

PER_TABLE = 6
PER_HAND = 45


def statements(do):
    with CaptureQueriesContext(connection) as captured:
        do()
    return len(captured)


def move(event, command):
    """One command, and the tables of the room after it."""
    with playing.holding(event.pk, now=event.now) as locked:
        playing.play(locked, command, now=event.now)
        seating.follow_facts(locked, Hall(locked), now=event.now)


def draw(tables):
    event = OnlineEvent(3 * tables, seats=3, starting_stack=4000)
    return event, statements(event.start)


def take_off(event, tables):
    """One player of each of these is disqualified; nobody evens it out."""
    with playing.holding(event.pk, now=event.now) as locked:
        gone = [next(iter(locked.state.tables[number].seats.values())) for number in tables]
        for entrant in gone:
            playing.play(locked, Penalise(entrant, "disqualified", reason="for the test"), now=event.now)
        seating.follow_facts(locked, Hall(locked), now=event.now)


@world
def large():
    """An event with nine tables drawn, and the statements that it took."""
    return draw(9)


def test_tables_are_drawn_evened_and_broken_up_by_a_few_statements_each(large):
    event, many = large
    _, few = draw(3)
    assert many - few <= 6 * PER_TABLE
    take_off(event, [1, 2, 3, 4])
    take_off(event, [1, 2])
    assert statements(lambda: move(event, Balance())) <= 4 * PER_TABLE + 20
    event.check()
    take_off(event, [5, 6, 7])
    assert statements(lambda: move(event, BreakTable(9, 7))) <= 4 * PER_TABLE + 20
    event.check()
    assert 9 not in event.tables


def test_between_two_hands_it_takes_few_where_there_are_many_tables(large):
    event, _ = large
    event.play_on(lambda event: any(table.last_hand_id and not table.hand_id for table in event.tables.values()))
    idle = next(table for table in event.tables.values() if table.last_hand_id and not table.hand_id)
    event.now = idle.wake_at
    assert statements(lambda: receivers.wake(table_id=idle.pk, fence=None, now=event.now)) <= PER_HAND
    idle.refresh_from_db()
    assert idle.hand_id is not None
