"""The start: the draw of seats, and cards in the air."""

import secrets
from datetime import datetime

from cardroom.models import User
from cardroom.services.errors import Illegal
from cardroom.services.operations import operation
from tournaments.engine.commands import SeatAll, SeatLate, Start
from tournaments.models import Tournament
from tournaments.services import cached, flights, locking, online, playing, staff
from tournaments.services.locking import Locked


@operation(locking.of_event)
def start(
    *,
    tournament_id: int,
    by: User | None,
    now: datetime,
    expected_seq: int | None = None,
    command_id: str = "",
) -> Tournament:
    """Draw the seats that are not drawn yet, and start. For directors.

    The same `command_id` again does nothing. Refuses: `NotFound`, `Forbidden`, `Stale`, `Illegal` (too few entrants,
    started already).
    """
    staff.require(by, staff.DIRECTORS)
    key = playing.key_of(by, command_id)
    with playing.holding(tournament_id, now=now) as locked:
        if playing.answered(locked, key) is None:
            playing.check_seq(locked, expected_seq)
            start_held(locked, by=by, now=now, key=key)
    return locked.row


def start_held(locked: Locked, *, by: User | None, now: datetime, key: str = "") -> None:
    """Start an event that `playing.holding` holds."""
    row = locked.row
    playing.opened(locked)
    if row.state != Tournament.State.OPEN:
        raise Illegal(f"{row.name} is {row.get_state_display()} already.", "started-already")
    flights.before_start(locked, by=by, now=now)
    if locked.state.left < locked.state.config.min_entrants:
        raise Illegal(
            f"{row.name} needs {locked.state.config.min_entrants} entrants and has {locked.state.left}: wait for "
            "more, or cancel it.",
            "too-few-entrants",
        )
    _draw(locked, by=by, now=now)
    playing.play(locked, Start(), now=now, by=by, key=key)
    row.state, row.started_at = Tournament.State.RUNNING, now
    cached.note_clock(locked, now=now)
    online.tables_of(row).begin(locked, now=now)


def _draw(locked: Locked, *, by: User | None, now: datetime) -> None:
    """A seat for everybody; one draw for all, unless some of them have theirs already."""
    standing = [entrant.number for entrant in locked.state.in_play() if not entrant.table]
    if not standing:
        return
    if not locked.state.tables:
        playing.play(locked, SeatAll(secrets.randbits(64)), now=now, by=by)
        return
    for number in standing:
        playing.play(locked, SeatLate(number, secrets.randbits(64)), now=now, by=by)
