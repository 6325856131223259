"""Time charged at a table, and the chips for it.

The rule (cash games: time by the half hour, per player, by the number of players): charged is who sits
at the table when a period ends, for the period that begins, whether dealt in or sitting out. Who sits down later pays
from the next one on; who left before pays nothing. Nothing is charged while the floor has paused the player's time or
the whole table. A player in a hand pays when it is over.

An alarm that rings late charges every period that has begun since, by who sat then; who has left by now owes it. Online
a period that is over by then and in which no hand was dealt is free. Bots count as players and pay nothing.

Call with the table locked. Chips are taken from the stack when it is in no hand, before anything else is done with
them. At a physical table the chips are in the table's pool, and the player's counted stack gets less.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import F, QuerySet
from django.db.models.functions import Greatest
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from cardroom.core import alarms, room_time, topics
from cardroom.core.models import User
from cardroom.core.sentences import StoredText
from cardroom.core.verb import lock, verb
from cardroom.ledger import ledger
from cardroom.ledger.ledger import Leg, Post
from cardroom.ledger.models import Account
from games.engine.drop import time_charge
from games.rake import reasons
from games.rake.models.times import TimeCharge, TimeClock, TimePause, fence_of
from games.tables import locking, stacks
from games.tables.models.offers import DropSchedule, Offer
from games.tables.models.tables import Seat, SeatMove, Table
from games.tables.models.times import Stay
from games.tables.reasons import TIME

# Spans of time


Span = tuple[datetime, datetime]


def without(whole: Span, taken: Iterable[Span]) -> list[Span]:
    """What is left of `whole` when these are taken out of it, in order; they may overlap and stick out."""
    left, at = [], whole[0]
    for since, until in sorted(taken):
        if since > at and at < whole[1]:
            left.append((at, min(since, whole[1])))
        at = max(at, until)
    if at < whole[1]:
        left.append((at, whole[1]))
    return left


def seconds(parts: Iterable[Span]) -> int:
    """How long these are together, in whole seconds."""
    return int(sum((until - since).total_seconds() for since, until in parts))


_OPEN = (TimeCharge.State.DUE, TimeCharge.State.OWED)


def after_hand(table: Table, *, now: datetime) -> None:
    """At the end of a hand whose chips have been moved: what fell due during it, what was owed before, and the courtesy
    hand that was one. To be called before anybody is cashed out. Locks the stacks and what the table brought in."""
    if schedule_of(table) is None:
        return
    _count_courtesy(table, now=now)
    charges = list(TimeCharge.objects.filter(table=table, state__in=_OPEN).order_by("pk"))
    if charges:
        players = [charge.player_id for charge in charges]
        seats = table.seats.filter(player__in=players).select_related("player", "account")
        take(table, charges, list(seats), now=now)


def take(table: Table, charges: Sequence[TimeCharge], seats: Sequence[Seat], *, now: datetime) -> list[Seat]:
    """Take what these charges ask from the stacks of these seats, as far as the chips go, the oldest first; whoever has
    no seat among them is passed over. At a table in the room no more than its pool holds, whatever was counted: the
    rest is owed. Returns the seats that have no chips left."""
    by_player = {seat.player_id: seat for seat in seats}
    left = ledger.balance(stacks.pool(table)) if table.is_physical else ledger.MOST_CHIPS
    posts, touched = [], {}
    for charge in sorted(charges, key=lambda charge: charge.pk):
        seat = by_player.get(charge.player_id)
        if seat is None:
            continue
        chips = min(charge.owed, stacks.chips_of(seat, table), left)
        if chips:
            left -= chips
            posts.append(payment(table, charge, chips, source_of(table, seat)))
            # In memory: online the ledger moves them.
            if table.is_physical:
                seat.counted -= chips
            else:
                seat.account.balance -= chips
            touched[seat.pk] = seat
        settle(charge, chips, now=now)
    ledger.post_many(posts, at=now)
    TimeCharge.objects.bulk_update(charges, ["paid", "parts", "state", "at"])
    if table.is_physical and touched:
        Seat.objects.bulk_update(touched.values(), ["counted"])
    if any(charge.owed for charge in charges):
        topics.tell("floor")
    topics.tell(*{f"player:{charge.player_id}" for charge in charges})
    return [seat for seat in touched.values() if not stacks.chips_of(seat, table)]


def catch_up(table: Table, player: User, *, now: datetime) -> None:
    """Who has just sat down pays what is due or owed here from what they brought."""
    if schedule_of(table) is None:
        return
    charges = list(TimeCharge.objects.filter(table=table, player=player, state__in=_OPEN).order_by("pk"))
    if charges:
        seats = table.seats.select_related("player", "account").filter(player=player)
        for seat in take(table, charges, list(seats), now=now):
            sit_out(table, seat, now=now, reason=reasons.LAST_CHIPS())


def held_by(table: Table, seat: Seat) -> int:
    """The chips that time can be taken of: their own, and at a table in the room no more than its pool."""
    chips = stacks.chips_of(seat, table)
    return min(chips, ledger.balance(stacks.pool(table))) if table.is_physical else chips


def payment(table: Table, charge: TimeCharge, chips: int, source: Account) -> Post:
    """The transfer of so many chips for this charge; the promotional fund gets its part last."""
    house = charge.amount - charge.promo
    for_house = min(charge.paid + chips, house) - min(charge.paid, house)
    legs: list[Leg] = [(source, -chips), (_house("time", table), for_house)]
    if chips > for_house:
        legs.append((_house("promo", table), chips - for_house))
    return Post(f"time:{charge.pk}{f':{charge.parts + 1}' if charge.parts else ''}", TIME(at=table.name), legs)


def settle(charge: TimeCharge, chips: int, *, now: datetime) -> None:
    """The charge once so many more chips were paid. The caller saves it."""
    if chips:
        charge.paid += chips
        charge.parts += 1
        charge.at = now
    state = TimeCharge.State.CHARGED if charge.paid == charge.amount else TimeCharge.State.OWED
    if charge.state != state:
        charge.state, charge.at = state, now


def source_of(table: Table, seat: Seat) -> Account:
    """Where the chips in front of them lie."""
    return stacks.pool(table) if table.is_physical else seat.account


def sit_out(table: Table, seat: Seat, *, now: datetime, reason: StoredText) -> None:
    """Not to be dealt in: they have no chips, or will not pay."""
    if seat.state != Seat.State.PLAYING:
        return
    seat.state, seat.out_since, seat.missed_clocks = Seat.State.SITTING_OUT, now, 0
    seat.save(update_fields=["state", "out_since", "missed_clocks"])
    stacks.note(table, player=seat.player, number=seat.number, kind=SeatMove.Kind.SAT_OUT, now=now, reason=reason)


def _count_courtesy(table: Table, *, now: datetime) -> None:
    """One courtesy hand less for those who were dealt into this one; after the last they are sat out."""
    refusals = TimePause.objects.filter(table=table, until=None, kind=TimePause.Kind.REFUSAL, hands_left__gt=0)
    for refusal in refusals:
        seat = table.seats.select_related("player").filter(player=refusal.player_id).first()
        if seat is None or not table.is_in_hand(seat.number):
            continue
        refusal.hands_left -= 1
        refusal.save(update_fields=["hands_left"])
        if not refusal.hands_left:
            sit_out(table, seat, now=now, reason=reasons.COURTESY_OVER())


def _house(what: str, table: Table) -> Account:
    return ledger.open_account(kind=Account.Kind.HOUSE, label=f"{what}:table:{table.pk}")


# Periods. One that divides the hour ends on the hour; any other counts from when the table's clock was started


ALARM = alarms.register("time-collection", "games.tasks.collect_time")


def schedule_of(table: Table) -> DropSchedule | None:
    """The schedule by which time is collected at this table; None where there is none."""
    if table.event or table.drop_id is None or table.drop.kind != DropSchedule.Kind.TIME:
        return None
    return table.drop


def keep(table: Table, *, now: datetime) -> None:
    """Have the table's clock run where time is collected there, and stand still where none is. Call with the table
    locked, when somebody sits down or the table takes up another schedule."""
    schedule = schedule_of(table)
    if schedule is None or table.state in (Table.State.CLOSED, Table.State.FREE):
        stop(table, now=now)
    elif not TimeClock.objects.filter(pk=table.pk).exists():
        set_to(table, next_end(schedule, after=now))


def set_to(table: Table, due_at: datetime) -> None:
    """The table's next collection."""
    TimeClock.objects.update_or_create(pk=table.pk, defaults={"due_at": due_at})
    alarms.set(kind=ALARM, key=str(table.pk), due_at=due_at, fence=fence_of(due_at))


