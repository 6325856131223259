"""Online events run by the house: tables made, filled, evened and broken up between hands, breaks and pauses."""

from collections import defaultdict
from datetime import timedelta

from games.engine.facts.play import PotAwarded
from games.tables.models.tables import Table
from tests.support.events import order
from tests.support.online import QUICK, OnlineEvent, stakes_dealt, stakes_due
from tests.support.parts.event_rules import FinalTableDrawn, HandFinished, Level, Pause, Resume, Structure
from tests.support.parts.games import receivers, table_journal
from tests.support.parts.tournaments import event_clock, penalties, registration

#: A hand or two a level, not a hundred.
SLOW = {"pause_seconds": 30}


def are_dealing(event):
    return all(table.hand_id for table in event.tables.values())


def test_every_hand_has_the_stakes_of_the_level_in_which_it_began():
    event = OnlineEvent(3, seats=6, starting_stack=2000, options=SLOW).start()
    event.play_on(lambda event: event.row.level == 2)
    antes = []
    for hand in event.hands():
        minutes = (hand.started_at - event.row.started_at) // timedelta(minutes=1)
        level = QUICK.levels[min(minutes, len(QUICK.levels) - 1)]
        assert stakes_dealt(hand) == (level.ante, level.bring_in, level.small_bet, level.big_bet)
        antes.append(level.ante)
        facts = table_journal.facts(hand.pk)
        assert facts[0].unit == 20, "stacks of 400, stakes of 40, 100 and 200"
        assert all(fact.amount % 20 == 0 for fact in facts if isinstance(fact, PotAwarded))
    assert antes == sorted(antes)
    assert len(set(antes)) > 1, "more than one level was played"


def test_whoever_is_moved_is_told_from_where_to_where_and_why():
    event = OnlineEvent(4, people=1, seats=4, starting_stack=40_000, act_seconds=1, time_bank_seconds=0).start()
    (ann,) = event.people
    penalties.disqualify(entrant=event.number(event.bots[0]), reason="threw a chair", **order(event))
    event.play_on(lambda event: event.facts(FinalTableDrawn))
    drawn = {entrant: (table, seat) for entrant, table, seat in event.facts(FinalTableDrawn)[0].seats}
    table, seat = drawn[event.number(ann)]
    assert any(f"table {table}" in notice.text and f"seat {seat}" in notice.text for notice in ann.notices.all())


def test_an_alarm_of_a_table_that_rings_twice_does_everything_once(audited):
    event = OnlineEvent(4, seats=2, starting_stack=200).start()
    while event.row.is_live:
        due = event.due()[0]
        assert event.ring(due)
        before = event.row.seq, event.seats, len(event.hands())
        if due.kind == "table":
            receivers.wake(table_id=int(due.key), fence=due.fence, now=event.now)
            assert (event.row.seq, event.seats, len(event.hands())) == before
    assert (event.seats, event.issued) == ({}, 0)


def test_a_late_player_gets_a_full_stack_and_is_dealt_in_next():
    event = OnlineEvent(3, seats=4, max_entrants=4, late_level=5).start()
    event.play_on(lambda event: event.tables[1].hand_id)
    late, waiting = event.enter_bot(), event.enter_bot()
    event.check()
    assert (event.chips()[late.pk], waiting.pk in event.seats) == (400, False)
    hand = event.tables[1].hand_id
    assert late.pk not in [row["player"] for row in event.tables[1].hand.seats.values()]
    event.play_on(lambda event: event.tables[1].hand_id not in (hand, None))
    assert late.pk in [row["player"] for row in event.tables[1].hand.seats.values()]
    event.play_on(lambda event: event.seats.get(waiting.pk))
    event.check()
    assert (event.chips()[waiting.pk], len(event.state.entrants)) == (400, 5)


def test_a_table_is_opened_for_a_player_when_all_are_full_and_others_join_them():
    event = OnlineEvent(8, seats=4, late_level=2, starting_stack=40_000).start()
    late = event.enter_bot()
    assert event.seats[late.pk][0] == 3
    event.check()
    event.play_on(lambda event: len(event.state.tables[3].seats) == 3)
    event.play_on(lambda event: event.tables[3].hand_id)
    assert sorted(len(table.seats) for table in event.state.tables.values()) == [3, 3, 3]


