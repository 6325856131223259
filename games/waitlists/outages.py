"""What ran out at tables and on lists while the room was away runs on: the time of the outage comes back."""

from datetime import timedelta

from django.db.models import Q

from cardroom.core import alarms, outages
from cardroom.core.models import Outage
from games.tables import holds, lineup, locking
from games.tables import signals as table_signals
from games.tables.models.offers import ListEntry, SeatHold
from games.tables.models.tables import Seat, Table
from games.waitlists import store


def calls(outage: Outage) -> None:
    """Give calls the time back that they had left. Locks the offers."""
    called = ListEntry.objects.filter(
        state__in=(ListEntry.State.CALLED, ListEntry.State.COMING), call_until__gte=outage.began_at
    ).order_by("pk")
    found = list(called.values_list("pk", "offer"))
    for offer in sorted({offer for _, offer in found}):
        store.offer(offer)
    for pk, _ in found:
        entry = store.again(pk)
        if not entry.is_called or entry.call_until is None:
            continue
        entry.call_until = outages.due_again(entry.call_until, outage)
        until = store.clock(entry.call_until)
        why = f"The room could not be reached for {_words(outage)}; the seat is held until {until}."
        store.moved(
            entry, "clock", rule="call-time", why=why, by=None, now=outage.ended_at, table=entry.called_to,
            number=entry.called_number,
        )  # fmt: skip


def tables(outage: Outage) -> None:
    """Turns and time banks, seats that are held, and online seats that are kept for who sits out. Locks the tables.

    In the room the floor sees who is back, with or without this; nobody's seat is kept longer there.
    """
    held = SeatHold.objects.filter(until__gte=outage.began_at)
    out = Seat.objects.filter(
        state=Seat.State.SITTING_OUT, out_since__lt=outage.ended_at, player__is_bot=False, table__is_physical=False,
        table__event="",
    )  # fmt: skip
    concerned = Q(deadline__gte=outage.began_at) | Q(pk__in=held.values("table")) | Q(pk__in=out.values("table"))
    locked = locking.tables(list(Table.objects.filter(concerned).values_list("pk", flat=True)))
    for one in held.filter(table__in=locked):
        one.until = outages.due_again(one.until, outage)
        one.save(update_fields=["until"])
        alarms.set(kind=holds.ALARM, key=str(one.pk), due_at=one.until, fence=one.pk)
    for seat in out.filter(table__in=locked):
        kept_until = lineup.pick_up_at(locked[seat.table_id], seat)
        if kept_until >= outage.began_at:
            seat.out_since += outages.due_again(kept_until, outage) - kept_until
            seat.save(update_fields=["out_since"])
    for table in locked.values():
        _lengthen_turn(table, outage)
        locking.store(table, wake_at=table.wake_at)
        table_signals.table_changed.after_commit(table_id=table.pk, version=table.version)


def _lengthen_turn(table: Table, outage: Outage) -> None:
    """The turn begins so much later: what was left of act clock, extra time and bank is left still."""
    if table.deadline is None or table.turn_at is None or table.deadline < outage.began_at:
        return
    deadline = outages.due_again(table.deadline, outage)
    if table.wake_at is not None and table.wake_at >= table.deadline:
        table.wake_at = deadline
    table.turn_at += deadline - table.deadline
    table.deadline = deadline


def _words(outage: Outage) -> str:
    seconds = max(1, round((outage.ended_at - outage.began_at) / timedelta(seconds=1)))
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"


outages.register("games.calls", calls, locks=outages.LISTS)
outages.register("games.tables", tables, locks=outages.TABLES)
