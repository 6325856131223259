"""At the cashier's window and straight to the table, or from the table to the window, in one go."""

from datetime import datetime
from hashlib import sha256
from typing import Any

from cardroom.cage import books as cage_books
from cardroom.cage import corrections, slips
from cardroom.cage.models import Slip
from cardroom.core.errors import Conflict, Invalid
from cardroom.core.models import Approval, User
from cardroom.core.operation import operation
from games.floor import physical
from games.play import seating, seats
from games.tables import locking, stacks
from games.tables.models.tables import SeatMove


def _lock(table_id: int, player: User, by: User, **about: Any) -> None:
    locking.of_table(table_id)
    stacks.lock_player(player, and_wallet=False)
    cage_books.lock_desk(by)


@operation(_lock, roles=cage_books.STAFF)
def buy_in(
    *,
    table_id: int,
    player: User,
    amount: int,
    by: User,
    now: datetime,
    number: int | None = None,
    key: str = "",
    reason: str = "",
) -> tuple[Slip, SeatMove]:
    """Money over the counter, and a seat with as many chips (`number` None: the one held for them, or the first free).

    Both or neither: refuses what `slips.deposit` and `seating.seat` refuse; above the cashier's limit the deposit comes
    first, by itself. The same `key` again gives the same slip and seat. Locks the table, then as the cage does.
    """
    locking.table(table_id)
    stacks.lock_player(player, and_wallet=False)
    cage_books.lock_desk(by)

    def seat(slip: Slip) -> SeatMove:
        return seating.seat(
            table_id=table_id, player=player, number=number, buy_in=amount, by=by, now=now, key=_of(by, key)
        )

    return slips.buy_in(seat=seat, player=player, amount=amount, by=by, now=now, key=key, reason=reason)


@operation(_lock, roles=cage_books.STAFF)
def cash_out(
    *,
    table_id: int,
    player: User,
    by: User,
    now: datetime,
    count: int | None = None,
    key: str = "",
    reason: str = "",
    settles: bool | None = None,
) -> tuple[SeatMove, Slip | Approval]:
    """Off the table, and paid out what they had there. At a table in the room `count` says what they brought.
    `settles`: whether what they owe is paid back out of it first, which has to be said where they owe.

    Above the cashier's limit the chips are in their wallet at once, and the payment waits for a second person. Refuses:
    `Conflict` (they are in a hand: it is played to its end first; no drawer open), `Invalid` (no count, or one at a
    table online), and what `physical.cash_out` and `slips.withdraw` refuse. Locks the table, then as the cage does.
    """
    table = locking.table(table_id)
    cage_books.lock_desk(by)  # before the wallet that the chips go to
    if table.is_physical:
        if count is None:
            raise Invalid("Enter the number of chips counted.", "bad-count")
        move = physical.cash_out(
            table_id=table_id, player=player, count=count, by=by, now=now, reason=reason, key=_of(by, key)
        )
    else:
        if count is not None:
            raise Invalid("Chips are not counted at an online table: the system knows the stack.", "bad-count")
        seat = table.seats.filter(player=player).first()
        if seat is not None and table.is_in_hand(seat.number):
            raise Conflict(f"{player} is in a hand: pay them out when it is over.", "in-hand")
        move = seats.leave(table_id=table_id, player=player, now=now, key=_of(by, key))
    if not move.amount:
        raise Conflict(f"{player} has no chips: there is nothing to pay out. Remove them at the table.", "nothing")
    done = corrections.request(
        verb="cash-out", player=player, amount=move.amount, by=by, now=now, key=key, settles=settles,
        reason=reason or "from the table",
    )  # fmt: skip
    if not isinstance(done, Slip | Approval):
        raise AssertionError(done)  # pragma: no cover  a withdrawal opens no drawer
    return move, done


def _of(by: User, key: str) -> str:
    """The cashier's idempotency key for a table: made unique, as two cashiers may choose the same."""
    return f"cage{by.pk}:{sha256(key.encode()).hexdigest()[:40]}" if key else ""
