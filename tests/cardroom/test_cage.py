from datetime import timedelta

import pytest

from cardroom.cage import allowances, corrections, drawers, slips, vault
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotEnoughChips, NotFound
from tests.cardroom.cage_desk import faults, person
from tests.support.models import Approval, DrawerSession, Repeat, Slip, StaffAction
from tests.support.parts.cardroom import access, accounts, approvals, bans, cage_books, counts, ledger, limits
from tests.support.refusals import refused


def drawer(desk):
    return ledger.balance(cage_books.drawer_account(desk.drawer))


def wallet(player, unit="cash"):
    return ledger.balance(ledger.wallet(player, unit=unit))


def deposit(desk, amount=500, **options):
    asked = {"player": desk.pia, "by": desk.cay, "now": desk.now} | options
    return slips.deposit(amount=amount, **asked)


def test_a_deposit_is_money_in_the_drawer_chips_in_the_wallet_and_a_slip(desk, audited):
    slip = deposit(desk)
    assert (drawer(desk), wallet(desk.pia)) == (10_500, 500)
    assert (slip.kind, slip.player, slip.session, slip.by) == ("deposit", desk.pia, desk.session, desk.cay)
    assert slip.transfer.reference == f"deposit:{slip.pk}"
    assert StaffAction.objects.get(verb="cage.deposit").details["amount"] == 500


def test_slips_are_numbered_without_a_gap(desk):
    numbers = [deposit(desk).pk for _ in range(3)]
    refused(NotEnoughChips, slips.withdraw, player=desk.pip, amount=1, by=desk.cay, now=desk.now)
    numbers.append(deposit(desk).pk)
    assert numbers == list(range(numbers[0], numbers[0] + 4))


def test_a_withdrawal_pays_out_and_never_below_nothing(desk, audited):
    deposit(desk)
    slips.withdraw(player=desk.pia, amount=200, by=desk.cay, now=desk.now)
    with pytest.raises(NotEnoughChips, match="pia has 300 in the wallet, and this takes 301"):
        slips.withdraw(player=desk.pia, amount=301, by=desk.cay, now=desk.now)
    assert (drawer(desk), wallet(desk.pia)) == (10_300, 300)


def test_a_drawer_pays_no_more_than_it_holds(desk):
    for _ in range(2):
        deposit(desk, 9_000)
    vault.take(amount=27_000, by=desk.cay, now=desk.now)
    with pytest.raises(NotEnoughChips, match="drawer holds less than 1,001"):
        slips.withdraw(player=desk.pia, amount=1_001, by=desk.cay, now=desk.now)
    vault.fill(amount=1, by=desk.cay, now=desk.now)
    slips.withdraw(player=desk.pia, amount=1_001, by=desk.cay, now=desk.now)
    assert drawer(desk) == 0


def test_without_a_drawer_nothing_is_bought_or_paid(desk):
    for verb in (slips.deposit, slips.withdraw, slips.credit, slips.repay):
        refused(Conflict, "open one with a count", verb, player=desk.pia, amount=10, by=desk.cal, now=desk.now)


def test_those_of_the_cage_serve_others_with_whole_chips_and_nobody_else_does(desk):
    for who in (desk.pip, person("flo", "floor"), person("dan", "dealer")):
        refused(Forbidden, deposit, desk, by=who)
    refused(Invalid, "own cashier", deposit, desk, player=desk.cay)
    for amount in (0, -5, 1.5, True, "7", 10**13):
        refused(Invalid, deposit, desk, amount)


def test_the_same_key_is_the_same_slip_and_other_content_a_conflict(desk):
    first = deposit(desk, key="k")
    assert (deposit(desk, key="k"), wallet(desk.pia)) == (first, 500)
    refused(Conflict, deposit, desk, 501, key="k")
    assert Repeat.objects.filter(key="k").count() == 1


def test_the_limit_a_player_set_holds_at_the_cage_and_a_banned_one_is_paid_out_and_buys_nothing(desk):
    limits.wish(player=desk.pia, kind="deposit-day", amount=600, now=desk.now)
    deposit(desk)
    refused(Illegal, deposit, desk, 101)
    deposit(desk, 99)
    bans.ban(player=desk.pia, reason="fighting", by=desk.mia, now=desk.now)
    refused(Forbidden, "fighting", deposit, desk, 1)
    slips.withdraw(player=desk.pia, amount=599, by=desk.cay, now=desk.now)
    assert wallet(desk.pia) == 0


