"""Sitting down, adding chips, sitting out, leaving: where the chips are after it, and who is told no."""

import pytest
from django.db import IntegrityError, transaction

from cardroom.core.errors import Conflict, Illegal, Invalid, NotEnoughChips
from games.play import opening, seats
from tests.support.evening import Evening
from tests.support.models import Notice, Seat, SeatMove, Transfer
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def table() -> Evening:
    return Evening()


@pytest.mark.smoke
def test_sitting_down_moves_the_buy_in_from_the_wallet_to_a_stack(table, audited):
    ann = table.player("ann", 1000)
    move = seats.sit(table_id=table.pk, by=ann, number=3, buy_in=400, now=table.now)
    assert (move.kind, move.number, move.amount, table.wallet(ann), table.stack(ann)) == ("sat", 3, 400, 600, 400)
    assert table.seat_of(ann).account.label == f"table:{table.pk}:seat:3"


@pytest.mark.parametrize(("kind", "name", "values", "message"), [
    (Invalid, "number", (0, 9, -1, "3", True), "The seats of this table are 1 to 8"),
    (Illegal, "buy_in", (299, 1501), "The buy-in here is 300 to 1,500"),
    (Invalid, "buy_in", (0, -400, 400.0, "400", True), "whole numbers"),
])  # fmt: skip
def test_a_seat_that_is_not_there_and_a_buy_in_that_is_none_are_refused(table, kind, name, values, message):
    ann = table.player("ann")
    for value in values:
        refused(kind, message, table.sit, ann, **{name: value})


def test_a_full_table_says_so_and_the_database_itself_keeps_one_seat_for_one(open_table):
    table = open_table(seat_count=2)
    ann, bob = table.sit("ann", 1), table.sit("bob", 2)
    refused(Conflict, "Every seat at this table is taken", table.sit, "cid")
    for twice in ({"number": 2}, {"player": bob}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Seat.objects.filter(player=ann).update(**twice)


def test_the_same_key_again_is_answered_the_same_and_moves_nothing(table):
    ann = table.player("ann")
    asked = {"table_id": table.pk, "by": ann, "number": 2, "buy_in": 400, "now": table.now, "key": "k1"}
    first = seats.sit(**asked)
    assert (seats.sit(**asked), table.wallet(ann)) == (first, 9_600)
    assert [table.leave(ann, key="k1").amount for _ in range(2)] == [400, 400], "a key is for one verb"
    assert table.seat_of(table.sit("bob", 2, key="k1")).player != ann, "and for one player"
    assert seats.sit(**asked) == first, "the answer stays the first one, also after leaving"
    assert table.wallet(ann) == 10_000
    assert not ann.seats.exists()


def test_chips_added_between_hands_are_there_at_once(table):
    ann = table.sit("ann")
    asked = {"table_id": table.pk, "by": ann, "now": table.now}
    refused(Invalid, "The most on this table is 1,500: you can add 1,000", seats.top_up, **asked, amount=1001)
    assert seats.top_up(**asked, amount=1000).kind == "topped-up"
    assert (table.stack(ann), table.wallet(ann)) == (1500, 8500)
    refused(Invalid, "nothing can be added", seats.top_up, **asked, amount=1)
    table.leave(ann)
    posted = Transfer.objects.filter(by=ann).order_by("pk")
    assert [transfer.reference.split(":")[0] for transfer in posted] == ["buy-in", "top-up", "cash-out"]


def test_chips_asked_for_during_a_hand_come_when_it_is_over(evening, audited):
    move = seats.top_up(table_id=evening.pk, by=evening.ann, amount=300, now=evening.now)
    assert (move.kind, evening.stack(evening.ann), evening.wallet(evening.ann)) == ("top-up-asked", 500, 9500)
    evening.play_out()
    after = sum(evening.stack(player) for player in (evening.ann, evening.bob))
    assert (after, evening.wallet(evening.ann), evening.seat_of(evening.ann).top_up_queued) == (1300, 9200, 0)


def test_chips_asked_for_must_be_in_the_wallet(open_table):
    table = open_table()
    ann, _bob = table.sit(table.player("ann", 550)), table.sit("bob")
    asked = {"table_id": table.deal().pk, "by": ann, "amount": 60, "now": table.now}
    refused(NotEnoughChips, "the wallet holds 50 and this takes 60", seats.top_up, **asked)


def test_of_chips_asked_for_no_more_come_than_the_table_allows(open_table, audited):
    table = open_table(max_buy_in=800)
    ann, bob = table.sit("ann", 1), table.sit("bob", 2)
    table.deal()
    for player in (ann, bob):
        seats.top_up(table_id=table.pk, by=player, amount=300, now=table.now)
    table.play_out()
    assert max(table.stack(ann), table.stack(bob)) == 800, "the winner is filled up to the most and no further"


def test_a_player_who_lost_everything_sits_out_and_buying_chips_brings_them_back(open_table, audited):
    table = open_table(min_buy_in=30)
    ann, bob = table.sit("ann", 1, 300), table.sit("bob", 2, 300)
    broke = None
    while broke is None:
        table.deal().play_out("act_any")
        broke = next((player for player in (ann, bob) if not table.stack(player)), None)
    assert (table.seat_of(broke).state, table.table.hand_id) == ("sitting-out", None)
    asked = {"table_id": table.pk, "by": broke, "now": table.now}
    refused(Illegal, "You have no chips on the table", seats.come_back, **asked)
    refused(Illegal, "The buy-in here is 30 to", seats.top_up, **asked, amount=29)
    seats.top_up(**asked, amount=400)
    assert table.seat_of(broke).state == "playing"
    table.deal()


def test_who_sits_out_is_not_dealt_in_and_owes_nothing_on_return(open_table):
    table = open_table()
    _ann, bob, _cid = table.sit("ann", 1), table.sit("bob", 2), table.sit("cid", 3)
    asked = {"table_id": table.pk, "by": bob, "now": table.now}
    seats.sit_out(**asked)
    refused(Conflict, "You are sitting out already", seats.sit_out, **asked)
    assert set(table.deal().engine.seats) == {1, 3}
    table.play_out()
    seats.come_back(table_id=table.pk, by=bob, now=table.now)
    assert (set(table.deal().engine.seats), table.stack(bob)) == ({1, 2, 3}, 500)


def test_a_seat_is_kept_half_an_hour_and_then_picked_up(table):
    ann = table.sit("ann")
    seats.sit_out(table_id=table.pk, by=ann, now=table.now)
    out_since = table.now
    while table.wake() and ann.seats.exists():
        pass
    assert (table.now - out_since).total_seconds() == 30 * 60
    assert (table.wallet(ann), Notice.objects.get(player=ann).kind) == (10_000, "picked-up")
    assert SeatMove.objects.get(player=ann, kind="picked-up").amount == 500
    assert not table.wake(), "nothing is due at an empty table"


@pytest.mark.parametrize(("wrong", "message"), [
    ({"seat_count": 9}, "2 to 8 seats"), ({"stakes": opening.TableStakes(1, 20, 15, 30)}, "The stakes must rise"),
    ({"min_buy_in": 0}, "one big bet or more"), ({"rulebook": "hoyle"}, "no rulebook"), ({"game": "bridge"}, "no game"),
    ({"bots": 8}, "one seat stays free"), ({"name": " "}, "1 to 60 characters"),
    ({"name": "Harbour"}, "a table called Harbour already"),
])  # fmt: skip
def test_a_table_that_cannot_be_played_or_told_apart_is_not_opened(open_table, wrong, message):
    open_table(name="Harbour")
    refused((Invalid, Conflict), message, open_table, **wrong)
