"""Being there at an event's table: away and back, out of touch and heard of again, and what the clock makes of it."""

from datetime import timedelta

import pytest

from cardroom.core.errors import Conflict
from games.tables.models.tables import Seat
from tests.games.test_presence import hear, seconds_allowed
from tests.support.event_tables import STACK, chips_of, directed, open_event
from tests.support.parts.games import clocks, event_seats, event_tables, opening, seats, table_journal, table_queries
from tests.support.refusals import refused
from tests.support.worlds import world

pytestmark = pytest.mark.usefixtures("director")

EXTRA = {"extra_seconds": (240, 120, 60), "extra_cap_seconds": 600}


@world
def table():
    """Three people of the event, between two hands."""
    (one,) = open_event(8, **EXTRA)
    one.people = one.ann, one.bob, one.cid = one.seat_people("ann", "bob", "cid")
    one.now += clocks.OPENING
    return one.release()


@world
def dealt(table):
    """Their first hand, nobody has acted."""
    with directed():
        return table.deal()


def state_of(table, player):
    return table_queries.table_view(table_id=table.pk, viewer=player)["you"]["state"]


def kinds(table, hand, after=0):
    return [fact.kind for fact in table_journal.facts(hand, after=after)]


def sit_out(table, *players):
    for player in players:
        seats.sit_out(table_id=table.pk, by=player, now=table.now)


def come_back(table, player):
    return seats.come_back(table_id=table.pk, by=player, now=table.now)


def test_the_first_clock_begins_when_the_player_could_have_opened_the_table():
    (one,) = open_event(8)
    one.seat_people("dan", "eve")
    given = one.now
    one.release().deal()
    assert one.table.turn_at == given + clocks.OPENING
    assert one.table.deadline == one.table.turn_at + timedelta(seconds=90)
    one.now = given + timedelta(seconds=20)
    one.act("bring-in")
    assert one.table.turn_at == one.now


@pytest.fixture
def gone(dealt):
    """Whose turn it is in the hand just dealt, and they have lost touch."""
    player = dealt.to_act
    assert hear(dealt, player, is_here=False)
    return player


def test_a_player_away_or_under_penalty_is_dealt_in_and_killed(table, audited):
    refused(Conflict, "in the game already", come_back, table, table.ann)
    sit_out(table, table.ann)
    refused(Conflict, "away already", sit_out, table, table.ann)
    table.deal()
    number = table.seat_of(table.ann).number
    player = table.engine.seats[number]
    assert (table.engine.started.absent, player.is_live, player.total >= 1) == ((number,), False, True)
    table.play_out()
    assert chips_of(table.ann) < STACK
    assert state_of(table, table.ann) == "sitting-out"
    assert come_back(table, table.ann).kind == "came-back"
    event_seats.penalise(table_id=table.pk, player_id=table.ann.pk, hands=2, now=table.now)
    absent = []
    for _ in range(3):
        absent.append(table.deal().engine.started.absent)
        table.play_out()
    assert (absent, state_of(table, table.ann)) == ([(number,), (number,), ()], "playing")


def test_of_all_but_one_away_that_one_wins_at_once(table, audited):
    sit_out(table, table.ann, table.cid)
    table.wake()
    assert table.table.hand_id is None, "the hand is over as soon as it was dealt"
    assert chips_of(table.bob) > STACK
    assert sum(event_tables.outcome(table_id=table.pk).after.values()) == 3 * STACK


def test_of_all_away_the_last_in_order_wins(table, audited):
    sit_out(table, *table.people)
    table.wake()
    assert table.table.hand_id is None
    outcome = event_tables.outcome(table_id=table.pk)
    assert [seat for seat, chips in outcome.after.items() if chips > STACK] == [table.table.dealer]


def test_all_away_plays_on_until_one_has_every_chip(director, audited):
    (one,) = open_event(3, pause_seconds=0)
    people = one.seat_people("ann", "bob", "cid", chips=20)
    sit_out(one, *people)
    one.release()
    for ante in (1, 2, 4, 8, 16, 32, 64, 64, 64):
        event_tables.set_stakes(table_ids=[one.pk], stakes=opening.TableStakes(ante, 5, 15, 30), now=one.now)
        one.wake()
    assert [held.account.balance for held in Seat.objects.select_related("account")] == [60]


def test_a_clock_missed_once_sends_a_player_away_and_shortens_their_next_turns(dealt):
    absent = dealt.to_act
    assert seconds_allowed(dealt) == 90
    dealt.wake()
    assert state_of(dealt, absent) == "sitting-out"
    while dealt.table.hand_id and dealt.to_act != absent:
        dealt.check_or_call()
    assert not dealt.table.hand_id or seconds_allowed(dealt) == 2
    while dealt.table.hand_id:
        dealt.wake() if dealt.to_act == absent else dealt.check_or_call()
    assert dealt.seat_of(absent).state == "sitting-out"
    assert dealt.deal().engine.started.absent == (dealt.seat_of(absent).number,)


