"""Money that a player gives at a table in the room, for chips, and for a seat if they have none.

A member of staff with an open drawer of the cage takes the money into it. For others the cage is asked (`approvals`):
the seat is held while the money is on its way, and the cashier who gets it takes it into their own drawer, with a slip
of their own, which seats the player. No chip moves before that.
"""

from datetime import datetime, timedelta
from typing import Annotated

from django.utils.translation import gettext_lazy, gettext_noop

from cardroom.accounts import bans, people
from cardroom.cage import allowances, slips
from cardroom.cage import books as cage_books
from cardroom.core import access, approvals
from cardroom.core.arguments import Chips, Limits, RowId
from cardroom.core.errors import Conflict, Illegal, Invalid, NotFound
from cardroom.core.models import Approval, User
from cardroom.core.sentences import stored_text
from cardroom.core.verb import lock, verb
from cardroom.ledger import limits
from games.floor import cage_window, physical
from games.play import seats
from games.tables import holds, locking, stacks
from games.tables.models.offers import SeatHold
from games.tables.models.tables import Seat, SeatMove, Table

#: The kind of the request to the cage.
ACT = "floor.cash_in"
#: How long the seat is held, and the request waits.
LASTS = timedelta(minutes=15)

PlayerOrGuest = Annotated[
    User | None,
    Limits(allow_null=True, max_value=None, help_text="The number of the player, as in their profile. Or a guest."),
]
GuestName = Annotated[
    str, Limits(max_length=60, required=False, help_text="The name of somebody new, who needs no account.")
]
Cash = Annotated[Chips, Limits(error_messages={"required": gettext_lazy("Enter the amount of cash.")})]


@verb("floor.cash_in", roles=physical.ROLES)
def cash_in(
    *,
    table_id: RowId,
    player: PlayerOrGuest = None,
    guest: GuestName = "",
    number: holds.SeatNumber = None,
    amount: Cash,
    by: User,
) -> SeatMove | Approval:
    """Take money for `amount` chips, for a `player` or for a new `guest` by their name. A player with a seat at the
    table gets the chips added to their stack; others get a seat (`number` None: the one held for them, or the first
    free).

    Returns an `Approval` where `by` has no open drawer of the cage: a cashier is asked. Refuses: `Forbidden` (not of
    the floor or the cage; the player is banned), `Invalid` (no player and no guest, or both; too few or too many chips
    for the table), `Conflict` (the seat is taken; the money is on its way already), `Illegal` (a table online; for
    oneself), and what `slips.deposit` refuses. Locks the table, the player, then what the cage locks.
    """
    if (player is None) == (not guest):
        raise Invalid("no-player", "Choose a player, or enter the name of a guest.")
    table, now = lock(cage_window.lock_table_and_desk, table_id, player, by)
    physical.check_physical(table)
    player = player or people.make_guest(name=guest, now=now)
    if player.pk == by.pk:
        raise Illegal("own-cashier", "You cannot be your own cashier: ask a colleague.", rule=allowances.OWN)
    bans.check_may_play(player=player, now=now, where="room")
    if _has_drawer(by):
        _check_no_request(table_id, player, now=now)
        return _give_chips(table_id, player, amount, number, by=by, now=now)
    return _ask_cage(table, player, amount, number, by=by, now=now)


def _check_no_request(table_id: int, player: User, *, now: datetime) -> None:
    """`Conflict` while a request for the same money waits: it would be taken twice."""
    request = approvals.waiting(now=now).filter(alone=_request_key(table_id, player)).first()
    if request is not None:
        raise Conflict(
            "asked-already",
            "“{words}” (no. {id}) waits for approval already: it is decided or cancelled first.",
            words=request.said,
            id=request.pk,
            approval=request.pk,
        )


def _has_drawer(by: User) -> bool:
    """Whether this member of staff has an open drawer of the cage that money can go into."""
    own = cage_books.sessions_of(by).filter(drawer__is_for_events=False)
    return access.has_role(by, *cage_books.STAFF) and own.exists()


