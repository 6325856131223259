"""What a cashier picks who serves somebody at the window: one address for the slips of all kinds."""

from collections.abc import Callable
from typing import Annotated, Literal

from cardroom.cage import slips
from cardroom.cage.models import Slip
from cardroom.cage.slips import SlipReason
from cardroom.core.arguments import Chips, Limits
from cardroom.core.models import Approval, User
from cardroom.core.web.api import bodies

KINDS: dict[str, Callable[..., Slip | Approval]] = {
    "deposit": slips.deposit,
    "withdrawal": slips.withdraw,
    "credit": slips.credit,
    "repayment": slips.repay,
    "comp": slips.comp,
    "comp-used": slips.use_comp,
    "transfer": slips.transfer,
}


def write_slip(
    *,
    kind: Literal["deposit", "withdrawal", "credit", "repayment", "comp", "comp-used", "transfer"],
    player: Annotated[User, Limits(help_text="The player's id.")],
    amount: Chips,
    to: Annotated[User | None, Limits(help_text="Of a transfer: who gets the chips.")] = None,
    in_money: Annotated[bool | None, Limits(help_text="Of a repayment: in money, not from the wallet.")] = None,
    in_chips: Annotated[bool | None, Limits(help_text="Of a comp: in chips, not in points.")] = None,
    settles: Annotated[
        bool | None,
        Limits(
            help_text="Of a withdrawal: true repays the debt first, by its own slip; false pays out all. Required "
            "where there is a debt."
        ),
    ] = None,
    reason: SlipReason = "",
    by: User,
    key: str = "",
) -> Slip | Approval:
    """Write the slip of this kind: what only some kinds have (`to`, `in_money`, `in_chips`, `settles`) is None for all
    others. Refuses what the verb of the kind refuses."""
    own = {"to": to, "in_money": in_money, "in_chips": in_chips, "settles": settles}
    arguments = {name: value for name, value in own.items() if value is not None}
    return bodies.call(KINDS[kind], key, player=player, amount=amount, reason=reason, by=by, **arguments)