def test_an_action_brings_a_player_back(dealt):
    player = dealt.to_act
    bank = dealt.table.clocks[str(dealt.table.to_act)][0]
    sit_out(dealt, player)
    assert state_of(dealt, player) == "sitting-out"
    assert seconds_allowed(dealt) == 90, "a turn that has begun keeps its clock"
    dealt.check_or_call()
    assert state_of(dealt, player) == "playing"
    dealt.on_to(player)
    assert dealt.table.clocks[str(dealt.table.to_act)][0] == bank
    dealt.play_out()
    assert dealt.seat_of(player).state == "playing"


def test_the_short_turn_of_a_player_who_is_away_costs_no_time_bank(dealt):
    sit_out(dealt, *(user for user in dealt.people if user != dealt.to_act))
    dealt.check_or_call()
    seat, hand, seq = dealt.table.to_act, dealt.table.hand_id, dealt.table.seq
    assert dealt.wake()
    assert kinds(dealt, hand, after=seq)[:2] == ["timed-out", "folded"]
    assert dealt.table.clocks[str(seat)][:3] == [60_000, 1, True]
    back, seat = dealt.to_act, dealt.table.to_act
    assert seconds_allowed(dealt) == 2
    dealt.later(seconds=1)
    come_back(dealt, back)
    assert (seconds_allowed(dealt), dealt.table.wake_at) == (90, dealt.table.deadline)
    for _ in range(3):
        sit_out(dealt, back)
        come_back(dealt, back)
    assert (seconds_allowed(dealt), state_of(dealt, back)) == (90, "playing"), "no way around the clock"
    dealt.check_or_call()
    assert dealt.table.clocks[str(seat)][0] == 60_000


def test_back_in_time_where_the_book_waits_for_the_betting(director, audited):
    """The Gardens kill an absent hand when the betting reaches it."""
    (one,) = open_event(8, rulebook="gardens", **EXTRA)
    people = one.seat_people("ann", "bob", "cid", "dee")
    one.release()
    sit_out(one, people[0])
    one.deal()
    while one.engine.seats[1].is_live is False:
        # they were low, or the action reached them at once: on to a hand in which it has not
        come_back(one, people[0])
        one.play_out()
        sit_out(one, people[0])
        one.deal()
    come_back(one, people[0])
    assert not one.engine.seats[1].is_absent
    one.play_out()
    assert "player-back" in kinds(one, one.table.last_hand_id)


def test_extra_time_comes_after_the_act_clock_and_before_the_time_bank(dealt, gone):
    row = dealt.table
    assert (seconds_allowed(dealt), row.bank_from - row.turn_at) == (30 + 240 + 60, timedelta(seconds=30 + 240))
    assert (row.wake_at, table_queries.clock(row)["extra"]) == (row.deadline, 240_000)
    seat = row.to_act
    dealt.later(seconds=100).check_or_call()
    assert dealt.table.clocks[str(seat)] == [60_000, 0, False, True, 1, 70_000]


def test_a_clock_missed_with_extra_time_keeps_a_player_in(dealt, gone):
    states = []
    while dealt.table.hand_id and len(states) < 4:
        if dealt.to_act == gone:
            dealt.wake()
            states.append(state_of(dealt, gone))
        else:
            dealt.check_or_call()
    assert states == ["playing"] * 3 + ["sitting-out"]


def test_extra_time_never_exceeds_the_cap_however_often_a_player_comes_and_goes(table):
    Seat.objects.filter(player=table.ann).update(extra_used_ms=590_000)
    table.deal()
    for _ in range(2):
        table.on_to(table.ann)
        for _ in range(3):
            hear(table, table.ann, is_here=True)
            hear(table, table.ann, is_here=False)
        assert table.table.extra_ms == 10_000
        table.later(seconds=30).check_or_call()
    table.on_to(table.ann)
    table.later(seconds=35).check_or_call()
    table.play_out()
    assert table.seat_of(table.ann).extra_used_ms == 595_000


def test_a_player_heard_of_again_keeps_used_time_and_an_act_clock(dealt, gone):
    dealt.later(seconds=100)
    assert hear(dealt, gone, is_here=True)
    assert (dealt.table.extra_ms, dealt.table.bank_from - dealt.now) == ((70 + 30) * 1000, timedelta(seconds=30))
    dealt.check_or_call()
    dealt.on_to(gone)
    assert dealt.table.extra_ms == 0
