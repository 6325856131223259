"""Corrections: of a slip by another one that takes it back, and of a wallet by managers, for a mistake that no slip
explains.

A slip is never changed: another one takes it back, with a reason, once.
"""

from typing import Annotated, Any
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from cardroom.accounts import accounts
from cardroom.cage import allowances, asking, reasons, slips
from cardroom.cage import books as cage_books
from cardroom.cage.allowances import RULE as APPROVAL_RULE
from cardroom.cage.allowances import NeedsApproval
from cardroom.cage.books import MONEY, VAULT, drawer_account
from cardroom.cage.models import DrawerSession, Slip
from cardroom.core import access, audit_log
from cardroom.core.arguments import Reason, RowId, internal
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid
from cardroom.core.models import Approval, User
from cardroom.core.second_person import ApprovalAct, Asks
from cardroom.core.sentences import StoredText, Wording, stored_text
from cardroom.core.verb import current_time, lock, verb
from cardroom.ledger import ledger
from cardroom.ledger.models import Account, Transfer

#: What is corrected by counting again, or by a fill or a take, and not by a reversal.
_NOT_REVERSED = {Slip.Kind.REVERSAL, Slip.Kind.OVER_SHORT}
#: What moved money between the vault and one drawer, which is the one that has it or lacks it.
_OF_ONE_DRAWER = {Slip.Kind.FILL, Slip.Kind.TAKE}


_REVERSE = Wording("cage.ask-reversal", "Reverse slip {slip}")


def _request_text(arguments: dict[str, Any]) -> StoredText:
    return _REVERSE(slip=f"{arguments['slip_id']:06}")


def _request(arguments: dict[str, Any], refusal: NeedsApproval) -> dict[str, Any]:
    """What a second person is asked beside the reversal; the same of two cashiers is asked once."""
    by, row = arguments["by"], cage_books.slip(arguments["slip_id"])
    cage_books.lock_desk(by)
    details = {"slip_id": row.pk, "slip_kind": stored_text(Slip.Kind(row.kind).label), "cashier": asking.person(row.by)}
    details |= asking.own_drawer(by) | asking.limit_passed(refusal, by=by, kind="reversal", now=current_time())
    return {
        "player": row.player,
        "amount": row.amount,
        "subject": f"user:{row.player_id}" if row.player_id else "",
        "alone": f"reversal:{row.pk}",
        "details": details,
    }


@verb("cage.reversal", roles=cage_books.STAFF, asks=Asks(asking.ACT, _request_text, request=_request))
def reverse(
    *, slip_id: RowId, reason: slips.KeptReason, approval: Annotated[Approval | None, internal] = None, by: User
) -> Slip | Approval:
    """Reverse a slip by its mirror, with the money in or out of the drawer that `by` has open.

    Refuses: `NotFound`; `Forbidden`; `Invalid` (no reason); `Conflict` (reversed already, a reversal, no drawer open, a
    fill or a take of another drawer); `Illegal` (a repayment: the player would owe more than their line);
    `NotEnoughChips` (the player, or the vault, has it no more). Locks as every slip does.
    """
    why = audit_log.reason_given(reason, what=gettext("a reversal"))
    row = cage_books.slip(slip_id)
    touches_money = row.transfer.entries.filter(account__kind=Account.Kind.DRAWER).exists()
    _refuse_of_event(row)
    session, now = lock(_desk, by, with_drawer=touches_money)
    _check(row, session, by=by)
    drawer_id = drawer_account(session.drawer).pk if session else 0
    legs = [
        (drawer_id if entry.account.kind == Account.Kind.DRAWER else entry.account_id, -entry.amount)
        for entry in row.transfer.entries.select_related("account")
    ]
    cage_books.require_in_vault(
        sum(-amount for account, amount in legs if account == cage_books.house(VAULT, MONEY).pk)
    )
    if approval is None:
        for entry in row.transfer.entries.filter(account__kind=Account.Kind.WALLET, amount__gt=0):
            cage_books.require_held(entry.account, entry.amount)
        _check_alone(row, by=by)
    grant = allowances.check(
        by=by,
        kind="reversal",
        amount=row.amount,
        now=now,
        approval=approval,
        to=list(filter(None, (row.player, row.to))),
    )
    return cage_books.write(
        Slip.Kind.REVERSAL,
        legs=legs,
        words=reasons.REVERSAL(number=row.number),
        amount=-row.amount,
        by=by,
        now=now,
        player=row.player,
        to=row.to,
        session=session,
        unit=row.unit,
        reason=why,
        approval=approval,
        reverses=row,
        reference=f"reversal:{row.transfer.reference}",
        grant=grant,
    )


def _desk(by: User, *, with_drawer: bool) -> DrawerSession | None:
    """The drawer that `by` has open, where money goes through it; and the books, locked."""
    if with_drawer:
        return cage_books.window(by)
    cage_books.lock_books()
    return None


