"""Counts are blind: told the books' figure is who has counted, and what was counted stays written."""

import pytest

from cardroom.models import BlindCount, DrawerSession, Slip
from cardroom.services import approvals, cage, counts
from cardroom.services.cage import looking
from cardroom.services.errors import Conflict, Illegal, NotEnoughChips


def kept(subject):
    return [(row.counted, row.expected, row.by.username, row.reason) for row in reversed(counts.of(subject))]


def test_a_wrong_count_is_kept_and_the_right_one_is_not_typed_after_it(desk, audited):
    close = {"by": desk.cay, "now": desk.now}
    with pytest.raises(Illegal, match="You counted 9,900, and that is written down; by the books 10,000 should be"):
        cage.close_drawer(counted=9_900, **close)
    with pytest.raises(Conflict, match=r"You counted 9,900 at .*, 100 short, and that stands") as refused:
        cage.close_drawer(counted=10_000, **close)

    assert refused.value.code == "count-stands"
    assert kept(f"drawer:{desk.drawer.pk}")[-2:] == [(9_900, 10_000, "cay", ""), (10_000, 10_000, "cay", "")]
    assert looking.own_session(desk.cay).state == DrawerSession.State.OPEN


def test_the_count_that_stands_is_settled_by_its_reason_and_posted(desk, audited):
    with pytest.raises(Illegal):
        cage.close_drawer(counted=9_970, by=desk.cay, now=desk.now)
    closed = cage.close_drawer(counted=9_970, reason="paid out twice", by=desk.cay, now=desk.now)

    assert (closed.state, closed.difference) == ("closed", -30)
    assert Slip.objects.get(kind="over-short").amount == -30
    assert counts.open_count(f"drawer:{desk.drawer.pk}") is None


def test_the_difference_stands_while_slips_go_on(desk, audited):
    with pytest.raises(Illegal):
        cage.close_drawer(counted=9_970, by=desk.cay, now=desk.now)
    cage.deposit(player=desk.pia, amount=500, by=desk.cay, now=desk.now)
    with pytest.raises(Conflict):
        cage.close_drawer(counted=10_500, by=desk.cay, now=desk.now)
    assert cage.close_drawer(counted=10_470, reason="short", by=desk.cay, now=desk.now).difference == -30


def test_a_colleague_counts_anew_and_both_counts_are_kept(desk, audited):
    with pytest.raises(Illegal):
        cage.close_drawer(counted=9_900, by=desk.cay, now=desk.now)
    found = {"session_id": desk.session.pk, "reason": "counted again with cay"}
    closed = cage.close_drawer(counted=10_000, by=desk.mia, now=desk.now, **found)

    assert (closed.state, closed.difference) == ("closed", 0)
    assert [row[2] for row in kept(f"drawer:{desk.drawer.pk}")[-2:]] == ["cay", "mia"]


def test_above_the_limit_a_second_person_decides_about_the_count_that_stands(desk, audited):
    with pytest.raises(Illegal):
        cage.close_drawer(counted=9_000, by=desk.cay, now=desk.now)
    waits = cage.close_drawer(counted=9_000, reason="cannot say", by=desk.cay, now=desk.now)
    assert waits.state == DrawerSession.State.CLOSING
    (asked,) = approvals.waiting(now=desk.now)
    approvals.decide(approval_id=asked.pk, by=desk.mia, approve=True, now=desk.now)
    assert looking.session(desk.session.pk).state == DrawerSession.State.CLOSED


@pytest.mark.parametrize("asks", [False, True])
def test_a_drawer_is_opened_blind_too(desk, asks):
    other = cage.make_drawer(name="Window 2", by=desk.mia, now=desk.now)
    said = {"drawer_id": other.pk, "from_vault": 1_000, "by": desk.cal, "now": desk.now}
    begin = (lambda **more: cage.request(verb="open", **said, **more)) if asks else (
        lambda **more: cage.open_drawer(**said, **more)
    )  # fmt: skip
    with pytest.raises(Illegal):
        begin(counted=980)
    with pytest.raises(Conflict):
        begin(counted=1_000)
    assert not DrawerSession.objects.filter(drawer=other).exists()
    assert begin(counted=980, reason="a torn bill").state == DrawerSession.State.OPEN


def test_a_count_in_between_is_blind_and_kept(desk):
    with pytest.raises(Illegal):
        cage.count(counted=9_900, by=desk.cay, now=desk.now)
    with pytest.raises(Conflict):
        cage.close_drawer(counted=10_000, by=desk.cay, now=desk.now)
    assert BlindCount.objects.filter(subject=f"drawer:{desk.drawer.pk}", counted=9_900, settled_at=None).exists()


def test_no_refusal_tells_what_lies_in_a_drawer_before_it_is_counted(desk):
    cage.deposit(player=desk.pia, amount=15_000, by=desk.cay, now=desk.now)
    with pytest.raises(NotEnoughChips) as refused:
        cage.take(amount=30_000, by=desk.cay, now=desk.now)
    assert "25,000" not in refused.value.message
    assert "held" not in refused.value.details
