"""Prizes: announced, worked out and paid, once and only once.

A `Payout` row is a receipt, and its transfer is called `prize:<event>:<entrant>` (or `bounty:...`), so that nothing is
paid twice whatever happens. In the room the director or the desk pays, online the event's own alarm. What is paid is
what the facts say at that moment, and from then on they are not undone.
"""

from typing import Unpack

from cardroom.services.errors import Illegal
from tournaments.engine.commands import ChangePayout, LockPayouts
from tournaments.engine.config import PayoutTerms
from tournaments.journal import Receipt
from tournaments.models import Payout
from tournaments.services.directing import Order, directing
from tournaments.services.locking import Locked

ALARM = "tournament-payout"


def lock(**order: Unpack[Order]) -> Receipt:
    """Announce the prizes as they are now; once more when entries have changed since."""
    return _give(LockPayouts(), **order)


def change(*, payout: PayoutTerms, **order: Unpack[Order]) -> Receipt:
    """Other terms of the payout, as long as nobody agreed on the money. They have to be locked again."""
    return _give(ChangePayout(payout), **order)


def check_paid(locked: Locked) -> None:
    """`Illegal` where somebody has been paid another prize than he has won by what the facts say now."""
    paid = Payout.objects.filter(tournament=locked.row, state=Payout.State.PAID).exclude(what=Payout.What.BOUNTY)
    for number, name, amount in paid.values_list("entry__number", "entry__name", "amount"):
        entrant = locked.state.entrants[number]
        if (locked.state.prize_of(number) if entrant.below >= 0 else 0) != amount:
            raise Illegal(f"{name} has been paid {amount:,}: what decided that stands.", "prizes-paid")


def _give(command: LockPayouts | ChangePayout, **order: Unpack[Order]) -> Receipt:
    with directing(**order) as held:
        if held.earlier is None:
            held.play(command)
            check_paid(held.locked)
    return held.receipt
