"""Push messages about their turn to players who have no page of the room in sight: one a turn, after a moment.

A job looks for them every few seconds, and not the hand itself: most turns are over by then, and no action waits.
"""

from datetime import datetime, timedelta

from django.db.models import F, Q
from django.utils.translation import gettext

from cardroom.accounts import push as pushing
from cardroom.core import languages, notices
from cardroom.core.models import Notice
from games.tables.models.tables import Seat

#: A turn is pushed after this time, where as much of it is left.
PATIENCE = timedelta(seconds=4)
KIND = "turn"


def push(*, now: datetime) -> int:
    """Push to everybody whose turn it has been for a moment; returns how many. One query where there is nobody."""
    if not pushing.is_possible():
        return 0
    is_left = Q(table__play__deadline=None) | Q(table__play__deadline__gt=now + PATIENCE)
    late_seats = Seat.objects.filter(
        is_left, number=F("table__play__to_act"), table__play__turn_at__lte=now - PATIENCE, table__is_physical=False,
        player__in=pushing.out_of_sight(now=now).values("player"),
    ).select_related("table__play", "player")  # fmt: skip
    turns = {(seat.player_id, _key(seat)): seat for seat in late_seats}
    keys = {key for _, key in turns}
    known = set(Notice.objects.filter(kind=KIND, key__in=keys).values_list("player", "key")) if keys else set()
    for player, key in turns.keys() - known:
        table = turns[player, key].table
        # Only the newest turn at this table keeps a row.
        Notice.objects.filter(player=player, kind=KIND, key__startswith=_key_prefix(table.pk)).delete()
        with languages.spoken_to(turns[player, key].player):
            text = gettext("Your turn at {table}.").format(table=table.name)
        notice = Notice(player_id=player, kind=KIND, text=text, data={"table": table.pk})
        notice.key, notice.way, notice.at = key, Notice.Channel.PUSH_ALONE, now
        Notice.objects.bulk_create([notice], ignore_conflicts=True)
        notices.go_out(key, now=now)
    return len(turns.keys() - known)


def _key_prefix(table: int) -> str:
    return f"turn:{table}:"


def _key(seat: Seat) -> str:
    """The key of one turn: its table and the moment it began."""
    return f"{_key_prefix(seat.table_id)}{seat.table.turn_at.isoformat()}"
