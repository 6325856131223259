"""What follows at the tables of an online event after something has happened to it."""

from datetime import datetime

from games.play import event_seats, event_tables
from games.tables.stacks import places_in
from tournaments.events.hall import Hall
from tournaments.events.journal import Locked
from tournaments.online.balancing import arrange_tables
from tournaments.online.next_hands import release_tables
from tournaments.online.seating import clear_tables, place_entrants


def arrange_and_deal(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """Do what is due at the tables, and have those deal that wait for nothing; close them where the event is over."""
    arrange_tables(locked, hall, now=now)
    if locked.state.phase == "running":
        release_tables(locked, hall, now=now)
    else:
        close_tables(locked, hall, now=now)


def close_tables(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """The event is over: everybody gets up, and the tables close; a table that still plays a hand does so after it."""
    idle = [pk for pk, line in hall.lines.items() if line.hand is None]
    if idle:
        clear_tables(locked, idle, now=now)
        event_tables.close_tables(table_ids=idle, now=now)
        hall.look()


def begin(locked: Locked, *, now: datetime) -> None:
    """Open the tables, seat everybody with their chips, and have the first hands dealt."""
    hall = Hall(locked)
    place_entrants(locked, hall, [entrant.number for entrant in locked.state.in_play()], now=now)
    locked.followed = len(locked.state.facts)
    arrange_and_deal(locked, hall, now=now)


def take_chips(locked: Locked, *, entrant: int, chips: int, reference: str, now: datetime) -> None:
    """Take back chips that the entrant bought, before another hand. `Conflict` once they are in play."""
    player = locked.state.entrants[entrant].player
    place = places_in(event=locked.row.unit, players=[player]).get(player)
    if place is not None:
        event_seats.take_chips(table_id=place[0], player_id=player, chips=chips, reference=reference, now=now)


def refresh_tables(locked: Locked, *, now: datetime) -> None:
    """The clock, the entries or the tables changed: do what is due, and release tables that need not wait any more. A
    table that is to wait is held when it asks for its next hand, and new stakes come with that hand."""
    arrange_and_deal(locked, Hall(locked), now=now)


def end_tables(locked: Locked, *, now: datetime) -> None:
    """The event was called off, or is over by a deal: close its tables."""
    close_tables(locked, Hall(locked), now=now)


def wake(locked: Locked, *, now: datetime) -> None:
    """The event was looked at again: do what could not be done before."""
    if locked.state.phase == "running":
        refresh_tables(locked, now=now)
