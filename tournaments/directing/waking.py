"""An event's alarm: what is due by the event's own record is done, once.

Due can be: registration opens; house bots enter; the start, or calling it off for want of entrants; a level ends, or a
clock on a player runs out; entry closes on waiting alternates; what the tables need; the next event of its kind. An
alarm that is late, early or rung twice does no harm: what is due is computed from the event's row and facts under its
lock. `fence` is not compared, for an event moves on many times while an alarm is on its way, and is due all the same.
"""

from datetime import datetime

import structlog

from cardroom.core import alarms
from cardroom.core.errors import NotFound
from cardroom.core.verb import current_time
from tournaments.directing import cancelling, recurring, starting, tournaments
from tournaments.directing.bots_entering import enter_next_bots
from tournaments.engine import labels
from tournaments.events import due, journal, playing, reasons
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.events.queries import are_waited_for
from tournaments.online import play
from tournaments.registration import flights
from tournaments.registration.registration import take_off

log = structlog.get_logger(__name__)
State = Tournament.State


def wake(*, tournament_id: int, fence: int | None = None, now: datetime | None = None) -> bool:
    """Do what is due; False when nothing was. Locks the event."""
    row = Tournament.objects.filter(pk=tournament_id).only("pk", "wake_at").first()
    if row is None or row.wake_at is None:
        alarms.cancel(kind=journal.ALARM, key=str(tournament_id))
        return False
    now = now or current_time()
    if now < row.wake_at:
        # The ringing clock is ahead of this one: ring again when it is time.
        alarms.set(kind=journal.ALARM, key=str(tournament_id), due_at=row.wake_at, fence=fence or 0)
        return False
    try:
        with playing.holding(tournament_id, now=now) as locked:
            locked.row.wake_at = None  # whatever is due next, the alarm is set for it anew
            do_what_is_due(locked, now=now)
    except NotFound:
        return False
    if locked.row.wake_at is None:
        alarms.cancel(kind=journal.ALARM, key=str(tournament_id))
    return True


def do_what_is_due(locked: Locked, *, now: datetime) -> None:
    """Do everything that is due in an event held by `playing.holding`."""
    row = locked.row
    if row.is_live:
        playing.follow_clock(locked, now=now)
    if due.are_to_go_home(locked, now=now):
        waiting = list(row.entries.filter(state=TournamentEntry.State.ALTERNATE).select_related("player"))
        take_off(locked, waiting, why="refund", reason=reasons.NO_SEAT(), now=now, by=None)
    if row.is_live and row.conduct == Tournament.Conduct.ONLINE:
        play.wake(locked, now=now)
    if row.state == State.ANNOUNCED and _is_due(row.registration_opens_at, now):
        tournaments.open_held(locked, by=None, now=now)
    if row.state == State.OPEN:
        enter_next_bots(locked, now=now)
        row.players_left = locked.state.left
    if row.state == State.OPEN and _is_due(due.start_due_at(row, now=now), now):
        _start_or_cancel(locked, now=now)
    recurring.make_next(locked, now=now)


def _start_or_cancel(locked: Locked, *, now: datetime) -> None:
    row, wanted = locked.row, locked.state.config.min_entrants
    if are_waited_for(row):
        return
    flights.before_start(locked, by=None, now=now)
    row.players_left = locked.state.left
    if row.players_left >= wanted:
        starting.start_held(locked, by=None, now=now)
    elif row.when_short == row.WhenShort.CANCEL:
        reason = labels.TOO_FEW(n=row.players_left, least=wanted)
        cancelling.cancel_held(locked, by=None, reason=reason, now=now)
    log.info("event due to start", tournament=row.pk, entries=row.entries_count, state=row.state)


def _is_due(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now
