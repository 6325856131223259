"""Counts are blind: told the books' figure is who has counted, and what was counted stays written."""

from datetime import timedelta

import pytest

from cardroom.cage import drawers, slips, vault
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotEnoughChips
from tests.cardroom.cage_desk import approved, person, window
from tests.support.counting import counted_twice
from tests.support.models import Approval, DrawerSession, Slip, StaffAction
from tests.support.parts.cardroom import approvals, cage_books, cage_queries, counts, ledger
from tests.support.refusals import refused

LAST = "only a colleague's count is taken now"
AGAIN = "is recorded: count again"


def kept_counts(subject):
    return [(row.counted, row.expected, row.by.username, row.reason) for row in reversed(counts.counts_of(subject))]


def later(desk, **span):
    return desk.now + timedelta(**span)


def without_figures(refusal, *figures):
    """Check that the refusal has none of these figures in it, for people or for programs. Returns it."""
    said = f"{refusal.message} {refusal.rule} {refusal.values}".replace(",", "")
    assert not [figure for figure in figures if str(figure) in said]
    return refusal


@pytest.mark.parametrize("reason", ["", "a torn bill"])
@pytest.mark.parametrize("count", [drawers.close_drawer, drawers.count], ids=["to close it", "in between"])
def test_a_first_count_that_differs_is_made_again_without_the_books_figure(desk, audited, count, reason):
    first = without_figures(
        refused(Illegal, f"9,970 {AGAIN}", count, counted=9_970, by=desk.cay, reason=reason), 10_000, 30
    )
    assert (first.code, first.values) == ("count-again", {"counted": 9_970})
    second = without_figures(refused(Illegal, "enter a reason", count, counted=9_970, by=desk.cay), 10_000, 30)
    assert (second.code, second.values) == ("count-differs", {"counted": 9_970})
    assert kept_counts(f"drawer:{desk.drawer.pk}")[-2:] == [(9_970, 10_000, "cay", reason), (9_970, 10_000, "cay", "")]
    assert count(counted=9_970, by=desk.cay, reason="a torn bill").difference == -30


@pytest.mark.parametrize("second", [10_000, 9_980], ids=["the books' figure", "another figure"])
def test_after_another_figure_only_a_colleagues_count_closes(desk, audited, second):
    close = {"by": desk.cay, "reason": "found it"}
    refused(Illegal, AGAIN, drawers.close_drawer, counted=9_970, now=desk.now, **close)
    for number, counted in enumerate((second, 10_000, 9_970), 61):
        asked = {"counted": counted, "now": later(desk, seconds=number), **close}
        refusal = without_figures(
            refused(Conflict, LAST, drawers.close_drawer, **asked), 30 if counted != second else "book"
        )
        assert (refusal.code, refusal.message) == (
            "count-stands", f"{counted:,} is recorded with your earlier count: {LAST}."
        )  # fmt: skip
    assert cage_queries.own_session(desk.cay).state == DrawerSession.State.OPEN
    asked = {"session_id": desk.session.pk, "by": desk.cal, "reason": "cay counted two figures"}
    closed = drawers.close_drawer(counted=10_000, now=later(desk, minutes=3), **asked)
    assert (closed.state, closed.closed_by, closed.difference) == ("closed", desk.cal, 0)
    assert closed.counts.get(what="closing").number == 5


@pytest.mark.parametrize("reason", ["", "a torn bill"])
def test_the_same_request_under_its_key_is_no_second_count(desk, audited, reason):
    drawer = f"drawer:{desk.drawer.pk}"
    close = {"counted": 9_970, "by": desk.cay, "reason": reason}
    for _ in range(3):
        first = refused(Illegal, f"9,970 {AGAIN}", drawers.close_drawer, **close, key="k1")
        assert (first.code, first.values, first.rule) == ("count-again", {"counted": 9_970}, str(counts.RULE))
    assert len(counts.counts_of(drawer)) == 2, "the opening and this"
    refused(Conflict, "another request", drawers.close_drawer, **close | {"counted": 9_980}, key="k1")
    if not reason:
        for _ in range(2):
            assert refused(Illegal, drawers.close_drawer, **close, key="k2").code == "count-differs"
        refused(Illegal, f"9,970 {AGAIN}", drawers.close_drawer, **close, key="k1")
        assert len(counts.counts_of(drawer)) == 3
    closed = drawers.close_drawer(**close | {"reason": "a torn bill"}, key="k3")
    assert drawers.close_drawer(**close | {"reason": "a torn bill"}, key="k3") == closed


