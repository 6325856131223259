"""A verb that asks a second person: what is asked, how it is kept, and how it is done once they agree."""

from typing import Annotated

import pytest

from cardroom.core.arguments import Chips, RowId, internal
from cardroom.core.errors import Conflict, NeedsApproval
from cardroom.core.models import Approval, Notice, User
from cardroom.core.second_person import ApprovalAct
from cardroom.core.sentences import Wording
from cardroom.core.verb import at, lock, verb
from tests.support.offers import staff
from tests.support.parts.cardroom import approvals, notices
from tests.support.refusals import refused

GIFT = Wording("test.gift", "A gift of {amount:,} for {player}")


@pytest.fixture
def gift(monkeypatch):
    """A verb by which nobody alone gives more than 10."""
    monkeypatch.setattr(approvals, "_kinds", dict(approvals._kinds))
    act = ApprovalAct("test.gifts", roles=("manager",))

    @verb("test.gift", roles=("floor",), asks=act.asks(GIFT, request=lambda arguments, refusal: {"subject": "gifts"}))
    def give(
        *,
        player: User,
        amount: Chips,
        table_id: RowId | None = None,
        kind: Annotated[str, internal] = "plain",
        reason: str = "",
        approval: Annotated[Approval | None, internal] = None,
        by: User,
    ) -> Notice | Approval:
        _, now = lock(User, player.pk)
        notice = notices.tell(player=player, kind=kind, text=f"{amount} at {table_id}", now=now)
        if amount > 10 and approval is None:
            raise NeedsApproval("needs-approval", "More than 10 need a second person.")
        return notice

    return give


def test_what_is_too_much_is_asked_for_and_done_once_somebody_agrees(gift, north, now):
    floor, manager = staff("floor"), staff("manager")
    with at(now):
        asked = gift.once("k", player=north, amount=1_500, table_id=7, kind="fine", reason="a birthday", by=floor)
        assert (
            gift.once("k", player=north, amount=1_500, table_id=7, kind="fine", reason="a birthday", by=floor) == asked
        )
    assert not Notice.objects.exists()
    assert (asked.what, asked.said, asked.reason, asked.subject) == (
        "test.gifts",
        "A gift of 1,500 for north",
        "a birthday",
        "gifts",
    )
    assert asked.payload == {
        "verb": "test.gift",
        "asked": {"player": north.pk, "amount": 1_500, "table": 7, "kind": "fine", "reason": "a birthday"},
    }
    done = approvals.decide(approval_id=asked.pk, by=manager, approve=True, now=now)
    notice = Notice.objects.get()
    assert done.answer == {"notice": notice.pk}
    assert (notice.player, notice.kind, notice.text, notice.at) == (north, "fine", "1500 at 7", now)


def test_as_a_part_of_another_verb_it_refuses_unless_it_is_to_ask(gift, north, now):
    floor = staff("floor")

    @verb("test.party")
    def party(*, is_asking: bool, by: User) -> Notice | Approval:
        return (gift.or_ask if is_asking else gift)(player=north, amount=11, by=by)

    refused(NeedsApproval, "More than 10", party, is_asking=False, by=floor, now=now)
    assert not Approval.objects.exists()
    assert party(is_asking=True, by=floor, now=now) == Approval.objects.get()
    assert not Notice.objects.exists()


def test_what_cannot_be_asked_for_is_refused(gift, north, now):
    def refuse(arguments, refusal):
        raise Conflict("asked-already", "There is a gift for {player} already.", player=arguments["player"])

    gift.asks.request = refuse
    refused(Conflict, "for north already", gift, player=north, amount=11, by=staff("floor"), now=now)
