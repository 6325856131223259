"""Counts are blind: told the books' figure is who has counted, and what was counted stays written."""

import pytest

from cardroom.cage import corrections, drawers, slips, vault
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotEnoughChips
from tests.cardroom.cage_desk import person
from tests.support.models import Approval, BlindCount, DrawerSession, Slip, StaffAction
from tests.support.parts.cardroom import NeedsApproval, approvals, cage_queries, counts
from tests.support.refusals import refused


def kept(subject):
    return [(row.counted, row.expected, row.by.username, row.reason) for row in reversed(counts.of(subject))]


def test_a_wrong_count_is_kept_and_the_right_one_is_not_typed_after_it(desk, audited):
    close = {"by": desk.cay, "now": desk.now}
    with pytest.raises(Illegal, match="You counted 9,900, and this is recorded; the book balance is 10,000"):
        drawers.close_drawer(counted=9_900, **close)
    with pytest.raises(Conflict, match=r"You counted 9,900 at .*, 100 short, and this is your last count") as refusal:
        drawers.close_drawer(counted=10_000, **close)
    assert refusal.value.code == "count-stands"
    assert kept(f"drawer:{desk.drawer.pk}")[-2:] == [(9_900, 10_000, "cay", ""), (10_000, 10_000, "cay", "")]
    assert cage_queries.own_session(desk.cay).state == DrawerSession.State.OPEN


def test_the_difference_stands_while_slips_go_on(desk, audited):
    refused(Illegal, drawers.close_drawer, counted=9_970, by=desk.cay, now=desk.now)
    slips.deposit(player=desk.pia, amount=500, by=desk.cay, now=desk.now)
    refused(Conflict, drawers.close_drawer, counted=10_500, by=desk.cay, now=desk.now)
    assert drawers.close_drawer(counted=10_470, reason="short", by=desk.cay, now=desk.now).difference == -30


def test_a_colleague_counts_anew_and_both_counts_are_kept(desk, audited):
    refused(Illegal, drawers.close_drawer, counted=9_900, by=desk.cay, now=desk.now)
    found = {"session_id": desk.session.pk, "reason": "counted again with cay"}
    closed = drawers.close_drawer(counted=10_000, by=desk.mia, now=desk.now, **found)
    assert (closed.state, closed.difference) == ("closed", 0)
    assert [row[2] for row in kept(f"drawer:{desk.drawer.pk}")[-2:]] == ["cay", "mia"]


@pytest.mark.parametrize("asks", [False, True])
def test_a_drawer_is_opened_blind_too(desk, asks):
    other = drawers.make_drawer(name="Window 2", by=desk.mia, now=desk.now)
    said = {"drawer_id": other.pk, "from_vault": 1_000, "by": desk.cal, "now": desk.now}
    begin = (lambda **more: corrections.request(verb="open", **said, **more)) if asks else (
        lambda **more: drawers.open_drawer(**said, **more)
    )  # fmt: skip
    refused(Illegal, begin, counted=980)
    refused(Conflict, begin, counted=1_000)
    assert not DrawerSession.objects.filter(drawer=other).exists()
    assert begin(counted=980, reason="a torn bill").state == DrawerSession.State.OPEN


def test_a_count_in_between_is_blind_and_kept(desk):
    refused(Illegal, drawers.count, counted=9_900, by=desk.cay, now=desk.now)
    refused(Conflict, drawers.close_drawer, counted=10_000, by=desk.cay, now=desk.now)
    assert BlindCount.objects.filter(subject=f"drawer:{desk.drawer.pk}", counted=9_900, settled_at=None).exists()


def test_no_refusal_tells_what_lies_in_a_drawer_before_it_is_counted(desk):
    slips.deposit(player=desk.pia, amount=15_000, by=desk.cay, now=desk.now)
    refusal = refused(NotEnoughChips, vault.take, amount=30_000, by=desk.cay, now=desk.now)
    assert "25,000" not in refusal.message
    assert "held" not in refusal.details


def in_vault(desk, counted, by=None, **more):
    """The vault counted, where 90,000 lie by the books."""
    return vault.count_vault(counted=counted, by=by or desk.mia, now=desk.now, **more)