def test_a_count_that_only_a_colleague_makes_is_refused_again_under_its_key(desk):
    refused(Illegal, AGAIN, drawers.close_drawer, counted=9_970, by=desk.cay, now=desk.now)
    asked = {"counted": 9_960, "by": desk.cay, "now": later(desk, minutes=2), "key": "k"}
    for _ in range(2):
        assert refused(Conflict, LAST, drawers.close_drawer, **asked).code == "count-stands"
    assert [row.counted for row in counts.counts_of(f"drawer:{desk.drawer.pk}")] == [9_960, 9_970, 10_000]


def test_an_opening_that_is_asked_for_again_under_its_key_is_no_second_count(desk):
    other = drawers.make_drawer(name="Window 2", by=desk.mia)
    asked = {"drawer_id": other.pk, "from_vault": 1_000, "by": desk.cal, "counted": 980}
    for _ in range(2):
        refused(Illegal, f"980 {AGAIN}", drawers.open_drawer, **asked, key="k")
    assert [row.counted for row in counts.counts_of(f"drawer:{other.pk}")] == [980]
    opened = drawers.open_drawer(**asked | {"reason": "a note is out"}, key="k2")
    assert opened.counts.get().difference == -20


def test_no_cashier_closes_a_colleagues_drawer_whose_own_count_is_still_taken(desk):
    asked = {"session_id": desk.session.pk, "by": desk.cal, "reason": "cay is away"}
    refused(Conflict, "no open drawer", drawers.close_drawer, counted=10_000, **asked)
    refused(Illegal, AGAIN, drawers.close_drawer, counted=9_970, by=desk.cay)
    refused(Conflict, "no open drawer", drawers.close_drawer, counted=10_000, **asked)


@pytest.mark.parametrize("seconds", [60, 61])
def test_a_slip_of_the_finger_is_corrected_within_a_minute_and_counted_again(desk, audited, seconds):
    refused(Illegal, AGAIN, drawers.close_drawer, counted=1_000, by=desk.cay, now=desk.now)
    then = {"by": desk.cay, "now": later(desk, seconds=seconds)}
    if seconds > 60:
        refused(Conflict, LAST, drawers.close_drawer, counted=10_000, **then)
        return
    refused(Illegal, f"10,000 {AGAIN}", drawers.close_drawer, counted=10_000, **then)
    assert drawers.close_drawer(counted=10_000, by=desk.cay, now=later(desk, minutes=9)).difference == 0
    (closing,) = desk.session.counts.filter(what="closing")
    assert (closing.number, counts.open_count(f"drawer:{desk.drawer.pk}")) == (3, None)


@pytest.mark.parametrize("corrected", [10_000, 9_999])
def test_a_correction_is_answered_alike_whether_it_agrees_or_not_and_is_made_once(desk, corrected):
    close = {"by": desk.cay, "now": desk.now, "reason": "a torn bill"}
    first = refused(Illegal, AGAIN, drawers.close_drawer, counted=9_000, **close)
    second = refused(Illegal, AGAIN, drawers.close_drawer, counted=corrected, **close)
    assert second.message == first.message.replace("9,000", f"{corrected:,}")
    assert (second.code, second.values) == (first.code, {"counted": corrected})
    refused(Conflict, LAST, drawers.close_drawer, counted=9_998, **close)


def test_a_typing_error_at_opening_needs_nobody_else_whenever_it_is_seen(desk, audited):
    other = drawers.make_drawer(name="Window 2", by=desk.mia)
    opens = {"drawer_id": other.pk, "from_vault": 1_000, "by": desk.cal}
    refused(Illegal, AGAIN, drawers.open_drawer, counted=100, now=desk.now, **opens)
    opens |= {"counted": 1_000}
    refused(Illegal, AGAIN, drawers.open_drawer, now=later(desk, minutes=10), **opens)
    opened = drawers.open_drawer(now=later(desk, minutes=20), **opens)
    assert (opened.state, opened.counts.get().number) == ("open", 3)
    assert not Approval.objects.exists()


