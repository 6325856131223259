from datetime import UTC, datetime

import pytest

from cardroom.core.errors import Conflict, Illegal, Invalid, NotEnoughChips
from tests.cardroom.cage_desk import faults, furnished
from tests.support.models import SeatMove, Slip
from tests.support.parts.cardroom import allowances, approvals, corrections, ledger, people, slips
from tests.support.parts.games import Stakes, opening, physical, seating, shifts
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def window():
    """A cashier at their window, and a table online."""
    made = furnished(datetime(2030, 1, 5, 20, 0, tzinfo=UTC))
    stakes = Stakes(ante=1, bring_in=2, small_bet=5, big_bet=10)
    made.table = opening.open_table(name="Larch", stakes=stakes, min_buy_in=100, max_buy_in=1_000, now=made.now)
    return made


def wallet(player):
    return ledger.balance(ledger.wallet(player))


def test_money_becomes_a_seat_in_one_go_and_comes_back_as_money(window):
    who = {"table_id": window.table.pk, "player": window.pia, "by": window.cay, "now": window.now}
    slip, move = physical.buy_in(**who, amount=400)
    assert (slip.kind, slip.amount, move.number, move.amount) == ("buy-in", 400, 1, 400)
    assert (wallet(window.pia), window.table.seats.get().account.balance) == (0, 400)

    left, paid = physical.pay_out(**who)
    assert (left.kind, paid.kind, paid.amount) == (SeatMove.Kind.LEFT, "cash-out", 400)
    assert (wallet(window.pia), window.table.seats.count(), faults()) == (0, 0, [])


def test_without_a_seat_there_is_no_deposit_either(window):
    with pytest.raises(Invalid):
        physical.buy_in(table_id=window.table.pk, player=window.pia, amount=50, by=window.cay, now=window.now)
    with pytest.raises(Conflict, match="open one with a count"):
        physical.buy_in(table_id=window.table.pk, player=window.pia, amount=500, by=window.cal, now=window.now)

    assert not Slip.objects.filter(kind="buy-in").exists()
    assert wallet(window.pia) == 0


def test_above_the_limit_he_is_off_the_table_and_the_payment_waits(window):
    allowances.set_limit(role="cashier", verb="withdrawal", slip=100, day=None, by=window.mia, now=window.now)
    physical.buy_in(table_id=window.table.pk, player=window.pia, amount=400, by=window.cay, now=window.now)
    _, waits = physical.pay_out(table_id=window.table.pk, player=window.pia, by=window.cay, now=window.now)

    assert (waits.what, waits.amount, wallet(window.pia)) == ("cage.act", 400, 400)


def test_who_is_in_a_hand_is_paid_when_it_is_over(window, monkeypatch):
    physical.buy_in(table_id=window.table.pk, player=window.pia, amount=400, by=window.cay, now=window.now)
    monkeypatch.setattr("games.tables.models.tables.Table.is_in_hand", lambda table, number: True)
    with pytest.raises(Conflict, match="in a hand"):
        physical.pay_out(table_id=window.table.pk, player=window.pia, by=window.cay, now=window.now)


def test_what_is_at_a_table_is_not_taken_back_by_a_reversal(window):
    slip = slips.deposit(player=window.pia, amount=500, by=window.cay, now=window.now)
    seating.seat(table_id=window.table.pk, player=window.pia, buy_in=400, by=window.cay, now=window.now)
    with pytest.raises(NotEnoughChips, match="At tables: 400 more"):
        corrections.reverse(slip_id=slip.pk, reason="wrong player", by=window.cay, now=window.now)
    people.sign_up_bonus(user=window.pia, now=window.now)
    asked = corrections.request(verb="reversal", slip_id=slip.pk, reason="wrong player", by=window.cay, now=window.now)
    approvals.decide(approval_id=asked.pk, by=window.mia, approve=True, now=window.now)


def test_keys_that_differ_at_their_end_alone_are_two_requests(window):
    said = {"table_id": window.table.pk, "player": window.pia, "amount": 400, "by": window.cay, "now": window.now}
    first = physical.buy_in(**said, key="k" * 59 + "1")
    physical.pay_out(table_id=window.table.pk, player=window.pia, by=window.cay, now=window.now)
    again = physical.buy_in(**said, key="k" * 59 + "2")
    assert first[0] != again[0]
    assert (first[1] != again[1], window.table.seats.count(), wallet(window.pia)) == (True, 1, 0)


def test_a_shift_does_not_end_over_an_open_drawer_unless_it_is_handed_over(window):
    shift = shifts.open_(name="Evening", by=window.mia, now=window.now)
    asked = {"shift_id": shift.pk, "by": window.mia, "now": window.now}
    refused(Illegal, "Still open: 1 drawer", shifts.close, **asked)
    assert shifts.close(handed_to=window.max, **asked).found["drawers"] == 1
