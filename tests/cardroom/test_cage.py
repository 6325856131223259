from datetime import timedelta
from functools import partial

from cardroom.cage import allowances, corrections, drawers, slips, vault
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotEnoughChips, NotFound
from tests.cardroom.cage_desk import approved, faults, person, refused_alone, window
from tests.support.counting import counted_twice
from tests.support.models import Approval, DrawerSession, Slip, StaffAction
from tests.support.parts.cardroom import access, accounts, approvals, bans, cage_books, ledger, limits, roles
from tests.support.refusals import refused


def drawer(desk):
    return ledger.balance(cage_books.drawer_account(desk.drawer))


def wallet(player, unit="cash"):
    return ledger.balance(ledger.wallet(player, unit=unit))


def deposit(desk, amount=500, **options):
    return slips.deposit(amount=amount, **{"player": desk.pia, "by": desk.cay, **options})


def withdraw(desk, amount):
    return slips.withdraw(player=desk.pia, amount=amount, by=desk.cay)


def test_a_deposit_moves_money_and_chips_by_a_numbered_slip(desk, audited):
    slip = deposit(desk)
    assert (drawer(desk), wallet(desk.pia)) == (10_500, 500)
    assert (slip.kind, slip.player, slip.session, slip.by) == ("deposit", desk.pia, desk.session, desk.cay)
    assert slip.transfer.reference == f"deposit:{slip.pk}"
    assert StaffAction.objects.get(verb="cage.deposit").details["amount"] == 500
    refused(NotEnoughChips, withdraw, desk, 501)
    assert [deposit(desk).pk, deposit(desk).pk] == [slip.pk + 1, slip.pk + 2]


def test_a_withdrawal_pays_out_what_the_wallet_and_the_drawer_hold_and_no_more(desk, audited):
    deposit(desk, 9_000)
    withdraw(desk, 2_000)
    refused(NotEnoughChips, "pia has 7,000 in the wallet, and this takes 7,001", withdraw, desk, 7_001)
    assert (drawer(desk), wallet(desk.pia)) == (17_000, 7_000)
    vault.take(amount=16_000, by=desk.cay)
    short = refused(NotEnoughChips, "drawer holds less than 1,001", withdraw, desk, 1_001)
    assert ("1,000" in short.message, "held" in short.values) == (False, False), "it is counted blind"
    vault.fill(amount=1, by=desk.cay)
    withdraw(desk, 1_001)
    assert drawer(desk) == 0


def test_only_cage_staff_with_an_open_drawer_serve_players(desk):
    for who in (desk.pip, person("flo", "floor"), person("dan", "dealer")):
        refused(Forbidden, deposit, desk, by=who)
    for verb in (slips.deposit, slips.withdraw, slips.credit, slips.repay):
        refused(Conflict, "open one with a count", verb, player=desk.pia, amount=10, by=desk.cal)
    refused(Illegal, "own cashier", deposit, desk, player=desk.cay)
    for amount in (0, -5, 1.5, True, "7", 10**13):
        refused(Invalid, deposit, desk, amount)


def test_own_limits_and_bans_hold_at_the_cage(desk):
    limits.request_limit(by=desk.pia, kind="deposit-day", amount=600)
    deposit(desk)
    refused(Illegal, deposit, desk, 101)
    deposit(desk, 99)
    bans.ban(player=desk.pia, reason="fighting", by=desk.mia)
    refused(Forbidden, "fighting", deposit, desk, 1)
    withdraw(desk, 599)
    assert wallet(desk.pia) == 0


def test_credit_stays_within_the_line_and_is_paid_back_by_chips_or_money(desk, audited):
    asked = {"player": desk.pia, "by": desk.cay}
    refused(Illegal, "no credit line", slips.credit, amount=100, **asked)
    slips.set_line(player=desk.pia, most=1_000, by=desk.mia, reason="known for years")
    slips.credit(amount=800, **asked)
    refused(Illegal, "200 more", slips.credit, amount=201, **asked)
    assert (wallet(desk.pia), slips.owed_by(desk.pia), drawer(desk)) == (800, 800, 10_000)
    slips.repay(amount=300, **asked)
    slips.repay(amount=400, in_money=True, **asked)
    refused(NotEnoughChips, "owes 100", slips.repay, amount=101, **asked)
    assert (wallet(desk.pia), slips.owed_by(desk.pia), drawer(desk)) == (500, 100, 10_400)


def test_comps_are_given_and_used_in_points_or_given_in_chips(desk, audited):
    said = {"player": desk.pia, "by": desk.cay, "reason": "a long evening"}
    slips.comp(amount=50, **said)
    slips.use_comp(amount=30, **said)
    refused(NotEnoughChips, "20 comp points", slips.use_comp, amount=21, **said)
    slips.comp(amount=40, in_chips=True, **said)
    assert (wallet(desk.pia, "comp"), wallet(desk.pia)) == (20, 40)


