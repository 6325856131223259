"""The act clock, the time bank, and the alarm that only knocks."""

from datetime import timedelta

import pytest

from games.tables import waking
from tests.support.models import SeatMove
from tests.support.parts.cardroom import Stale, alarms
from tests.support.parts.games import receivers, seats, table_journal, table_queries, wake_table
from tests.support.refusals import refused


def kinds(evening, after):
    return [fact.kind for fact in table_journal.facts(evening.table.hand_id or evening.table.last_hand_id, after=after)]


def test_a_player_has_a_clock_then_a_time_bank_and_sitting_out_does_not_add_time(evening):
    table = evening.table
    assert table.deadline - table.turn_at == timedelta(seconds=30 + 60)
    clock = table_queries.clock(table)
    assert (clock["seat"], clock["deadline"] - clock["bank_from"]) == (table.to_act, 60_000)
    assert table.wake_at == table.deadline
    seats.sit_out(table_id=evening.pk, by=evening.to_act, now=evening.now)
    seq = evening.table.seq
    assert evening.wake()
    assert kinds(evening, seq)[0] == "timed-out"


def test_a_quick_action_costs_nothing_and_a_slow_one_what_it_took(evening):
    slow = evening.table.to_act
    evening.later(seconds=42.5).act("bring-in")
    quick = evening.table.to_act
    evening.later(seconds=29.9).act("complete")
    assert evening.table.clocks == {str(slow): [47_500, 0], str(quick): [60_000, 0]}
    assert evening.table.deadline - evening.table.turn_at == timedelta(seconds=30, milliseconds=47_500)
    evening.play_out()
    assert evening.seat(slow).time_bank_ms == 47_500
    assert evening.deal().table.clocks[str(slow)] == [48_500, 0], "a second is won back with the next hand"


@pytest.mark.parametrize(("before", "comes_to"), [
    ([], "bring-in-posted"), (["bring-in"], "folded"), (["bring-in", "call"], "checked"),
])  # fmt: skip
def test_time_running_out_brings_in_folds_to_a_wager_and_checks_where_it_is_free(evening, before, comes_to, audited):
    for action in before:
        evening.act(action)
    seq, player = evening.table.seq, evening.table.to_act
    assert evening.wake()
    assert kinds(evening, seq)[:2] == ["timed-out", comes_to]
    assert comes_to == "folded" or evening.table.clocks[str(player)] == [0, 1]


def test_an_action_that_comes_too_late_is_refused_and_the_clock_has_played(evening, audited):
    seq, player = evening.table.seq, evening.to_act
    evening.later(seconds=90)
    refusal = refused(Stale, "Your time ran out", evening.act, "complete", player=player, expected_seq=seq)
    assert (refusal.code, kinds(evening, seq)[:2]) == ("time-ran-out", ["timed-out", "bring-in-posted"])


def test_a_player_who_misses_two_clocks_in_a_row_sits_out(evening, audited):
    absent, seat = evening.to_act, evening.table.to_act
    evening.wake()
    evening.on_to(absent).check_or_call()
    assert evening.table.clocks[str(seat)][1] == 0
    while evening.table.hand_id:
        evening.wake() if evening.to_act == absent else evening.check_or_call()
    row = evening.seat_of(absent)
    assert (row.state, row.missed_clocks) == ("sitting-out", 0)
    assert SeatMove.objects.filter(player=absent, kind="sat-out").exists()


def test_an_early_late_or_repeated_alarm_does_no_harm(evening):
    table = evening.table
    due, fence = table.wake_at, table.version
    assert not receivers.wake(table_id=evening.pk, fence=fence, now=due - timedelta(milliseconds=1))
    assert evening.table.version == fence
    assert receivers.wake(table_id=evening.pk, fence=fence, now=due + timedelta(hours=1))
    after = evening.table
    assert not receivers.wake(table_id=evening.pk, fence=fence, now=due + timedelta(hours=2))
    assert evening.table.version == after.version
    seq = evening.act("complete").seq
    assert not receivers.wake(table_id=evening.pk, fence=after.version, now=after.wake_at)
    assert evening.table.seq == seq, "overtaken by the player it does nothing"
    assert not receivers.wake(table_id=evening.pk + 1, fence=1, now=evening.now), "there is no such table"


def test_each_table_has_one_alarm_with_its_version_as_fence(evening):
    before = evening.table.version
    wake_table(evening.pk, before)  # the clocks of this evening are set in 2030: nothing is due
    assert evening.table.version == before
    for _ in range(3):
        (due,) = waking.claim_due(now=evening.table.wake_at)
        assert due == (evening.pk, evening.table.version, evening.table.wake_at)
        assert evening.table.play.claimed_until == due.due_at + alarms.CLAIM_LASTS
        assert waking.claim_due(now=evening.table.wake_at) == [], "it is claimed"
        evening.act_any()