def agreed(waits, by, now):
    return approvals.decide(approval_id=waits.pk, by=by, approve=True, now=now)


def test_the_vault_is_counted_by_its_pieces_and_nothing_is_posted_where_the_books_agree(desk, audited):
    stood = in_vault(desk, {10_000: 8, 5_000: 2})
    assert (stood.difference, stood.pieces) == (0, {"10000": 8, "5000": 2})
    assert not Slip.objects.filter(kind="over-short").exists()
    assert StaffAction.objects.get(verb="cage.count_vault").details == {"count": stood.pk, "difference": 0}


def test_a_wrong_count_of_the_vault_is_kept_and_the_right_one_is_not_typed_after_it(desk, audited):
    refused(Illegal, "You counted 89,500, and this is recorded; the book balance is 90,000", in_vault, desk, 89_500)
    vault.fill(amount=1_000, by=desk.cay, now=desk.now)
    refused(Conflict, r"You counted 89,500 at .*, 500 short, and this is your last count", in_vault, desk, 89_000)
    assert (in_vault(desk, 88_500, reason="paid out twice").difference, cage_queries.vault()) == (-500, 88_500)
    slip = Slip.objects.get(kind="over-short")
    assert (slip.amount, slip.session, slip.reason, slip.by) == (-500, None, "paid out twice", desk.mia)
    assert ([row[0] for row in kept("vault")], counts.open_count("vault")) == ([89_500, 89_000, 88_500], None)


def test_a_colleague_counts_the_vault_anew(desk, audited):
    refused(Illegal, in_vault, desk, 89_500)
    assert in_vault(desk, 90_000, by=desk.cay).difference == 0
    assert kept("vault") == [(89_500, 90_000, "mia", ""), (90_000, 90_000, "cay", "")]


def test_above_the_limit_two_answer_for_the_vault_while_slips_go_on(desk, audited):
    waits = in_vault(desk, 80_000, reason="a bundle is missing", key="k")
    assert in_vault(desk, 80_000, reason="a bundle is missing", key="k") == waits
    assert (waits.words, cage_queries.vault()) == ("Vault: 10,000 short", 90_000)
    refused(Conflict, "waits for approval", in_vault, desk, 90_000)
    vault.fill(amount=1_000, by=desk.cay, now=desk.now)
    refused(Forbidden, agreed, waits, desk.mia, desk.now)
    agreed(waits, desk.max, desk.now)
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
        agreed(waits, desk.max, desk.now)
        assert counts.open_count("vault") is None
    else:
        refused(Conflict, "There is a later count", agreed, waits, desk.max, desk.now)
    if counted == 89_990:
        assert in_vault(desk, counted, by=desk.cay, reason="a torn bill").difference == -10
    assert cage_queries.vault() == counted


def test_the_right_count_is_not_typed_after_a_colleagues_wrong_one_either(desk, audited):
    for by, counted in ((desk.mia, 89_500), (desk.cay, 89_600)):
        refused(Illegal, in_vault, desk, counted, by=by)
    for by, own in ((desk.mia, "89,500"), (desk.cay, "89,600")):
        refused(Conflict, f"You counted {own} .* and this is your last count", in_vault, desk, 90_000, by=by)
        assert f"{counts.open_count('vault', viewer=by).counted:,}" == own
    assert counts.open_count("vault", viewer=desk.max).by == desk.cay
    assert (in_vault(desk, 89_500, reason="paid out twice").difference, counts.open_count("vault")) == (-500, None)


def test_what_waited_and_is_taken_back_stands_and_what_a_second_person_refuses_is_counted_again(desk, audited):
    waits = in_vault(desk, 80_000, reason="a bundle is missing")
    approvals.take_back(approval_id=waits.pk, by=desk.mia, now=desk.now)
    refused(Conflict, "and this is your last count", in_vault, desk, 90_000)
    waits = in_vault(desk, 80_000, reason="a bundle is missing")
    approvals.decide(approval_id=waits.pk, by=desk.max, approve=False, reason="look again", now=desk.now)
    assert in_vault(desk, 90_000).difference == 0


