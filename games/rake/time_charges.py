"""Time charged at a table, and the chips for it.

The rule (cash games: time by the half hour, per player, by the number of players): players who sit at the table when a
period ends are charged for the period that begins, whether dealt in or sitting out. A player who sits down later pays
from the next period on; a player who left before pays nothing. Nothing is charged while the floor has paused the
player's time or the whole table. A player in a hand pays when it is over.

An alarm that rings late charges every period that has begun since, by the players who sat there then; those who have
left by now owe it. Online a period that is over by then and in which no hand was dealt is free. Bots count as players
and pay nothing.

Call with the table locked. Chips are taken from the stack when it is in no hand, before anything else is done with
them. At a physical table the chips are in the table's pool, and the player's counted stack gets less.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from cardroom.core import topics
from cardroom.core.models import User
from cardroom.core.sentences import StoredText
from cardroom.core.verb import lock, verb
from cardroom.ledger import ledger
from cardroom.ledger.ledger import Leg, Post
from cardroom.ledger.models import Account
from games.engine.drop import time_charge
from games.rake import reasons, time_clocks
from games.rake.models.times import TimeCharge, TimeClock, TimePause
from games.tables import locking, stacks
from games.tables.models.offers import DropSchedule, Offer
from games.tables.models.tables import Seat, SeatMove, Table
from games.tables.models.times import Stay
from games.tables.reasons import TIME

_OPEN = (TimeCharge.State.DUE, TimeCharge.State.OWED)


def after_hand(table: Table, *, now: datetime) -> None:
    """At the end of a hand, after its chips have been moved: take what fell due during it and what was owed before, and
    count courtesy hands. Call it before anybody is cashed out. Locks the stacks and the house accounts of the table."""
    if time_clocks.schedule_of(table) is None:
        return
    _count_courtesy(table, now=now)
    charges = list(TimeCharge.objects.filter(table=table, state__in=_OPEN).order_by("pk"))
    if charges:
        players = [charge.player_id for charge in charges]
        seats = table.seats.filter(player__in=players).select_related("player", "account")
        take_chips(table, charges, list(seats), now=now)


def take_chips(table: Table, charges: Sequence[TimeCharge], seats: Sequence[Seat], *, now: datetime) -> list[Seat]:
    """Take the chips of these charges from the stacks of these seats, as far as they go, the oldest charge first;
    charges of players without a seat among them are left. At a table in the room no more is taken than its pool holds,
    whatever was counted: the rest is owed. Returns the seats that have no chips left."""
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
    """A player who has just sat down pays what is due or owed here from the chips they brought."""
    if time_clocks.schedule_of(table) is None:
        return
    charges = list(TimeCharge.objects.filter(table=table, player=player, state__in=_OPEN).order_by("pk"))
    if charges:
        seats = table.seats.select_related("player", "account").filter(player=player)
        for seat in take_chips(table, charges, list(seats), now=now):
            sit_out(table, seat, now=now, reason=reasons.LAST_CHIPS())


def held_by(table: Table, seat: Seat) -> int:
    """The chips from which time can be taken: the player's, and at a table in the room no more than its pool."""
    chips = stacks.chips_of(seat, table)
    return min(chips, ledger.balance(stacks.pool(table))) if table.is_physical else chips


def payment(table: Table, charge: TimeCharge, chips: int, source: Account) -> Post:
    """The transfer of `chips` for this charge; the promotional fund gets its part last."""
    house = charge.amount - charge.promo
    for_house = min(charge.paid + chips, house) - min(charge.paid, house)
    legs: list[Leg] = [(source, -chips), (_house("time", table), for_house)]
    if chips > for_house:
        legs.append((_house("promo", table), chips - for_house))
    return Post(f"time:{charge.pk}{f':{charge.parts + 1}' if charge.parts else ''}", TIME(at=table.name), legs)