def test_credit_stays_within_the_line_and_is_paid_back_by_chips_or_money(desk, audited):
    refused(Illegal, "no credit line", slips.credit, player=desk.pia, amount=100, by=desk.cay, now=desk.now)
    slips.set_line(player=desk.pia, most=1_000, by=desk.mia, reason="known for years", now=desk.now)
    slips.credit(player=desk.pia, amount=800, by=desk.cay, now=desk.now)
    refused(Illegal, "200 more", slips.credit, player=desk.pia, amount=201, by=desk.cay, now=desk.now)
    assert (wallet(desk.pia), slips.owed_by(desk.pia), drawer(desk)) == (800, 800, 10_000)
    slips.repay(player=desk.pia, amount=300, by=desk.cay, now=desk.now)
    slips.repay(player=desk.pia, amount=400, by=desk.cay, now=desk.now, in_money=True)
    refused(NotEnoughChips, "owes 100", slips.repay, player=desk.pia, amount=101, by=desk.cay, now=desk.now)
    assert (wallet(desk.pia), slips.owed_by(desk.pia), drawer(desk)) == (500, 100, 10_400)


def test_comps_are_given_and_used_in_points_or_given_in_chips(desk, audited):
    slips.comp(player=desk.pia, amount=50, by=desk.cay, reason="long evening", now=desk.now)
    slips.use_comp(player=desk.pia, amount=30, by=desk.cay, reason="dinner", now=desk.now)
    with pytest.raises(NotEnoughChips, match="20 comp points"):
        slips.use_comp(player=desk.pia, amount=21, by=desk.cay, reason="dinner", now=desk.now)
    slips.comp(player=desk.pia, amount=40, by=desk.cay, reason="high hand", now=desk.now, in_chips=True)
    assert (wallet(desk.pia, "comp"), wallet(desk.pia)) == (20, 40)


def test_chips_go_from_player_to_player_by_a_manager_alone(desk, audited):
    deposit(desk)
    asked = {"player": desk.pia, "to": desk.pip, "amount": 100, "reason": "a loan", "now": desk.now}
    refused(allowances.NeedsApproval, slips.transfer, by=desk.cay, **asked)
    slips.transfer(by=desk.mia, **asked)
    assert (wallet(desk.pia), wallet(desk.pip)) == (400, 100)


def test_above_the_limit_a_second_person_is_asked_and_the_system_does_it_once(desk, audited):
    refused(allowances.NeedsApproval, "more than 20,000", deposit, desk, 20_001)
    asked = corrections.request(verb="deposit", player=desk.pia, amount=20_001, by=desk.cay, now=desk.now, key="big")
    assert isinstance(asked, Approval)
    assert wallet(desk.pia) == 0
    again = corrections.request(verb="deposit", player=desk.pia, amount=20_001, by=desk.cay, now=desk.now, key="big")
    assert again == asked
    decided = approvals.decide(approval_id=asked.pk, by=desk.mia, approve=True, now=desk.now)
    assert approvals.decide(approval_id=asked.pk, by=desk.mia, approve=True, now=desk.now) == decided
    refused(Conflict, approvals.decide, approval_id=asked.pk, by=desk.max, approve=True, now=desk.now)
    slip = Slip.objects.get(pk=decided.answer["slip"])
    assert (slip.by, slip.approval, slip.amount, wallet(desk.pia)) == (desk.cay, asked, 20_001, 20_001)


def test_nobody_approves_what_he_asked_for_himself_nor_without_the_role(desk):
    desk.cay.groups.add(desk.mia.groups.get())
    allowances.set_limit(role="manager", verb="deposit", slip=100, day=None, by=desk.mia, now=desk.now)
    allowances.set_limit(role="cashier", verb="deposit", slip=100, day=None, by=desk.mia, now=desk.now)
    asked = corrections.request(verb="deposit", player=desk.pia, amount=101, by=desk.cay, now=desk.now)
    for who, words in ((desk.cay, "your own request"), (desk.cal, "managers")):
        refused(Forbidden, words, approvals.decide, approval_id=asked.pk, by=who, approve=True, now=desk.now)
    approvals.decide(approval_id=asked.pk, by=desk.mia, approve=True, now=desk.now)


