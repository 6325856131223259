"""Counts are blind: told the books' figure is who has counted, and what was counted stays written."""

import pytest

from cardroom.cage import corrections, drawers, slips, vault
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotEnoughChips
from tests.cardroom.cage_desk import approved, person, window
from tests.support.models import Approval, DrawerSession, Slip, StaffAction
from tests.support.parts.cardroom import NeedsApproval, approvals, cage_books, cage_queries, counts, ledger
from tests.support.refusals import refused

LAST = "and this is your last count"


def kept(subject):
    return [(row.counted, row.expected, row.by.username, row.reason) for row in reversed(counts.of(subject))]


@pytest.mark.parametrize("count", [drawers.close_drawer, drawers.count], ids=["to close it", "in between"])
def test_a_wrong_count_is_kept_and_stands_and_the_right_one_is_not_typed_after_it(desk, audited, count):
    said = "You counted 9,970, and this is recorded; the book balance is 10,000"
    refused(Illegal, said, count, counted=9_970, by=desk.cay)
    again = refused(Conflict, f"You counted 9,970 at .*, 30 short, {LAST}", count, counted=10_000, by=desk.cay)
    assert again.code == "count-stands"
    assert kept(f"drawer:{desk.drawer.pk}")[-2:] == [(9_970, 10_000, "cay", ""), (10_000, 10_000, "cay", "")]
    assert cage_queries.own_session(desk.cay).state == DrawerSession.State.OPEN
    slips.deposit(player=desk.pia, amount=500, by=desk.cay)
    refused(Conflict, LAST, drawers.close_drawer, counted=10_500, by=desk.cay)
    assert drawers.close_drawer(counted=10_470, reason="short", by=desk.cay).difference == -30


@pytest.mark.parametrize("asks", [False, True])
def test_a_drawer_is_opened_blind_too(desk, asks):
    other = drawers.make_drawer(name="Window 2", by=desk.mia)
    said = {"drawer_id": other.pk, "from_vault": 1_000, "by": desk.cal} | ({"verb": "open"} if asks else {})
    begin = corrections.request if asks else drawers.open_drawer
    refused(Illegal, begin, counted=980, **said)
    refused(Conflict, begin, counted=1_000, **said)
    assert not DrawerSession.objects.filter(drawer=other).exists()
    assert begin(counted=980, reason="a torn bill", **said).state == DrawerSession.State.OPEN


def in_vault(desk, counted, by=None, **more):
    """The vault counted, where 90,000 lie by the books."""
    return vault.count_vault(counted=counted, by=by or desk.mia, **more)


def test_the_vault_is_counted_by_those_of_the_cage_and_nothing_is_posted_where_the_books_agree(desk, audited):
    for by in (desk.pia, person("ada", "auditor"), person("flo", "floor"), person("dee", "dealer")):
        refused(Forbidden, in_vault, desk, 90_000, by=by)
    stood = in_vault(desk, {10_000: 8, 5_000: 2})
    assert (stood.difference, stood.pieces) == (0, {"10000": 8, "5000": 2})
    assert not Slip.objects.filter(kind="over-short").exists()
    assert StaffAction.objects.get(verb="cage.count_vault").details == {"count": stood.pk, "difference": 0}


def test_a_wrong_count_of_the_vault_is_kept_and_the_right_one_is_not_typed_after_it(desk, audited):
    refused(Illegal, "You counted 89,500, and this is recorded; the book balance is 90,000", in_vault, desk, 89_500)
    vault.fill(amount=1_000, by=desk.cay)
    refused(Conflict, f"You counted 89,500 at .*, 500 short, {LAST}", in_vault, desk, 89_000)
    assert (in_vault(desk, 88_500, reason="paid out twice").difference, cage_queries.vault()) == (-500, 88_500)
    slip = Slip.objects.get(kind="over-short")
    assert (slip.amount, slip.session, slip.reason, slip.by) == (-500, None, "paid out twice", desk.mia)
    assert ([row[0] for row in kept("vault")], counts.open_count("vault")) == ([89_500, 89_000, 88_500], None)


def test_above_the_limit_two_answer_for_the_vault_while_slips_go_on(desk, audited):
    waits = in_vault(desk, 80_000, reason="a bundle is missing", key="k")
    assert in_vault(desk, 80_000, reason="a bundle is missing", key="k") == waits
    assert (waits.words, cage_queries.vault()) == ("Vault: 10,000 short", 90_000)
    refused(Conflict, "waits for approval", in_vault, desk, 90_000)
    vault.fill(amount=1_000, by=desk.cay)
    refused(Forbidden, "your own request", approved, waits, desk.mia)
    approved(waits, desk.max)
    assert cage_queries.vault() == 79_000
    slip = Slip.objects.get(kind="over-short")
    assert (slip.amount, slip.by, slip.approval) == (-10_000, desk.mia, waits)
    row = counts.of("vault")[-1]
    assert (row.posted, row.approval, row.settled_at) == (True, waits, desk.now)


