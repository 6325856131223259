"""Free seats that are held for somebody: called from a list, locked up, moving here, reserved.

A player who sits down ends their own hold; a hold whose time is over no longer counts, and its row goes when its alarm
rings. Each verb locks the table.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Annotated

from django.utils.translation import gettext, gettext_noop

from cardroom.accounts.bans import check_may_play
from cardroom.core import access, alarms, audit_log, room_time, topics
from cardroom.core.arguments import Limits, RowId, internal
from cardroom.core.errors import Conflict, Illegal, Invalid, Verbatim
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
from games.engine.games import MOST_SEATS
from games.tables import hosts, locking
from games.tables.models.offers import SeatHold
from games.tables.models.tables import Seat, Table

ALARM = alarms.register("seat-hold", "games.tasks.end_hold")
ROLES = ("floor", "manager")
#: A player who sits at a table already may have another seat of it held, to change to it.
_FOR_CHANGES = (SeatHold.Why.MOVE, SeatHold.Why.LOCK_UP)

NamedPlayer = Annotated[User, Limits(max_value=None, help_text="The number of the player, as in their profile.")]
SeatNumber = Annotated[
    int | None,
    Limits(allow_null=True, min_value=1, max_value=MOST_SEATS, help_text="None: the one held, or the first free."),
]
Why = Annotated[str, Limits(choices=[SeatHold.Why.LOCK_UP, SeatHold.Why.RESERVED])]
Minutes = Annotated[
    int | None, Limits(allow_null=True, min_value=1, max_value=24 * 60, help_text="None: reserved until released.")
]


@verb("holds.hold")
def hold(
    *,
    table_id: RowId,
    player: NamedPlayer,
    number: SeatNumber = None,
    why: Why,
    minutes: Minutes = None,
    until: Annotated[datetime | None, internal] = None,
    by: User | None,
) -> SeatHold:
    """Hold a free seat (`number` None: the one they have held here, or the first) for `player`: for a number of
    `minutes`, or `until` a moment.

    Only a reserved seat may have neither: it is held until it is released. `by` None: the house itself, such as a
    waiting list. A second request changes the seat, reason and moment of the hold that they have.
    Refuses: `Forbidden` (not of the floor; they may not play here), `Conflict` (taken, held for another, none free,
    they sit here), `Illegal` (the table takes nobody), `Invalid`.
    """
    if by is not None:
        access.require_role(by, *ROLES)
    table, now = lock(locking.table, table_id)
    if minutes is not None:
        until = now + timedelta(minutes=minutes)
    if why not in SeatHold.Why.values or (until is None and why != SeatHold.Why.RESERVED):
        raise Invalid("bad-hold", "A seat is held until a moment; only a reserved one has none.")
    if until is not None and until <= now:
        raise Invalid("bad-hold", "A seat is held until a moment to come.")
    if table.event:
        raise Illegal("seats-drawn", "The seats of a tournament are drawn: none is held.")
    if table.state != Table.State.OPEN:
        raise Illegal(
            "table-closed",
            "{table} is {state}: players cannot be seated there.",
            table=table.name,
            state=table.get_state_display(),
        )
    if why not in _FOR_CHANGES and table.seats.filter(player=player).exists():
        raise Conflict("already-seated", "{player} sits at {table} already.", player=player, table=table.name)
    if by is not None:
        check_may_play(player=player, now=now, where="room" if table.is_physical else "online")
    number = free_number(table, number, player=player, now=now, is_staff=True)
    before = SeatHold.objects.filter(table=table, player=player).first()
    if by is not None and before is not None and before.number != number:
        check_no_call(table, player, by)
    SeatHold.objects.filter(table=table, number=number).exclude(player=player).delete()  # its time is over
    fields = {"number": number, "why": why, "until": until, "by": by, "at": now}
    held, _ = SeatHold.objects.update_or_create(table=table, player=player, defaults=fields)
    if until is not None:
        alarms.set(kind=ALARM, key=str(held.pk), due_at=until, fence=held.pk)
    else:
        alarms.cancel(kind=ALARM, key=str(held.pk))
    if before is not None and before.number != number:
        hosts.host_of(table).seat_freed(table_id=table.pk, now=now)
    if by is not None:
        audit_log.note(
            verb="holds.hold",
            subject=f"table:{table.pk}",
            player=player,
            by=by,
            now=now,
            seat=number,
            why=why,
            until=until.isoformat() if until else None,
        )
    _tell(table, player)
    return held


@verb("holds.release")
def release(*, table_id: RowId, player: NamedPlayer, reason: Annotated[str, internal] = "", by: User | None) -> bool:
    """Release the seat that is held for `player` at this table; False where none is.

    Refuses: `Forbidden` (not of the floor), `Conflict` (they are called to it: the call is answered, or taken back).
    """
    is_staff = by is not None and by.pk != player.pk
    if is_staff:
        access.require_role(by, *ROLES)
    table, now = lock(locking.table, table_id)
    held = SeatHold.objects.filter(table=table, player=player).first()
    if held is None:
        return False
    if by is not None:
        check_no_call(table, player, by)
    if is_staff:
        audit_log.note(
            verb="holds.release",
            subject=f"table:{table.pk}",
            player=player,
            by=by,
            now=now,
            reason=reason,
            seat=held.number,
        )
    _let_go(table, held, now=now)
    return True


@verb("holds.expire")
def expire(*, hold_id: RowId) -> bool:
    """The alarm of a hold: releases it if its time is over; False where it is not over, or the hold is gone."""
    table_id = SeatHold.objects.filter(pk=hold_id).values_list("table", flat=True).first()
    if table_id is None:
        return False
    table, now = lock(locking.table, table_id)
    held = SeatHold.objects.select_related("player").filter(pk=hold_id, until__lte=now).first()
    if held is None:
        return False
    _let_go(table, held, now=now)
    return True


def free_seats(table: Table, player: User | None = None, *, now: datetime | None = None) -> list[int]:
    """The numbers of the seats that are neither taken nor held for anybody but `player`. Two queries."""
    taken = set(Seat.objects.filter(table=table).values_list("number", flat=True))
    held = {held.number for held in in_force(table, now=now) if player is None or held.player_id != player.pk}
    return [number for number in range(1, table.seat_count + 1) if number not in taken | held]


def in_force(table: Table, *, now: datetime | None = None) -> list[SeatHold]:
    """The holds of a table; with `now`, without those whose time is over. One query."""
    holds = SeatHold.objects.filter(table=table).select_related("player").order_by("number")
    return [held for held in holds if now is None or held.until is None or held.until > now]


def free_number(
    table: Table, number: int | None, *, player: User, now: datetime, is_staff: bool = False,
    excluding: Collection[int] = (),
) -> int:  # fmt: skip
    """The seat that `player` can have: the one named, else the one held for them, else the first that is free.

    `excluding`: seats they get only if they name them. `is_staff`: the reader of the refusal may know for whom a seat
    is held. Refuses: `Invalid` (no such seat), `Conflict` (taken, held for another, none free).
    """
    taken = set(table.seats.values_list("number", flat=True))
    holds = {held.number: held for held in in_force(table, now=now)}
    own = next((seat for seat, held in holds.items() if held.player_id == player.pk), None)
    numbers = range(1, table.seat_count + 1)
    if number is None:
        free = [seat for seat in numbers if seat not in taken and (seat == own or seat not in {*holds, *excluding})]
        if not free:
            is_held = any(seat not in taken for seat in numbers)
            message = (
                gettext_noop("The free seats at this table are held.")
                if is_held
                else gettext_noop("Every seat at this table is taken.")
            )
            raise Conflict("table-full", message)
        return own if own in free else free[0]
    if type(number) is not int or number not in numbers:
        raise Invalid("no-such-seat", "The seats of this table are 1 to {seat_count}.", seat_count=table.seat_count)
    if number in taken:
        raise Conflict("seat-taken", "Seat {number} was taken a moment ago: choose another.", number=number)
    if number in holds and number != own:
        raise _held_refusal(holds[number], is_staff=is_staff)
    return number


def drop_own(table: Table, player: User) -> None:
    """End the hold of a player who sits down at this table; nobody needs to be told."""
    for pk in SeatHold.objects.filter(table=table, player=player).values_list("pk", flat=True):
        alarms.cancel(kind=ALARM, key=str(pk))
    SeatHold.objects.filter(table=table, player=player).delete()


def _held_refusal(held: SeatHold, *, is_staff: bool) -> Conflict:
    if not is_staff:
        return Conflict("seat-held", "Seat {number} is held: choose another.", number=held.number)
    message = (
        gettext("Seat {number} is held for {player} until {until} ({why}): release it first.")
        if held.until
        else gettext("Seat {number} is held for {player} ({why}): release it first.")
    )
    until = room_time.clock(held.until) if held.until else ""
    return Conflict(
        "seat-held",
        Verbatim(message.format(number=held.number, player=held.player, until=until, why=held.get_why_display())),
        player=held.player.username,
        until=held.until.isoformat() if held.until else None,
    )


def is_called(table: Table, player: User) -> bool:
    """Whether a list has called them to this table: their seat is held as long as the call lasts."""
    return table.called.filter(player=player, state__in=("called", "coming")).exists()


def check_no_call(table: Table, player: User, by: User) -> None:
    """`Conflict` where the player is called to this table: their seat stays theirs until the list ends the call."""
    if not is_called(table, player):
        return
    if by.pk == player.pk:
        raise Conflict("called", "You are called to this seat: answer the call.")
    raise Conflict("called", "{player} is called to this seat: take the call back on the list.", player=player)


def _let_go(table: Table, held: SeatHold, *, now: datetime) -> None:
    alarms.cancel(kind=ALARM, key=str(held.pk))
    player = held.player
    held.delete()
    hosts.host_of(table).seat_freed(table_id=table.pk, now=now)
    _tell(table, player)


def _tell(table: Table, player: User) -> None:
    locking.tell(table)
    topics.tell("lobby", "floor", "lists", f"player:{player.pk}")