def test_what_is_refused_taken_back_or_late_is_not_done(desk):
    def ask():
        return corrections.request(verb="deposit", player=desk.pia, amount=30_000, by=desk.cay, now=desk.now)

    declined, back, late = ask(), ask(), ask()
    refused(Invalid, approvals.decide, approval_id=declined.pk, by=desk.mia, approve=False, now=desk.now)
    approvals.decide(approval_id=declined.pk, by=desk.mia, approve=False, reason="not tonight", now=desk.now)
    approvals.take_back(approval_id=back.pk, by=desk.cay, now=desk.now)
    for row, now in ((declined, desk.now), (back, desk.now), (late, desk.now + timedelta(hours=13))):
        refused(Conflict, approvals.decide, approval_id=row.pk, by=desk.max, approve=True, now=now)
    assert wallet(desk.pia) == 0


def test_what_the_wallet_does_not_hold_is_not_asked_for_and_what_it_held_then_still_waits(desk):
    with pytest.raises(NotEnoughChips, match="pia has 0 in the wallet"):
        corrections.request(verb="withdrawal", player=desk.pia, amount=10_001, by=desk.cay, now=desk.now)
    assert not Approval.objects.exists()
    deposit(desk, 15_000)
    asked = corrections.request(verb="withdrawal", player=desk.pia, amount=15_000, by=desk.cay, now=desk.now)
    slips.withdraw(player=desk.pia, amount=1, by=desk.cay, now=desk.now)
    refused(NotEnoughChips, approvals.decide, approval_id=asked.pk, by=desk.mia, approve=True, now=desk.now)
    assert approvals.waiting(now=desk.now).get() == asked
    deposit(desk, 1)
    approvals.decide(approval_id=asked.pk, by=desk.mia, approve=True, now=desk.now)
    assert wallet(desk.pia) == 0


def test_the_day_has_a_limit_too_and_what_was_approved_does_not_count(desk):
    allowances.set_limit(role="cashier", verb="deposit", slip=500, day=800, by=desk.mia, now=desk.now)
    deposit(desk)
    other = {"player": desk.pip, "by": desk.cay, "now": desk.now}
    refused(allowances.NeedsApproval, "500 of your daily limit of 800", slips.deposit, amount=301, **other)
    asked = corrections.request(verb="deposit", amount=301, **other)
    approvals.decide(approval_id=asked.pk, by=desk.mia, approve=True, now=desk.now)
    slips.deposit(amount=300, **other)
    deposit(desk, 500, now=desk.now + timedelta(hours=24))


def test_lines_and_limits_are_set_by_managers_only(desk):
    for by, refusal, why in ((desk.cay, Forbidden, "because"), (desk.mia, Invalid, "")):
        refused(refusal, slips.set_line, player=desk.pia, most=10, by=by, reason=why, now=desk.now)
    for by, refusal, role in ((desk.cay, Forbidden, "cashier"), (desk.mia, Invalid, "dealer")):
        refused(refusal, allowances.set_limit, role=role, verb="deposit", slip=1, day=1, by=by, now=desk.now)


def reversed_by_two(desk, slip):
    """By who wrote it, with the leave of a second person."""
    asked = corrections.request(verb="reversal", slip_id=slip.pk, reason="wrong player", by=slip.by, now=desk.now)
    second = desk.max if slip.by == desk.mia else desk.mia
    approvals.decide(approval_id=asked.pk, by=second, approve=True, now=desk.now)
    return Slip.objects.get(reverses=slip)