def stop(table: Table, *, now: datetime) -> None:
    """No more collections at this table, and nobody who would not pay them."""
    if TimeClock.objects.filter(pk=table.pk).delete()[0]:
        alarms.cancel(kind=ALARM, key=str(table.pk))
        end(TimePause.objects.filter(table=table, kind=TimePause.Kind.REFUSAL, until=None), now=now)


def end(pauses: QuerySet[TimePause], *, now: datetime, ended_by: User | None = None) -> None:
    """These pauses are over: now, or where another machine's clock was ahead of this one's when they began, then."""
    pauses.update(until=Greatest(F("since"), now), ended_by=ended_by)


def follow(table: Table, *, now: datetime, by: User | None) -> None:
    """Whatever the staff did to a table: its clock runs or stands still with it, and its pauses are written down. Call
    with the table locked."""
    keep(table, now=now)
    if table.paused_at is None:
        end(TimePause.objects.filter(table=table, player=None, until=None), now=now, ended_by=by)
        return
    TimePause.objects.get_or_create(
        table=table, player=None, until=None, defaults={"since": now, "by": by, "reason": table.pause_reason}
    )


def is_table_paused(table: Table, moment: datetime) -> bool:
    """Whether the whole table was paused then. Time costs nothing then."""
    spans = TimePause.objects.filter(table=table, player=None, since__lte=moment).exclude(until__lte=moment)
    return (table.paused_at is not None and table.paused_at <= moment) or spans.exists()