def test_nobody_counts_in_between_over_and_over_to_find_what_the_books_say(desk):
    said = {"by": desk.cay, "reason": "a note is out"}
    counted_twice(drawers.count, counted=9_970, **said)
    for counted in (10_000, 9_970, 9_960):
        refused(Conflict, "the next count closes the drawer", drawers.count, counted=counted, **said)
    assert drawers.close_drawer(counted=9_970, **said).difference == -30


@pytest.mark.parametrize("counted", [10_000, 9_960])
def test_the_closing_count_is_the_second_figure_after_one_in_between(desk, audited, counted):
    said = {"by": desk.cay, "reason": "a note is out"}
    counted_twice(drawers.count, counted=9_970, now=desk.now, **said)
    for number, figure in enumerate((counted, 9_970), 1):
        asked = {"counted": figure, "now": later(desk, seconds=number)} | said
        without_figures(refused(Conflict, LAST, drawers.close_drawer, **asked), 30)
    closed = drawers.close_drawer(counted=10_000, session_id=desk.session.pk, by=desk.cal, reason="cay is barred")
    assert (closed.closed_by, closed.difference) == (desk.cal, 0)


def test_a_closing_count_that_repeats_the_one_in_between_needs_its_reason(desk, audited):
    counted_twice(drawers.count, counted=9_970, by=desk.cay, reason="a note is out")
    refusal = without_figures(refused(Illegal, "enter a reason", drawers.close_drawer, counted=9_970, by=desk.cay), 30)
    assert refusal.code == "count-differs"
    assert drawers.close_drawer(counted=9_970, by=desk.cay, reason="not found").difference == -30


@pytest.mark.parametrize("moves", [[500], [500, -500]])
def test_after_money_moved_the_closing_count_is_a_first_count_again(desk, audited, moves):
    said = {"by": desk.cay, "reason": "a note is out"}
    counted_twice(drawers.count, counted=9_970, now=desk.now, **said)
    for amount in moves:
        move = slips.deposit if amount > 0 else slips.withdraw
        move(player=desk.pia, amount=abs(amount), by=desk.cay, now=later(desk, minutes=1))
    counted = 9_960 + sum(moves)
    assert counted_twice(drawers.close_drawer, counted=counted, now=later(desk, minutes=2), **said).difference == -40


def test_a_closing_count_after_an_agreeing_or_a_colleagues_one_in_between_is_a_first(desk, audited):
    assert drawers.count(counted=10_000, by=desk.cay).difference == 0
    counted_twice(drawers.count, counted=9_970, by=desk.cay, reason="a note is out")
    closing = {"session_id": desk.session.pk, "by": desk.mia, "reason": "cay has gone home"}
    assert counted_twice(drawers.close_drawer, counted=9_980, **closing).difference == -20


def test_slips_in_between_make_no_other_figure_of_the_same_count(desk, audited):
    refused(Illegal, AGAIN, drawers.close_drawer, counted=9_970, by=desk.cay)
    slips.deposit(player=desk.pia, amount=500, by=desk.cay)
    assert drawers.close_drawer(counted=10_470, reason="short", by=desk.cay).difference == -30


def test_a_drawer_is_opened_blind_too(desk):
    other = drawers.make_drawer(name="Window 2", by=desk.mia)
    said = {"drawer_id": other.pk, "from_vault": 1_000, "by": desk.cal}
    begin = drawers.open_drawer
    without_figures(refused(Illegal, AGAIN, begin, counted=980, **said), 1_000)
    without_figures(refused(Illegal, AGAIN, begin, counted=990, **said), 1_000)
    refused(Conflict, LAST, begin, counted=1_000, **said)
    assert not DrawerSession.objects.filter(drawer=other).exists()
    assert begin(counted=1_000, **said | {"by": desk.max}).state == DrawerSession.State.OPEN


def in_vault(desk, counted, by=None, **more):
    """The vault counted, where 90,000 lie by the books."""
    return vault.count_vault(counted=counted, by=by or desk.mia, **more)