def _give_chips(table_id: int, player: User, amount: int, number: int | None, *, by: User, now: datetime) -> SeatMove:
    """Put the money into the drawer of `by`, and the chips in front of the player."""
    if not Seat.objects.filter(table=table_id, player=player).exists():
        bought = cage_window.buy_in(table_id=table_id, player=player, amount=amount, number=number, by=by, now=now)
        return bought.move
    slips.buy_in(player=player, amount=amount, by=by, now=now)
    return physical.top_up(table_id=table_id, player=player, amount=amount, by=by, now=now)


def _ask_cage(table: Table, player: User, amount: int, number: int | None, *, by: User, now: datetime) -> Approval:
    """Ask the cage for the chips, and hold a seat for a player who has none. What the cage would refuse is refused at
    once."""
    cage_books.check_amount(amount)
    cage_books.check_player(player)
    limits.check(player=player, kind="deposit", amount=amount, now=now)
    seat = table.seats.select_related("account", "player").filter(player=player).first()
    if seat is not None:
        physical.check_may_top_up(table, seat, amount, now=now)
        number = seat.number
    else:
        number = seats.check_may_take(table, player, number, amount, now=now, is_staff=True)
    words = stored_text(
        "Cash from {table}: {amount:,} for {player}, seat {number}, with {by}",
        table=table.name, amount=amount, player=player.shown_name, number=number, by=by.username,
    )  # fmt: skip
    request = approvals.ask(
        what=ACT, words=words, by=by, now=now, player=player, amount=amount, lasts=LASTS, subject=f"table:{table.pk}",
        payload={
            "table": table.pk, "player": player.pk, "amount": amount, "number": number, "is_seated": seat is not None,
        },
        alone=_request_key(table.pk, player), details={"table": table.name},
    )  # fmt: skip
    if seat is None:
        _hold_seat(table, player, number, until=request.until, by=by, now=now)
    return request


def _request_key(table_id: int, player: User) -> str:
    """The key under which only one request may wait."""
    return f"cash-in:{table_id}:{player.pk}"


def _hold_seat(table: Table, player: User, number: int, *, until: datetime, by: User, now: datetime) -> None:
    """Hold the seat for as long as the request waits. A hold that lasts longer, or is for a call, stays as it is: the
    seat is theirs whether the money comes or not."""
    own = next((held for held in holds.in_force(table, now=now) if held.player_id == player.pk), None)
    if own is not None and own.number != number:
        holds.check_no_call(table, player, by)
    elif own is not None and (own.until is None or own.until >= until or holds.is_called(table, player)):
        return
    why = SeatHold.Why.LOCK_UP
    holds.hold(table_id=table.pk, player=player, number=number, why=why, until=until, by=None, now=now)


def _approve(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """The cashier has the money: put it into their drawer, and give the player the chips, in the seat held for them."""
    payload, player = approval.payload, _player(approval)
    if not _has_drawer(by):
        raise Conflict("no-drawer", "You have no open drawer: open one with a count first.")
    table = locking.table(payload["table"])
    if payload["is_seated"] and not table.seats.filter(player=player).exists():
        pattern = gettext_noop("{player} has no seat at {table}.")
        raise Conflict("has-left", pattern, player=player.shown_name, table=table.name)
    has_seat = SeatHold.objects.filter(table=payload["table"], player=player).exists()
    number = None if has_seat else payload["number"]
    return {"move": _give_chips(payload["table"], player, payload["amount"], number, by=by, now=now).pk}


def _refuse(approval: Approval, now: datetime) -> None:
    """The money did not come: release the seat, unless it is held for something else."""
    held = SeatHold.objects.filter(
        table=approval.payload["table"],
        player=approval.payload["player"],
        why=SeatHold.Why.LOCK_UP,
        until=approval.until,
    )
    if held.exists():
        holds.release(table_id=approval.payload["table"], player=_player(approval), by=None, now=now)


def _player(approval: Approval) -> User:
    if approval.player is None:
        raise NotFound("no-such-player", "There is no such player.")
    return approval.player


def _lock_request(approval: Approval) -> None:
    locking.of_table(approval.payload["table"])
    stacks.lock_player(_player(approval), and_wallet=False)


approvals.register(ACT, _approve, roles=cage_books.STAFF, refused=_refuse, lock=_lock_request)
