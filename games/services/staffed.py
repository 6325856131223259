"""One thing that staff does with a player at a table: once by its key, stored, told, and written on the trail.

The key is that of whoever asks, and is looked at before the table is locked: everywhere in this order.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from cardroom.models import User
from cardroom.services import news, repeats, trail
from games.models import SeatMove, Table
from games.services import locking, seats


def once(
    verb: str,
    do: Callable[[Table], SeatMove],
    *,
    table_id: int,
    player: User,
    by: User | None,
    now: datetime,
    key: str,
    **content: Any,
) -> SeatMove:
    """The move that `do` makes at the locked table, which is then stored; the one it made before, where `by` has used
    this `key` for the same already.

    `content`: what else was asked for. `by` None: the house itself, which has no keys. The caller has checked the role.
    """

    def make() -> SeatMove:
        table = locking.table(table_id)
        made = do(table)
        seats.changed(table, now=now)
        news.tell("floor", f"player:{player.pk}")
        return made

    asked = {"table": table_id, "player": player.pk, **content}
    return repeats.made(SeatMove, make, by=by, key=key, verb=verb, now=now, **asked)


def note(
    verb: str, table: Table, player: User, by: User | None, *, now: datetime, reason: str = "", **details: Any
) -> None:
    """Write it on the trail; the house's own deeds are not its staff's."""
    if by is not None:
        subject = f"table:{table.pk}"
        trail.note(verb=verb, subject=subject, player=player, by=by, now=now, reason=reason, **details)