def test_a_reversal_is_the_mirror_once_and_with_a_reason(desk, audited):
    slip = deposit(desk)
    refused(Invalid, corrections.reverse, slip_id=slip.pk, reason="", by=desk.cay, now=desk.now)
    back = reversed_by_two(desk, slip)
    assert (drawer(desk), wallet(desk.pia), back.reverses, back.amount) == (10_000, 0, slip, -500)
    with pytest.raises(Conflict, match="already reversed"):
        corrections.reverse(slip_id=slip.pk, reason="wrong player", by=desk.cay, now=desk.now)
    refused(Conflict, corrections.reverse, slip_id=back.pk, reason="wrong player", by=desk.cay, now=desk.now)
    refused(NotFound, corrections.reverse, slip_id=999, reason="wrong player", by=desk.cay, now=desk.now)


def test_chips_that_are_gone_are_not_taken_back(desk):
    slip = deposit(desk)
    slips.withdraw(player=desk.pia, amount=400, by=desk.cay, now=desk.now)
    refused(NotEnoughChips, "pia has 100 in the wallet, and this takes 500", reversed_by_two, desk, slip)


def test_a_deposit_is_reversed_at_any_window_and_a_fill_or_a_take_at_the_drawer_it_is_of(desk, audited):
    made = [vault.fill(amount=3_000, by=desk.cay, now=desk.now), vault.take(amount=500, by=desk.cay, now=desk.now)]
    slip, other = deposit(desk), drawers.make_drawer(name="Window 2", by=desk.mia, now=desk.now)
    drawers.open_drawer(drawer_id=other.pk, counted={100: 50}, from_vault=5_000, by=desk.cal, now=desk.now)
    corrections.reverse(slip_id=slip.pk, reason="wrong player", by=desk.cal, now=desk.now)
    for slip in made:
        with pytest.raises(Conflict, match="belongs to Window 1, and your open drawer is Window 2"):
            corrections.reverse(slip_id=slip.pk, reason="a mistake", by=desk.cal, now=desk.now)
        reversed_by_two(desk, slip)
    assert (drawer(desk), ledger.balance(cage_books.drawer_account(other))) == (10_500, 4_500)


def test_a_repayment_that_is_reversed_lends_no_more_than_the_line(desk):
    said = {"player": desk.pia, "by": desk.mia, "now": desk.now, "reason": "known here"}
    lend = {"player": desk.pia, "by": desk.cay, "now": desk.now}
    slips.set_line(most=500, **said)
    slips.credit(amount=500, **lend)
    repaid = slips.repay(amount=400, **lend)
    slips.credit(amount=300, **lend)
    with pytest.raises(Illegal, match="owes 400: at most 100 more"):
        corrections.reverse(slip_id=repaid.pk, reason="a mistake", by=desk.cay, now=desk.now)
    slips.set_line(most=800, **said)
    reversed_by_two(desk, repaid)
    assert (slips.owed_by(desk.pia), faults()) == (800, [])


def test_a_drawer_closes_by_its_count_and_the_next_cashier_finds_what_was_left(desk, audited):
    deposit(desk)
    closed = drawers.close_drawer(counted={100: 100, 500: 1}, left_in=2_000, by=desk.cay, now=desk.now)
    assert (closed.state, closed.counted, closed.expected, closed.difference) == ("closed", 10_500, 10_500, 0)
    assert drawer(desk) == 2_000
    opened = drawers.open_drawer(drawer_id=desk.drawer.pk, counted=2_000, by=desk.cal, now=desk.now)
    assert opened.counts.get().expected == 2_000


def test_a_count_that_differs_needs_a_reason_and_is_posted_as_over_or_short(desk, audited):
    refused(Illegal, "30 short", drawers.close_drawer, counted=9_970, by=desk.cay, now=desk.now)
    closed = drawers.close_drawer(counted=9_970, by=desk.cay, reason="gave too much change", now=desk.now)
    assert (closed.difference, drawer(desk), Slip.objects.get(kind="over-short").amount) == (-30, 9_970, -30)
    assert counts.open_count(f"drawer:{desk.drawer.pk}") is None


def test_a_large_difference_waits_for_a_second_person(desk, audited):
    asked = {"counted": 9_000, "reason": "no idea", "by": desk.cay, "now": desk.now, "key": "close"}
    assert drawers.close_drawer(**asked).state == DrawerSession.State.CLOSING
    refused(Conflict, "waits for approval", deposit, desk)
    waits = approvals.waiting(now=desk.now).get()
    approvals.decide(approval_id=waits.pk, by=desk.mia, approve=True, now=desk.now)
    closed = drawers.close_drawer(**asked)
    assert (closed.state, closed.closed_by, drawer(desk)) == ("closed", desk.mia, 9_000)