def next_end(schedule: DropSchedule, *, after: datetime) -> datetime:
    """The first end of a period after this moment, counted from it where the period is no part of an hour."""
    minutes = schedule.period_minutes
    if 60 % minutes:
        return after + timedelta(minutes=minutes)
    # In an hour that the clocks repeat a time on the wall is two moments, so the time that is left is added.
    begun = room_time.local(after).minute % minutes
    return after.replace(second=0, microsecond=0) + timedelta(minutes=minutes - begun)


def ends_between(schedule: DropSchedule, first: datetime, upto: datetime) -> list[datetime]:
    """The ends of periods from `first`, which is one, to the last that is not after `upto`."""
    step = timedelta(minutes=schedule.period_minutes)
    return [first + step * number for number in range((upto - first) // step + 1)]


# The end of a period


RULE = format_lazy(
    "{house}; {book}",
    house=gettext_lazy("Rules of the room, 5 (time collection)"),
    book="Robert's Rules of Poker v11, 2 House Policies, Procedures 4",
)
#: A bell that rings later still makes up for no more: a whole day of half hours.
_MOST_ENDS = 48

#: Who would not pay and left is kept out no longer than this.
_KEPT_OUT = timedelta(days=1)

State = TimeCharge.State
#: A game that ends; where nobody deals any more nothing is charged while chips are counted and carried off.
_ENDING = (Table.State.BREAKING, Table.State.CLOSING)


@verb("time_charges.ring")
def ring(*, table_id: int, fence: int) -> bool:
    """The table's bell: charge the periods that have begun, each once; False where nothing was due.

    Late, early, rung twice or overtaken (`fence`) it does no harm. Locks the table, then accounts by the ledger.
    """
    clock = TimeClock.objects.filter(pk=table_id).first()
    if clock is None or clock.fence != fence:
        return False
    table, now = lock(locking.table, table_id)
    clock = TimeClock.objects.filter(pk=table_id).first()
    if clock is None or clock.fence != fence or now < clock.due_at:
        return False
    schedule = schedule_of(table)
    if schedule is None or table.state in (Table.State.CLOSED, Table.State.FREE):
        stop(table, now=now)
        return False
    ends = ends_between(schedule, clock.due_at, now)[-_MOST_ENDS:]
    spans = list(TimePause.objects.filter(table=table, since__lte=ends[-1]).exclude(until__lte=ends[0]))
    lost = _without_a_hand(table, ends[:-1], timedelta(minutes=schedule.period_minutes))
    for end in ends:
        _charge(table, schedule, end, _pauses_at(spans, end), is_lost=end in lost, now=now)
    seats = list(table.seats.select_related("player", "account").order_by("number"))
    _see_to_refusals(table, seats, _pauses_at(spans, ends[-1]), now=now)
    collect(table, seats, now=now)
    set_to(table, ends[-1] + timedelta(minutes=schedule.period_minutes))
    return True


def somebody_waits(table: Table) -> bool:
    """Whether anybody is on the waiting list of the table's game."""
    active = ("waiting", "called", "coming")
    waiting = Offer.objects.filter(pk=table.offer_id, list_entries__kind="list", list_entries__state__in=active)
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


def _pauses_at(spans: Sequence[TimePause], moment: datetime) -> dict[int | None, TimePause]:
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
            charge.state, charge.why = State.PAUSED, reasons.TABLE_PAUSED()
        elif is_over:
            charge.state, charge.why = State.PAUSED, reasons.BREAKING_UP()
        elif is_lost:
            charge.state, charge.why = State.PAUSED, reasons.ROOM_AWAY()
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
    charges = list(TimeCharge.objects.filter(table=table, state__in=_OPEN, player__in=free).order_by("pk"))
    if charges:
        for seat in take(table, charges, list(free.values()), now=now):
            sit_out(table, seat, now=now, reason=reasons.LAST_CHIPS())
    # Who was sat out has a seat that is kept for so long and no longer.
    is_idle = table.hand_id is None and table.state == Table.State.OPEN
    wake_at = stacks.next_wake(table, stacks.seats_of(table), now=now) if is_idle else table.wake_at
    locking.store(table, wake_at=wake_at)
    locking.tell(table)
    topics.tell("floor")


def _refused(table: Table, schedule: DropSchedule, charge: TimeCharge, refusal: TimePause) -> None:
    """They will not pay: a courtesy hand where nobody waits for their seat, once. In the room somebody says when it is
    over; who was forgotten sits out from the next period on."""
    is_first = not refusal.is_due
    if is_first and schedule.courtesy_hands and not somebody_waits(table):
        charge.state, charge.why = State.COURTESY, reasons.COURTESY()
        refusal.hands_left = schedule.courtesy_hands
    else:
        charge.state = State.REFUSED
        charge.why = reasons.REFUSED()
        if is_first and somebody_waits(table):
            charge.why = reasons.REFUSED_AND_AWAITED()
        refusal.hands_left = 0 if table.is_physical else refusal.hands_left
    refusal.is_due = True


def _see_to_refusals(table: Table, seats: list[Seat], pauses: dict[int | None, TimePause], *, now: datetime) -> None:
    old = TimePause.objects.filter(table=table, kind=TimePause.Kind.REFUSAL, until=None, since__lt=now - _KEPT_OUT)
    end(old.exclude(player__in=[seat.player_id for seat in seats]), now=now)
    for seat in seats:
        refusal = pauses.get(seat.player_id)
        if refusal is None or refusal.kind != TimePause.Kind.REFUSAL or not refusal.is_due:
            continue
        refusal.save(update_fields=["hands_left", "is_due"])
        if not refusal.hands_left:
            sit_out(table, seat, now=now, reason=reasons.NOT_PAYING())
