"""Acting in a hand: what it comes to, who is refused and why, and what leaving does."""

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound, Stale
from tests.support.models import Hand, SeatMove, Transfer
from tests.support.parts.games import seats, table_journal
from tests.support.refusals import refused


def test_the_deal_goes_to_the_next_player_each_hand(evening):
    dealers = []
    for _ in range(3):
        dealers.append(evening.deal().engine.dealer)
        evening.play_out()
    assert dealers in ([1, 2, 1], [2, 1, 2])


@pytest.mark.smoke
def test_the_ledger_moves_when_the_hand_is_over_and_once(evening, audited):
    hand = evening.table.hand_id
    evening.act("bring-in")
    assert (evening.stack(evening.ann), evening.stack(evening.bob)) == (500, 500), "during a hand: as it began"
    evening.act("fold")
    transfer = Transfer.objects.get(reference=f"hand:{hand}")
    assert sorted(transfer.entries.values_list("amount", flat=True)) == [-1, 1]
    assert sorted([evening.stack(evening.ann), evening.stack(evening.bob)]) == [499, 501]
    ended = Hand.objects.get(pk=hand)
    assert (ended.seq, ended.pot, sorted(ended.stacks.values())) == (len(table_journal.facts(hand)), 2, [499, 501])


def test_a_wrong_turn_an_old_view_and_an_illegal_action_change_nothing(evening):
    other = evening.bob if evening.to_act == evening.ann else evening.ann
    before = (evening.table.seq, evening.table.version)
    told = refused(Stale, evening.act, "call", player=other)
    assert (told.code, told.status, told.rule) == ("not-your-turn", 409, "TDA 2024, rule 53")
    for off in (-1, 1):
        refusal = refused(Stale, "The hand has moved on", evening.act, "bring-in", expected_seq=before[0] + off)
        assert refusal.values == {"seq": before[0]}
    refusal = refused(Illegal, evening.act, "check")
    assert (refusal.status, "Robert's Rules" in refusal.rule) == (422, True)
    assert (evening.table.seq, evening.table.version) == before
    evening.act("bring-in")


def test_a_wager_is_named_by_its_total_or_not_at_all(evening):
    refused(Invalid, "There is no action 'jump'", evening.act, "jump")
    for amount in (15.0, True, -15, 10**15):
        refused(Invalid, "whole number", evening.act, "raise", amount)
    evening.act("bring-in")
    refused(Illegal, "16 is not a legal size", evening.act, "raise", 16)
    evening.act("complete")
    assert evening.engine.level == 15
    evening.act("raise", 30)
    assert evening.engine.level == 30


def test_only_players_of_a_running_hand_act_in_it(evening):
    cid, hand = evening.sit("cid"), evening.table.hand_id
    refused(Forbidden, "You are not in this hand", evening.act, "call", player=cid)
    refused(NotFound, "There is no such hand", evening.act, "call", hand_id=hand + 1, player=evening.ann)
    evening.play_out()
    refused(Stale, "This hand is over", evening.act, "call", hand_id=hand, player=evening.ann)
    refused(Forbidden, evening.act, "call", hand_id=hand, player=cid)


def test_a_repeated_command_is_answered_as_it_first_was(evening):
    seq, player, hand = evening.table.seq, evening.to_act, evening.table.hand_id
    again = {"player": player, "hand_id": hand, "command_id": "c1"}
    first = evening.act("bring-in", expected_seq=seq, command_id="c1")
    assert (first.facts_from, first.seq) == (seq + 1, len(evening.engine.facts))
    assert evening.engine.facts[seq].kind == "bring-in-posted"
    assert evening.act("bring-in", expected_seq=seq, **again) == first
    assert evening.act("bring-in", **again) == first, "without a seq too"
    table_journal.forget()
    assert evening.act("bring-in", **again) == first, "and by a process that has just started"
    assert evening.table.seq == first.seq
    evening.act("fold", command_id="c1")
    assert evening.table.hand_id is None, "the other player's c1 is a command of its own"
    assert evening.act("bring-in", **again) == first, "and when the hand is over"


def test_leaving_on_turn_kills_the_hand_and_cashes_out_when_it_is_over(evening, audited):
    for name in ("cid", "dan"):
        evening.sit(name)
    evening.play_out().deal().act("bring-in")
    assert set(evening.engine.seats) == {1, 2, 3, 4}
    leaver = evening.to_act
    assert (evening.leave(leaver).kind, evening.engine.facts[-2].kind) == ("leaving", "hand-killed")
    assert evening.seat_of(leaver).state == "leaving"
    refused(Conflict, "leaving already", evening.leave, leaver)
    folded = evening.to_act
    evening.act("fold")
    evening.leave(folded)
    assert (leaver.seats.count(), folded.seats.count()) == (1, 1)
    evening.play_out()
    assert (leaver.seats.count(), folded.seats.count()) == (0, 0)
    assert evening.wallet(leaver) == 9_500 + SeatMove.objects.get(player=leaver, kind="left").amount


def test_leaving_a_hand_between_two_ends_it_there_and_then(evening, audited):
    leaver = evening.to_act
    evening.act("bring-in")
    stayer = evening.to_act
    assert evening.leave(leaver).kind == "leaving"
    evening.act("complete")
    assert (evening.table.hand_id, evening.wallet(leaver), evening.stack(stayer)) == (None, 10_000 - 6, 506)


def test_a_player_who_returns_before_the_betting_reaches_them_plays_on(evening, audited):
    evening.act("bring-in")
    before = evening.later(seconds=5).table
    waiting = evening.ann if evening.to_act == evening.bob else evening.bob
    evening.leave(waiting)
    after = evening.table
    assert (after.to_act, after.deadline, after.wake_at) == (before.to_act, before.deadline, before.wake_at)
    assert after.seq == before.seq + 1
    assert evening.engine.seats[evening.seat_of(waiting).number].is_absent
    seats.come_back(table_id=evening.pk, by=waiting, now=evening.now)
    assert evening.seat_of(waiting).state == "playing"
    evening.act("complete")
    assert evening.to_act == waiting
    evening.play_out()
    assert waiting.seats.exists()
