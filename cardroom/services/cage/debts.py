"""Who owes the house is asked before they are paid out: whether it settles their debt, or all of it is paid."""

from datetime import datetime

from cardroom.models import Slip, User
from cardroom.services.cage import books, credits, slips
from cardroom.services.errors import Illegal

RULE = "House rules: who owes the house is asked before they are paid out"


def settle(*, player: User, amount: int, settles: bool | None, by: User, now: datetime) -> Slip | None:
    """Out of `amount` that the player is to be paid: the slip by which a debt is paid back, or as much of it as there
    is. None where nothing is owed, or all of it is paid out (`settles` False).

    Refuses: `Illegal` ("open-debt") where there is a debt and nobody has said which; what a repayment refuses. Locks
    the drawer's session and the cage's books.
    """
    books.check_amount(amount)
    if settles is False:
        return None
    books.session_of(by)
    books.lock_books()
    check_said(player, settles)
    owes = min(credits.owed_by(player), amount)
    if not owes:
        return None
    return slips.repay(player=player, amount=owes, by=by, now=now, reason="settled out of what is paid out")


def check_said(player: User, settles: bool | None) -> None:
    """`Illegal` where the player owes the house and nobody has said whether that is settled."""
    if settles is None and (owes := credits.owed_by(player)):
        raise Illegal(
            f"{player} owes {owes:,}: say whether that is settled out of this, or all of it is paid out.",
            "open-debt",
            rule=RULE,
            owes=owes,
        )
