"""Extra time for lost touch that players have used in their visit: leaving a seat and coming back wins none."""

from datetime import datetime, timedelta

from cardroom.models import User
from games.models import SeatMove, Stay, Table

#: Who sits down again within this goes on with their visit.
_SAME_VISIT = timedelta(hours=1)


def keep_extra(move: SeatMove, extra_used_ms: int) -> None:
    """Remember the extra time that was used in the stay which this move has ended. A statement where it was any."""
    if extra_used_ms:
        Stay.objects.filter(left=move).update(extra_used_ms=extra_used_ms)


def extra_used(table: Table, player: User, *, now: datetime) -> int:
    """What a player who sits down here has used of their extra time in this visit, in milliseconds: at this table, or
    at another one of its game that they left a moment ago. One query or none."""
    if not table.has_extra_time or player.is_bot:
        return 0
    here = {"table__offer": table.offer_id} if table.offer_id else {"table": table}
    stays = Stay.objects.filter(player=player, left_at__gt=now - _SAME_VISIT, **here).order_by("-left_at", "-pk")
    return stays.values_list("extra_used_ms", flat=True).first() or 0


def open_at(table: Table) -> dict[int, Stay]:
    """Those who sit at the table now, by player."""
    return {stay.player_id: stay for stay in Stay.objects.filter(table=table, left_at=None)}
