"""Time that was charged, and the chips for it: taken from the stack whenever it is in no hand.

Call with the table locked. A hand is played on the stacks it found, so what falls due during one is taken when it is
over, before anything else is done with the chips. At a physical table the chips are in the table's pool, and what the
player was counted with gets less.
"""

from collections.abc import Sequence
from datetime import datetime

from cardroom.models import Account, User
from cardroom.services import ledger, news
from cardroom.services.ledger import Leg, Post
from games.models import Seat, SeatMove, Table, TimeCharge, TimePause
from games.services import stacks, time_clock

_OPEN = (TimeCharge.State.DUE, TimeCharge.State.OWED)


def after_hand(table: Table, *, now: datetime) -> None:
    """At the end of a hand whose chips have been moved: what fell due during it, what was owed before, and the courtesy
    hand that was one. To be called before anybody is cashed out. Locks the stacks and what the table brought in."""
    if time_clock.schedule_of(table) is None:
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
            lessen(table, seat, chips)
            touched[seat.pk] = seat
        settle(charge, chips, now=now)
    ledger.post_many(posts, at=now)
    TimeCharge.objects.bulk_update(charges, ["paid", "parts", "state", "at"])
    if table.is_physical and touched:
        Seat.objects.bulk_update(touched.values(), ["counted"])
    if any(charge.owed for charge in charges):
        news.tell("floor")
    news.tell(*{f"player:{charge.player_id}" for charge in charges})
    return [seat for seat in touched.values() if not stacks.chips_of(seat, table)]


def catch_up(table: Table, player: User, *, now: datetime) -> None:
    """Who has just sat down pays what is due or owed here from what they brought."""
    if time_clock.schedule_of(table) is None:
        return
    charges = list(TimeCharge.objects.filter(table=table, player=player, state__in=_OPEN).order_by("pk"))
    if charges:
        seats = table.seats.select_related("player", "account").filter(player=player)
        for seat in take(table, charges, list(seats), now=now):
            sit_out(table, seat, now=now, reason="The time took the last chips.")


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
    return Post(f"time:{charge.pk}{f':{charge.parts + 1}' if charge.parts else ''}", f"time at {table.name}", legs)


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


def lessen(table: Table, seat: Seat, chips: int) -> None:
    """The seat with so many chips less, in memory: online the ledger moves them."""
    if table.is_physical:
        seat.counted -= chips
    else:
        seat.account.balance -= chips


def sit_out(table: Table, seat: Seat, *, now: datetime, reason: str) -> None:
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
            sit_out(table, seat, now=now, reason="The courtesy hand is over and the time is not paid.")


def _house(what: str, table: Table) -> Account:
    return ledger.open_account(kind=Account.Kind.HOUSE, label=f"{what}:table:{table.pk}")
