"""What ran out at tables and on lists while the room was away gets the time of the outage back. Imported when the room
starts.
"""

from datetime import timedelta

from django.db.models import Q

from cardroom.core import alarms, outages, room_time
from cardroom.core.models import Outage
from cardroom.core.verb import lock
from games.tables import holds, locking, stacks
from games.tables.models.offers import Offer, SeatHold
from games.tables.models.tables import Seat, Table
from games.waitlists import reasons, store
from games.waitlists.models import ListEntry, ListMove


def lengthen_calls(outage: Outage) -> None:
    """Give calls the time back that they had left. Locks the offers."""
    called = ListEntry.objects.filter(
        state__in=(ListEntry.State.CALLED, ListEntry.State.COMING), call_until__gte=outage.began_at
    ).order_by("pk")
    rows = list(called.values_list("pk", "offer"))
    for offer in sorted({offer for _, offer in rows}):
        lock(Offer, offer)
    for pk, _ in rows:
        entry = store.locked_entry(pk)
        if not entry.is_called or entry.call_until is None:
            continue
        entry.call_until = outages.due_again(entry.call_until, outage)
        until = room_time.clock(entry.call_until)
        seconds = max(1, round((outage.ended_at - outage.began_at) / timedelta(seconds=1)))
        if seconds < 120:
            why = reasons.ROOM_AWAY_SECONDS(n=seconds, time=until)
        else:
            why = reasons.ROOM_AWAY_MINUTES(n=seconds // 60, time=until)
        store.save_move(
            entry, ListMove.Kind.CLOCK, rule="call-time", why=why, by=None, now=outage.ended_at, table=entry.called_to,
            number=entry.called_number,
        )  # fmt: skip


def lengthen_at_tables(outage: Outage) -> None:
    """Give their time back to turns and time banks, to held seats, and to online seats of players who sit out. Locks
    the tables.

    In the room the floor sees who is back, so a seat there is not kept longer.
    """
    held = SeatHold.objects.filter(until__gte=outage.began_at)
    out = Seat.objects.filter(
        state=Seat.State.SITTING_OUT, out_since__lt=outage.ended_at, player__is_bot=False, table__is_physical=False,
        table__event="",
    )  # fmt: skip
    concerned = Q(play__deadline__gte=outage.began_at) | Q(pk__in=held.values("table")) | Q(pk__in=out.values("table"))
    locked = locking.tables(list(Table.objects.filter(concerned).values_list("pk", flat=True)))
    for hold in held.filter(table__in=locked):
        hold.until = outages.due_again(hold.until, outage)
        hold.save(update_fields=["until"])
        alarms.set(kind=holds.ALARM, key=str(hold.pk), due_at=hold.until, fence=hold.pk)
    for seat in out.filter(table__in=locked):
        kept_until = stacks.pick_up_at(locked[seat.table_id], seat)
        if kept_until >= outage.began_at:
            seat.out_since += outages.due_again(kept_until, outage) - kept_until
            seat.save(update_fields=["out_since"])
    for table in locked.values():
        _lengthen_turn(table, outage)
        locking.store(table, wake_at=table.wake_at)
        locking.tell(table)


def _lengthen_turn(table: Table, outage: Outage) -> None:
    """Let the turn begin later, so that act clock, extra time and bank keep what was left of them."""
    if table.deadline is None or table.turn_at is None or table.deadline < outage.began_at:
        return
    deadline = outages.due_again(table.deadline, outage)
    if table.wake_at is not None and table.wake_at >= table.deadline:
        table.wake_at = deadline
    table.turn_at += deadline - table.deadline
    table.deadline = deadline


outages.register("games.calls", lengthen_calls, locks=outages.LISTS)
outages.register("games.tables", lengthen_at_tables, locks=outages.TABLES)