def settle(charge: TimeCharge, chips: int, *, now: datetime) -> None:
    """Set the charge to `chips` more paid, and to its new state. The caller saves it."""
    if chips:
        charge.paid += chips
        charge.parts += 1
        charge.at = now
    state = TimeCharge.State.CHARGED if charge.paid == charge.amount else TimeCharge.State.OWED
    if charge.state != state:
        charge.state, charge.at = state, now


def source_of(table: Table, seat: Seat) -> Account:
    """The account of the chips in front of the player."""
    return stacks.pool(table) if table.is_physical else seat.account


def sit_out(table: Table, seat: Seat, *, now: datetime, reason: StoredText) -> None:
    """Sit a player out who has no chips, or refuses to pay."""
    if seat.state != Seat.State.PLAYING:
        return
    seat.state, seat.out_since, seat.missed_clocks = Seat.State.SITTING_OUT, now, 0
    seat.save(update_fields=["state", "out_since", "missed_clocks"])
    stacks.note(table, player=seat.player, number=seat.number, kind=SeatMove.Kind.SAT_OUT, now=now, reason=reason)


def _count_courtesy(table: Table, *, now: datetime) -> None:
    """One courtesy hand less for those who were dealt into this hand; after the last one they sit out."""
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


RULE = format_lazy(
    "{house}; {book}",
    house=gettext_lazy("Rules of the room, 5 (time collection)"),
    book="Robert's Rules of Poker v11, 2 House Policies, Procedures 4",
)
#: Most periods that a late alarm charges: a whole day of half hours.
_MOST_ENDS = 48

#: A player who refused to pay and left is kept out no longer than this.
_KEPT_OUT = timedelta(days=1)

State = TimeCharge.State
#: The states of a game that ends: once nobody deals, nothing is charged while chips are counted and carried off.
_ENDING = (Table.State.BREAKING, Table.State.CLOSING)


@verb("time_charges.ring")
def ring(*, table_id: int, fence: int) -> bool:
    """The alarm of a table's clock: charge the periods that have begun, each once; False where nothing was due.

    An alarm that is late, early, repeated or out of date (`fence`) does no harm. Locks the table, then accounts by the
    ledger.
    """
    clock = TimeClock.objects.filter(pk=table_id).first()
    if clock is None or clock.fence != fence:
        return False
    table, now = lock(locking.table, table_id)
    clock = TimeClock.objects.filter(pk=table_id).first()
    if clock is None or clock.fence != fence or now < clock.due_at:
        return False
    schedule = time_clocks.schedule_of(table)
    if schedule is None or table.state in (Table.State.CLOSED, Table.State.FREE):
        time_clocks.stop(table, now=now)
        return False
    ends = time_clocks.ends_between(schedule, clock.due_at, now)[-_MOST_ENDS:]
    spans = list(TimePause.objects.filter(table=table, since__lte=ends[-1]).exclude(until__lte=ends[0]))
    lost = _without_a_hand(table, ends[:-1], timedelta(minutes=schedule.period_minutes))
    for end in ends:
        _charge(table, schedule, end, _pauses_at(spans, end), is_lost=end in lost, now=now)
    seats = list(table.seats.select_related("player", "account").order_by("number"))
    _apply_refusals(table, seats, _pauses_at(spans, ends[-1]), now=now)
    collect(table, seats, now=now)
    time_clocks.set_to(table, ends[-1] + timedelta(minutes=schedule.period_minutes))
    return True


def somebody_waits(table: Table) -> bool:
    """Whether anybody is on the waiting list of the table's game."""
    active = ("waiting", "called", "coming")
    waiting = Offer.objects.filter(pk=table.offer_id, list_entries__kind="list", list_entries__state__in=active)
    return table.offer_id is not None and waiting.exists()


class _Sitter(NamedTuple):
    """A player who sat at the table when a period began; `is_gone`: they have left since."""

    player: User
    number: int
    is_gone: bool


