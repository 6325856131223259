"""Stays: from the move that seats a player at a cash table to the one that takes them away.

Every move passes here (`signals.seat_moved`), with the table locked. Bots and events have no stays.
"""

from typing import Any

from django.dispatch import receiver

from games.rake import collection, comps, time_charges
from games.tables import signals as table_signals
from games.tables.models.tables import SeatMove, Table
from games.tables.models.times import Stay, TimePause

_BEGIN = (SeatMove.Kind.SAT, SeatMove.Kind.MOVED)
_END = (SeatMove.Kind.LEFT, SeatMove.Kind.MOVED_AWAY, SeatMove.Kind.PICKED_UP, SeatMove.Kind.TAKEN_OUT)


@receiver(table_signals.seat_moved)
def follow(move: SeatMove, table: Table, **_: Any) -> None:
    """Begin or end the stay that this move begins or ends."""
    if table.event or move.player.is_bot or move.kind not in (*_BEGIN, *_END):
        return
    if move.kind in _BEGIN:
        stay = Stay.objects.create(
            player=move.player,
            table=table,
            number=move.number,
            sat=move,
            sat_at=move.at,
            per_hour=table.offer.comp_per_hour if table.offer is not None else 0,
        )
        time_charges.keep(table, now=move.at)
        collection.note(table, move.player, number=move.number, now=move.at)
        comps.credit_at(stay, comps.end_of_day(move.at))
        table_signals.stay_changed.send(sender=Stay, player=move.player, now=move.at)
        return
    for stay in Stay.objects.filter(player=move.player, table=table, left_at=None):
        stay.left, stay.left_at = move, max(move.at, stay.sat_at)
        stay.save(update_fields=["left", "left_at"])
        comps.credit_at(stay, move.at)
    # Who would not pay and was not charged for it pays before they sit here again.
    unpaid = {"kind": TimePause.Kind.REFUSAL, "is_due": True}
    TimePause.objects.filter(table=table, player=move.player, until=None).exclude(**unpaid).update(until=move.at)
    table_signals.stay_changed.send(sender=Stay, player=move.player, now=move.at)
