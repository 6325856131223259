"""What staff does with seats: seat players, take them off, mark them absent and back, pick their seat up.

Each verb locks the table, and is in the audit log. `by` None is the house itself: a waiting list, a ban, a game that
breaks up.
"""

from datetime import datetime, timedelta
from typing import Annotated

from django.db import transaction
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts.models import Where
from cardroom.core import access, audit_log, languages, notices, room_time, sentences
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Conflict, Illegal
from cardroom.core.models import User
from cardroom.core.sentences import StoredText
from cardroom.core.verb import verb
from games.play import seats, settling
from games.rake import unpaid_time
from games.tables import holds, locking, stacks
from games.tables.models.tables import Seat, SeatMove, Table

BuyIn = Annotated[
    int, Limits(min_value=1, max_value=10**12, error_messages={"required": gettext_lazy("Enter the buy-in.")})
]
ReasonKept = Annotated[
    StoredText,
    Limits(max_length=300, help_text="Kept permanently.", error_messages={"required": gettext_lazy("Enter a reason.")}),
]
MaybeReasonKept = Annotated[
    StoredText, Limits(max_length=300, required=False, allow_blank=False, help_text="Kept permanently.")
]
CountedChips = Annotated[
    int | None,
    Limits(
        allow_null=True, min_value=0, max_value=10**12, help_text="Their chips, as counted: at a table in the room."
    ),
]
#: A dealer sees which players are there.
_SEES_WHO_IS_THERE = ("dealer", *holds.ROLES)
_KEEPS = gettext_lazy(
    "House rules: the seat of a player who is away is kept {minutes} minutes, then their chips are put safely away"
)


@verb("seating.seat")
def seat(
    *, table_id: RowId, player: holds.NamedPlayer, number: holds.SeatNumber = None, buy_in: BuyIn, by: User | None
) -> SeatMove:
    """Seat a player (`number` None: the seat held for them, or the first free one) with chips from their wallet.

    Refuses: `Forbidden` (not of the floor; they are banned), and what `seats.sit` refuses; the refusal tells for whom a
    seat is held, and until when. Staff needs no password of a private table.
    """
    if by is not None:
        access.require_role(by, *holds.ROLES, "cashier")

    with seats.locked_table(table_id, player) as (table, now):
        _check_not_drawn(table)
        move = seats.take_seat(table, player, number, buy_in, by=by, is_staff=True, now=now)
        seats.note("seating.seat", table, player, by, now=now, seat=move.number, buy_in=buy_in)
        return move


@verb("seating.unseat")
def unseat(
    *, table_id: RowId, player: holds.NamedPlayer, reason: ReasonKept, count: CountedChips = None, by: User | None
) -> SeatMove:
    """Take a player off the table, after the hand they are in; their chips go to their wallet.

    At a table in the room staff gives the counted chips (`count`); without staff they are marked, and the floor counts.
    Refuses: `Forbidden`, `NotFound` (no seat), `Conflict` (taken off already, not counted), `Invalid` (no reason).
    """
    if by is not None:
        access.require_role(by, *holds.ROLES, *(["cashier"] if count is not None else []))
        reason = audit_log.reason_given(str(reason), what=gettext("removing a player"))

    with seats.locked_table(table_id, player) as (table, now):
        player_seat = _seat(table, player)
        details = {"now": now, "by": by, "reason": reason}
        if table.is_physical:
            stacks.check_not_own(player, by)
        seats.note("seating.unseat", table, player, by, now=now, reason=reason, seat=player_seat.number, count=count)
        waits = table.is_in_hand(player_seat.number) or (table.is_physical and by is None)
        if not waits:
            return stacks.cash_out(player_seat, table, count=count, **details)
        if player_seat.state == Seat.State.REMOVED:
            raise Conflict("already-leaving", "{player} is already removed.", player=player)
        stacks.forget_move(player_seat, now=now)
        player_seat.state, player_seat.out_since = Seat.State.REMOVED, now
        player_seat.save(update_fields=["state", "out_since", "moving_to", "moving_number"])
        return stacks.note(table, player=player, number=player_seat.number, kind=SeatMove.Kind.REMOVED, **details)


@verb("seating.mark_absent", roles=_SEES_WHO_IS_THERE)
def mark_absent(*, table_id: RowId, player: holds.NamedPlayer, by: User) -> SeatMove:
    """Mark a player as absent: no hand is dealt to them, and the time their seat is kept begins.

    Refuses: `NotFound`, `Conflict` (away already).
    """
    with seats.locked_table(table_id, player) as (table, now):
        player_seat = _seat(table, player)
        if player_seat.state != Seat.State.PLAYING:
            raise Conflict(
                "already-out", "{player} is {state} already.", player=player, state=player_seat.get_state_display()
            )
        move = settling.sit_out(player_seat, table, now=now, by=by)
        player_seat.save(update_fields=["state", "out_since", "missed_clocks"])
        seats.note("seating.mark_absent", table, player, by, now=now, seat=player_seat.number)
        return move


