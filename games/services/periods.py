"""The end of a period at a table where time is collected: who is charged, what, and who is not.

The rule ("cash games": time by the half hour, per player, by the number of players): charged is who sits at the table
when a period ends, for the one that begins, be he dealt in or sitting out; who sits down later pays from the next one
on, and who left before pays nothing. Nothing is charged for a player whose time the floor has paused, nor while the
whole table is paused. A player in a hand pays when it is over.

A room that missed a collection does not make up for it: when the bell rings late, the last period is charged, and those
before it are written down as missed. Bots count as players and pay nothing.
"""

from datetime import datetime, timedelta

from django.db import transaction

from cardroom.services import news
from games import signals
from games.models import DropSchedule, ListEntry, Seat, Stay, Table, TimeCharge, TimeClock, TimePause
from games.services import lineup, locking, stays, time_charges, time_clock

RULE = "Rules of the room, 5 (time collection); Robert's Rules of Poker v11, 2 House Policies, Procedures 4"
#: Of periods that were missed, so many are written down.
_MOST_MISSED = 48

State = TimeCharge.State


@transaction.atomic
def ring(*, table_id: int, fence: int, now: datetime) -> bool:
    """The table's bell: charge the period that has begun, once; False where nothing was due.

    Late, early, rung twice or overtaken (`fence`) it does no harm. Locks the table, then accounts by the ledger.
    """
    clock = TimeClock.objects.filter(pk=table_id).first()
    if clock is None or clock.fence != fence or now < clock.due_at:
        return False
    table = locking.table(table_id)
    clock = TimeClock.objects.filter(pk=table_id).first()
    if clock is None or clock.fence != fence:
        return False
    schedule = time_clock.schedule_of(table)
    if schedule is None or table.state in (Table.State.CLOSED, Table.State.FREE):
        time_clock.stop(table)
        return False
    *missed, last = time_clock.ends_between(schedule, clock.due_at, now)
    for end in missed[-_MOST_MISSED:]:
        _note_missed(table, end, now=now)
    _charge(table, schedule, last, now=now)
    time_clock.set_to(table, last + timedelta(minutes=schedule.period_minutes))
    return True


def somebody_waits(table: Table) -> bool:
    """Whether anybody is on the waiting list of the table's game."""
    waiting = ListEntry.objects.filter(offer=table.offer_id, kind=ListEntry.Kind.LIST, state__in=ListEntry.ACTIVE)
    return table.offer_id is not None and waiting.exists()


def pauses_at(table: Table, moment: datetime) -> dict[int | None, TimePause]:
    """Who was paused at this moment, or will not pay, by player; None: the whole table."""
    spans = TimePause.objects.filter(table=table, since__lte=moment).exclude(until__lte=moment)
    return {span.player_id: span for span in spans}


def _charge(table: Table, schedule: DropSchedule, end: datetime, *, now: datetime) -> None:
    seats = list(table.seats.select_related("player", "account").order_by("number"))
    sat = {player: stay.sat_at for player, stay in stays.open_at(table).items()}
    seats = [seat for seat in seats if sat.get(seat.player_id, seat.sat_at) <= end]
    pauses = pauses_at(table, end)
    out = {player for player, pause in pauses.items() if player and pause.kind == TimePause.Kind.PAUSE}
    is_table_paused = None in pauses or (table.paused_at is not None and table.paused_at <= end)
    players = len([seat for seat in seats if seat.player_id not in out])
    each = time_clock.charge_each(schedule, players)
    charges = []
    for seat in seats:
        if seat.player.is_bot or not each:
            continue
        charge = TimeCharge(
            table=table, player=seat.player, number=seat.number, period_start=end, players=players, at=now
        )
        if is_table_paused:
            charge.state, charge.why = State.PAUSED, "The table was paused."
        elif seat.player_id in out:
            charge.state, charge.why = State.PAUSED, pauses[seat.player_id].reason
        elif seat.player_id in pauses:
            _refused(table, schedule, charge, pauses[seat.player_id])
        else:
            charge.state, charge.amount = State.DUE, each
            charge.promo = min(schedule.time_promo, each)
        charges.append(charge)
    known = set(TimeCharge.objects.filter(table=table, period_start=end).values_list("player", flat=True))
    TimeCharge.objects.bulk_create(charge for charge in charges if charge.player_id not in known)
    _see_to_refusals(table, seats, pauses, now=now)
    collect(table, seats, now=now)


def collect(table: Table, seats: list[Seat], *, now: datetime) -> None:
    """Take what is due or owed from those of these seats that are in no hand, and store the table."""
    free = {seat.player_id: seat for seat in seats if not table.is_in_hand(seat.number)}
    open_states = (State.DUE, State.OWED)
    charges = list(TimeCharge.objects.filter(table=table, state__in=open_states, player__in=free).order_by("pk"))
    if charges:
        for seat in time_charges.take(table, charges, list(free.values()), now=now):
            time_charges.sit_out(table, seat, now=now, reason="The time took the last chips.")
    # Who was sat out has a seat that is kept for so long and no longer.
    is_idle = table.hand_id is None and table.state == Table.State.OPEN
    wake_at = lineup.next_wake(table, lineup.seats_of(table), now=now) if is_idle else table.wake_at
    locking.store(table, wake_at=wake_at)
    signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version)
    news.tell("floor")


def _refused(table: Table, schedule: DropSchedule, charge: TimeCharge, refusal: TimePause) -> None:
    """He will not pay: a courtesy hand where nobody waits for his seat, once."""
    is_first = not refusal.is_due
    if is_first and schedule.courtesy_hands and not table.is_physical and not somebody_waits(table):
        charge.state, charge.why = State.COURTESY, "Will not pay, and nobody waits."
        refusal.hands_left = schedule.courtesy_hands
    else:
        charge.state = State.REFUSED
        charge.why = "Will not pay, and somebody waits." if is_first and somebody_waits(table) else "Will not pay."
    refusal.is_due = True


def _see_to_refusals(table: Table, seats: list[Seat], pauses: dict[int | None, TimePause], *, now: datetime) -> None:
    for seat in seats:
        refusal = pauses.get(seat.player_id)
        if refusal is None or refusal.kind != TimePause.Kind.REFUSAL or not refusal.is_due:
            continue
        refusal.save(update_fields=["hands_left", "is_due"])
        if not refusal.hands_left:
            time_charges.sit_out(table, seat, now=now, reason="Will not pay the time.")


def _note_missed(table: Table, end: datetime, *, now: datetime) -> None:
    """A period that nobody collected in time: what each who sat then was spared, and why."""
    sat = Stay.objects.filter(table=table, left_at=None, sat_at__lte=end)
    rows = [
        TimeCharge(
            table=table,
            player_id=stay.player_id,
            number=stay.number,
            period_start=end,
            players=0,
            state=State.MISSED,
            why="The collection was missed, and is not made up for.",
            at=now,
        )
        for stay in sat
    ]
    TimeCharge.objects.bulk_create(rows, ignore_conflicts=True)
