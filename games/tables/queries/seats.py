"""The seats of a table as staff sees them, and where a player sits or is expected."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count

from cardroom.accounts import people
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from games.tables.models.offers import SeatHold
from games.tables.models.tables import Seat, Table


@dataclass(frozen=True)
class Chair:
    """One seat of a table: taken, held for somebody, or free. `chips`: at a table in the room as last counted.

    `kept_until`: when the seat of a player who is away may be picked up.
    """

    number: int
    seat: Seat | None = None
    held: SeatHold | None = None
    chips: int = 0
    kept_until: datetime | None = None
    is_in_hand: bool = False
    is_overdue: bool = False


@dataclass(frozen=True)
class SeatPlan:
    """`others`: the tables a player of this one can be moved to, this one first."""

    table: Table
    chairs: list[Chair]
    others: list[Table]

    @property
    def taken(self) -> list[Chair]:
        return [chair for chair in self.chairs if chair.seat is not None]

    @property
    def free(self) -> list[int]:
        return [chair.number for chair in self.chairs if chair.seat is None and chair.held is None]


def seat_plan(*, table_id: int, now: datetime) -> SeatPlan:
    """Every seat of a table of the room, for staff. `NotFound` where there is none, or it is an event's."""
    table = Table.objects.select_related("offer", "drop").filter(pk=table_id, event="").first()
    if table is None:
        raise NotFound("There is no such table.", "no-such-table")
    seats = {seat.number: seat for seat in table.seats.select_related("player", "account", "moving_to")}
    holds = {held.number: held for held in table.holds.select_related("player", "by") if _stands(held, now)}
    chairs = [_chair(table, number, seats, holds, now) for number in range(1, table.seat_count + 1)]
    others = Table.objects.filter(event="", state=Table.State.OPEN, is_physical=table.is_physical)
    others = others.exclude(pk=table.pk).order_by("name")
    return SeatPlan(table, chairs, [table, *others])


def holds_of(user: User, *, now: datetime) -> list[SeatHold]:
    """The seats that are held for a player. One query."""
    held = SeatHold.objects.filter(player=user).select_related("table").order_by("table__name")
    return [one for one in held if _stands(one, now)]


def seats_to_cash(user: User) -> list[Seat]:
    """Where a player sits at tables of the room, with what they have there (`chips`; in the room as last counted)."""
    found = Seat.objects.filter(player=user, table__event="").select_related("table", "account").order_by("table__name")
    seats = list(found)
    for seat in seats:
        seat.chips = seat.counted if seat.table.is_physical else seat.account.balance
        seat.is_in_hand = seat.table.is_in_hand(seat.number)
    return seats


def tables_to_sit(user: User, *, now: datetime) -> list[Table]:
    """Open tables a player can be seated at: with a seat free (`free`: how many), or one held for them (`held`), those
    first, then tables in the room. Left out is what `seats.check_other_tables` and `bans.check_may_play` refuse:
    a second seat in the room, more tables of a game online than it allows, and all online for who has no login."""
    rows = Table.objects.filter(event="", state=Table.State.OPEN).exclude(seats__player=user).order_by("name")
    mine = list(Seat.objects.filter(player=user, table__event="").select_related("table"))
    if any(seat.table.is_physical for seat in mine):
        rows = rows.filter(is_physical=False)
    if not people.can_log_in(user):
        rows = rows.filter(is_physical=True)
    per_offer = Counter(seat.table.offer_id for seat in mine)
    rows = rows.annotate(taken=Count("seats")).select_related("offer").prefetch_related("holds")
    found = []
    for table in rows:
        holds = [held for held in table.holds.all() if _stands(held, now)]
        own = next((held.number for held in holds if held.player_id == user.pk), None)
        table.free, table.held = table.seat_count - table.taken - len(holds) + (own is not None), own
        is_most = not table.is_physical and table.offer and per_offer[table.offer_id] >= table.offer.tables_per_player
        if table.free > 0 and not is_most:
            found.append(table)
    return sorted(found, key=lambda table: (table.held is None, not table.is_physical))


def _chair(table: Table, number: int, seats: dict[int, Seat], holds: dict[int, SeatHold], now: datetime) -> Chair:
    seat = seats.get(number)
    if seat is None:
        return Chair(number, held=holds.get(number))
    kept = None
    if seat.state == Seat.State.SITTING_OUT and seat.out_since is not None:
        kept = seat.out_since + timedelta(minutes=table.keep_seat_minutes)
    chips = seat.counted if table.is_physical else seat.account.balance
    is_overdue = kept is not None and now >= kept
    return Chair(number, seat, None, chips, kept, table.is_in_hand(number), is_overdue)


def _stands(held: SeatHold, now: datetime) -> bool:
    return held.until is None or held.until > now
