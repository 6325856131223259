from datetime import UTC, datetime

from cardroom.core.errors import Conflict, Illegal, NotEnoughChips
from tests.cardroom.cage_desk import faults, furnished
from tests.support.models import SeatMove, Slip
from tests.support.parts.cardroom import allowances, approvals, corrections, ledger, people, slips
from tests.support.parts.games import TableStakes, cage_window, opening, seating, shifts
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def window():
    """A cashier at their window, and a table online; `who`: pia is to be seated there, or paid."""
    made = furnished(datetime(2030, 1, 5, 20, 0, tzinfo=UTC))
    stakes = TableStakes(ante=1, bring_in=2, small_bet=5, big_bet=10)
    made.table = opening.open_table(name="Larch", stakes=stakes, min_buy_in=100, max_buy_in=1_000, now=made.now)
    made.who = {"table_id": made.table.pk, "player": made.pia, "by": made.cay, "now": made.now}
    return made


def wallet(player):
    return ledger.balance(ledger.wallet(player))


def test_money_becomes_a_seat_or_is_paid_back(window):
    refused(Illegal, cage_window.buy_in, **window.who, amount=50)
    refused(Conflict, "open one with a count", cage_window.buy_in, **window.who | {"by": window.cal}, amount=500)
    assert (Slip.objects.filter(kind="buy-in").exists(), wallet(window.pia)) == (False, 0)
    bought = cage_window.buy_in(**window.who, amount=400, key="k" * 59 + "1")
    slip, move = bought.slip, bought.move
    assert (slip.kind, slip.amount, move.number, move.amount) == ("buy-in", 400, 1, 400)
    assert (wallet(window.pia), window.table.seats.get().account.balance) == (0, 400)

    paid = cage_window.pay_out(**window.who)
    assert (paid.move.kind, paid.slip.kind, paid.slip.amount) == (SeatMove.Kind.LEFT, "cash-out", 400)
    assert (wallet(window.pia), window.table.seats.count(), faults()) == (0, 0, [])

    again = cage_window.buy_in(**window.who, amount=400, key="k" * 59 + "2")
    assert slip != again.slip
    assert (move != again.move, window.table.seats.count(), wallet(window.pia)) == (True, 1, 0)


def test_a_payment_waits_for_the_end_of_the_hand_and_for_approval_above_the_limit(window, monkeypatch):
    allowances.set_limit(role="cashier", verb="withdrawal", slip=100, day=100, by=window.mia, now=window.now)
    cage_window.buy_in(**window.who, amount=400)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("games.tables.models.tables.Table.is_in_hand", lambda table, number: True)
        refused(Conflict, "in a hand", cage_window.pay_out, **window.who)
    waits = cage_window.pay_out(**window.who).approval
    assert (waits.what, waits.amount, wallet(window.pia)) == ("cage.act", 400, 400)


def test_what_is_at_a_table_is_not_taken_back_by_a_reversal(window):
    slip = slips.deposit(player=window.pia, amount=500, by=window.cay, now=window.now)
    seating.seat(**window.who, buy_in=400)
    wrong = {"slip_id": slip.pk, "reason": "wrong player", "by": window.cay, "now": window.now}
    refused(NotEnoughChips, "At tables: 400 more", corrections.reverse, **wrong)
    people.sign_up_bonus(user=window.pia, now=window.now)
    asked = corrections.reverse(**wrong)
    approvals.decide(approval_id=asked.pk, by=window.mia, approve=True, now=window.now)


def test_a_shift_does_not_end_over_an_open_drawer_unless_it_is_handed_over(window):
    shift = shifts.open_(name="Evening", by=window.mia, now=window.now)
    asked = {"shift_id": shift.pk, "by": window.mia, "now": window.now}
    refused(Illegal, "Still open: 1 drawer", shifts.close, **asked)
    assert shifts.close(handed_to=window.max, **asked).found["drawers"] == 1
