"""A cash table between two hands: seats picked up, bots seated, the next hand dealt, or the game ended."""

from datetime import datetime, timedelta

from django.db import transaction

from cardroom.core import seals
from games.play import hands, opening, seating
from games.play.bots import house_bots
from games.tables import locking, stacks
from games.tables.models.tables import Table

#: A room without a key for its cards deals nothing, and looks for one again after this time.
_WITHOUT_KEY = timedelta(seconds=10)


def next_hand(table: Table, *, now: datetime) -> bool:
    """Do what is due at the table, and deal if a hand is due; False where it has moved on since it was read. Locks the
    table."""
    if table.state == Table.State.BREAKING:
        return opening.carry_out(table_id=table.pk, version=table.version, now=now)
    return _deal_or_wait(table.pk, version=table.version, now=now)


@transaction.atomic
def _deal_or_wait(table_id: int, *, version: int, now: datetime) -> bool:
    """Pick up seats that were kept long enough, seat and refill bots, and deal if a hand is due."""
    table = locking.table(table_id)
    if table.version != version:
        return False
    if table.is_taking_up:
        opening.apply_offer_settings(table, now=now)
    before = stacks.seats_of(table)
    overdue = [seat for seat in before if stacks.is_overdue(table, seat, now=now)]
    if overdue:
        stacks.hold((seat.player for seat in overdue), and_house=table.bots > 0)
    for seat in overdue:
        seating.give_up_seat(seat, table, now=now)
    seats = house_bots.keep(table, [seat for seat in before if seat not in overdue], now=now)
    if [seat.pk for seat in seats] != [seat.pk for seat in before]:
        locking.tell(table)
    if not (stacks.is_dealable(table, seats) and (table.deal_at is None or now >= table.deal_at)):
        locking.store(table, wake_at=stacks.next_wake(table, seats, now=now))
    elif seals.has_key():
        hands.deal(table, seats, now=now)
    else:
        locking.store(table, wake_at=now + _WITHOUT_KEY)
    return True