@pytest.mark.parametrize("counted", [90_000, 89_990, 80_000])
def test_what_waits_is_posted_only_where_no_colleague_counted_otherwise_since(desk, audited, counted):
    waits = in_vault(desk, 80_000, reason="a bundle is missing")
    if counted == 90_000:
        assert in_vault(desk, counted, by=desk.cay).difference == 0
    else:
        refused(Illegal, in_vault, desk, counted, by=desk.cay)
    if counted == 80_000:
        approved(waits, desk.max)
        assert counts.open_count("vault") is None
    else:
        refused(Conflict, "There is a later count", approved, waits, desk.max)
    if counted == 89_990:
        assert in_vault(desk, counted, by=desk.cay, reason="a torn bill").difference == -10
    assert cage_queries.vault() == counted


def test_the_right_count_is_not_typed_after_a_colleagues_wrong_one_either(desk, audited):
    for by, counted in ((desk.mia, 89_500), (desk.cay, 89_600)):
        refused(Illegal, in_vault, desk, counted, by=by)
    for by, own in ((desk.mia, "89,500"), (desk.cay, "89,600")):
        refused(Conflict, f"You counted {own} .* {LAST}", in_vault, desk, 90_000, by=by)
        assert f"{counts.open_count('vault', viewer=by).counted:,}" == own
    assert counts.open_count("vault", viewer=desk.max).by == desk.cay
    assert (in_vault(desk, 89_500, reason="paid out twice").difference, counts.open_count("vault")) == (-500, None)


def test_what_waited_and_is_taken_back_stands_and_what_a_second_person_refuses_is_counted_again(desk, audited):
    waits = in_vault(desk, 80_000, reason="a bundle is missing")
    approvals.take_back(approval_id=waits.pk, by=desk.mia)
    refused(Conflict, LAST, in_vault, desk, 90_000)
    waits = in_vault(desk, 80_000, reason="a bundle is missing")
    approvals.decide(approval_id=waits.pk, by=desk.max, approve=False, reason="look again")
    assert in_vault(desk, 90_000).difference == 0


@pytest.mark.parametrize("counted", [-1, 10**12 + 1, True, "90000", {0: 1}, {100: -1}, {100: 1.5}, {100: 10**9}, 1.5])
def test_what_nobody_can_have_counted_is_no_count(desk, counted):
    for count in (vault.count_vault, drawers.count):
        refused(Invalid, count, counted=counted, by=desk.cay)
    assert not counts.of("vault")


def test_a_vault_that_is_over_takes_what_was_found_and_one_that_would_hold_less_than_nothing_waits(desk, audited):
    in_vault(desk, 90_900, reason="a fill was not taken")
    assert cage_queries.vault() == 90_900
    waits = in_vault(desk, 0, reason="it is all gone")
    vault.fill(amount=1_000, by=desk.cay)
    refused(NotEnoughChips, "vault balance is below", approved, waits, desk.max)
    vault.take(amount=1_000, by=desk.cay)
    approved(waits, desk.max)
    assert cage_queries.vault() == 0


def test_small_differences_add_up_in_a_day_wherever_they_are_found_but_for_what_a_second_person_approved(desk, audited):
    said = {"by": desk.cay, "reason": "short"}
    approved(in_vault(desk, 89_000, **said), desk.max)
    for counted in (88_960, 88_920, 88_880):
        assert in_vault(desk, counted, **said).difference == -40
    assert in_vault(desk, 88_920, **said).difference == 40
    assert drawers.close_drawer(counted=9_960, **said).state == "closed"
    assert isinstance(in_vault(desk, 88_919, **said), Approval)
    other = drawers.make_drawer(name="2", by=desk.mia)
    used = "You have used 200 of your daily limit of 200"
    refused(NeedsApproval, used, drawers.open_drawer, drawer_id=other.pk, counted=1, **said)


def test_a_drawer_opened_with_a_difference_above_the_limit_leaves_its_count(desk, audited):
    other = drawers.make_drawer(name="Window 2", by=desk.mia)
    subject = f"drawer:{other.pk}"
    said = {"verb": "open", "drawer_id": other.pk, "from_vault": 1_000, "by": desk.cal}
    waits = corrections.request(counted={100: 5}, reason="a bundle is missing", **said)
    assert kept(subject) == [(500, 1_000, "cal", "a bundle is missing")]
    assert counts.of(subject)[0].pieces == {"100": 5}
    refused(Conflict, "waits for approval", corrections.request, counted=1_000, **said)
    approved(waits, desk.mia)
    assert (cage_queries.own_session(desk.cal).drawer, ledger.balance(cage_books.drawer_account(other))) == (other, 500)
    (row,) = [row for row in counts.of(subject) if row.posted]
    assert (row.counted, row.approval, len(counts.of(subject))) == (500, waits, 2)


def test_a_drawer_is_not_opened_with_a_difference_where_it_was_counted_or_money_moved_since(desk, audited):
    other = drawers.make_drawer(name="Window 2", by=desk.mia)
    said = {"verb": "open", "drawer_id": other.pk, "by": desk.cal}
    waits = corrections.request(counted=900, reason="there was a bundle", **said)
    window(desk, desk.mia)
    drawers.close_drawer(counted=0, by=desk.mia)
    refused(Conflict, "There is a later count", approved, waits, desk.max)
    waits = corrections.request(counted=900, reason="there was a bundle", **said)
    window(desk, desk.mia, 2_000)
    drawers.close_drawer(counted=2_000, by=desk.mia)
    refused(Conflict, "count it again", approved, waits, desk.max)
    assert ledger.balance(cage_books.drawer_account(other)) == 2_000
