"""The end of a period at a table where time is collected: who is charged, what, and who is not.

The rule ("cash games": time by the half hour, per player, by the number of players): charged is who sits at the table
when a period ends, for the one that begins, whether dealt in or sitting out; who sits down later pays from the next one
on, and who left before pays nothing. Nothing is charged for a player whose time the floor has paused, nor while the
whole table is paused. A player in a hand pays when it is over.

A bell that rings late charges every period that has begun since, by who sat then; of who has left by now it is owed.
Online a period that is over by then and in which no hand was dealt is free: the room was not there. Bots count as
players and pay nothing.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from cardroom.models import User
from cardroom.services import news
from cardroom.services.operations import operation
from games import signals
from games.engine.drop import time_charge
from games.models import DropSchedule, ListEntry, Seat, Stay, Table, TimeCharge, TimeClock, TimePause
from games.services import lineup, locking, time_charges, time_clock

RULE = "Rules of the room, 5 (time collection); Robert's Rules of Poker v11, 2 House Policies, Procedures 4"
#: A bell that rings later still makes up for no more: a whole day of half hours.
_MOST_ENDS = 48

#: Who would not pay and left is kept out no longer than this.
_KEPT_OUT = timedelta(days=1)

State = TimeCharge.State
#: A game that ends; where nobody deals any more nothing is charged while chips are counted and carried off.
_ENDING = (Table.State.BREAKING, Table.State.CLOSING)


@operation(locking.of_table)
def ring(*, table_id: int, fence: int, now: datetime) -> bool:
    """The table's bell: charge the periods that have begun, each once; False where nothing was due.

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
        time_clock.stop(table, now=now)
        return False
    ends = time_clock.ends_between(schedule, clock.due_at, now)[-_MOST_ENDS:]
    spans = list(TimePause.objects.filter(table=table, since__lte=ends[-1]).exclude(until__lte=ends[0]))
    lost = _without_a_hand(table, ends[:-1], timedelta(minutes=schedule.period_minutes))
    for end in ends:
        _charge(table, schedule, end, _standing(spans, end), is_lost=end in lost, now=now)
    seats = list(table.seats.select_related("player", "account").order_by("number"))
    _see_to_refusals(table, seats, _standing(spans, ends[-1]), now=now)
    collect(table, seats, now=now)
    time_clock.set_to(table, ends[-1] + timedelta(minutes=schedule.period_minutes))
    return True


def somebody_waits(table: Table) -> bool:
    """Whether anybody is on the waiting list of the table's game."""
    waiting = ListEntry.objects.filter(offer=table.offer_id, kind=ListEntry.Kind.LIST, state__in=ListEntry.ACTIVE)
    return table.offer_id is not None and waiting.exists()


class _Sitter(NamedTuple):
    """Who sat at the table when a period began; `is_gone`: they have left since."""

    player: User
    number: int
    is_gone: bool


def _sat_at(table: Table, moment: datetime) -> list[_Sitter]:
    stays = Stay.objects.filter(table=table, sat_at__lte=moment).exclude(left_at__lte=moment).select_related("player")
    there = set(Stay.objects.filter(table=table, left_at=None).values_list("player", flat=True))
    found = [_Sitter(stay.player, stay.number, stay.player_id not in there) for stay in stays.order_by("number")]
    others = table.seats.filter(sat_at__lte=moment).exclude(player__in=there).select_related("player")
    return [*found, *(_Sitter(seat.player, seat.number, is_gone=False) for seat in others)]


def _without_a_hand(table: Table, ends: Sequence[datetime], period: timedelta) -> set[datetime]:
    """Of the periods that began then, and are over, those in which no hand was dealt online. In the room people play
    whether the system is there or not."""
    if table.is_physical or not ends:
        return set()
    dealt = table.hands.filter(started_at__gte=ends[0], started_at__lt=ends[-1] + period)
    times = list(dealt.values_list("started_at", flat=True))
    return {end for end in ends if not any(end <= at < end + period for at in times)}


def _standing(spans: Sequence[TimePause], moment: datetime) -> dict[int | None, TimePause]:
    """Who was paused at this moment, or will not pay, by player; None: the whole table. Who has paid since did not
    refuse."""
    then = [span for span in spans if span.since <= moment and (span.until is None or span.until > moment)]
    return {span.player_id: span for span in then if span.kind == TimePause.Kind.PAUSE or not span.ended_by_id}


def _charge(
    table: Table,
    schedule: DropSchedule,
    end: datetime,
    pauses: dict[int | None, TimePause],
    *,
    is_lost: bool,
    now: datetime,
) -> None:
    sitters = _sat_at(table, end)
    out = {player for player, pause in pauses.items() if player and pause.kind == TimePause.Kind.PAUSE}
    is_over = table.is_physical and table.state in _ENDING and table.dealer_on_id is None
    is_table_paused = None in pauses or (table.paused_at is not None and table.paused_at <= end)
    players = len([sitter for sitter in sitters if sitter.player.pk not in out])
    each = time_charge(schedule.time_charges, players)
    charges = []
    for player, number, is_gone in sitters:
        if player.is_bot or not each:
            continue
        charge = TimeCharge(table=table, player=player, number=number, period_start=end, players=players, at=now)
        if is_table_paused:
            charge.state, charge.why = State.PAUSED, "The table was paused."
        elif is_over:
            charge.state, charge.why = State.PAUSED, "The game was breaking up, and nobody dealt."
        elif is_lost:
            charge.state, charge.why = State.PAUSED, "The room was away, and no hand was dealt."
        elif player.pk in out:
            charge.state, charge.why = State.PAUSED, pauses[player.pk].reason
        elif player.pk in pauses:
            _refused(table, schedule, charge, pauses[player.pk])
        else:
            charge.state, charge.amount = State.OWED if is_gone else State.DUE, each
            charge.promo = min(schedule.time_promo, each)
        charges.append(charge)
    known = set(TimeCharge.objects.filter(table=table, period_start=end).values_list("player", flat=True))
    TimeCharge.objects.bulk_create(charge for charge in charges if charge.player_id not in known)


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
    """They will not pay: a courtesy hand where nobody waits for their seat, once. In the room somebody says when it is
    over; who was forgotten sits out from the next period on."""
    is_first = not refusal.is_due
    if is_first and schedule.courtesy_hands and not somebody_waits(table):
        charge.state, charge.why = State.COURTESY, "Will not pay, and nobody waits."
        refusal.hands_left = schedule.courtesy_hands
    else:
        charge.state = State.REFUSED
        charge.why = "Will not pay, and somebody waits." if is_first and somebody_waits(table) else "Will not pay."
        refusal.hands_left = 0 if table.is_physical else refusal.hands_left
    refusal.is_due = True


def _see_to_refusals(table: Table, seats: list[Seat], pauses: dict[int | None, TimePause], *, now: datetime) -> None:
    old = TimePause.objects.filter(table=table, kind=TimePause.Kind.REFUSAL, until=None, since__lt=now - _KEPT_OUT)
    time_clock.end(old.exclude(player__in=[seat.player_id for seat in seats]), now=now)
    for seat in seats:
        refusal = pauses.get(seat.player_id)
        if refusal is None or refusal.kind != TimePause.Kind.REFUSAL or not refusal.is_due:
            continue
        refusal.save(update_fields=["hands_left", "is_due"])
        if not refusal.hands_left:
            time_charges.sit_out(table, seat, now=now, reason="Will not pay the time.")