def _sat_at(table: Table, moment: datetime) -> list[_Sitter]:
    stays = Stay.objects.filter(table=table, sat_at__lte=moment).exclude(left_at__lte=moment).select_related("player")
    seated = set(Stay.objects.filter(table=table, left_at=None).values_list("player", flat=True))
    with_stays = [_Sitter(stay.player, stay.number, stay.player_id not in seated) for stay in stays.order_by("number")]
    others = table.seats.filter(sat_at__lte=moment).exclude(player__in=seated).select_related("player")
    return [*with_stays, *(_Sitter(seat.player, seat.number, is_gone=False) for seat in others)]


def _without_a_hand(table: Table, ends: Sequence[datetime], period: timedelta) -> set[datetime]:
    """The beginnings, among these, of the periods in which no hand was dealt online. None in the room: people play
    there whether the system runs or not."""
    if table.is_physical or not ends:
        return set()
    dealt = table.hands.filter(started_at__gte=ends[0], started_at__lt=ends[-1] + period)
    times = list(dealt.values_list("started_at", flat=True))
    return {end for end in ends if not any(end <= at < end + period for at in times)}


def _pauses_at(spans: Sequence[TimePause], moment: datetime) -> dict[int | None, TimePause]:
    """The pauses and refusals at this moment, by player (None: the whole table). A player who has paid since did not
    refuse."""
    spans_at_moment = [span for span in spans if span.since <= moment and (span.until is None or span.until > moment)]
    return {
        span.player_id: span for span in spans_at_moment if span.kind == TimePause.Kind.PAUSE or not span.ended_by_id
    }


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
    chips = time_charge(schedule.time_charges, players)
    charges = []
    for player, number, is_gone in sitters:
        if player.is_bot or not chips:
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
            _set_refused_charge(table, schedule, charge, pauses[player.pk])
        else:
            charge.state, charge.amount = State.OWED if is_gone else State.DUE, chips
            charge.promo = min(schedule.time_promo, chips)
        charges.append(charge)
    known = set(TimeCharge.objects.filter(table=table, period_start=end).values_list("player", flat=True))
    TimeCharge.objects.bulk_create(charge for charge in charges if charge.player_id not in known)


def collect(table: Table, seats: list[Seat], *, now: datetime) -> None:
    """Take what is due or owed from the players of these seats who are in no hand, and store the table."""
    free = {seat.player_id: seat for seat in seats if not table.is_in_hand(seat.number)}
    charges = list(TimeCharge.objects.filter(table=table, state__in=_OPEN, player__in=free).order_by("pk"))
    if charges:
        for seat in take_chips(table, charges, list(free.values()), now=now):
            sit_out(table, seat, now=now, reason=reasons.LAST_CHIPS())
    # The seat of a player who sits out now is kept for a limited time: the table's alarm may have to ring earlier.
    is_idle = table.hand_id is None and table.state == Table.State.OPEN
    wake_at = stacks.next_wake(table, stacks.seats_of(table), now=now) if is_idle else table.wake_at
    locking.store(table, wake_at=wake_at)
    locking.tell(table)
    topics.tell("floor")


def _set_refused_charge(table: Table, schedule: DropSchedule, charge: TimeCharge, refusal: TimePause) -> None:
    """Set the charge of a player who refuses to pay: a courtesy hand, once, where nobody waits for their seat. In the
    room staff report its end; a player they forgot sits out from the next period on."""
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


def _apply_refusals(table: Table, seats: list[Seat], pauses: dict[int | None, TimePause], *, now: datetime) -> None:
    """Store the refusals after a collection, and sit out those whose courtesy hands are over."""
    # A player who refused and left is kept out for a day, not for good.
    outdated = TimePause.objects.filter(table=table, kind=TimePause.Kind.REFUSAL, until=None, since__lt=now - _KEPT_OUT)
    time_clocks.end_pauses(outdated.exclude(player__in=[seat.player_id for seat in seats]), now=now)
    for seat in seats:
        refusal = pauses.get(seat.player_id)
        if refusal is None or refusal.kind != TimePause.Kind.REFUSAL or not refusal.is_due:
            continue
        refusal.save(update_fields=["hands_left", "is_due"])
        if not refusal.hands_left:
            sit_out(table, seat, now=now, reason=reasons.NOT_PAYING())
