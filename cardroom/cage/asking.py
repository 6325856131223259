"""What cashiers may not do alone: how a second person is asked, and what they are shown (`core.approval_details`).

A slip is asked for by its verb (`for_slip`). What has a count, or an undo, is asked for by its service.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Sum

from cardroom.cage import allowances
from cardroom.cage import books as cage_books
from cardroom.cage.models import Drawer, Slip
from cardroom.core import approvals
from cardroom.core.errors import NeedsApproval
from cardroom.core.models import Approval, User
from cardroom.core.second_person import ApprovalAct, Asks
from cardroom.core.sentences import StoredText, Wording
from cardroom.core.verb import current_time
from cardroom.ledger import counts, ledger
from cardroom.ledger.models import BlindCount

Result = TypeVar("Result")

#: What a second person is asked for each kind of slip.
WORDS = {
    Slip.Kind.DEPOSIT: Wording("cage.ask-deposit", "Deposit of {amount:,} for {player}"),
    Slip.Kind.WITHDRAWAL: Wording("cage.ask-withdrawal", "Withdrawal of {amount:,} for {player}"),
    Slip.Kind.CREDIT: Wording("cage.ask-credit", "{amount:,} on credit to {player}"),
    Slip.Kind.REPAYMENT: Wording("cage.ask-repayment", "Repayment of {amount:,} for {player}"),
    Slip.Kind.COMP: Wording("cage.ask-comp", "Comp of {amount:,} to {player}"),
    Slip.Kind.COMP_USED: Wording("cage.ask-comp-used", "{player} uses comp points: {amount:,}"),
    Slip.Kind.TRANSFER: Wording("cage.ask-transfer", "{amount:,} from {player} to {to}"),
    Slip.Kind.CASH_OUT: Wording("cage.ask-cash-out", "Cash-out of {amount:,} for {player}"),
}
#: What takes chips out of a player's wallet, and the verbs that do.
_OUT_OF_A_WALLET = (Slip.Kind.WITHDRAWAL, Slip.Kind.CASH_OUT, Slip.Kind.TRANSFER)
_PAYS_OUT = ("cage.pay-out", "cage.transfer")


def _lock_desk_of_asker(approval: Approval) -> None:
    if approval.asked_by is not None:
        cage_books.lock_desk(approval.asked_by)


#: All that one second person decides for the cage: slips, reversals, money for the vault, drawers with a difference.
ACT = ApprovalAct("cage.act", refused=counts.undone, lock=_lock_desk_of_asker, hides=counts.hidden_from)


def for_slip(kind: Slip.Kind | None = None) -> Asks:
    """How a second person is asked for a slip about a player. `kind` None: the verb's argument `kind`. What takes chips
    out of a wallet is refused (`NotEnoughChips`) where that does not hold it, and all that waits already."""

    def kind_of(arguments: dict[str, Any]) -> Slip.Kind:
        return kind or Slip.Kind(arguments["kind"])

    def request(arguments: dict[str, Any], refusal: NeedsApproval) -> dict[str, Any]:
        by, player, amount = arguments["by"], arguments["player"], arguments["amount"]
        cage_books.lock_desk(by)
        if kind_of(arguments) in _OUT_OF_A_WALLET:
            cage_books.require_held(ledger.wallet(player), amount + waiting_payouts(player))
        details = {"to": person(arguments["to"])} if "to" in arguments else {}
        details |= own_drawer(by) | limit_passed(refusal, by=by, kind=kind_of(arguments), now=current_time())
        return {"player": player, "amount": amount, "subject": f"user:{player.pk}", "details": details}

    def words(arguments: dict[str, Any]) -> StoredText:
        values = {"amount": arguments["amount"], "player": str(arguments["player"])}
        return WORDS[kind_of(arguments)](**values, **({"to": str(arguments["to"])} if "to" in arguments else {}))

    return Asks(ACT, words, request=request)


def waiting_payouts(player: User) -> int:
    """What cashiers asked to pay out of this player's wallet, and a second person has not decided yet."""
    rows = Approval.objects.filter(what=ACT.name, player=player, verdict="", payload__verb__in=_PAYS_OUT)
    return int(rows.aggregate(sum=Sum("amount"))["sum"] or 0)


def limit_passed(refusal: NeedsApproval, *, by: User, kind: str, now: datetime) -> dict[str, Any]:
    """The limit that was exceeded, if there is one, and what `by` did of this kind in this gaming day, approved or
    not."""
    day_total = allowances.done_today(by, allowances.verb_of(kind), now, alone=False)
    return {"limit": refusal.values.get("most"), "day_total": day_total}


def done_or_asked(
    do: Callable[[], Result], *, kind: str, by: User, now: datetime, details: dict[str, Any], **request: Any
) -> Result | Approval:
    """Do it or, where `by` may not do so much of this kind alone, ask a second person for it: `request` is what
    `approvals.ask` takes. What is refused leaves nothing behind."""
    try:
        with transaction.atomic():
            return do()
    except NeedsApproval as refusal:
        details = details | limit_passed(refusal, by=by, kind=kind, now=now)
        return approvals.ask(by=by, now=now, details=details, **request)


def count(row: BlindCount, refusal: NeedsApproval, *, now: datetime) -> dict[str, Any]:
    """Details of a count that differs by more than the counter may answer for alone."""
    figures = {"counted": row.counted, "expected": row.expected, "difference": row.difference, "number": row.number}
    return figures | limit_passed(refusal, by=row.by, kind="over-short", now=now)


def own_drawer(by: User) -> dict[str, Any]:
    """The drawer that `by` works on, if any."""
    session = cage_books.sessions_of(by).select_related("drawer").first()
    return {"drawer": drawer(session.drawer)} if session is not None else {}


def drawer(row: Drawer) -> dict[str, Any]:
    """A drawer by its number and name."""
    return {"id": row.pk, "name": row.name}


def person(user: User) -> dict[str, Any]:
    """A person by their number and name."""
    return {"id": user.pk, "name": user.username}
