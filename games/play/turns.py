"""Turns of players who have no page of the room in sight: told by push, each once, after a moment.

Looked for every few seconds and not told by the hand itself: most turns are over by then, and no action waits for it.
"""

from datetime import datetime, timedelta

from django.db.models import F, Q
from django.utils.translation import gettext

from cardroom.accounts import push as pushing
from cardroom.core import languages, notices
from cardroom.core.models import Notice
from games.tables.models.tables import Seat

#: A turn that lasts so long is told, where as much of it is left.
PATIENCE = timedelta(seconds=4)
KIND = "turn"


def push(*, now: datetime) -> int:
    """Tell everybody whose turn it has been for a moment; how many. One query where nobody is."""
    if not pushing.is_possible():
        return 0
    is_left = Q(table__deadline=None) | Q(table__deadline__gt=now + PATIENCE)
    late = Seat.objects.filter(
        is_left, number=F("table__to_act"), table__turn_at__lte=now - PATIENCE, table__is_physical=False,
        player__in=pushing.out_of_sight(now=now).values("player"),
    ).select_related("table", "player")  # fmt: skip
    told = {(seat.player_id, _key(seat)): seat for seat in late}
    keys = {key for _, key in told}
    known = set(Notice.objects.filter(kind=KIND, key__in=keys).values_list("player", "key")) if keys else set()
    for player, key in told.keys() - known:
        table = told[player, key].table
        # One turn is worth one row: the last one at this table.
        Notice.objects.filter(player=player, kind=KIND, key__startswith=_of(table.pk)).delete()
        with languages.spoken_to(told[player, key].player):
            text = gettext("Your turn at {table}.").format(table=table.name)
        made = Notice(player_id=player, kind=KIND, text=text, data={"table": table.pk})
        made.key, made.way, made.at = key, Notice.Channel.PUSH_ALONE, now
        Notice.objects.bulk_create([made], ignore_conflicts=True)
        notices.go_out(key, now=now)
    return len(told.keys() - known)


def _of(table: int) -> str:
    return f"turn:{table}:"


def _key(seat: Seat) -> str:
    """Of one turn: the moment it began."""
    return f"{_of(seat.table_id)}{seat.table.turn_at.isoformat()}"