def test_a_table_that_emptied_while_entry_was_open_closes_with_it():
    event = OnlineEvent(3, seats=2, late_level=2, starting_stack=40_000, options=SLOW).start()
    (alone,) = (one.number for one in event.state.in_play() if len(event.state.tables[one.table].seats) == 1)
    penalties.disqualify(entrant=alone, reason="threw a chair", **order(event))
    assert sorted(len(table.seats) for table in event.state.tables.values()) == [0, 2]
    event_clock.keep_entry_open(on=False, **order(event))
    event.play_on(lambda event: event.hands() and len(event.tables) == 1, most=50)


def test_who_is_out_and_enters_again_sits_down_with_another_stack():
    away = {"starting_stack": 100, "act_seconds": 1, "time_bank_seconds": 0}
    event = OnlineEvent(people=6, seats=3, late_level=5, re_entries=1, **away).start()
    event.play_on(lambda event: len(event.seats) < 6)
    gone = next(player for player in event.people if player.pk not in event.seats)
    registration.re_enter(tournament_id=event.pk, by=gone, player=gone, now=event.now)
    event.check()
    assert event.chips()[gone.pk] == 100


def test_in_a_break_no_hand_begins_and_after_it_every_table_deals():
    structure = Structure((QUICK.levels[0], Level(kind="break", minutes=5), *QUICK.levels[1:]))
    event = OnlineEvent(4, seats=2, structure=structure, starting_stack=40_000, options=SLOW).start()
    began = event.row.started_at
    ends = began + timedelta(minutes=6)
    event.play_until(ends - timedelta(seconds=1))
    assert [(table.hand_id, table.wake_at) for table in event.tables.values()] == [(None, None)] * 2
    assert max(hand.started_at for hand in event.hands()) < began + timedelta(minutes=1)
    event.play_until(ends + timedelta(seconds=30))
    later = [hand for hand in event.hands() if hand.started_at >= ends]
    assert {hand.table_id for hand in later} == {table.pk for table in event.tables.values()}
    assert stakes_dealt(later[0]) == stakes_due(event, later[0])


def test_a_pause_lets_hands_end_and_holds_the_tables_until_it_is_over():
    event = OnlineEvent(8, seats=4, starting_stack=40_000).start().play_on(are_dealing)
    event.play(Pause())
    assert are_dealing(event)
    event.play_on(lambda event: not event.due())
    assert [table.hand_id for table in event.tables.values()] == [None, None]
    assert len(event.facts(HandFinished)) == 2, "their last hands are in the books"
    event.wait(minutes=30).play(Resume())
    event.play_on(are_dealing)


def test_time_banks_are_refilled_with_every_level():
    event = OnlineEvent(3, people=1, seats=4, starting_stack=40_000, bank_refill_per_level=7).start()
    seat = Table.objects.get(event=event.row.unit).seats.get(player=event.people[0])
    assert seat.time_bank_ms == 60_000
    event.play(Pause())
    event.wait(seconds=1).play(Resume())
    event.wait(minutes=1).play_on(lambda event: event.row.level == 1)
    clock = event.tables[1].clocks.get(str(seat.number))
    seat.refresh_from_db()
    assert (clock[0] if isinstance(clock, list) else clock["bank"]) if clock else seat.time_bank_ms == 67_000


def test_a_level_by_hands_lasts_so_many_of_the_table_that_is_ahead():
    by_hands = Structure(tuple(Level(hands=2, ante=n, bring_in=n, small_bet=40, big_bet=80) for n in (1, 2, 3)))
    event = OnlineEvent(4, seats=2, structure=by_hands, starting_stack=8000).start()
    event.play_on(lambda event: event.row.level == 2)
    antes = defaultdict(list)
    for hand in event.hands():
        antes[hand.table_id].append(stakes_dealt(hand)[0])
    assert all(of_table == sorted(of_table) for of_table in antes.values())
    # A player who has played two hands of a level ends it; another table may be ahead by the end of the next.
    for level in (1, 2):
        assert max(sum(ante <= level for ante in of_table) for of_table in antes.values()) == 2 * level
