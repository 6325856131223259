"""Credit lines: how much a player may owe the house."""

from datetime import datetime

from cardroom.models import Account, CreditLine, User
from cardroom.services import access, news, trail
from cardroom.services.cage import books
from cardroom.services.errors import Illegal, Invalid
from cardroom.services.operations import operation, row_of


def line_of(player: User) -> int:
    """The most the player may owe; 0 where nobody has set a line."""
    row = CreditLine.objects.filter(player=player).order_by("-pk").first()
    return row.most if row else 0


def owed_by(player: User) -> int:
    """What the player owes now."""
    return Account.objects.filter(kind=Account.Kind.DEBT, owner=player).values_list("balance", flat=True).first() or 0


def check_line(player: User, amount: int) -> None:
    """`Illegal` where the player would owe more than their line. Call with the cage's books locked."""
    line, owes = line_of(player), owed_by(player)
    if owes + amount > line:
        left = max(line - owes, 0)
        said = (
            f"{player} has a credit line of {line:,} and owes {owes:,}: {left:,} more is possible."
            if line
            else f"{player} has no credit line: a manager sets one."
        )
        rule = "House rules: chips on credit only within the line a manager has set"
        raise Illegal(said, "credit-line", rule=rule, line=line, owes=owes)


@operation(row_of(User, "player"))
def set_line(*, player: User, most: int, by: User, reason: str, now: datetime) -> CreditLine:
    """How much a player may owe from now on; what they owe already stays. For managers, with a reason.

    Refuses: `Forbidden` (no manager), `Invalid` (one's own line, no amount, no reason)."""
    access.require_role(by, "manager")
    if type(most) is not int or not 0 <= most <= books.MOST:
        raise Invalid(f"A credit line is a whole number from 0 to {books.MOST:,}.", "bad-amount")
    books.check_player(player)
    if player.pk == by.pk:
        raise Invalid("Nobody sets their own credit line: have a colleague do it.", "own-cashier")
    why = trail.reason_given(reason, what="a credit line")
    before = line_of(player)
    row = CreditLine.objects.create(player=player, most=most, reason=why, by=by, at=now)
    trail.note(
        verb="cage.set_credit_line", subject=f"user:{player.pk}", player=player, by=by, now=now, reason=why, most=most,
        before=before,
    )  # fmt: skip
    news.tell("cage", f"player:{player.pk}")
    return row
