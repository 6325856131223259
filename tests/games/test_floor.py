"""The floor: calls queue, orders have reasons, and the ledger stays right whatever is ordered."""

import pytest
from django.db import DatabaseError, transaction

from games.floor import rulings
from tests.support.dealing import DealerEvening
from tests.support.models import FloorCall, FloorOrder, Seat
from tests.support.parts.cardroom import Conflict, Forbidden, Illegal, Invalid, NotFound, Stale, access, core_audit
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def table() -> DealerEvening:
    """A table that a person deals: three players, third street dealt off the system's deck."""
    evening = DealerEvening()
    evening.ann, evening.bob, evening.cat = (evening.sit(name, seat) for seat, name in enumerate("abc", 1))
    evening.start()
    evening.enter("deal", street=3)
    return evening


def call(evening, by, note="", key="", kind="floor"):
    return rulings.call(table_id=evening.pk, by=by, kind=kind, note=note, key=key, now=evening.now)


def stacks(evening) -> list[int]:
    return [evening.stack(player) for player in (evening.ann, evening.bob, evening.cat)]


def test_a_player_calls_the_floor_once_until_it_comes(table):
    made = call(table, table.bob, "he  looked at my card\n")
    assert (made.seat, made.hand_id, made.note) == (2, table.hand, "he looked at my card")
    assert call(table, table.bob, "again") == made
    assert call(table, table.ann) != made
    answered = rulings.answer(call_id=made.pk, by=table.flo, now=table.later(minutes=2).now)
    again = rulings.answer(call_id=made.pk, by=table.staff("kim", "floor"), now=table.later(minutes=1).now)
    assert again.answered_by == answered.answered_by == table.flo
    assert call(table, table.bob) != made
    assert FloorCall.objects.filter(answered_at=None).count() == 2


def test_a_call_for_drinks_is_not_for_a_decision_and_a_repeat_is_the_same_call(table):
    drinks, decision = (call(table, table.bob, kind=kind) for kind in ("drinks", "decision"))
    assert (drinks.kind, decision.kind) == ("drinks", "decision")
    assert rulings.call(table_id=table.pk, by=table.bob, now=table.now).kind == "floor"
    assert call(table, table.bob, kind="drinks") == drinks
    refused(Invalid, call, table, table.bob, kind="dance")
    made = call(table, table.ann, key="k")
    rulings.answer(call_id=made.pk, by=table.flo, now=table.now)
    assert (call(table, table.ann, key="k"), FloorCall.objects.count()) == (made, 4)
    for other in ({"kind": "drinks"}, {"note": "and a blanket"}):
        assert refused(Conflict, call, table, table.ann, key="k", **other).code == "key-used"
    assert call(table, table.cat, key="k").player == table.cat


def test_strangers_do_not_call_the_floor_and_players_do_not_answer_it(table):
    refused(Forbidden, call, table, table.player("zoe"))
    made = call(table, table.dee)
    assert made.seat is None
    for somebody in (table.bob, table.dee):
        refused(Forbidden, rulings.answer, call_id=made.pk, by=somebody, now=table.now)
    refused(NotFound, rulings.answer, call_id=10**9, by=table.flo, now=table.now)
    refused(NotFound, rulings.call, table_id=10**9, by=table.bob, now=table.now)
    for note in ("x" * 201, "a\x00b", "\x1b[31mred"):
        refused(Invalid, call, table, table.bob, note)


def test_only_the_floor_gives_orders_and_never_in_its_own_hand(table):
    for somebody in (table.dee, table.ann, table.staff("max", "manager")):
        refused(Forbidden, table.order, "void", by=somebody)
    access.grant_role(user=table.ann, role="floor", by=None)
    assert refused(Forbidden, table.order, "void", by=table.ann).code == "plays-in-hand"
    assert refused(Illegal, table.order, "rules-live", seat=1).rule
    refused(Illegal, table.order, "orders-low")
    for _ in range(3):
        table.check_or_call()
    assert refused(Illegal, table.order, "misdeal").rule
    assert FloorOrder.objects.count() == 0


