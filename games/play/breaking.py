"""The end of a game that breaks up: where its players go, in the order of their time at the table.

Nobody new sits down from the moment it was ordered; the hand being played is finished first, and what comes after it is
the table's own alarm, so that it is done once, and also where the process died in between.

Online, who is there is moved with the stack to a free seat at another table of the same game, the shortest table
first; for whom there is none, and who is away, gets their chips back into their wallet and the top of the game's list.
Bots go. Then the table is closed. In the room seats are held for them at the other tables, and they carry their chips
over as the floor counts them; the table is free when the last one is gone and the chips are accounted for.
"""

from datetime import datetime, timedelta

from django.db import transaction

from cardroom.core import notices, room_time, topics
from cardroom.core.errors import CardroomError
from cardroom.core.models import User
from games.dealers import downs
from games.play import counting, moving, private
from games.tables import holds, lineup, locking, stacks
from games.tables import signals as table_signals
from games.tables.models.offers import SeatHold
from games.tables.models.tables import Seat, Table

#: How long a seat is held at another table where the offer says nothing.
_USUAL_HOLD_MINUTES = 10


def tables_of_the_game(table_id: int) -> list[int]:
    """The other open tables of the same game on offer, by id: what `now_break` wants to be locked."""
    others = Table.objects.filter(offer__tables=table_id, state=Table.State.OPEN, event="").exclude(pk=table_id)
    return list(others.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def carry_out(*, table_id: int, version: int, now: datetime) -> bool:
    """The table's alarm after the last hand of a game that breaks up; False where the table moved on since `version`.

    Locks the table and the others of the game, in the order of their ids.
    """
    others = locking.tables({table_id, *tables_of_the_game(table_id)})
    table = others.pop(table_id)
    if table.version != version or table.state != Table.State.BREAKING or table.hand_id is not None:
        return False
    if table.is_physical:
        _finish_if_empty(table, now=now)
    else:
        now_break(table, list(others.values()), by=None, now=now)
    return True


def now_break(table: Table, others: list[Table], *, by: User | None, now: datetime) -> None:
    """Send everybody on and close the table. `others` of the game; call with all of them locked, and no hand here."""
    seats = sorted(lineup.seats_of(table), key=lambda seat: (seat.sat_at, seat.pk))
    if table.is_physical:
        for seat in seats:
            _hold_elsewhere(table, seat, others, by=by, now=now)
        _finish_if_empty(table, now=now)
        return
    staying = [seat for seat in seats if not _moved(table, seat, others, by=by, now=now)]
    table.refresh_from_db()  # every move stored it
    for seat in staying:
        _put_back(table, seat, by=by, now=now)
    stacks.hold(seat.player for seat in staying)
    for seat in staying:
        stacks.cash_out(seat, table, now=now)
    _finish(table, Table.State.CLOSED, now=now)


def clear(table: Table) -> None:
    """Clear held seats, invitations and pauses of the game that is over."""
    SeatHold.objects.filter(table=table).delete()
    table.invitations.all().delete()
    table.paused_at, table.pause_reason, table.notice, table.notice_at = None, "", "", None
    fields = {"paused_at": None, "pause_reason": "", "notice": "", "notice_at": None}
    Table.objects.filter(pk=table.pk).update(**fields, is_taking_up=False)


def _moved(table: Table, seat: Seat, others: list[Table], *, by: User | None, now: datetime) -> bool:
    """Whether they could be moved. Who is away, or on their way out, takes no seat from those who are there."""
    if seat.player.is_bot or seat.state not in (Seat.State.PLAYING, Seat.State.MOVING) or not seat.account.balance:
        return False
    for target, number in _places(table, seat, others, now=now):
        try:
            with transaction.atomic():
                moving.move(
                    player=seat.player,
                    from_table=table.pk,
                    to_table=target.pk,
                    number=number,
                    by=None,
                    why=f"{table.name} broke",
                    now=now,
                )
        except CardroomError:
            continue
        target.refresh_from_db()
        _tell_him(seat, f"{table.name} broke: you sit in seat {number} of {target.name}, with your stack.", now=now)
        return True
    return False


def _put_back(table: Table, seat: Seat, *, by: User | None, now: datetime) -> None:
    """To the top of the list of their game; where there is none, they are told what became of their chips."""
    if seat.player.is_bot or seat.state in (Seat.State.LEAVING, Seat.State.REMOVED):
        return
    if table.offer is not None and table.offer.is_listed:
        why = f"{table.name} broke, and no seat at another table of the game was free."
        table_signals.left_over.send(sender=Table, table=table, seat=seat, by=by, why=why, now=now)
    else:
        where = "the floor counts your chips" if table.is_physical else "your chips are in your wallet"
        _tell_him(seat, f"{table.name} broke; {where}.", now=now)


def _tell_him(seat: Seat, text: str, *, now: datetime) -> None:
    key = f"broke:{seat.table_id}:{seat.pk}"
    notices.tell(player=seat.player, kind="broke", text=text, now=now, key=key)


def _hold_elsewhere(table: Table, seat: Seat, others: list[Table], *, by: User | None, now: datetime) -> None:
    """In the room: a seat at another table waits for them while they carry their chips over; else they are on top of
    the list."""
    if seat.state in (Seat.State.LEAVING, Seat.State.REMOVED):
        return
    minutes = table.offer.hold_minutes if table.offer else _USUAL_HOLD_MINUTES
    until = now + timedelta(minutes=minutes)
    until_said = room_time.clock_and_zone(until)
    for target, number in _places(table, seat, others, now=now):
        try:
            with transaction.atomic():
                why = SeatHold.Why.MOVE
                holds.hold(table_id=target.pk, number=number, player=seat.player, why=why, until=until, by=by, now=now)
            said = f"{table.name} breaks: seat {number} of {target.name} is held for you until {until_said}."
            _tell_him(seat, f"{said} The floor counts your chips, and you take them there.", now=now)
            return
        except CardroomError:
            continue
    _put_back(table, seat, by=by, now=now)


def _places(table: Table, seat: Seat, others: list[Table], *, now: datetime) -> list[tuple[Table, int]]:
    """Seats they could move to: one at each other table, the table with the most free seats first."""
    free = []
    for target in others:
        if target.state != Table.State.OPEN or target.is_physical != table.is_physical:
            continue
        if target.seats.filter(player=seat.player).exists() or not private.may_sit(target, seat.player):
            continue
        numbers = holds.free_seats(target, seat.player, now=now)
        if numbers:
            free.append((target, numbers))
    return [(target, numbers[0]) for target, numbers in sorted(free, key=lambda one: (-len(one[1]), one[0].pk))]


def _finish_if_empty(table: Table, *, now: datetime) -> None:
    """In the room: close the table once nobody sits there and all chips are counted."""
    if table.seats.exists() or counting.expected(table):
        locking.store(table, wake_at=None)
        return
    _finish(table, Table.State.FREE, now=now)


def _finish(table: Table, state: Table.State, *, now: datetime) -> None:
    downs.end_at(table, now=now)
    table.state, table.deal_at = state, None
    clear(table)
    locking.store(table, wake_at=None)
    table_signals.table_changed.after_commit(table_id=table.pk, version=table.version)
    topics.tell("lobby", "floor", "board", "lists")