def _refuse_of_event(row: Slip) -> None:
    """`Conflict` for money of an event: its pool, chips and seats belong to it."""
    if row.kind in cage_books.EVENT_KINDS:
        raise Conflict(
            "event-slip",
            "Slip {number} belongs to a tournament ({name}): undo the entry or the payment there. The money and a "
            "slip of its own follow.",
            number=row.number,
            name=row.reason_text or row.about,
            about=row.about,
        )


def _check_alone(row: Slip, *, by: User) -> None:
    """`NeedsApproval` for what `by` wrote, and for what was counted already, when the drawer was closed."""
    if row.by_id == by.pk:
        raise NeedsApproval(
            "needs-approval",
            "You wrote this slip yourself: its reversal needs the approval of a second person.",
            rule=APPROVAL_RULE,
        )
    if row.session is not None and row.session.state == DrawerSession.State.CLOSED:
        raise NeedsApproval(
            "needs-approval",
            "Slip {number} belongs to a closed session: its reversal needs the approval of a second person.",
            rule=APPROVAL_RULE,
            number=row.number,
        )


def _check(row: Slip, session: DrawerSession | None, *, by: User) -> None:
    if row.kind in _NOT_REVERSED:
        words = gettext_noop("An over or short cannot be reversed: count again, and enter a reason.")
        if row.kind == Slip.Kind.REVERSAL:
            words = gettext_noop("A reversal cannot be reversed: write a new slip.")
        raise Conflict("not-reversed", words)
    if row.kind == Slip.Kind.VAULT:
        access.require_role(by, "manager")
    if row.kind in _OF_ONE_DRAWER and session and row.session and session.drawer_id != row.session.drawer_id:
        raise Conflict(
            "other-drawer",
            "Slip {number} belongs to {drawer}, and your open drawer is {other}: reverse it at {drawer}.",
            number=row.number,
            drawer=row.session.drawer,
            other=session.drawer,
        )
    if earlier := Slip.objects.filter(reverses=row).first():
        raise Conflict(
            "reversed",
            "Slip {number} is already reversed by slip {other}.",
            number=row.number,
            other=earlier.number,
            slip=earlier.pk,
        )
    if by.pk in (row.player_id, row.to_id):
        rule = gettext("House rules: nobody is their own cashier")
        raise Illegal("own-cashier", "You are the player on this slip: ask a colleague to reverse it.", rule=rule)
    if row.kind == Slip.Kind.REPAYMENT and row.player is not None:
        slips.check_line(row.player, row.amount)


def _wallet(arguments: dict[str, Any], refusal: NeedsApproval) -> dict[str, Any]:
    """What a second person is asked beside the correction of a wallet."""
    by, user = arguments["by"], arguments["user"]
    details = {"wallet": ledger.balance(ledger.wallet(user))}
    details |= asking.limit_passed(refusal, by=by, kind="adjustment", now=current_time())
    return {"player": user, "amount": arguments["amount"], "subject": f"user:{user.pk}", "details": details}


_CORRECT = Wording("cage.ask-correction", "Correct {user}'s wallet by {amount:+,}")
ADJUST = ApprovalAct("account.adjust")


@verb("account.adjust", roles=accounts.STAFF, asks=Asks(ADJUST, _CORRECT, request=_wallet))
def correct(
    *, user: User, amount: int, reason: Reason, approval: Annotated[Approval | None, internal] = None, by: User
) -> Transfer | Approval:
    """Correct a wallet: chips into it, or (negative) out of it, against the house.

    For a mistake that no slip of the cage explains; what a player brings or takes home is the cage's. Refuses:
    `Forbidden` (no manager; one's own wallet), `Invalid`, `NotEnoughChips`. Locks the user's row, the books, both
    accounts.
    """
    if user.pk == by.pk:
        raise Forbidden("not-oneself", "Ask another manager to correct your own wallet.")
    why = audit_log.reason_given(reason, what=gettext("a correction of a wallet"))
    if type(amount) is not int or amount == 0:
        raise Invalid("bad-amount", "Enter a whole number of chips, and send the request with a key.")
    row, now = lock(_with_books, user)
    reference = f"{allowances.APPROVED}:{approval.pk}" if approval else f"adjustment:{row.pk}:{uuid4().hex}"
    house = ledger.open_account(kind=Account.Kind.HOUSE, label=allowances.ADJUSTMENTS)
    legs = [(house, -amount), (ledger.wallet(row), amount)]
    grant = allowances.check(by=by, kind="adjustment", amount=amount, now=now, approval=approval, player=row)
    act = "account.inc-balance" if amount > 0 else "account.dec-balance"
    with transaction.atomic():  # no entry in the audit log of what is refused
        entry = accounts.note(act, row, by, now, reason=why, amount=amount, **grant.details)
        return ledger.post(
            reference=reference,
            reason=reasons.CORRECTION(reason=why),
            legs=legs,
            at=now,
            by=by,
            passage=grant.noted(entry),
        )


def _with_books(user: User) -> User:
    """The account, then the cage's books, both locked."""
    row = accounts.lock_account(user)
    cage_books.lock_books()
    return row