def test_a_vault_count_that_agrees_with_the_books_posts_nothing(desk, audited):
    for by in (desk.pia, person("ada", "auditor"), person("flo", "floor"), person("dee", "dealer")):
        refused(Forbidden, in_vault, desk, 90_000, by=by)
    stood = in_vault(desk, {10_000: 8, 5_000: 2})
    assert (stood.difference, stood.pieces) == (0, {"10000": 8, "5000": 2})
    assert not Slip.objects.filter(kind="over-short").exists()
    assert StaffAction.objects.get(verb="cage.count_vault").details == {"count": stood.pk, "difference": 0}


def test_a_wrong_count_of_the_vault_is_kept_and_the_right_one_is_not_typed_after_it(desk, audited):
    without_figures(refused(Illegal, f"89,500 {AGAIN}", in_vault, desk, 89_500), 90_000)
    vault.fill(amount=1_000, by=desk.cay)
    assert (in_vault(desk, 88_500, reason="paid out twice").difference, cage_queries.vault()) == (-500, 88_500)
    slip = Slip.objects.get(kind="over-short")
    assert (slip.amount, slip.session, slip.reason, slip.by) == (-500, None, "paid out twice", desk.mia)
    assert ([row[0] for row in kept_counts("vault")], counts.open_count("vault")) == ([89_500, 88_500], None)
    for number, counted in enumerate((88_400, 88_500, 88_500)):
        kind = Conflict if number else Illegal
        refused(kind, in_vault, desk, counted, now=later(desk, minutes=5 * number))
    assert in_vault(desk, 88_500, by=desk.cay).number == 4


def waits_for_approval(desk, counted=80_000, **more):
    """What a count of the vault waits for whose difference is above anybody's limit."""
    return counted_twice(vault.count_vault, counted=counted, by=desk.mia, reason="a bundle is missing", **more)


def test_above_the_limit_two_answer_for_the_vault_while_slips_go_on(desk, audited):
    waits = waits_for_approval(desk, key="k")
    assert in_vault(desk, 80_000, reason="a bundle is missing", key="k") == waits
    assert (waits.words, cage_queries.vault()) == ("Count of the vault with a difference", 90_000)
    vault.fill(amount=1_000, by=desk.cay)
    refused(Forbidden, "your own request", approved, waits, desk.mia)
    approved(waits, desk.max)
    assert cage_queries.vault() == 79_000
    slip = Slip.objects.get(kind="over-short")
    assert (slip.amount, slip.by, slip.approval) == (-10_000, desk.mia, waits)
    row = counts.counts_of("vault")[0]
    assert (row.posted, row.approval, row.settled_at) == (True, waits, desk.now)


@pytest.mark.parametrize("counted", [90_000, 89_990, 80_000])
def test_what_waits_is_posted_only_where_no_colleague_counted_otherwise_since(desk, audited, counted):
    waits = waits_for_approval(desk)
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


def test_another_figure_takes_back_what_waits_and_a_colleague_counts(desk):
    waits = waits_for_approval(desk)
    refused(Conflict, LAST, in_vault, desk, 90_000)
    refused(Conflict, "There is a later count", approved, waits, desk.max)
    assert in_vault(desk, 90_000, by=desk.cay).difference == 0


def test_the_right_count_is_not_typed_after_a_colleagues_wrong_one_either(desk, audited):
    for by, counted in ((desk.mia, 89_500), (desk.cay, 89_600)):
        refused(Illegal, in_vault, desk, counted, by=by, now=desk.now)
    for by, own in ((desk.mia, 89_500), (desk.cay, 89_600)):
        refused(Conflict, LAST, in_vault, desk, 90_000, by=by, now=later(desk, minutes=2))
        assert counts.open_count("vault", viewer=by).by == by
        refused(Conflict, LAST, in_vault, desk, own, by=by, now=later(desk, minutes=3))
    assert counts.open_count("vault", viewer=desk.max).by == desk.cay
    assert (in_vault(desk, 90_000, by=desk.max).number, counts.open_count("vault")) == (7, None)