def test_refused_the_drawer_is_counted_again_and_taken_back_by_a_colleague(desk):
    for undo in ("refuse", "take back"):
        drawers.close_drawer(counted=9_000, reason="no idea", by=desk.cay, now=desk.now)
        waits = approvals.waiting(now=desk.now).get()
        if undo == "refuse":
            approvals.decide(approval_id=waits.pk, by=desk.mia, approve=False, reason="count again", now=desk.now)
        else:
            approvals.take_back(approval_id=waits.pk, by=desk.cay, now=desk.now)
        deposit(desk, 1)
    said = {"counted": 10_002, "session_id": desk.session.pk, "now": desk.now}
    refused(Conflict, "and this is your last count", drawers.close_drawer, by=desk.cay, **said)
    closed = drawers.close_drawer(by=desk.mia, reason="counted again with cay", **said)
    assert closed.state == "closed"
    assert [row.what for row in closed.counts.all()] == ["opening", "closing", "closing", "closing"]


def test_a_manager_closes_the_drawer_of_a_cashier_who_has_gone(desk, audited):
    asked = {"session_id": desk.session.pk, "counted": 9_970, "now": desk.now}
    refused(Conflict, "no open drawer", drawers.close_drawer, by=desk.cal, reason="cay has gone home", **asked)
    refused(Invalid, "Enter a reason", drawers.close_drawer, by=desk.mia, **asked)
    refused(NotFound, drawers.close_drawer, by=desk.mia, reason="cay has gone home", **asked | {"session_id": 999})
    closed = drawers.close_drawer(by=desk.mia, reason="cay has gone home", **asked)
    assert (closed.state, closed.cashier, closed.closed_by, drawer(desk)) == ("closed", desk.cay, desk.mia, 9_970)
    assert Slip.objects.get(kind="over-short").by == desk.mia
    refused(Conflict, "already closed", drawers.close_drawer, by=desk.max, reason="cay has gone home", **asked)


def test_a_large_difference_in_somebody_elses_drawer_is_decided_by_neither_who_counted_nor_who_had_it(desk, audited):
    access.grant_role(user=desk.cay, role="manager", by=None)
    asked = {"session_id": desk.session.pk, "counted": 5_000, "reason": "cay has gone home", "now": desk.now}
    assert drawers.close_drawer(by=desk.mia, **asked).state == "closing"
    waits = approvals.waiting(now=desk.now).get()
    for by in (desk.mia, desk.cay):
        refused(Forbidden, approvals.decide, approval_id=waits.pk, by=by, approve=True, now=desk.now)
    approvals.decide(approval_id=waits.pk, by=desk.max, approve=True, now=desk.now)
    slip = Slip.objects.get(kind="over-short")
    assert (slip.by, slip.approval, slip.session.state) == (desk.mia, waits, "closed")


def test_who_has_a_drawer_open_keeps_his_role_and_his_account_until_it_is_closed(desk):
    refused(Conflict, "Window 1 open", accounts.take, user=desk.cay, role="cashier", by=desk.mia, now=desk.now)
    refused(Conflict, "Window 1 open", accounts.close, user=desk.cay, by=desk.mia, reason="has left", now=desk.now)
    access.grant_role(user=desk.cay, role="manager", by=desk.mia)
    accounts.take(user=desk.cay, role="cashier", by=desk.mia, now=desk.now)
    drawers.close_drawer(counted=10_000, by=desk.cay, now=desk.now)
    accounts.take(user=desk.cay, role="manager", by=desk.mia, now=desk.now)
    accounts.close(user=desk.cay, by=desk.mia, reason="has left", now=desk.now)


def test_a_drawer_counted_by_who_is_of_the_cage_no_more_is_closed_by_a_second_person(desk, audited):
    drawers.close_drawer(counted=9_000, reason="no idea", by=desk.cay, now=desk.now)
    access.take_role(user=desk.cay, role="cashier", by=None)
    waits = approvals.waiting(now=desk.now).get()
    approvals.decide(approval_id=waits.pk, by=desk.mia, approve=True, now=desk.now)
    assert Slip.objects.get(kind="over-short").session.state == "closed"


