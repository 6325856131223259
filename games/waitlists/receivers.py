"""What the lists hear of: seats that come free, hands that end, tables that change, bans that begin. Imported when the
room starts.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.dispatch import receiver
from django.utils import timezone

from cardroom.accounts import bans
from cardroom.core import alarms, outages, room_time, watchdog
from cardroom.core.models import Alarm, Outage, User
from cardroom.core.verb import lock
from cardroom.core.watchdog import Stall
from games.rake import jackpot_growth
from games.rake.models.drops import Jackpot
from games.tables import holds, locking, stacks
from games.tables import signals as table_signals
from games.tables.models.offers import Offer, SeatHold
from games.tables.models.tables import Seat, Table
from games.waitlists import filling, joining, reasons, store
from games.waitlists.models import ListEntry, ListMove

_ACTIVE = ListEntry.objects.filter(state__in=ListEntry.ACTIVE)


@receiver(table_signals.game_changed)
def game_changed(*, table_id: int, **_: Any) -> None:
    """Somebody sat down or left, or a table opened or closed: the lists of its game may have to be brought up to date.

    Comes after the commit. Should it be lost, whatever moves on these lists next brings them up to date.
    """
    table = Q(offer=OuterRef("offer")) | Q(table=OuterRef("pk")) | Q(called_to=OuterRef("pk"))
    is_feeding = Q(must_move_to__isnull=False)
    if Table.objects.filter(Exists(_ACTIVE.filter(table)) | is_feeding, pk=table_id).exists():
        store.look_again(table=table_id, now=timezone.now())


@receiver(table_signals.hand_ended)
def hand_ended(*, hand_id: int, **_: Any) -> None:
    """Comes after the commit; an alarm asks again, should it be lost."""
    if ListEntry.objects.filter(in_hand=hand_id).exists():
        filling.hand_ended(hand_id=hand_id, now=timezone.now())


@receiver(bans.banned)
def banned(*, player: User, ban: Any, now: datetime, **_: Any) -> None:
    """Take a banned player off the lists; a second call does nothing."""
    where = getattr(ban, "where", "both")
    joining.strike_off(player=player, now=now, is_online=where != "room", is_room=where != "online")


# What ran out at tables and on lists while the room was away runs on: the time of the outage comes back.


def calls(outage: Outage) -> None:
    """Give calls the time back that they had left. Locks the offers."""
    called = ListEntry.objects.filter(
        state__in=(ListEntry.State.CALLED, ListEntry.State.COMING), call_until__gte=outage.began_at
    ).order_by("pk")
    found = list(called.values_list("pk", "offer"))
    for offer in sorted({offer for _, offer in found}):
        lock(Offer, offer)
    for pk, _ in found:
        entry = store.again(pk)
        if not entry.is_called or entry.call_until is None:
            continue
        entry.call_until = outages.due_again(entry.call_until, outage)
        until = room_time.clock(entry.call_until)
        seconds = max(1, round((outage.ended_at - outage.began_at) / timedelta(seconds=1)))
        if seconds < 120:
            why = reasons.ROOM_AWAY_SECONDS(n=seconds, time=until)
        else:
            why = reasons.ROOM_AWAY_MINUTES(n=seconds // 60, time=until)
        store.moved(
            entry, ListMove.Verb.CLOCK, rule="call-time", why=why, by=None, now=outage.ended_at, table=entry.called_to,
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
        kept_until = stacks.pick_up_at(locked[seat.table_id], seat)
        if kept_until >= outage.began_at:
            seat.out_since += outages.due_again(kept_until, outage) - kept_until
            seat.save(update_fields=["out_since"])
    for table in locked.values():
        _lengthen_turn(table, outage)
        locking.store(table, wake_at=table.wake_at)
        locking.tell(table)


def _lengthen_turn(table: Table, outage: Outage) -> None:
    """The turn begins so much later: what was left of act clock, extra time and bank is left still."""
    if table.deadline is None or table.turn_at is None or table.deadline < outage.began_at:
        return
    deadline = outages.due_again(table.deadline, outage)
    if table.wake_at is not None and table.wake_at >= table.deadline:
        table.wake_at = deadline
    table.turn_at += deadline - table.deadline
    table.deadline = deadline


outages.register("games.calls", calls, locks=outages.LISTS)
outages.register("games.tables", tables, locks=outages.TABLES)


# Tables, calls and jackpots that stand still, for the house's `watchdog`: the record says that something is due, and
# its alarm is not set; or a hand could be dealt and nothing would deal it.


def stalled_tables() -> Iterator[Stall]:
    """No alarm where the table is due, or one set to another moment; a hand without a clock that no person deals; two
    who could be dealt in, and nothing that deals."""
    alarms = {alarm.key: alarm for alarm in Alarm.objects.filter(kind=locking.ALARM)}
    for table in Table.objects.filter(~Q(wake_at=None) | ~Q(hand=None)).order_by("pk"):
        alarm = alarms.get(str(table.pk))
        if table.wake_at is None:
            if not table.is_dealt_by_person:
                yield _table(table, "plays a hand and nothing would wake it")
        elif alarm is None or (alarm.due_at, alarm.fence) != (table.wake_at, table.version):
            yield _table(table, f"is due at {table.wake_at:%H:%M:%S} and its alarm is not set to that")
    idle = Table.objects.filter(state=Table.State.OPEN, event="", hand=None, wake_at=None)
    for table in idle.filter(seats__isnull=False).distinct().order_by("pk"):
        if stacks.is_dealable(table, stacks.seats_of(table)):
            yield _table(table, "could play a hand, and nothing would deal it")


def stalled_calls() -> Iterator[Stall]:
    """Calls without an alarm that would end them."""
    alarms = set(Alarm.objects.filter(kind=store.CALL_ALARM).values_list("key", "fence"))
    called = ListEntry.objects.filter(state__in=(ListEntry.State.CALLED, ListEntry.State.COMING))
    for entry in called.select_related("offer").order_by("pk"):
        if (str(entry.pk), entry.version) not in alarms:
            what = (
                f"Entry {entry.pk} of the list {entry.offer.name} is called to a seat, and nothing would end the call."
            )
            yield Stall(f"list:{entry.pk}:{entry.version}", what)


def jackpots() -> Iterator[Stall]:
    """Jackpots that should grow or be closed, without an alarm."""
    alarms = set(Alarm.objects.filter(kind=jackpot_growth.ALARM).values_list("key", "fence"))
    grows = ~Q(grows_at=None) & Q(state=Jackpot.State.LIVE)
    for jackpot in Jackpot.objects.filter(grows | Q(state=Jackpot.State.CLOSING)).order_by("pk"):
        if (str(jackpot.pk), jackpot.growths) not in alarms:
            due = "be closed" if jackpot.state == Jackpot.State.CLOSING else "grow"
            what = f"{jackpot.name} is to {due}, and nothing would wake it."
            yield Stall(f"jackpot:{jackpot.pk}:{jackpot.growths}", what)


watchdog.register("table", stalled_tables)
watchdog.register("list", stalled_calls)
watchdog.register("jackpot", jackpots)


def _table(table: Table, how: str) -> Stall:
    roles = ("director",) if table.event else ("floor", "manager")
    return Stall(f"table:{table.pk}:{table.version}", f"{table.name} (table {table.pk}) {how}.", roles)
