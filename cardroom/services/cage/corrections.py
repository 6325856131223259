"""Corrections: a slip is never changed or torn up, another one takes it back, with a reason, once."""

from datetime import datetime

from cardroom.models import Account, Approval, DrawerSession, Slip, User
from cardroom.services import access, repeats, trail
from cardroom.services.cage import allowances, books, credits
from cardroom.services.cage.allowances import RULE, NeedsApproval
from cardroom.services.cage.books import MONEY, VAULT, drawer_account
from cardroom.services.errors import Conflict, Illegal
from cardroom.services.operations import operation

#: What is put right by counting again, or by a fill or a take, and not by a reversal.
_NOT_REVERSED = {Slip.Kind.REVERSAL, Slip.Kind.OVER_SHORT}
#: What moved money between the vault and one drawer, which is the one that has it or lacks it.
_OF_ONE_DRAWER = {Slip.Kind.FILL, Slip.Kind.TAKE}


@operation(books.lock_desk)
def reverse(
    *,
    slip_id: int,
    reason: str,
    by: User,
    now: datetime,
    key: str = "",
    session_id: int | None = None,
    approval: Approval | None = None,
) -> Slip:
    """The slip that takes another one back: its mirror, with the money in or out of the drawer `by` has open.

    Refuses: `NotFound`; `Forbidden`; `Invalid` (no reason); `Conflict` (reversed already, a reversal, no drawer open, a
    fill or a take of another drawer); `NeedsApproval`; `Illegal` (a repayment: the player would owe more than their
    line); `NotEnoughChips` (the player, or the vault, has it no more). Locks as every slip does.
    """
    books.require_staff(by)
    why = trail.reason_given(reason, what="a reversal")

    def do() -> int:
        row = books.slip(slip_id)
        touches_money = row.transfer.entries.filter(account__kind=Account.Kind.DRAWER).exists()
        session = books.session_of(by, session_id) if touches_money else None
        books.lock_books()
        _check(row, session, by=by)
        mine = drawer_account(session.drawer).pk if session else 0
        legs = [
            (mine if entry.account.kind == Account.Kind.DRAWER else entry.account_id, -entry.amount)
            for entry in row.transfer.entries.select_related("account")
        ]
        books.require_in_vault(sum(-amount for account, amount in legs if account == books.house(VAULT, MONEY).pk))
        if approval is None:
            for entry in row.transfer.entries.filter(account__kind=Account.Kind.WALLET, amount__gt=0):
                books.require_held(entry.account, entry.amount)
            _check_alone(row, by=by)
        allowances.check(by=by, kind="reversal", amount=row.amount, now=now, approval=approval)
        return books.write(
            Slip.Kind.REVERSAL, legs=legs, words=f"reversal of slip {row.number}", amount=-row.amount, by=by, now=now,
            player=row.player, to=row.to, session=session, unit=row.unit, reason=why, approval=approval, reverses=row,
            reference=f"reversal:{row.transfer.reference}",
        ).pk  # fmt: skip

    asked = {"slip": slip_id}
    return books.slip(repeats.once(by=by, verb="cage.reversal", key=key, asked=asked, do=do, now=now))


def _check_alone(row: Slip, *, by: User) -> None:
    """`NeedsApproval` for what `by` wrote, and for what was counted already, when the drawer was closed."""
    if row.by_id == by.pk:
        raise NeedsApproval("You wrote this slip yourself: a second person decides about taking it back.", rule=RULE)
    if row.session is not None and row.session.state == DrawerSession.State.CLOSED:
        raise NeedsApproval(
            f"Slip {row.number} is of a session that is closed: a second person decides about taking it back.",
            rule=RULE,
        )


def _check(row: Slip, session: DrawerSession | None, *, by: User) -> None:
    if row.kind in _NOT_REVERSED:
        words = "A reversal is not reversed: write the slip anew." if row.kind == Slip.Kind.REVERSAL else (
            "What was over or short stays in the books: count again, and give a reason."
        )  # fmt: skip
        raise Conflict(words, "not-reversed")
    if row.kind == Slip.Kind.VAULT:
        access.require_role(by, "manager")
    if row.kind in _OF_ONE_DRAWER and session and row.session and session.drawer_id != row.session.drawer_id:
        raise Conflict(
            f"Slip {row.number} is of {row.session.drawer}, and you have {session.drawer} open: it is reversed there.",
            "other-drawer",
        )
    if earlier := Slip.objects.filter(reverses=row).first():
        raise Conflict(
            f"Slip {row.number} was reversed already, by slip {earlier.number}.", "reversed", slip=earlier.pk
        )
    if by.pk in (row.player_id, row.to_id):
        rule = "House rules: nobody is their own cashier"
        raise Illegal("This slip is your own as a player: have a colleague reverse it.", "own-cashier", rule=rule)
    if row.kind == Slip.Kind.REPAYMENT and row.player is not None:
        credits.check_line(row.player, row.amount)
