"""Any day at the cage: whatever is done in whatever order, the books balance and the closing counts agree."""

from collections import Counter

from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardroom.cage.models import Slip
from cardroom.core.errors import Refusal
from cardroom.core.sentences import to_text
from tests.cardroom.cage_desk import approved, faults
from tests.support.parts.cardroom import approvals, cage_books, corrections, drawers, ledger, slips, vault
from tests.support.tiers import many

WHO = st.sampled_from(["pia", "pip"])
AMOUNT = st.integers(1, 400) | st.integers(2_000, 30_000) | st.integers(60_000, 90_000)
VERBS = {
    "deposit": slips.deposit,
    "withdrawal": slips.withdraw,
    "credit": slips.credit,
    "repayment": slips.repay,
    "comp": slips.comp,
    "transfer": slips.transfer,
    "reversal": corrections.reverse,
}
ACTS = st.one_of(
    st.tuples(st.sampled_from(["deposit", "withdrawal", "credit", "repayment", "cash", "comp"]), WHO, AMOUNT),
    st.tuples(st.sampled_from(["reversal"]), WHO, st.integers(1, 30)),
    st.tuples(st.sampled_from(["fill", "take", "transfer"]), WHO, AMOUNT),
    st.tuples(st.sampled_from(["approve"]), WHO, st.just(0)),
)


def act(room, verb, player, amount):
    """One act; what is refused leaves everything as it was."""
    if verb in ("fill", "take"):
        return getattr(vault, verb)(amount=amount, by=room.cay)
    if verb == "approve":
        waits = approvals.waiting(now=room.now).first()
        return waits and approved(waits, room.mia)
    asked = {"player": player, "amount": amount}
    if verb == "reversal":
        asked = {"slip_id": amount}
    if verb == "cash":
        verb, asked["in_money"] = "repayment", True
    if verb == "transfer":
        asked["to"] = room.pip if player == room.pia else room.pia
    if verb == "withdrawal":
        asked["settles"] = amount % 2 == 0
    return VERBS[verb](by=room.cay, reason="so it is", **asked)


@given(acts=st.lists(ACTS, min_size=1, max_size=14))
@settings(max_examples=many(5, long=50), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_after_any_day_the_books_balance_and_the_closing_count_agrees(desk, acts):
    with transaction.atomic():
        for person in (desk.pia, desk.pip):
            slips.set_line(player=person, most=5_000, by=desk.mia, reason="known for years")
        money = 10_000
        for verb, who, amount in acts:
            before = Slip.objects.count()
            try:
                with transaction.atomic():
                    act(desk, verb, getattr(desk, who), amount)
            except Refusal:
                assert Slip.objects.count() == before
            money = 10_000 + handed_over(desk)
            assert ledger.balance(cage_books.drawer_account(desk.drawer)) == money
            assert ledger.balance(cage_books.house("vault", "money")) >= 0
            assert faults() == []
        closed = drawers.close_drawer(counted=money, left_in=0, by=desk.cay)
        assert (closed.state, closed.difference) == ("closed", 0)
        assert (ledger.balance(cage_books.drawer_account(desk.drawer)), faults()) == (0, [])
        transaction.set_rollback(True)


def handed_over(room) -> int:
    """What a person who only reads the slips thinks went into the drawer since it was opened."""
    signs = Counter({"deposit": 1, "withdrawal": -1, "fill": 1, "take": -1})
    total = 0
    for slip in Slip.objects.filter(session=room.session).select_related("reverses__transfer", "transfer"):
        original = slip.reverses or slip
        sign = signs[original.kind]
        if original.kind == "repayment" and "money" in to_text(original.transfer.reason):
            sign = 1
        total += sign * slip.amount
    return total - 10_000  # the fill it was opened with