def test_chips_go_from_player_to_player_by_a_manager_alone_and_to_nobody_who_does_it(desk, audited):
    deposit(desk)
    asked = {"player": desk.pia, "to": desk.pip, "amount": 100, "reason": "a loan"}
    for by in (desk.mia, desk.cay):
        refused(Illegal, "own cashier", slips.transfer, by=by, **asked | {"to": by})
    refused_alone("whatever the amount", slips.transfer, by=desk.cay, **asked)
    slips.transfer(by=desk.mia, **asked)
    assert (wallet(desk.pia), wallet(desk.pip)) == (400, 100)


def test_above_the_limit_a_second_person_is_asked_and_the_system_does_it_once(desk, audited):
    refused_alone("more than 20,000", deposit, desk=desk, amount=20_001)
    big = {"player": desk.pia, "amount": 20_001, "by": desk.cay, "key": "big"}
    asked = slips.deposit(**big)
    assert slips.deposit(**big) == asked
    assert wallet(desk.pia) == 0
    refused(Forbidden, "the role manager", approved, asked, desk.cal)
    decided = approved(asked, desk.mia)
    assert approved(asked, desk.mia) == decided
    refused(Conflict, approved, asked, desk.max)
    slip = Slip.objects.get(pk=decided.answer["slip"])
    assert (slip.by, slip.approval, slip.amount, wallet(desk.pia)) == (desk.cay, asked, 20_001, 20_001)


def test_what_is_refused_taken_back_or_late_is_not_done(desk):
    declined, back, late = (slips.deposit(player=desk.pia, amount=30_000, by=desk.cay) for _ in range(3))
    decline = {"approval_id": declined.pk, "by": desk.mia, "approve": False}
    refused(Invalid, approvals.decide, **decline)
    approvals.decide(reason="not tonight", **decline)
    approvals.take_back(approval_id=back.pk, by=desk.cay)
    for row, now in ((declined, desk.now), (back, desk.now), (late, desk.now + timedelta(hours=13))):
        refused(Conflict, approvals.decide, approval_id=row.pk, by=desk.max, approve=True, now=now)
    assert wallet(desk.pia) == 0


def test_a_payout_above_the_wallet_balance_is_not_sent_for_approval(desk):
    asked = {"player": desk.pia, "by": desk.cay}
    refused(NotEnoughChips, "pia has 0 in the wallet", slips.withdraw, amount=10_001, **asked)
    assert not Approval.objects.exists()
    deposit(desk, 15_000)
    row = slips.withdraw(amount=15_000, **asked)
    withdraw(desk, 1)
    refused(NotEnoughChips, approved, row, desk.mia)
    assert approvals.waiting(now=desk.now).get() == row
    deposit(desk, 1)
    approved(row, desk.mia)
    assert wallet(desk.pia) == 0


def test_the_limit_of_a_day_leaves_out_approved_slips(desk):
    allowances.set_limit(role="cashier", verb="deposit", slip=500, day=800, by=desk.mia)
    deposit(desk)
    refused_alone("500 of your daily limit of 800", deposit, desk=desk, amount=301, player=desk.pip)
    approved(slips.deposit(amount=301, player=desk.pip, by=desk.cay), desk.mia)
    deposit(desk, 300, player=desk.pip)
    deposit(desk, 500, now=desk.now + timedelta(hours=24))
    for by, refusal, why in ((desk.cay, Forbidden, "because"), (desk.mia, Invalid, "")):
        refused(refusal, slips.set_line, player=desk.pia, most=10, by=by, reason=why)
    for by, refusal, role in ((desk.cay, Forbidden, "cashier"), (desk.mia, Invalid, "dealer")):
        refused(refusal, allowances.set_limit, role=role, verb="deposit", slip=1, day=1, by=by)


def reverse(slip, by, reason="wrong player"):
    return corrections.reverse(slip_id=slip.pk, reason=reason, by=by)


def reversed_by_two(desk, slip, by=None):
    """By the cashier who wrote it, unless another is named, with the leave of a second person."""
    asked = corrections.reverse(slip_id=slip.pk, reason="wrong player", by=by or slip.by)
    approved(asked, desk.max if slip.by == desk.mia else desk.mia)
    return Slip.objects.get(reverses=slip)