@verb("seating.mark_back", roles=_SEES_WHO_IS_THERE)
def mark_back(*, table_id: RowId, player: holds.NamedPlayer, by: User) -> SeatMove:
    """Mark a player as back; they owe nothing. Refuses: `NotFound`, `Conflict` (not away), `Illegal` (they refused to
    pay the time)."""
    with seats.locked_table(table_id, player) as (table, now):
        player_seat = _seat(table, player)
        if player_seat.state != Seat.State.SITTING_OUT:
            raise Conflict(
                "not-away", "{player} is {state}, and not away.", player=player, state=player_seat.get_state_display()
            )
        unpaid_time.check_may_return(table, player)
        move = seats.deal_in_again(table, player_seat, now=now, by=by)
        seats.note("seating.mark_back", table, player, by, now=now, seat=player_seat.number)
        return move


@verb("seating.pick_up", roles=holds.ROLES)
def pick_up(
    *, table_id: RowId, player: holds.NamedPlayer, reason: MaybeReasonKept = "", count: CountedChips = None, by: User
) -> SeatMove:
    """Pick up the seat of a player who was away too long: their chips go into their wallet, and they get a notice.

    Before their time is over only a manager may, with a reason. Refuses: `NotFound`, `Conflict` (not away, in a hand,
    chips not counted at a table in the room), `Illegal` (too early, by the rule).
    """
    with seats.locked_table(table_id, player) as (table, now):
        player_seat = _seat(table, player)
        if player_seat.state != Seat.State.SITTING_OUT or player_seat.out_since is None:
            raise Conflict(
                "not-away", "{player} is {state}, and not away.", player=player, state=player_seat.get_state_display()
            )
        if table.is_in_hand(player_seat.number):
            raise Conflict("in-hand", "{player} is in the current hand: wait until it is over.", player=player)
        if table.is_physical:
            stacks.check_not_own(player, by)
        until = player_seat.out_since + timedelta(minutes=table.keep_seat_minutes)
        if now < until and not (reason and access.has_role(by, "manager")):
            rule = _KEEPS.format(minutes=table.keep_seat_minutes)
            raise Illegal(
                "kept",
                "This seat is kept until {until}. Before then only a manager can pick it up, with a reason.",
                rule=rule,
                until=room_time.clock(until),
            )
        seats.note("seating.pick_up", table, player, by, now=now, reason=reason, seat=player_seat.number, count=count)
        return give_up_seat(player_seat, table, now=now, count=count, by=by, reason=reason)


def give_up_seat(
    player_seat: Seat,
    table: Table,
    *,
    now: datetime,
    count: int | None = None,
    by: User | None = None,
    reason: str = "",
) -> SeatMove:
    """Give up the seat of a player who was away too long, and notify them. Call with the table locked."""
    minutes = (
        int((now - player_seat.out_since).total_seconds() // 60) if player_seat.out_since else table.keep_seat_minutes
    )
    kind = SeatMove.Kind.PICKED_UP
    move = stacks.cash_out(player_seat, table, now=now, kind=kind, count=count, by=by, reason=reason)
    with languages.spoken_to(player_seat.player):
        text = sentences.filled(
            gettext(
                "You were away from {table} for {minutes} minutes, and a seat is kept for {kept}: your seat is picked "
                "up, and your {chips:,} chips are in your wallet."
            ),
            table=table.name,
            minutes=minutes,
            kept=table.keep_seat_minutes,
            chips=move.amount,
        )
    notices.tell(
        player=player_seat.player, kind="picked-up", text=text, now=now, key=f"picked-up:{move.pk}", is_sent=True
    )
    return move


@transaction.atomic
def take_off_everywhere(*, player: User, reason: StoredText, now: datetime, where: str = Where.BOTH) -> int:
    """Take a player off every table after the hand they are in, online, in the room, or both (`where`), as for a ban.
    Returns the number of seats; 0 the second time."""
    taken = 0
    kinds = {Where.ONLINE: [False], Where.ROOM: [True]}.get(where, [False, True])
    rows = Seat.objects.filter(player=player, table__event="", table__is_physical__in=kinds)
    rows = rows.exclude(state=Seat.State.REMOVED)
    held_at = player.seat_holds.filter(table__is_physical__in=kinds)
    # Lock all of them first, in the order of their ids: players may be moved between two of them at this moment.
    locking.tables({*rows.values_list("table", flat=True), *held_at.values_list("table", flat=True)})
    for table_id in rows.order_by("table").values_list("table", flat=True):
        unseat(table_id=table_id, player=player, by=None, reason=reason, now=now)
        taken += 1
    for held in list(held_at.order_by("table")):
        holds.release(table_id=held.table_id, player=player, by=None, now=now)
    return taken


def _check_not_drawn(table: Table) -> None:
    if table.event:
        raise Illegal("seats-drawn", "The seats of a tournament are its director's.")


def _seat(table: Table, player: User) -> Seat:
    _check_not_drawn(table)
    return stacks.seat_of(table, player)