def test_a_count_taken_back_stands_and_one_refused_is_a_colleagues_to_make(desk, audited):
    waits = waits_for_approval(desk)
    approvals.take_back(approval_id=waits.pk, by=desk.mia)
    waits = in_vault(desk, 80_000, reason="a bundle is missing")
    approvals.decide(approval_id=waits.pk, by=desk.max, approve=False, reason="look again")
    for counted in (80_000, 90_000):
        refused(Conflict, LAST, in_vault, desk, counted, reason="a bundle is missing")
    assert in_vault(desk, 90_000, by=desk.cay).difference == 0


@pytest.mark.parametrize("counted", [-1, 10**12 + 1, True, "90000", {0: 1}, {100: -1}, {100: 1.5}, {100: 10**9}, 1.5])
def test_what_nobody_can_have_counted_is_no_count(desk, counted):
    for count in (vault.count_vault, drawers.count):
        refused(Invalid, count, counted=counted, by=desk.cay)
    assert not counts.counts_of("vault")


def test_a_vault_that_is_over_takes_the_surplus(desk, audited):
    counted_twice(vault.count_vault, counted=90_900, by=desk.mia, reason="a fill was not taken")
    assert cage_queries.vault() == 90_900
    waits = waits_for_approval(desk, 0)
    vault.fill(amount=1_000, by=desk.cay)
    refused(NotEnoughChips, "vault balance is below", approved, waits, desk.max)
    vault.take(amount=1_000, by=desk.cay)
    approved(waits, desk.max)
    assert cage_queries.vault() == 0


def test_small_differences_of_a_day_add_up_unless_they_were_approved(desk, audited):
    said = {"by": desk.cay, "reason": "short"}

    def count(counted):
        return counted_twice(vault.count_vault, counted=counted, **said)

    approved(count(89_000), desk.max)
    for counted in (88_960, 88_920, 88_880):
        assert count(counted).difference == -40
    assert count(88_920).difference == 40
    assert counted_twice(drawers.close_drawer, counted=9_960, **said).state == "closed"
    assert isinstance(count(88_919), Approval)
    other = drawers.make_drawer(name="2", by=desk.mia)
    refused(Illegal, AGAIN, drawers.open_drawer, drawer_id=other.pk, counted=1, **said)
    waits = drawers.open_drawer(drawer_id=other.pk, counted=1, **said)
    assert isinstance(waits, Approval)
    assert waits.details["limit"] == 200


def test_a_drawer_opened_with_a_difference_above_the_limit_leaves_its_count(desk, audited):
    other = drawers.make_drawer(name="Window 2", by=desk.mia)
    subject = f"drawer:{other.pk}"
    said = {"drawer_id": other.pk, "from_vault": 1_000, "by": desk.cal}
    waits = counted_twice(drawers.open_drawer, counted={100: 5}, reason="a bundle is missing", **said)
    assert kept_counts(subject) == [(500, 1_000, "cal", "a bundle is missing")] * 2
    assert counts.counts_of(subject)[0].pieces == {"100": 5}
    approved(waits, desk.mia)
    assert (cage_queries.own_session(desk.cal).drawer, ledger.balance(cage_books.drawer_account(other))) == (other, 500)
    (row,) = [row for row in counts.counts_of(subject) if row.posted]
    assert (row.counted, row.approval, len(counts.counts_of(subject))) == (500, waits, 2)


def test_a_drawer_opens_with_a_difference_only_by_its_last_count(desk, audited):
    other = drawers.make_drawer(name="Window 2", by=desk.mia)
    said = {"drawer_id": other.pk, "by": desk.cal, "reason": "there was a bundle", "counted": 900}
    waits = counted_twice(drawers.open_drawer, **said)
    window(desk, desk.mia)
    drawers.close_drawer(counted=0, by=desk.mia)
    refused(Conflict, "There is a later count", approved, waits, desk.max)
    approvals.take_back(approval_id=waits.pk, by=desk.cal)
    waits = counted_twice(drawers.open_drawer, **said)
    window(desk, desk.mia, 2_000)
    drawers.close_drawer(counted=2_000, by=desk.mia)
    refused(Conflict, "count it again", approved, waits, desk.max)
    assert ledger.balance(cage_books.drawer_account(other)) == 2_000
