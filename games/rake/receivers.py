"""Stays: from the move that seats a player at a cash table to the one that takes them away. Imported when the room
starts.
"""

from typing import Any

from django.dispatch import receiver

from cardroom.core import played
from games.rake import comps, rejoining, time_clocks
from games.rake.models.times import TimePause
from games.tables import signals as table_signals
from games.tables.models.tables import SeatMove, Table
from games.tables.models.times import Stay

_BEGIN = (SeatMove.Kind.SAT, SeatMove.Kind.MOVED)
_END = (SeatMove.Kind.LEFT, SeatMove.Kind.MOVED_AWAY, SeatMove.Kind.PICKED_UP, SeatMove.Kind.TAKEN_OUT)


@receiver(table_signals.seat_moved)
def follow_seat(move: SeatMove, table: Table, **_: Any) -> None:
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
        time_clocks.start_or_stop(table, now=move.at)
        rejoining.charge_returned(table, move.player, number=move.number, now=move.at)
        comps.credit_at(stay, comps.end_of_day(move.at))
        _play_time_changed(move)
        return
    for stay in Stay.objects.filter(player=move.player, table=table, left_at=None):
        stay.left, stay.left_at = move, max(move.at, stay.sat_at)
        stay.save(update_fields=["left", "left_at"])
        comps.credit_at(stay, move.at)
    # A refusal that was charged to nobody ends; any other is paid before they sit here again.
    unpaid = {"kind": TimePause.Kind.REFUSAL, "is_due": True}
    TimePause.objects.filter(table=table, player=move.player, until=None).exclude(**unpaid).update(until=move.at)
    _play_time_changed(move)


def _play_time_changed(move: SeatMove) -> None:
    for games in played.games():
        games.play_time_changed(move.player, now=move.at)
