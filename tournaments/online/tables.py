"""The tables of an event online follow what happens to it."""

import secrets
from datetime import datetime

from games.play import event_seats
from games.tables.stacks import places_in
from tournaments.engine.commands import SeatLate
from tournaments.events import playing
from tournaments.events.hall import Hall
from tournaments.events.journal import Locked
from tournaments.events.tables import EventTables
from tournaments.online import play, seating


class OnlineTables(EventTables):
    """Runs the tables by the event's facts, without a director."""

    def entrant_came(self, locked: Locked, *, entrant: int, now: datetime) -> None:
        """Late: a seat is drawn for the entrant, who is dealt into the next hand there."""
        if not locked.state.entrants[entrant].table:
            playing.play(locked, SeatLate(entrant, secrets.randbits(64)), now=now)
        play.refresh_tables(locked, now=now)

    def entrants_went(self, locked: Locked, *, entrants: list[int], now: datetime) -> None:
        play.refresh_tables(locked, now=now)

    def add_chips(self, locked: Locked, *, entrant: int, chips: int, reference: str, now: datetime) -> bool:
        """Put them in front of the entrant; not while their hand is being played, nor before they have a seat."""
        player = locked.state.entrants[entrant].player
        place = places_in(event=locked.row.unit, players=[player]).get(player)
        line = Hall(locked).lines.get(place[0]) if place is not None else None
        if place is None or line is None or line.hand is not None:
            return False
        event_seats.add_chips(chips=[(place[0], player, chips)], reference=reference, now=now)
        if line.due_at is not None and line.due_at > now:
            # The table may have been waiting for this player.
            event_seats.release(table_ids=[place[0]], at=now, now=now)
        return True

    def level_began(self, locked: Locked, *, now: datetime) -> None:
        """Time banks get what the terms give them with every level."""
        level = locked.state.structure.levels[locked.row.level]
        if locked.state.config.bank_refill_per_level and not level.is_break:
            event_seats.refill(event=locked.row.unit, ms=locked.state.config.bank_refill_per_level * 1000, now=now)

    def clock_moved(self, locked: Locked, *, now: datetime) -> None:
        play.refresh_tables(locked, now=now)

    def catch_up(self, locked: Locked, *, now: datetime) -> None:
        """Where seats changed, the tables follow, and what is due is done."""
        if seating.reseated_entrants(locked, locked.state.facts[locked.followed :]):
            play.refresh_tables(locked, now=now)

    def close_all(self, locked: Locked, *, now: datetime) -> None:
        play.end_tables(locked, now=now)