def test_a_reversal_is_the_mirror_of_chips_that_are_there_once_and_with_a_reason(desk, audited):
    slip = deposit(desk)
    refused(Invalid, reverse, slip, desk.cay, reason="")
    withdraw(desk, 400)
    refused(NotEnoughChips, "pia has 100 in the wallet, and this takes 500", reversed_by_two, desk, slip)
    deposit(desk, 400)
    back = reversed_by_two(desk, slip)
    assert (drawer(desk), wallet(desk.pia), back.reverses, back.amount) == (10_000, 0, slip, -500)
    refused(Conflict, "already reversed", reverse, slip, desk.cay)
    refused(Conflict, reverse, back, desk.cay)
    refused(NotFound, corrections.reverse, slip_id=999, reason="wrong player", by=desk.cay)


def test_a_slip_of_ones_own_or_of_a_closed_session_is_taken_back_by_two(desk, audited):
    window(desk, desk.mia)
    for by in (desk.cay, desk.mia):
        slip = deposit(desk, 100, by=by)
        refused_alone("You wrote this slip yourself", reverse, slip=slip, by=by)
        assert reversed_by_two(desk, slip).by == by
    slip = deposit(desk)
    drawers.close_drawer(counted=10_500, by=desk.cay)
    drawers.open_drawer(drawer_id=desk.drawer.pk, counted=10_500, by=desk.cal)
    refused_alone("to a closed session", reverse, slip=slip, by=desk.cal)
    assert (reversed_by_two(desk, slip, desk.cal).by, wallet(desk.pia)) == (desk.cal, 0)


def test_a_fill_is_reversed_only_at_its_own_drawer(desk, audited):
    made = [vault.fill(amount=3_000, by=desk.cay), vault.take(amount=500, by=desk.cay)]
    slip, other = deposit(desk), window(desk, desk.cal, 5_000)
    reverse(slip, desk.cal)
    for slip in made:
        refused(Conflict, "belongs to Window 1, and your open drawer is Window 2", reverse, slip, desk.cal)
        reversed_by_two(desk, slip)
    assert (drawer(desk), ledger.balance(cage_books.drawer_account(other))) == (10_500, 4_500)


def test_a_repayment_that_is_reversed_lends_no_more_than_the_line(desk):
    said = {"player": desk.pia, "by": desk.mia, "reason": "known here"}
    lend = {"player": desk.pia, "by": desk.cay}
    slips.set_line(most=500, **said)
    slips.credit(amount=500, **lend)
    repaid = slips.repay(amount=400, **lend)
    slips.credit(amount=300, **lend)
    refused(Illegal, "owes 400: at most 100 more", reverse, repaid, desk.cay)
    slips.set_line(most=800, **said)
    reversed_by_two(desk, repaid)
    assert (slips.owed_by(desk.pia), faults()) == (800, [])


def test_a_large_difference_waits_for_a_second_person(desk, audited):
    asked = {"counted": 9_000, "reason": "no idea", "by": desk.cay, "key": "close"}
    assert counted_twice(drawers.close_drawer, **asked).state == DrawerSession.State.CLOSING
    refused(Conflict, "waits for approval", deposit, desk)
    access.take_role(user=desk.cay, role="cashier", by=None)
    approved(approvals.waiting(now=desk.now).get(), desk.mia)
    access.grant_role(user=desk.cay, role="cashier", by=None)
    closed = drawers.close_drawer(**asked)
    assert (closed.state, closed.closed_by, drawer(desk)) == ("closed", desk.mia, 9_000)


def test_without_approval_a_colleague_counts_the_drawer_again(desk):
    for deposits, undo in enumerate(("decide nothing", "take back", "refuse")):
        close = drawers.close_drawer if deposits else partial(counted_twice, drawers.close_drawer)
        close(counted=9_000 + deposits, reason="no idea", by=desk.cay)
        waits = approvals.waiting(now=desk.now).get()
        if undo == "refuse":
            approvals.decide(approval_id=waits.pk, by=desk.mia, approve=False, reason="count again")
        elif undo == "take back":
            approvals.take_back(approval_id=waits.pk, by=desk.cay)
        else:
            approvals.expire(approval_id=waits.pk, now=waits.until)
        assert faults() == []
        deposit(desk, 1)
    said = {"counted": 10_003, "session_id": desk.session.pk}
    refused(Conflict, "only a colleague's count is taken now", drawers.close_drawer, by=desk.cay, **said)
    closed = drawers.close_drawer(by=desk.cal, reason="counted again with cay", **said)
    assert closed.state == "closed"
    assert [row.what for row in closed.counts.all()] == ["opening", *["closing"] * 4]


