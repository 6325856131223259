"""The door for whoever runs an event at tables of the room: to open them, draw the seats, have each hand dealt.

Every verb is keyword-only and called within the caller's transaction, with their own lock on the event held: that comes
first, then the tables in the order of their ids, then the accounts. What is done to many tables is done in bulk, with a
constant number of statements for each.
"""

from games.services.directors import Director, register
from games.services.events.conduct import Dealt, deal, hold, penalise, refill, release
from games.services.events.listing import TableLine, event_of, listing
from games.services.events.looking import Outcome, SeatStanding, TableStanding, outcome, standing
from games.services.events.opening import close_tables, open_tables, set_extra_time, set_stakes
from games.services.events.seating import add_chips, move_players, remove_players, seat_players
from games.services.tables import Stakes

__all__ = [
    "Dealt",
    "Director",
    "Outcome",
    "SeatStanding",
    "Stakes",
    "TableLine",
    "TableStanding",
    "add_chips",
    "close_tables",
    "deal",
    "event_of",
    "hold",
    "listing",
    "move_players",
    "open_tables",
    "outcome",
    "penalise",
    "refill",
    "register",
    "release",
    "remove_players",
    "seat_players",
    "set_extra_time",
    "set_stakes",
    "standing",
]
