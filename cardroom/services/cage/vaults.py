"""The vault: money between it and the drawers, and between it and the bank."""

from collections.abc import Callable
from datetime import datetime

from cardroom.models import Approval, DrawerSession, Slip, User
from cardroom.services import access, repeats, trail
from cardroom.services.cage import allowances, books
from cardroom.services.cage.books import BANK, MONEY, VAULT, drawer_account, house
from cardroom.services.errors import Invalid
from cardroom.services.operations import operation


@operation(books.lock_desk)
def fill(
    *, amount: int, by: User, now: datetime, session_id: int | None = None, reason: str = "", key: str = ""
) -> Slip:
    """Money from the vault into the drawer one has open. Refuses as every slip does, and what the vault does not hold
    (`NotEnoughChips`)."""
    return _moved(bring, "fill", amount, by, now, session_id, reason, key)


@operation(books.lock_desk)
def take(
    *, amount: int, by: User, now: datetime, session_id: int | None = None, reason: str = "", key: str = ""
) -> Slip:
    """What is too much in the drawer back to the vault. Refuses as every slip does."""
    return _moved(take_out, "take", amount, by, now, session_id, reason, key)


@operation(books.lock_desk)
def vault(
    *, amount: int, by: User, now: datetime, reason: str, key: str = "", approval: Approval | None = None
) -> Slip:
    """Money from the bank into the vault, or (below zero) out of it; what lies there on the first day comes from the
    bank as well. For managers, with a reason; above the limit by a second person (`NeedsApproval`). `NotEnoughChips`
    where the vault holds less than is taken out."""
    access.require_role(by, "manager")
    if type(amount) is not int or not 0 < abs(amount) <= books.MOST:
        raise Invalid(f"An amount is a whole number of at most {books.MOST:,}, and not nothing.", "bad-amount")
    why = trail.reason_given(reason, what="money for the vault")

    def do() -> int:
        books.lock_books()
        books.require_in_vault(-amount)
        allowances.check(by=by, kind=Slip.Kind.VAULT, amount=amount, now=now, approval=approval, roles=("manager",))
        legs = [(house(BANK, MONEY), -amount), (house(VAULT, MONEY), amount)]
        words = "money for the vault" if amount > 0 else "money out of the vault"
        return books.write(
            Slip.Kind.VAULT,
            legs=legs,
            words=words,
            amount=amount,
            by=by,
            now=now,
            unit=MONEY,
            reason=why,
            approval=approval,
        ).pk

    asked = {"amount": amount, "reason": why}
    return books.slip(repeats.once(by=by, verb="cage.vault", key=key, asked=asked, do=do, now=now))


def bring(session: DrawerSession, amount: int, *, by: User, now: datetime, reason: str) -> Slip:
    """The slip of money out of the vault into a drawer that is locked. `NotEnoughChips` where it is not there."""
    books.lock_books()
    books.require_in_vault(amount)
    legs = [(house(VAULT, MONEY), -amount), (drawer_account(session.drawer), amount)]
    return books.write(
        Slip.Kind.FILL, legs=legs, words=f"{session.drawer} filled", amount=amount, by=by, now=now, session=session,
        unit=MONEY, reason=reason,
    )  # fmt: skip


def take_out(session: DrawerSession, amount: int, *, by: User, now: datetime, reason: str) -> Slip:
    """The slip of money out of a drawer that is locked into the vault."""
    legs = [(house(VAULT, MONEY), amount), (drawer_account(session.drawer), -amount)]
    return books.write(
        Slip.Kind.TAKE, legs=legs, words=f"{session.drawer} to the vault", amount=amount, by=by, now=now,
        session=session, unit=MONEY, reason=reason,
    )  # fmt: skip


def _moved(
    move: Callable[..., Slip],
    verb: str,
    amount: int,
    by: User,
    now: datetime,
    session_id: int | None,
    why: str,
    key: str,
) -> Slip:
    books.check_amount(amount)

    def do() -> int:
        return move(books.session_of(by, session_id), amount, by=by, now=now, reason=" ".join(why.split())).pk

    asked = {"amount": amount, "session": session_id, "reason": why}
    return books.slip(repeats.once(by=by, verb=f"cage.{verb}", key=key, asked=asked, do=do, now=now))