@pytest.mark.parametrize(("what", "options", "code"), [
    ("dance", {}, "no-such-order"), ("void", {"reason": ""}, "reason-required"),
    ("void", {"reason": " x  "}, "reason-required"), ("void", {"reason": "x" * 301}, "bad-reason"),
    ("void", {"seat": 2}, "bad-seat"), ("kills", {}, "bad-seat"), ("kills", {"seat": -1}, "bad-seat"),
    ("kills", {"seat": 2, "hands": 1}, "bad-hands"), ("penalises", {"seat": 2, "hands": 1000}, "bad-hands"),
    ("void", {"command_id": ""}, "bad-command-id"),
])  # fmt: skip
def test_an_order_that_makes_no_sense_is_refused(table, what, options, code):
    seq = table.table.seq
    assert (refused(Invalid, table.order, what, **options).code, table.table.seq) == (code, seq)


def test_an_order_is_logged_with_author_time_and_reason(table, audited):
    receipt = table.order("kills", seat=1, reason="left the room with his cards")
    (row,) = FloorOrder.objects.all()
    assert (row.what, row.by, row.at, row.seq, row.hand_id) == ("kills", table.flo, table.now, receipt.seq, table.hand)
    assert row.reason == "left the room with his cards"
    for change in (lambda: FloorOrder.objects.update(reason="never mind"), lambda: FloorOrder.objects.all().delete()):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    table.order("kills", seat=2)
    assert (table.table.hand, table.stack(table.cat)) == (None, 502)


def test_a_void_hand_returns_every_chip_and_the_next_one_can_be_dealt(table, audited):
    table.check_or_call()
    table.check_or_call()
    table.order("void", reason="the deck has fifty-one cards")
    assert (stacks(table), table.table.hand, core_audit.check(), table.start().number) == ([500] * 3, None, [], 2)
    table.to_street(8)
    assert sum(stacks(table)) == 1500


def test_an_order_on_an_old_view_is_stale_and_a_repeat_counts_once(table):
    seat, seq = table.table.to_act, table.table.seq
    table.check_or_call()
    refused(Stale, table.order, "kills", seat=table.table.to_act, expected_seq=seq)
    table.order("undo", reason="the dealer touched the wrong seat")
    assert (table.table.to_act, FloorOrder.objects.get().what) == (seat, "undo")
    receipt = table.order("kills", seat=seat, command_id="one")
    assert table.order("kills", seat=table.table.to_act, command_id="one") == receipt
    table.order("void", command_id="two")
    assert (table.order("kills", seat=1, command_id="one"), FloorOrder.objects.count()) == (receipt, 3)
    refused(Stale, table.order, "void", command_id="three")


def test_a_penalty_keeps_a_player_out_of_hands_and_does_not_end_the_game(table, audited):
    table.order("penalises", seat=2, hands=1, reason="showed his cards to the rail")
    assert ("penalty", "penalty") in table.rulings()
    table.to_street(8)
    table.start()
    assert list(table.row.seats) == ["1", "3"]
    table.to_street(8)
    table.start()
    assert list(table.row.seats) == ["1", "2", "3"]
    for seat in (1, 2):
        table.order("penalises", seat=seat, hands=5)
    table.to_street(8)
    table.start()
    assert list(table.row.seats) == ["1", "2", "3"]
    assert not Seat.objects.filter(misses_hands=4).exists()


def test_the_floor_rules_at_a_table_that_deals_by_itself(evening, audited):
    flo = DealerEvening.staff("flo", "floor")
    hand = evening.table.hand_id
    evening.check_or_call()
    rulings.order(hand_id=hand, by=flo, what="misdeal", reason="a fault of the deck", command_id="m", now=evening.now)
    assert (evening.stack(evening.ann), evening.stack(evening.bob)) == (500, 500)
    dealer = evening.table.dealer
    evening.deal()
    assert evening.table.dealer == dealer
    undo = {"what": "undo", "reason": "a mistake", "command_id": "u", "now": evening.now}
    refused(Illegal, rulings.order, hand_id=evening.table.hand_id, by=flo, **undo)
