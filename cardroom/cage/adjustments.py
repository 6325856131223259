"""Corrections of an account by managers, for a mistake that no slip explains; above a limit by two persons."""

from datetime import datetime

from django.db import transaction

from cardroom.accounts import accounts
from cardroom.cage import allowances
from cardroom.cage import books as cage_books
from cardroom.core import access, approvals, audit_log, idempotency, users
from cardroom.core.errors import Forbidden, Invalid, NotFound
from cardroom.core.models import Approval, User
from cardroom.core.operation import operation, row_of
from cardroom.ledger import ledger
from cardroom.ledger.models import Account, Transfer

ADJUST = "account.adjust"


@operation(row_of(User, "user"))
def correct(*, user: User, amount: int, reason: str, by: User, now: datetime, key: str) -> Transfer | Approval:
    """`adjust`, or the approval it waits for where it is above what `by` may correct alone. Refuses as `adjust` does
    and `Conflict` for the key of other chips."""

    def do() -> dict[str, int]:
        try:
            with transaction.atomic():
                return {"transfer": adjust(user=user, amount=amount, reason=reason, by=by, now=now, key=key).pk}
        except allowances.NeedsApproval:
            row = approvals.ask(
                what=ADJUST, words=f"Correct {user}'s wallet by {amount:+,}", by=by, now=now, reason=reason,
                payload={"user": user.pk, "amount": amount}, subject=f"user:{user.pk}", player=user, amount=amount,
            )  # fmt: skip
            return {"approval": row.pk}

    access.require_role(by, *accounts.STAFF)
    asked = {"user": user.pk, "amount": amount}
    made = idempotency.once(by=by, verb=ADJUST, key=key, asked=asked, do=do, now=now)
    if "approval" in made:
        return Approval.objects.select_related("player", "asked_by", "decided_by").get(pk=made["approval"])
    return Transfer.objects.get(pk=made["transfer"])


def _approved(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """A second person agrees: corrected in the name of the manager who asked."""
    if approval.asked_by is None:
        raise NotFound("There is no such approval request.", "no-such-approval")
    user, amount = users.one(approval.payload["user"]), approval.payload["amount"]
    made = adjust(
        user=user, amount=amount, reason=approval.reason, by=approval.asked_by, now=now, key=str(approval.pk),
        approval=approval,
    )  # fmt: skip
    return {"transfer": made.pk}


approvals.register(ADJUST, _approved)


@operation(row_of(User, "user"), roles=accounts.STAFF)
def adjust(
    *, user: User, amount: int, reason: str, by: User, now: datetime, key: str, approval: Approval | None = None
) -> Transfer:
    """Correct a wallet: chips into it, or (negative) out of it, against the house. The same `key` again moves nothing.

    For a mistake that no slip of the cage explains; what a player brings or takes home is the cage's. Refuses:
    `Forbidden` (no manager; one's own wallet), `Invalid`, `NotEnoughChips`, `Conflict` (the key of other chips),
    `NeedsApproval` (above the manager's limit, see `correct`). Locks the user's row, the cage's books, both accounts.
    """
    if user.pk == by.pk:
        raise Forbidden("Ask another manager to correct your own wallet.", "not-oneself")
    why = audit_log.reason_given(reason, what="a correction of a wallet")
    if type(amount) is not int or amount == 0 or not key:
        raise Invalid("Enter a whole number of chips, and send the request with a key.", "bad-amount")
    row = accounts.locked(user)
    reference = f"{allowances.APPROVED}:{approval.pk}" if approval else f"adjustment:{row.pk}:{key}"
    is_repeat = Transfer.objects.filter(reference=reference).exists()
    if not is_repeat:
        cage_books.lock_books()
        allowances.check(by=by, kind="adjustment", amount=amount, now=now, approval=approval)
    house = ledger.open_account(kind=Account.Kind.HOUSE, label=allowances.ADJUSTMENTS)
    legs = [(house, -amount), (ledger.wallet(row), amount)]
    posted = ledger.post(reference=reference, reason=f"correction: {why}"[:200], legs=legs, at=now, by=by)
    if not is_repeat:
        verb = "account.inc-balance" if amount > 0 else "account.dec-balance"
        accounts.note(verb, row, by, now, reason=why, amount=amount, transfer=posted.pk)
    return posted