def test_a_drawer_that_was_found_short_is_opened_by_the_word_of_a_second_person(desk, audited):
    drawers.close_drawer(counted=10_000, by=desk.cay, now=desk.now)
    asked = {"drawer_id": desk.drawer.pk, "counted": {100: 90}, "reason": "it was like this"}
    row = corrections.request(verb="open", by=desk.cal, now=desk.now, **asked)
    assert isinstance(row, Approval)
    approvals.decide(approval_id=row.pk, by=desk.mia, approve=True, now=desk.now)
    assert (desk.cal.drawer_sessions.get().state, drawer(desk)) == ("open", 9_000)


def test_one_cashier_has_one_drawer_and_a_drawer_one_cashier(desk):
    other = drawers.make_drawer(name="Window 2", by=desk.mia, now=desk.now)
    with pytest.raises(Conflict, match="close it before you open another"):
        drawers.open_drawer(drawer_id=other.pk, counted=0, by=desk.cay, now=desk.now)
    with pytest.raises(Conflict, match="is open for cay"):
        drawers.open_drawer(drawer_id=desk.drawer.pk, counted=10_000, by=desk.cal, now=desk.now)


def test_a_count_in_between_changes_nothing(desk):
    row = drawers.count(counted={100: 99}, by=desk.cay, now=desk.now, reason="a note is out")
    assert (row.counted, row.expected, row.difference, drawer(desk)) == (9_900, 10_000, -100, 10_000)
    assert row.pieces == {"100": 99}


def test_a_drawer_goes_out_of_use_only_when_it_is_closed_and_empty(desk):
    refused(Conflict, "close it first", drawers.retire_drawer, drawer_id=desk.drawer.pk, by=desk.mia, now=desk.now)
    drawers.close_drawer(counted=10_000, by=desk.cay, now=desk.now)
    refused(Conflict, "holds 10,000", drawers.retire_drawer, drawer_id=desk.drawer.pk, by=desk.mia, now=desk.now)
    drawers.open_drawer(drawer_id=desk.drawer.pk, counted=10_000, by=desk.cay, now=desk.now)
    drawers.close_drawer(counted=10_000, left_in=0, by=desk.cay, now=desk.now)
    drawers.retire_drawer(drawer_id=desk.drawer.pk, by=desk.mia, now=desk.now)
    refused(Conflict, "is retired", drawers.open_drawer, drawer_id=desk.drawer.pk, counted=0, by=desk.cay, now=desk.now)


def test_money_for_the_vault_is_a_managers_and_nothing_leaves_it_that_is_not_in_it(desk, audited):
    refused(Forbidden, vault.vault, amount=100, reason="from the bank", by=desk.cay, now=desk.now)
    brought = vault.vault(amount=1, reason="from the bank", by=desk.mia, now=desk.now)
    taken = vault.take(amount=4_000, by=desk.cay, now=desk.now)
    vault.vault(amount=-94_001 + 500, reason="to the bank", by=desk.mia, now=desk.now)
    assert ledger.balance(cage_books.house("vault", "money")) == 500
    brings = {"reason": "a mistake", "now": desk.now}
    for short in (
        lambda: vault.fill(amount=501, by=desk.cay, now=desk.now),
        lambda: vault.vault(amount=-501, by=desk.mia, **brings),
        lambda: corrections.reverse(slip_id=taken.pk, by=desk.cay, **brings),
    ):
        refused(NotEnoughChips, "vault balance is below", short)
    vault.fill(amount=500, by=desk.cay, now=desk.now)
    refused(NotEnoughChips, "vault balance is below", corrections.reverse, slip_id=brought.pk, by=desk.mia, **brings)
    other = drawers.make_drawer(name="Window 2", by=desk.mia, now=desk.now)
    with pytest.raises(NotEnoughChips, match="Vault and bank"):
        drawers.open_drawer(drawer_id=other.pk, counted=1, from_vault=1, by=desk.cal, now=desk.now)
