"""At the cashier's window: money straight to a seat at a table, and from a seat straight to money."""

from dataclasses import dataclass
from typing import Annotated

from django.utils.translation import gettext_lazy

from cardroom.cage import books as cage_books
from cardroom.cage import slips
from cardroom.cage.models import Slip
from cardroom.core.arguments import Chips, Limits, RowId
from cardroom.core.errors import Conflict, Invalid
from cardroom.core.models import Approval, User
from cardroom.core.verb import lock, verb
from games.engine.games import MOST_SEATS
from games.floor import physical
from games.play import seating, seats
from games.tables import locking, stacks
from games.tables.models.tables import SeatMove, Table

AtTable = Annotated[RowId, Limits(message=gettext_lazy("Say at which table."))]
NumberedPlayer = Annotated[User, Limits(help_text="The player's id.")]
SeatNumber = Annotated[
    int | None,
    Limits(called="seat", min_value=1, max_value=MOST_SEATS, help_text="Without it: the one held, or the first free."),
]
CountedChips = Annotated[
    int | None, Limits(min_value=0, max_value=cage_books.MOST, help_text="At a table in the room.")
]
Settles = Annotated[bool | None, Limits(help_text="Whether to repay the debt first. Required where the player owes.")]


@dataclass(frozen=True)
class WindowResult:
    """The move of the seat, with the slip, or with the approval that the payment waits for."""

    move: SeatMove
    slip: Slip | None
    approval: Approval | None = None


def lock_table_and_desk(table_id: int, player: User | None, by: User) -> Table:
    """Lock the table, then the player, if there is one yet, then what the cage locks for a slip of this cashier."""
    table = locking.table(table_id)
    if player is not None:
        stacks.lock_player(player, and_wallet=False)
    cage_books.lock_desk(by)
    return table


@verb("window.buy_in", roles=cage_books.STAFF)
def buy_in(
    *,
    table_id: AtTable,
    player: NumberedPlayer,
    amount: Chips,
    number: SeatNumber = None,
    reason: slips.SlipReason = "",
    by: User,
) -> WindowResult:
    """Money over the counter, and a seat with as many chips (`number` None: the one held for them, or the first free).

    Both or neither: refuses what `slips.deposit` and `seating.seat` refuse; above the cashier's limit the deposit comes
    first, by itself.
    """
    lock(lock_table_and_desk, table_id, player, by)
    slip = slips.buy_in(player=player, amount=amount, reason=reason, by=by)
    move = seating.seat(table_id=table_id, player=player, number=number, buy_in=amount, by=by)
    return WindowResult(move, slip)


@verb("window.pay_out", roles=cage_books.STAFF)
def pay_out(
    *,
    table_id: RowId,
    player: NumberedPlayer,
    count: CountedChips = None,
    settles: Settles = None,
    reason: slips.SlipReason = "",
    by: User,
) -> WindowResult:
    """Off the table, and paid out what they had there. At a table in the room `count` says what they brought.
    `settles`: whether what they owe is paid back out of it first, which has to be said where they owe.

    Above the cashier's limit the chips are in their wallet at once, and the payment waits for a second person. Refuses:
    `Conflict` (they are in a hand: it is played to its end first; no chips; no drawer open), `Invalid` (no count, or
    one at a table online), and what `physical.cash_out` and `slips.withdraw` refuse.
    """
    table, _ = lock(lock_table_and_desk, table_id, player, by)
    if table.is_physical:
        move = _cash_out_in_the_room(table, player, count, reason, by=by)
    else:
        move = _leave_online(table, player, count)
    if not move.amount:
        raise Conflict(
            "nothing", "{player} has no chips: there is nothing to pay out. Remove them at the table.", player=player
        )
    paid = slips.cash_out(player=player, amount=move.amount, settles=settles, reason=reason or "from the table", by=by)
    if isinstance(paid, Approval):
        return WindowResult(move, None, paid)
    return WindowResult(move, paid)


def _cash_out_in_the_room(table: Table, player: User, count: int | None, reason: str, *, by: User) -> SeatMove:
    if count is None:
        raise Invalid("bad-count", "Enter the number of chips counted.")
    return physical.cash_out(table_id=table.pk, player=player, count=count, reason=reason, by=by)


def _leave_online(table: Table, player: User, count: int | None) -> SeatMove:
    if count is not None:
        raise Invalid("bad-count", "Chips are not counted at an online table: the system knows the stack.")
    seat = table.seats.filter(player=player).first()
    if seat is not None and table.is_in_hand(seat.number):
        raise Conflict("in-hand", "{player} is in a hand: pay them out when it is over.", player=player)
    return seats.leave(table_id=table.pk, by=player)
