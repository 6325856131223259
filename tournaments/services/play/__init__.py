"""The house's own director: an online event's tables made, filled, evened, broken up and dealt at, by themselves.

Between two hands a table asks (`between_hands`); the alarm of the event and its other services call what
`online.Tables` names. Each is one transaction with the event held: what the last hand came to is written down, then
what is due is done by commands of the engine, the tables of the room follow the facts, and hands are dealt. A process
that dies in it has done nothing; the alarm rings again.
"""

import secrets
from datetime import datetime

from games import selectors as games
from games.services import events
from tournaments.engine.commands import SeatLate
from tournaments.services import playing
from tournaments.services.locking import Locked
from tournaments.services.play import dealing, outcomes, placing
from tournaments.services.play.arranging import arrange
from tournaments.services.play.hall import Hall

__all__ = [
    "add_chips",
    "begin",
    "between_hands",
    "cancelled",
    "due_at",
    "entered",
    "left",
    "moved_on",
    "new_level",
    "played",
    "wake",
]


def between_hands(*, table_id: int, version: int, now: datetime) -> bool:
    """See to a table that is between hands, and to what its last hand means for the others; True where anything was
    done. Rung twice, the second time finds a hand in play, or the table held. Locks the event."""
    tournament_id = int(events.event_of(table_id=table_id).partition(":")[2])
    with playing.holding(tournament_id, now=now) as locked:
        hall = Hall(locked, asking=table_id)
        if table_id not in hall.lines or hall.lines[table_id].hand is not None:
            return False
        if not locked.row.is_live:
            close(locked, hall, now=now)
            return True
        playing.follow_clock(locked, now=now)
        until = outcomes.take(locked, hall, table_id, now=now)
        go_on(locked, hall, now=now)
        if table_id in hall.lines and locked.state.phase == "running":
            dealing.deal(locked, hall, table_id, until=until, now=now)
    return True


def go_on(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """After something has happened, do what follows at the tables."""
    arrange(locked, hall, now=now)
    if locked.state.phase == "running":
        dealing.release(locked, hall, now=now)
    else:
        close(locked, hall, now=now)


def close(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """The event is over: everybody gets up, and the tables close; where a hand is still being played, after it."""
    idle = [pk for pk, line in hall.lines.items() if line.hand is None]
    if idle:
        placing.clear(locked, idle, now=now)
        events.close_tables(table_ids=idle, now=now)
        hall.look()


# -- as `online.Tables` has it -----------------------------------------------------------------------------------------


def begin(locked: Locked, *, now: datetime) -> None:
    """Open the tables, seat everybody with their chips, and have the first hands dealt."""
    hall = Hall(locked)
    placing.place(locked, hall, [entrant.number for entrant in locked.state.in_play()], now=now)
    locked.followed = len(locked.state.facts)
    go_on(locked, hall, now=now)


def entered(locked: Locked, entrant: int, *, now: datetime) -> None:
    """Late: a seat is drawn for the entrant, who is dealt into the next hand there."""
    if not locked.state.entrants[entrant].table:
        playing.play(locked, SeatLate(entrant, secrets.randbits(64)), now=now)
    hall = Hall(locked)
    placing.follow(locked, hall, now=now)
    go_on(locked, hall, now=now)


def add_chips(locked: Locked, entrant: int, chips: int, *, reference: str, now: datetime) -> bool:
    """Put them in front of the entrant; not while their hand is being played, nor before they have a seat."""
    player = locked.state.entrants[entrant].player
    place = games.places_in(event=locked.row.unit, players=[player]).get(player)
    if place is None:
        return False
    hall = Hall(locked)
    line = hall.lines.get(place[0])
    if line is None or line.hand is not None:
        return False
    events.add_chips(chips=[(place[0], player, chips)], reference=reference, now=now)
    if line.due_at is not None and line.due_at > now:
        # The table may have been waiting for this player.
        events.release(table_ids=[place[0]], at=now, now=now)
    return True


def left(locked: Locked, entrants: list[int], *, now: datetime) -> None:
    """Their seats and chips go. `Conflict` while one of them is in a hand."""
    hall = Hall(locked)
    placing.follow(locked, hall, now=now)
    go_on(locked, hall, now=now)


def new_level(locked: Locked, *, now: datetime) -> None:
    """Time banks get what the terms give them with every level."""
    level = locked.state.structure.levels[locked.row.level]
    if locked.state.config.bank_refill_per_level and not level.is_break:
        events.refill(event=locked.row.unit, ms=locked.state.config.bank_refill_per_level * 1000, now=now)


def moved_on(locked: Locked, *, now: datetime) -> None:
    """Tables that were held for a break or a pause go on; those that are to be held are when they ask. New stakes come
    with each table's next hand."""
    hall = Hall(locked)
    go_on(locked, hall, now=now)


def played(locked: Locked, *, now: datetime) -> None:
    """Where seats changed by it, the tables follow, and what is due is done."""
    if placing.concerned(locked, locked.state.facts[locked.followed :]):
        moved_on(locked, now=now)


def cancelled(locked: Locked, *, now: datetime) -> None:
    """Off, or over by a deal."""
    close(locked, Hall(locked), now=now)


def due_at(locked: Locked, *, now: datetime) -> datetime | None:
    """Nothing: the tables have alarms of their own."""
    return None


def wake(locked: Locked, *, now: datetime) -> None:
    """Nothing is due, and what could be done is."""
    if locked.state.phase == "running":
        moved_on(locked, now=now)
