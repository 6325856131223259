"""When something is due in an event by itself. All of it is computed from stored moments; nothing here writes."""

from datetime import datetime, timedelta

from tournaments.engine import clock
from tournaments.events import journal as event_journal
from tournaments.events import queries as event_queries
from tournaments.events import terms
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament, TournamentEntry

State = Tournament.State


_LOOK_AGAIN = timedelta(seconds=30)


def next_wake(locked: Locked, *, now: datetime) -> datetime | None:
    """When the event's alarm has to ring next; None: it waits for people."""
    row = locked.row
    if row.state == State.ANNOUNCED:
        return row.registration_opens_at
    if is_next_event_due(row):
        return now
    if row.state == State.OPEN:
        return now if bots_wanted(row) else _start(row, now=now)
    if are_to_go_home(locked, now=now):
        return now
    if not row.is_live:
        return None
    state = locked.state
    wanted = [moment for moment in state.called.values() if moment > event_journal.ms(now)]
    if (ends_at := clock.next_change(state.clock, state.structure, event_journal.ms(now))) is not None:
        wanted.append(ends_at)
    return event_journal.moment(min(wanted)) if wanted else None


def are_to_go_home(locked: Locked, *, now: datetime) -> bool:
    """Whether alternates can get no seat any more: entry has closed, or the event is over."""
    is_played = locked.row.is_live or locked.row.state == State.FINISHED
    return is_played and bool(locked.state.alternates) and not locked.state.is_entry_open(event_journal.ms(now))


def start_due_at(row: Tournament, *, now: datetime) -> datetime | None:
    """When an event that takes entries starts, or is cancelled, by itself: when it is full, or at its time.

    One that waits for more entrants is due, past its time, as soon as there are enough, or flights that bring them.
    """
    if not starts_by_itself(row):
        return None
    config = terms.config_of(row)
    if row.starts_when_full and row.players_left >= config.max_entrants:
        return now
    waits = row.when_short == row.WhenShort.WAIT and row.players_left < config.min_entrants
    if row.starts_at is not None and row.starts_at <= now and waits and not event_queries.are_to_come(row):
        return None
    return row.starts_at


def _start(row: Tournament, *, now: datetime) -> datetime | None:
    """When to look whether it starts; a final past its time looks again and again, until its flights have come."""
    starts_at = start_due_at(row, now=now)
    is_late = starts_at is not None and starts_at <= now
    return now + _LOOK_AGAIN if is_late and event_queries.are_to_come(row) else starts_at


def starts_by_itself(row: Tournament) -> bool:
    """In the room a director starts it, unless that is left to the clock."""
    return row.conduct == Tournament.Conduct.ONLINE or bool(row.options.get("starts_by_itself"))


def is_next_event_due(row: Tournament) -> bool:
    """Whether the next event should be made: this one is full, has started, or was called off."""
    if not row.recurs_times or not (row.recurs_minutes or row.recurs_when_full):
        return False
    if row.is_live or row.is_over:
        return True
    is_full = row.state == State.OPEN and row.players_left >= terms.config_of(row).max_entrants
    return row.recurs_when_full and is_full


def bots_wanted(row: Tournament) -> int:
    """How many house bots are to enter yet, beside the people."""
    if not row.bots or row.state != State.OPEN:
        return 0
    room = row.bots - row.entries.filter(how=TournamentEntry.How.HOUSE).count()
    most = terms.config_of(row).max_entrants
    return max(0, min(room, most - row.players_left) if most else room)
