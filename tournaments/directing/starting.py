"""The start of an event: seats drawn, cards in the air."""

import secrets
from datetime import datetime

from cardroom.core.arguments import RowId
from cardroom.core.errors import Illegal
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.engine.commands import SeatAll, SeatLate, Start
from tournaments.events import entry_rows, playing, staff
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament
from tournaments.online import play
from tournaments.registration import flights


@verb("tournaments.start", roles=staff.DIRECTORS)
def start(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> Tournament:
    """Draw the seats that are not drawn yet, and start. For directors.

    Refuses: `NotFound`, `Stale`, `Illegal` (too few entrants, started already).
    """
    with playing.holding(tournament_id) as locked:
        playing.check_seq(locked, expected_seq)
        start_held(locked, by=by, now=locked.now)
    return locked.row


def start_held(locked: Locked, *, by: User | None, now: datetime) -> None:
    """Start an event that `playing.holding` holds."""
    row = locked.row
    playing.opened_event(locked)
    if row.state != Tournament.State.OPEN:
        raise Illegal("started-already", "{name} is {state} already.", name=row.name, state=row.get_state_display())
    flights.before_start(locked, by=by, now=now)
    if locked.state.left < locked.state.config.min_entrants:
        raise Illegal(
            "too-few-entrants",
            "{name} needs {min_entrants} entrants and has {left}: wait for more, or cancel it.",
            name=row.name,
            min_entrants=locked.state.config.min_entrants,
            left=locked.state.left,
        )
    _draw(locked, by=by, now=now)
    playing.play(locked, Start(), now=now, by=by)
    row.state, row.started_at = Tournament.State.RUNNING, now
    entry_rows.note_clock(locked, now=now)
    if row.conduct == Tournament.Conduct.ONLINE:
        play.begin(locked, now=now)


def _draw(locked: Locked, *, by: User | None, now: datetime) -> None:
    """Draw a seat for every player without one, in one draw."""
    standing = [entrant.number for entrant in locked.state.in_play() if not entrant.table]
    if not standing:
        return
    if not locked.state.tables:
        playing.play(locked, SeatAll(secrets.randbits(64)), now=now, by=by)
        return
    for number in standing:
        playing.play(locked, SeatLate(number, secrets.randbits(64)), now=now, by=by)