@pytest.mark.parametrize("counted", [-1, 10**12 + 1, True, "90000", {0: 1}, {100: -1}, {100: 1.5}, {100: 10**9}, 1.5])
def test_what_nobody_can_have_counted_is_no_count(desk, counted):
    for count in (vault.count_vault, drawers.count):
        refused(Invalid, count, counted=counted, by=desk.cay, now=desk.now)
    assert not counts.of("vault")


def test_who_is_not_of_the_cage_counts_no_vault(desk):
    for by in (desk.pia, person("ada", "auditor"), person("flo", "floor"), person("dee", "dealer")):
        refused(Forbidden, in_vault, desk, 90_000, by=by)


def test_a_vault_that_is_over_takes_what_was_found_and_one_that_would_hold_less_than_nothing_waits(desk, audited):
    in_vault(desk, 90_900, reason="a fill was not taken")
    assert cage_queries.vault() == 90_900
    waits = in_vault(desk, 0, reason="it is all gone")
    vault.fill(amount=1_000, by=desk.cay, now=desk.now)
    refused(NotEnoughChips, "vault balance is below", agreed, waits, desk.max, desk.now)
    vault.take(amount=1_000, by=desk.cay, now=desk.now)
    agreed(waits, desk.max, desk.now)
    assert cage_queries.vault() == 0


def test_small_differences_add_up_in_a_day_wherever_they_are_found(desk, audited):
    for counted in (89_960, 89_920, 89_880):
        assert in_vault(desk, counted, by=desk.cay, reason="short").difference == -40
    assert in_vault(desk, 89_920, by=desk.cay, reason="found again").difference == 40
    said = {"by": desk.cay, "now": desk.now, "reason": "short"}
    assert drawers.close_drawer(counted=9_960, **said).state == "closed"
    assert isinstance(in_vault(desk, 89_919, by=desk.cay, reason="short"), Approval)
    other = drawers.make_drawer(name="2", by=desk.mia, now=desk.now)
    with pytest.raises(NeedsApproval, match="You have used 200 of your daily limit of 200"):
        drawers.open_drawer(drawer_id=other.pk, counted=1, **said)


def test_what_a_second_person_approved_does_not_count_towards_the_day(desk, audited):
    agreed(in_vault(desk, 89_000, by=desk.cay, reason="short"), desk.max, desk.now)
    assert in_vault(desk, 88_960, by=desk.cay, reason="short").difference == -40


def test_a_drawer_opened_with_a_difference_above_the_limit_leaves_its_count(desk, audited):
    other = drawers.make_drawer(name="Window 2", by=desk.mia, now=desk.now)
    subject = f"drawer:{other.pk}"
    said = {"verb": "open", "drawer_id": other.pk, "from_vault": 1_000, "by": desk.cal, "now": desk.now}
    waits = corrections.request(counted={100: 5}, reason="a bundle is missing", **said)
    assert kept(subject) == [(500, 1_000, "cal", "a bundle is missing")]
    assert counts.of(subject)[0].pieces == {"100": 5}
    refused(Conflict, "waits for approval", corrections.request, counted=1_000, **said)
    agreed(waits, desk.mia, desk.now)
    assert cage_queries.own_session(desk.cal).drawer == other
    (row,) = [row for row in counts.of(subject) if row.posted]
    assert (row.counted, row.approval, len(counts.of(subject))) == (500, waits, 2)


def test_a_drawer_that_a_colleague_counted_since_is_not_opened_with_the_difference_of_before(desk, audited):
    other = drawers.make_drawer(name="Window 2", by=desk.mia, now=desk.now)
    said = {"verb": "open", "drawer_id": other.pk, "now": desk.now}
    waits = corrections.request(counted=900, reason="there was a bundle", by=desk.cal, **said)
    corrections.request(counted=0, by=desk.mia, **said)
    drawers.close_drawer(counted=0, by=desk.mia, now=desk.now)
    refused(Conflict, "There is a later count", agreed, waits, desk.max, desk.now)