def test_a_manager_closes_the_drawer_of_a_cashier_who_has_gone(desk, audited):
    asked, gone = {"session_id": desk.session.pk, "counted": 9_970}, "cay has gone home"
    refused(Conflict, "no open drawer", drawers.close_drawer, by=desk.cal, reason=gone, **asked)
    refused(Invalid, "Enter a reason", drawers.close_drawer, by=desk.mia, **asked)
    refused(NotFound, drawers.close_drawer, by=desk.mia, reason=gone, **asked | {"session_id": 999})
    closed = counted_twice(drawers.close_drawer, by=desk.mia, reason=gone, **asked)
    assert (closed.state, closed.cashier, closed.closed_by, drawer(desk)) == ("closed", desk.cay, desk.mia, 9_970)
    slip = Slip.objects.get(kind="over-short")
    assert (slip.by, slip.amount, closed.difference) == (desk.mia, -30, -30)
    refused(Conflict, "already closed", drawers.close_drawer, by=desk.max, reason=gone, **asked)


def test_neither_the_counter_nor_the_cashier_decides_a_large_difference(desk, audited):
    access.grant_role(user=desk.cay, role="manager", by=None)
    asked = {"session_id": desk.session.pk, "counted": 5_000, "reason": "cay has gone home"}
    assert counted_twice(drawers.close_drawer, by=desk.mia, **asked).state == "closing"
    waits = approvals.waiting(now=desk.now).get()
    for by in (desk.mia, desk.cay):
        refused(Forbidden, approved, waits, by)
    approved(waits, desk.max)
    slip = Slip.objects.get(kind="over-short")
    assert (slip.by, slip.approval, slip.session.state) == (desk.mia, waits, "closed")


def test_a_cashier_with_an_open_drawer_keeps_role_and_account_until_it_is_closed(desk):
    goes = {"user": desk.cay, "by": desk.mia}
    refused(Conflict, "Window 1 open", roles.take, role="cashier", **goes)
    refused(Conflict, "Window 1 open", accounts.close, reason="has left", **goes)
    access.grant_role(user=desk.cay, role="manager", by=desk.mia)
    roles.take(role="cashier", **goes)
    drawers.close_drawer(counted=10_000, by=desk.cay)
    roles.take(role="manager", **goes)
    accounts.close(reason="has left", **goes)


def test_a_count_in_between_changes_nothing(desk):
    row = counted_twice(drawers.count, counted={100: 99}, by=desk.cay, reason="a note is out")
    assert (row.counted, row.expected, row.difference, drawer(desk)) == (9_900, 10_000, -100, 10_000)
    assert row.pieces == {"100": 99}


def test_a_drawer_has_one_cashier_until_its_count_closes_it(desk, audited):
    refused(Conflict, "close it before you open another", window, desk, desk.cay)
    refused(Conflict, "is open for cay", window, desk, desk.cal, number=1)
    this = {"drawer_id": desk.drawer.pk}
    refused(Conflict, "close it first", drawers.retire_drawer, by=desk.mia, **this)
    deposit(desk)
    closed = drawers.close_drawer(counted={100: 100, 500: 1}, left_in=2_000, by=desk.cay)
    assert (closed.state, closed.counted, closed.expected, closed.difference) == ("closed", 10_500, 10_500, 0)
    refusal = refused(Conflict, "Window 1 is not empty", drawers.retire_drawer, by=desk.mia, **this)
    told = f"{refusal.message} {refusal.values}".replace(",", "")
    assert "2000" not in told, "a manager may count it next, and counts blind"
    opened = drawers.open_drawer(counted=2_000, by=desk.cal, **this)
    assert (opened.counts.get().expected, drawer(desk)) == (2_000, 2_000)
    drawers.close_drawer(counted=2_000, left_in=0, by=desk.cal)
    drawers.retire_drawer(by=desk.mia, **this)
    refused(Conflict, "is retired", drawers.open_drawer, counted=0, by=desk.cay, **this)


def test_money_for_the_vault_is_a_managers_and_nothing_leaves_it_that_is_not_in_it(desk, audited):
    refused(Forbidden, vault.vault, amount=100, reason="from the bank", by=desk.cay)
    brought = vault.vault(amount=1, reason="from the bank", by=desk.mia)
    taken = vault.take(amount=4_000, by=desk.cay)
    vault.vault(amount=-94_001 + 500, reason="to the bank", by=desk.mia)
    assert ledger.balance(cage_books.house("vault", "money")) == 500
    for short in (
        lambda: vault.fill(amount=501, by=desk.cay),
        lambda: vault.vault(amount=-501, by=desk.mia, reason="a mistake"),
        lambda: reverse(taken, desk.cay),
    ):
        refused(NotEnoughChips, "vault balance is below", short)
    vault.fill(amount=500, by=desk.cay)
    refused(Forbidden, reverse, brought, desk.cay)
    refused(NotEnoughChips, "vault balance is below", reverse, brought, desk.max)
    vault.take(amount=1, by=desk.cay)
    reverse(brought, desk.max)
    refused(NotEnoughChips, "Vault and bank", window, desk, desk.cal, 1)
